#pragma once
/// What the single-grid method does to the nodes of one level.

#include "rows.hpp"

namespace sparse::poisson::single_grid {

/// What a kernel of differences is compiled for.
template <bool radial, bool nodal, bool unit>
struct Kind {
  static constexpr bool is_radial = radial;
  static constexpr bool is_nodal = nodal;      ///< coefficients are arrays
  static constexpr bool has_unit_step = unit;  ///< neighbours along x are neighbours in memory
};

/// The coefficients of a level.
template <class T, int Dim>
struct Coefficients {
  Nodes<T const, Dim> s, a;  ///< where they are arrays
  T constant_s, constant_a;
  T scale;  ///< the weight of faces: 1, 1/2 or 3/13 over the square of the distance
};

/// Differences of a row's nodes: sum over neighbours q of scale (s_q + s) / 2 (u_q - u) / distance^2, plus a u.
template <class Kind, class T, int Dim>
struct DifferencesOfRow {
  static constexpr int rows = row_count_around<Dim>;
  static constexpr int middle = rows / 2;
  Vec<T const*, rows> u, s;
  T const* a;
  T constant_s, constant_a, scale;
  Index u_step;

  struct Value {
    T sum;          // the operator
    T diagonal, a;  // where coefficients are arrays: the factor of -u without a; a
  };

