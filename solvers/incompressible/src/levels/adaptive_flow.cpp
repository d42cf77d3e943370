#include <sparse/incompressible/levels/adaptive_flow.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <sparse/fields/algebra.hpp>

#include "adaptive_body.hpp"
#include "grid/body.hpp"
#include "level_sums.hpp"

namespace sparse::incompressible {

template <class T, int Dim>
struct AdaptiveFlow<T, Dim>::Body : detail::AdaptiveBody<T, Dim> {
  using detail::AdaptiveBody<T, Dim>::AdaptiveBody;

  detail::Level<T, Dim> const& at(int level) const {
    if (level < 0 || level >= static_cast<int>(this->levels.size()))
      fail("incompressible: there is no level " + std::to_string(level));
    return *this->levels[static_cast<std::size_t>(level)];
  }
  /// The greatest value of all levels and ranks, and their sum. `of_level` gets a level.
  template <class OfLevel>
  double greatest(OfLevel const& of_level) const {
    double value = 0;
    for (auto const& level : this->levels) value = std::max(value, of_level(*level));
    return this->levels[0]->grid.body().greatest(value);
  }
  template <class OfLevel>
  double sum(OfLevel const& of_level) const {
    double value = 0;
    for (auto const& level : this->levels) value += of_level(*level);
    return this->levels[0]->grid.body().sum(value);
  }
};

template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options)
    : body_(std::make_unique<Body>(domain, options)) {
  auto& self = *body_;
  self.make_levels({self.domain.fluid(0)});
  self.settle([] {});
  self.fill(detail::state_velocity);
  self.projection.set_gradient(self.levels, detail::state_pressure);
}
template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options,
                                   amr::SavedState<T, Dim> const& saved)
    : body_(std::make_unique<Body>(domain, options)) {
  body_->restore(saved);
}
template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options,
                                   AdaptiveFlow const& from)
    : body_(std::make_unique<Body>(domain, options)) {
  body_->go_on_from(*from.body_);
}
template <class T, int Dim>
AdaptiveFlow<T, Dim>::AdaptiveFlow(AdaptiveFlow&&) noexcept = default;
template <class T, int Dim>
AdaptiveFlow<T, Dim>& AdaptiveFlow<T, Dim>::operator=(AdaptiveFlow&&) noexcept = default;
template <class T, int Dim>
AdaptiveFlow<T, Dim>::~AdaptiveFlow() = default;

template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::start(VectorFunction<Dim> const& velocity,
                                            std::vector<ScalarFunction<Dim>> const& inks) {
  auto& self = *body_;
  expects(inks.size() == self.options.inks.size(), "incompressible: there must be one function for each ink");
  self.time = 0;
  self.step_count = self.update_count = 0;
  self.has_last_velocity = false;
  self.settle([&] {
    for (auto& level : self.levels) {
      set_velocity(level->grid, level->state, velocity);
      sparse::fill(level->state.pressure, 0);
      for (std::size_t k = 0; k < inks.size(); ++k) set_cells(level->grid, level->state.carried[k], inks[k]);
    }
    self.fill(detail::state_velocity);
    detail::fill_inks(self.levels);
    detail::give_inks(self.levels, self.time);
  });
  auto const report = self.projection.project(self.levels, detail::state_velocity, detail::state_pressure, 1);
  for (auto& level : self.levels) level->guess.restart();
  auto const balance = self.find_pressure();
  self.set_clocks();
  return report.has_converged() ? balance : report;
}

template <class T, int Dim>
double AdaptiveFlow<T, Dim>::longest_step() const {
  return body_->options.safety * body_->longest_stage();
}

template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::advance(double time_step) {
  if (is_change_due()) body_->adapt();
  return body_->step(time_step);
}
template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::advance() {
  if (is_change_due()) body_->adapt();
  return body_->step(longest_step());
}
template <class T, int Dim>
poisson::Report AdaptiveFlow<T, Dim>::advance_towards(double end) {
  auto& self = *body_;
  expects(std::isfinite(end) && end > self.time, "incompressible: the end must be finite, and later than the flow");
  if (is_change_due()) self.adapt();
  double const left = end - self.time, longest = longest_step();
  double const time_step = left <= longest ? left : left < 2 * longest ? 0.5 * left : longest;
  auto report = self.step(time_step);
  if (time_step == left) {  // whatever rounding says
    self.time = end;
    self.set_clocks();
  }
  return report;
}
template <class T, int Dim>
bool AdaptiveFlow<T, Dim>::is_change_due() const {
  return body_->step_count > 0 && body_->step_count % body_->options.regrid_stride == 0;
}
template <class T, int Dim>
bool AdaptiveFlow<T, Dim>::adapt() {
  return body_->adapt();
}

template <class T, int Dim>
amr::SavedState<T, Dim> AdaptiveFlow<T, Dim>::save() const {
  return body_->save();
}

