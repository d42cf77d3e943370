#pragma once
/// What the methods that advance an incompressible flow have in common.

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sparse/base/vec.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::incompressible {

/// What is produced in the fluid, for example heat.
template <int Dim>
struct Source {
  IntervalSet<Dim> cells = {};  ///< where; at least one of them must be in the fluid
  double strength = 0;          ///< gain of the value per time, in each cell [value / time]
  /// The strength at the centre of each cell. It replaces `strength`. May be empty.
  std::function<double(Vec<double, Dim> const& position)> profile = {};
};

/// A carried field with an energy equation: it is convected, conducted, produced by sources, and gets what walls give
/// (`BoundaryPart::temperature`, `BoundaryPart::heat_flux`). In a step, its total changes by what sources and the
/// boundary bring, to rounding.
template <int Dim>
struct Transport {
  std::size_t carried = 0;                ///< number in `State::carried`
  double diffusivity = 0;                 ///< >= 0 [length^2 / time]
  std::vector<Source<Dim>> sources = {};  ///< where they overlap, they add up
};

/// A carried value that accelerates the flow: warm fluid upwards, heavy fluid downwards.
template <int Dim>
struct Buoyancy {
  std::size_t carried = 0;  ///< number in `State::carried`
  /// Of fluid with the value 1 [m/s^2].
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
  /// By part of the step.
  double advection = 0, maps = 0, pressure = 0, other = 0;
  /// Of all parts.
  double sum() const { return advection + maps + pressure + other; }
};

/// What a method remembers of its last steps, apart from the state. With both, another object with the same options
/// continues bit by bit.
template <class T, int Dim>
struct MethodMemory {
  /// By name.
  std::map<std::string, Field<T, Dim>> fields = {};
  std::map<std::string, double> numbers = {};
};

}  // namespace sparse::incompressible
