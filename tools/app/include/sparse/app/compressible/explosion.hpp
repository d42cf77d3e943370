#pragma once
/// Explosions in the middle of the unit box, full of gas of density 1: where the shock should be, and where it is.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <sparse/amr/measure/probes.hpp>

namespace sparse::app {

/// The radius of the shock of a point explosion in gas at rest of density 1 and no pressure, gamma = 1.4:
/// (E t^2 / alpha)^(1 / (2 + Dim)). Source: Sedov (1959), chapter 4; alpha from Kamm and Timmes (2007),
/// LA-UR-07-2849, whose shocks of energy 0.311357 and 0.851072 have radius 0.75 and 1 at time 1.
/// @param energy  in 2D per length
template <int Dim>
double sedov_radius(double energy, double time) {
  double const alpha = Dim == 2 ? 0.311357 / std::pow(0.75, 4) : 0.851072;
  return std::pow(energy * time * time / alpha, 1.0 / (2 + Dim));
}

namespace detail {

/// Where the shock is on the way from the middle along `direction`: the last place at which density passes the mean of
/// its greatest value there and that before the shock.
template <class Flow>
double shock_radius(Flow& flow, Vec<double, Flow::Dim> const& direction) {
  int const count = 2 + static_cast<int>(2 / flow.domain().spacing(flow.level_count() - 1)[0]);
  auto const center = Vec<double, Flow::Dim>::filled(0.5);
  auto const states =
      sparse::amr::primitive_at(flow, sparse::amr::points_between(center, center + 0.5 * direction, count));
  auto const density = [&](int i) { return states[static_cast<std::size_t>(i)][0]; };
  double greatest = 1;
  for (int i = 0; i < count; ++i) greatest = std::max(greatest, density(i));
  double const middle = 0.5 * (1 + greatest);
  for (int i = count - 1; i > 0; --i)
    if (density(i) <= middle && density(i - 1) > middle)
      return 0.5 * (i - (middle - density(i)) / (density(i - 1) - density(i))) / (count - 1);
  return 0;
}

/// Directions of length 1 along the axes and the diagonals.
template <int Dim>
std::vector<Vec<double, Dim>> directions() {
  std::vector<Vec<double, Dim>> all;
  for (int code = 0; code < (Dim == 2 ? 9 : 27); ++code) {
    Vec<double, Dim> direction;
    double square = 0;
    for (int axis = 0, rest = code; axis < Dim; ++axis, rest /= 3) {
      direction[axis] = rest % 3 - 1;
      square += direction[axis] * direction[axis];
    }
    if (square > 0) all.push_back(1 / std::sqrt(square) * direction);
  }
  return all;
}

}  // namespace detail

/// Of a shock around the middle.
struct ShockRadii {
  double mean, range;  ///< over directions along the axes and the diagonals; the greatest less the least
};

/// Where the shock of an explosion is. Cost: `synchronise`, and probes along 8 or 26 rays, two for each finest cell.
template <class Flow>
ShockRadii shock_radii(Flow& flow) {
  std::vector<double> radii;
  for (auto const& direction : detail::directions<Flow::Dim>()) radii.push_back(detail::shock_radius(flow, direction));
  auto const [least, greatest] = std::minmax_element(radii.begin(), radii.end());
  double mean = 0;
  for (double const radius : radii) mean += radius / static_cast<double>(radii.size());
  return {mean, *greatest - *least};
}

/// The greatest difference of density between points and their images in the box's planes of symmetry.
template <class Flow>
double explosion_asymmetry(Flow& flow) {
  constexpr int Dim = Flow::Dim;
  std::vector<Vec<double, Dim>> points;
  int const count = 24;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j <= i; ++j)
      for (int image = 0; image < 8; ++image) {
        // A different height for each pair in 3D, and that of its image.
        auto point = Vec<double, Dim>::filled(0.5 + (i + 0.3) / (2 * count));
        point[0] = 0.5 + (image & 1 ? -1 : 1) * (i + 0.3) / (2 * count);
        point[1] = 0.5 + (image & 2 ? -1 : 1) * (j + 0.3) / (2 * count);
        if (image & 4) std::swap(point[0], point[1]);
        if (Dim == 3) point[Dim - 1] = 0.5 + (image & 2 ? -1 : 1) * 0.1 * (j + 0.3) / count;
        points.push_back(point);
      }
  auto const states = sparse::amr::primitive_at(flow, points);
  double greatest = 0;
  for (std::size_t i = 0; i < states.size(); ++i)
    greatest = std::max(greatest, std::abs(states[i][0] - states[i - i % 8][0]));
  return greatest;
}

}  // namespace sparse::app
