#include <sparse/solvers/poisson/couplings.hpp>

#include <cmath>
#include <string>

#include <sparse/for_each.hpp>
#include <sparse/scaling.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/stencil.hpp>
#include <sparse/transfer.hpp>

namespace sparse::poisson::detail {
namespace {

constexpr Index least_uniform_cells = 16;  // fewer are not worth a run of their own
constexpr Index group_cells = 4096;

// ---- operands of plans: the cell, its neighbours, its neighbours across the period; for the finest level also the
// Dirichlet faces and the coefficients at its faces

template <int Dim>
constexpr int structure_operands = 1 + 4 * Dim;
template <int Dim>
constexpr int problem_operands = 1 + 8 * Dim;

template <int Dim>
constexpr int near_arm(int arm) {
  return 1 + arm;
}
template <int Dim>
constexpr int wrapped_arm(int arm) {
  return 1 + 2 * Dim + arm;
}
template <int Dim>
constexpr int dirichlet_arm(int arm) {
  return 1 + 4 * Dim + arm;
}
template <int Dim>
constexpr int coefficient_arm(int arm) {
  return 1 + 6 * Dim + arm;
}

template <int Dim, int K>
struct Operands {
  Operand list[K] = {};

  Operands(IntervalSet<Dim> const& cells, Vec<Coord, Dim> const& period) {
    SetView const view = cells.view();
    list[0] = operand<Dim>(view);
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Vec<Coord, Dim> offset = face_arms<Dim>().offset[arm];
      list[near_arm<Dim>(arm)] = operand<Dim>(view, offset);
      Coord& along = offset[arm / 2];
      along -= along * period[arm / 2];
      list[wrapped_arm<Dim>(arm)] = period[arm / 2] > 0 ? operand<Dim>(view, offset) : Operand{};
    }
  }
};

/// The neighbour of a cell across the period is another one than that beside it.
template <int Dim, int K>
KOKKOS_FORCEINLINE_FUNCTION bool has_arm(Run<K> const& run, int arm) {
  return ((run.present >> near_arm<Dim>(arm)) | (run.present >> wrapped_arm<Dim>(arm))) & 1u;
}
template <int Dim, int K>
KOKKOS_FORCEINLINE_FUNCTION Index offset_of_arm(Run<K> const& run, int arm) {
  if ((run.present >> near_arm<Dim>(arm)) & 1u) return run.index[near_arm<Dim>(arm)] - run.index[0];
  if ((run.present >> wrapped_arm<Dim>(arm)) & 1u) return run.index[wrapped_arm<Dim>(arm)] - run.index[0];
  return 0;
}

// ---- couplings as arrays

template <int Dim>
constexpr int dirichlet_component = Dim;
template <int Dim>
constexpr int zeroth_component = Dim + 1;

enum Fault { none, missing_coefficient, bad_coefficient, inner_dirichlet };

/// Writes the couplings of a problem, and finds the worst fault.
template <class T, int Dim>
struct FillArrays {
  FieldView<T> out;
  Vec<double, Dim> weight;  // coefficient / h^2, or 1 / h^2 where the coefficient is given by face
  double const* coefficient[Dim];
  T zeroth_order;

  KOKKOS_FUNCTION void operator()(RunPoint<Dim, problem_operands<Dim>> const& p, int& worst) const {
    Index const cell = p.operand(0);
    double dirichlet = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const axis = arm / 2;
      bool const has_neighbour = has_arm<Dim>(p.run, arm), is_dirichlet = p.has(dirichlet_arm<Dim>(arm));
      double value = 0;
      if (has_neighbour || is_dirichlet) {
        value = weight[axis];
        if (coefficient[axis] != nullptr) {
          if (!p.has(coefficient_arm<Dim>(arm))) {
            worst = worst < missing_coefficient ? missing_coefficient : worst;
          } else {
            double const c = coefficient[axis][p.operand(coefficient_arm<Dim>(arm))];
            if (!(c > 0 && c < 1e300)) worst = worst < bad_coefficient ? bad_coefficient : worst;
            value *= c;
          }
        }
      }
      if (has_neighbour && is_dirichlet) worst = inner_dirichlet;
      if (is_dirichlet) dirichlet += 2 * value;  // p changes over half a cell
      if (arm % 2 == 0) out(axis, cell) = has_neighbour ? static_cast<T>(value) : T(0);
    }
    out(dirichlet_component<Dim>, cell) = static_cast<T>(dirichlet);
    out(zeroth_component<Dim>, cell) = zeroth_order;
  }
};

