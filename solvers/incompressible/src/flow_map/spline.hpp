#pragma once
/// Interpolates velocities and cell values by B-splines, and differentiates the same splines.

#include <sparse/base/interpolation.hpp>

#include "grid/place.hpp"
#include "padded_grid.hpp"

namespace sparse::incompressible {

namespace detail {

/// The weights of the values along one axis, and the weights for the derivative [1 / cell width]. `first` is the offset
/// of the first value's cell.
template <class T, int width>
struct SplineWeights {
  int first;
  T value[width], slope[width];
};

/// Weights at the position `at` in a cell: 0 is its lower end, 1 its upper end. Values lie at the ends of cells
/// (staggered) or at their centres.
template <Interpolation>
struct Spline;

template <>
struct Spline<Interpolation::linear> {
  static constexpr int width = 2;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static SplineWeights<T, width> weights(T at, bool is_staggered) {
    bool const is_lower = !is_staggered && at < T(0.5);
    T const share = is_staggered ? at : is_lower ? at + T(0.5) : at - T(0.5);
    return {is_lower ? -1 : 0, {1 - share, share}, {-1, 1}};
  }
};

template <>
struct Spline<Interpolation::quadratic> {
  static constexpr int width = 3;
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static SplineWeights<T, width> weights(T at, bool is_staggered) {
    bool const is_upper = is_staggered && at >= T(0.5);
    T const d = is_staggered ? (is_upper ? at - 1 : at) : at - T(0.5), low = T(0.5) - d, high = T(0.5) + d;
    return {is_upper ? 0 : -1, {T(0.5) * low * low, T(0.75) - d * d, T(0.5) * high * high}, {-low, -2 * d, high}};
  }
};

/// The neighbouring values in a row of a spline. Three values are loaded as four, because four fill a vector register.
/// The padded storage always has a value behind the third. Compilers do not do this by themselves.
template <class T, int width>
struct Lanes {
#if defined(__GNUC__) && !defined(__CUDACC__)
  static constexpr int count = width == 3 ? 4 : width;
  typedef T Values __attribute__((vector_size(count * sizeof(T))));
  KOKKOS_FORCEINLINE_FUNCTION void add(T weight, T const* row) {
    Values read;
    __builtin_memcpy(&read, row, sizeof(Values));
    values += weight * read;
  }
#else
  static constexpr int count = width;
  using Values = T[count];
  KOKKOS_FORCEINLINE_FUNCTION void add(T weight, T const* row) {
    SPARSE_UNROLL
    for (int i = 0; i < count; ++i) values[i] += weight * row[i];
  }
#endif
  Values values = {};
};

/// A value, and its change along a vector.
template <class T>
struct ValueAndChange {
  T value, change;
};

/// A place with its weights, ready for interpolation. No branch depends on what surrounds it.
template <Interpolation interpolation, class T, int Dim>
class SplinePoint {
  using Kernel = Spline<interpolation>;
  static constexpr int width = Kernel::width;

public:
  /// @param place  in a cell of the fluid, with its position in the padded storage
  KOKKOS_FORCEINLINE_FUNCTION SplinePoint(PaddedView<Dim> const& view, Place<T, Dim> const& place)
      : rows_(view.rows_near(place.position)) {
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      faces_[b] = Kernel::template weights<T>(place.at[b], true);
      middles_[b] = Kernel::template weights<T>(place.at[b], false);
    }
  }

  /// @param values     one component of velocity, or the cells for component Dim, on the padded storage
  /// @param direction  vector along which the change is taken, in cell widths
  KOKKOS_FORCEINLINE_FUNCTION ValueAndChange<T> value_and_change(T const* values, int component,
                                                                 Vec<T, Dim> const& direction) const {
    auto const &x = along(component, 0), &y = along(component, 1);
    Lanes<T, width> sum, change;
    SPARSE_UNROLL
    for (int k = 0; k < (Dim == 3 ? width : 1); ++k) {
      T const wz = Dim == 3 ? along(component, Dim - 1).value[k] : T(1);
      T const dz = Dim == 3 ? direction[Dim - 1] * along(component, Dim - 1).slope[k] : T(0);
      SPARSE_UNROLL
      for (int j = 0; j < width; ++j) {
        T const* const row = row_of(values, component, j, k);
        T const weight = y.value[j] * wz, slope = direction[1] * y.slope[j] * wz + y.value[j] * dz;
        sum.add(weight, row);
        change.add(slope, row);
      }
    }
    ValueAndChange<T> result{0, 0};
    SPARSE_UNROLL
    for (int i = 0; i < width; ++i) {
      result.value += x.value[i] * sum.values[i];
      result.change += x.value[i] * change.values[i] + direction[0] * x.slope[i] * sum.values[i];
    }
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION T value(T const* values, int component) const {
    auto const &x = along(component, 0), &y = along(component, 1);
    Lanes<T, width> sum;
    SPARSE_UNROLL
    for (int k = 0; k < (Dim == 3 ? width : 1); ++k) {
      SPARSE_UNROLL
      for (int j = 0; j < width; ++j)
        sum.add(Dim == 3 ? y.value[j] * along(component, Dim - 1).value[k] : y.value[j],
                row_of(values, component, j, k));
    }
    T result = 0;
    SPARSE_UNROLL
    for (int i = 0; i < width; ++i) result += x.value[i] * sum.values[i];
    return result;
  }
  /// Interpolates all components of a velocity.
  KOKKOS_FORCEINLINE_FUNCTION Vec<T, Dim> velocity(FieldView<T const> const& of) const {
    Vec<T, Dim> result;
    SPARSE_UNROLL
    for (int a = 0; a < Dim; ++a) result[a] = value(of.data + a * of.stride, a);
    return result;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION SplineWeights<T, width> const& along(int component, int axis) const {
    return component == axis ? faces_[axis] : middles_[axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION T const* row_of(T const* values, int component, int j, int k) const {
    int const y = 1 + along(component, 1).first + j, z = Dim == 3 ? 1 + along(component, Dim - 1).first + k : 0;
    return values + rows_.position[z][y] + along(component, 0).first;
  }

  NearRows<Dim> rows_;
  SplineWeights<T, width> faces_[Dim], middles_[Dim];
};

}  // namespace detail
}  // namespace sparse::incompressible
