#include <sparse/app/cases/curved_body.hpp>

#include <sparse/io/vtk/stl.hpp>

#include <sparse/app/cases/case_shapes.hpp>

namespace sparse::app {
namespace {

using namespace sparse;

/// A function that is 0 on the ellipsoid and a distance to first order near it.
template <int Dim>
struct EllipsoidDistance {
  Vec<double, Dim> centre, radii;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0, slope = 0, least = radii[0];
    for (int axis = 0; axis < Dim; ++axis) {
      double const once = (x[axis] - centre[axis]) / radii[axis], twice = once / radii[axis];
      square += once * once;
      slope += twice * twice;
      least = radii[axis] < least ? radii[axis] : least;
    }
    return slope > 0 ? (std::sqrt(square) - 1) * std::sqrt(square / slope) : -least;
  }
};

/// The body of a shape with a surface of facets; nothing for other shapes.
template <int Dim>
std::optional<Body<Dim>> body_of_facets(CaseShape const& shape, std::filesystem::path const& folder, BoundaryKind wall);

template <>
std::optional<Body<2>> body_of_facets(CaseShape const& shape, std::filesystem::path const&, BoundaryKind wall) {
  if (shape.kind != CaseShape::Kind::polygon) return {};
  return body_from_polygon("polygon", {loop_of(shape)}, FillRule::even_odd, wall);
}

template <>
std::optional<Body<3>> body_of_facets(CaseShape const& shape, std::filesystem::path const& folder, BoundaryKind wall) {
  if (shape.kind != CaseShape::Kind::stl) return {};
  return body_from_mesh(shape.text, mesh_of(shape, folder), wall);
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
std::optional<Body<Dim>> curved_body(CaseShape const& shape, std::filesystem::path const& folder, BoundaryKind wall) {
  auto const point = [&](std::size_t first) { return numbers_from<Dim>(shape, first); };
  switch (shape.kind) {
  case CaseShape::Kind::ball:
    return body_from_distance<Dim>("ball", BallDistance<Dim>{point(0), shape.numbers[Dim]}, wall);
  case CaseShape::Kind::box:
    return body_from_distance<Dim>("box", BoxDistance<Dim>{point(0), point(Dim)}, wall);
  case CaseShape::Kind::ellipsoid:
    return body_from_distance<Dim>("ellipsoid", EllipsoidDistance<Dim>{point(0), point(Dim)}, wall);
  case CaseShape::Kind::capsule:
    return body_from_distance<Dim>("capsule", CapsuleDistance<Dim>{point(0), point(Dim), shape.numbers[2 * Dim]}, wall);
  default:
    return body_of_facets<Dim>(shape, folder, wall);
  }
}

template std::optional<Body<2>> curved_body(CaseShape const&, std::filesystem::path const&, BoundaryKind);
template std::optional<Body<3>> curved_body(CaseShape const&, std::filesystem::path const&, BoundaryKind);

}  // namespace sparse::app
