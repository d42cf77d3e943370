#pragma once
/// Reductions over the state of a level: wave rates, which bound the time step, and terms of sums.

#include <sparse/amr/sweep/sweep.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::amr {

/// Reduces to the greatest wave rate of cells [1/s]: the sum over the axes of wave speed / cell width.
template <class Law>
struct WaveRate {
  /// The bits of a rate, ordered as the rates are.
  using Bits = OrderedBits<typename Law::Scalar>;
  /// The law, conserved variables on storage, and 1 / cell width for each axis [1/m].
  Law law;
  FieldView<typename Law::Scalar const> state;
  Vec<typename Law::Scalar, Law::dimension> inverse_spacing;

  /// The rate of one cell, and the reduction over cells, in bits that are ordered as the numbers are.
  KOKKOS_FORCEINLINE_FUNCTION Bits at(Index cell) const {
    return wave_rate_bits(law, law.primitive(state.template load<Law::component_count>(cell)), inverse_spacing);
  }
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, Bits& greatest) const {
    Bits const bits = at(p.cell);
    greatest = bits > greatest ? bits : greatest;
  }
};

/// Position of the first cell whose wave speed is not a finite number.
template <class Law>
struct FirstImpossible {
  /// The rate of each cell.
  WaveRate<Law> rate;
  /// The reduction: keeps the smaller position.
  template <class Point>
  KOKKOS_FUNCTION void operator()(Point const& p, Index& first) const {
    using T = typename Law::Scalar;
    if (rate.at(p.cell) >= std::bit_cast<OrderedBits<T>>(std::numeric_limits<T>::infinity()) && p.cell < first)
      first = p.cell;
  }
};

/// The greatest sum over the axes of wave speed / cell width [1/s]; NaN or infinity if a cell has such a value.
/// A step of at most 1 / rate is stable in first order. Cost: a pass over the cells; waits for the value.
template <class Law, class AnyPlan>
typename Law::Scalar wave_rate(Law const& law, AnyPlan const& cells, FieldView<typename Law::Scalar const> state,
                               Vec<typename Law::Scalar, Law::dimension> const& inverse_spacing) {
  using T = typename Law::Scalar;
  using Bits = OrderedBits<T>;
  if (cells.cell_count() == 0) return T(0);
  return std::bit_cast<T>(
      reduce<Kokkos::Max, Bits>("sparse::amr::wave_rate", cells, WaveRate<Law>{law, state, inverse_spacing}));
}

/// The conserved variables of a cell, for sums.
template <class Law>
struct Conserved {
  /// On storage.
  FieldView<typename Law::Scalar const> state;
  /// In double precision.
  KOKKOS_FUNCTION void operator()(SubsetPoint<Law::dimension> const& p,
                                  Vec<double, Law::component_count>& terms) const {
    for (int c = 0; c < Law::component_count; ++c) terms[c] = static_cast<double>(state(c, p.cell));
  }
};

}  // namespace sparse::amr