template <class T, int Dim>
struct CoarsenArrays {
  FieldView<T const> fine;
  FieldView<T> coarse;

  KOKKOS_FUNCTION void operator()(FamilyPoint<Dim> const& p) const {
    T lower[Dim] = {}, dirichlet = 0, zeroth = 0;
    for (int child = 0; child < (1 << Dim); ++child) {
      if (!p.has_child(child)) continue;
      Index const cell = p.child(child);
      for (int axis = 0; axis < Dim; ++axis)
        if (((child >> axis) & 1) == 0) lower[axis] += fine(axis, cell);
      dirichlet += fine(dirichlet_component<Dim>, cell);
      zeroth += fine(zeroth_component<Dim>, cell);
    }
    constexpr T mean = T(1) / (1 << Dim);
    for (int axis = 0; axis < Dim; ++axis) coarse(axis, p.cell) = T(0.5) * mean * lower[axis];
    coarse(dirichlet_component<Dim>, p.cell) = T(0.5) * mean * dirichlet;
    coarse(zeroth_component<Dim>, p.cell) = mean * zeroth;
  }
};

// ---- runs

template <class T, int Dim>
struct CellCouplings {
  T weight[2 * Dim], extra;
  KOKKOS_FORCEINLINE_FUNCTION bool operator==(CellCouplings const& b) const {
    bool equal = extra == b.extra;
    for (int arm = 0; arm < 2 * Dim; ++arm) equal = equal && weight[arm] == b.weight[arm];
    return equal;
  }
};

/// Cuts the runs of equal neighbours into runs of equal couplings and what is left between them.
template <class T, int Dim>
struct CutRuns {
  static constexpr int K = structure_operands<Dim>;
  PlanView<K> plan;
  FieldView<T const> arrays;

  KOKKOS_FUNCTION CellCouplings<T, Dim> at(Run<K> const& run, Index step) const {
    CellCouplings<T, Dim> c;
    Index const cell = run.index[0] + step;
    for (int axis = 0; axis < Dim; ++axis) {
      c.weight[2 * axis] = arrays(axis, cell);
      c.weight[2 * axis + 1] =
          has_arm<Dim>(run, 2 * axis + 1) ? arrays(axis, cell + offset_of_arm<Dim>(run, 2 * axis + 1)) : T(0);
    }
    c.extra = arrays(dirichlet_component<Dim>, cell) + arrays(zeroth_component<Dim>, cell);
    return c;
  }

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index r, Sink& sink) const {
    Run<K> const run = plan.runs[r];
    Index const count = plan.starts[r + 1] - plan.starts[r];
    Index begin = 0;
    for (Index step = 0; step < count;) {
      auto const first = at(run, step);
      Index end = step + 1;
      while (end < count && at(run, end) == first) ++end;
      if (end - step >= least_uniform_cells || end - step == count) {
        if (begin < step) sink(run, begin, step, nullptr);
        sink(run, step, end, &first);
        begin = end;
      }
      step = end;
    }
    if (begin < count) sink(run, begin, count, nullptr);
  }
};

template <class T, int Dim>
struct CountCuts {
  CutRuns<T, Dim> cut;
  struct Sink {
    Index count = 0;
    KOKKOS_FUNCTION void operator()(Run<structure_operands<Dim>> const&, Index, Index, CellCouplings<T, Dim> const*) {
      ++count;
    }
  };
  KOKKOS_FUNCTION Count operator()(Index r) const {
    Sink sink;
    cut(r, sink);
    return {sink.count};
  }
};

template <class T, int Dim>
struct FillCuts {
  CutRuns<T, Dim> cut;
  Count const* first;
  CouplingRun<T, Dim>* runs;
  Index* starts;

