#include <sparse/incompressible/measure/sums.hpp>

#include <sparse/plans/for_each.hpp>

#include "closed_parts.hpp"
#include "sum_over.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
using CellPoint = RunPoint<Dim, 2 + Dim>;

/// The sum of outward velocities: the cell above or below each face is in the fluid.
template <class T, int Dim>
double sum_outward(GridView<Dim> const& grid, Subset<Dim> const& faces, T const* velocity) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::outward_flux", faces, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, double& sum) {
        auto const value = static_cast<double>(velocity[p.cell]);
        sum += grid.is_fluid(p.cell) ? -value : value;
      });
}

template <class T, int Dim>
double sum_squares(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity) {
  return detail::sum_over(
      grid, "sparse::incompressible::kinetic_energy", grid.body().own_cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p, double& sum) {
        for (int a = 0; a < Dim; ++a) {
          auto const low = static_cast<double>(velocity(a, p.operand(1)));
          auto const high = static_cast<double>(velocity(a, p.operand(2 + a)));
          sum += 0.25 * (low * low + high * high);
        }
      });
}

/// The part of `sum_outward` that flows through the closed parts of faces.
template <class T, int Dim>
double sum_outward_closed(StaggeredGrid<Dim> const& of, int axis, BoundaryKind boundary, T const* velocity) {
  auto const grid = of.body().view();
  auto const& openings = of.body().cut.openings;
  detail::CutOpening const* const list = openings.data();
  return parallel_reduce<Kokkos::Sum, double>(
      of.context(), "sparse::incompressible::outward_closed", openings.size(), KOKKOS_LAMBDA(Index i, double& sum) {
        detail::CutOpening const opening = list[i];
        int const kind = grid.kind(axis, opening.position);
        if (opening.axis != axis || opening.cell_count == 0) return;
        if (kind < FaceKind::boundary || grid.condition(kind).kind != boundary) return;
        double const value = (1 - opening.share) * static_cast<double>(velocity[opening.position]);
        sum += grid.is_fluid(opening.position) ? -value : value;
      });
}

template <class T, int Dim>
double sum_values(StaggeredGrid<Dim> const& grid, T const* values) {
  return detail::sum_over(
      grid, "sparse::incompressible::total", grid.body().own_plan(),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, double& sum) { sum += static_cast<double>(values[p.cell]); });
}

template <class T, int Dim>
double values_of_cuts(StaggeredGrid<Dim> const& grid, T const* values) {
  auto const& cells = grid.body().cut.cells;
  detail::CutCell<Dim> const* const list = cells.data();
  bool const is_shared = grid.is_shared();
  SetView const own = grid.own_cells().view();
  return parallel_reduce<Kokkos::Sum, double>(
      grid.context(), "sparse::incompressible::total_closed", cells.size(), KOKKOS_LAMBDA(Index i, double& sum) {
        if (is_shared && own.find(list[i].cell) < 0) return;
        sum += (1 - list[i].capacity) * static_cast<double>(values[list[i].faces[0]]);
      });
}

template <class T>
double squares_of_openings(Context const& context, Buffer<detail::CutOpening> const& openings,
                           FieldView<T const> velocity) {
  detail::CutOpening const* const list = openings.data();
  return parallel_reduce<Kokkos::Sum, double>(
      context, "sparse::incompressible::closed_squares", openings.size(), KOKKOS_LAMBDA(Index i, double& sum) {
        detail::CutOpening const opening = list[i];
        auto const value = static_cast<double>(velocity(opening.axis, opening.position));
        sum += 0.25 * opening.cell_count * (1 - opening.share) * value * value;
      });
}

}  // namespace

template <class T, int Dim>
double detail::closed_squares(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  return squares_of_openings<T>(grid.context(), grid.body().cut.openings, velocity.view());
}

template <class T, int Dim>
double detail::closed_values(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  return values_of_cuts<T, Dim>(grid, values.component(0));
}

template <class T, int Dim>
double outward_flux(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, BoundaryKind kind) {
  grid.expect_stored(velocity, Dim, "velocity");
  double flux = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    T const* const u = velocity.component(axis);
    Subset<Dim> const faces(grid.body().own_of(grid.faces_of(kind, axis), axis), grid.storage());
    double speeds = sum_outward(grid.body().view(), faces, u);
    if (grid.has_curved_walls()) speeds -= sum_outward_closed(grid, axis, kind, u);
    flux += grid.face_area(axis) * speeds;
  }
  return grid.body().sum(flux);
}

template <class T, int Dim>
double kinetic_energy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  double squares = sum_squares<T, Dim>(grid, velocity.view());
  if (grid.has_curved_walls()) squares -= grid.body().sum(detail::closed_squares(grid, velocity));
  return grid.cell_volume() * squares;
}

template <class T, int Dim>
double total(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  grid.expect_stored(values, 1, "cell field");
  double sum = sum_values<T, Dim>(grid, values.component(0));
  if (grid.has_curved_walls()) sum -= grid.body().sum(detail::closed_values(grid, values));
  return grid.cell_volume() * sum;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template double detail::closed_squares(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                             \
  template double detail::closed_values(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                              \
  template double outward_flux(StaggeredGrid<Dim> const&, Field<T, Dim> const&, BoundaryKind);                         \
  template double kinetic_energy(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                     \
  template double total(StaggeredGrid<Dim> const&, Field<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
