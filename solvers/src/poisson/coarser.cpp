/// Coarse matrices, from the runs of the finer ones.

#include <sparse/parallel.hpp>
#include <sparse/scaling.hpp>
#include <sparse/solvers/poisson/couplings.hpp>

#include "structure.hpp"

namespace sparse::poisson::detail {
namespace {

/// What a cell brings along: the couplings to its lower neighbours, and the rest of its diagonal.
template <class T, int Dim>
struct OwnCouplings {
  T lower[Dim], dirichlet, zeroth;

  KOKKOS_FORCEINLINE_FUNCTION bool operator==(OwnCouplings const& b) const {
    bool equal = dirichlet == b.dirichlet && zeroth == b.zeroth;
    for (int axis = 0; axis < Dim; ++axis) equal = equal && lower[axis] == b.lower[axis];
    return equal;
  }
};

/// Those of the cells from x to where the next stretch begins, or the interval ends.
template <class T, int Dim>
struct Stretch {
  Coord x;
  OwnCouplings<T, Dim> own;
};

/// The stretches of all rows of a set.
template <class T, int Dim>
struct StretchView {
  SetView set;
  Count const* starts;  ///< [row_count + 1]
  Stretch<T, Dim> const* stretches;

  /// The last stretch of the row of `key` that begins at or before x.
  KOKKOS_FUNCTION Stretch<T, Dim> const* find(RowKey key, Coord x) const {
    Index const row = set.find_row(key);
    Index first = starts[row].value, count = starts[row + 1].value - first;
    while (count > 1) {
      Index const half = count / 2;
      bool const right = stretches[first + half].x <= x;
      first += right ? half : 0;
      count = right ? count - half : half;
    }
    return stretches + first;
  }
  /// Where the stretch ends, as far as stretches can tell.
  KOKKOS_FUNCTION Coord end(Stretch<T, Dim> const* stretch) const {
    Index const row_end = starts[set.row_count].value;
    Stretch<T, Dim> const* const next = stretch + 1;
    return next < stretches + row_end && next->x > stretch->x ? next->x : coord_limit;
  }
};

/// Galerkin products of a coarse row with what aggregation makes of the rows of its children, over two. Inside of
/// uniform runs all coarse cells get the same, so this walks along runs, not cells.
template <class T, int Dim>
struct AggregateRow {
  SetView coarse;
  CouplingView<T, Dim> fine;
  static constexpr int child_rows = 1 << (Dim - 1);

  /// The first run at or after the row of `key`.
  KOKKOS_FUNCTION Index first_run(RowKey key) const {
    Index first = 0, count = fine.run_count;
    while (count > 0) {
      Index const half = count / 2;
      bool const right = fine.runs[first + half].key < key;
      first += right ? half + 1 : 0;
      count = right ? count - half - 1 : half;
    }
    return first;
  }

  KOKKOS_FUNCTION OwnCouplings<T, Dim> of_cell(CouplingRun<T, Dim> const& run, Coord x) const {
    OwnCouplings<T, Dim> own;
    bool const uniform = run.is_uniform != 0;
    Index const cell = run.first + (x - run.x);
    for (int axis = 0; axis < Dim; ++axis) own.lower[axis] = uniform ? run.weight[2 * axis] : fine.lower[axis][cell];
    own.dirichlet = uniform ? run.dirichlet : fine.dirichlet[cell];
    own.zeroth = uniform ? run.zeroth : fine.zeroth[cell];
    return own;
  }

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index row, Sink& sink) const {
    RowKey const key = coarse.key(row);
    Index cursor[child_rows], end[child_rows];
    for (int k = 0; k < child_rows; ++k) {
      Vec<Coord, Dim> child{};
      for (int axis = 1; axis < Dim; ++axis) child[axis] = (k >> (axis - 1)) & 1;
      RowKey const child_key = 2 * key + row_key(child);
      cursor[k] = end[k] = first_run(child_key);
      while (end[k] < fine.run_count && fine.runs[end[k]].key == child_key) ++end[k];
    }
    Row const intervals = coarse.row(row);
    for (Index i = 0; i < intervals.interval_count(); ++i)
      for (Coord x = intervals[i].begin; x < intervals[i].end;) {
        Coord length = intervals[i].end - x;
        OwnCouplings<T, Dim> sum{};
        for (int k = 0; k < child_rows; ++k) add_row(k, x, cursor[k], end[k], sum, length);
        constexpr T half_mean = T(0.5) / (1 << Dim);
        for (int axis = 0; axis < Dim; ++axis) sum.lower[axis] *= half_mean;
        sum.dirichlet *= half_mean;
        sum.zeroth *= 2 * half_mean;
        sink(Stretch<T, Dim>{x, sum});
        x += length;
      }
  }

