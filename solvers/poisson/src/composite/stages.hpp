#pragma once
/// What is done to every leaf of a level, as stages of a pipeline.

#include <array>
#include <deque>
#include <vector>

#include "operator/rows.hpp"
#include "passes/sums.hpp"

namespace sparse::poisson::detail {

/// Sums by group of cells, up to four at once.
struct LeafSums {
  double s[4] = {0, 0, 0, 0};
};
/// The same without rounding.
using ExactLeafSums = std::array<distributed::ExactSum, 4>;

/// The sums of a level by group.
struct LeafTotals {
  double volume;  ///< of a cell, which weights the sums
  std::vector<LeafSums> parts;
  std::vector<ExactLeafSums> exact_parts;  ///< in place of these, or empty
};

/// Sums over the leaves of all levels, with their volumes as weights.
class LevelSums {
public:
  /// @param team      the ranks that share the leaves, or null
  /// @param is_exact  whether their number makes no difference
  explicit LevelSums(distributed::Team* team = nullptr, bool is_exact = false) : team_(team), is_exact_(is_exact) {}
  /// Where the sums of the next level go, which must live as long as this.
  LeafTotals& next(Chain const& chain, double volume);
  /// The first call ends the sums. Over ranks it is collective.
  double total(int k);

private:
  distributed::Team* team_;
  bool is_exact_;
  std::deque<LeafTotals> levels_;
  std::vector<double> totals_;  // once they are known
};

/// The rows of leaves as bodies see them: those within the level, and where values are.
/// @tparam marked  whether the leaves are at an interface
template <bool marked, class Rows>
struct LeafRows {
  Rows const& rows;
  Index first_leaf;

  /// Positions in `cells` and in `leaves`.
  KOKKOS_FORCEINLINE_FUNCTION Index cell(int step) const { return rows.run.first + step; }
  KOKKOS_FORCEINLINE_FUNCTION Index leaf(int step) const { return first_leaf + step; }
  /// What interfaces add to a row.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T extra(T const* values, int step) const {
    if constexpr (marked) return values[rows.run.parent + step];
    return 0;
  }
  /// A x, where `extras` is of x.
  template <class T, class X>
  KOKKOS_FORCEINLINE_FUNCTION T applied(X const* x, T const* extras, int step) const {
    return rows.applied(x + rows.run.first, step) + extra(extras, step);
  }
};

/// Calls `body(leaf_rows, step)` for each leaf.
template <class Body, class T, int Dim>
struct LeafStage {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  Body body;

  void operator()(Index g) const {
    for (Index r = groups[g].begin; r < groups[g].end; ++r)
      if (view.runs[r].is_uniform)
        along(RunRows<true, T, Dim>(view, r), view.starts[r]);
      else
        along(RunRows<false, T, Dim>(view, r), view.starts[r]);
  }
  template <class Rows>
  void along(Rows const& rows, Index first_leaf) const {
    if (rows.run.parent >= 0)
      loop(LeafRows<true, Rows>{rows, first_leaf}, rows.run.count);
    else
      loop(LeafRows<false, Rows>{rows, first_leaf}, rows.run.count);
  }
  template <class Leaves>
  void loop(Leaves const& leaves, int count) const {
    Body const local = body;
    SPARSE_INDEPENDENT_ITERATIONS
    for (int step = 0; step < count; ++step) local(leaves, step);
  }
  struct OnLeaf {
    CouplingView<T, Dim> view;
    Body body;
    KOKKOS_FUNCTION void operator()(Index leaf) const {
      Index const r = ::sparse::detail::last_at_most(view.starts, view.run_count, leaf);
      if (view.runs[r].is_uniform)
        call(RunRows<true, T, Dim>(view, r), r, leaf);
      else
        call(RunRows<false, T, Dim>(view, r), r, leaf);
    }
    template <class Rows>
    KOKKOS_FUNCTION void call(Rows const& rows, Index r, Index leaf) const {
      int const step = static_cast<int>(leaf - view.starts[r]);
      if (rows.run.parent >= 0)
        body(LeafRows<true, Rows>{rows, view.starts[r]}, step);
      else
        body(LeafRows<false, Rows>{rows, view.starts[r]}, step);
    }
  };
  void on_all(Context const& context) const {
    parallel_for(context, "sparse::poisson::leaves", view.cell_count, OnLeaf{view, body});
  }
};

