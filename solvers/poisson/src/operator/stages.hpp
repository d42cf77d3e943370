#pragma once
/// What is done to every cell of a level, as stages of a pipeline.

#include <algorithm>

#include "passes/sums.hpp"
#include "rows.hpp"

namespace sparse::poisson::detail {

/// A stage that calls `body(rows, step)` for each cell.
///
/// A body that changes values which it also reads from neighbours has a type `InPlace` instead, that of the value; the
/// stage does `body.values(rows)[step] = body.value(rows, step)`. A body with `may_repeat` can be called twice for a
/// cell with the same result as once.
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
      // Values go through a buffer: a load that overlaps the store just before it would wait.
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
  void on_all(Context const& context) const {
    parallel_for(context, "sparse::poisson::stage", view.cell_count, OnCell<Body, T, Dim>{view, body});
  }
};

template <class Body, class T, int Dim>
CellStage<Body, T, Dim> cell_stage(Couplings<T, Dim> const& level, Body const& body) {
  return {level.view(), level.groups().data(), body};
}

/// A stage that does something to each cell and adds to sums: `body(rows, step, s0, s1, s2)`.
template <class Body, class T, int Dim>
struct SumStage {
  CouplingView<T, Dim> view;
  RunGroup const* groups;
  Body body;
  Sums* sums;
  ExactSums* exact;  ///< in place of `sums` over ranks, else null

  void operator()(Index g) const {
    if (exact != nullptr) return add_exactly(g);
    sums[g] = {};
    for_runs(view, groups[g], OnRun{body, sums + g});
  }
  void add_exactly(Index g) const {
    exact[g] = {};
    Terms terms{{}, 0, exact + g};
    for_runs(view, groups[g], OnRunExactly{body, &terms});
    terms.add();
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
      if (rows.run.is_foreign == 0) *total += {{s0, s1, s2}};
    }
  };
  using Terms = ExactTerms<Body::sum_count, ExactSums>;
  struct OnRunExactly {
    Body body;
    Terms* terms;
    template <class Rows>
    void along(Rows const& rows) const {
      Body const local = body;
      for (int begin = 0; begin < rows.run.count;) {
        int const place = terms->count, count = std::min(rows.run.count - begin, Terms::room - place);
        SPARSE_INDEPENDENT_ITERATIONS
        for (int i = 0; i < count; ++i) {
          double term[3] = {0, 0, 0};
          local(rows, begin + i, term[0], term[1], term[2]);
          for (int k = 0; k < Body::sum_count; ++k) terms->values[k][place + i] = term[k];
        }
        begin += count;
        if (rows.run.is_foreign != 0) continue;
        terms->count += count;
        if (terms->count == Terms::room) terms->add();
      }
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
  /// Calls bodies once per sum. So bodies may set values, but must not update them.
  void on_all(Context const& context) const {
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
  return {level.view(), level.groups().data(), body, sums.data(), sums.exact_data()};
}

}  // namespace sparse::poisson::detail
