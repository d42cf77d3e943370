#pragma once
/// Lines and polygons in space.

#include <string>
#include <vector>

#include <sparse/base/vec.hpp>

namespace sparse::io {

/// A value at each point.
struct PointArray {
  /// Its name, and a value for each point.
  std::string name;
  std::vector<double> values;
};

/// Lines and polygons between points, with values at the points. 2D data have z = 0.
struct PolyData {
  /// Coordinates of the points.
  std::vector<Vec<double, 3>> points;
  std::vector<std::vector<Index>> lines;     ///< the points along each line
  std::vector<std::vector<Index>> polygons;  ///< the corners of each, in order around it
  /// Values at the points.
  std::vector<PointArray> arrays = {};

  /// Adds a line through these points. They get the value 0 in all arrays.
  void add_line(std::vector<Vec<double, 3>> const& along) {
    std::vector<Index> line;
    for (auto const& point : along) {
      line.push_back(static_cast<Index>(points.size()));
      points.push_back(point);
    }
    for (auto& array : arrays) array.values.resize(points.size());
    lines.push_back(std::move(line));
  }
};

/// Checks what writers expect. Cost: a pass over points, lines and polygons.
/// @throws std::invalid_argument  unless:
/// - Coordinates are finite.
/// - Lines have at least two points and polygons at least three, all of which exist.
/// - Arrays have unique names and one value per point.
void check_poly_data(PolyData const& data);

}  // namespace sparse::io
