#include <sparse/poisson/single_grid.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels.hpp"

namespace sparse::poisson {
namespace {

using namespace single_grid;

/// n where a box has 2^n + 1 nodes along each axis and no others.
template <int Dim>
int level_count_of(IntervalSet<Dim> const& nodes) {
  if (nodes.is_empty()) fail("single grid: there are no nodes");
  Box<Dim> const box = nodes.bounds();
  Index const intervals = Index{box.end[0]} - box.begin[0] - 1;
  for (int axis = 0; axis < Dim; ++axis) {
    Index const count = Index{box.end[axis]} - box.begin[axis];
    if (count < 3 || ((count - 1) & (count - 2)) != 0)
      fail("single grid: " + std::to_string(count) + " nodes along axis " + std::to_string(axis) +
           " are not 2^n + 1 with n > 0");
    if (count - 1 != intervals) fail("single grid: the axes have different numbers of nodes");
  }
  if (box.cell_count() != nodes.cell_count()) fail("single grid: the nodes do not fill their box");
  int n = 0;
  while (Index{1} << n < intervals) ++n;
  return n;
}

/// Per stencil: the sum of the weights over that of faces times 1 / h^2, the weight of faces, and steps.
struct StencilNumbers {
  double diagonal, face, default_step, step_bound;
};

template <int Dim>
StencilNumbers numbers_of(NodeStencil stencil) {
  if (stencil == NodeStencil::axes)
    return Dim == 2 ? StencilNumbers{4, 1, 1. / 5, 1. / 4} : StencilNumbers{6, 1, 1. / 7, 1. / 6};
  return Dim == 2 ? StencilNumbers{3, 1. / 2, 1. / 3, 1. / 2} : StencilNumbers{44. / 13, 3. / 13, 1. / 3, 1. / 2};
}

/// Checks options and replaces 0 by defaults.
template <int Dim>
SingleGridOptions<Dim> completed(SingleGridOptions<Dim> options) {
  options.stop.expect_valid("single grid");
  if (options.relaxation_count < 1)
    fail("single grid: relaxations per level must be at least 1, not " + std::to_string(options.relaxation_count));
  auto const numbers = numbers_of<Dim>(options.stencil);
  if (options.step == 0) options.step = numbers.default_step;
  if (!(options.step > 0 && options.step <= numbers.step_bound))
    fail("single grid: the step must lie between 0 and " + std::to_string(numbers.step_bound) + ", not be " +
         std::to_string(options.step));
  return options;
}

template <class T>
Index count_bad(Context const& context, T const* values, Index count, bool must_be_positive) {
  return parallel_reduce<Kokkos::Sum, Index>(context, "sparse::single_grid::check", count,
                                             CountBad<T>{values, must_be_positive});
}

template <class T>
void set_all(Context const& context, T* values, Index count, T value) {
  parallel_for(context, "sparse::single_grid::set", count, SetAll<T>{values, value});
}

template <class T>
void add_to(Context const& context, T const* change, T constant, T* values, Index count) {
  parallel_for(context, "sparse::single_grid::add", count, AddAll<T>{change, constant, values});
}

/// The coefficients of a level, whose nodes lie `distance` apart; arrays where they are given.
template <class T, int Dim>
Coefficients<T, Dim> coefficients_of(NodeStencil stencil, T const* s, T const* a, T constant_s, T constant_a,
                                     Index count, double distance) {
  return {nodes_of<T const, Dim>(s, count), nodes_of<T const, Dim>(a, count), constant_s, constant_a,
          static_cast<T>(numbers_of<Dim>(stencil).face / (distance * distance))};
}

/// The values of a level, which begins at `start`; null if there are none.
template <class T>
T const* level_of(Buffer<T> const& values, Index start) {
  return values.data() != nullptr ? values.data() + start : nullptr;
}

/// Calls `launch(Kind)` with the kind of differences that the options ask for.
template <bool unit, class Launch>
void with_kind(NodeStencil stencil, bool is_nodal, Launch const& launch) {
  if (stencil == NodeStencil::radial)
    is_nodal ? launch(Kind<true, true, unit>{}) : launch(Kind<true, false, unit>{});
  else
    is_nodal ? launch(Kind<false, true, unit>{}) : launch(Kind<false, false, unit>{});
}

}  // namespace

template <class T, int Dim>
SingleGrid<T, Dim>::SingleGrid(IntervalSet<Dim> nodes, double spacing, SingleGridOptions<Dim> const& options,
                               NodalCoefficient<T, Dim> const& s, NodalCoefficient<T, Dim> const& a)
    : context_(nodes.context()), nodes_(std::move(nodes)), options_(completed(options)), spacing_(spacing),
      level_count_(level_count_of(nodes_)) {
  if (!(spacing > 0 && std::isfinite(spacing)))
    fail("single grid: the spacing must be positive, not " + std::to_string(spacing));
  for (int side = 0; side < 2 * Dim; ++side)
    if (options.sides[static_cast<std::size_t>(side)] == NodeSide::dirichlet) dirichlet_sides_ |= 1U << side;

  Index total = 0;
  for (int level = 0; level < level_count_; ++level) {
    starts_.push_back(total);
    total += row_count<Dim>(intervals(level) + 1) * (intervals(level) + 1);
  }
  source_ = Buffer<T>(context_, total);
  if (level_count_ > 1) step_change_ = Buffer<T>(context_, row_count<Dim>(intervals(1) + 1) * (intervals(1) + 1));
  change_ = Buffer<T>(context_, nodes_.cell_count());
  other_change_ = Buffer<T>(context_, nodes_.cell_count());
  store_coefficients(s, a);
}

template <class T, int Dim>
void SingleGrid<T, Dim>::store_coefficients(NodalCoefficient<T, Dim> const& s, NodalCoefficient<T, Dim> const& a) {
  Index const count = nodes_.cell_count();
  auto const expect_good = [&](NodalCoefficient<T, Dim> const& c, char const* name, bool must_be_positive) {
    if (c.values != nullptr) expect_field(*c.values, name);
    bool const is_bad = c.values != nullptr ? count_bad(context_, c.values->view().data, count, must_be_positive) > 0
                                            : !std::isfinite(static_cast<T>(c.constant)) ||
                                                  (must_be_positive && !(static_cast<T>(c.constant) > 0));
    if (is_bad)
      fail(std::string("single grid: the coefficient ") + name + " must be finite" +
           (must_be_positive ? " and positive" : "") + " everywhere");
  };
  expect_good(s, "s", true);
  expect_good(a, "a", false);
  s_ = static_cast<T>(s.constant);
  a_ = static_cast<T>(a.constant);
  is_nodal_ = s.values != nullptr || a.values != nullptr;
  auto const stored = [&](NodalCoefficient<T, Dim> const& c) {
    Buffer<T> values(context_, source_.size());
    if (c.values != nullptr)
      parallel_for(context_, "sparse::single_grid::copy", count, CopyAll<T>{c.values->view().data, values.data()});
    else
      set_all(context_, values.data(), count, static_cast<T>(c.constant));
    for (int level = 1; level < level_count_; ++level) restrict_to(level, values);
    return values;
  };
  if (is_nodal_) {
    s_values_ = stored(s);
    a_values_ = stored(a);
  }
  bool const has_a = is_nodal_ ? sum(a_values_.data(), true, false) != 0 : a_ != 0;
  is_singular_ = is_neumann_only() && !has_a;
  mean_a_ = is_nodal_ ? mean(a_values_.data()) : static_cast<double>(a_);
}

template <class T, int Dim>
void SingleGrid<T, Dim>::expect_field(Field<T, Dim> const& field, char const* name) const {
  if (!(field.domain() == nodes_) || field.component_count() != 1)
    fail(std::string("single grid: ") + name + " (field '" + field.name() + "') is not one value per node");
}

template <class T, int Dim>
double SingleGrid<T, Dim>::sum(T const* values, bool squares, bool trapezoidal) const {
  Index const last = intervals(0);
  return sum_rows(context_, "sparse::single_grid::sum", row_count<Dim>(last + 1), last + 1,
                  SumRow<T, Dim>{nodes_of<T const, Dim>(values, last + 1), last, squares, trapezoidal});
}

template <class T, int Dim>
double SingleGrid<T, Dim>::mean(T const* values) const {
  return sum(values, false, true) / std::pow(static_cast<double>(intervals(0)), Dim);
}

/// Makes level `level` of an array of all levels from the next finer one.
template <class T, int Dim>
void SingleGrid<T, Dim>::restrict_to(int level, Buffer<T> const& values) const {
  Index const last = intervals(level);
  auto const at = [&](int l) { return values.data() + starts_[static_cast<std::size_t>(l)]; };
  for_rows(context_, "sparse::single_grid::restrict", row_count<Dim>(last + 1), last + 1,
           Restrict<T, Dim>{nodes_of<T const, Dim>(at(level - 1), 2 * last + 1), nodes_of<T, Dim>(at(level), last + 1),
                            last});
}

template <class T, int Dim>
void SingleGrid<T, Dim>::combine(T const* f, T f_factor, T mean, T const* u, T factor, T* result) const {
  Index const last = intervals(0), count = last + 1;
  with_kind<true>(options_.stencil, is_nodal_, [&]<class Kind>(Kind) {
    for_rows(context_, "sparse::single_grid::combine", row_count<Dim>(count), count,
             Combine<Kind, T, Dim>{
                 nodes_of<T const, Dim>(u, count), nodes_of<T const, Dim>(f, count), nodes_of<T, Dim>(result, count),
                 coefficients_of<T, Dim>(options_.stencil, s_values_.data(), a_values_.data(), s_, a_, count, spacing_),
                 f_factor, mean, factor, last, dirichlet_sides_});
  });
}

/// Tells the observer of the residual on a level.
template <class T, int Dim>
void SingleGrid<T, Dim>::observe(int level) {
  Index const count = intervals(level) + 1, all = intervals(0) + 1, stride = Index{1} << level;
  Index const start = starts_[static_cast<std::size_t>(level)];
  if (observed_.size() == 0) observed_ = Buffer<T>(context_, nodes_.cell_count());
  double const distance = spacing_ * static_cast<double>(stride);
  auto const coefficients = coefficients_of<T, Dim>(options_.stencil, level_of(s_values_, start),
                                                    level_of(a_values_, start), s_, a_, count, distance);
  with_kind<false>(options_.stencil, is_nodal_, [&]<class Kind>(Kind) {
    for_rows(context_, "sparse::single_grid::residual", row_count<Dim>(count), count,
             Combine<Kind, T, Dim>{nodes_of<T const, Dim>(change_.data(), all, stride),
                                   nodes_of<T const, Dim>(source_.data() + start, count),
                                   nodes_of<T, Dim>(observed_.data(), count), coefficients, T(1), T(0), T(-1),
                                   count - 1, dirichlet_sides_});
  });
  now_.level = level;
  now_.residual = parallel_reduce<Kokkos::Max, double>(
      context_, "sparse::single_grid::greatest", row_count<Dim>(count) * count, GreatestMagnitude<T>{observed_.data()});
  options_.observe(now_);
}

/// Relaxes on a level `count` times and takes the change to the nodes of level `finest`, the same or the next finer
/// one.
template <class T, int Dim>
void SingleGrid<T, Dim>::visit(int level, int finest, int count) {
  Index const last = intervals(level), on_level = last + 1, on_finest = intervals(finest) + 1, all = intervals(0) + 1;
  Index const start = starts_[static_cast<std::size_t>(level)], stride = Index{1} << level;
  double const distance = spacing_ * static_cast<double>(stride);
  auto const coefficients = coefficients_of<T, Dim>(options_.stencil, level_of(s_values_, start),
                                                    level_of(a_values_, start), s_, a_, on_level, distance);
  auto const source = nodes_of<T const, Dim>(source_.data() + start, on_level);
  auto const step = static_cast<T>(1 / (s_ / (options_.step * distance * distance) + std::max<double>(0, -a_)));
  auto const inverse_step = static_cast<T>(1 / (options_.step * numbers_of<Dim>(options_.stencil).diagonal));
  now_.work += level;
  for (int c = 0; c < count; ++c) {
    if (options_.observe) observe(level);
    ++now_.work;
    auto const u = nodes_of<T const, Dim>(change_.data(), all, stride);
    auto const result = level == finest ? nodes_of<T, Dim>(other_change_.data(), all, stride)
                                        : nodes_of<T, Dim>(step_change_.data(), on_level);
    auto const relax = [&]<class Kind>(Kind) {
      for_rows(context_, "sparse::single_grid::relax", row_count<Dim>(on_level), on_level,
               Relax<Kind, T, Dim>{u, source, result, coefficients, static_cast<T>(level == finest ? 1 : 0), step,
                                   inverse_step, last, dirichlet_sides_});
    };
    if (level == 0)
      with_kind<true>(options_.stencil, is_nodal_, relax);
    else
      with_kind<false>(options_.stencil, is_nodal_, relax);
    if (level == finest) {
      std::swap(change_, other_change_);  // all nodes that have a value yet are of this level
      continue;
    }
    auto const coarse = nodes_of<T const, Dim>(step_change_.data(), on_level);
    auto const fine = nodes_of<T, Dim>(change_.data(), all, stride / 2);
    char const* const label = "sparse::single_grid::interpolate";
    if (finest == 0)
      for_rows(context_, label, row_count<Dim>(on_finest), on_level,
               Interpolate<T, Dim, true, true>{coarse, fine, last});
    else
      for_rows(context_, label, row_count<Dim>(on_finest), on_level,
               Interpolate<T, Dim, true, false>{coarse, fine, last});
  }
}

/// Makes `change_`, the correction of u, from the residual in `source_`.
template <class T, int Dim>
void SingleGrid<T, Dim>::cycle() {
  ProfilingRegion const region("sparse::single_grid::cycle");
  for (int level = 1; level < level_count_; ++level) restrict_to(level, source_);
  set_all(context_, change_.data(), change_.size(), T(0));
  for (int top = level_count_ - 1; top >= 0; --top) {
    int const finest = std::max(top - 1, 0);
    int const shift = std::min(level_count_ - top, 30);
    int const count = std::min(options_.relaxation_count, 1 << shift);
    if (top > 0) {
      Index const last = intervals(top), all = intervals(0) + 1, stride = Index{1} << top;
      for_rows(context_, "sparse::single_grid::refine", row_count<Dim>(2 * last + 1), last + 1,
               Interpolate<T, Dim, false, false>{nodes_of<T const, Dim>(change_.data(), all, stride),
                                                 nodes_of<T, Dim>(change_.data(), all, stride / 2), last});
    }
    visit(top, finest, count);
    if (top > 0) visit(top - 1, finest, count);
    visit(top, finest, count);
  }
  visit(0, 0, std::min(options_.relaxation_count, 1 << std::min(level_count_, 30)));
}

template <class T, int Dim>
Field<T, Dim> SingleGrid<T, Dim>::apply(Field<T, Dim> const& u) const {
  expect_field(u, "u");
  Field<T, Dim> result("operator", nodes_);
  combine(u.view().data, 0, 0, u.view().data, 1, result.view().data);
  return result;
}

template <class T, int Dim>
Report SingleGrid<T, Dim>::solve(Field<T, Dim> const& f, Field<T, Dim>& u) {
  ProfilingRegion const region("sparse::single_grid::solve");
  expect_field(f, "f");
  expect_field(u, "u");
  Index const count = nodes_.cell_count();
  T const* const b = f.view().data;
  T* const x = u.view().data;
  if (count_bad(context_, b, count, false) > 0) fail("single grid: f has values that are not finite");
  if (count_bad(context_, static_cast<T const*>(x), count, false) > 0)
    fail("single grid: u has values that are not finite");
  auto const size = [&] { return std::sqrt(sum(source_.data(), true, false)); };

  Report report;
  T f_mean = 0;
  double rounding = 0;  // of a constant f whose mean has been taken off
  if (is_singular_) {
    double const square = sum(b, true, true) / std::pow(static_cast<double>(intervals(0)), Dim);
    f_mean = static_cast<T>(mean(b));
    if (square > 0) report.incompatibility = std::abs(static_cast<double>(f_mean)) / std::sqrt(square);
    rounding = 4 * std::numeric_limits<T>::epsilon() * std::sqrt(sum(b, true, false));
  }
  Index const last = intervals(0);
  for_rows(context_, "sparse::single_grid::boundary_values", row_count<Dim>(last + 1), last + 1,
           BoundaryValues<T, Dim>{nodes_of<T const, Dim>(x, last + 1), nodes_of<T, Dim>(change_.data(), last + 1), last,
                                  dirichlet_sides_});
  combine(b, 1, f_mean, change_.data(), -1, source_.data());
  if (is_singular_) {  // once more, for the rounding error of a sum of so many values
    f_mean += static_cast<T>(mean(source_.data()));
    combine(b, 1, f_mean, change_.data(), -1, source_.data());
  }
  double const reference = report.right_side = size();
  if (reference <= rounding) {
    parallel_for(context_, "sparse::single_grid::copy", count, CopyAll<T>{change_.data(), x});
    report.residuals = {0};
    report.reason = StopReason::converged;
    return report;
  }

  auto const residual_of_solution = [&] { combine(b, 1, f_mean, x, -1, source_.data()); };
  auto const update_residual = [&] {
    if (options_.accumulates_residual)
      combine(source_.data(), 1, 0, change_.data(), -1, source_.data());
    else
      residual_of_solution();
  };
  now_ = {};
  residual_of_solution();
  double least = std::numeric_limits<double>::infinity();
  for (int idle_cycles = 0;; ++report.iterations) {
    if (is_neumann_only() && mean_a_ != 0) {
      auto const constant = static_cast<T>(mean(source_.data()) / mean_a_);
      add_to(context_, static_cast<T const*>(nullptr), constant, x, count);
      if (options_.accumulates_residual) set_all(context_, change_.data(), count, constant);
      update_residual();
    }
    double const residual = size() / reference;
    report.residuals.push_back(residual);
    idle_cycles = residual < 0.9 * least ? 0 : idle_cycles + 1;
    least = std::min(least, residual);
    if (!std::isfinite(residual))
      report.reason = StopReason::not_finite;
    else if (residual <= options_.stop.tolerance)
      report.reason = StopReason::converged;
    else if (idle_cycles >= 3)
      report.reason = StopReason::stagnated;
    else if (report.iterations < options_.stop.iteration_limit) {
      now_.cycle = report.iterations;
      cycle();
      add_to(context_, static_cast<T const*>(change_.data()), T(0), x, count);
      update_residual();
      continue;
    }
    break;
  }
  if (options_.accumulates_residual) residual_of_solution();
  report.true_residual = size() / reference;
  if (is_singular_)
    add_to(context_, static_cast<T const*>(nullptr), static_cast<T>(-mean(static_cast<T const*>(x))), x, count);
  return report;
}

template class SingleGrid<double, 2>;
template class SingleGrid<double, 3>;
template class SingleGrid<float, 2>;
template class SingleGrid<float, 3>;

}  // namespace sparse::poisson
