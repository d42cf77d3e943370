#include <sparse/amr/hierarchy/part_of_levels.hpp>

#include "level_edges.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/base/error.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

template <int Dim>
IntervalSet<Dim> with_neighbours(IntervalSet<Dim> const& set, Coord steps = 1) {
  return set.is_empty() ? set : expand(set, steps, Element::diamond);
}

/// A set, and its copies one period away that may have cells of another.
template <int Dim>
IntervalSet<Dim> with_periods(Domain<Dim> const& domain, IntervalSet<Dim> const& set, int level,
                              IntervalSet<Dim> const& other) {
  IntervalSet<Dim> result = set;
  Box<Dim> const near = other.bounds();
  for (int axis = 0; axis < Dim && !set.is_empty(); ++axis) {
    if (!domain.is_periodic(axis)) continue;
    Coord const period = domain.box(level).end[axis];
    IntervalSet<Dim> const here = result;
    for (Coord const away : {-period, period})
      if (here.bounds().begin[axis] + away < near.end[axis] && near.begin[axis] < here.bounds().end[axis] + away)
        result |= shift(here, axis, away);
  }
  return result;
}

/// Cells, and those of a level that give their values to cells outside the box and to ghosts in bodies among them.
/// Ghosts that give their values to others need values, too.
/// @param known  cells of which this is done
template <int Dim>
IntervalSet<Dim> closed(Domain<Dim> const& domain, LevelSets<Dim> const& all, IntervalSet<Dim> const& start, int level,
                        IntervalSet<Dim> const& known = {}) {
  IntervalSet<Dim> const solid = all.curved_ghosts | all.face_ghosts;
  IntervalSet<Dim> stored = start | known, added = start - known;
  while (!added.is_empty()) {
    IntervalSet<Dim> sources;
    // Cells beyond a side take values from within it, at most three cells away along its axis, or across a period.
    if (IntervalSet<Dim> const beyond = outside(added, domain.box(level)); !beyond.is_empty()) {
      for (int axis = 0; axis < Dim; ++axis) {
        if (domain.is_periodic(axis)) continue;
        Box<Dim> sides{Vec<Coord, Dim>::filled(-coord_limit), Vec<Coord, Dim>::filled(coord_limit)};
        sides.begin[axis] = domain.box(level).begin[axis];
        sides.end[axis] = domain.box(level).end[axis];
        sources |= inside(expand(outside(beyond, sides), axis, 3), sides);
      }
      sources |= with_periods(domain, beyond, level, all.storage);
    }
    if (IntervalSet<Dim> const curved = added & all.curved_ghosts; !curved.is_empty())
      sources |= with_periods(domain, expand(curved, image_reach(domain)), level, all.storage) - solid;
    if (IntervalSet<Dim> const faces = added & all.face_ghosts; !faces.is_empty()) {
      // A ghost behind others takes values of ghosts beside fluid. These take values of fluid, and of no ghosts. So the
      // sources of ghosts that are added here are without ghosts.
      IntervalSet<Dim> const near = with_neighbours(faces) & all.storage;
      sources |= near - all.face_ghosts;
      IntervalSet<Dim> const beside = near & all.face_ghosts;
      stored |= beside;
      sources |= with_neighbours(beside) - all.face_ghosts;
    }
    if (sources.is_empty()) break;
    added = (sources & all.storage) - stored;
    stored |= added;
  }
  return stored;
}

/// The cells that prolongation to these cells reads: parents and their neighbours with values.
template <int Dim>
IntervalSet<Dim> read_by(IntervalSet<Dim> const& cells, LevelSets<Dim> const& coarser) {
  return cells.is_empty() ? cells : with_neighbours(coarsen(cells)) & coarser.valid;
}

template <int Dim>
bool is_same(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  return a.identity() == b.identity();
}

/// What a rank has of a level, but for what its storage follows from.
template <int Dim>
void take_region(LevelSets<Dim>& own, LevelSets<Dim> const& all, IntervalSet<Dim> const& region) {
  own.cells = all.cells & region;
  own.covered = all.covered & region;
  own.leaves = is_same(all.leaves, all.cells) ? own.cells : all.leaves & region;
  own.update = is_same(all.update, all.leaves) ? own.leaves : all.update & region;
}

}  // namespace

