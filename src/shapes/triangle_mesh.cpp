#include <sparse/shapes/triangle_mesh.hpp>

#include "crossings.hpp"
#include "mesh_checks.hpp"

namespace sparse {
namespace {

using exact::Point2;
using exact::Point3;

// ---- triangles -> spans: the intersections of lines of constant z with the triangles' shadows on the y-z plane

struct Triangle {
  Point3 corners[3];
  Interval lines;  // the z of the centres that it crosses

  KOKKOS_FORCEINLINE_FUNCTION static Point2 shadow(Point3 const& p) { return {p[1], p[2]}; }
};

/// The rows of one line of constant z that a triangle crosses.
struct Span {
  Interval y;
  Coord z;
  Coord turn;  // change of the winding number for a ray along x through the triangle
  Index triangle;
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator<(Span const& a, Span const& b) {
    return a.y.begin != b.y.begin ? a.y.begin < b.y.begin : a.triangle < b.triangle;
  }
};

struct TriangleSpans {
  Triangle const* triangles;
  SetView lines;

  KOKKOS_FUNCTION Index count(Index t) const { return Index{triangles[t].lines.end} - triangles[t].lines.begin; }
  KOKKOS_FUNCTION Index bin(Index t, Index i) const {
    return lines.find_in_row(0, static_cast<Coord>(triangles[t].lines.begin + i));
  }
  /// The shadow is a triangle; two of its edges cross the line.
  KOKKOS_FUNCTION Span item(Index t, Index i) const {
    Triangle const& triangle = triangles[t];
    auto const line = static_cast<Coord>(triangle.lines.begin + i);
    double const z = line + 0.5;
    Crossing crossings[2] = {};
    int found = 0;
    for (int corner = 0; corner < 3 && found < 2; ++corner) {
      Point2 const a = Triangle::shadow(triangle.corners[corner]);
      Point2 const b = Triangle::shadow(triangle.corners[(corner + 1) % 3]);
      bool const up = a[1] <= z && z < b[1], down = b[1] <= z && z < a[1];
      if (up || down) crossings[found++] = {up ? edge_crossing(a, b, z) : edge_crossing(b, a, z), up ? 1 : -1};
    }
    bool const in_order = crossings[0].x <= crossings[1].x;
    Crossing const first = crossings[in_order ? 0 : 1], second = crossings[in_order ? 1 : 0];
    return {{first.x, second.x}, line, first.turn, t};
  }
};

struct ShadowRow {
  Count const* starts;
  Span const* spans;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    for (Index i = starts[r].value; i < starts[r + 1].value; ++i) emit(spans[i].y.begin, spans[i].y.end);
  }
};

// ---- spans -> crossings of rows along x; a bin is a row, that is, a cell of the shadow

struct SpanCrossings {
  Triangle const* triangles;
  Span const* spans;
  SetView shadow;

  KOKKOS_FUNCTION Index count(Index s) const { return Index{spans[s].y.end} - spans[s].y.begin; }
  KOKKOS_FUNCTION Index bin(Index s, Index i) const {
    return shadow.find(Vec<Coord, 2>{static_cast<Coord>(spans[s].y.begin + i), spans[s].z});
  }
  KOKKOS_FUNCTION Crossing item(Index s, Index i) const {
    Span const& span = spans[s];
    Triangle const& triangle = triangles[span.triangle];
    Point3 const &a = triangle.corners[0], &b = triangle.corners[1], &c = triangle.corners[2];
    Point3 row{0, static_cast<double>(span.y.begin + i) + 0.5, span.z + 0.5};
    // The shadow turns clockwise when its left edge goes up. Then the normal's x is negative.
    int const normal_sign = -span.turn;
    auto const is_beyond = [&](Coord x) {
      return exact::side(a, b, c, Point3{x + 0.5, row[1], row[2]}) * normal_sign >= 0;
    };
    Point3 const u = b - a, v = c - a;
    double const normal[] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double const x = a[0] - (normal[1] * (row[1] - a[1]) + normal[2] * (row[2] - a[2])) / normal[0];
    Coord const low = first_centre(std::fmin(a[0], std::fmin(b[0], c[0])));
    Coord const high = first_centre(std::fmax(a[0], std::fmax(b[0], c[0])));
    return {first_beyond(low, high, std::ceil(x - 0.5), is_beyond), span.turn};
  }
};

std::vector<Triangle> triangles_of(TriangleMesh const& mesh) {
  std::vector<Vec<double, 3>> vertices;
  vertices.reserve(mesh.vertices.size());
  for (auto const& vertex : mesh.vertices) vertices.push_back(checked_vertex(vertex, "triangle_mesh"));
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (auto const& corners : mesh.triangles) {
    Triangle triangle;
    double low = coord_limit, high = -coord_limit;
    for (int corner = 0; corner < 3; ++corner) {
      triangle.corners[corner] = vertices[static_cast<std::size_t>(corners[corner])];
      low = std::min(low, triangle.corners[corner][2]);
      high = std::max(high, triangle.corners[corner][2]);
    }
    triangle.lines = {first_centre(low), first_centre(high)};
    if (triangle.lines.begin < triangle.lines.end) triangles.push_back(triangle);
  }
  return triangles;
}

}  // namespace

IntervalSet<3> triangle_mesh(TriangleMesh const& mesh, Context const& context) {
  detail::expect_vertices(mesh);
  std::vector<Triangle> const host_triangles = triangles_of(mesh);
  detail::expect_closed(mesh);
  if (host_triangles.empty()) return {};

  ProfilingRegion const region("sparse::triangle_mesh");
  std::vector<Interval> ranges;
  for (Triangle const& triangle : host_triangles) ranges.push_back(triangle.lines);
  IntervalSet<2> const lines = union_of(std::move(ranges), context);
  Buffer<RowKey> const line_keys = rows_behind(context, lines.view());
  Buffer<Triangle> const triangles = to_device(context, host_triangles);

  Bins<Span> const spans = sort_into_bins<Span>(context, "sparse::triangle_mesh::spans", triangles.size(),
                                                TriangleSpans{triangles.data(), lines.view()}, line_keys.size());
  IntervalSet<2> const shadow = assemble<2>(context, "sparse::triangle_mesh::shadow", line_keys.data(),
                                            line_keys.size(), ShadowRow{spans.starts.data(), spans.items.data()});
  if (shadow.is_empty()) return {};
  Buffer<RowKey> const keys = rows_behind(context, shadow.view());
  Bins<Crossing> const crossings =
      sort_into_bins<Crossing>(context, "sparse::triangle_mesh::crossings", spans.items.size(),
                               SpanCrossings{triangles.data(), spans.items.data(), shadow.view()}, keys.size());
  return assemble<3>(context, "sparse::triangle_mesh::rows", keys.data(), keys.size(),
                     CrossingRow<NonZero>{crossings.starts.data(), crossings.items.data(), {}});
}

}  // namespace sparse
