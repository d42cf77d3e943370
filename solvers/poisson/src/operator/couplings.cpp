#include "couplings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>

#include "structure.hpp"

namespace sparse::poisson::detail {
namespace {

enum Fault { none, missing_coefficient, bad_coefficient, inner_dirichlet };

char const* text_of(Index fault) {
  switch (fault) {
  case missing_coefficient:
    return "poisson: a face through which something flows has no coefficient";
  case bad_coefficient:
    return "poisson: a face coefficient is not positive";
  default:
    return "poisson: a Dirichlet face has cells on both sides";
  }
}

/// Makes the runs of a problem from those of a plan.
template <class T, int Dim, unsigned groups>
struct FillRuns {
  static constexpr int K = operand_count<Dim>(groups);
  PlanView<K> plan;
  CouplingRun<T, Dim>* runs;
  Index* starts;
  FieldView<T> arrays;  // empty if couplings do not depend on the face
  double weight[Dim];   // coefficient / h^2, or 1 / h^2 where the coefficient is given by face
  double const* coefficient[Dim];
  double zeroth_order, rim_share;

  /// Gives the number of Dirichlet faces in the run and the worst fault.
  KOKKOS_FUNCTION void operator()(Index r, Index& dirichlet_faces, Index& worst) const {
    Run<K> const& from = plan.runs[r];
    Index const count = plan.starts[r + 1] - plan.starts[r];
    starts[r] = plan.starts[r];
    if (r + 1 == plan.run_count) starts[r + 1] = plan.cell_count;
    auto run = placed<T, Dim, groups>(from, 0, count);
    Index fault = none;
    if (arrays.data != nullptr) {
      for (Index step = 0; step < count; ++step) fill_arrays(from, step, fault);
    } else {
      double dirichlet = 0, zeroth = zeroth_order;
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        if (is_dirichlet(from, arm)) dirichlet += 2 * weight[arm / 2];  // p changes over half a cell
        if (is_rim(from, arm)) zeroth += rim_share * weight[arm / 2];
        run.weight[arm] = static_cast<T>(run.weight[arm] * weight[arm / 2]);
      }
      make_uniform(run, static_cast<T>(dirichlet), static_cast<T>(zeroth));
    }
    if constexpr ((groups & with_marks) != 0) {
      constexpr int mark = operand_of<Dim, groups, with_marks>(0);
      run.parent = has(from, mark) ? from.index[mark] : -1;
    }
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (!is_dirichlet(from, arm)) continue;
      dirichlet_faces += count;
      run.dirichlet_arms |= 1u << arm;
      if (run.weight[arm] > 0) fault = inner_dirichlet;
    }
    runs[r] = run;
    worst = worst < fault ? fault : worst;
  }

  KOKKOS_FUNCTION static bool is_dirichlet(Run<K> const& from, int arm) {
    if constexpr ((groups & with_dirichlet) != 0) return has(from, operand_of<Dim, groups, with_dirichlet>(arm));
    return false;
  }

  KOKKOS_FUNCTION static bool is_rim(Run<K> const& from, int arm) {
    if constexpr ((groups & with_rims) != 0) return has(from, operand_of<Dim, groups, with_rims>(arm));
    return false;
  }

  KOKKOS_FUNCTION void fill_arrays(Run<K> const& from, Index step, Index& fault) const {
    Index const cell = from.index[0] + step;
    double dirichlet = 0, zeroth = zeroth_order;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const axis = arm / 2;
      Index offset = 0;
      bool const has_neighbour = find_arm<Dim, groups>(from, arm, offset);
      double value = has_neighbour || is_dirichlet(from, arm) || is_rim(from, arm) ? weight[axis] : 0;
      if constexpr ((groups & with_coefficients) != 0)
        if (value > 0 && coefficient[axis] != nullptr) {
          int const k = operand_of<Dim, groups, with_coefficients>(arm);
          double const c = has(from, k) ? coefficient[axis][from.index[k] + step] : 1;
          Index const found = !has(from, k) ? missing_coefficient : !(c > 0 && c < 1e300) ? bad_coefficient : none;
          fault = fault < found ? found : fault;
          value *= c;
        }
      if (is_dirichlet(from, arm)) dirichlet += 2 * value;
      if (is_rim(from, arm)) zeroth += rim_share * value;
      if (arm % 2 == 0) arrays(axis, cell) = has_neighbour ? static_cast<T>(value) : T(0);
    }
    arrays(dirichlet_component<Dim>, cell) = static_cast<T>(dirichlet);
    arrays(zeroth_component<Dim>, cell) = static_cast<T>(zeroth);
  }
};

