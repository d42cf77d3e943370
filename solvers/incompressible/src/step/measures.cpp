#include <sparse/incompressible/step/measures.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/grid/sample.hpp>
#include <sparse/incompressible/step/projection.hpp>
#include <sparse/plans/for_each.hpp>

#include "curved_walls/cut_walls.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
using CellPoint = RunPoint<Dim, 2 + Dim>;

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
/// The bits of |value|, which are in the order of these; 0 for NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Bits<T> bits_of_size(T value) {
  T const size = value < 0 ? -value : value, known = size == size ? size : T(0);
  Bits<T> bits;
  std::memcpy(&bits, &known, sizeof(T));
  return bits;
}

/// Maxima of whole numbers vectorise; those of floating-point numbers wait for each other.
template <class T, int Dim>
double greatest_size(Subset<Dim> const& where, T const* values) {
  auto const greatest = reduce<Kokkos::Max, Bits<T>>(
      "sparse::incompressible::greatest_speed", where,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Bits<T>& partial) SPARSE_INLINE_LAMBDA {
        Bits<T> const bits = bits_of_size(values[p.cell]);
        partial = bits > partial ? bits : partial;
      });
  T size;
  std::memcpy(&size, &greatest, sizeof(T));
  return greatest > 0 ? static_cast<double>(size) : 0;  // a maximum of nothing is the lowest number
}

template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION double divergence_at(CellPoint<Dim> const& p, FieldView<T const> const& velocity,
                                                 Vec<double, Dim> const& inverse) {
  double sum = 0;
  SPARSE_UNROLL
  for (int a = 0; a < Dim; ++a)
    sum += inverse[a] *
           (static_cast<double>(velocity(a, p.operand(2 + a))) - static_cast<double>(velocity(a, p.operand(1))));
  return sum;
}

template <class T, int Dim>
double greatest_divergence(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, Vec<double, Dim> inverse) {
  return reduce<Kokkos::Max, double>(
      "sparse::incompressible::greatest_divergence", grid.cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p, double& greatest) {
        double const value = divergence_at<T, Dim>(p, velocity, inverse), size = value < 0 ? -value : value;
        if (size > greatest) greatest = size;
      });
}

template <class T, int Dim>
double square_of_divergence(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, Vec<double, Dim> inverse) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::square_of_divergence", grid.cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p, double& sum) {
        double const value = divergence_at<T, Dim>(p, velocity, inverse);
        sum += value * value;
      });
}

/// The cell below an outward face is in the fluid, or the one above.
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
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::kinetic_energy", grid.cells(), KOKKOS_LAMBDA(CellPoint<Dim> const& p, double& sum) {
        for (int a = 0; a < Dim; ++a) {
          auto const low = static_cast<double>(velocity(a, p.operand(1)));
          auto const high = static_cast<double>(velocity(a, p.operand(2 + a)));
          sum += 0.25 * (low * low + high * high);
        }
      });
}

/// What `sum_outward` counts too much: flow through the closed parts of faces.
template <class T, int Dim>
double sum_outward_closed(StaggeredGrid<Dim> const& of, int axis, BoundaryKind boundary, T const* velocity) {
  auto const grid = of.view();
  auto const& openings = of.cut().openings;
  detail::CutOpening const* const list = openings.data();
  return parallel_reduce<Kokkos::Sum, double>(
      of.context(), "sparse::incompressible::outward_closed", openings.size(), KOKKOS_LAMBDA(Index i, double& sum) {
        detail::CutOpening const opening = list[i];
        int const kind = grid.kind(axis, opening.position);
        if (opening.axis != axis || kind < FaceKind::boundary || grid.condition(kind).kind != boundary) return;
        double const value = (1 - opening.share) * static_cast<double>(velocity[opening.position]);
        sum += grid.is_fluid(opening.position) ? -value : value;
      });
}