template <class Body, class T, int Dim>
LeafStage<Body, T, Dim> leaf_stage(Couplings<T, Dim> const& level, Body const& body) {
  return {level.view(), level.groups().data(), body};
}

/// Calls `body(leaf_rows, step, s0, s1, s2, s3)`, which adds to sums.
template <class Body, class T, int Dim>
struct LeafSumStage {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  Body body;
  LeafSums* sums;
  ExactLeafSums* exact;  ///< in place of `sums`, or null

  /// Sums over every eighth leaf of a run. They are added up once per group, because runs of leaves are short.
  static constexpr int lane_count = 8;
  using Lanes = double[4][lane_count];

  using Terms = ExactTerms<Body::sum_count, ExactLeafSums>;

  void operator()(Index g) const {
    if (exact != nullptr) {
      exact[g] = {};
      Terms terms{{}, 0, exact + g};
      for_all_runs(g, terms);
      terms.add();
      return;
    }
    alignas(64) Lanes lanes = {};
    for_all_runs(g, lanes);
    sums[g] = {};
    for (int k = 0; k < Body::sum_count; ++k)
      for (double const part : lanes[k]) sums[g].s[k] += part;
  }
  template <class Totals>
  void for_all_runs(Index g, Totals& totals) const {
    for (Index r = groups[g].begin; r < groups[g].end; ++r)
      if (view.runs[r].is_uniform)
        along(RunRows<true, T, Dim>(view, r), view.starts[r], totals);
      else
        along(RunRows<false, T, Dim>(view, r), view.starts[r], totals);
  }
  template <class Rows, class Totals>
  void along(Rows const& rows, Index first_leaf, Totals& totals) const {
    if (rows.run.parent >= 0)
      loop(LeafRows<true, Rows>{rows, first_leaf}, rows.run.count, totals);
    else
      loop(LeafRows<false, Rows>{rows, first_leaf}, rows.run.count, totals);
  }
  template <class Leaves>
  void loop(Leaves const& leaves, int count, Terms& terms) const {
    Body const local = body;
    for (int begin = 0; begin < count;) {
      int const place = terms.count, part = std::min(count - begin, Terms::room - place);
      SPARSE_INDEPENDENT_ITERATIONS
      for (int i = 0; i < part; ++i) {
        double term[4] = {0, 0, 0, 0};
        local(leaves, begin + i, term[0], term[1], term[2], term[3]);
        for (int k = 0; k < Body::sum_count; ++k) terms.values[k][place + i] = term[k];
      }
      begin += part;
      terms.count += part;
      if (terms.count == Terms::room) terms.add();
    }
  }
  template <class Leaves>
  void loop(Leaves const& leaves, int count, Lanes& lanes) const {
    Body const local = body;
    auto const add = [&](int step, int lane) SPARSE_INLINE_LAMBDA {
      local(leaves, step, lanes[0][lane], lanes[1][lane], lanes[2][lane], lanes[3][lane]);
    };
    int begin = 0;
    for (; begin + lane_count <= count; begin += lane_count) {
      SPARSE_INDEPENDENT_ITERATIONS
      for (int lane = 0; lane < lane_count; ++lane) add(begin + lane, lane);
    }
    for (int lane = 0; begin + lane < count; ++lane) add(begin + lane, lane);
  }
  template <int k>
  struct OnLeaf {
    CouplingView<T, Dim> view;
    Body body;
    KOKKOS_FUNCTION void operator()(Index leaf, double& partial) const {
      Index const r = ::sparse::detail::last_at_most(view.starts, view.run_count, leaf);
      if (view.runs[r].is_uniform)
        call(RunRows<true, T, Dim>(view, r), r, leaf, partial);
      else
        call(RunRows<false, T, Dim>(view, r), r, leaf, partial);
    }
    template <class Rows>
    KOKKOS_FUNCTION void call(Rows const& rows, Index r, Index leaf, double& partial) const {
      int const step = static_cast<int>(leaf - view.starts[r]);
      LeafSums own;
      if (rows.run.parent >= 0)
        body(LeafRows<true, Rows>{rows, view.starts[r]}, step, own.s[0], own.s[1], own.s[2], own.s[3]);
      else
        body(LeafRows<false, Rows>{rows, view.starts[r]}, step, own.s[0], own.s[1], own.s[2], own.s[3]);
      partial += own.s[k];
    }
  };
  /// Calls bodies once per sum. So bodies may set values, but must not update them.
  void on_all(Context const& context) const {
    *sums = {{total<0>(context), Body::sum_count > 1 ? total<1>(context) : 0,
              Body::sum_count > 2 ? total<2>(context) : 0, Body::sum_count > 3 ? total<3>(context) : 0}};
  }
  template <int k>
  double total(Context const& context) const {
    return parallel_reduce<Kokkos::Sum, double>(context, "sparse::poisson::leaf_sum", view.cell_count,
                                                OnLeaf<k>{view, body});
  }
};