/// `FillRuns` for Kokkos, which reduces one value at a time: reduces the faults and stores the numbers of faces.
template <class Fill>
struct FillAndCount {
  Fill fill;
  Index* dirichlet_faces;  // [run]
  KOKKOS_FUNCTION void operator()(Index r, Index& worst) const {
    dirichlet_faces[r] = 0;
    fill(r, dirichlet_faces[r], worst);
  }
};

/// Finds the parents of the cells of runs, which are `origin` away from the coordinates of the parents' set.
template <class T, int Dim>
struct FindParents {
  CouplingRun<T, Dim>* runs;
  SetView parents;
  Vec<Coord, Dim> origin;
  KOKKOS_FUNCTION void operator()(Index r) const {
    Vec<Coord, Dim> parent = cell_at<Dim>(runs[r].key, runs[r].x) + origin;
    for (int axis = 0; axis < Dim; ++axis) parent[axis] >>= 1;
    runs[r].parent = parents.find(parent);
  }
};

struct AddFaces {
  Index const* faces;
  KOKKOS_FUNCTION void operator()(Index r, Index& sum) const { sum += faces[r]; }
};

template <class T, class U, int Dim>
struct ConvertRuns {
  CouplingRun<U, Dim> const* from;
  CouplingRun<T, Dim>* to;
  KOKKOS_FUNCTION void operator()(Index r) const {
    auto const& a = from[r];
    CouplingRun<T, Dim> b{};
    b.key = a.key;
    b.first = a.first;
    b.parent = a.parent;
    b.x = a.x;
    b.count = a.count;
    b.colour = a.colour;
    b.dirichlet_arms = a.dirichlet_arms;
    b.is_uniform = a.is_uniform;
    b.is_foreign = a.is_foreign;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      b.offset[arm] = a.offset[arm];
      b.weight[arm] = static_cast<T>(a.weight[arm]);
    }
    b.dirichlet = static_cast<T>(a.dirichlet);
    b.zeroth = static_cast<T>(a.zeroth);
    b.extra = static_cast<T>(a.extra);
    b.inverse_diagonal = static_cast<T>(a.inverse_diagonal);
    to[r] = b;
  }
};

template <class T, class U>
struct ConvertValues {
  U const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(Index i) const { to[i] = static_cast<T>(from[i]); }
};

}  // namespace

