#include <sparse/incompressible/measure/nusselt.hpp>

#include <cmath>
#include <string>

#include <sparse/plans/for_each.hpp>

#include "grid/body.hpp"
#include "grid/wall_probes.hpp"

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

/// A part of the domain, with its faces as they are stored.
template <int Dim>
BoundaryPart<Dim> const& part_of(StaggeredGrid<Dim> const& grid, std::size_t part) {
  auto const& parts = grid.domain().parts;
  expects(part < parts.size(), "incompressible: the domain has no such part");
  return parts[part];
}

}  // namespace

template <class T, int Dim>
double mean_nusselt(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part, double length,
                    double difference) {
  detail::expect_alone(grid, "a Nusselt number");
  grid.expect_stored(temperature, 1, "temperature");
  auto const& wall = part_of(grid, part);
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

template <class T, int Dim>
WallState wall_state(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part,
                     double diffusivity) {
  detail::expect_alone(grid, "the state of a wall");
  grid.expect_stored(temperature, 1, "temperature");
  auto const& wall = part_of(grid, part);
  expects(wall.kind == BoundaryKind::no_slip || wall.kind == BoundaryKind::wall,
          "incompressible: the part of the boundary is no wall");
  expects(wall.faces.face_count() > 0, "incompressible: the part of the boundary has no faces");
  expects(std::isfinite(diffusivity) && diffusivity > 0, "incompressible: the diffusivity must be positive");
  WallState sum;
  double area = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = grid.body().parts[part + 1][axis];
    if (faces.is_empty()) continue;
    double const here = grid.face_area(axis), conductance = diffusivity / (0.5 * grid.spacing()[axis]);
    auto const count = static_cast<double>(faces.cell_count());
    double const beside =
        here * sum_beside(grid.body().view(), Subset<Dim>(faces, grid.storage()), axis, temperature.component(0));
    double const flux = wall.temperature ? conductance * (here * count * *wall.temperature - beside)
                                         : here * count * wall.heat_flux.value_or(0);
    sum.temperature += beside + flux / conductance;
    sum.heat_flux += flux;
    area += here * count;
  }
  return {sum.temperature / area, sum.heat_flux / area};
}

template <int Dim>
struct CurvedWallHeat<Dim>::Body {
  StaggeredGrid<Dim> grid;
  Buffer<detail::WallProbe<Dim>> probes;
  double area = 0;
};

template <int Dim>
CurvedWallHeat<Dim>::CurvedWallHeat(StaggeredGrid<Dim> const& grid,
                                    std::function<bool(Vec<double, Dim> const& position)> const& is_counted) {
  detail::expect_alone(grid, "the heat of a wall");
  std::vector<detail::WallProbe<Dim>> counted;
  double area = 0;
  for (auto const& probe : detail::wall_probes_of(grid)) {
    if (is_counted && !is_counted(probe.place)) continue;
    counted.push_back(probe);
    area += probe.area * grid.cell_volume();
  }
  expects(area > 0, "incompressible: there is no such curved wall");
  body_ = std::make_shared<Body const>(Body{grid, to_device(grid.context(), counted), area});
}

template <int Dim>
double CurvedWallHeat<Dim>::area() const {
  return body_->area;
}

template <int Dim>
template <class T>
WallState CurvedWallHeat<Dim>::operator()(Field<T, Dim> const& temperature, double diffusivity) const {
  auto const& grid = body_->grid;
  grid.expect_stored(temperature, 1, "temperature");
  expects(std::isfinite(diffusivity) && diffusivity > 0, "incompressible: the diffusivity must be positive");
  auto const sums =
      detail::sums_over_walls<T, Dim>(grid.context(), body_->probes, temperature.component(0), diffusivity);
  return {sums.value / sums.area, sums.flux / sums.area};
}

template class CurvedWallHeat<2>;
template class CurvedWallHeat<3>;
template WallState CurvedWallHeat<2>::operator()(Field<float, 2> const&, double) const;
template WallState CurvedWallHeat<2>::operator()(Field<double, 2> const&, double) const;
template WallState CurvedWallHeat<3>::operator()(Field<float, 3> const&, double) const;
template WallState CurvedWallHeat<3>::operator()(Field<double, 3> const&, double) const;

template WallState wall_state(StaggeredGrid<2> const&, Field<float, 2> const&, std::size_t, double);
template WallState wall_state(StaggeredGrid<2> const&, Field<double, 2> const&, std::size_t, double);
template WallState wall_state(StaggeredGrid<3> const&, Field<float, 3> const&, std::size_t, double);
template WallState wall_state(StaggeredGrid<3> const&, Field<double, 3> const&, std::size_t, double);

template double mean_nusselt(StaggeredGrid<2> const&, Field<float, 2> const&, std::size_t, double, double);
template double mean_nusselt(StaggeredGrid<2> const&, Field<double, 2> const&, std::size_t, double, double);
template double mean_nusselt(StaggeredGrid<3> const&, Field<float, 3> const&, std::size_t, double, double);
template double mean_nusselt(StaggeredGrid<3> const&, Field<double, 3> const&, std::size_t, double, double);

}  // namespace sparse::incompressible