template <class Body, class T, int Dim>
LeafSumStage<Body, T, Dim> leaf_sums(Couplings<T, Dim> const& level, LeafTotals& totals, Body const& body) {
  return {level.view(), level.groups().data(), body, totals.parts.data(),
          totals.exact_parts.empty() ? nullptr : totals.exact_parts.data()};
}

// ---- bodies

/// Adds up x^2 and x. @tparam on_cells  where x is
template <class T, bool on_cells>
struct MomentsOfLeaf {
  static constexpr int sum_count = 2;
  T const* x;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step, double& square, double& sum, double&,
                                              double&) const {
    auto const value = static_cast<double>(x[on_cells ? at.cell(step) : at.leaf(step)]);
    square += value * value;
    sum += value;
  }
};
enum class AlsoOf { none, b, x };
/// Values of leaves to their places among the cells of the level.
template <class T>
struct ToCells {
  T const* leaves;
  T* cells;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    cells[at.cell(step)] = leaves[at.leaf(step)];
  }
};
/// And back. @tparam subtracts  both lose a constant first
template <class T, bool subtracts = false>
struct FromCells {
  T *cells, *leaves;
  T constant = 0;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    if constexpr (subtracts) cells[at.cell(step)] -= constant;
    leaves[at.leaf(step)] = cells[at.cell(step)];
  }
};
/// result = A x, where x is on cells
template <class T>
struct ApplyToLeaf {
  T const *x, *extra;
  T* result;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    result[at.leaf(step)] = at.applied(x, extra, step);
  }
};
/// r = b - A x, where r and x are on cells; adds up r^2 and r, and the same of another field.
template <class T, AlsoOf other>
struct ResidualOfLeaf {
  static constexpr int sum_count = other == AlsoOf::none ? 2 : 4;
  T const *b, *x, *extra;
  T* r;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step, double& square, double& sum,
                                              double& other_square, double& other_sum) const {
    T const value = b[at.leaf(step)] - at.applied(x, extra, step);
    r[at.cell(step)] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
    sum += static_cast<double>(value);
    if constexpr (other == AlsoOf::b) MomentsOfLeaf<T, false>{b}(at, step, other_square, other_sum, square, sum);
    if constexpr (other == AlsoOf::x) MomentsOfLeaf<T, true>{x}(at, step, other_square, other_sum, square, sum);
  }
};
template <class T>
struct SubtractFromLeaf {
  T* x;
  T constant;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    x[at.cell(step)] -= constant;
  }
};
/// b += extra, which is only at interfaces
template <class T>
struct AddExtra {
  T const* extra;
  T* b;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    b[at.leaf(step)] -= at.extra(extra, step);
  }
};

}  // namespace sparse::poisson::detail
