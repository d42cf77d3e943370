/// Triangle meshes against winding numbers, implicit bodies, volumes and themselves.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/shapes.hpp>
#include <sparse/shapes/triangle_mesh.hpp>
#include <support/meshes.hpp>
#include <support/reference.hpp>
#include <support/tools.hpp>

using namespace reference;
using meshes::Point;
using sparse::coord_limit;
using sparse::triangle_mesh;
using sparse::TriangleMesh;

namespace {

using Wide = __int128;
/// A point in whole units, many to a cell.
using Lattice = Vec<std::int64_t, 3>;

int sign(Wide x) { return (x > 0) - (x < 0); }

/// The first of these that is not 0, for sums over powers of an infinitely small number.
int sign_of_first(std::initializer_list<Wide> terms) {
  for (Wide const term : terms)
    if (term != 0) return sign(term);
  return 0;
}

/// Where p, moved by (e, e^2, e^3), is seen along z: left (1) or right (-1) of the line from a to b.
int side(Lattice const& a, Lattice const& b, Lattice const& p) {
  Wide const x = b[0] - a[0], y = b[1] - a[1];
  return sign_of_first({x * (p[1] - a[1]) - y * (p[0] - a[0]), -y, x});
}

/// How often the surface winds around p, moved by (e, e^2, e^3), seen along a ray in the direction of z. (The library
/// looks along x.)
int winding(std::vector<Lattice> const& vertices, std::vector<Vec<int, 3>> const& triangles, Lattice const& p) {
  int sum = 0;
  for (auto const& triangle : triangles) {
    auto const &a = vertices[triangle[0]], &b = vertices[triangle[1]], &c = vertices[triangle[2]];
    if (std::max({a[0], b[0], c[0]}) < p[0] || std::min({a[0], b[0], c[0]}) > p[0]) continue;
    if (std::max({a[1], b[1], c[1]}) < p[1] || std::min({a[1], b[1], c[1]}) > p[1]) continue;
    Lattice const u = b - a, v = c - a, w = p - a;
    Wide const normal[3] = {Wide(u[1]) * v[2] - Wide(u[2]) * v[1], Wide(u[2]) * v[0] - Wide(u[0]) * v[2],
                            Wide(u[0]) * v[1] - Wide(u[1]) * v[0]};
    int const turn = sign(normal[2]);
    if (turn == 0) continue;
    if (side(a, b, p) != turn || side(b, c, p) != turn || side(c, a, p) != turn) continue;
    Wide const height = normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2];
    if (sign_of_first({height, normal[0], normal[1], normal[2]}) == -turn) sum += turn;  // the triangle is above
  }
  return sum;
}

std::vector<Lattice> on_lattice(TriangleMesh const& mesh, int per_cell) {
  std::vector<Lattice> points;
  for (auto const& vertex : mesh.vertices) {
    Lattice p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = std::llround(vertex[axis] * per_cell);
    points.push_back(p);
  }
  return points;
}

/// Moves the vertices to multiples of 1 / per_cell.
TriangleMesh snapped(TriangleMesh mesh, int per_cell) {
  auto const points = on_lattice(mesh, per_cell);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) mesh.vertices[i][axis] = static_cast<double>(points[i][axis]) / per_cell;
  return mesh;
}

/// The cells of a box of `size` around the origin that the mesh, whose vertices are multiples of 1 / per_cell, winds
/// around.
Cells<3> cells_inside(TriangleMesh const& mesh, int per_cell, Coord size) {
  auto const vertices = on_lattice(mesh, per_cell);
  Cells<3> cells;
  for (auto const& cell : reference::box<3>(Cell<3>::filled(-size), Cell<3>::filled(size))) {
    Lattice p;
    for (int axis = 0; axis < 3; ++axis) p[axis] = per_cell * cell[axis] + per_cell / 2;
    if (winding(vertices, mesh.triangles, p) != 0) cells.insert(cell);
  }
  return cells;
}

/// A few bodies, some inside out, that overlap, touch and lie in each other, with small numbers as coordinates.
TriangleMesh random_bodies(std::mt19937& engine, int per_cell) {
  TriangleMesh mesh;
  for (int body = random_int(engine, 1, 3); body > 0; --body) {
    auto const point = [&](int reach) {
      Point p;
      for (int axis = 0; axis < 3; ++axis) p[axis] = random_int(engine, -reach * per_cell, reach * per_cell);
      return (1.0 / per_cell) * p;
    };
    TriangleMesh part;
    switch (random_int(engine, 0, 3)) {
    case 0:
      part = meshes::tetrahedron(point(5), point(5), point(5), point(5));  // of any sense of rotation, or flat
      break;
    case 1: {
      Point low = point(4), high = point(4);
      part = meshes::box(low, high, static_cast<unsigned>(random_int(engine, 0, 63)));
      break;
    }
    case 2:
      part = meshes::sphere(point(2), random_int(engine, 1, 9) / 3.0, random_int(engine, 0, 2));
      break;
    default:
      part = meshes::torus(point(1), 3, 1 + random_int(engine, 0, 3) / 4.0, 7, 5);
    }
    meshes::append(mesh, random_int(engine, 0, 2) == 0 ? meshes::turned_inside_out(part) : part);
  }
  return snapped(mesh, per_cell);
}