  KOKKOS_FORCEINLINE_FUNCTION DifferencesOfRow(Nodes<T const, Dim> const& values, Coefficients<T, Dim> const& c,
                                               Vec<Index, Dim - 1> const& y, Index last)
      : u(rows_around(values, y, last)), s{}, a(nullptr), constant_s(c.constant_s), constant_a(c.constant_a),
        scale(c.scale), u_step(values.strides[0]) {
    if constexpr (Kind::is_nodal) {
      s = rows_around(c.s, y, last);
      a = c.a.row(y);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION T value(int o, Index i) const { return u[o][Kind::has_unit_step ? i : i * u_step]; }

  KOKKOS_FORCEINLINE_FUNCTION Value at(Index i, Index left, Index right) const {
    T const centre = value(middle, i);
    T s_centre = 0;
    if constexpr (Kind::is_nodal) s_centre = s[middle][i];
    T sum = 0, diagonal = 0;
    SPARSE_UNROLL
    for (int ring = 1; ring <= (Kind::is_radial ? Dim : 1); ++ring) {  // by the square of the distance
      T part = 0, weight = 0;
      SPARSE_UNROLL
      for (int o = 0; o < rows; ++o) {
        int const off_row = (row_offset(o, 0) != 0) + (Dim == 3 && row_offset(o, 1) != 0);
        SPARSE_UNROLL
        for (int dx = -1; dx <= 1; ++dx) {
          if (off_row + (dx != 0) != ring) continue;
          Index const q = dx < 0 ? left : dx > 0 ? right : i;
          T const difference = value(o, q) - centre;
          if constexpr (Kind::is_nodal) {
            T const both = s[o][q] + s_centre;
            part += both * difference;
            weight += both;
          } else {
            part += difference;
          }
        }
      }
      sum += part / static_cast<T>(ring);
      diagonal += weight / static_cast<T>(ring);
    }
    if constexpr (Kind::is_nodal) {
      T const half = scale / 2;
      return {half * sum + a[i] * centre, half * diagonal, a[i]};
    } else {
      return {scale * constant_s * sum + constant_a * centre, 0, 0};
    }
  }
};

/// result = keep u + change, the change being one explicit step of du/dt = operator(u) - source.
///
/// The step is a fraction of the inverse of the diagonal, which for constant s is one of h^2 / s, and with variable s
/// is stable where that would not be.
template <class Kind, class T, int Dim>
struct Relax {
  Nodes<T const, Dim> u, source;
  Nodes<T, Dim> result;
  Coefficients<T, Dim> coefficients;
  T keep;          // 1 or 0
  T step;          // of constant coefficients
  T inverse_step;  // of others, over the diagonal
  Index last;
  unsigned dirichlet;

  struct Steps {
    DifferencesOfRow<Kind, T, Dim> differences;
    T const* source;
    T* result;
    T keep, step_of_all, inverse_step;
    Index result_step;

    KOKKOS_FORCEINLINE_FUNCTION void fix(Index i) const { result[i * result_step] = 0; }
    KOKKOS_FORCEINLINE_FUNCTION void step(Index i, Index left, Index right) const {
      auto const l = differences.at(i, left, right);
      T change = l.sum - source[i];
      if constexpr (Kind::is_nodal)
        change /= inverse_step * l.diagonal + (l.a < 0 ? -l.a : T(0));
      else
        change *= step_of_all;
      if constexpr (Kind::has_unit_step)
        result[i] = differences.value(differences.middle, i) + change;
      else
        result[i * result_step] = keep * differences.value(differences.middle, i) + change;
    }
  };
  KOKKOS_FUNCTION void operator()(Index row, Index begin, Index end) const {
    auto const y = row_position<Dim>(row, last + 1);
    Steps const steps{{u, coefficients, y, last}, source.row(y), result.row(y), keep, step, inverse_step,
                      result.strides[0]};
    along_row<Dim>(steps, y, last, dirichlet, begin, end);
  }
};

/// result = f_factor (f - mean) + factor operator(u); 0 at Dirichlet nodes.
template <class Kind, class T, int Dim>
struct Combine {
  Nodes<T const, Dim> u, f;
  Nodes<T, Dim> result;
  Coefficients<T, Dim> coefficients;
  T f_factor, mean, factor;
  Index last;
  unsigned dirichlet;

  struct Steps {
    DifferencesOfRow<Kind, T, Dim> differences;
    T const* f;
    T* result;
    T f_factor, mean, factor;

    KOKKOS_FORCEINLINE_FUNCTION void fix(Index i) const { result[i] = 0; }
    KOKKOS_FORCEINLINE_FUNCTION void step(Index i, Index left, Index right) const {
      result[i] = f_factor * (f[i] - mean) + factor * differences.at(i, left, right).sum;
    }
  };
  KOKKOS_FUNCTION void operator()(Index row, Index begin, Index end) const {
    auto const y = row_position<Dim>(row, last + 1);
    Steps const steps{{u, coefficients, y, last}, f.row(y), result.row(y), f_factor, mean, factor};
    along_row<Dim>(steps, y, last, dirichlet, begin, end);
  }
};

/// Values at Dirichlet nodes, 0 elsewhere.
template <class T, int Dim>
struct BoundaryValues {
  Nodes<T const, Dim> u;
  Nodes<T, Dim> result;
  Index last;
  unsigned dirichlet;

  struct Steps {
    T const* u;
    T* result;
    KOKKOS_FORCEINLINE_FUNCTION void fix(Index i) const { result[i] = u[i]; }
    KOKKOS_FORCEINLINE_FUNCTION void step(Index i, Index, Index) const { result[i] = 0; }
  };
  KOKKOS_FUNCTION void operator()(Index row, Index begin, Index end) const {
    auto const y = row_position<Dim>(row, last + 1);
    along_row<Dim>(Steps{u.row(y), result.row(y)}, y, last, dirichlet, begin, end);
  }
};

/// Full weighting, (1/4, 1/2, 1/4) along each axis, of one level for the next coarser one. Rows are the coarser one's.
template <class T, int Dim>
struct Restrict {
  Nodes<T const, Dim> fine;
  Nodes<T, Dim> coarse;
  Index last;  // of the coarser level

  struct Steps {
    static constexpr int rows = row_count_around<Dim>;
    Vec<T const*, rows> fine;
    T* coarse;

    KOKKOS_FORCEINLINE_FUNCTION void step(Index i, Index left, Index right) const {
      T sum = 0;
      SPARSE_UNROLL
      for (int o = 0; o < rows; ++o) {
        T const weight = (row_offset(o, 0) != 0 ? T(0.5) : T(1)) * (Dim == 3 && row_offset(o, 1) != 0 ? T(0.5) : T(1));
        sum += weight * (fine[o][2 * i] + T(0.5) * (fine[o][left] + fine[o][right]));
      }
      coarse[i] = sum * (Dim == 2 ? T(0.25) : T(0.125));
    }
  };
  KOKKOS_FUNCTION void operator()(Index row, Index begin, Index end) const {
    auto const y = row_position<Dim>(row, last + 1);
    Steps const steps{rows_around(fine, Index{2} * y, 2 * last), coarse.row(y)};
    if (begin == 0) steps.step(0, 1, 1);
    Index const first = begin == 0 ? 1 : begin, behind = end > last ? last : end;
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index i = first; i < behind; ++i) steps.step(i, 2 * i - 1, 2 * i + 1);
    if (end > last) steps.step(last, 2 * last - 1, 2 * last - 1);
  }
};

/// Linear interpolation from a level to the next finer one, whose rows these are; a step is a coarse node and the fine
/// one after it. Either added, or assigned where the finer level's own nodes are; then both may lie in one array.
template <class T, int Dim, bool adds, bool unit>
struct Interpolate {
  Nodes<T const, Dim> coarse;
  Nodes<T, Dim> fine;
  Index last;  // of the coarser level

  struct Steps {
    static constexpr int sources = Dim == 2 ? 2 : 4;
    Vec<T const*, sources> coarse;
    T* fine;
    Index coarse_step, fine_step;