/// What `sum_squares` counts too much.
template <class T, int Dim>
double sum_closed_squares(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity) {
  auto const& openings = grid.cut().openings;
  detail::CutOpening const* const list = openings.data();
  return parallel_reduce<Kokkos::Sum, double>(
      grid.context(), "sparse::incompressible::closed_squares", openings.size(), KOKKOS_LAMBDA(Index i, double& sum) {
        detail::CutOpening const opening = list[i];
        auto const value = static_cast<double>(velocity(opening.axis, opening.position));
        sum += 0.25 * opening.cell_count * (1 - opening.share) * value * value;
      });
}

template <class T, int Dim>
double sum_values(Subset<Dim> const& cells, T const* values) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::total", cells,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, double& sum) { sum += static_cast<double>(values[p.cell]); });
}

template <class T, int Dim>
void copy_cells(StaggeredGrid<Dim> const& grid, T const* from, T* to) {
  for_each(
      "sparse::incompressible::on_fluid", grid.cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p) { to[p.operand(0)] = from[p.operand(1)]; });
}

template <class T, int Dim>
void average_faces(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, FieldView<T> to) {
  for_each(
      "sparse::incompressible::cell_velocity", grid.cells(), KOKKOS_LAMBDA(CellPoint<Dim> const& p) {
        for (int a = 0; a < Dim; ++a)
          to(a, p.operand(0)) = T(0.5) * (velocity(a, p.operand(1)) + velocity(a, p.operand(2 + a)));
      });
}

/// The mean of a velocity component's faces around a cell's neighbour on one side; what the wall shows if there is
/// none.
template <class T, int Dim>
KOKKOS_FUNCTION T beside(GridView<Dim> const& grid, FieldView<T const> const& velocity, Vec<Coord, Dim> const& cell,
                         Index position, int component, int across, bool is_upper) {
  auto const next = cell + Vec<Coord, Dim>::along(across, is_upper ? 1 : -1);
  Index const there = grid.find(next);
  int const kind = grid.kind(across, is_upper ? there : position);
  auto const step = Vec<Coord, Dim>::along(component, 1);
  bool const is_open = kind == FaceKind::open;
  Index const low = is_open ? there : position, high = grid.find((is_open ? next : cell) + step);
  T const mean = T(0.5) * (velocity(component, low) + velocity(component, high));
  if (is_open) return mean;
  Mirror const mirror = mirror_of(grid.condition(kind), component);
  return static_cast<T>(mirror.slope) * mean + static_cast<T>(mirror.offset);
}

template <class T, int Dim>
void take_curl(StaggeredGrid<Dim> const& of, FieldView<T const> velocity, FieldView<T> to) {
  auto const grid = of.view();
  for_each(
      "sparse::incompressible::vorticity", of.cells(), KOKKOS_LAMBDA(CellPoint<Dim> const& p) {
        auto const cell = p.coordinates();
        Index const position = p.operand(1);
        for (int c = 0; c < (Dim == 2 ? 1 : 3); ++c) {
          int const first = Dim == 2 ? 0 : (c + 1) % 3, second = Dim == 2 ? 1 : (c + 2) % 3;
          T const up = beside(grid, velocity, cell, position, second, first, true) -
                       beside(grid, velocity, cell, position, second, first, false);
          T const right = beside(grid, velocity, cell, position, first, second, true) -
                          beside(grid, velocity, cell, position, first, second, false);
          to(c, p.operand(0)) =
              T(0.5) * (up / static_cast<T>(grid.spacing[first]) - right / static_cast<T>(grid.spacing[second]));
        }
      });
}

template <int Dim>
Vec<double, Dim> inverse_of(Vec<double, Dim> v) {
  for (int axis = 0; axis < Dim; ++axis) v[axis] = 1 / v[axis];
  return v;
}

}  // namespace

template <class T, int Dim>
Vec<double, Dim> greatest_speeds(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Vec<double, Dim> speeds;
  for (int axis = 0; axis < Dim; ++axis) speeds[axis] = greatest_size(grid.all_faces(axis), velocity.component(axis));
  return speeds;
}

template <class T, int Dim>
double greatest_value(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  grid.expect_stored(values, 1, "cell field");
  return greatest_size(grid.computed(Dim), values.component(0));
}

