/// Bodies: distances to polygons and meshes against all edges and triangles, one by one, and sums of angles.

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/bodies.hpp>
#include <sparse/shapes/physical.hpp>
#include <support/meshes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::Body;
using sparse::BoundaryKind;
using sparse::FillRule;
using sparse::Loop;
using sparse::TriangleMesh;

namespace {

template <int Dim>
using Point = Vec<double, Dim>;

template <int Dim>
double dot(Point<Dim> const& a, Point<Dim> const& b) {
  double sum = 0;
  for (int axis = 0; axis < Dim; ++axis) sum += a[axis] * b[axis];
  return sum;
}
template <int Dim>
double length(Point<Dim> const& a) {
  return std::sqrt(dot(a, a));
}
Point<3> cross(Point<3> const& a, Point<3> const& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The least of a convex function between 0 and 1.
template <class Function>
double least_between(Function const& f) {
  double low = 0, high = 1;
  for (int i = 0; i < 90; ++i) {
    double const a = low + (high - low) / 3, b = high - (high - low) / 3;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f(0.5 * (low + high));
}

double distance_to_edges(std::vector<Loop> const& loops, Point<2> const& x) {
  double least = HUGE_VAL;
  for (auto const& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      auto const a = loop[i], b = loop[(i + 1) % loop.size()];
      least = std::min(least, least_between([&](double s) { return length(x - a - s * (b - a)); }));
    }
  return least;
}

/// How often the loops go round a point, by the angles of their edges.
int turns(std::vector<Loop> const& loops, Point<2> const& x) {
  double sum = 0;
  for (auto const& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      auto const a = loop[i] - x, b = loop[(i + 1) % loop.size()] - x;
      sum += std::atan2(a[0] * b[1] - a[1] * b[0], dot(a, b));
    }
  return static_cast<int>(std::lround(sum / (2 * std::numbers::pi)));
}

double distance_to_triangles(TriangleMesh const& mesh, Point<3> const& x) {
  double least = HUGE_VAL;
  for (auto const& t : mesh.triangles) {
    Point<3> const a = mesh.vertices[static_cast<std::size_t>(t[0])], b = mesh.vertices[static_cast<std::size_t>(t[1])],
                   c = mesh.vertices[static_cast<std::size_t>(t[2])];
    if (length(x - a) - std::max(length(b - a), length(c - a)) > least) continue;
    // Along lines parallel to an edge.
    least = std::min(least, least_between([&](double s) {
                       Point<3> const start = x - a - s * (c - a), edge = (1 - s) * (b - a);
                       return least_between([&](double r) { return length(start - r * edge); });
                     }));
  }
  return least;
}

/// The same by solid angles.
/// Source: van Oosterom and Strackee, The solid angle of a plane triangle (1983).
int turns(TriangleMesh const& mesh, Point<3> const& x) {
  double sum = 0;
  for (auto const& t : mesh.triangles) {
    Point<3> const a = mesh.vertices[static_cast<std::size_t>(t[0])] - x,
                   b = mesh.vertices[static_cast<std::size_t>(t[1])] - x,
                   c = mesh.vertices[static_cast<std::size_t>(t[2])] - x;
    double const la = length(a), lb = length(b), lc = length(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return static_cast<int>(std::lround(sum / (4 * std::numbers::pi)));
}

template <int Dim>
Point<Dim> random_point(std::mt19937& engine, double size) {
  Point<Dim> x;
  for (int axis = 0; axis < Dim; ++axis) x[axis] = std::uniform_real_distribution(-size, size)(engine);
  return x;
}

/// Loops that cross themselves and each other; many of the corners have whole numbers as coordinates.
std::vector<Loop> random_loops(std::mt19937& engine) {
  std::vector<Loop> loops(static_cast<std::size_t>(random_int(engine, 1, 3)));
  for (auto& loop : loops) {
    bool const is_whole = random_int(engine, 0, 1) == 0;
    for (int i = random_int(engine, 3, 30); i > 0; --i) {
      auto corner = random_point<2>(engine, 5);
      if (is_whole) corner = {std::floor(corner[0]), std::floor(corner[1])};
      loop.push_back(corner);
    }
  }
  return loops;
}

/// Bodies that overlap, lie in each other or are inside out.
TriangleMesh random_mesh(std::mt19937& engine) {
  TriangleMesh mesh;
  for (int i = random_int(engine, 1, 3); i > 0; --i) {
    auto const place = random_point<3>(engine, 2);
    TriangleMesh part;
    switch (random_int(engine, 0, 3)) {
    case 0:
      part = meshes::sphere(place, 1.5, 2);
      break;
    case 1:
      part = meshes::box(place, place + Point<3>{1, 2, 3}, static_cast<unsigned>(random_int(engine, 0, 63)));
      break;
    case 2:
      part = meshes::torus(place, 2, 0.7, 9, 6);
      break;
    default:
      part = meshes::tetrahedron(place, random_point<3>(engine, 3), random_point<3>(engine, 3),
                                 random_point<3>(engine, 3));
    }
    meshes::append(mesh, random_int(engine, 0, 2) == 0 ? meshes::turned_inside_out(part) : part);
  }
  return mesh;
}

/// What kernels see of a body's surface from the centres of its cells agrees with the distance of these points.
template <int Dim>
void expect_surface(Body<Dim> const& body, sparse::Grid<Dim> const& grid, IntervalSet<Dim> const& cells) {
  auto const surface = body.surface(grid, cells);
  auto const seen =
      to_host(cells.context(), static_cast<sparse::SurfacePoint<Dim> const*>(surface.data()), surface.size());
  ASSERT_EQ(static_cast<Index>(seen.size()), cells.cell_count());
  Index like_count = 0;
  for (auto const& [cell, index] : positions(cells_of(cells))) {
    auto const& [distance, normal] = seen[static_cast<std::size_t>(index)];
    auto const x = grid.center(cell);
    double const size = length(normal);
    ASSERT_NEAR(size, size < 0.5 ? 0 : 1, 1e-12);
    // Between parts of the surface that are equally near, differences give a slope other than 1.
    ASSERT_GE(std::abs(distance) * std::sqrt(Dim), std::abs(body.distance(x)) * (1 - 1e-9) - 1e-12);
    like_count += std::abs(distance - body.distance(x)) <= 0.02 * std::abs(distance) + 1e-9;
  }
  ASSERT_GE(2 * like_count, cells.cell_count());
}

}  // namespace

TEST(BodiesFromPolygons, KnowTheDistanceToTheNearestEdge) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const loops = random_loops(engine);
    for (auto const rule : {FillRule::even_odd, FillRule::non_zero}) {
      auto const body = sparse::body_from_polygon("polygon", loops, rule);
      for (int i = 0; i < 20; ++i) {
        auto const x = random_point<2>(engine, 6);
        double const expected = distance_to_edges(loops, x), found = body.distance(x);
        ASSERT_NEAR(std::abs(found), expected, 1e-7) << "seed " << seed;
        if (expected < 1e-6) continue;
        int const count = turns(loops, x);
        ASSERT_EQ(found < 0, rule == FillRule::even_odd ? count % 2 != 0 : count != 0) << "seed " << seed;
      }
    }
  }
}

TEST(BodiesFromPolygons, HaveTheCellsOfThePolygonAndItsSurface) {
  sparse::Box<2> const box{{-9, -9}, {8, 9}};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const loops = random_loops(engine);
    sparse::Grid<2> const grid{{0.1, -0.2}, {0.5, 0.25}};
    auto const body = sparse::body_from_polygon("polygon", loops, FillRule::non_zero, BoundaryKind::no_slip);
    ASSERT_EQ(body.wall, BoundaryKind::no_slip);
    auto const cells = body.cells(grid, box, {});
    for (auto const& cell : reference::box<2>(box.begin, box.end)) {
      double const distance = body.distance(grid.center(cell));
      if (std::abs(distance) > 1e-9) {
        ASSERT_EQ(cells.contains(cell), distance < 0) << cell;
      }
    }
    expect_surface(body, grid, cells);
  }
}

TEST(BodiesFromMeshes, KnowTheDistanceToTheNearestTriangle) {
  for (unsigned seed = 1; seed <= (seed_count + 9) / 10; ++seed) {
    auto engine = random_engine(seed);
    auto const mesh = random_mesh(engine);
    auto const body = sparse::body_from_mesh("mesh", mesh);
    for (int i = 0; i < 8; ++i) {
      auto const x = random_point<3>(engine, 4);
      double const expected = distance_to_triangles(mesh, x), found = body.distance(x);
      ASSERT_NEAR(std::abs(found), expected, 1e-6) << "seed " << seed;
      if (expected > 1e-5) {
        ASSERT_EQ(found < 0, turns(mesh, x) != 0) << "seed " << seed;
      }
    }
  }
}

TEST(BodiesFromMeshes, HaveTheCellsOfTheMeshAndItsSurface) {
  sparse::Box<3> const box{{-9, -9, -9}, {8, 9, 9}};
  for (unsigned seed = 1; seed <= (seed_count + 9) / 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const body = sparse::body_from_mesh("mesh", random_mesh(engine));
    sparse::Grid<3> const grid{{0.1, -0.2, 0}, {0.5, 0.25, 0.6}};
    auto const cells = body.cells(grid, box, {});
    for (auto const& cell : reference::box<3>(box.begin, box.end)) {
      double const distance = body.distance(grid.center(cell));
      if (std::abs(distance) > 1e-9) {
        ASSERT_EQ(cells.contains(cell), distance < 0) << cell;
      }
    }
    expect_surface(body, grid, cells);
  }
}

TEST(BodiesFromMeshes, AreInsideAlsoOnRaysThroughCornersAndEdges) {
  // A ray from the middle of a sphere meets a corner, and from most points of these planes edges.
  auto const body = sparse::body_from_mesh("sphere", meshes::sphere({}, 1, 3));
  for (double const x : {-0.9, -0.5, 0.0, 0.5, 0.9})
    for (double const y : {-0.25, 0.0, 0.25}) {
      EXPECT_LT(body.distance({x, y, 0}), 0) << x << " " << y;
      EXPECT_LT(body.distance({x, 0, y}), 0) << x << " " << y;
      EXPECT_GT(body.distance({x - 2, y, 0}), 0) << x << " " << y;
    }
}

TEST(Bodies, OfOneShapeInDifferentWordsAreOne) {
  sparse::BoxDistance<2> const square{{0.25, 0.5}, {1.5, 2}};
  sparse::BoxDistance<3> const block{{0.25, 0.5, 1}, {1.5, 2, 1.25}};
  auto const polygon = sparse::body_from_polygon("square", {{{0.25, 0.5}, {1.5, 0.5}, {1.5, 2}, {0.25, 2}}});
  auto const mesh = sparse::body_from_mesh("block", meshes::box(block.lower, block.upper));
  auto engine = random_engine(1);
  for (int i = 0; i < 200; ++i) {
    auto const x = random_point<2>(engine, 3);
    ASSERT_NEAR(polygon.distance(x), square(x), 1e-13);
    auto const y = random_point<3>(engine, 3);
    ASSERT_NEAR(mesh.distance(y), block(y), 1e-13);
  }
}

TEST(Bodies, TogetherAreAsFarAsTheNearestOneAndItsImages) {
  auto const left = sparse::body_from_distance<2>("left", sparse::BallDistance<2>{{1, 1}, 0.5});
  auto const right = sparse::body_from_distance<2>("right", sparse::BallDistance<2>{{3, 1}, 0.25});
  auto const both = sparse::distance_to<2>({left, right}), ring = sparse::distance_to<2>({left, right}, {4, 0});
  EXPECT_EQ(both({1, 1}), -0.5);
  EXPECT_EQ(both({3, 2}), 0.75);
  EXPECT_EQ(both({-1, 1}), 1.5);
  EXPECT_EQ(ring({-1, 1}), -0.25);
  EXPECT_EQ(ring({5, 1}), -0.5);
  auto const of_both = sparse::nearest_of<2>({left, right}), of_ring = sparse::nearest_of<2>({left, right}, {4, 0});
  EXPECT_EQ(of_both({3, 2}), 1);
  EXPECT_EQ(of_both({-1, 1}), 0);
  EXPECT_EQ(of_ring({-1, 1}), 1);
  EXPECT_EQ(of_ring({5, 1}), 0);
  EXPECT_EQ(sparse::nearest_of<2>({left, left})({2, 2}), 0);
  EXPECT_THROW(sparse::distance_to<2>({}), std::invalid_argument);
  EXPECT_THROW(sparse::nearest_of<2>({}), std::invalid_argument);
  EXPECT_THROW(sparse::distance_to<2>({left, sparse::as_staircase(right)}), std::invalid_argument);
}

TEST(Bodies, RefuseWhatHasNoInsideOrIsNoWall) {
  Loop const triangle{{0, 0}, {1, 0}, {0, 1}};
  auto open = meshes::box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  TriangleMesh missing = open;
  missing.triangles.push_back({0, 1, 99});
  EXPECT_THROW(sparse::body_from_polygon("b", {}), std::invalid_argument);
  EXPECT_THROW(sparse::body_from_polygon("b", {{{0, 0}, {1, 0}}}), std::invalid_argument);
  EXPECT_THROW(sparse::body_from_polygon("b", {{{0, 0}, {1, 0}, {0, HUGE_VAL}}}), std::invalid_argument);
  EXPECT_THROW(sparse::body_from_mesh("b", {}), std::invalid_argument);
  EXPECT_THROW(sparse::body_from_mesh("b", open), std::invalid_argument);
  EXPECT_THROW(sparse::body_from_mesh("b", missing), std::invalid_argument);
  for (auto const kind : {BoundaryKind::inflow, BoundaryKind::outflow, BoundaryKind::periodic}) {
    EXPECT_THROW(sparse::body_from_polygon("b", {triangle}, FillRule::even_odd, kind), std::invalid_argument);
    EXPECT_THROW(sparse::body_from_mesh("b", meshes::box({0, 0, 0}, {1, 1, 1}), kind), std::invalid_argument);
    EXPECT_THROW(sparse::body_from_distance<2>("b", sparse::BallDistance<2>{{}, 1}, kind), std::invalid_argument);
    EXPECT_THROW(sparse::body_from_cells<2>("b", sparse::box({0, 0}, {1, 1}), kind), std::invalid_argument);
  }
}
