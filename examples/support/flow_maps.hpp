#pragma once
/// The choice between leapfrog flow maps and projection for programs that show what vortices do.

#include <sparse/solvers/incompressible/leapfrog_flow_map.hpp>

#include "support/incompressible.hpp"

namespace examples {

enum class VortexMethod { flow_map, projection };

struct VortexOptions {
  FlowOptions flow;
  VortexMethod method = VortexMethod::flow_map;
  int cycle = 5;
  sparse::incompressible::Interpolation interpolation = sparse::incompressible::Interpolation::quadratic;
  sparse::incompressible::Limiter limiter = sparse::incompressible::Limiter::near_bodies;
  bool has_compensation = true;
  double viscosity = 0;
};

/// Adds all of `VortexOptions`.
inline void add_vortex_options(CLI::App& app, VortexOptions& o) {
  using sparse::incompressible::Interpolation;
  using sparse::incompressible::Limiter;
  add_flow_options(app, o.flow);
  app.option_defaults()->group("Method");
  add_choice<VortexMethod>(app, "--method", o.method,
                           {{"lfm", VortexMethod::flow_map}, {"projection", VortexMethod::projection}},
                           "lfm: leapfrog flow maps; projection: semi-Lagrangian, see --advection");
  app.add_option("--cycle", o.cycle, "lfm: steps through which a flow map goes")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  add_choice<Interpolation>(app, "--interpolation", o.interpolation,
                            {{"linear", Interpolation::linear}, {"quadratic", Interpolation::quadratic}},
                            "lfm: splines between values");
  add_choice<Limiter>(app, "--limiter", o.limiter,
                      {{"none", Limiter::none}, {"bodies", Limiter::near_bodies}, {"everywhere", Limiter::everywhere}},
                      "lfm: where corrected velocities stay within those around");
  app.add_flag("--compensation,!--no-compensation", o.has_compensation, "lfm: back and forth errors are given back")
      ->default_str(o.has_compensation ? "true" : "false");
  add_number(app, "--viscosity", o.viscosity, 0.0, 1e9, "kinematic");
  app.option_defaults()->group("Options");
}

/// Makes the method of the options and calls `body(method)`.
template <class T, int Dim, class Body>
void with_vortex_method(VortexOptions const& o, sparse::incompressible::StaggeredGrid<Dim> const& grid,
                        Body const& body) {
  using namespace sparse::incompressible;
  auto const options = step_options<Dim>(o.flow, o.viscosity);
  if (o.method == VortexMethod::projection) {
    SemiLagrangian<T, Dim> method(grid, options);
    body(method);
    return;
  }
  FlowMapOptions<Dim> maps;
  maps.cycle = o.cycle;
  maps.interpolation = o.interpolation;
  maps.error_compensation = o.has_compensation;
  maps.limiter = o.limiter;
  maps.viscosity = o.viscosity;
  maps.pressure = options.pressure;
  LeapfrogFlowMap<T, Dim> method(grid, maps);
  body(method);
}

}  // namespace examples
