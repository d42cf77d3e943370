/// Coarse matrices, from the runs of the finer ones.

#include <sparse/parallel.hpp>
#include <sparse/scaling.hpp>
#include <sparse/solvers/poisson/couplings.hpp>
#include <sparse/solvers/poisson/transfers.hpp>

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

  /// Goes along runs in their order: the stretches that they are in, and those beside them.
  struct Walk {
    CutRuns const& cut;
    Run<K> run = {};
    ::sparse::detail::RowCursor rows[2 * Dim];  // [0] of the runs, [arm] beside them
    bool is_inside[2 * Dim] = {};               // whether the stretch below is one of the row
    Stretch<T, Dim> const *here = nullptr, *beside[2 * Dim] = {};

    KOKKOS_FUNCTION explicit Walk(CutRuns const& all) : cut(all) {}

    KOKKOS_FUNCTION Stretch<T, Dim> const* first_of_row(int which, RowKey key) {
      auto const& view = cut.stretches;
      return view.stretches + view.starts[rows[which].seek(view.set, key)].value;
    }
    KOKKOS_FUNCTION void enter(Run<K> const& next) {
      bool const is_new_row = here == nullptr || run.key != next.key;
      run = next;
      if (is_new_row) here = first_of_row(0, run.key);
      Index offset = 0;
      for (int arm = 2; arm < 2 * Dim; ++arm) {
        is_inside[arm] = is_inside[arm] && !is_new_row;
        if (!find_arm<Dim>(run, arm, offset)) continue;
        bool const is_near = has(run, neighbour_operand<Dim>(arm));
        RowKey const key = run.key + row_key(Vec<Coord, Dim>::along(arm / 2, step_of(arm)));
        if (!is_near)
          beside[arm] = cut.stretches.find(key, run.x);
        else if (!is_inside[arm])
          beside[arm] = first_of_row(arm, key);
        is_inside[arm] = is_near;
      }
    }
    KOKKOS_FUNCTION Coord step_of(int arm) const {
      Coord const side = arm % 2 == 0 ? -1 : 1;
      return has(run, neighbour_operand<Dim>(arm)) ? side : side * (1 - cut.period[arm / 2]);
    }
    /// That of the neighbour at a lower or upper arm of the row itself.
    KOKKOS_FUNCTION Stretch<T, Dim> const* beside_in_row(int arm, Coord x) const {
      Coord const next = x + step_of(arm);
      if (next >= here->x && next < here->end) return here;
      if (!has(run, neighbour_operand<Dim>(arm))) return cut.stretches.find(run.key, next);
      return arm == 0 ? here - 1 : here + 1;
    }

    /// The couplings of the cell at x, which must not come before that of the last call, and `length` of how many from
    /// there on. @param distance  set to those of the neighbours
    KOKKOS_FUNCTION Couplings at(Coord x, Coord& length, T (&distance)[2 * Dim]) {
      while (here->end <= x) ++here;
      auto const shorten = [&length](Coord most) { length = most < length ? most : length; };
      shorten(here->end - x);
      Couplings result{{}, here->aggregate.dirichlet(), here->aggregate.zeroth};
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        Index offset = 0;
        if (!find_arm<Dim>(run, arm, offset)) continue;
        int const axis = arm / 2;
        auto const*& there = beside[arm];
        if (axis == 0) {
          there = beside_in_row(arm, x);
          // Only the first cell of a stretch has its lower neighbour in another one, only the last its upper one.
          if (arm == 0 && there != here) length = 1;
          if (arm == 1 && there == here && has(run, neighbour_operand<Dim>(arm))) shorten(here->end - 1 - x);
        } else {
          while (there->end <= x) ++there;
          shorten(there->end - x);
        }
        auto const& upper = arm % 2 == 0 ? here->aggregate : there->aggregate;
        auto const& lower = arm % 2 == 0 ? there->aggregate : here->aggregate;
        distance[arm] = upper.distance(axis, lower);
        result.weight[arm] = upper.flux[axis] / distance[arm];
      }
      return result;
    }
    KOKKOS_FUNCTION Couplings at(Coord x, Coord& length) {
      T distance[2 * Dim];
      return at(x, length, distance);
    }
  };

  /// Runs are handled some at a time: it is cheap to find the rows beside one behind another.
  static constexpr Index task_runs = is_host_backend ? 16 : 1;
  Index task_count() const { return (plan.run_count + task_runs - 1) / task_runs; }
  KOKKOS_FUNCTION Index end_of(Index task) const {
    return (task + 1) * task_runs < plan.run_count ? (task + 1) * task_runs : plan.run_count;
  }
  KOKKOS_FUNCTION Coord count_of(Index r) const { return static_cast<Coord>(plan.starts[r + 1] - plan.starts[r]); }

  /// Calls `sink(run, begin, end, couplings)`, the latter null where they differ.
  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index task, Sink& sink) const {
    Walk walk(*this);
    for (Index r = task * task_runs; r < end_of(task); ++r) {
      walk.enter(plan.runs[r]);
      cut(r, walk, sink);
    }
  }
  template <class Sink>
  KOKKOS_FUNCTION void cut(Index r, Walk& walk, Sink& sink) const {
    Coord const count = count_of(r), x = walk.run.x;
    Coord begin = 0, length = count;
    Couplings next = walk.at(x, length);
    for (Coord step = 0; step < count;) {
      Couplings const first = next;
      Coord end = step + length;
      for (; end < count; end += length) {
        length = count - end;
        next = walk.at(x + end, length);
        if (!(next == first)) break;
      }
      if (end - step >= least_uniform || end - step == count) {
        if (begin < step) sink(r, begin, step, nullptr);
        sink(r, step, end, &first);
        begin = end;
      }
      step = end;
    }
    if (begin < count) sink(r, begin, count, nullptr);
  }

  /// Calls `sink(first, end, couplings, distances, aggregate)` for cells, by position, that have the same ones.
  template <class Sink>
  KOKKOS_FUNCTION void for_equal_cells(Index task, Sink const& sink) const {
    Walk walk(*this);
    for (Index r = task * task_runs; r < end_of(task); ++r) {
      walk.enter(plan.runs[r]);
      Coord const count = count_of(r);
      for (Coord step = 0, length = 0; step < count; step += length) {
        length = count - step;
        T distance[2 * Dim] = {};
        auto const couplings = walk.at(walk.run.x + step, length, distance);
        Index const first = walk.run.index[0] + step;
        sink(first, first + length, couplings, distance, walk.here->aggregate);
      }
    }
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
    Cut const& cut;
    CouplingRun<T, Dim>* run;
    Index* start;
    KOKKOS_FUNCTION void operator()(Index r, Coord begin, Coord end, typename Cut::Couplings const* all) {
      auto to = placed<T, Dim>(cut.plan.runs[r], begin, end);
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
template <class T, int Dim, int K>
struct FillArrays {
  using Cut = CutRuns<T, Dim, K>;
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

/// For each arm how far from a cell's centre its children on that side are, and behind all arms how far away the
/// neighbour is; 0 where there is none.
template <class T, int Dim, int K>
struct FillOffsets {
  using Cut = CutRuns<T, Dim, K>;
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
Couplings<T, Dim> Couplings<T, Dim>::coarser() {
  Couplings coarse;
  coarse.cells_ = coarsen(cells_);
  for (int axis = 0; axis < Dim; ++axis) coarse.period_[axis] = period_[axis] / 2;
  coarse.gather_from(*this);
  if (has_period())
    coarse.template make_coarse_runs<with_period<Dim>>();
  else
    coarse.template make_coarse_runs<with_neighbours<Dim>>();
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
  return has_period() ? make_offsets<with_period<Dim>>(stride) : make_offsets<with_neighbours<Dim>>(stride);
}
template <class T, int Dim>
template <int K>
Buffer<T> Couplings<T, Dim>::make_offsets(Index stride) const {
  Buffer<T> values(context(), 4 * Dim * stride);
  Operands<Dim, K> const operands(cells_, period_);
  Plan<Dim, K> const plan(cells_, operands.list);
  CutRuns<T, Dim, K> const cut{plan.view(), aggregates_->view(cells_.view()), period_};
  parallel_for(context(), "sparse::poisson::offsets", cut.task_count(),
               FillOffsets<T, Dim, K>{cut, {values.data(), stride}});
  context().fence();
  return values;
}

template <class T, int Dim>
template <int K>
void Couplings<T, Dim>::make_coarse_runs() {
  auto const execution = context();
  SetView const set = cells_.view();
  Operands<Dim, K> const operands(cells_, period_);
  Plan<Dim, K> const plan(cells_, operands.list);
  CutRuns<T, Dim, K> const cut{plan.view(), aggregates_->view(set), period_};
  auto const first = count_and_scan<Count>(execution, "sparse::poisson::count_runs", cut.task_count(),
                                           CountEmitted<CutRuns<T, Dim, K>>{cut});
  Index const count = read_back(execution, first.data() + cut.task_count()).value;
  runs_ = Buffer<CouplingRun<T, Dim>>(execution, count);
  starts_ = Buffer<Index>(execution, count + 1);
  parallel_for(execution, "sparse::poisson::fill_runs", cut.task_count(),
               FillCuts<T, Dim, K>{cut, first.data(), runs_.data(), starts_.data()});
  if (parallel_reduce<Kokkos::Min, int>(execution, "sparse::poisson::are_uniform", count,
                                        LeastUniform<T, Dim>{runs_.data()}) != 0)
    return;
  arrays_ = Field<T, Dim>("couplings", cells_, Dim + 2);
  parallel_for(execution, "sparse::poisson::fill_arrays", cut.task_count(), FillArrays<T, Dim, K>{cut, arrays_.view()});
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
template void Couplings<float, 2>::gather_from(Couplings const&);
template Buffer<float> Couplings<float, 2>::offsets(Index) const;
template Couplings<float, 3> Couplings<float, 3>::coarser();
template FinestCells<float, 3> Couplings<float, 3>::finest_cells() const;
template void Couplings<float, 3>::gather_from(Couplings const&);
template Buffer<float> Couplings<float, 3>::offsets(Index) const;
template Couplings<double, 2> Couplings<double, 2>::coarser();
template FinestCells<double, 2> Couplings<double, 2>::finest_cells() const;
template void Couplings<double, 2>::gather_from(Couplings const&);
template Buffer<double> Couplings<double, 2>::offsets(Index) const;
template Couplings<double, 3> Couplings<double, 3>::coarser();
template FinestCells<double, 3> Couplings<double, 3>::finest_cells() const;
template void Couplings<double, 3>::gather_from(Couplings const&);
template Buffer<double> Couplings<double, 3>::offsets(Index) const;

}  // namespace sparse::poisson::detail