template <int Dim>
void expect_valid(Problem<Dim> const& problem) {
  expects(!problem.cells.is_empty(), "poisson: the set has no cells");
  auto const bounds = problem.cells.bounds();
  for (int axis = 0; axis < Dim; ++axis) {
    std::string const which = " on axis " + std::to_string(axis);
    double const h = problem.grid.spacing[axis];
    if (!(h > 0 && std::isfinite(h) && std::isnormal(1 / (h * h))))
      fail("poisson: the spacing is not positive or too extreme" + which);
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
template void expect_valid(Problem<2> const&);
template void expect_valid(Problem<3> const&);

template <class T, int Dim>
Couplings<T, Dim>::Couplings(Problem<Dim> const& problem) : seams_{problem.period, {}} {
  expect_valid(problem);
  Vec<Coord, Dim> const origin = problem.cells.bounds().begin;
  cells_ = shift(problem.cells, -1 * origin);
  extent_ = problem.cells.bounds().end - origin;
  make_runs_with<neighbours_alone>(problem, origin);
  make_groups();
}

template <class T, int Dim>
Couplings<T, Dim>::Couplings(Problem<Dim> const& problem, LevelPlace<Dim> const& place) : seams_{problem.period, {}} {
  expect_valid(problem);
  Vec<Coord, Dim> origin = problem.cells.bounds().begin;
  if (!place.parents.is_empty())
    for (int axis = 0; axis < Dim; ++axis) origin[axis] -= origin[axis] & 1;  // pairs of children stay pairs
  cells_ = shift(problem.cells, -1 * origin);
  extent_ = problem.cells.bounds().end - origin;
  if (place.parents.is_empty())
    make_runs_with<with_marks>(problem, origin, &place);
  else
    make_runs_with<with_rims>(problem, origin, &place);
  if (!place.parents.is_empty())
    parallel_for(context(), "sparse::poisson::parents", runs_.size(),
                 FindParents<T, Dim>{runs_.data(), place.parents.view(), origin});
  make_groups();
}

template <class T, int Dim>
template <unsigned groups>
void Couplings<T, Dim>::make_runs_with(Problem<Dim> const& problem, Vec<Coord, Dim> const& origin,
                                       LevelPlace<Dim> const* place) {
  bool has_coefficients = false, has_period = false, has_dirichlet = false;
  for (int axis = 0; axis < Dim; ++axis) {
    has_coefficients |= problem.face_coefficient[axis] != nullptr;
    has_dirichlet |= !problem.dirichlet[axis].is_empty();
    has_period |= problem.period[axis] > 0;
  }
  if (has_coefficients || (has_period && has_dirichlet))
    make_runs<groups | with_dirichlet | with_wrapped | with_coefficients>(problem, origin, place);
  else if (has_period)
    make_runs<groups | with_wrapped>(problem, origin, place);
  else if (has_dirichlet)
    make_runs<groups | with_dirichlet>(problem, origin, place);
  else
    make_runs<groups>(problem, origin, place);
}

template <class T, int Dim>
template <unsigned groups>
void Couplings<T, Dim>::make_runs(Problem<Dim> const& problem, Vec<Coord, Dim> const& origin,
                                  LevelPlace<Dim> const* place) {
  bool const is_embedded = place != nullptr && place->storage.cell_count() != cells_.cell_count();
  auto const stored = is_embedded ? shift(place->storage, -1 * origin) : cells_;
  // Runs have offsets of 32 bits.
  expects(stored.cell_count() <= std::numeric_limits<std::int32_t>::max(), "poisson: there are 2^31 cells or more");
  auto const embedding = is_embedded ? std::make_unique<Embedding<Dim>>(cells_, stored) : nullptr;
  SetView const own = is_embedded ? embedding->view() : cells_.view();
  auto const more = is_embedded && place->neighbours.cell_count() > 0
                        ? std::make_unique<Embedding<Dim>>(shift(place->neighbours, -1 * origin), stored)
                        : nullptr;
  Operands<Dim, groups> operands(more ? more->view() : own, period());
  operands.list[0] = operand<Dim>(own);
  FillRuns<T, Dim, groups> fill{};
  fill.zeroth_order = problem.zeroth_order;
  if constexpr ((groups & with_rims) != 0) {
    fill.rim_share = place->rim_share;
    for (int arm = 0; arm < 2 * Dim; ++arm)
      operands.list[operand_of<Dim, groups, with_rims>(arm)] = operand<Dim>(place->rims[arm].view(), origin);
  }
  if constexpr ((groups & with_marks) != 0)
    operands.list[operand_of<Dim, groups, with_marks>(0)] = operand<Dim>(place->marks.view(), origin);
  if (place != nullptr && place->has_arrays) arrays_ = Field<T, Dim>("couplings", stored, Dim + 2);
  Index dirichlet_faces = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& coefficient = problem.face_coefficient[axis];
    double const square = problem.grid.spacing[axis] * problem.grid.spacing[axis];
    axis_weight_[axis] = 1 / square;
    fill.weight[axis] = (coefficient ? 1 : problem.coefficient) / square;
    fill.coefficient[axis] = coefficient ? coefficient->component(0) : nullptr;
    dirichlet_faces += problem.dirichlet[axis].cell_count();
    for (int side = 0; side < 2; ++side) {
      Vec<Coord, Dim> const face = origin + Vec<Coord, Dim>::along(axis, side);
      int const arm = 2 * axis + side;
      if constexpr ((groups & with_dirichlet) != 0)
        operands.list[operand_of<Dim, groups, with_dirichlet>(arm)] =
            operand<Dim>(problem.dirichlet[axis].view(), face);
      if constexpr ((groups & with_coefficients) != 0)
        if (coefficient) {
          operands.list[operand_of<Dim, groups, with_coefficients>(arm)] =
              operand<Dim>(coefficient->domain().view(), face);
          if (arrays_.cell_count() == 0) arrays_ = Field<T, Dim>("couplings", stored, Dim + 2);
        }
    }
  }
  Plan<Dim, operand_count<Dim>(groups)> const plan(cells_, operands.list);
  runs_ = Buffer<CouplingRun<T, Dim>>(context(), plan.run_count());
  starts_ = Buffer<Index>(context(), plan.run_count() + 1);
  fill.plan = plan.view();
  fill.runs = runs_.data();
  fill.starts = starts_.data();
  if (arrays_.cell_count() > 0) fill.arrays = arrays_.view();
  Buffer<Index> const faces(context(), plan.run_count());
  Index const fault = parallel_reduce<Kokkos::Max, Index>(context(), "sparse::poisson::runs", plan.run_count(),
                                                          FillAndCount<FillRuns<T, Dim, groups>>{fill, faces.data()});
  if (fault > 0) fail(text_of(fault));
  Index const found = parallel_reduce<Kokkos::Sum, Index>(context(), "sparse::poisson::dirichlet_faces",
                                                          plan.run_count(), AddFaces{faces.data()});
  expects(found == dirichlet_faces, "poisson: a Dirichlet face belongs to no cell");
}

template <class T, int Dim>
double Couplings<T, Dim>::relaxation() const {
  double sum = 0, least = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < Dim; ++axis) {
    if (extent_[axis] < 2) continue;
    sum += axis_weight_[axis];
    least = std::min(least, axis_weight_[axis]);
  }
  double const left = sum > 0 ? 1 - least / sum : 0;
  return 2 / (1 + std::sqrt(1 - left * left));
}

