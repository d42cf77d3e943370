#include <sparse/app/cases/shape_distance.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/io/vtk/stl.hpp>

namespace sparse::app {
namespace {

using namespace sparse;

template <int Dim>
double length_of(Vec<double, Dim> const& v) {
  double square = 0;
  for (int axis = 0; axis < Dim; ++axis) square += v[axis] * v[axis];
  return std::sqrt(square);
}

template <int Dim>
double distance_to_box(Vec<double, Dim> const& x, Vec<double, Dim> const& lower, Vec<double, Dim> const& upper) {
  Vec<double, Dim> outside{};
  double inside = -HUGE_VAL;
  for (int axis = 0; axis < Dim; ++axis) {
    double const out = std::max(lower[axis] - x[axis], x[axis] - upper[axis]);
    outside[axis] = std::max(out, 0.0);
    inside = std::max(inside, out);
  }
  return inside < 0 ? inside : length_of(outside);
}

/// The distance to the ellipsoid's surface along the gradient of its equation.
template <int Dim>
double distance_to_ellipsoid(Vec<double, Dim> const& from_centre, Vec<double, Dim> const& radii) {
  Vec<double, Dim> once, twice;
  for (int axis = 0; axis < Dim; ++axis) {
    once[axis] = from_centre[axis] / radii[axis];
    twice[axis] = once[axis] / radii[axis];
  }
  double const size = length_of(once), slope = length_of(twice);
  if (slope > 0) return (size - 1) * size / slope;
  double least = radii[0];
  for (int axis = 1; axis < Dim; ++axis) least = std::min(least, radii[axis]);
  return -least;
}

}  // namespace

Loop loop_of(CaseShape const& shape) {
  Loop loop;
  for (std::size_t i = 0; i + 1 < shape.numbers.size(); i += 2)
    loop.push_back({shape.numbers[i], shape.numbers[i + 1]});
  return loop;
}

TriangleMesh mesh_of(CaseShape const& shape, std::filesystem::path const& folder) {
  auto const& n = shape.numbers;
  auto mesh = io::read_stl(folder / shape.text);
  for (auto& vertex : mesh.vertices) vertex = Vec<double, 3>{n[0], n[1], n[2]} + n[3] * vertex;
  return mesh;
}

bool knows_distance(CaseShape const& shape) {
  using Kind = CaseShape::Kind;
  return shape.kind != Kind::bitmap && shape.kind != Kind::cells;
}

template <int Dim>
SignedDistance<Dim> distance_of(CaseShape const& shape, std::filesystem::path const& folder) {
  auto const& n = shape.numbers;
  auto const point = [&](std::size_t first) {
    Vec<double, Dim> v{};
    for (std::size_t axis = 0; axis < Dim && first + axis < n.size(); ++axis)
      v[static_cast<int>(axis)] = n[first + axis];
    return v;
  };
  auto const a = point(0), b = point(Dim);
  switch (shape.kind) {
  case CaseShape::Kind::box:
    return [=](Vec<double, Dim> const& x) { return distance_to_box(x, a, b); };
  case CaseShape::Kind::ball:
    return [=, radius = n[Dim]](Vec<double, Dim> const& x) { return length_of(x - a) - radius; };
  case CaseShape::Kind::ellipsoid:
    return [=](Vec<double, Dim> const& x) { return distance_to_ellipsoid(x - a, b); };
  case CaseShape::Kind::capsule:
    return [=, radius = n[2 * Dim]](Vec<double, Dim> const& x) { return distance_to_segment(x, a, b) - radius; };
  case CaseShape::Kind::polygon:
    if constexpr (Dim == 2) return body_from_polygon("polygon", {loop_of(shape)}).distance;
    return {};
  case CaseShape::Kind::stl:
    if constexpr (Dim == 3) return body_from_mesh(shape.text, mesh_of(shape, folder)).distance;
    return {};
  default:
    return {};
  }
}

template SignedDistance<2> distance_of(CaseShape const&, std::filesystem::path const&);
template SignedDistance<3> distance_of(CaseShape const&, std::filesystem::path const&);

}  // namespace sparse::app
