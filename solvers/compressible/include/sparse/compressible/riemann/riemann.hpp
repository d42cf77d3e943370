#pragma once
/// The exact solution of the Riemann problem for an ideal gas.

#include <cmath>
#include <limits>

#include <sparse/base/vec.hpp>

namespace sparse::compressible {

/// What becomes of two constant states that meet at x = 0, a function of x / t; on host and device.
///
/// States are (density, velocity, pressure) in one dimension. A state of density 0 is vacuum. Gases that part fast
/// leave vacuum between them: density and pressure are 0 there, and velocity is x / t. Source: Toro (2009), chapter 4.
template <class T>
class RiemannSolution {
public:
  /// Density, velocity, pressure.
  using State = Vec<T, 3>;

  /// @param left,right  density >= 0 and pressure > 0 (both 0: vacuum)
  /// @param gamma       ratio of specific heats, > 1
  KOKKOS_FUNCTION RiemannSolution(State const& left, State const& right, T gamma);

  /// The state at x / t = `speed`.
  KOKKOS_FUNCTION State operator()(T speed) const {
    if (speed <= front_left_) return beside(left_, front_left_, speed);
    if (speed < front_right_) return {0, speed, 0};
    State mirrored = beside({right_[0], -right_[1], right_[2]}, -front_right_, -speed);
    mirrored[1] = -mirrored[1];
    return mirrored;
  }
  /// Pressure between the outer waves, 0 if there is vacuum.
  KOKKOS_FUNCTION T star_pressure() const { return pressure_; }
  /// Velocity between the outer waves, that of the contact; with vacuum between them the mean of both fronts, infinite
  /// if a side is vacuum.
  KOKKOS_FUNCTION T star_velocity() const { return T(0.5) * (front_left_ + front_right_); }
  /// Whether there is vacuum somewhere.
  KOKKOS_FUNCTION bool has_vacuum() const { return pressure_ == 0; }

private:
  static constexpr T epsilon = std::numeric_limits<T>::epsilon(), infinity = std::numeric_limits<T>::infinity();

  KOKKOS_FUNCTION T sound_speed(State const& w) const { return w[0] > 0 ? std::sqrt(gamma_ * w[2] / w[0]) : T(0); }

  /// Change of velocity through the wave that leads from w to pressure p, and its derivative by p.
  struct Jump {
    T value, slope;
  };
  KOKKOS_FUNCTION Jump jump(State const& w, T p) const {
    T const c = sound_speed(w);
    if (p > w[2]) {  // a shock
      T const a = 2 / ((gamma_ + 1) * w[0]), b = (gamma_ - 1) / (gamma_ + 1) * w[2], root = std::sqrt(a / (p + b));
      return {(p - w[2]) * root, root * (1 - T(0.5) * (p - w[2]) / (p + b))};
    }
    T const ratio = p / w[2], power = std::pow(ratio, (gamma_ - 1) / (2 * gamma_));
    return {2 * c / (gamma_ - 1) * (power - 1), power / ratio / (w[0] * c)};
  }
  KOKKOS_FUNCTION T find_pressure() const;
  /// The state left of the contact, whose speed is `front`, on the side of w.
  KOKKOS_FUNCTION State beside(State const& w, T front, T speed) const;

  State left_, right_;
  T gamma_, pressure_ = 0;
  T front_left_, front_right_;  // speeds of the gases' ends: equal (the contact), or with vacuum between them
};

template <class T>
KOKKOS_FUNCTION RiemannSolution<T>::RiemannSolution(State const& left, State const& right, T gamma)
    : left_(left), right_(right), gamma_(gamma) {
  T const expansion = 2 / (gamma - 1);  // into vacuum, in speeds of sound
  front_left_ = left[1] + expansion * sound_speed(left);
  front_right_ = right[1] - expansion * sound_speed(right);
  if (left[0] > 0 && right[0] > 0 && front_left_ > front_right_) {
    pressure_ = find_pressure();
    Jump const of_left = jump(left, pressure_), of_right = jump(right, pressure_);
    front_left_ = front_right_ = T(0.5) * (left[1] + right[1] + of_right.value - of_left.value);
  } else {
    if (!(left[0] > 0)) front_left_ = -infinity;
    if (!(right[0] > 0)) front_right_ = infinity;
  }
}

/// The jumps of velocity of both waves must add up to that of the data. Their sum rises with pressure and is concave.
/// So Newton's method climbs to the root from any pressure below it, and never passes it. The lesser pressure of the
/// data is below it, unless both waves are rarefactions.
template <class T>
KOKKOS_FUNCTION T RiemannSolution<T>::find_pressure() const {
  T const c_left = sound_speed(left_), c_right = sound_speed(right_), z = (gamma_ - 1) / (2 * gamma_);
  T const least = left_[2] < right_[2] ? left_[2] : right_[2];
  // With two rarefactions: in closed form. Relative to `least`, against overflow.
  T const rarefactions = (c_left + c_right - T(0.5) * (gamma_ - 1) * (right_[1] - left_[1])) /
                         (c_left / std::pow(left_[2] / least, z) + c_right / std::pow(right_[2] / least, z));
  if (rarefactions <= 1) return least * std::pow(rarefactions, 1 / z);

  T p = least;
  for (int step = 0; step < 100; ++step) {
    Jump const of_left = jump(left_, p), of_right = jump(right_, p);
    T const excess = of_left.value + of_right.value + right_[1] - left_[1];
    T const next = p - excess / (of_left.slope + of_right.slope);
    if (!(next > p * (1 + 2 * epsilon))) break;
    p = next;
  }
  return p;
}

template <class T>
KOKKOS_FUNCTION typename RiemannSolution<T>::State RiemannSolution<T>::beside(State const& w, T front, T speed) const {
  T const c = sound_speed(w), g = (gamma_ - 1) / (gamma_ + 1), ratio = pressure_ / w[2];
  if (pressure_ > w[2]) {
    T const shock = w[1] - c * std::sqrt((gamma_ + 1) / (2 * gamma_) * ratio + (gamma_ - 1) / (2 * gamma_));
    return speed < shock ? w : State{w[0] * (ratio + g) / (g * ratio + 1), front, pressure_};
  }
  if (speed < w[1] - c) return w;
  T const star_c = c * std::pow(ratio, (gamma_ - 1) / (2 * gamma_));
  if (speed > front - star_c) return {w[0] * std::pow(ratio, 1 / gamma_), front, pressure_};
  T const cooling = 2 / (gamma_ + 1) + g / c * (w[1] - speed);  // local speed of sound over c, >= 0 up to rounding
  T const base = cooling > 0 ? cooling : T(0);
  return {w[0] * std::pow(base, 2 / (gamma_ - 1)), 2 / (gamma_ + 1) * (c + (gamma_ - 1) / 2 * w[1] + speed),
          w[2] * std::pow(base, 2 * gamma_ / (gamma_ - 1))};
}

}  // namespace sparse::compressible
