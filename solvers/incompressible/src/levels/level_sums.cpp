#include "level_sums.hpp"

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "measure/closed_parts.hpp"
#include "step/greatest_size.hpp"

namespace sparse::incompressible::detail {
namespace {

template <int Dim>
using LeafPoint = RunPoint<Dim, 2 + Dim>;

template <class T, int Dim>
double greatest_change_of(CellPlan<Dim> const& leaves, FieldView<T const> x, FieldView<T const> y) {
  double const greatest = reduce<Kokkos::Max, double>(
      "sparse::incompressible::greatest_change", leaves, KOKKOS_LAMBDA(LeafPoint<Dim> const& p, double& most) {
        for (int a = 0; a < Dim; ++a)
          for (int const k : {1, 2 + a}) {
            double const change = static_cast<double>(x(a, p.operand(k))) - static_cast<double>(y(a, p.operand(k)));
            double const size = change < 0 ? -change : change;
            if (size > most) most = size;
          }
      });
  return greatest > 0 ? greatest : 0;
}

template <class T, int Dim>
double greatest_cell_change_of(CellPlan<Dim> const& leaves, T const* x, T const* y) {
  double const greatest = reduce<Kokkos::Max, double>(
      "sparse::incompressible::greatest_ink_change", leaves, KOKKOS_LAMBDA(LeafPoint<Dim> const& p, double& most) {
        double const change = static_cast<double>(x[p.operand(1)]) - static_cast<double>(y[p.operand(1)]);
        double const size = change < 0 ? -change : change;
        if (size > most) most = size;
      });
  return greatest > 0 ? greatest : 0;
}

template <class T, int Dim>
double sum_of_component(CellPlan<Dim> const& leaves, T const* u, int axis) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::momentum", leaves, KOKKOS_LAMBDA(LeafPoint<Dim> const& p, double& sum) {
        sum += 0.5 * (static_cast<double>(u[p.operand(1)]) + static_cast<double>(u[p.operand(2 + axis)]));
      });
}

template <class T, int Dim>
double sum_of_squares(CellPlan<Dim> const& leaves, FieldView<T const> velocity) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::kinetic_energy", leaves, KOKKOS_LAMBDA(LeafPoint<Dim> const& p, double& sum) {
        for (int a = 0; a < Dim; ++a) {
          auto const lower = static_cast<double>(velocity(a, p.operand(1)));
          auto const upper = static_cast<double>(velocity(a, p.operand(2 + a)));
          sum += 0.25 * (lower * lower + upper * upper);
        }
      });
}

/// Parts of the sums on the closed parts of cut faces.
template <class T, int Dim>
double closed_sum(StaggeredGrid<Dim> const& grid, T const* u, int axis) {
  auto const& openings = grid.body().cut.openings;
  CutOpening const* const list = openings.data();
  return parallel_reduce<Kokkos::Sum, double>(
      grid.context(), "sparse::incompressible::closed_sum", openings.size(), KOKKOS_LAMBDA(Index i, double& sum) {
        if (list[i].axis == axis)
          sum += 0.5 * list[i].cell_count * (1 - list[i].share) * static_cast<double>(u[list[i].position]);
      });
}

template <class T, int Dim>
double sum_of_cells(CellPlan<Dim> const& leaves, T const* values) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::ink_total", leaves,
      KOKKOS_LAMBDA(LeafPoint<Dim> const& p, double& sum) { sum += static_cast<double>(values[p.operand(1)]); });
}

}  // namespace

template <class T, int Dim>
double greatest_change(Level<T, Dim> const& level) {
  return greatest_change_of<T, Dim>(level.leaves, level.state.velocity.view(), level.other.view());
}
template <class T, int Dim>
double greatest_ink_change(Level<T, Dim> const& level, std::size_t ink) {
  return greatest_cell_change_of<T, Dim>(level.leaves, level.state.carried[ink].component(0),
                                         level.inks->after[ink].component(0));
}
template <class T, int Dim>
double greatest_divergence(Level<T, Dim> const& level) {
  auto const& leaves = level.sets.leaves;
  Field<T, Dim> values("divergence", leaves);
  level.divergence(level.state.velocity, 1, values);
  return greatest_size<T, Dim>(Subset<Dim>(leaves, leaves), values.component(0));
}
template <class T, int Dim>
Vec<double, Dim> momentum(Level<T, Dim> const& level) {
  Vec<double, Dim> sum;
  for (int axis = 0; axis < Dim; ++axis) {
    T const* const u = level.state.velocity.component(axis);
    sum[axis] = sum_of_component<T, Dim>(level.leaves, u, axis);
    if (level.grid.has_curved_walls()) sum[axis] -= closed_sum<T, Dim>(level.grid, u, axis);
    sum[axis] *= level.grid.cell_volume();
  }
  return sum;
}
template <class T, int Dim>
double kinetic_energy(Level<T, Dim> const& level) {
  double squares = sum_of_squares<T, Dim>(level.leaves, level.state.velocity.view());
  if (level.grid.has_curved_walls()) squares -= closed_squares(level.grid, level.state.velocity);
  return level.grid.cell_volume() * squares;
}

template <class T, int Dim>
double enstrophy(Level<T, Dim> const& level) {
  auto const of_leaves = level.vorticity();
  return 0.5 * level.grid.cell_volume() * dot(of_leaves, of_leaves);
}

template <class T, int Dim>
double ink_total(Level<T, Dim> const& level, std::size_t ink) {
  auto const& values = level.state.carried[ink];
  double sum = sum_of_cells<T, Dim>(level.leaves, values.component(0));
  if (level.grid.has_curved_walls()) sum -= closed_values(level.grid, values);
  return level.grid.cell_volume() * sum;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template double greatest_change(Level<T, Dim> const&);                                                               \
  template double greatest_ink_change(Level<T, Dim> const&, std::size_t);                                              \
  template double greatest_divergence(Level<T, Dim> const&);                                                           \
  template Vec<double, Dim> momentum(Level<T, Dim> const&);                                                            \
  template double kinetic_energy(Level<T, Dim> const&);                                                                \
  template double enstrophy(Level<T, Dim> const&);                                                                     \
  template double ink_total(Level<T, Dim> const&, std::size_t);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
