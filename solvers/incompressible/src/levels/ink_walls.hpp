#pragma once
/// Walls that inks of a flow on levels go through.

#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/plans/subset.hpp>

#include "step/ink_stage.hpp"

namespace sparse::incompressible::detail {

/// The leaves of a level beside each wall.
template <int Dim>
class InkWalls {
public:
  InkWalls() = default;
  InkWalls(amr::Domain<Dim> const& domain, int level, StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves,
           std::vector<InkWall> const& walls);

  /// Adds what comes in during a stage.
  /// @param ink     its number; walls of others count not
  /// @param before  values that the stage starts from
  template <class T>
  void add(std::vector<InkWall> const& walls, std::size_t ink, InkStage<T, Dim> const& stage,
           Vec<T, Dim> const& conductance, T const* before, T* after) const;

  /// The area of the faces of leaves at a wall, and the integrals over it of the value there and of what comes in.
  struct Sums {
    double area = 0, value = 0, flux = 0;
  };
  /// @param wall  with this number
  template <class T>
  Sums sums(std::size_t number, InkWall const& wall, double diffusivity, StaggeredGrid<Dim> const& grid,
            T const* values) const;

private:
  struct Part {
    int axis;  // normal to the wall
    Subset<Dim> cells;
  };
  std::vector<std::vector<Part>> walls_;
};

}  // namespace sparse::incompressible::detail
