#pragma once
/// What tests of leapfrog flow maps share.

#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <support/incompressible.hpp>

namespace reference {

template <int Dim>
FlowMapOptions<Dim> precise_options(double tolerance = 1e-8) {
  FlowMapOptions<Dim> options;
  options.pressure.stop.tolerance = tolerance;
  return options;
}

}  // namespace reference
