#pragma once
/// Where a flow on levels is refined.

#include <cstddef>
#include <functional>
#include <variant>

#include <sparse/base/grid.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::incompressible {

/// Refines where |vorticity| times the greatest cell width exceeds a threshold, in the units of velocity; on children,
/// half of it. Cells around are refined, too. Cells stay refined until it is below a third of the threshold on all of
/// their children. Cells at most four away from an inflow are not refined for it: where an inflow meets an interface,
/// its given velocities would differ.
struct VorticityCriterion {
  /// [length / time]
  double threshold;
};

/// Refines where an ink changes by more than a threshold from a cell to the next, |gradient| times the greatest cell
/// width. The rest is as with vorticity.
struct InkCriterion {
  std::size_t ink;   ///< its number
  double threshold;  ///< in the units of the ink
};

/// Refines fluid at most a distance away from bodies, measured along the axes.
struct SurfaceCriterion {
  /// [length]
  double distance;
};

/// What a region depends on: a level, whose cells are those of `grid`, and a time.
template <int Dim>
struct RegionPlace {
  Grid<Dim> grid;  ///< of the level
  Box<Dim> box;    ///< the cells of the level in the domain
  /// 0 is the coarsest.
  int level;
  /// Of the flow.
  double time;
};

/// Refines these cells of a level. Called on the host for all levels but the finest, at each change of levels.
template <int Dim>
struct RegionCriterion {
  /// The cells to refine, of the level of `place`.
  std::function<IntervalSet<Dim>(RegionPlace<Dim> const& place)> cells;
};

/// Cells that one of the criteria wants are refined.
template <int Dim>
using Criterion = std::variant<VorticityCriterion, InkCriterion, SurfaceCriterion, RegionCriterion<Dim>>;

/// Makes the criterion; `AdaptiveFlow` checks it.
/// @param threshold  > 0 [length / time]
inline VorticityCriterion vorticity(double threshold) { return {threshold}; }
/// Makes the criterion; `AdaptiveFlow` checks it.
/// @param ink        number of one of the flow's inks
/// @param threshold  > 0, in the units of the ink
inline InkCriterion ink_change(std::size_t ink, double threshold) { return {ink, threshold}; }
/// Makes the criterion; `AdaptiveFlow` checks it.
/// @param distance  >= 0 [length]
inline SurfaceCriterion near_surface(double distance) { return {distance}; }

}  // namespace sparse::incompressible
