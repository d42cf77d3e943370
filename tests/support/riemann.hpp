#pragma once
/// The exact solution of the Riemann problem, with names for its values.

#include <sparse/compressible/riemann/riemann.hpp>

namespace riemann {

/// Density, velocity, pressure.
struct Primitive {
  double rho, u, p;
};

/// The solution for two constant states that meet at x = 0, a function of x / t.
class Exact {
public:
  Exact(Primitive const& left, Primitive const& right, double gamma = 1.4)
      : solution_({left.rho, left.u, left.p}, {right.rho, right.u, right.p}, gamma) {}
  Primitive operator()(double speed) const {
    auto const w = solution_(speed);
    return {w[0], w[1], w[2]};
  }

private:
  sparse::compressible::RiemannSolution<double> solution_;
};

/// Sod's tube.
inline Exact sod() { return {{1, 0, 1}, {0.125, 0, 0.1}}; }

}  // namespace riemann
