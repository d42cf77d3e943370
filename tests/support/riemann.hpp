#pragma once
/// The exact solution of the Riemann problem for an ideal gas. Source: Toro (2009), chapter 4.

#include <cmath>

namespace riemann {

/// Density, velocity, pressure.
struct Primitive {
  double rho, u, p;
};

/// The solution for two constant states that meet at x = 0, a function of x / t. No vacuum.
class Exact {
public:
  Exact(Primitive const& left, Primitive const& right, double gamma = 1.4) : left_(left), right_(right), gamma_(gamma) {
    double low = 0, high = 1e3 * std::fmax(left.p, right.p);
    for (int i = 0; i < 200; ++i) {
      double const middle = 0.5 * (low + high);
      (jump(left_, middle) + jump(right_, middle) + right_.u - left_.u < 0 ? low : high) = middle;
    }
    p_ = 0.5 * (low + high);
    u_ = 0.5 * (left_.u + right_.u + jump(right_, p_) - jump(left_, p_));
  }
  Primitive operator()(double speed) const {
    if (speed <= u_) return on_side(left_, speed);
    Primitive mirrored = on_side({right_.rho, -right_.u, right_.p}, -speed);
    mirrored.u = -mirrored.u;
    return mirrored;
  }

private:
  double sound_speed(Primitive const& w) const { return std::sqrt(gamma_ * w.p / w.rho); }
  /// Change of velocity through the wave that leads from w to pressure p.
  double jump(Primitive const& w, double p) const {
    double const a = 2 / ((gamma_ + 1) * w.rho), b = (gamma_ - 1) / (gamma_ + 1) * w.p;
    if (p > w.p) return (p - w.p) * std::sqrt(a / (p + b));
    return 2 * sound_speed(w) / (gamma_ - 1) * (std::pow(p / w.p, (gamma_ - 1) / (2 * gamma_)) - 1);
  }
  /// Left of the contact, for the left state w (or the mirrored right one).
  Primitive on_side(Primitive const& w, double speed) const {
    double const star_u = w.u - jump(w, p_), c = sound_speed(w), g = (gamma_ - 1) / (gamma_ + 1);
    if (p_ > w.p) {
      double const shock = w.u - c * std::sqrt((gamma_ + 1) / (2 * gamma_) * p_ / w.p + (gamma_ - 1) / (2 * gamma_));
      return speed < shock ? w : Primitive{w.rho * (p_ / w.p + g) / (g * p_ / w.p + 1), star_u, p_};
    }
    double const star_c = c * std::pow(p_ / w.p, (gamma_ - 1) / (2 * gamma_));
    if (speed < w.u - c) return w;
    if (speed > star_u - star_c) return {w.rho * std::pow(p_ / w.p, 1 / gamma_), star_u, p_};
    double const ratio = 2 / (gamma_ + 1) + g / c * (w.u - speed);
    return {w.rho * std::pow(ratio, 2 / (gamma_ - 1)), 2 / (gamma_ + 1) * (c + (gamma_ - 1) / 2 * w.u + speed),
            w.p * std::pow(ratio, 2 * gamma_ / (gamma_ - 1))};
  }

  Primitive left_, right_;
  double gamma_, p_, u_;
};

/// Sod's tube.
inline Exact sod() { return {{1, 0, 1}, {0.125, 0, 0.1}}; }

}  // namespace riemann
