#include "runge_kutta.hpp"

#include "shu_osher.hpp"
#include "step/buoyancy.hpp"

namespace sparse::incompressible::detail {
namespace {

constexpr int stage_count = ShuOsher::stage_count;
constexpr auto& of_start = ShuOsher::of_start;
/// The time of what a stage starts from, in time steps.
constexpr double time_of[stage_count] = {0, 1, 0.5};

}  // namespace

template <class T, int Dim>
RungeKutta<T, Dim>::RungeKutta(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options)
    : grid_(grid), options_(options), between_("velocity", grid.storage(), Dim, 0) {
  grid.set_boundary(between_);
  for (std::size_t i = 0; i < options.transported.size(); ++i) {
    values_.emplace_back();
    for (auto& field : values_.back().after) field = Field<T, Dim>("carried", grid.storage(), 1, 0);
  }
}

template <class T, int Dim>
void RungeKutta<T, Dim>::carry(CellTransport<Dim> const& transport, std::vector<CellGains<Dim>> const& gains,
                               State<T, Dim> const& state, double time_step, double ratio,
                               Field<T, Dim> const& last_velocity, std::vector<Field<T, Dim>>& to) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    auto const& one = options_.transported[i];
    auto const& start = state.carried[one.carried];
    for (int stage = 0; stage < stage_count; ++stage) {
      auto& next = stage + 1 == stage_count ? to[one.carried] : values_[i].after[stage];
      transport(stage == 0 ? start : values_[i].after[stage - 1], state.velocity, time_step, one.diffusivity,
                CellStage<T, Dim>{start, of_start[stage], last_velocity, time_of[stage] * ratio}, next);
      gains[i].add((1 - of_start[stage]) * time_step, next);
    }
  }
}

template <class T, int Dim>
Field<T, Dim> const& RungeKutta<T, Dim>::values_in(State<T, Dim> const& state, std::size_t carried, int stage) const {
  for (std::size_t i = 0; i < values_.size() && stage > 0; ++i)
    if (options_.transported[i].carried == carried) return values_[i].after[stage - 1];
  return state.carried[carried];
}

template <class T, int Dim>
void RungeKutta<T, Dim>::operator()(Convection<Dim> const& convection, CellTransport<Dim> const& transport,
                                    std::vector<CellGains<Dim>> const& gains, State<T, Dim> const& state,
                                    double time_step, double ratio, std::vector<Field<T, Dim>>& carried,
                                    Field<T, Dim>& other) {
  // (Without a step before, `other` may be what a step has left that failed.)
  carry(transport, gains, state, time_step, ratio, ratio > 0 ? other : state.velocity, carried);
  VelocityTerms<Dim> const terms{options_.viscosity, 0, options_.acceleration};
  Field<T, Dim> const* from = &state.velocity;
  for (int stage = 0; stage < stage_count; ++stage) {
    bool const is_last = stage + 1 == stage_count;
    double const part = 1 - of_start[stage];
    Field<T, Dim>& to = stage == 1 ? between_ : other;
    // All that the pressure did in a step is its gradient times the step, which the projection makes anew.
    Stage<T, Dim> const how{state.velocity, of_start[stage], state.pressure,
                            is_last ? (part - 1) * time_step : part * time_step, options_.upstream};
    convection(*from, time_step, terms, how, to);
    CutStep const at_cuts = ShuOsher::at_cuts(stage, options_.upstream);
    convect_at_cuts(grid_, *from, time_step, terms, at_cuts, how, to);
    for (auto const& buoyancy : options_.buoyancy) {
      auto const& values = values_in(state, buoyancy.carried, stage);
      add_buoyancy(grid_, values, buoyancy.acceleration, part * time_step, to);
      damp_buoyancy_at_cuts(grid_, values, buoyancy.acceleration, *from, time_step, part, terms, at_cuts, to);
    }
    from = &to;
  }
}

template class RungeKutta<float, 2>;
template class RungeKutta<float, 3>;
template class RungeKutta<double, 2>;
template class RungeKutta<double, 3>;

}  // namespace sparse::incompressible::detail
