/// Coarse matrices, from the runs of the finer ones.

#include <sparse/parallel.hpp>
#include <sparse/scaling.hpp>
#include <sparse/solvers/poisson/couplings.hpp>

#include "aggregates.hpp"
#include "structure.hpp"

namespace sparse::poisson::detail {
namespace {

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
    auto const shorten = [&length](Coord most) { length = most < length ? most : length; };
    shorten(here->end - x);
    Couplings result{{}, here->aggregate.dirichlet(), here->aggregate.zeroth};
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Index offset = 0;
      if (!find_arm<Dim>(run, arm, offset)) continue;
      int const axis = arm / 2, side = arm % 2 == 0 ? -1 : 1;
      bool const is_near = has(run, neighbour_operand<Dim>(arm));
      Coord const step = is_near ? side : side * (1 - period[axis]);
      auto const* there = here;
      if (axis == 0) {
        Coord const next = x + step;
        if (next < here->x || next >= here->end) there = stretches.find(run.key, next);
        // Only the first cell of a stretch has its lower neighbour in another one, only the last its upper one.
        if (arm == 0 && there != here) length = 1;
        if (arm == 1 && there == here && is_near) shorten(here->end - 1 - x);
      } else {
        there = stretches.find(run.key + row_key(Vec<Coord, Dim>::along(axis, step)), x);
        shorten(there->end - x);
      }
      result.weight[arm] = arm % 2 == 0 ? here->aggregate.coupling(axis, there->aggregate)
                                        : there->aggregate.coupling(axis, here->aggregate);
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

template <class T, int Dim, class Make>
struct FillStretches {
  Make make;
  Count const* starts;
  Stretch<T, Dim>* stretches;
  struct Sink {
    Stretch<T, Dim>* next;
    KOKKOS_FUNCTION void operator()(Stretch<T, Dim> const& stretch) { *next++ = stretch; }
  };
  KOKKOS_FUNCTION void operator()(Index row) const {
    Sink sink{stretches + starts[row].value};
    make(row, sink);
  }
};

template <class T, int Dim, class Children>
Aggregates<T, Dim> make_aggregates(Context const& context, SetView const& coarse, Children const& children) {
  using Make = MakeStretches<T, Dim, Children>;
  Make const make{coarse, children};
  Aggregates<T, Dim> made;
  made.starts =
      count_and_scan<Count>(context, "sparse::poisson::count_stretches", coarse.row_count, CountEmitted<Make>{make});
  made.stretches = Buffer<Stretch<T, Dim>>(context, read_back(context, made.starts.data() + coarse.row_count).value);
  parallel_for(context, "sparse::poisson::fill_stretches", coarse.row_count,
               FillStretches<T, Dim, Make>{make, made.starts.data(), made.stretches.data()});
  return made;
}

template <class T, int Dim>
struct CountSplit {
  Stretch<T, Dim> const* stretches;
  KOKKOS_FUNCTION void operator()(Index i, Index& sum) const {
    if (stretches[i].aggregate.is_split) sum += stretches[i].end - stretches[i].x;
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
template <class T, int Dim, int K>
struct FillArrays {
  using Cut = CutRuns<T, Dim, K>;
  Cut cut;
  FieldView<T> arrays;

  struct Sink {
    FillArrays const& fill;
    KOKKOS_FUNCTION void operator()(Run<K> const& run, Coord begin, Coord end, typename Cut::Couplings const* all) {
      for (Coord step = begin; step < end; ++step) {
        Coord one = 1;
        auto const own = all != nullptr ? *all : fill.cut.at(run, run.x + step, one);
        Index const cell = run.index[0] + step;
        for (int axis = 0; axis < Dim; ++axis) fill.arrays(axis, cell) = own.weight[2 * axis];
        fill.arrays(dirichlet_component<Dim>, cell) = own.dirichlet;
        fill.arrays(zeroth_component<Dim>, cell) = own.zeroth;
      }
    }
  };
  KOKKOS_FUNCTION void operator()(Index r) const {
    Sink sink{*this};
    cut(r, sink);
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
  coarse.aggregates_ = std::make_shared<Aggregates<T, Dim>>();
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
  if (fine.aggregates_) {
    *aggregates_ = make_aggregates<T, Dim>(execution, set, fine.aggregates_->view(fine.cells_.view()));
  } else {
    *aggregates_ = make_aggregates<T, Dim>(execution, set, fine.finest_cells());
  }
  split_cells_ = parallel_reduce<Kokkos::Sum, Index>(execution, "sparse::poisson::split", aggregates_->stretches.size(),
                                                     CountSplit<T, Dim>{aggregates_->stretches.data()});

  Operands<Dim, K> const operands(cells_, period_);
  Plan<Dim, K> const plan(cells_, operands.list);
  CutRuns<T, Dim, K> const cut{plan.view(), aggregates_->view(set), period_};
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
  parallel_for(execution, "sparse::poisson::fill_arrays", plan.run_count(), FillArrays<T, Dim, K>{cut, arrays_.view()});
  execution.fence();
}

template <class T, int Dim>
FinestCells<T, Dim> Couplings<T, Dim>::finest_cells() const {
  FinestCells<T, Dim> cells{view(), {}};
  for (int axis = 0; axis < Dim; ++axis) cells.axis_weight[axis] = static_cast<T>(axis_weight_[axis]);
  return cells;
}

template Couplings<float, 2> Couplings<float, 2>::coarser();
template FinestCells<float, 2> Couplings<float, 2>::finest_cells() const;
template Couplings<float, 3> Couplings<float, 3>::coarser();
template FinestCells<float, 3> Couplings<float, 3>::finest_cells() const;
template Couplings<double, 2> Couplings<double, 2>::coarser();
template FinestCells<double, 2> Couplings<double, 2>::finest_cells() const;
template Couplings<double, 3> Couplings<double, 3>::coarser();
template FinestCells<double, 3> Couplings<double, 3>::finest_cells() const;

}  // namespace sparse::poisson::detail
