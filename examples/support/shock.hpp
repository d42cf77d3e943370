#pragma once
/// A normal shock.

namespace examples {

/// The gas behind a shock that runs at `mach` times the sound speed into gas at rest.
/// Source: Liepmann and Roshko (1957), sections 2.13 and 3.2.
struct NormalShock {
  double mach, gamma;

  /// Behind over before.
  double pressure_ratio() const { return 1 + 2 * gamma / (gamma + 1) * (mach * mach - 1); }
  double density_ratio() const { return (gamma + 1) * mach * mach / ((gamma - 1) * mach * mach + 2); }
  /// Of the gas behind, along the shock, over the sound speed before.
  double velocity() const { return 2 / (gamma + 1) * (mach - 1 / mach); }
};

}  // namespace examples
