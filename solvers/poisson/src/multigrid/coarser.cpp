/// Coarse matrices, from the runs of the finer ones.

#include <sparse/base/parallel.hpp>
#include <sparse/sets/scaling.hpp>

#include "arm_values.hpp"
#include "cut_runs.hpp"
#include "operator/couplings.hpp"

namespace sparse::poisson::detail {
namespace {

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

template <class T, int Dim, unsigned groups>
struct FillCuts {
  using Cut = CutRuns<T, Dim, groups>;
  Cut cut;
  Count const* first;
  CouplingRun<T, Dim>* runs;
  Index* starts;

  struct Sink {
    Cut const& cut;
    CouplingRun<T, Dim>* run;
    Index* start;
    KOKKOS_FUNCTION void operator()(Index r, Coord begin, Coord end, typename Cut::Couplings const* all) {
      auto to = placed<T, Dim, groups>(cut.plan.runs[r], begin, end);
      if (all != nullptr) {
        for (int arm = 0; arm < 2 * Dim; ++arm) to.weight[arm] = all->weight[arm];
        make_uniform(to, all->dirichlet, all->zeroth);
      }
      *run++ = to;
      *start++ = cut.plan.starts[r] + begin;
    }
  };
  KOKKOS_FUNCTION void operator()(Index task) const {
    Sink sink{cut, runs + first[task].value, starts + first[task].value};
    cut(task, sink);
    if (cut.end_of(task) == cut.plan.run_count) *sink.start = cut.plan.cell_count;
  }
};

/// Gives every cell its couplings.
template <class T, int Dim, unsigned groups>
struct FillArrays {
  using Cut = CutRuns<T, Dim, groups>;
  Cut cut;
  FieldView<T> arrays;

  KOKKOS_FUNCTION void fill(int component, Index first, Index end, T value) const {
    for (Index cell = first; cell < end; ++cell) arrays(component, cell) = value;
  }
  KOKKOS_FUNCTION void operator()(Index first, Index end, typename Cut::Couplings const& own, T const (&)[2 * Dim],
                                  Aggregate<T, Dim> const&) const {
    for (int axis = 0; axis < Dim; ++axis) fill(axis, first, end, own.weight[2 * axis]);
    fill(dirichlet_component<Dim>, first, end, own.dirichlet);
    fill(zeroth_component<Dim>, first, end, own.zeroth);
  }
  KOKKOS_FUNCTION void operator()(Index task) const { cut.for_equal_cells(task, *this); }
};

/// See `Couplings::offsets`.
template <class T, int Dim, unsigned groups>
struct FillOffsets {
  using Cut = CutRuns<T, Dim, groups>;
  Cut cut;
  ArmValues<T> offsets;

