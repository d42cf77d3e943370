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

/// The cells that prolongation to these cells reads: parents and their neighbours with values. With a rim of the
/// coarser level, those at it.
template <int Dim>
IntervalSet<Dim> read_by(IntervalSet<Dim> const& cells, LevelSets<Dim> const& coarser, Rim<Dim> const& rim) {
  IntervalSet<Dim> const some = rim.part_over(cells);
  return some.is_empty() ? some : with_neighbours(coarsen(some)) & coarser.valid;
}

template <int Dim>
bool is_same(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  return a.identity() == b.identity();
}

/// What closures at a rim look at.
template <int Dim>
LevelSets<Dim> sources_at(Rim<Dim> const& rim, LevelSets<Dim> const& all) {
  LevelSets<Dim> near;
  near.covered = rim.part_near(all.covered);
  near.storage = rim.part_near(all.storage);
  near.curved_ghosts = rim.part_near(all.curved_ghosts);
  near.face_ghosts = rim.part_near(all.face_ghosts);
  return near;
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
                                 std::vector<OwnSets<Dim>> const& owned, std::vector<IntervalSet<Dim>> const& refined,
                                 std::vector<LevelSets<Dim> const*> const& kept, int first,
                                 std::vector<Rim<Dim>> const& rims) {
  expects(owned.size() == sets.size(), "part_of_levels: `own` must have as many levels");
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
    if (is_kept) {
      own = *kept[l];
    } else {
      own.cells = owned[l].cells;
      own.covered = owned[l].covered;
      own.leaves = owned[l].leaves;
      own.update = owned[l].update;
    }
    own.restricted = all.restricted & own.cells;
    Rim<Dim> const rim = rim_at(rims, level);
    LevelSets<Dim> const near = sources_at(rim, all);
    IntervalSet<Dim> const update = rim.part_near(own.update), leaves = rim.part_near(own.leaves);
    // Deep among the rank's own, the covered cells that a step computes are those beside its leaves.
    IntervalSet<Dim> const covered_beside =
        rim.with_deep(rim.is_everywhere() ? IntervalSet<Dim>() : own.update - own.leaves,
                      near.covered & with_neighbours(domain.with_images(leaves, level, 1)));
    IntervalSet<Dim> const in_steps =
        closed(domain, near, (with_neighbours(update, 2) & near.storage) | part.read_by_finer[l], level);
    if (!is_kept) {
      // Criteria look at the neighbours of all cells. What a step computes has them already.
      IntervalSet<Dim> const others =
          is_same(own.update, own.cells) ? IntervalSet<Dim>() : rim.part_near(own.cells) - update;
      IntervalSet<Dim> const seen = others.is_empty() ? others : others | (with_neighbours(others) & near.storage);
      IntervalSet<Dim> const prolonged =
          l + 1 < refined.size() ? read_by(refined[l + 1], all, rim) : IntervalSet<Dim>();
      IntervalSet<Dim> const storage = closed(domain, near, seen | prolonged, level, in_steps);
      own.storage = rim.with_deep(all.storage, storage);
      own.coarse_ghosts = rim.with_deep(all.coarse_ghosts, all.coarse_ghosts & storage);
      own.curved_ghosts = rim.with_deep(all.curved_ghosts, all.curved_ghosts & storage);
      own.face_ghosts = rim.with_deep(all.face_ghosts, all.face_ghosts & storage);
      own.valid = rim.with_deep(all.valid, all.valid & storage);
      add_edges(domain, own, covered_beside, level);
    }
    IntervalSet<Dim> const of_others = inside(rim.part_near(own.valid) - own.cells, domain.box(level));
    part.received[l] = of_others & in_steps;
    part.beside[l] = of_others - in_steps;
    if (l > 0) part.read_by_finer[l - 1] = read_by(own.coarse_ghosts, sets[l - 1], rim_at(rims, level - 1));
    if (covered_beside.is_empty()) continue;
    LevelSets<Dim> const& finer = sets[l + 1];
    IntervalSet<Dim> const children = refine(rim.part_under(covered_beside)) & finer.cells;
    IntervalSet<Dim> const coarse = domain.with_images(rim.part_over(finer.coarse_ghosts), level + 1, 1);
    for (int axis = 0; axis < Dim; ++axis) {
      IntervalSet<Dim>& faces = part.fine_faces[l][axis];
      faces = faces_between(children, coarse, axis);
      if (!rim.is_everywhere()) faces |= part.sets[l + 1].fine_interface[axis] & rim.deep_children;
    }
  }
  return part;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template Coord image_reach(Domain<Dim> const&);                                                                      \
  template PartOfLevels<Dim> part_of_levels(Domain<Dim> const&, std::vector<LevelSets<Dim>> const&,                    \
                                            std::vector<OwnSets<Dim>> const&, std::vector<IntervalSet<Dim>> const&,    \
                                            std::vector<LevelSets<Dim> const*> const&, int,                            \
                                            std::vector<Rim<Dim>> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
