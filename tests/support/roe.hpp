#pragma once
/// Roe's flux, written plainly, for comparison.

#include <sparse/compressible/laws/euler.hpp>

/// The flux of conserved variables from the waves of the Jacobian at Roe's mean of two primitive states. Waves that
/// spread are widened as Harten and Hyman do. Source: Roe (1981); Toro (2009), sections 11.2 and 11.4.
template <class ConservationLaw>
struct Roe {
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;
  static constexpr int Dim = Law::dimension;

  Law law;

  State operator()(State const& left, State const& right, int axis) const {
    using T = Scalar;
    T const weight_left = std::sqrt(left[0]), weight_right = std::sqrt(right[0]), weights = weight_left + weight_right;
    auto const mean = [&](T l, T r) { return (weight_left * l + weight_right * r) / weights; };
    auto const enthalpy = [&](State const& w) { return (law.conserved(w)[Dim + 1] + w[Dim + 1]) / w[0]; };
    T const rho = weight_left * weight_right, h = mean(enthalpy(left), enthalpy(right));
    T square = 0;
    sparse::Vec<T, Dim> v;
    for (int other = 0; other < Dim; ++other) {
      v[other] = mean(left[1 + other], right[1 + other]);
      square += v[other] * v[other];
    }
    T const c = std::sqrt((law.gamma - 1) * (h - square / 2));

    State const jump = right - left;
    T const dp = jump[Dim + 1], dv = jump[1 + axis];
    State f = T(0.5) * (law.flux(left, axis) + law.flux(right, axis));
    for (int direction : {-1, 1}) {  // sound
      auto const speed_of = [&](State const& w) {
        return w[1 + axis] + direction * std::sqrt(law.gamma * w[Dim + 1] / w[0]);
      };
      T const speed = v[axis] + direction * c;
      T const spread = std::max({T(0), speed - speed_of(left), speed_of(right) - speed});
      T const size = std::abs(speed) >= spread ? std::abs(speed) : (speed * speed / spread + spread) / 2;
      T const strength = (dp + direction * rho * c * dv) / (2 * c * c);
      State wave;
      wave[0] = 1;
      for (int other = 0; other < Dim; ++other) wave[1 + other] = v[other];
      wave[1 + axis] += direction * c;
      wave[Dim + 1] = h + direction * c * v[axis];
      f -= size * strength / 2 * wave;
    }
    State contact{};  // and shear
    contact[0] = jump[0] - dp / (c * c);
    contact[Dim + 1] = contact[0] * square / 2;
    for (int other = 0; other < Dim; ++other) {
      T const shear = other == axis ? T(0) : rho * jump[1 + other];
      contact[1 + other] = contact[0] * v[other] + shear;
      contact[Dim + 1] += shear * v[other];
    }
    f -= std::abs(v[axis]) / 2 * contact;
    return f;
  }
};