double volume(TriangleMesh const& mesh) {
  double sum = 0;
  for (auto const& t : mesh.triangles) {
    auto const &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    for (int i = 0; i < 3; ++i) {
      int const j = (i + 1) % 3, k = (i + 2) % 3;
      sum += a[i] * (b[j] * c[k] - b[k] * c[j]) / 6;
    }
  }
  return sum;
}

}  // namespace

TEST(Mesh, HasTheCellsThatItWindsAround) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    int const per_cell = 1 << random_int(engine, 1, 4);  // with 2, vertices lie on centres and corners of cells only
    auto const mesh = random_bodies(engine, per_cell);
    ASSERT_TRUE(matches(triangle_mesh(mesh), cells_inside(mesh, per_cell, 7))) << "seed " << seed;
  }
}

TEST(Mesh, WithAllVerticesOnCentresIsExact) {
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    auto engine = random_engine(seed);
    auto mesh = random_bodies(engine, 1);
    for (auto& vertex : mesh.vertices) vertex += Point::filled(0.5);
    ASSERT_TRUE(matches(triangle_mesh(mesh), cells_inside(mesh, 2, 8))) << "seed " << seed;
  }
}

TEST(Mesh, IsNotRoundedWhereNumbersAreLarge) {
  constexpr int per_cell = 1 << 10;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    // Tetrahedra that are long in x: 4 x 4 rows, a hundred million cells.
    TriangleMesh mesh = meshes::tetrahedron({}, {}, {}, {});
    std::vector<Lattice> vertices;
    for (auto& vertex : mesh.vertices) {
      vertices.push_back({random_int(engine, -1 << 30, 1 << 30) * std::int64_t{64},
                          random_int(engine, -2, 2) * per_cell, random_int(engine, -2 * per_cell, 2 * per_cell)});
      for (int axis = 0; axis < 3; ++axis) vertex[axis] = static_cast<double>(vertices.back()[axis]) / per_cell;
    }
    auto const set = triangle_mesh(mesh);
    auto const host = set.to_host();
    auto const is_inside = [&](Cell<3> const& cell) {
      Lattice p;
      for (int axis = 0; axis < 3; ++axis) p[axis] = std::int64_t{per_cell} * cell[axis] + per_cell / 2;
      return winding(vertices, mesh.triangles, p) != 0;
    };
    std::set<sparse::RowKey> rows;
    host.for_each_interval([&](sparse::RowKey key, Interval interval, Index) {
      rows.insert(key);
      auto const at = [&](Coord x) { return sparse::cell_at<3>(key, x); };
      EXPECT_TRUE(is_inside(at(interval.begin)) && is_inside(at(interval.end - 1))) << "seed " << seed;
      EXPECT_FALSE(is_inside(at(interval.begin - 1)) || is_inside(at(interval.end))) << "seed " << seed;
    });
    EXPECT_EQ(static_cast<std::size_t>(set.interval_count()), rows.size());
    for (Coord z = -3; z < 3; ++z)  // rows that are not there are empty, at least at some places
      for (Coord y = -3; y < 3; ++y)
        for (int i = 0; i < 50 && rows.count(sparse::row_key(Cell<3>{0, y, z})) == 0; ++i) {
          Cell<3> const cell{random_int(engine, -1 << 26, 1 << 26), y, z};
          EXPECT_FALSE(is_inside(cell)) << "seed " << seed << ", " << cell;
        }
  }
}

