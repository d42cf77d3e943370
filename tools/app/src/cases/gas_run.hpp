#pragma once
/// One run of a case with a gas.

#include <cmath>

#include <fmt/format.h>

#include <sparse/amr/measure/forces.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/shapes/shapes.hpp>

#include <sparse/app/cases/gas_states.hpp>
#include <sparse/app/compressible/run.hpp>

#include "case_results.hpp"

namespace sparse::app {

template <class Law>
class GasRun {
public:
  static constexpr int Dim = Law::dimension;
  using Flow = sparse::amr::Simulation<sparse::compressible::AnyFlux<Law>>;

  GasRun(GasCase const& c, Law const& law, RunFolder& folder)
      : c_(c), folder_(folder), states_(c), flow_(start_of(law)) {}

  void run() {
    std::vector<Picture> pictures;
    for (auto const& name : c_.pictures) pictures.push_back({name});
    auto show = show_gas(flow_, pictures);
    if (has_coefficients()) {
      show.columns = {"drag", "lift", "side_force"};
      show.columns.resize(Dim);
      show.numbers = [this](Flow& flow) { return coefficients(flow); };
    }
    if (sparse::app::run(folder_, flow_, show)) report();
  }

private:
  Flow start_of(Law const& law) {
    auto options = simulation_options<Law>(c_.run);
    if (auto const criteria = criteria_of<Law>(c_); !criteria.empty()) options.criteria = criteria;
    return sparse::app::start<Flow>(folder_, domain_of<Dim>(c_), {law, c_.run.flux}, states_.start(),
                                    {state_of<Law>(c_.inflow), states_.outside()}, options);
  }

  double dynamic_pressure() const {
    auto const& v = c_.inflow.velocity;
    return 0.5 * c_.inflow.density * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  }
  bool has_coefficients() const { return !c_.obstacles.empty() && dynamic_pressure() > 0; }

  /// Coefficients of the pressure force on all obstacles, along the axes.
  std::vector<double> coefficients(Flow& flow) {
    std::vector<double> sums(Dim, 0);
    for (int i = 0; i < flow.domain().body_count(); ++i) {
      auto const force = sparse::amr::force_on_body(flow, i).force;
      for (int axis = 0; axis < Dim; ++axis)
        sums[static_cast<std::size_t>(axis)] += force[axis] / (dynamic_pressure() * c_.area);
    }
    return sums;
  }

  void report() {
    CaseResults results(folder_, c_, c_.numbers());
    add_results(results);
    results.finish();
  }

  void add_results(CaseResults& results) {
    auto const say = [&](std::string const& name, double value) { results.add(name, value); };
    auto const extrema = sparse::amr::extrema(flow_);
    say("greatest pressure", static_cast<double>(extrema.greatest[Law::pressure_index]));
    auto const probes = places_of(folder_.options(), flow_.domain()).probes;
    auto const states = sparse::amr::primitive_at(flow_, probes);
    for (std::size_t i = 0; i < states.size(); ++i) {
      auto const& w = states[i];
      double square = 0;
      for (int axis = 0; axis < Dim; ++axis) square += w[Law::velocity + axis] * w[Law::velocity + axis];
      double const density = w[Law::density], pressure = w[Law::pressure_index];
      say(fmt::format("density at probe {}", i), density);
      say(fmt::format("pressure at probe {}", i), pressure);
      say(fmt::format("Mach number at probe {}", i), std::sqrt(square * density / (c_.gamma * pressure)));
    }
    if (!has_coefficients()) return;
    char const* const names[] = {"drag", "lift", "side force"};
    auto const forces = coefficients(flow_);
    for (std::size_t axis = 0; axis < Dim; ++axis) say(std::string(names[axis]) + " coefficient", forces[axis]);
  }

  GasCase const& c_;
  RunFolder& folder_;
  GasStates<Law> states_;
  Flow flow_;
};

/// Compiled once for each law and dimension.
template <class Law>
void run_gas(GasCase const& c, Law const& law, RunFolder& folder) {
  GasRun<Law>(c, law, folder).run();
}

}  // namespace sparse::app