template <class T, int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double cells,
                     Vec<double, Dim> const& acceleration) {
  return crossing_time(grid, greatest_speeds(grid, velocity), cells, acceleration);
}

template <int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Vec<double, Dim> const& speeds, double cells,
                     Vec<double, Dim> const& acceleration) {
  double time = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < Dim; ++axis) {
    // (speed + acceleration time) time = way
    double const way = cells * grid.spacing()[axis], speed = speeds[axis];
    time = std::fmin(time, 2 * way / (speed + std::sqrt(speed * speed + 4 * acceleration[axis] * way)));
  }
  return time;
}

template <class T, int Dim>
Divergence divergence_of(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  if (grid.has_curved_walls()) {
    Field<T, Dim> values("divergence", grid.fluid());
    divergence(grid, velocity, values);
    return {static_cast<double>(greatest_size<T, Dim>(Subset<Dim>(grid.fluid(), grid.fluid()), values.component(0))),
            static_cast<double>(norm(values)) / std::sqrt(static_cast<double>(values.cell_count()))};
  }
  auto const inverse = inverse_of(grid.spacing());
  double const square = square_of_divergence<T, Dim>(grid, velocity.view(), inverse);
  return {greatest_divergence<T, Dim>(grid, velocity.view(), inverse),
          std::sqrt(square / static_cast<double>(grid.fluid().cell_count()))};
}

template <class T, int Dim>
double outward_flux(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, BoundaryKind kind) {
  grid.expect_stored(velocity, Dim, "velocity");
  double flux = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    T const* const u = velocity.component(axis);
    double speeds = sum_outward(grid.view(), Subset<Dim>(grid.faces_of(kind, axis), grid.storage()), u);
    if (grid.has_curved_walls()) speeds -= sum_outward_closed(grid, axis, kind, u);
    flux += grid.face_area(axis) * speeds;
  }
  return flux;
}

template <class T, int Dim>
double kinetic_energy(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  double squares = sum_squares<T, Dim>(grid, velocity.view());
  if (grid.has_curved_walls()) squares -= sum_closed_squares<T, Dim>(grid, velocity.view());
  return grid.cell_volume() * squares;
}

template <class T, int Dim>
double total(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  grid.expect_stored(values, 1, "cell field");
  return grid.cell_volume() * sum_values(grid.computed(Dim), values.component(0));
}

template <class T, int Dim>
Field<T, Dim> on_fluid(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  grid.expect_stored(values, 1, "cell field");
  Field<T, Dim> result(values.name(), grid.fluid());
  copy_cells(grid, values.component(0), result.component(0));
  return result;
}

template <class T, int Dim>
Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Field<T, Dim> result("velocity", grid.fluid(), Dim);
  average_faces<T, Dim>(grid, velocity.view(), result.view());
  return result;
}

template <class T, int Dim>
Field<T, Dim> vorticity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Field<T, Dim> result("vorticity", grid.fluid(), Dim == 2 ? 1 : 3);
  take_curl<T, Dim>(grid, velocity.view(), result.view());
  return result;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template Vec<double, Dim> greatest_speeds(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                          \
  template double greatest_value(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                     \
  template double crossing_time(StaggeredGrid<Dim> const&, Field<T, Dim> const&, double, Vec<double, Dim> const&);     \
  template Divergence divergence_of(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                  \
  template double outward_flux(StaggeredGrid<Dim> const&, Field<T, Dim> const&, BoundaryKind);                         \
  template double kinetic_energy(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                     \
  template double total(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                              \
  template Field<T, Dim> on_fluid(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                    \
  template Field<T, Dim> cell_velocity(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                               \
  template Field<T, Dim> vorticity(StaggeredGrid<Dim> const&, Field<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
template double crossing_time(StaggeredGrid<2> const&, Vec<double, 2> const&, double, Vec<double, 2> const&);
template double crossing_time(StaggeredGrid<3> const&, Vec<double, 3> const&, double, Vec<double, 3> const&);

}  // namespace sparse::incompressible
