#pragma once
/// Vortices in a strip that repeats itself along x, between walls without friction at y = 0 and y = height.

#include <cmath>
#include <vector>

#include <sparse/base/vec.hpp>

/// Vortices turn to the left if their circulation is positive.
struct Vortex {
  sparse::Vec<double, 2> at;
  double circulation;
};

struct Strip {
  double length, height;
};

/// The velocity that a vortex with a Gaussian core gives a point, with its images across the walls and all of these
/// across the periods. Where the core is 0 wide, a vortex does not move itself.
/// Source: Lamb, Hydrodynamics, sec. 156: rows of vortices.
inline sparse::Vec<double, 2> velocity_of(Strip const& strip, Vortex const& vortex, double core,
                                          sparse::Vec<double, 2> const& point) {
  constexpr int image_count = 4;  // each is e^(-4 pi height / length) times as strong as the one before
  double const k = 2 * std::acos(-1.0) / strip.length, x = point[0] - vortex.at[0];
  sparse::Vec<double, 2> sum{};
  for (int image = -image_count; image <= image_count; ++image)
    for (int const side : {1, -1}) {
      double const y = point[1] - (side * vortex.at[1] + 2 * image * strip.height);
      double const near = std::cosh(k * y) - std::cos(k * x);
      double part = side * vortex.circulation / (2 * strip.length);
      // Near the vortex, near = (k r)^2 / 2.
      if (core > 0) part *= -std::expm1(-2 * near / (k * k * core * core));
      if (near < 1e-14) continue;
      sum[0] -= part * std::sinh(k * y) / near;
      sum[1] += part * std::sin(k * x) / near;
    }
  return sum;
}

inline std::vector<sparse::Vec<double, 2>> velocities_of(Strip const& strip, std::vector<Vortex> const& vortices) {
  std::vector<sparse::Vec<double, 2>> velocities;
  for (auto const& moved : vortices) {
    sparse::Vec<double, 2> sum{};
    for (auto const& vortex : vortices) sum += velocity_of(strip, vortex, 0, moved.at);
    velocities.push_back(sum);
  }
  return velocities;
}

/// Times at which the first two of the vortices, points without cores, are at the same x. Fourth order (RK4).
inline std::vector<double> pass_times(Strip const& strip, std::vector<Vortex> vortices, double end) {
  std::vector<double> times;
  double const step = 1e-3 * strip.height * strip.height / std::abs(vortices[0].circulation);
  for (double time = 0; time < end; time += step) {
    double const before = vortices[0].at[0] - vortices[1].at[0];
    auto const start = vortices;
    double const shares[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, reaches[] = {0.5, 0.5, 1};
    auto stage = vortices;
    for (int k = 0; k < 4; ++k) {
      auto const speed = velocities_of(strip, stage);
      for (std::size_t i = 0; i < vortices.size(); ++i) {
        vortices[i].at += step * shares[k] * speed[i];
        if (k < 3) stage[i].at = start[i].at + step * reaches[k] * speed[i];
      }
    }
    double const after = vortices[0].at[0] - vortices[1].at[0];
    if (before * after < 0) times.push_back(time + step * before / (before - after));
  }
  return times;
}
