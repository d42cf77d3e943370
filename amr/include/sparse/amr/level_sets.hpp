#pragma once
/// The sets of cells that make up a level, by set algebra alone.

#include <vector>

#include <sparse/amr/domain.hpp>

namespace sparse::amr {

/// One level l; "extended" sets hold their images across periodic sides too.
template <int Dim>
struct LevelSets {
  IntervalSet<Dim> cells;     ///< of the level, covered ones included
  IntervalSet<Dim> extended;  ///< cells and their images
  IntervalSet<Dim> covered;   ///< cells with children at level l + 1
  IntervalSet<Dim> covered_extended;
  IntervalSet<Dim> leaves;         ///< cells that are not covered: the solution
  IntervalSet<Dim> restricted;     ///< covered cells whose values leaves or finer ghosts look at in every step
  IntervalSet<Dim> coarse_ghosts;  ///< fluid cells around the extended ones, which take their values from level l - 1
  Vec<Vec<IntervalSet<Dim>, 2>, Dim> outside;  ///< [axis][side] cells beyond an open or inflow side
  IntervalSet<Dim> storage;                    ///< all cells with values: extended, ghosts, outside
};

/// The sets of all levels from their cells. `cells[0]` is the whole fluid; `cells[l]` consists of whole families (all
/// fluid children of a cell of level l - 1) and is nested: all fluid neighbours of a parent are cells of level l - 1.
template <int Dim>
std::vector<LevelSets<Dim>> level_sets(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells);

/// The cells of each level for the wish to refine `tagged[l]` at levels l = 0, 1, ...: tags grow by `buffer` cells, all
/// cells around a body are refined up to the finest level, and coarser levels grow until all are nested.
template <int Dim>
std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                           Coord buffer);

}  // namespace sparse::amr
