#pragma once
/// What transport needs to know of cells that curved walls cut.

#include <vector>

#include <sparse/base/buffer.hpp>
#include <sparse/incompressible/grid/staggered_grid.hpp>

#include "cut_walls.hpp"

namespace sparse::incompressible::detail {

/// The list of cut cells on the host.
template <int Dim>
std::vector<CutCell<Dim>> cut_cells_of(StaggeredGrid<Dim> const& grid);

/// A cut cell with the cells around it. Positions are in storage; -1 where there is no cell of the fluid.
template <int Dim>
struct CutTransport {
  Index position;
  Index faces[2 * Dim], beside[2 * Dim], far[2 * Dim];
  double share[2 * Dim];
  double capacity;  // see `CutCell`
};
template <int Dim>
std::vector<CutTransport<Dim>> cut_transport_of(StaggeredGrid<Dim> const& grid);

/// The wall in a cut cell, and two points before it, at which the temperature is interpolated. The slope of temperature
/// is that of the parabola through the wall and both: (own wall - value(...)) / distance, into the wall.
template <int Dim>
struct WallProbe {
  static constexpr int insulated = 0, with_temperature = 1, with_flux = 2, corner_count = 1 << Dim,
                       point_count = 2 * corner_count;
  Vec<double, Dim> place;  // on the wall [length]
  Index position;          // of the cell in storage
  int kind;
  double given;     // the temperature or the flux
  double area;      // of the wall over the volume of a whole cell [1 / length]
  double capacity;  // of the cell
  double distance;  // of the first point from the wall [length]; the second is twice as far
  double own;       // coefficient of the temperature of the wall
  Index at[point_count];
  double weight[point_count];

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION double value(T const* values) const {
    double sum = 0;
    for (int k = 0; k < point_count; ++k) sum += weight[k] * static_cast<double>(values[at[k]]);
    return sum;
  }
};

/// The probes of all curved walls. Points lie where all cells around are in the fluid and not small. In gaps where
/// there is no second such point, temperature is linear; where there is not even the first, the cell's own value stands
/// in. Beyond sides of the domain, the value inside does. Cost: some dozens of distances per cut cell, on the host.
/// @param domain  with these sides
/// @throws std::invalid_argument  if a wall's temperature or flux makes no sense
template <int Dim>
std::vector<WallProbe<Dim>> wall_probes_of(StaggeredGrid<Dim> const& grid, Box<Dim> const& domain);
/// Of a grid that has all cells of its domain.
template <int Dim>
std::vector<WallProbe<Dim>> wall_probes_of(StaggeredGrid<Dim> const& grid) {
  return wall_probes_of(grid, grid.fluid().bounds());
}

/// Adds what walls with a temperature or a flux give in a time.
template <class T, int Dim>
void add_from_walls(Context const& context, Buffer<WallProbe<Dim>> const& probes, T const* values, double diffusivity,
                    double time, T* to);

/// Integrals over walls, over the volume of a cell.
struct WallSums {
  double area = 0, value = 0, flux = 0;
};
template <class T, int Dim>
WallSums sums_over_walls(Context const& context, Buffer<WallProbe<Dim>> const& probes, T const* values,
                         double diffusivity);

}  // namespace sparse::incompressible::detail
