#pragma once
/// What is done to every cell of a level, as stages of a pipeline.

#include <cmath>
#include <type_traits>

#include <sparse/base/compat.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/poisson/couplings.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::poisson::detail {

/// The matrix rows of the cells of a run. Steps count cells from its first one; pointers are to that one's value.
/// @tparam single  whether the run has one cell: then it stays where it is, else loops have a copy to themselves
template <bool uniform, class T, int Dim, bool single = false>
struct RunRows {
  static constexpr bool is_single = single;
  std::conditional_t<single, CouplingRun<T, Dim> const&, CouplingRun<T, Dim>> run;
  T const *lower[Dim], *upper[Dim];  // of cells with couplings of their own
  T const *dirichlet, *zeroth;

  KOKKOS_FORCEINLINE_FUNCTION RunRows(CouplingView<T, Dim> const& view, Index r) : run(view.runs[r]) {
    if constexpr (!uniform) {
      for (int axis = 0; axis < Dim; ++axis) {
        lower[axis] = view.lower[axis] + run.first;
        upper[axis] = lower[axis] + run.offset[2 * axis + 1];
      }
      dirichlet = view.dirichlet + run.first;
      zeroth = view.zeroth + run.first;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION T weight(int arm, int step) const {
    if constexpr (uniform) return run.weight[arm];
    // Not (... ? lower : upper)[arm / 2]: with its sanitizer for overflows, g++ 12 takes the wrong array then.
    return run.weight[arm] * (arm % 2 == 0 ? lower[arm / 2] : upper[arm / 2])[step];
  }
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet_part(int step) const {
    if constexpr (uniform) return run.dirichlet;
    return dirichlet[step];
  }
  KOKKOS_FORCEINLINE_FUNCTION T extra(int step) const {
    if constexpr (uniform) return run.extra;
    return dirichlet[step] + zeroth[step];
  }
  KOKKOS_FORCEINLINE_FUNCTION T inverse_diagonal(int step) const {
    if constexpr (uniform) return run.inverse_diagonal;
    T diagonal = extra(step);
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) diagonal += weight(arm, step);
    return diagonal > 0 ? T(1) / diagonal : T(0);
  }
  /// What the neighbours add to a row: the sum of weight * x.
  KOKKOS_FORCEINLINE_FUNCTION T from_neighbours(T const* x, int step) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) sum += weight(arm, step) * x[run.offset[arm] + step];
    return sum;
  }
  /// (A x) of a cell, from differences, which lose fewer digits. X is the type of x.
  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION T applied(X const* x, int step) const {
    T const here = static_cast<T>(x[step]);
    T sum = extra(step) * here;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm)
      sum += weight(arm, step) * (here - static_cast<T>(x[run.offset[arm] + step]));
    return sum;
  }
};

/// Calls `body.along(rows)` for each run of a range. At the ends of intervals many runs have a single cell.
template <class Body, class T, int Dim>
void for_runs(CouplingView<T, Dim> const& view, RunGroup const& group, Body const& body) {
  for (Index r = group.begin; r < group.end; ++r)
    if (bool const is_single = view.runs[r].count == 1; view.runs[r].is_uniform)
      is_single ? body.along(RunRows<true, T, Dim, true>(view, r)) : body.along(RunRows<true, T, Dim>(view, r));
    else
      is_single ? body.along(RunRows<false, T, Dim, true>(view, r)) : body.along(RunRows<false, T, Dim>(view, r));
}

/// Calls `body(step)` for begin <= step < end, some steps twice: vector loops would take what does not fill a vector
/// one by one, which for short runs is most of the time.
template <int width = 16, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_blocks(int begin, int end, Body const& body) {
  if (end - begin >= width) {
    for (int next = begin; next < end; next += width) {
      int const first = next + width <= end ? next : end - width;
#pragma omp simd
      for (int i = 0; i < width; ++i) body(first + i);
    }
  } else if constexpr (width > 4) {
    for_blocks<width / 2>(begin, end, body);
  } else {
    for (int step = begin; step < end; ++step) body(step);
  }
}

/// Calls `body(rows, step)` for one cell: what devices do.
template <class Body, class T, int Dim>
struct OnCell {
  CouplingView<T, Dim> view;
  Body body;
  KOKKOS_FUNCTION void operator()(Index cell) const {
    Index const r = ::sparse::detail::last_at_most(view.starts, view.run_count, cell);
    int const step = static_cast<int>(cell - view.starts[r]);
    if (view.runs[r].is_uniform)
      body(RunRows<true, T, Dim>(view, r), step);
    else
      body(RunRows<false, T, Dim>(view, r), step);
  }
};