TEST(Mesh, TilesNeitherOverlapNorLeaveGaps) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> draw(-0.2, 0.2);
    constexpr int count = 3;
    double const width = 4;
    std::vector<Point> points;
    for (int k = 0; k <= count; ++k)
      for (int j = 0; j <= count; ++j)
        for (int i = 0; i <= count; ++i) {
          int const place[] = {i, j, k};
          Point p;
          for (int axis = 0; axis < 3; ++axis) {
            bool const moves = place[axis] % count != 0;
            p[axis] = width * place[axis];
            if (moves) p[axis] += seed % 2 == 0 ? width * draw(engine) : random_int(engine, -1, 1) * 0.5;
          }
          points.push_back(p);
        }
    auto const end = static_cast<Coord>(width * count);
    IntervalSet<3> all;
    Index cell_count = 0;
    for (int cube = 0; cube < count * count * count; ++cube) {
      auto const corner = [&](int bits) {
        int const i = cube % count + (bits & 1), j = cube / count % count + (bits >> 1 & 1);
        return points[static_cast<std::size_t>(((cube / count / count + (bits >> 2)) * (count + 1) + j) * (count + 1) +
                                               i)];
      };
      // Six tetrahedra, one for each way along edges from corner 0 to corner 7; sides match those of the neighbours.
      for (auto const& [a, b] : {std::pair{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}) {
        auto const set = triangle_mesh(meshes::tetrahedron(corner(0), corner(a), corner(b), corner(7)));
        cell_count += set.cell_count();
        all |= set;
      }
    }
    ASSERT_EQ(cell_count, Index{end} * end * end) << "seed " << seed;
    ASSERT_TRUE(all == sparse::box<3>({0, 0, 0}, {end, end, end})) << "seed " << seed;
  }
}

TEST(Mesh, BoxesAreBoxes) {
  for (unsigned diagonals = 0; diagonals < 64; ++diagonals)
    for (double const shift : {0.0, 0.5}) {
      Point const low{shift - 3, shift - 2, shift - 5}, high{shift + 4, shift + 1, shift + 2};
      EXPECT_TRUE(triangle_mesh(meshes::box(low, high, diagonals)) == sparse::box<3>({-3, -2, -5}, {4, 1, 2}));
    }
}

