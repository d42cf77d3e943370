#include "composite_projection.hpp"

#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>

#include "grid/body.hpp"
#include "grid/ranks.hpp"
#include "method/finite.hpp"
#include "step/projection.hpp"

namespace sparse::incompressible::detail {
namespace {

template <class T, int Dim>
void take_leaves(Level<T, Dim> const& level, Field<T, Dim> const& from, Field<T, Dim>& leaves) {
  copy<T, Dim>(leaves.view(), level.leaf_values, from.view());
}

template <class T, int Dim>
void put_leaves(Level<T, Dim> const& level, Field<T, Dim> const& leaves, Field<T, Dim>& to) {
  T const* const from = leaves.component(0);
  T* const result = to.component(0);
  using Point = RunPoint<Dim, 2>;
  for_each(
      "sparse::incompressible::put_leaves", level.leaf_values,
      KOKKOS_LAMBDA(Point const& p) { result[p.operand(1)] = from[p.operand(0)]; });
}

}  // namespace

template <class T, int Dim>
void CompositeProjection<T, Dim>::make_room() {
  if (solver_) {
    auto const& problem = solver_->matrix().problem();
    bool const keeps_levels = problem.team == nullptr && problem.face_coefficient.empty();
    keeps_levels ? solver_->forget_fields() : solver_.reset();
  }
  right_side_.clear();
  solution_.clear();
  gradient_.clear();
}

template <class T, int Dim>
void CompositeProjection<T, Dim>::change(amr::Domain<Dim> const& domain, poisson::CompositeProblem<Dim> problem,
                                         Levels<T, Dim>& levels, poisson::StopRule const& stop) {
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const outflow = outflow_faces(domain, levels[l]->sets.all_leaves, static_cast<int>(l));
    auto& given = problem.dirichlet.emplace_back();
    for (std::size_t axis = 0; axis < Dim; ++axis) given[axis] = outflow[static_cast<int>(axis)];
  }
  if (solver_)
    solver_->change(problem);
  else
    solver_.emplace(problem, stop);
  right_side_ = solver_->matrix().fields("right side");
  solution_ = solver_->matrix().fields("pressure");
  coarse_cell_count_ = static_cast<double>(problem.cells[0].cell_count());
  if (levels.size() == 1) return;
  gradient_ = solver_->matrix().interface_fields("gradient");
  for (std::size_t l = 1; l < levels.size(); ++l)
    if (!levels[l]->interface.fits(gradient_[l]))
      levels[l]->interface = InterfacePressure<T, Dim>(levels[l]->grid, levels[l]->sets, gradient_[l]);
}

template <class T, int Dim>
void CompositeProjection<T, Dim>::set_gradient(Levels<T, Dim>& levels, PressureOf<T, Dim> pressure) {
  if (levels.size() == 1) return;
  for (std::size_t l = 0; l < levels.size(); ++l) take_leaves(*levels[l], pressure(*levels[l]), solution_[l]);
  solver_->matrix().interface_gradient(gradient_, solution_);
  for (std::size_t l = 1; l < levels.size(); ++l) levels[l]->interface.set(gradient_[l]);
}

template <class T, int Dim>
poisson::Report CompositeProjection<T, Dim>::project(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity,
                                                     PressureOf<T, Dim> pressure, double time_step) {
  ProfilingRegion const region("sparse::incompressible::project");
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto& level = *levels[l];
    level.divergence(velocity(level), -1 / time_step, right_side_[l]);
    take_leaves(level, pressure(level), solution_[l]);
  }
  double const size = solver_->matrix().norm(right_side_);
  auto const fail_at = [&](Level<T, Dim>& level) { fail_not_finite(level.grid, level.state, velocity(level), {}); };
  if (!std::isfinite(size)) {
    for (std::size_t l = 0; l < levels.size(); ++l) {
      bool const is_bad = !std::isfinite(norm(right_side_[l]));
      if (levels[l]->grid.body().greatest(is_bad ? 1 : 0) > 0) fail_at(*levels[l]);
    }
    fail_at(*levels[0]);
  }
  double const mean = time_step * size / std::sqrt(coarse_cell_count_);
  for (auto const& level : levels)
    if (is_nothing(level->grid, mean, velocity(*level))) {
      for (auto& field : right_side_) fill(field, 0);
      break;
    }
  auto report = solver_->solve(right_side_, solution_);
  if (report.reason == poisson::StopReason::not_finite) fail_at(*levels[0]);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto& level = *levels[l];
    put_leaves(level, solution_[l], pressure(level));
    if (auto const& ranks = level.grid.body().ranks) ranks->fill_fluid(pressure(level));
    subtract_gradient(level.grid, pressure(level), time_step, velocity(level));
  }
  if (levels.size() > 1) solver_->matrix().interface_gradient(gradient_, solution_);
  for (std::size_t l = 1; l < levels.size(); ++l) {
    auto& level = *levels[l];
    level.interface.set(gradient_[l]);
    level.interface.correct(velocity(level), pressure(level), time_step, level.grid.spacing());
  }
  fill_from_owners(levels, velocity);
  fill_from_finer(levels, velocity);
  fill_from_coarser(levels, velocity);
  return report;
}

template class CompositeProjection<float, 2>;
template class CompositeProjection<float, 3>;
template class CompositeProjection<double, 2>;
template class CompositeProjection<double, 3>;

}  // namespace sparse::incompressible::detail
