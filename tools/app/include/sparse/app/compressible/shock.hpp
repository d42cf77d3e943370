#pragma once
/// Normal shocks.

#include <cmath>

namespace sparse::app {

/// The gas behind a shock that runs at `mach` times the sound speed into gas at rest.
/// Source: Liepmann and Roshko (1957), sections 2.13 and 3.2.
struct NormalShock {
  /// Of the shock, against the gas before it; ratio of specific heats.
  double mach, gamma;

  /// Behind over before.
  double pressure_ratio() const { return 1 + 2 * gamma / (gamma + 1) * (mach * mach - 1); }
  double density_ratio() const { return (gamma + 1) * mach * mach / ((gamma - 1) * mach * mach + 2); }
  /// Of the gas behind, along the shock, over the sound speed before.
  double velocity() const { return 2 / (gamma + 1) * (mach - 1 / mach); }

  /// For a shock at rest: the pressure of the gas behind when it is brought to rest, over the pressure before.
  /// Source: Rayleigh's formula for Pitot tubes, ibid., section 5.3.
  double stagnation_pressure_ratio() const {
    double const square = mach * mach;
    double const base = (gamma + 1) * (gamma + 1) * square / (4 * gamma * square - 2 * (gamma - 1));
    return std::pow(base, gamma / (gamma - 1)) * (1 - gamma + 2 * gamma * square) / (gamma + 1);
  }
};

}  // namespace sparse::app
