#include "composite_projection.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include <sparse/fields/algebra.hpp>

#include "grid/body.hpp"
#include "grid/ranks.hpp"
#include "method/finite.hpp"
#include "step/projection.hpp"

namespace sparse::incompressible::detail {
namespace {

/// The pressures of levels, lent to a solver.
template <class T, int Dim>
class LentPressures {
public:
  LentPressures(Levels<T, Dim>& levels, PressureOf<T, Dim> pressure) : levels_(levels), pressure_(pressure) {
    for (auto& level : levels) fields.push_back(std::move(pressure(*level)));
  }
  ~LentPressures() {
    for (std::size_t l = 0; l < fields.size(); ++l) pressure_(*levels_[l]) = std::move(fields[l]);
  }
  LentPressures(LentPressures const&) = delete;
  LentPressures& operator=(LentPressures const&) = delete;

  poisson::LevelFields<T, Dim> fields;

private:
  Levels<T, Dim>& levels_;
  PressureOf<T, Dim> pressure_;
};

}  // namespace

template <class T, int Dim>
void CompositeProjection<T, Dim>::make_room() {
  if (solver_) {
    auto const& problem = solver_->matrix().problem();
    bool const keeps_levels = problem.team == nullptr && problem.face_coefficient.empty();
    keeps_levels ? solver_->forget_fields() : solver_.reset();
  }
  right_side_.clear();
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
  solver_->interface_gradient(gradient_, LentPressures<T, Dim>(levels, pressure).fields);
  for (std::size_t l = 1; l < levels.size(); ++l)
    levels[l]->interface.set(gradient_[l], pressure(*levels[l]), levels[l]->grid.spacing());
}

template <class T, int Dim>
bool CompositeProjection<T, Dim>::has_divergence(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity, double size,
                                                 double time_step) const {
  double const mean = time_step * size / std::sqrt(coarse_cell_count_);
  for (auto const& level : levels)
    if (is_nothing(level->grid, mean, velocity(*level))) return false;
  return true;
}

template <class T, int Dim>
poisson::Report CompositeProjection<T, Dim>::project(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity,
                                                     PressureOf<T, Dim> pressure, double time_step) {
  ProfilingRegion const region("sparse::incompressible::project");
  for (std::size_t l = 0; l < levels.size(); ++l)
    levels[l]->divergence(velocity(*levels[l]), -1 / time_step, right_side_[l]);
  auto const fail_at = [&](Level<T, Dim>& level) { fail_not_finite(level.grid, level.state, velocity(level), {}); };
  auto const norm_of_right_side = [&] {
    double const size = solver_->matrix().norm(right_side_);
    if (std::isfinite(size)) return size;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      bool const is_bad = !std::isfinite(norm(right_side_[l]));
      if (levels[l]->grid.body().greatest(is_bad ? 1 : 0) > 0) fail_at(*levels[l]);
    }
    fail_at(*levels[0]);
    return size;
  };
  auto const solve = [&](bool is_needed) {
    for (auto& field : right_side_)
      if (!is_needed) fill(field, 0);
    LentPressures<T, Dim> lent(levels, pressure);
    return solver_->solve(right_side_, lent.fields);
  };
  auto const is_needed = [&](double size) { return has_divergence(levels, velocity, size, time_step); };
  poisson::Report report;
  try {
    // The solver finds the norm. It is asked for before only if there was nothing to solve at the last time.
    report = solve(!had_none_ || is_needed(norm_of_right_side()));
    had_none_ = !is_needed(report.right_side);
    if (had_none_ && report.right_side > 0) report = solve(false);
  } catch (std::invalid_argument const&) {
    norm_of_right_side();
    throw;
  }
  if (report.reason == poisson::StopReason::not_finite) fail_at(*levels[0]);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto& level = *levels[l];
    if (auto const& ranks = level.grid.body().ranks) ranks->fill_fluid(pressure(level));
    subtract_gradient(level.grid, pressure(level), time_step, velocity(level));
  }
  if (levels.size() > 1) solver_->interface_gradient(gradient_);
  for (std::size_t l = 1; l < levels.size(); ++l) {
    auto& level = *levels[l];
    level.interface.set(gradient_[l], pressure(level), level.grid.spacing());
    level.interface.correct(velocity(level), time_step);
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
