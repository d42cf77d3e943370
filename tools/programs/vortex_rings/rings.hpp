#pragma once
/// Vortex rings around the x axis.

#include <cmath>
#include <vector>

#include <sparse/base/vec.hpp>

/// A ring that moves to the right if its circulation is positive.
struct Ring {
  double x, radius, circulation, core;
};

/// The velocity that a ring gives a point, by Biot and Savart's law; it is made of blobs of vorticity that falls as
/// exp(-(r / core)^3). Source: Beale and Majda, High order accurate vortex methods with explicit velocity kernels, J.
/// Comput. Phys. 58 (1985).
KOKKOS_INLINE_FUNCTION sparse::Vec<double, 3> velocity_of(Ring const& ring, sparse::Vec<double, 3> const& point) {
  constexpr int piece_count = 128;
  double const turn = 2 * 3.14159265358979323846 / piece_count;
  double const strength = ring.circulation * ring.radius * turn / (4 * 3.14159265358979323846);
  sparse::Vec<double, 3> sum{};
  for (int i = 0; i < piece_count; ++i) {
    double const cosine = std::cos(turn * i), sine = std::sin(turn * i);
    double const x = point[0] - ring.x, y = point[1] - ring.radius * cosine, z = point[2] - ring.radius * sine;
    double const square = x * x + y * y + z * z, cube = square * std::sqrt(square);
    double const core = ring.core * ring.core * ring.core;
    double const weight = strength * (cube > 1e-6 * core ? -std::expm1(-cube / core) / cube : 1 / core);
    // (0, -sine, cosine) x (x, y, z)
    sum[0] += weight * (-sine * z - cosine * y);
    sum[1] += weight * cosine * x;
    sum[2] += weight * sine * x;
  }
  return sum;
}

/// Times at which the first two rings are at the same x, thin rings in unbounded fluid that keep their volume: radii
/// and places follow the velocity that all rings give them. Second order.
inline std::vector<double> pass_times(std::vector<Ring> rings, double end) {
  std::vector<double> times;
  double const step = 1e-3;
  auto const moved = [](std::vector<Ring> const& from, std::vector<Ring> const& at, double time) {
    auto to = from;
    for (std::size_t i = 0; i < from.size(); ++i) {
      sparse::Vec<double, 3> speed{};
      for (auto const& ring : at) speed += velocity_of(ring, {at[i].x, at[i].radius, 0});
      to[i].x += time * speed[0];
      to[i].radius += time * speed[1];
      to[i].core = from[i].core * std::sqrt(from[i].radius / to[i].radius);
    }
    return to;
  };
  for (double time = 0; time < end; time += step) {
    double const before = rings[0].x - rings[1].x;
    rings = moved(rings, moved(rings, rings, 0.5 * step), step);
    double const after = rings[0].x - rings[1].x;
    if (before * after < 0) times.push_back(time + step * before / (before - after));
  }
  return times;
}
