#pragma once
/// What tests of SMAC steps share.

#include <numbers>

#include <sparse/incompressible/method/smac.hpp>
#include <support/incompressible.hpp>

namespace reference {

/// A box with sides of 1 between walls.
template <int Dim>
FlowDomain<Dim> unit_box(int n) {
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(n));
  domain.grid.spacing = Point<Dim>::filled(1.0 / n);
  domain.others = BoundaryKind::wall;
  return domain;
}

/// With a pressure as exact as the type of its values allows.
template <class T, int Dim>
SmacOptions<Dim> smac_options(double viscosity) {
  SmacOptions<Dim> options;
  options.viscosity = viscosity;
  options.pressure.stop = {precise<T>(1e-5, 1e-11), 500};
  options.pressure.method = sparse::poisson::MultigridCg{{.precision = sparse::poisson::Precision::same}};
  return options;
}

/// LeVeque's vortex, without divergence on faces of this width.
inline VectorFunction<2> vortex(double h) {
  constexpr double pi = std::numbers::pi;
  auto const potential = [](double x, double y) { return std::pow(std::sin(pi * x) * std::sin(pi * y), 2) / pi; };
  return [=](Point<2> const& x) {
    return Point<2>{(potential(x[0], x[1] + h / 2) - potential(x[0], x[1] - h / 2)) / h,
                    (potential(x[0] - h / 2, x[1]) - potential(x[0] + h / 2, x[1])) / h};
  };
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
