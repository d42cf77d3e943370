#pragma once
/// What tests of SMAC steps share.

#include <sparse/incompressible/method/smac.hpp>
#include <support/incompressible.hpp>

namespace reference {

/// With a pressure as exact as the type of its values allows.
template <class T, int Dim>
SmacOptions<Dim> smac_options(double viscosity) {
  SmacOptions<Dim> options;
  options.viscosity = viscosity;
  options.pressure.stop = {precise<T>(1e-5, 1e-11), 500};
  options.pressure.method = sparse::poisson::MultigridCg{{.precision = sparse::poisson::Precision::same}};
  return options;
}

/// A velocity without divergence, and values between 0 and 1.
template <class T, int Dim>
void start_at_random(Smac<T, Dim>& step, State<T, Dim>& state, unsigned seed) {
  set_random_velocity(step.grid(), state.velocity, seed);
  EXPECT_TRUE(step.project(state).has_converged());
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (auto& values : state.carried)
    set_where(values, 0, step.grid().fluid(), [&](Cell<Dim> const&) { return uniform(engine); });
}

/// The fluid of a seed between walls at rest.
template <int Dim>
FlowDomain<Dim> closed_domain(unsigned seed) {
  auto domain = random_domain<Dim>(seed);
  domain.parts.clear();
  return domain;
}

template <class T, int Dim>
double greatest_difference(sparse::Field<T, Dim> const& a, sparse::Field<T, Dim> const& b) {
  auto difference = clone(a);
  add(difference, -1, b);
  return norm_max(difference);
}

}  // namespace reference