  /// Adds what the two children of x in a row bring along, and shortens `length` to the cells of which this holds.
  KOKKOS_FUNCTION void add_row(int k, Coord x, Index& cursor, Index end, OwnCouplings<T, Dim>& sum,
                               Coord& length) const {
    Coord const first = 2 * x;
    while (cursor < end && fine.runs[cursor].x + fine.runs[cursor].count <= first) ++cursor;
    if (cursor == end) return;
    auto const& run = fine.runs[cursor];
    if (run.x >= first + 2) {
      length = least(length, (run.x - first) / 2);
    } else if (run.is_uniform != 0 && run.x <= first && run.x + run.count >= first + 2) {
      length = least(length, (run.x + run.count - first) / 2);
      auto const own = of_cell(run, first);
      add(k, 0, own, sum);
      add(k, 1, own, sum);
    } else {
      length = 1;
      Index at = cursor;
      for (int child = 0; child < 2; ++child) {
        while (at < end && fine.runs[at].x + fine.runs[at].count <= first + child) ++at;
        if (at < end && fine.runs[at].x <= first + child) add(k, child, of_cell(fine.runs[at], first + child), sum);
      }
    }
  }
  KOKKOS_FUNCTION static Coord least(Coord a, Coord b) { return a < b ? a : b; }
  /// Couplings between children of the same cell do not count.
  KOKKOS_FUNCTION static void add(int k, int child, OwnCouplings<T, Dim> const& own, OwnCouplings<T, Dim>& sum) {
    if (child == 0) sum.lower[0] += own.lower[0];
    for (int axis = 1; axis < Dim; ++axis)
      if (((k >> (axis - 1)) & 1) == 0) sum.lower[axis] += own.lower[axis];
    sum.dirichlet += own.dirichlet;
    sum.zeroth += own.zeroth;
  }
};

/// Cuts the runs of equal neighbours into runs of equal couplings and what is left between them.
template <class T, int Dim, int K>
struct CutRuns {
  static constexpr Coord least_uniform = 16;  // fewer cells are not worth a run of their own
  PlanView<K> plan;
  StretchView<T, Dim> stretches;
  Vec<Coord, Dim> period;

  struct Couplings {
    T weight[2 * Dim], dirichlet, zeroth;
    KOKKOS_FUNCTION bool operator==(Couplings const& b) const {
      bool equal = dirichlet == b.dirichlet && zeroth == b.zeroth;
      for (int arm = 0; arm < 2 * Dim; ++arm) equal = equal && weight[arm] == b.weight[arm];
      return equal;
    }
  };

  /// The couplings of the cell at x, and `length` of how many from there on.
  KOKKOS_FUNCTION Couplings at(Run<K> const& run, Coord x, Coord& length) const {
    auto const* const here = stretches.find(run.key, x);
    Coord const rest = stretches.end(here) - x;
    length = rest < length ? rest : length;
    Couplings result{{}, here->own.dirichlet, here->own.zeroth};
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Index offset = 0;
      if (!find_arm<Dim>(run, arm, offset)) continue;
      int const axis = arm / 2;
      if (arm % 2 == 0) {
        result.weight[arm] = here->own.lower[axis];
      } else if (axis == 0) {
        // All but the last cell of a stretch have a neighbour in the same one.
        bool const is_near = has(run, neighbour_operand<Dim>(arm));
        if (length > 1 && is_near) --length;
        Coord const next = is_near ? x + 1 : x + 1 - period[0];
        result.weight[arm] = rest > 1 && is_near ? here->own.lower[0] : stretches.find(run.key, next)->own.lower[0];
      } else {
        Coord const step = has(run, neighbour_operand<Dim>(arm)) ? 1 : 1 - period[axis];
        auto const* const upper = stretches.find(run.key + row_key(Vec<Coord, Dim>::along(axis, step)), x);
        Coord const upper_rest = stretches.end(upper) - x;
        length = upper_rest < length ? upper_rest : length;
        result.weight[arm] = upper->own.lower[axis];
      }
    }
    return result;
  }

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index r, Sink& sink) const {
    Run<K> const& run = plan.runs[r];
    auto const count = static_cast<Coord>(plan.starts[r + 1] - plan.starts[r]);
    Coord begin = 0;
    for (Coord step = 0; step < count;) {
      Coord length = count - step;
      Couplings const first = at(run, run.x + step, length);
      Coord end = step + length;
      while (end < count) {
        length = count - end;
        if (!(at(run, run.x + end, length) == first)) break;
        end += length;
      }
      if (end - step >= least_uniform || end - step == count) {
        if (begin < step) sink(run, begin, step, nullptr);
        sink(run, step, end, &first);
        begin = end;
      }
      step = end;
    }
    if (begin < count) sink(run, begin, count, nullptr);
  }
};