  struct Sink {
    CouplingRun<T, Dim>* run;
    Index *start, before;
    KOKKOS_FUNCTION void operator()(Run<structure_operands<Dim>> const& from, Index begin, Index end,
                                    CellCouplings<T, Dim> const* couplings) {
      CouplingRun<T, Dim> to{};
      to.key = from.key;
      to.x = from.x + static_cast<Coord>(begin);
      to.first = from.index[0] + begin;
      to.count = static_cast<std::int32_t>(end - begin);
      to.is_uniform = couplings != nullptr;
      auto const cell = cell_at<Dim>(to.key, to.x);
      for (int axis = 0; axis < Dim; ++axis) to.colour ^= cell[axis] & 1;
      T diagonal = to.is_uniform ? couplings->extra : T(0);
      to.extra = diagonal;
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        to.offset[arm] = offset_of_arm<Dim>(from, arm);
        to.weight[arm] = to.is_uniform ? couplings->weight[arm] : has_arm<Dim>(from, arm) ? T(1) : T(0);
        diagonal += to.weight[arm];
      }
      to.inverse_diagonal = diagonal > 0 ? T(1) / diagonal : T(0);
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
Coord plane_of(CouplingRun<T, Dim> const& run) {
  return cell_at<Dim>(run.key, run.x)[Dim - 1];
}

// ---- what is refused

template <int Dim>
void expect_valid(Problem<Dim> const& problem) {
  expects(!problem.cells.is_empty(), "poisson: the set has no cells");
  auto const bounds = problem.cells.bounds();
  for (int axis = 0; axis < Dim; ++axis) {
    std::string const which = " on axis " + std::to_string(axis);
    double const h = problem.spacing[axis];
    if (!(h > 0 && 1 / (h * h) > 0 && std::isfinite(1 / (h * h)))) fail("poisson: the spacing is not positive" + which);
    Coord const period = problem.period[axis];
    if (period < 0) fail("poisson: the period is negative" + which);
    if (period == 1) fail("poisson: a cell cannot be its own neighbour: the period must not be 1" + which);
    if (period > 0 && bounds.end[axis] - bounds.begin[axis] > period)
      fail("poisson: the set does not fit into one period" + which);
  }
  expects(problem.coefficient > 0 && std::isfinite(problem.coefficient), "poisson: the coefficient must be positive");
  expects(problem.zeroth_order >= 0 && std::isfinite(problem.zeroth_order),
          "poisson: the zeroth-order coefficient must not be negative");
}

char const* text_of(int fault) {
  switch (fault) {
  case missing_coefficient:
    return "poisson: a face through which something flows has no coefficient";
  case bad_coefficient:
    return "poisson: a face coefficient is not positive";
  default:
    return "poisson: a Dirichlet face has cells on both sides";
  }
}

}  // namespace

template <class T, int Dim>
Couplings<T, Dim>::Couplings(Problem<Dim> const& problem) : period_(problem.period) {
  expect_valid(problem);
  Vec<Coord, Dim> const origin = problem.cells.bounds().begin;
  cells_ = shift(problem.cells, -1 * origin);
  Operands<Dim, problem_operands<Dim>> operands(cells_, period_);
  FillArrays<T, Dim> fill{{}, {}, {}, static_cast<T>(problem.zeroth_order)};
  Index dirichlet_faces = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& coefficient = problem.face_coefficient[axis];
    fill.weight[axis] = (coefficient ? 1 : problem.coefficient) / (problem.spacing[axis] * problem.spacing[axis]);
    fill.coefficient[axis] = coefficient ? coefficient->component(0) : nullptr;
    dirichlet_faces += problem.dirichlet[axis].cell_count();
    for (int side = 0; side < 2; ++side) {
      Vec<Coord, Dim> const face = origin + Vec<Coord, Dim>::along(axis, side);
      operands.list[dirichlet_arm<Dim>(2 * axis + side)] = operand<Dim>(problem.dirichlet[axis].view(), face);
      if (coefficient)
        operands.list[coefficient_arm<Dim>(2 * axis + side)] = operand<Dim>(coefficient->domain().view(), face);
    }
  }
  Plan<Dim, problem_operands<Dim>> const plan(cells_, operands.list);
  arrays_ = Field<T, Dim>("couplings", cells_, Dim + 2);
  fill.out = arrays_.view();
  if (int const fault = reduce<Kokkos::Max, int>("sparse::poisson::couplings", plan, fill); fault > 0)
    fail(text_of(fault));
  using Point = RunPoint<Dim, problem_operands<Dim>>;
  Index const found = dirichlet_faces == 0
                          ? 0
                          : reduce<Kokkos::Sum, Index>(
                                "sparse::poisson::dirichlet_faces", plan, KOKKOS_LAMBDA(Point const& p, Index& count) {
                                  for (int arm = 0; arm < 2 * Dim; ++arm)
                                    count += p.has(dirichlet_arm<Dim>(arm)) ? 1 : 0;
                                });
  expects(found == dirichlet_faces, "poisson: a Dirichlet face belongs to no cell");
  make_runs();
}