template <class T, int Dim>
template <class U>
Couplings<T, Dim> Couplings<T, Dim>::converted(Couplings<U, Dim> const& other) {
  auto const context = other.context();
  Couplings to;
  to.cells_ = other.cells_;
  to.seams_ = other.seams_;
  to.axis_weight_ = other.axis_weight_;
  to.extent_ = other.extent_;
  to.starts_ = other.starts_;
  to.groups_ = other.groups_;
  to.runs_ = Buffer<CouplingRun<T, Dim>>(context, other.runs_.size());
  parallel_for(context, "sparse::poisson::convert_runs", to.runs_.size(),
               ConvertRuns<T, U, Dim>{other.runs_.data(), to.runs_.data()});
  if (other.arrays_.cell_count() == 0) return to;
  to.arrays_ = Field<T, Dim>("couplings", to.cells_, Dim + 2);
  for (int c = 0; c < Dim + 2; ++c)
    parallel_for(context, "sparse::poisson::convert_couplings", to.cell_count(),
                 ConvertValues<T, U>{other.arrays_.component(c), to.arrays_.component(c)});
  return to;
}

template <class T, int Dim>
void Couplings<T, Dim>::make_groups() {
  if constexpr (!is_host_backend) return;
  // Small enough that levels of some thousand cells still have enough groups for two threads.
  Index const group_cells = std::clamp<Index>(cell_count() / 96, 256, 4096);
  context().fence();
  auto const* const runs = runs_.data();
  auto const plane_of = [&](Index r) { return cell_at<Dim>(runs[r].key, runs[r].x)[Dim - 1]; };
  // Planes with the same parents stay together, since groups on both sides of a seam are not done in order.
  for (Index r = 0; r < runs_.size();) {
    RunGroup group{r, r, runs[r].first, runs[r].first, 0, 0, 0};
    while (r < runs_.size() && group.end_cell - group.first_cell < group_cells)
      for (Coord const pair = plane_of(r) / 2; r < runs_.size() && plane_of(r) / 2 == pair; ++r)
        group.end_cell = runs[r].first + runs[r].count;
    group.end = r;
    group.last_plane = plane_of(r - 1);
    groups_.push_back(group);
  }
}

template <class T, int Dim>
CouplingView<T, Dim> Couplings<T, Dim>::view() const {
  CouplingView<T, Dim> view{runs_.data(), starts_.data(), runs_.size(), cell_count(), {}, {}, {}};
  if (arrays_.cell_count() == 0) return view;
  for (int axis = 0; axis < Dim; ++axis) view.lower[axis] = arrays_.component(axis);
  view.dirichlet = arrays_.component(dirichlet_component<Dim>);
  view.zeroth = arrays_.component(zeroth_component<Dim>);
  return view;
}

template class Couplings<float, 2>;
template class Couplings<float, 3>;
template class Couplings<double, 2>;
template class Couplings<double, 3>;
template Couplings<float, 2> Couplings<float, 2>::converted(Couplings<float, 2> const&);
template Couplings<float, 3> Couplings<float, 3>::converted(Couplings<float, 3> const&);
template Couplings<float, 2> Couplings<float, 2>::converted(Couplings<double, 2> const&);
template Couplings<float, 3> Couplings<float, 3>::converted(Couplings<double, 3> const&);
template Couplings<double, 2> Couplings<double, 2>::converted(Couplings<double, 2> const&);
template Couplings<double, 3> Couplings<double, 3>::converted(Couplings<double, 3> const&);

}  // namespace sparse::poisson::detail
