#include "mesh_checks.hpp"

#include <algorithm>
#include <string>

#include <sparse/base/error.hpp>

namespace sparse::detail {
namespace {

struct DirectedEdge {
  int low, high, direction;  // direction: 1 from low to high, -1 back
};

std::string name_of(TriangleMesh const& mesh, int vertex) {
  auto const& x = mesh.vertices[static_cast<std::size_t>(vertex)];
  return std::to_string(vertex) + " (" + std::to_string(x[0]) + ", " + std::to_string(x[1]) + ", " +
         std::to_string(x[2]) + ")";
}

}  // namespace

void expect_vertices(TriangleMesh const& mesh) {
  for (auto const& triangle : mesh.triangles)
    for (int const vertex : triangle.data)
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= mesh.vertices.size())
        fail("triangle_mesh: a triangle has vertex " + std::to_string(vertex) + " of " +
             std::to_string(mesh.vertices.size()));
}

void expect_closed(TriangleMesh const& mesh) {
  std::vector<DirectedEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (auto const& triangle : mesh.triangles)
    for (int corner = 0; corner < 3; ++corner) {
      int const a = triangle[corner], b = triangle[(corner + 1) % 3];
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  auto const is_before = [](DirectedEdge const& a, DirectedEdge const& b) {
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  };
  std::sort(edges.begin(), edges.end(), is_before);

  std::size_t edge_count = 0, open_count = 0, first_open = 0;
  for (std::size_t i = 0; i < edges.size(); ++edge_count) {
    std::size_t const first = i;
    int balance = 0;
    for (; i < edges.size() && !is_before(edges[first], edges[i]); ++i) balance += edges[i].direction;
    if (balance == 0) continue;
    if (open_count++ == 0) first_open = first;
  }
  if (open_count == 0) return;
  DirectedEdge const& edge = edges[first_open];
  fail("triangle_mesh: the surface is not closed: " + std::to_string(open_count) + " of its " +
       std::to_string(edge_count) + " edges are not shared by triangles of the same sense on both sides, for example " +
       "that from vertex " + name_of(mesh, edge.low) + " to " + name_of(mesh, edge.high));
}

}  // namespace sparse::detail