template <class T, int Dim>
Couplings<T, Dim> Couplings<T, Dim>::coarser() {
  Couplings coarse;
  coarse.cells_ = coarsen(cells_);
  for (int axis = 0; axis < Dim; ++axis) coarse.period_[axis] = period_[axis] / 2;
  coarse.arrays_ = Field<T, Dim>("couplings", coarse.cells_, Dim + 2);
  Families<Dim> const families(coarse.cells_, coarse.cells_, cells_, cells_);
  for_each("sparse::poisson::coarsen", families, CoarsenArrays<T, Dim>{arrays_.view(), coarse.arrays_.view()});
  coarse.make_runs();
  parallel_for(context(), "sparse::poisson::parents", runs_.size(),
               FindParents<T, Dim>{runs_.data(), coarse.cells_.view()});
  if constexpr (is_host_backend) {
    context().fence();
    SetView const set = coarse.cells_.view();
    auto const position = [&](Coord plane) {
      Index const row = set.lower_row(row_key(Vec<Coord, Dim>::along(Dim - 1, plane)));
      return row < set.row_count ? set.cell_offsets[set.row_ptr[row]] : set.cell_count;
    };
    Index begin = 0;
    for (auto& group : groups_) {
      group.first_parent = begin;
      begin = group.end_parent = position(plane_of(runs_.data()[group.end - 1]) / 2 + 1);
    }
  }
  return coarse;
}

template <class T, int Dim>
void Couplings<T, Dim>::make_runs() {
  Operands<Dim, structure_operands<Dim>> const operands(cells_, period_);
  Plan<Dim, structure_operands<Dim>> const plan(cells_, operands.list);
  CutRuns<T, Dim> const cut{plan.view(), std::as_const(arrays_).view()};
  auto const first =
      count_and_scan<Count>(context(), "sparse::poisson::count_runs", plan.run_count(), CountCuts<T, Dim>{cut});
  Index const count = read_back(context(), first.data() + plan.run_count()).value;
  runs_ = Buffer<CouplingRun<T, Dim>>(context(), count);
  starts_ = Buffer<Index>(context(), count + 1);
  parallel_for(context(), "sparse::poisson::fill_runs", plan.run_count(),
               FillCuts<T, Dim>{cut, first.data(), runs_.data(), starts_.data()});
  auto const* const runs = runs_.data();
  is_uniform_ = parallel_reduce<Kokkos::Min, int>(
                    context(), "sparse::poisson::are_uniform", count, KOKKOS_LAMBDA(Index r, int& least) {
                      least = runs[r].is_uniform < least ? runs[r].is_uniform : least;
                    }) != 0;
  if constexpr (is_host_backend) make_groups();
}

template <class T, int Dim>
void Couplings<T, Dim>::make_groups() {
  auto const* const runs = runs_.data();
  groups_.clear();
  for (Index r = 0; r < runs_.size();) {
    RunGroup group{r, r, runs[r].first, runs[r].first, 0, 0};
    while (r < runs_.size() && group.end_cell - group.first_cell < group_cells)
      for (Coord const plane = plane_of(runs[r]); r < runs_.size() && plane_of(runs[r]) == plane; ++r)
        group.end_cell = runs[r].first + runs[r].count;
    group.end = r;
    groups_.push_back(group);
  }
}

template <class T, int Dim>
void Couplings<T, Dim>::drop_arrays() {
  if (is_uniform_) arrays_ = {};
}

template <class T, int Dim>
CouplingView<T, Dim> Couplings<T, Dim>::view() const {
  CouplingView<T, Dim> view{runs_.data(), starts_.data(), runs_.size(), cell_count(), {}, {}, {}};
  if (is_uniform_) return view;
  for (int axis = 0; axis < Dim; ++axis) view.lower[axis] = arrays_.component(axis);
  view.dirichlet = arrays_.component(dirichlet_component<Dim>);
  view.zeroth = arrays_.component(zeroth_component<Dim>);
  return view;
}

template <class T, int Dim>
bool Couplings<T, Dim>::has_two_colours() const {
  for (int axis = 0; axis < Dim; ++axis)
    if (period_[axis] % 2 != 0) return false;
  return true;
}

template <class T, int Dim>
bool Couplings<T, Dim>::can_coarsen() const {
  for (int axis = 0; axis < Dim; ++axis)
    if (period_[axis] % 2 != 0 || period_[axis] == 2) return false;
  return true;
}

template class Couplings<float, 2>;
template class Couplings<float, 3>;
template class Couplings<double, 2>;
template class Couplings<double, 3>;

}  // namespace sparse::poisson::detail