// ---- count, scan, fill

template <class Emit>
struct CountEmitted {
  Emit emit;
  struct Sink {
    Index count = 0;
    template <class... Anything>
    KOKKOS_FUNCTION void operator()(Anything const&...) {
      ++count;
    }
  };
  KOKKOS_FUNCTION Count operator()(Index i) const {
    Sink sink;
    emit(i, sink);
    return {sink.count};
  }
};

template <class T, int Dim>
struct FillStretches {
  AggregateRow<T, Dim> aggregate;
  Count const* starts;
  Stretch<T, Dim>* stretches;
  struct Sink {
    Stretch<T, Dim>* next;
    KOKKOS_FUNCTION void operator()(Stretch<T, Dim> const& stretch) { *next++ = stretch; }
  };
  KOKKOS_FUNCTION void operator()(Index row) const {
    Sink sink{stretches + starts[row].value};
    aggregate(row, sink);
  }
};

template <class T, int Dim, int K>
struct FillCuts {
  using Cut = CutRuns<T, Dim, K>;
  Cut cut;
  Count const* first;
  CouplingRun<T, Dim>* runs;
  Index* starts;

  struct Sink {
    CouplingRun<T, Dim>* run;
    Index *start, before;
    KOKKOS_FUNCTION void operator()(Run<K> const& from, Coord begin, Coord end, typename Cut::Couplings const* all) {
      auto to = placed<T, Dim>(from, begin, end);
      if (all != nullptr) {
        for (int arm = 0; arm < 2 * Dim; ++arm) to.weight[arm] = all->weight[arm];
        make_uniform(to, all->dirichlet, all->zeroth);
      }
      *run++ = to;
      *start++ = before + begin;
    }
  };
  KOKKOS_FUNCTION void operator()(Index r) const {
    Sink sink{runs + first[r].value, starts + first[r].value, cut.plan.starts[r]};
    cut(r, sink);
    if (r + 1 == cut.plan.run_count) *sink.start = cut.plan.starts[r + 1];
  }
};

/// Gives every cell its couplings.
template <class T, int Dim>
struct ExpandRow {
  StretchView<T, Dim> stretches;
  FieldView<T> arrays;
  KOKKOS_FUNCTION void operator()(Index row) const {
    SetView const& set = stretches.set;
    Index at = stretches.starts[row].value;
    Index const end = stretches.starts[row + 1].value;
    for (Index i = set.row_ptr[row]; i < set.row_ptr[row + 1]; ++i) {
      Interval const interval = set.intervals[i];
      for (Coord x = interval.begin; x < interval.end;) {
        while (at + 1 < end && stretches.stretches[at + 1].x <= x) ++at;
        auto const own = stretches.stretches[at].own;
        Coord const next = at + 1 < end ? stretches.stretches[at + 1].x : interval.end;
        Coord const stop = next < interval.end ? next : interval.end;
        for (Index cell = set.cell_offsets[i] + (x - interval.begin); x < stop; ++x, ++cell) {
          for (int axis = 0; axis < Dim; ++axis) arrays(axis, cell) = own.lower[axis];
          arrays(dirichlet_component<Dim>, cell) = own.dirichlet;
          arrays(zeroth_component<Dim>, cell) = own.zeroth;
        }
      }
    }
  }
};

