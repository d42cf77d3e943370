#pragma once
/// Closed surfaces of triangles for tests.

#include <cmath>
#include <map>
#include <utility>

#include <sparse/shapes/triangle_mesh.hpp>

namespace meshes {

using sparse::TriangleMesh;
using sparse::Vec;
using Point = Vec<double, 3>;

inline void append(TriangleMesh& mesh, TriangleMesh const& other) {
  int const first = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (auto triangle : other.triangles) mesh.triangles.push_back(triangle + Vec<int, 3>::filled(first));
}

inline TriangleMesh turned_inside_out(TriangleMesh mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

inline TriangleMesh tetrahedron(Point const& a, Point const& b, Point const& c, Point const& d) {
  return {{a, b, c, d}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

/// A box; `diagonals` has a bit per side that says which diagonal cuts it.
inline TriangleMesh box(Point const& low, Point const& high, unsigned diagonals = 0) {
  TriangleMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    Point p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = corner >> axis & 1 ? high[axis] : low[axis];
    mesh.vertices.push_back(p);
  }
  int const sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (int side = 0; side < 6; ++side) {
    auto const& v = sides[side];
    int const k = diagonals >> side & 1;
    mesh.triangles.push_back({v[k], v[k + 1], v[k + 2]});
    mesh.triangles.push_back({v[k], v[k + 2], v[(k + 3) % 4]});
  }
  return mesh;
}

/// An octahedron whose triangles were cut into four `steps` times, on a sphere.
inline TriangleMesh sphere(Point const& center, double radius, int steps) {
  TriangleMesh mesh{{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
                    {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};
  for (int step = 0; step < steps; ++step) {
    std::map<std::pair<int, int>, int> middles;
    auto const middle = [&](int a, int b) {
      auto const [place, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (is_new) {
        Point p = mesh.vertices[static_cast<std::size_t>(a)] + mesh.vertices[static_cast<std::size_t>(b)];
        mesh.vertices.push_back((1 / std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])) * p);
      }
      return place->second;
    };
    std::vector<Vec<int, 3>> finer;
    for (auto const& t : mesh.triangles) {
      int const a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      finer.insert(finer.end(), {{t[0], a, c}, {a, t[1], b}, {c, b, t[2]}, {a, b, c}});
    }
    mesh.triangles = std::move(finer);
  }
  for (auto& p : mesh.vertices) p = center + radius * p;
  return mesh;
}

/// A tube of radius `small` around a circle of radius `large` around the z axis.
inline TriangleMesh torus(Point const& center, double large, double small, int count_large, int count_small) {
  TriangleMesh mesh;
  double const turn = 2 * std::acos(-1);
  for (int i = 0; i < count_large; ++i)
    for (int j = 0; j < count_small; ++j) {
      double const u = turn * i / count_large, v = turn * j / count_small, r = large + small * std::cos(v);
      mesh.vertices.push_back(center + Point{r * std::cos(u), r * std::sin(u), small * std::sin(v)});
      int const i1 = (i + 1) % count_large, j1 = (j + 1) % count_small;
      int const a = i * count_small + j, b = i1 * count_small + j, c = i1 * count_small + j1, d = i * count_small + j1;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

}  // namespace meshes