template <class T, int Dim>
double AdaptiveFlow<T, Dim>::time() const {
  return body_->time;
}
template <class T, int Dim>
Index AdaptiveFlow<T, Dim>::step_count() const {
  return body_->step_count;
}
template <class T, int Dim>
amr::Domain<Dim> const& AdaptiveFlow<T, Dim>::domain() const {
  return body_->domain;
}
template <class T, int Dim>
AdaptiveOptions<Dim> const& AdaptiveFlow<T, Dim>::options() const {
  return body_->options;
}
template <class T, int Dim>
int AdaptiveFlow<T, Dim>::level_count() const {
  return static_cast<int>(body_->levels.size());
}
template <class T, int Dim>
Index AdaptiveFlow<T, Dim>::leaf_count() const {
  Index count = 0;
  for (auto const& level : body_->levels) count += level->sets.all_leaves.cell_count();
  return count;
}
template <class T, int Dim>
IntervalSet<Dim> const& AdaptiveFlow<T, Dim>::all_leaves(int level) const {
  return body_->at(level).sets.all_leaves;
}
template <class T, int Dim>
Index AdaptiveFlow<T, Dim>::update_count() const {
  return body_->update_count;
}
template <class T, int Dim>
IntervalSet<Dim> const& AdaptiveFlow<T, Dim>::cells(int level) const {
  return body_->at(level).sets.cells;
}
template <class T, int Dim>
IntervalSet<Dim> const& AdaptiveFlow<T, Dim>::leaves(int level) const {
  return body_->at(level).sets.leaves;
}
template <class T, int Dim>
StaggeredGrid<Dim> const& AdaptiveFlow<T, Dim>::grid(int level) const {
  return body_->at(level).grid;
}
template <class T, int Dim>
State<T, Dim> const& AdaptiveFlow<T, Dim>::state(int level) const {
  return body_->at(level).state;
}

template <class T, int Dim>
double AdaptiveFlow<T, Dim>::greatest_change() const {
  if (!body_->has_last_velocity) return std::numeric_limits<double>::infinity();
  return body_->greatest([](auto const& level) { return detail::greatest_change(level); }) /
         body_->levels[0]->guess.last_time_step();
}
template <class T, int Dim>
double AdaptiveFlow<T, Dim>::greatest_ink_change(std::size_t ink) const {
  if (!body_->has_last_velocity || ink >= body_->options.inks.size()) return std::numeric_limits<double>::infinity();
  return body_->greatest([ink](auto const& level) { return detail::greatest_ink_change(level, ink); }) /
         body_->levels[0]->guess.last_time_step();
}
template <class T, int Dim>
WallState AdaptiveFlow<T, Dim>::wall_state(std::size_t number) const {
  auto const& self = *body_;
  expects(number < self.options.ink_walls.size(), "incompressible: there is no such wall of an ink");
  auto const& wall = self.options.ink_walls[number];
  detail::WallSums sum;
  for (auto const& level : self.levels) {
    auto const here = level->inks->walls.sums(number, wall, self.options.inks[wall.ink].diffusivity, level->grid,
                                              level->state.carried[wall.ink].component(0));
    sum.area += here.area;
    sum.value += here.value;
    sum.flux += here.flux;
  }
  auto const& grid = self.levels[0]->grid.body();
  sum = {grid.sum(sum.area), grid.sum(sum.value), grid.sum(sum.flux)};
  expects(sum.area > 0, "incompressible: the wall of an ink has no faces");
  return {sum.value / sum.area, sum.flux / sum.area};
}
template <class T, int Dim>
double AdaptiveFlow<T, Dim>::greatest_divergence() const {
  return body_->greatest([](auto const& level) { return level.greatest_width() * detail::greatest_divergence(level); });
}
template <class T, int Dim>
Vec<double, Dim> AdaptiveFlow<T, Dim>::momentum() const {
  Vec<double, Dim> sum{};
  for (auto const& level : body_->levels) sum += detail::momentum(*level);
  for (int axis = 0; axis < Dim; ++axis) sum[axis] = body_->levels[0]->grid.body().sum(sum[axis]);
  return sum;
}
template <class T, int Dim>
double AdaptiveFlow<T, Dim>::kinetic_energy() const {
  return body_->sum([](auto const& level) { return detail::kinetic_energy(level); });
}
template <class T, int Dim>
double AdaptiveFlow<T, Dim>::enstrophy() const {
  return body_->sum([](auto const& level) { return detail::enstrophy(level); });
}
template <class T, int Dim>
double AdaptiveFlow<T, Dim>::ink_total(std::size_t ink) const {
  expects(ink < body_->options.inks.size(), "incompressible: there is no such ink");
  return body_->sum([ink](auto const& level) { return detail::ink_total(level, ink); });
}
template <class T, int Dim>
Force<Dim> AdaptiveFlow<T, Dim>::force(int body) const {
  auto& self = *body_;
  if (body < 0 || body >= self.domain.body_count()) fail("incompressible: there is no body " + std::to_string(body));
  auto const number = static_cast<std::size_t>(body);
  auto const& level = *self.levels.back();
  auto& force = self.forces[number];
  if (!force) force.emplace(level.grid, self.bodies[number]);
  return (*force)(level.state.velocity, level.state.pressure, self.options.viscosity, self.options.acceleration);
}

template class AdaptiveFlow<float, 2>;
template class AdaptiveFlow<float, 3>;
template class AdaptiveFlow<double, 2>;
template class AdaptiveFlow<double, 3>;

}  // namespace sparse::incompressible