  KOKKOS_FUNCTION void operator()(Index first, Index end, typename Cut::Couplings const& own,
                                  T const (&distance)[2 * Dim], Aggregate<T, Dim> const& aggregate) const {
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      T const shift = aggregate.side[arm] - aggregate.centre[arm / 2], away = arm % 2 == 0 ? -shift : shift;
      T const reach = own.weight[arm] > 0 ? distance[arm] : T(0);
      for (Index cell = first; cell < end; ++cell) {
        offsets.of(arm)[cell] = away;
        offsets.of(2 * Dim + arm)[cell] = reach;
      }
    }
  }
  KOKKOS_FUNCTION void operator()(Index task) const { cut.for_equal_cells(task, *this); }
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
Couplings<T, Dim> Couplings<T, Dim>::gathered() const {
  Couplings coarse;
  coarse.cells_ = coarsen(cells_);
  coarse.seams_ = seams_.coarser();
  coarse.axis_weight_ = axis_weight_;
  for (int axis = 0; axis < Dim; ++axis) coarse.extent_[axis] = (extent_[axis] + 1) / 2;
  coarse.gather_from(*this);
  return coarse;
}

template <class T, int Dim>
void Couplings<T, Dim>::complete(Couplings& fine) {
  if (has_period())
    make_coarse_runs<with_wrapped>();
  else
    make_coarse_runs<neighbours_alone>();
  make_groups();
  fine.find_parents(cells_);
}

template <class T, int Dim>
void Couplings<T, Dim>::find_parents(IntervalSet<Dim> const& coarse) {
  SetView const set = coarse.view();
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
}

template <class T, int Dim>
void Couplings<T, Dim>::gather_from(Couplings const& fine) {
  SetView const set = cells_.view();
  aggregates_ = std::make_shared<Aggregates<T, Dim>>(
      fine.aggregates_ ? make_aggregates<T, Dim>(context(), set, fine.aggregates_->view(fine.cells_.view()))
                       : make_aggregates<T, Dim>(context(), set, fine.finest_cells()));
  auto const& stretches = aggregates_->stretches;
  split_cells_ = parallel_reduce<Kokkos::Sum, Index>(context(), "sparse::poisson::split", stretches.size(),
                                                     CountSplit<T, Dim>{stretches.data()});
}

template <class T, int Dim>
Buffer<T> Couplings<T, Dim>::offsets(Index stride) const {
  return has_period() ? make_offsets<with_wrapped>(stride) : make_offsets<neighbours_alone>(stride);
}
template <class T, int Dim>
template <unsigned groups>
Buffer<T> Couplings<T, Dim>::make_offsets(Index stride) const {
  Buffer<T> values(context(), 4 * Dim * stride);
  Operands<Dim, groups> const operands(cells_, period());
  Plan<Dim, operand_count<Dim>(groups)> const plan(cells_, operands.list);
  CutRuns<T, Dim, groups> const cut{plan.view(), aggregates_->view(cells_.view()), seams_};
  parallel_for(context(), "sparse::poisson::offsets", cut.task_count(),
               FillOffsets<T, Dim, groups>{cut, {values.data(), stride}});
  context().fence();
  return values;
}

template <class T, int Dim>
template <unsigned groups>
void Couplings<T, Dim>::make_coarse_runs() {
  auto const execution = context();
  SetView const set = cells_.view();
  Operands<Dim, groups> const operands(cells_, period());
  Plan<Dim, operand_count<Dim>(groups)> const plan(cells_, operands.list);
  CutRuns<T, Dim, groups> const cut{plan.view(), aggregates_->view(set), seams_};
  auto const first = count_and_scan<Count>(execution, "sparse::poisson::count_runs", cut.task_count(),
                                           CountEmitted<CutRuns<T, Dim, groups>>{cut});
  Index const count = read_back(execution, first.data() + cut.task_count()).value;
  runs_ = Buffer<CouplingRun<T, Dim>>(execution, count);
  starts_ = Buffer<Index>(execution, count + 1);
  parallel_for(execution, "sparse::poisson::fill_runs", cut.task_count(),
               FillCuts<T, Dim, groups>{cut, first.data(), runs_.data(), starts_.data()});
  if (parallel_reduce<Kokkos::Min, int>(execution, "sparse::poisson::are_uniform", count,
                                        LeastUniform<T, Dim>{runs_.data()}) != 0)
    return;
  arrays_ = Field<T, Dim>("couplings", cells_, Dim + 2);
  parallel_for(execution, "sparse::poisson::fill_arrays", cut.task_count(),
               FillArrays<T, Dim, groups>{cut, arrays_.view()});
  execution.fence();
}

template <class T, int Dim>
FinestCells<T, Dim> Couplings<T, Dim>::finest_cells() const {
  FinestCells<T, Dim> cells{view(), {}};
  for (int axis = 0; axis < Dim; ++axis) cells.axis_weight[axis] = static_cast<T>(axis_weight_[axis]);
  return cells;
}

template Couplings<float, 2> Couplings<float, 2>::gathered() const;
template void Couplings<float, 2>::complete(Couplings<float, 2>&);
template void Couplings<float, 2>::find_parents(IntervalSet<2> const&);
template FinestCells<float, 2> Couplings<float, 2>::finest_cells() const;
template void Couplings<float, 2>::gather_from(Couplings const&);
template Buffer<float> Couplings<float, 2>::offsets(Index) const;
template Couplings<float, 3> Couplings<float, 3>::gathered() const;
template void Couplings<float, 3>::complete(Couplings<float, 3>&);
template void Couplings<float, 3>::find_parents(IntervalSet<3> const&);
template FinestCells<float, 3> Couplings<float, 3>::finest_cells() const;
template void Couplings<float, 3>::gather_from(Couplings const&);
template Buffer<float> Couplings<float, 3>::offsets(Index) const;
template Couplings<double, 2> Couplings<double, 2>::gathered() const;
template void Couplings<double, 2>::complete(Couplings<double, 2>&);
template void Couplings<double, 2>::find_parents(IntervalSet<2> const&);
template FinestCells<double, 2> Couplings<double, 2>::finest_cells() const;
template void Couplings<double, 2>::gather_from(Couplings const&);
template Buffer<double> Couplings<double, 2>::offsets(Index) const;
template Couplings<double, 3> Couplings<double, 3>::gathered() const;
template void Couplings<double, 3>::complete(Couplings<double, 3>&);
template void Couplings<double, 3>::find_parents(IntervalSet<3> const&);
template FinestCells<double, 3> Couplings<double, 3>::finest_cells() const;
template void Couplings<double, 3>::gather_from(Couplings const&);
template Buffer<double> Couplings<double, 3>::offsets(Index) const;

}  // namespace sparse::poisson::detail
