#pragma once
/// Numbers about the state of a level: time step, totals, what presses on bodies.

#include <bit>
#include <limits>

#include <sparse/field.hpp>
#include <sparse/for_each.hpp>
#include <sparse/subset.hpp>

namespace sparse::amr {

/// Floating-point numbers >= 0 as integers in the same order, with NaN above infinity: a maximum of these neither loses
/// a NaN nor needs a branch, so it vectorises.
template <class T>
using OrderedBits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class Flux, int Dim>
struct WaveRate {
  using T = typename Flux::Scalar;
  using Bits = OrderedBits<T>;
  Flux flux;
  FieldView<T const> state;
  Vec<T, Dim> inverse_spacing;

  KOKKOS_FORCEINLINE_FUNCTION Bits at(Index cell) const {
    auto const u = state.template load<Flux::Law::component_count>(cell);
    T rate = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) rate += flux.law.max_speed(u, axis) * inverse_spacing[axis];
    return std::bit_cast<Bits>(rate) & std::numeric_limits<Bits>::max();
  }
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, Bits& greatest) const {
    Bits const bits = at(p.cell);
    greatest = bits > greatest ? bits : greatest;
  }
};

/// Position in `cells` of the first cell whose wave speed is not a finite number.
template <class Flux, int Dim>
struct FirstNonFinite {
  WaveRate<Flux, Dim> rate;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point const& p, Index& first) const {
    using T = typename Flux::Scalar;
    if (rate.at(p.cell) >= std::bit_cast<OrderedBits<T>>(std::numeric_limits<T>::infinity()) && p.cell < first)
      first = p.cell;
  }
};

/// The greatest sum over the axes of wave speed / cell width [1/s]; NaN or infinity if a cell has such a value.
/// A first-order step of at most 1 / rate is stable.
template <class Flux, class AnyPlan, int Dim>
typename Flux::Scalar wave_rate(Flux const& flux, AnyPlan const& cells, FieldView<typename Flux::Scalar const> state,
                                Vec<typename Flux::Scalar, Dim> const& inverse_spacing) {
  using T = typename Flux::Scalar;
  using Bits = OrderedBits<T>;
  if (cells.cell_count() == 0) return T(0);
  return std::bit_cast<T>(
      reduce<Kokkos::Max, Bits>("sparse::amr::wave_rate", cells, WaveRate<Flux, Dim>{flux, state, inverse_spacing}));
}

/// Sum of one component over the cells of a plan, in double precision.
template <class T, class AnyPlan>
double sum_over(AnyPlan const& cells, FieldView<T const> state, int component) {
  using Point = typename AnyPlan::Point;
  return reduce<Kokkos::Sum, double>(
      "sparse::amr::total", cells,
      KOKKOS_LAMBDA(Point const& p, double& partial) { partial += static_cast<double>(state(component, p.cell)); });
}

/// Sum over the cells of one component of the flux into a wall on one side of each.
template <class Flux>
struct WallFlux {
  using T = typename Flux::Scalar;
  Flux flux;
  FieldView<T const> state;
  int axis, side, component;
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point const& p, double& partial) const {
    auto const u = state.template load<Flux::Law::component_count>(p.cell);
    auto const beyond = flux.law.mirrored(u, axis, T(-1));
    auto const through = side == 0 ? flux(beyond, u, axis) : flux(u, beyond, axis);
    partial += static_cast<double>(side == 0 ? -through[component] : through[component]);
  }
};

}  // namespace sparse::amr