/// A stage that does the same to each cell: `body(rows, step)`; or, if it changes what it reads of neighbours,
/// `body.values(rows)[step] = body.value(rows, step)`, with `InPlace` the type of the value. `may_repeat` says of
/// others that doing it twice is the same as doing it once.
template <class Body, class T, int Dim>
struct CellStage {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  Body body;

  void operator()(Index g) const { for_runs(view, groups[g], *this); }
  template <class Rows>
  void along(Rows const& rows) const {
    Body const local = body;
    int const count = rows.run.count;
    if constexpr (Rows::is_single) {
      local(rows, 0);
    } else if constexpr (requires { typename Body::InPlace; }) {
      // Loads of neighbours that overlap the store before them would wait for it.
      constexpr int piece = 512;
      typename Body::InPlace values[piece];
      for (int begin = 0; begin < count; begin += piece) {
        int const end = begin + piece < count ? begin + piece : count;
        for_blocks(begin, end, [&](int step) SPARSE_INLINE_LAMBDA { values[step - begin] = local.value(rows, step); });
        auto* const to = local.values(rows);
        for_blocks(begin, end, [&](int step) SPARSE_INLINE_LAMBDA { to[step] = values[step - begin]; });
      }
    } else if constexpr (requires { Body::may_repeat; }) {
      for_blocks(0, count, [&](int step) SPARSE_INLINE_LAMBDA { local(rows, step); });
    } else {
      SPARSE_INDEPENDENT_ITERATIONS
      for (int step = 0; step < count; ++step) local(rows, step);
    }
  }
  void on_device(Context const& context) const {
    parallel_for(context, "sparse::poisson::stage", view.cell_count, OnCell<Body, T, Dim>{view, body});
  }
};

template <class Body, class T, int Dim>
CellStage<Body, T, Dim> cell_stage(Couplings<T, Dim> const& level, Body const& body) {
  return {level.view(), level.groups().data(), body};
}

/// Three sums at once.
struct Sums {
  double s[3] = {0, 0, 0};
  KOKKOS_FORCEINLINE_FUNCTION void operator+=(Sums const& b) {
    for (int k = 0; k < 3; ++k) s[k] += b.s[k];
  }
};

/// The parts of sums: by group of cells, so that their totals do not depend on the number of threads.
class GroupSums {
public:
  explicit GroupSums(Chain const& chain) : parts_(is_host_backend ? static_cast<std::size_t>(chain.group_count) : 1) {}
  Sums* data() { return parts_.data(); }
  double total(int k) const {
    double sum = 0;
    for (auto const& part : parts_) sum += part.s[k];
    return sum;
  }

private:
  std::vector<Sums> parts_;
};

/// A stage that does something to each cell and adds to sums: `body(rows, step, s0, s1, s2)`.
template <class Body, class T, int Dim>
struct SumStage {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  Body body;
  Sums* sums;

  void operator()(Index g) const {
    sums[g] = {};
    for_runs(view, groups[g], OnRun{body, sums + g});
  }
  struct OnRun {
    Body body;
    Sums* total;
    template <class Rows>
    void along(Rows const& rows) const {
      Body const local = body;
      int const count = rows.run.count;
      double s0 = 0, s1 = 0, s2 = 0;
      if constexpr (Rows::is_single)
        local(rows, 0, s0, s1, s2);
      else
#pragma omp simd reduction(+ : s0, s1, s2)
        for (int step = 0; step < count; ++step) local(rows, step, s0, s1, s2);
      *total += {{s0, s1, s2}};
    }
  };
  template <int k>
  struct OnCellSum {
    CouplingView<T, Dim> view;
    Body body;
    KOKKOS_FUNCTION void operator()(Index cell, double& partial) const {
      Index const r = ::sparse::detail::last_at_most(view.starts, view.run_count, cell);
      int const step = static_cast<int>(cell - view.starts[r]);
      Sums parts;
      if (view.runs[r].is_uniform)
        body(RunRows<true, T, Dim>(view, r), step, parts.s[0], parts.s[1], parts.s[2]);
      else
        body(RunRows<false, T, Dim>(view, r), step, parts.s[0], parts.s[1], parts.s[2]);
      partial += parts.s[k];
    }
  };
  /// Bodies may be called once per sum: they set values, they do not change them.
  void on_device(Context const& context) const {
    sums[0].s[0] = total<0>(context);
    if constexpr (Body::sum_count > 1) sums[0].s[1] = total<1>(context);
    if constexpr (Body::sum_count > 2) sums[0].s[2] = total<2>(context);
  }
  template <int k>
  double total(Context const& context) const {
    return parallel_reduce<Kokkos::Sum, double>(context, "sparse::poisson::sum", view.cell_count,
                                                OnCellSum<k>{view, body});
  }
};