/// Any polygon, swept along z: a fan of triangles at both ends, which may lie on each other, and two for each edge.
TEST(Mesh, PrismsAreExtrudedPolygons) {
  for (unsigned seed = 1; seed <= seed_count / 2; ++seed) {
    auto engine = random_engine(seed);
    int const corners = random_int(engine, 3, 9);
    double const begin = random_int(engine, -8, 4) / 2.0, end = begin + random_int(engine, 0, 8) / 2.0;
    sparse::Loop loop;
    TriangleMesh mesh;
    for (int i = 0; i < corners; ++i) {
      loop.push_back({random_int(engine, -14, 14) / 2.0, random_int(engine, -14, 14) / 2.0});
      for (double const z : {begin, end}) mesh.vertices.push_back({loop.back()[0], loop.back()[1], z});
    }
    for (int i = 0; i < corners; ++i) {
      int const a = 2 * i, b = 2 * ((i + 1) % corners);
      mesh.triangles.insert(mesh.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
      if (i > 0 && i + 1 < corners) mesh.triangles.insert(mesh.triangles.end(), {{0, b, a}, {1, a + 1, b + 1}});
    }
    // Layers from the first centre at or after the begin to the last one before the end.
    auto const z_begin = static_cast<Coord>(std::ceil(begin - 0.5)), z_end = static_cast<Coord>(std::ceil(end - 0.5));
    auto const prism = extrude(polygon(loop, sparse::FillRule::non_zero), z_begin, z_end);
    ASSERT_TRUE(triangle_mesh(mesh) == prism) << "seed " << seed;
  }
}

TEST(Mesh, SpheresAndToriAreThoseOfTheirEquations) {
  Point const center{0.3, -7.1, 11.7};
  double const radius = 40;
  auto const mesh = meshes::sphere(center, radius, 5);
  auto const set = triangle_mesh(mesh);
  // Within the sphere, and around the one that touches the triangles from inside.
  EXPECT_TRUE((set - sparse::ball<3>(center, radius)).is_empty());
  EXPECT_TRUE((sparse::ball<3>(center, radius - 0.1) - set).is_empty());
  EXPECT_NEAR(static_cast<double>(set.cell_count()), volume(mesh), 0.002 * volume(mesh));
  EXPECT_TRUE(triangle_mesh(meshes::turned_inside_out(mesh)) == set);

  auto const ring = meshes::torus(center, 30, 9, 300, 150);
  auto const torus = triangle_mesh(ring);
  EXPECT_NEAR(static_cast<double>(torus.cell_count()), volume(ring), 0.002 * volume(ring));
  Index cells = 0;
  torus.to_host().for_each_cell([&](Cell<3> const& cell, Index) {
    double const x = cell[0] + 0.5 - center[0], y = cell[1] + 0.5 - center[1], z = cell[2] + 0.5 - center[2];
    double const off = std::sqrt(x * x + y * y) - 30;
    cells += off * off + z * z < 81.0001;
  });
  EXPECT_EQ(cells, torus.cell_count());
}

TEST(Mesh, SurfacesInsideOutAreHoles) {
  auto mesh = meshes::sphere({0, 0, 0}, 30, 4);
  auto const outer = triangle_mesh(mesh);
  auto const hole = meshes::box({-5.25, -8, 1}, {7, 9.75, 12});
  auto with_hole = mesh, united = mesh;
  meshes::append(with_hole, meshes::turned_inside_out(hole));
  meshes::append(united, hole);
  EXPECT_TRUE(triangle_mesh(with_hole) == outer - triangle_mesh(hole));
  EXPECT_TRUE(triangle_mesh(united) == outer);
}

TEST(Mesh, CostsItsSurfaceAndNotWhatLiesBetween) {
  double const far = coord_limit - 10;
  auto mesh = meshes::box({-far, -far, -far}, {3 - far, 2 - far, 1 - far});
  meshes::append(mesh, meshes::box({far, far, far}, {far + 3, far + 2, far + 1}));
  auto const set = triangle_mesh(mesh);
  EXPECT_EQ(set.cell_count(), 12);
  EXPECT_EQ(set.row_count(), 4);
  // The whole length of the range, and all of its limits.
  double const least = -coord_limit + 1, most = coord_limit;
  EXPECT_EQ(triangle_mesh(meshes::box({least, -1, most - 2}, {most, 1, most})).cell_count(),
            4 * (Index{2} * coord_limit - 1));
}

TEST(Mesh, EmptyOnesAreEmpty) {
  EXPECT_TRUE(triangle_mesh(TriangleMesh{}).is_empty());
  EXPECT_TRUE(triangle_mesh({{{0, 0, 0}, {9, 9, 9}}, {}}).is_empty());
  EXPECT_TRUE(triangle_mesh(meshes::box({0, 0, 0}, {9, 9, 0})).is_empty());
  EXPECT_TRUE(triangle_mesh(meshes::box({0.1, 0.1, 0.1}, {0.4, 0.4, 0.4})).is_empty());
  EXPECT_TRUE(triangle_mesh(meshes::box({0, 0, 0}, {9, 0.2, 9})).is_empty());
  EXPECT_TRUE(triangle_mesh(meshes::box({0, 0, 0}, {0.2, 9, 9})).is_empty());
}

TEST(Mesh, NamesItsKernels) {
  KokkosWatch const watch;
  triangle_mesh(meshes::box({0, 0, 0}, {9, 9, 9}));
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}

TEST(Mesh, SurfacesThatAreNotClosedAreRefused) {
  auto const message = [](TriangleMesh const& mesh) -> std::string {
    try {
      triangle_mesh(mesh);
      return "not refused";
    } catch (std::invalid_argument const& error) {
      return error.what();
    }
  };
  auto const closed = meshes::sphere({0, 0, 0}, 10, 2);
  EXPECT_EQ(message(closed), "not refused");
  for (std::size_t left_out = 0; left_out < closed.triangles.size(); ++left_out) {
    auto mesh = closed;
    mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_NE(message(mesh).find("3 of its 192 edges"), std::string::npos) << message(mesh);
    mesh = closed;
    std::swap(mesh.triangles[left_out][0], mesh.triangles[left_out][1]);
    EXPECT_NE(message(mesh).find("3 of its 192 edges"), std::string::npos) << message(mesh);
    mesh = closed;
    mesh.triangles.push_back(mesh.triangles[left_out]);
    EXPECT_NE(message(mesh).find("3 of its 192 edges"), std::string::npos) << message(mesh);
  }
  TriangleMesh const one{{{0, 1, 2}, {5, 0, 0}, {0, 5, 0.5}}, {{0, 1, 2}}};
  EXPECT_NE(message(one).find("3 of its 3 edges"), std::string::npos);
  EXPECT_NE(message(one).find("vertex 0 (0.000000, 1.000000, 2.000000) to 1 (5.000000, 0.000000, 0.000000)"),
            std::string::npos)
      << message(one);
}

TEST(Mesh, RefusesBrokenNumbers) {
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  auto const good = meshes::box({0, 0, 0}, {3, 3, 3});
  EXPECT_NO_THROW(triangle_mesh(good));
  for (double const bad : {infinity, -infinity, nan, coord_limit + 1.0, -1.0 * coord_limit, 1e300})
    for (int axis = 0; axis < 3; ++axis) {
      auto mesh = good;
      mesh.vertices[5][axis] = bad;
      EXPECT_THROW(triangle_mesh(mesh), std::invalid_argument) << bad;
    }
  for (int const bad : {-1, 8, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    auto mesh = good;
    mesh.triangles[3][1] = bad;
    EXPECT_THROW(triangle_mesh(mesh), std::invalid_argument) << bad;
  }
}
