#include <sparse/incompressible/measure/nusselt.hpp>

#include <string>

#include <sparse/plans/for_each.hpp>

#include "grid/body.hpp"

namespace sparse::incompressible {
namespace {

/// The sum of the temperatures of the fluid cells beside faces.
template <class T, int Dim>
double sum_beside(GridView<Dim> const& grid, Subset<Dim> const& faces, int axis, T const* temperature) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::nusselt", faces, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, double& sum) {
        Index const cell = grid.is_fluid(p.cell) ? p.cell : grid.beside(p.cell, axis, false);
        sum += static_cast<double>(temperature[cell]);
      });
}

}  // namespace

template <class T, int Dim>
double mean_nusselt(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part, double length,
                    double difference) {
  grid.expect_stored(temperature, 1, "temperature");
  auto const& parts = grid.domain().parts;
  expects(part < parts.size(), "incompressible: the domain has no such part");
  auto const& wall = parts[part];
  if (!wall.temperature || wall.faces.face_count() == 0)
    fail("incompressible: part " + std::to_string(part) + " of the boundary has no " +
         (wall.temperature ? "faces" : "temperature"));
  expects(length != 0 && difference != 0, "incompressible: a Nusselt number's length and difference must not be 0");
  double sum = 0, area = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = wall.faces[axis];
    if (faces.is_empty()) continue;
    auto const count = static_cast<double>(faces.cell_count());
    double const beside =
        sum_beside(grid.body().view(), Subset<Dim>(faces, grid.storage()), axis, temperature.component(0));
    sum += grid.face_area(axis) * (count * *wall.temperature - beside) / (0.5 * grid.spacing()[axis]);
    area += grid.face_area(axis) * count;
  }
  return sum / area * length / difference;
}

template double mean_nusselt(StaggeredGrid<2> const&, Field<float, 2> const&, std::size_t, double, double);
template double mean_nusselt(StaggeredGrid<2> const&, Field<double, 2> const&, std::size_t, double, double);
template double mean_nusselt(StaggeredGrid<3> const&, Field<float, 3> const&, std::size_t, double, double);
template double mean_nusselt(StaggeredGrid<3> const&, Field<double, 3> const&, std::size_t, double, double);

}  // namespace sparse::incompressible