template <class Body, class T, int Dim>
SumStage<Body, T, Dim> sum_stage(Couplings<T, Dim> const& level, GroupSums& sums, Body const& body) {
  return {level.view(), level.groups().data(), body, sums.data()};
}

/// For kernels over all cells of a level: value = 0.
template <class T>
struct Clear {
  T* values;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = 0; }
};

// ---- what is done to a cell

/// result = A x
template <class T>
struct Apply {
  static constexpr bool may_repeat = true;
  T const* x;
  T* result;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    result[rows.run.first + step] = rows.applied(x + rows.run.first, step);
  }
};

/// r = b - A x; adds up r^2 and, if there is a second sum, r.
template <class T, int sums = 1>
struct Residual {
  static constexpr int sum_count = sums;
  T const *b, *x;
  T* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& square, double& sum, double&) const {
    Index const cell = rows.run.first + step;
    T const value = b[cell] - rows.applied(x + rows.run.first, step);
    r[cell] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
    if constexpr (sums > 1) sum += static_cast<double>(value);
  }
};

/// r = b - A x, where B is the type of b
template <class T, class B>
struct Difference {
  static constexpr bool may_repeat = true;
  B const* b;
  T const* x;
  T* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    r[cell] = static_cast<T>(b[cell]) - rows.applied(x + rows.run.first, step);
  }
};

/// Adds up x y.
template <class T, class U>
struct Dot {
  static constexpr int sum_count = 1;
  T const* x;
  U const* y;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    Index const cell = rows.run.first + step;
    sum += static_cast<double>(x[cell]) * static_cast<double>(y[cell]);
  }
};

/// Adds up x^2 and x.
template <class T>
struct SquareAndSum {
  static constexpr int sum_count = 2;
  T const* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& square, double& sum, double&) const {
    auto const value = static_cast<double>(x[rows.run.first + step]);
    square += value * value;
    sum += value;
  }
};

/// x -= constant
template <class T>
struct SubtractConstant {
  T* x;
  T constant;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] -= constant;
  }
};

/// Solves the rows of one colour for x, or goes `relaxation` times as far: half a sweep of red-black Gauss-Seidel or
/// SOR. B is the type of the right-hand side.
template <class T, class B>
struct Relax {
  T* x;
  B const* b;
  int colour;
  T relaxation = 1;
  using InPlace = T;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION T* values(Rows const& rows) const {
    return x + rows.run.first;
  }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION T value(Rows const& rows, int step) const {
    T const* const here = x + rows.run.first;
    T const solved =
        (static_cast<T>(b[rows.run.first + step]) + rows.from_neighbours(here, step)) * rows.inverse_diagonal(step);
    T const wanted = here[step] + relaxation * (solved - here[step]);
    return ((rows.run.colour + step) & 1) == colour ? wanted : here[step];
  }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    if (((rows.run.colour + step) & 1) == colour) values(rows)[step] = value(rows, step);
  }
};

/// x = b / diagonal, which for one colour is what `Relax` makes of x = 0.
template <class T, class B>
struct Divide {
  static constexpr bool may_repeat = true;
  T* x;
  B const* b;
  T factor = 1;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    x[cell] = factor * static_cast<T>(b[cell]) * rows.inverse_diagonal(step);
  }
};

/// to = x + factor (b - A x) / diagonal: a step of the weighted Jacobi method.
template <class T, class B>
struct JacobiStep {
  static constexpr bool may_repeat = true;
  T const* x;
  T* to;
  B const* b;
  T factor;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    to[cell] = x[cell] + factor * (static_cast<T>(b[cell]) - rows.applied(x + rows.run.first, step)) *
                             rows.inverse_diagonal(step);
  }
};

/// The Euclidean norm.
template <class T, int Dim>
double norm(Couplings<T, Dim> const& level, T const* x) {
  GroupSums sums(level.chain());
  Pipeline pipeline;
  pipeline.add(sum_stage(level, sums, Dot<T, T>{x, x}));
  pipeline.run(level.context(), level.chain());
  return std::sqrt(sums.total(0));
}

}  // namespace sparse::poisson::detail
