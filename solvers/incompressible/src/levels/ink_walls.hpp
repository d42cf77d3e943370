#pragma once
/// Walls that inks of a flow on levels go through.

#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/plans/subset.hpp>

#include "grid/wall_probes.hpp"
#include "level_grid.hpp"
#include "step/ink_stage.hpp"

namespace sparse::incompressible::detail {

/// The leaves of a level beside each wall. Curved walls give what `WallProbe` says.
template <int Dim>
class InkWalls {
public:
  InkWalls() = default;
  InkWalls(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides, int level, StaggeredGrid<Dim> const& grid,
           IntervalSet<Dim> const& leaves, std::vector<InkWall> const& walls);

  /// Adds what comes in during a stage.
  /// @param ink     its number; walls of others count not
  /// @param before  values that the stage starts from
  template <class T>
  void add(std::vector<InkWall> const& walls, std::size_t ink, InkStage<T, Dim> const& stage, double diffusivity,
           StaggeredGrid<Dim> const& grid, T const* before, T* after) const;

  /// The area of a wall, and the integrals over it of the value there and of what comes in.
  /// @param wall  with this number
  template <class T>
  WallSums sums(std::size_t number, InkWall const& wall, double diffusivity, StaggeredGrid<Dim> const& grid,
                T const* values) const;

private:
  struct Part {
    int axis;  // normal to the wall
    Subset<Dim> cells;
  };
  struct Wall {
    std::vector<Part> parts;
    Buffer<WallProbe<Dim>> probes;  // of a curved wall
  };
  std::vector<Wall> walls_;
};

}  // namespace sparse::incompressible::detail
