#pragma once
/// Inks on levels.

#include <optional>
#include <string>
#include <vector>

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/plans/transfer.hpp>

#include "cell_splits.hpp"
#include "ink_interface.hpp"
#include "ink_sources.hpp"
#include "ink_walls.hpp"
#include "step/ink_transport.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
struct Level;

/// What a level with inks has: results of a step, and links to the levels beside it.
template <class T, int Dim>
struct LevelInks {
  InkTransport<T, Dim> transport;
  std::vector<Field<T, Dim>> after;  // a step
  RestrictPlan<Dim> means;           // from the next finer level, in covered cells beside leaves
  InkInterface<Dim> interface;       // to the next finer level
  CellSplits<Dim> splits;            // from the next coarser level, in ghosts
  InkWalls<Dim> walls;
  InkSources<T, Dim> sources;

  LevelInks(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names);
};

/// Connects the inks of two levels.
template <class T, int Dim>
void link_inks(Level<T, Dim>& coarse, Level<T, Dim>& fine);

/// Gives all cells around leaves their inks.
template <class T, int Dim>
void fill_inks(std::vector<std::unique_ptr<Level<T, Dim>>>& levels);

/// Gives sources and inflows their inks, and the cells around leaves theirs if there are such.
template <class T, int Dim>
void give_inks(std::vector<std::unique_ptr<Level<T, Dim>>>& levels, double time);

/// Carries the inks of all levels through a step, into `LevelInks::after`. Stages are those of `InkTransport`, on all
/// levels at once. What flows through interfaces is what the finer levels say. So totals change only by what goes
/// through the boundary or comes from sources, and constants stay, up to what is left of divergence. Ghosts have minmod
/// slopes, so that no value leaves the range of those around it; beside curved walls with a value, some do
/// (`WallProbe`).
/// @param time       when the step begins
/// @param has_start  whether the velocity of the states has no divergence; else that of the step's end, `Level::other`,
///                   counts all the time
template <class T, int Dim>
void carry_inks(std::vector<std::unique_ptr<Level<T, Dim>>>& levels, AdaptiveOptions<Dim> const& how, double time,
                double time_step, bool has_start);

}  // namespace sparse::incompressible::detail