template <class T, int Dim>
struct FindParents {
  CouplingRun<T, Dim>* runs;
  SetView coarse;
  KOKKOS_FUNCTION void operator()(Index r) const {
    Vec<Coord, Dim> parent = cell_at<Dim>(runs[r].key, runs[r].x);
    for (int axis = 0; axis < Dim; ++axis) parent[axis] >>= 1;
    runs[r].parent = coarse.find(parent);
  }
};

template <class T, int Dim>
struct LeastUniform {
  CouplingRun<T, Dim> const* runs;
  KOKKOS_FUNCTION void operator()(Index r, int& least) const {
    least = runs[r].is_uniform < least ? runs[r].is_uniform : least;
  }
};

}  // namespace

template <class T, int Dim>
Couplings<T, Dim> Couplings<T, Dim>::coarser() {
  Couplings coarse;
  coarse.cells_ = coarsen(cells_);
  bool has_period = false;
  for (int axis = 0; axis < Dim; ++axis) {
    coarse.period_[axis] = period_[axis] / 2;
    has_period |= period_[axis] > 0;
  }
  if (has_period)
    coarse.template make_coarse_runs<with_period<Dim>>(*this);
  else
    coarse.template make_coarse_runs<with_neighbours<Dim>>(*this);
  coarse.make_groups();

  SetView const set = coarse.cells_.view();
  parallel_for(context(), "sparse::poisson::parents", runs_.size(), FindParents<T, Dim>{runs_.data(), set});
  if constexpr (is_host_backend) {
    context().fence();
    Index begin = 0;
    for (auto& group : groups_) {
      Index const row = set.lower_row(row_key(Vec<Coord, Dim>::along(Dim - 1, group.last_plane / 2 + 1)));
      group.first_parent = begin;
      begin = group.end_parent = row < set.row_count ? set.cell_offsets[set.row_ptr[row]] : set.cell_count;
    }
  }
  return coarse;
}

template <class T, int Dim>
template <int K>
void Couplings<T, Dim>::make_coarse_runs(Couplings const& fine) {
  auto const execution = context();
  SetView const set = cells_.view();
  AggregateRow<T, Dim> const aggregate{set, fine.view()};
  auto const stretch_starts = count_and_scan<Count>(execution, "sparse::poisson::count_stretches", set.row_count,
                                                    CountEmitted<AggregateRow<T, Dim>>{aggregate});
  Buffer<Stretch<T, Dim>> const stretches(execution, read_back(execution, stretch_starts.data() + set.row_count).value);
  parallel_for(execution, "sparse::poisson::fill_stretches", set.row_count,
               FillStretches<T, Dim>{aggregate, stretch_starts.data(), stretches.data()});
  StretchView<T, Dim> const view{set, stretch_starts.data(), stretches.data()};

  Operands<Dim, K> const operands(cells_, period_);
  Plan<Dim, K> const plan(cells_, operands.list);
  CutRuns<T, Dim, K> const cut{plan.view(), view, period_};
  auto const first = count_and_scan<Count>(execution, "sparse::poisson::count_runs", plan.run_count(),
                                           CountEmitted<CutRuns<T, Dim, K>>{cut});
  Index const count = read_back(execution, first.data() + plan.run_count()).value;
  runs_ = Buffer<CouplingRun<T, Dim>>(execution, count);
  starts_ = Buffer<Index>(execution, count + 1);
  parallel_for(execution, "sparse::poisson::fill_runs", plan.run_count(),
               FillCuts<T, Dim, K>{cut, first.data(), runs_.data(), starts_.data()});
  if (parallel_reduce<Kokkos::Min, int>(execution, "sparse::poisson::are_uniform", count,
                                        LeastUniform<T, Dim>{runs_.data()}) != 0)
    return;
  arrays_ = Field<T, Dim>("couplings", cells_, Dim + 2);
  parallel_for(execution, "sparse::poisson::expand", set.row_count, ExpandRow<T, Dim>{view, arrays_.view()});
  execution.fence();
}

template Couplings<float, 2> Couplings<float, 2>::coarser();
template Couplings<float, 3> Couplings<float, 3>::coarser();
template Couplings<double, 2> Couplings<double, 2>::coarser();
template Couplings<double, 3> Couplings<double, 3>::coarser();

}  // namespace sparse::poisson::detail
