#include <sparse/amr/hierarchy/adapted_cells.hpp>

#include "without.hpp"

#include <algorithm>
#include <utility>

#include <sparse/base/error.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

/// The cells of a level that may have children if the level stays as it is.
template <int Dim>
IntervalSet<Dim> refinable_cells(Domain<Dim> const& domain, IntervalSet<Dim> const& cells, int l) {
  Coord const width = domain.nesting_width;
  IntervalSet<Dim> const all = domain.with_images(cells, l, 2 * width);
  IntervalSet<Dim> const other = without(inside(expand(all, width) - all, domain.box(l)), domain.solid(l));
  return without(cells, expand(domain.with_images(other, l, width), width));
}

/// Removes the cells from `wish` that do not fit into the base level. `wish` has the cells with children of each level
/// from `base` on. Levels coarser than one in `is_kept` fit already.
template <int Dim>
void fit_into_base(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>>& wish, std::vector<bool> const& is_kept,
                   IntervalSet<Dim> const& base_cells, std::size_t base) {
  IntervalSet<Dim> too_much;
  for (std::size_t l = base; l < wish.size() && !is_kept[l]; ++l) {
    int const level = static_cast<int>(l);
    if (l == base)
      too_much = wish[l] - refinable_cells(domain, base_cells, level);
    else  // the wish of the level before contains the parents of all cells near this wish
      too_much = wish[l] & domain.wrapped(expand(refine(too_much), domain.nesting_width), level);
    if (too_much.is_empty()) return;
    wish[l] = wish[l] - too_much;
  }
}

}  // namespace

