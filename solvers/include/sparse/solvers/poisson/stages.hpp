#pragma once
/// What is done to every cell of a level, as stages of a pipeline.

#include <cmath>

#include <sparse/compat.hpp>
#include <sparse/locate.hpp>
#include <sparse/parallel.hpp>
#include <sparse/solvers/poisson/couplings.hpp>

namespace sparse::poisson::detail {

/// The matrix rows of the cells of a run. Steps count cells from its first one; pointers are to that one's value.
template <bool uniform, class T, int Dim>
struct RunRows {
  CouplingRun<T, Dim> run;
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
  /// (A x) of a cell, from differences, which lose fewer digits.
  KOKKOS_FORCEINLINE_FUNCTION T applied(T const* x, int step) const {
    T const here = x[step];
    T sum = extra(step) * here;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) sum += weight(arm, step) * (here - x[run.offset[arm] + step]);
    return sum;
  }
};

/// Calls `body.along(rows)` for each run of a range.
template <class Body, class T, int Dim>
void for_runs(CouplingView<T, Dim> const& view, RunGroup const& group, Body const& body) {
  for (Index r = group.begin; r < group.end; ++r)
    if (view.runs[r].is_uniform)
      body.along(RunRows<true, T, Dim>(view, r));
    else
      body.along(RunRows<false, T, Dim>(view, r));
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
/// `body.store(rows, step, body.value(rows, step))`, with `InPlace` the type of the value.
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
    if (count == 1) {  // at the ends of intervals there are many
      local(rows, 0);
      return;
    }
    if constexpr (requires { typename Body::InPlace; }) {
      // Loads of neighbours that overlap the store before them would wait for it.
      constexpr int piece = 512;
      typename Body::InPlace values[piece];
      for (int begin = 0; begin < count; begin += piece) {
        int const end = begin + piece < count ? begin + piece : count;
        SPARSE_INDEPENDENT_ITERATIONS
        for (int step = begin; step < end; ++step) values[step - begin] = local.value(rows, step);
        SPARSE_INDEPENDENT_ITERATIONS
        for (int step = begin; step < end; ++step) local.store(rows, step, values[step - begin]);
      }
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
      if (count == 1)
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
  T const* x;
  T* result;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    result[rows.run.first + step] = rows.applied(x + rows.run.first, step);
  }
};

/// r = b - A x; adds up r^2.
template <class T>
struct Residual {
  static constexpr int sum_count = 1;
  T const *b, *x;
  T* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    Index const cell = rows.run.first + step;
    T const value = b[cell] - rows.applied(x + rows.run.first, step);
    r[cell] = value;
    sum += static_cast<double>(value) * static_cast<double>(value);
  }
};

/// r = b - A x, where B is the type of b
template <class T, class B>
struct Difference {
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
  KOKKOS_FORCEINLINE_FUNCTION T value(Rows const& rows, int step) const {
    T const* const here = x + rows.run.first;
    T const solved =
        (static_cast<T>(b[rows.run.first + step]) + rows.from_neighbours(here, step)) * rows.inverse_diagonal(step);
    return here[step] + relaxation * (solved - here[step]);
  }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void store(Rows const& rows, int step, T wanted) const {
    T* const here = x + rows.run.first;
    here[step] = ((rows.run.colour + step) & 1) == colour ? wanted : here[step];
  }
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    if (((rows.run.colour + step) & 1) == colour) store(rows, step, value(rows, step));
  }
};

/// x = b / diagonal, which for one colour is what `Relax` makes of x = 0.
template <class T, class B>
struct Divide {
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
