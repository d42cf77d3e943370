#include <sparse/amr/hierarchy/level_sets.hpp>

#include "level_edges.hpp"
#include "without.hpp"

#include <algorithm>
#include <utility>

#include <sparse/base/error.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

/// Cells up to this many steps across faces away from `update` have values.
constexpr Coord stencil_radius = 2;

/// The set and its face neighbours. Cheaper than `expand` for one step.
template <int Dim>
IntervalSet<Dim> with_neighbours(IntervalSet<Dim> const& set) {
  IntervalSet<Dim> result = expand(set, 0, 1);
  for (int axis = 1; axis < Dim; ++axis)
    for (Coord const step : {-1, 1})
      result = sparse::detail::combine<Dim>(set.context(), result.rows(),
                                            moved(set.rows(), Vec<Coord, Dim>::along(axis, step)),
                                            sparse::detail::in_either);
  return result;
}

/// Completes a level that has cells, covered cells and leaves: adds the cells that a step computes and those it reads.
/// @return  the cells in the box that it reads
template <int Dim>
IntervalSet<Dim> add_storage(Domain<Dim> const& domain, LevelSets<Dim>& level, int l) {
  level.update = level.leaves;
  if (!level.covered.is_empty()) {
    IntervalSet<Dim> const beside = with_neighbours(domain.with_images(level.leaves, l, 1));
    level.update = fuse([](bool leaf, bool covered, bool near) { return leaf || (covered && near); }, level.leaves,
                        level.covered, beside);
  }
  static_assert(stencil_radius == 2);
  IntervalSet<Dim> near = with_neighbours(with_neighbours(domain.with_images(level.update, l, 2 * stencil_radius)));

  Box<Dim> slab = domain.box(l);
  for (int axis = 0; axis < Dim; ++axis) {
    slab.begin[axis] -= stencil_radius;
    slab.end[axis] += stencil_radius;
  }
  near = inside(near, slab);
  level.storage = level.cells | near;
  near = inside(near, domain.box(l));

  IntervalSet<Dim> const& solid = domain.solid(l);
  IntervalSet<Dim> const not_cells = near - level.cells;
  level.coarse_ghosts = without(not_cells, solid);
  if (!solid.is_empty()) {
    IntervalSet<Dim> const ghosts = not_cells & solid;
    level.curved_ghosts = without(ghosts, domain.solid_with_faces(l));
    level.face_ghosts = without(ghosts, level.curved_ghosts);
  }
  level.valid = without(without(without(level.storage, level.coarse_ghosts), level.curved_ghosts), level.face_ghosts);
  return near;
}

/// Whether level l of `cells` consists of the same sets as level l of `before`.
template <int Dim>
bool stays(std::vector<IntervalSet<Dim>> const& cells, std::vector<LevelSets<Dim>> const& before, std::size_t l) {
  if (l >= before.size() || cells[l].identity() != before[l].cells.identity()) return false;
  bool const has_finer = l + 1 < cells.size();
  if (has_finer != (l + 1 < before.size())) return false;
  return !has_finer || cells[l + 1].identity() == before[l + 1].cells.identity();
}

}  // namespace

template <int Dim>
std::vector<LevelSets<Dim>> with_covered(std::vector<IntervalSet<Dim>> const& cells,
                                         std::vector<LevelSets<Dim>> const& before) {
  std::vector<LevelSets<Dim>> levels(cells.size());
  for (std::size_t l = 0; l < cells.size(); ++l) {
    levels[l].cells = cells[l];
    if (stays(cells, before, l))
      levels[l].covered = before[l].covered;
    else if (l + 1 < cells.size())
      levels[l].covered = coarsen(cells[l + 1]);
  }
  return levels;
}

template <int Dim>
std::vector<LevelSets<Dim>> completed(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& cells,
                                      std::vector<LevelSets<Dim>> const& before, bool with_edges) {
  expects(!cells.empty() && cells.size() <= static_cast<std::size_t>(domain.level_count()),
          "level_sets: wrong number of levels");
  std::vector<LevelSets<Dim>> levels(cells.size());
  for (std::size_t l = 0; l < cells.size(); ++l) {
    LevelSets<Dim>& level = levels[l];
    bool const is_same = l < before.size() && has_same_cells(cells[l], before[l]);
    if (is_same) {
      level = before[l];
    } else {
      level.cells = cells[l].cells;
      level.covered = cells[l].covered;
      level.leaves = without(level.cells, level.covered);
      IntervalSet<Dim> const near = add_storage(domain, level, static_cast<int>(l));
      if (with_edges) add_edges(domain, level, level.update - level.leaves, static_cast<int>(l));
      if (!level.covered.is_empty()) level.read = level.covered & near;
    }
    if (level.covered.is_empty()) continue;
    if (is_same && (l == 0 || levels[l - 1].restricted.identity() == before[l - 1].restricted.identity())) continue;
    level.restricted = level.read;
    if (l > 0 && !levels[l - 1].restricted.is_empty())
      level.restricted |= level.covered & refine(levels[l - 1].restricted);
  }
  return levels;
}

template <int Dim>
std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells,
                                       std::vector<LevelSets<Dim>> const& before) {
  return completed(domain, with_covered(cells, before), before);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const&, std::vector<IntervalSet<Dim>> const&,            \
                                                  std::vector<LevelSets<Dim>> const&);                                 \
  template std::vector<LevelSets<Dim>> completed(Domain<Dim> const&, std::vector<LevelSets<Dim>> const&,               \
                                                 std::vector<LevelSets<Dim>> const&, bool);                            \
  template std::vector<LevelSets<Dim>> with_covered(std::vector<IntervalSet<Dim>> const&,                              \
                                                    std::vector<LevelSets<Dim>> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
