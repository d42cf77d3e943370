#pragma once
/// What files and pictures show of a gas.

#include <cmath>
#include <string>
#include <vector>

#include <sparse/amr/measure/snapshot.hpp>

namespace sparse::app {

/// The law of the gas, without a tracer that it carries.
template <class Law>
KOKKOS_FUNCTION auto const& gas_of(Law const& law) {
  if constexpr (requires { law.carrier; })
    return law.carrier;
  else
    return law;
}

/// Density, pressure, velocity and Mach number of conserved variables, and a tracer if there is one.
template <class Law>
struct GasFields {
  static constexpr int Dim = Law::dimension;
  /// Whether there is a tracer, and how many values there are.
  static constexpr bool has_tracer = requires { Law::tracer; };
  static constexpr int value_count = 3 + Dim + (has_tracer ? 1 : 0);
  /// What the functor returns.
  using Values = sparse::Vec<float, value_count>;

  /// Of the gas.
  Law law;

  /// The values of conserved variables.
  KOKKOS_FUNCTION Values operator()(typename Law::State const& u) const {
    auto const& gas = gas_of(law);
    using Gas = std::decay_t<decltype(gas)>;
    auto const w = law.primitive(u);
    typename Gas::State of_gas;
    for (int c = 0; c < Gas::component_count; ++c) of_gas[c] = w[c];
    Values values{};
    values[0] = static_cast<float>(w[Gas::density]);
    values[1] = static_cast<float>(w[Gas::pressure_index]);
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const v = static_cast<double>(w[Gas::velocity + axis]);
      values[2 + axis] = static_cast<float>(v);
      square += v * v;
    }
    values[2 + Dim] = static_cast<float>(std::sqrt(square) / gas.sound_speed(of_gas));
    if constexpr (has_tracer) values[3 + Dim] = static_cast<float>(w[Law::tracer]);
    return values;
  }

  /// Names and places of the values.
  static std::vector<sparse::amr::DerivedArray> arrays() {
    std::vector<sparse::amr::DerivedArray> arrays = {
        {"density", 0, 1}, {"pressure", 1, 1}, {"velocity", 2, Dim}, {"mach", 2 + Dim, 1}};
    if (has_tracer) arrays.push_back({"tracer", 3 + Dim, 1});
    return arrays;
  }
};

/// The same state everywhere, for initial values.
template <class Law>
struct Uniform {
  /// Primitive variables.
  typename Law::State state;
  /// The same at every position.
  KOKKOS_FUNCTION typename Law::State operator()(sparse::Vec<double, Law::dimension> const&) const { return state; }
};

}  // namespace sparse::app