template <int Dim>
AdaptedLevels<Dim> adapted_levels(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                  RegridMargins const& margins, std::vector<LevelSets<Dim>> const& levels, int base,
                                  Agreement<Dim> const* agreement, std::vector<IntervalSet<Dim>> const& kept) {
  expects(!margins.least.empty() && margins.least.size() == margins.given.size(),
          "adapted_cells: there must be buffers");
  expects(base == 0 || (base > 0 && base < static_cast<int>(levels.size())), "adapted_cells: no such base level");
  std::size_t const finest = static_cast<std::size_t>(domain.level_count()) - 1, first = static_cast<std::size_t>(base);
  // With several ranks, what a level gets is decided by the owners of its cells. Counts are those of all.
  auto const own = [&](int level, IntervalSet<Dim> const& set) { return agreement ? agreement->own(level, set) : set; };
  auto const known = [&](int level, IntervalSet<Dim> const& set) {
    return agreement ? agreement->known(level, set) : set;
  };
  auto const of_all = [&](std::vector<std::int64_t> counts) {
    if (agreement) agreement->add(counts);
    return counts;
  };
  tagged.resize(finest);
  std::vector<bool> is_kept(finest);
  std::vector<std::int64_t> counts_here(finest);  // of what `tagged` has in the end, own cells
  for (std::size_t l = finest; l-- > first;) {
    int const level = static_cast<int>(l);
    IntervalSet<Dim> const& around = domain.around_bodies(level);
    IntervalSet<Dim> const& solid = domain.solid(level);
    bool const has_finer = l + 1 < finest && !tagged[l + 1].is_empty();
    // Finer levels lie outside of `around_bodies`, and so do the cells that they need around them.
    IntervalSet<Dim> const needed =
        has_finer ? coarsen(expand(tagged[l + 1], domain.nesting_width)) : IntervalSet<Dim>();
    auto const refined_for = [&](IntervalSet<Dim> const& wish) {
      IntervalSet<Dim> const refined = domain.wrapped(wish, level);
      if (solid.is_empty() && around.is_empty()) return own(level, refined);
      return own(level,
                 level < domain.body_level()
                     ? fuse([](bool a, bool near, bool body) { return (a || near) && !body; }, refined, around, solid)
                     : fuse([](bool a, bool near, bool body) { return a && !near && !body; }, refined, around, solid));
    };
    std::size_t const b = std::min(l, margins.least.size() - 1);
    IntervalSet<Dim> const tags = expand(tagged[l], margins.least[b]), wish = has_finer ? tags | needed : tags;
    IntervalSet<Dim> const present = l < levels.size() ? levels[l].covered : IntervalSet<Dim>();
    IntervalSet<Dim> const stay = l < kept.size() ? kept[l] & present : IntervalSet<Dim>();
    IntervalSet<Dim> const least = refined_for(wish | stay);
    // What finer levels need grows, too: else this level would change whenever they do.
    Coord const spare = margins.given[b] - margins.least[b];
    auto const given = [&] { return spare == 0 ? least : refined_for(expand(wish, spare) | stay); };
    Index const present_count = agreement && l < levels.size() ? agreement->covered_count(level) : present.cell_count();
    auto const counts = of_all({(least - present).cell_count(), least.cell_count(), present_count});
    auto const is_few = [&](std::int64_t count) {
      return static_cast<double>(counts[2]) <= (1 + margins.excess) * static_cast<double>(count);
    };
    auto const take = [&](IntervalSet<Dim> const& own_cells) {
      tagged[l] = known(level, own_cells);
      counts_here[l] = own_cells.cell_count();
    };
    if (counts[0] > 0) {
      take(given());
      continue;
    }
    is_kept[l] = is_few(counts[1]);
    tagged[l] = present;
    counts_here[l] = present_count;
    if (is_kept[l]) continue;
    IntervalSet<Dim> const changed = given();
    is_kept[l] = is_few(of_all({changed.cell_count()})[0]);
    if (!is_kept[l]) take(changed);
  }
  if (base > 0) {
    fit_into_base(domain, tagged, is_kept, levels[first].cells, first);
    std::vector<std::int64_t> differing(finest);
    for (std::size_t l = first; l < finest; ++l) {
      if (is_kept[l]) continue;
      int const level = static_cast<int>(l);
      IntervalSet<Dim> const fitting = own(level, tagged[l]);
      tagged[l] = known(level, fitting);
      counts_here[l] = fitting.cell_count();
      differing[l] = l + 1 < levels.size() && fitting == own(level, levels[l].covered) ? 0 : 1;
    }
    differing = of_all(differing);
    for (std::size_t l = first; l < finest && l + 1 < levels.size(); ++l) is_kept[l] = is_kept[l] || differing[l] == 0;
  }
  auto const counts = of_all(counts_here);
  AdaptedLevels<Dim> adapted;
  for (std::size_t l = 0; l <= first; ++l) {
    adapted.cells.push_back(levels.empty() ? domain.fluid(0) : levels[l].cells);
    adapted.stays.push_back(!levels.empty());
  }
  for (std::size_t l = first; l < finest && counts[l] > 0; ++l) {
    adapted.cells.push_back(is_kept[l] ? levels[l + 1].cells
                                       : refine(tagged[l]) - domain.solid(static_cast<int>(l) + 1));
    adapted.stays.push_back(is_kept[l]);
  }
  return adapted;
}

template <int Dim>
std::vector<IntervalSet<Dim>> adapted_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                            RegridMargins const& margins, std::vector<LevelSets<Dim>> const& levels,
                                            int base, std::vector<IntervalSet<Dim>> const& kept) {
  return adapted_levels<Dim>(domain, std::move(tagged), margins, levels, base, nullptr, kept).cells;
}

template <int Dim>
std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                           std::vector<Coord> const& buffers) {
  return adapted_cells<Dim>(domain, std::move(tagged), {buffers, buffers, 0}, {}, 0);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template AdaptedLevels<Dim> adapted_levels(Domain<Dim> const&, std::vector<IntervalSet<Dim>>, RegridMargins const&,  \
                                             std::vector<LevelSets<Dim>> const&, int, Agreement<Dim> const*,           \
                                             std::vector<IntervalSet<Dim>> const&);                                    \
  template std::vector<IntervalSet<Dim>> adapted_cells(Domain<Dim> const&, std::vector<IntervalSet<Dim>>,              \
                                                       RegridMargins const&, std::vector<LevelSets<Dim>> const&, int,  \
                                                       std::vector<IntervalSet<Dim>> const&);                          \
  template std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const&, std::vector<IntervalSet<Dim>>,               \
                                                      std::vector<Coord> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
