#pragma once
/// The open part of a square (in 2D: a line) normal to an axis, when a surface cuts it.

#include <algorithm>
#include <cmath>

#include <sparse/base/error.hpp>
#include <sparse/incompressible/grid/curved_walls.hpp>

#include "middle_in_cells.hpp"

namespace sparse::incompressible::detail {

/// Adds an interval to rows whose last `row_ptr` is still missing. Rows come in the order of a set.
template <int Dim>
void append(HostSet<Dim>& rows, RowKey key, Interval interval) {
  if (rows.row_keys.empty() || rows.row_keys.back() != key) {
    rows.row_keys.push_back(key);
    rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
  }
  rows.intervals.push_back(interval);
}

/// Makes a set from a list of cells. They must be in the order of a set.
template <int Dim>
IntervalSet<Dim> set_of(std::vector<Vec<Coord, Dim>> const& cells, Context const& context) {
  HostSet<Dim> rows;
  for (auto const& cell : cells) append(rows, row_key(cell), Interval{cell[0], cell[0] + 1});
  rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
  return from_host(rows, context);
}

/// The open share of a face, and the centre of its open part.
template <int Dim>
struct Opening {
  double share;
  Vec<double, Dim> middle;  // in cell widths, as all places here
};

template <int Dim>
class CutGeometry {
public:
  using Place = Vec<double, Dim>;
  CutGeometry(SignedDistance<Dim> const& distance, Grid<Dim> const& grid)
      : distance_(distance), origin_(grid.origin), spacing_(grid.spacing) {}

  double at(Place const& place) const {
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = origin_[axis] + spacing_[axis] * place[axis];
    double const value = distance_(x);
    expects(!std::isnan(value), "incompressible: a distance is not a number");
    return value;
  }

  /// The distance [length] of a place from the surface, and the unit normal towards greater distances.
  struct Wall {
    double distance;
    Vec<double, Dim> normal;
  };
  Wall wall_near(Place const& place) const {
    constexpr double step = 0.02;
    Wall wall{};
    wall.distance = at(place);
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      auto lower = place, upper = place;
      lower[axis] -= step;
      upper[axis] += step;
      wall.normal[axis] = (at(upper) - at(lower)) / (2 * step * spacing_[axis]);
      square += wall.normal[axis] * wall.normal[axis];
    }
    if (square > 1e-4) {
      wall.normal = (1 / std::sqrt(square)) * wall.normal;
      wall.distance /= std::sqrt(square);
    }
    return wall;
  }

  /// The open part of the square of one cell width around `middle`, normal to an axis. The distance is linear between
  /// corners. In 2D, the line is extruded to a square.
  Opening<Dim> opening(Place const& middle, int normal) const {
    int const first = (normal + 1) % Dim, second = Dim == 3 ? (normal + 2) % Dim : normal;
    double corner[4][2], value[4];
    for (int k = 0; k < 4; ++k) {  // in order around the square
      corner[k][0] = k == 1 || k == 2 ? 0.5 : -0.5;
      corner[k][1] = k > 1 ? 0.5 : -0.5;
      auto place = middle;
      place[first] += corner[k][0];
      if constexpr (Dim == 3) place[second] += corner[k][1];
      value[k] = Dim == 2 && k > 1 ? value[3 - k] : at(place);
    }
    Opening<Dim> result{0, middle};
    double moment[2] = {0, 0};
    // The polygon of the open part. It is summed as triangles that share its first corner.
    double points[8][2];
    int count = 0;
    for (int k = 0; k < 4; ++k) {
      int const next = (k + 1) % 4;
      if (value[k] > 0) std::copy(corner[k], corner[k] + 2, points[count++]);
      if ((value[k] > 0) == (value[next] > 0)) continue;
      double const part = value[k] / (value[k] - value[next]);
      for (int c = 0; c < 2; ++c) points[count][c] = corner[k][c] + part * (corner[next][c] - corner[k][c]);
      ++count;
    }
    for (int k = 2; k < count; ++k) {
      double const area = 0.5 * ((points[k - 1][0] - points[0][0]) * (points[k][1] - points[0][1]) -
                                 (points[k][0] - points[0][0]) * (points[k - 1][1] - points[0][1]));
      result.share += area;
      for (int c = 0; c < 2; ++c) moment[c] += area * (points[0][c] + points[k - 1][c] + points[k][c]) / 3;
    }
    double weight = result.share;
    if (weight < least_opening) {  // a closed face: takes the corners that would close last
      double const last = *std::max_element(value, value + 4) - 1e-9 * spacing_[first];
      weight = moment[0] = moment[1] = 0;
      for (int k = 0; k < 4; ++k) {
        if (value[k] < last) continue;
        for (int c = 0; c < 2; ++c) moment[c] += corner[k][c];
        ++weight;
      }
    }
    result.middle[first] += moment[0] / weight;
    if constexpr (Dim == 3) result.middle[second] += moment[1] / weight;
    return result;
  }
  Opening<Dim> opening(Vec<Coord, Dim> const& face, int normal) const {
    return opening(middle_in_cells(face, normal), normal);
  }

  /// The open part of a cell. Cost: some dozens of distances.
  double volume(Vec<Coord, Dim> const& cell) const {
    constexpr int slice_count = 16;
    auto const middle = middle_in_cells(cell, Dim);
    auto const normal = wall_near(middle).normal;
    int across = 0;  // slices that the surface crosses steeply
    for (int axis = 1; axis < Dim; ++axis)
      if (std::abs(normal[axis]) < std::abs(normal[across])) across = axis;
    double sum = 0;
    for (int i = 0; i < slice_count; ++i) {
      auto place = middle;
      place[across] += (i + 0.5) / slice_count - 0.5;
      sum += opening(place, across).share;
    }
    return sum / slice_count;
  }

  /// Whether the surface may come within two cell widths, along every axis, of a cell's centre.
  bool is_near(double distance) const { return std::abs(distance) <= reach(); }
  double reach() const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += spacing_[axis] * spacing_[axis];
    return 2.5 * std::sqrt(square);
  }

  /// Cells along a row from a centre on whose centres are not near, either; at least 1. Distances may change twice as
  /// fast as they should: far from ellipsoids they are only estimates.
  double cells_to_surface(double distance) const {
    return std::max(1.0, std::ceil(0.5 * (std::abs(distance) - reach()) / spacing_[0]));
  }

private:
  SignedDistance<Dim> const& distance_;
  Vec<double, Dim> origin_, spacing_;
};

/// Visits the cells that are near the surface, and the others in runs. Cost: some distances per row, and one for each
/// cell near the surface.
/// @param near  `near(cell, position)`
/// @param far   `far(key, interval, is_outside)`, an interval of cells on one side
template <int Dim, class Near, class Far>
void visit_by_distance(CutGeometry<Dim> const& geometry, HostSet<Dim> const& cells, Near const& near, Far const& far) {
  cells.for_each_interval([&](RowKey key, Interval interval, Index offset) {
    for (Coord x = interval.begin; x < interval.end;) {
      auto const cell = cell_at<Dim>(key, x);
      double const distance = geometry.at(middle_in_cells(cell, Dim));
      if (geometry.is_near(distance)) {
        near(cell, offset + (x++ - interval.begin));
        continue;
      }
      auto const end = std::min<double>(interval.end, x + geometry.cells_to_surface(distance));
      far(key, Interval{x, static_cast<Coord>(end)}, distance > 0);
      x = static_cast<Coord>(end);
    }
  });
}

}  // namespace sparse::incompressible::detail
