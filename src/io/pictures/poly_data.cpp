#include <sparse/io/pictures/poly_data.hpp>

#include <cmath>
#include <set>

#include <sparse/base/error.hpp>

namespace sparse::io {

void check_poly_data(PolyData const& data) {
  auto const count = static_cast<Index>(data.points.size());
  for (auto const& point : data.points)
    for (int axis = 0; axis < 3; ++axis) expects(std::isfinite(point[axis]), "poly data: a coordinate is not finite");
  auto const expect_points = [&](std::vector<std::vector<Index>> const& shapes, std::size_t least, char const* why) {
    for (auto const& shape : shapes) {
      expects(shape.size() >= least, why);
      for (Index const point : shape)
        expects(point >= 0 && point < count, "poly data: a line or polygon names a point that is not there");
    }
  };
  expect_points(data.lines, 2, "poly data: a line has less than two points");
  expect_points(data.polygons, 3, "poly data: a polygon has less than three points");
  std::set<std::string> names;
  for (PointArray const& array : data.arrays) {
    expects(array.values.size() == data.points.size(), "poly data: an array has not one value per point");
    expects(!array.name.empty() && names.insert(array.name).second, "poly data: names of arrays must be unique");
  }
}

}  // namespace sparse::io
