#pragma once
/// What the methods that advance an incompressible flow have in common.

#include <cstddef>
#include <map>
#include <string>

#include <sparse/base/vec.hpp>
#include <sparse/fields/field.hpp>

namespace sparse::incompressible {

/// A carried value that accelerates the flow: warm fluid upwards, heavy fluid downwards.
template <int Dim>
struct Buoyancy {
  std::size_t carried = 0;  ///< number in `State::carried`
  Vec<double, Dim> acceleration = {};
};

/// How the flow carries ink: the values in `State::carried` without an energy equation of their own.
enum class InkMethod {
  /// By limited fluxes through faces, of second order. The total changes only by what flows through boundaries, and no
  /// value leaves the range of those around it, but for what the pressure solver leaves of divergence. Long steps cost
  /// more.
  fluxes,
  /// Values come from where the fluid comes from; totals change. `Smac` takes the step of Scheidegger, Comba and da
  /// Cunha (2005): a straight line back, and linear interpolation. The other methods carry ink as they carry velocity.
  traced,
};

/// Where the time of all steps went [s].
struct StepSeconds {
  double advection = 0, maps = 0, pressure = 0, other = 0;
  double sum() const { return advection + maps + pressure + other; }
};

/// What a method remembers of its last steps, apart from the state. With both, another object with the same options
/// continues bit by bit.
template <class T, int Dim>
struct MethodMemory {
  std::map<std::string, Field<T, Dim>> fields = {};
  std::map<std::string, double> numbers = {};
};

}  // namespace sparse::incompressible
