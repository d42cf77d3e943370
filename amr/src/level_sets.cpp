#include <sparse/amr/level_sets.hpp>

#include <sparse/error.hpp>
#include <sparse/morphology.hpp>
#include <sparse/scaling.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse::amr {
namespace {

/// The set and all face neighbours of its cells.
template <int Dim>
IntervalSet<Dim> with_neighbours(IntervalSet<Dim> const& set) {
  IntervalSet<Dim> result = set;
  for (int axis = 0; axis < Dim; ++axis) result |= expand(set, axis, 1);
  return result;
}

// A parent of level l is at least this far from fluid that is not of level l. One cell is enough for what is read; with
// two, ghosts have slopes from cells of their own level.
constexpr Coord nesting_width = 2;

// Cells of a level that stay between a body and the next coarser level.
constexpr Coord body_width = 3;

}  // namespace

template <int Dim>
std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells) {
  expects(!cells.empty() && cells.size() <= static_cast<std::size_t>(domain.level_count()),
          "level_sets: wrong number of levels");
  std::vector<LevelSets<Dim>> levels(cells.size());
  for (int l = 0; l < static_cast<int>(cells.size()); ++l) {
    LevelSets<Dim>& level = levels[l];
    level.cells = cells[l];
    level.extended = domain.with_images(cells[l], l);
    if (l > 0)
      level.coarse_ghosts = (with_neighbours(level.extended) & domain.with_images(domain.fluid(l), l)) - level.extended;
    level.storage = level.extended | level.coarse_ghosts;
    for (int axis = 0; axis < Dim; ++axis)
      for (int side = 0; side < 2; ++side) {
        Side const kind = domain.options().sides[axis][side];
        if (kind != Side::open && kind != Side::inflow) continue;
        level.outside[axis][side] = shift(level.extended & domain.layer(l, axis, side, 1), axis, side == 0 ? -1 : 1);
        level.storage |= level.outside[axis][side];
      }
  }
  for (int l = 0; l < static_cast<int>(cells.size()); ++l) {
    LevelSets<Dim>& level = levels[l];
    level.leaves = level.cells;
    if (l + 1 == static_cast<int>(cells.size())) continue;
    level.covered = coarsen(cells[l + 1]);
    level.covered_extended = coarsen(levels[l + 1].extended);
    level.leaves = level.cells - level.covered;
    // Leaves look at their neighbours, and so do the slopes of finer ghosts, whose parents are leaves.
    IntervalSet<Dim> looked_at = with_neighbours(domain.with_images(level.leaves, l));
    if (l > 0) looked_at |= refine(levels[l - 1].restricted);
    level.restricted = level.covered & looked_at;
  }
  return levels;
}

template <int Dim>
std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                           Coord buffer) {
  int const finest = domain.level_count() - 1;
  tagged.resize(static_cast<std::size_t>(finest));
  for (int l = finest - 1; l >= 0; --l) {
    IntervalSet<Dim> refined = expand(tagged[l], buffer) | expand(domain.touched_by_solid(l), body_width);
    if (l + 1 < finest) refined |= coarsen(domain.wrapped(expand(tagged[l + 1], nesting_width), l + 1));
    tagged[l] = domain.wrapped(refined, l) & domain.fluid(l);
  }
  std::vector<IntervalSet<Dim>> cells{domain.fluid(0)};
  for (int l = 0; l < finest && !tagged[l].is_empty(); ++l) cells.push_back(refine(tagged[l]) & domain.fluid(l + 1));
  return cells;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const&, std::vector<IntervalSet<Dim>> const&);           \
  template std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const&, std::vector<IntervalSet<Dim>>, Coord);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