    KOKKOS_FORCEINLINE_FUNCTION T between_rows(Index i) const {
      T sum = 0;
      SPARSE_UNROLL
      for (int r = 0; r < sources; ++r) sum += coarse[r][adds ? i : i * coarse_step];
      return sum / sources;
    }
    KOKKOS_FORCEINLINE_FUNCTION void set(Index i, T value) const {
      T& target = fine[unit ? i : i * fine_step];
      if constexpr (adds)
        target += value;
      else
        target = value;
    }
  };
  KOKKOS_FUNCTION void operator()(Index row, Index begin, Index end) const {
    auto const y = row_position<Dim>(row, 2 * last + 1);
    Steps steps{{}, fine.row(y), coarse.strides[0], fine.strides[0]};
    bool is_coarse_row = true;
    for (int k = 0; k < Dim - 1; ++k)
      if (y[k] % 2 != 0) is_coarse_row = false;
    SPARSE_UNROLL
    for (int r = 0; r < Steps::sources; ++r) {
      Vec<Index, Dim - 1> at{};
      SPARSE_UNROLL
      for (int k = 0; k < Dim - 1; ++k) at[k] = (y[k] + (r >> k & 1)) / 2;
      steps.coarse[r] = coarse.row(at);
    }
    Index const behind = end > last ? last : end;
    if (!adds && is_coarse_row) {  // its even nodes are the coarse ones
      SPARSE_INDEPENDENT_ITERATIONS
      for (Index i = begin; i < behind; ++i)
        steps.set(2 * i + 1, (steps.between_rows(i) + steps.between_rows(i + 1)) / 2);
      return;
    }
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index i = begin; i < behind; ++i) {
      T const here = steps.between_rows(i);
      steps.set(2 * i, here);
      steps.set(2 * i + 1, (here + steps.between_rows(i + 1)) / 2);
    }
    if (end > last) steps.set(2 * last, steps.between_rows(last));
  }
};

/// Sums values or their squares along rows; the trapezoidal rule halves what is on a side.
template <class T, int Dim>
struct SumRow {
  Nodes<T const, Dim> values;
  Index last;
  bool squares, trapezoidal;

  KOKKOS_FORCEINLINE_FUNCTION double term(double value) const { return squares ? value * value : value; }
  KOKKOS_FUNCTION void operator()(Index row, Index begin, Index end, double& partial) const {
    auto const y = row_position<Dim>(row, last + 1);
    T const* const x = values.row(y);
    constexpr int lanes = 8;  // independent sums, which a compiler may keep in a vector
    double sums[lanes] = {};
    Index i = begin;
    for (; i + lanes <= end; i += lanes) {
      SPARSE_UNROLL
      for (int lane = 0; lane < lanes; ++lane) sums[lane] += term(static_cast<double>(x[i + lane]));
    }
    for (; i < end; ++i) sums[0] += term(static_cast<double>(x[i]));
    double sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum += sums[lane];
    if (trapezoidal) {
      if (begin == 0) sum -= term(static_cast<double>(x[0])) / 2;
      if (end > last) sum -= term(static_cast<double>(x[last])) / 2;
      for (int k = 0; k < Dim - 1; ++k)
        if (y[k] == 0 || y[k] == last) sum /= 2;
    }
    partial += sum;
  }
};

template <class T>
struct SetAll {
  T* x;
  T value;
  KOKKOS_FUNCTION void operator()(Index i) const { x[i] = value; }
};
template <class T>
struct CopyAll {
  T const* x;
  T* y;
  KOKKOS_FUNCTION void operator()(Index i) const { y[i] = x[i]; }
};
template <class T>
struct AddAll {  // y += x + constant; without x the constant only
  T const* x;
  T constant;
  T* y;
  KOKKOS_FUNCTION void operator()(Index i) const { y[i] += (x != nullptr ? x[i] : T(0)) + constant; }
};
/// The greatest magnitude.
template <class T>
struct GreatestMagnitude {
  T const* x;
  KOKKOS_FUNCTION void operator()(Index i, double& greatest) const {
    double const magnitude = x[i] < 0 ? -static_cast<double>(x[i]) : static_cast<double>(x[i]);
    if (magnitude > greatest) greatest = magnitude;
  }
};
/// Counts values that are not finite or, where they must be, not positive.
template <class T>
struct CountBad {
  T const* x;
  bool must_be_positive;
  KOKKOS_FUNCTION void operator()(Index i, Index& count) const {
    if (!(x[i] - x[i] == 0) || (must_be_positive && !(x[i] > 0))) ++count;
  }
};

}  // namespace sparse::poisson::single_grid