// An image lies at most four of the widest cell widths away, and its corners one cell more (see `Walls`).
template <int Dim>
Coord image_reach(Domain<Dim> const& domain) {
  auto const spacing = domain.spacing(0);
  double widest = spacing[0], narrowest = spacing[0];
  for (int axis = 1; axis < Dim; ++axis) {
    widest = std::max(widest, spacing[axis]);
    narrowest = std::min(narrowest, spacing[axis]);
  }
  return static_cast<Coord>(std::ceil(4 * widest / narrowest)) + 1;
}

template <int Dim>
PartOfLevels<Dim> part_of_levels(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& sets,
                                 std::vector<IntervalSet<Dim>> const& regions,
                                 std::vector<IntervalSet<Dim>> const& refined,
                                 std::vector<LevelSets<Dim> const*> const& kept, int first) {
  expects(regions.size() == sets.size(), "part_of_levels: there must be a region for each level");
  PartOfLevels<Dim> part;
  part.sets.resize(sets.size());
  part.received.resize(sets.size());
  part.beside.resize(sets.size());
  part.read_by_finer.resize(sets.size());
  part.fine_faces.resize(sets.size());
  for (int level = static_cast<int>(sets.size()) - 1; level >= first; --level) {
    auto const l = static_cast<std::size_t>(level);
    LevelSets<Dim> const& all = sets[l];
    LevelSets<Dim>& own = part.sets[l];
    bool const is_kept = l < kept.size() && kept[l] != nullptr;
    if (is_kept)
      own = *kept[l];
    else
      take_region(own, all, regions[l]);
    own.restricted = all.restricted & regions[l];
    IntervalSet<Dim> const covered_beside =
        all.covered.is_empty() || own.leaves.is_empty()
            ? IntervalSet<Dim>()
            : all.covered & with_neighbours(domain.with_images(own.leaves, level, 1));
    IntervalSet<Dim> const in_steps =
        closed(domain, all, (with_neighbours(own.update, 2) & all.storage) | part.read_by_finer[l], level);
    if (!is_kept) {
      // Criteria look at the neighbours of all cells. What a step computes has them already.
      IntervalSet<Dim> const others = is_same(own.update, own.cells) ? IntervalSet<Dim>() : own.cells - own.update;
      IntervalSet<Dim> const near = others.is_empty() ? others : others | (with_neighbours(others) & all.storage);
      IntervalSet<Dim> const prolonged = l + 1 < refined.size() ? read_by(refined[l + 1], all) : IntervalSet<Dim>();
      own.storage = closed(domain, all, near | prolonged, level, in_steps);
      own.coarse_ghosts = all.coarse_ghosts & own.storage;
      own.curved_ghosts = all.curved_ghosts & own.storage;
      own.face_ghosts = all.face_ghosts & own.storage;
      own.valid = all.valid & own.storage;
      add_edges(domain, own, covered_beside, level);
    }
    IntervalSet<Dim> const of_others = inside(own.valid - regions[l], domain.box(level));
    part.received[l] = of_others & in_steps;
    part.beside[l] = of_others - in_steps;
    if (l > 0) part.read_by_finer[l - 1] = read_by(own.coarse_ghosts, sets[l - 1]);
    if (covered_beside.is_empty()) continue;
    IntervalSet<Dim> const children = refine(covered_beside) & sets[l + 1].cells;
    IntervalSet<Dim> const coarse = domain.with_images(sets[l + 1].coarse_ghosts, level + 1, 1);
    for (int axis = 0; axis < Dim; ++axis) part.fine_faces[l][axis] = faces_between(children, coarse, axis);
  }
  return part;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template Coord image_reach(Domain<Dim> const&);                                                                      \
  template PartOfLevels<Dim> part_of_levels(                                                                           \
      Domain<Dim> const&, std::vector<LevelSets<Dim>> const&, std::vector<IntervalSet<Dim>> const&,                    \
      std::vector<IntervalSet<Dim>> const&, std::vector<LevelSets<Dim> const*> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
