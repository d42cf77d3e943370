#include "level_sums.hpp"

#include <sparse/plans/for_each.hpp>

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
double greatest_divergence_of(CellPlan<Dim> const& leaves, FieldView<T const> velocity,
                              Vec<double, Dim> const& spacing) {
  double const greatest = reduce<Kokkos::Max, double>(
      "sparse::incompressible::greatest_divergence", leaves, KOKKOS_LAMBDA(LeafPoint<Dim> const& p, double& most) {
        double sum = 0;
        for (int a = 0; a < Dim; ++a)
          sum += (static_cast<double>(velocity(a, p.operand(2 + a))) - static_cast<double>(velocity(a, p.operand(1)))) /
                 spacing[a];
        double const size = sum < 0 ? -sum : sum;
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
  return greatest_divergence_of<T, Dim>(level.leaves, level.state.velocity.view(), level.grid.spacing());
}
template <class T, int Dim>
Vec<double, Dim> momentum(Level<T, Dim> const& level) {
  Vec<double, Dim> sum;
  for (int axis = 0; axis < Dim; ++axis)
    sum[axis] =
        level.grid.cell_volume() * sum_of_component<T, Dim>(level.leaves, level.state.velocity.component(axis), axis);
  return sum;
}
template <class T, int Dim>
double kinetic_energy(Level<T, Dim> const& level) {
  return level.grid.cell_volume() * sum_of_squares<T, Dim>(level.leaves, level.state.velocity.view());
}

template <class T, int Dim>
double ink_total(Level<T, Dim> const& level, std::size_t ink) {
  return level.grid.cell_volume() * sum_of_cells<T, Dim>(level.leaves, level.state.carried[ink].component(0));
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template double greatest_change(Level<T, Dim> const&);                                                               \
  template double greatest_ink_change(Level<T, Dim> const&, std::size_t);                                              \
  template double greatest_divergence(Level<T, Dim> const&);                                                           \
  template Vec<double, Dim> momentum(Level<T, Dim> const&);                                                            \
  template double kinetic_energy(Level<T, Dim> const&);                                                                \
  template double ink_total(Level<T, Dim> const&, std::size_t);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
