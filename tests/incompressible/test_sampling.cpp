/// Velocities and cell values between the places where they are stored.

#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSampling : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSampling, RealCases);

/// Random points in the cells of a set, in the units of the spacing.
template <int Dim>
std::vector<Point<Dim>> points_in(IntervalSet<Dim> const& cells, Point<Dim> const& spacing, unsigned seed) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(0.001, 0.999);
  std::vector<Point<Dim>> points;
  cells.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) {
    Point<Dim> x;
    for (int b = 0; b < Dim; ++b) x[b] = spacing[b] * (cell[b] + uniform(engine));
    points.push_back(x);
  });
  return points;
}

template <int Dim>
Point<Dim> linear_velocity(Point<Dim> const& x) {
  Point<Dim> u;
  for (int a = 0; a < Dim; ++a) {
    u[a] = 0.5 + a;
    for (int b = 0; b < Dim; ++b) u[a] += (0.25 * (a + 1) - 0.5 * b) * x[b];
  }
  return u;
}

}  // namespace

// Wherever all faces around a point exist; where the box of cells around it is fluid, say.
TYPED_TEST(IncompressibleSampling, IsExactForLinearFieldsInside) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid, {"ink"});
    set_velocity(grid, state.velocity, linear_velocity<Dim>);
    set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return linear_velocity<Dim>(x)[0]; });
    auto const points = points_in(shrink(grid.fluid(), 1), grid.spacing(), seed);
    auto const velocities = sample_velocity(grid, state.velocity, points);
    auto const values = sample_cells(grid, state.carried[0], points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto const exact = linear_velocity<Dim>(points[i]);
      for (int a = 0; a < Dim; ++a) ASSERT_NEAR(velocities[i][a], exact[a], precise<T>(1e-4, 1e-12)) << "seed " << seed;
      ASSERT_NEAR(values[i], exact[0], precise<T>(1e-4, 1e-12)) << "seed " << seed;
    }
  }
}

// Everywhere, also among scattered cells: means of values around, and of their mirror images where walls stick.
TYPED_TEST(IncompressibleSampling, StaysWithinTheValuesAround) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    auto domain = random_domain<Dim>(seed);
    domain.parts.clear();
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid, {"ink"});
    set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>::filled(1); });
    set_cells(grid, state.carried[0], [](auto const&) { return 3; });
    auto const points = points_in(grid.fluid(), grid.spacing(), seed);
    auto const values = sample_cells(grid, state.carried[0], points);
    auto const velocities = sample_velocity(grid, state.velocity, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(values[i], T(3)) << "seed " << seed;
      for (int a = 0; a < Dim; ++a) {
        ASSERT_LE(velocities[i][a], T(1.00001)) << "seed " << seed;
        ASSERT_GE(velocities[i][a], T(domain.others == BoundaryKind::wall ? 0.99999 : -1.00001));
      }
    }
  }
}

TYPED_TEST(IncompressibleSampling, ReachesWhatWallsSay) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(5));
  domain.grid.spacing[1] = 0.5;
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), {2}});
  domain.parts.push_back({BoundaryKind::wall, side_faces(domain.fluid, 1, FaceSide::lower)});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid);
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>::filled(1); });
  auto const at = [&](double x, double y) {
    auto point = Point<Dim>::filled(2.5);
    point[0] = x;
    point[1] = y;
    return sample_velocity(grid, state.velocity, {point})[0];
  };
  double const near = 1e-7;
  EXPECT_NEAR(at(2.5, 2.5 - near)[0], 2, 1e-5);  // the moving wall
  EXPECT_NEAR(at(2.5, 2.375)[0], 1.5, 1e-5);     // half way to it
  EXPECT_NEAR(at(2.5, near)[0], 1, 1e-5);        // the wall without friction
  EXPECT_NEAR(at(near, 1.25)[1], 0, 1e-5);       // a wall at rest
  EXPECT_NEAR(at(2.5, 2.5 - near)[1], 1, 1e-5);  // normal to a wall: what its faces have
  if (Dim == 3) {
    EXPECT_NEAR(at(near, 1.25)[Dim - 1], 0, 1e-5);
  }
}

TYPED_TEST(IncompressibleSampling, RefusesPointsOutside) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(5));
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> const state(grid, {"ink"});
  for (double const wrong : {-0.1, 5.1, std::nan(""), HUGE_VAL, -1e300}) {
    auto point = Point<Dim>::filled(1);
    point[Dim - 1] = wrong;
    auto const points = std::vector{Point<Dim>::filled(2), point};
    EXPECT_TRUE(is_refused([&] { sample_velocity(grid, state.velocity, points); }, "number 1 of the points"));
    EXPECT_TRUE(is_refused([&] { sample_cells(grid, state.carried[0], points); }, "number 1 of the points"));
  }
  EXPECT_TRUE(is_refused([&] { sample_cells(grid, state.velocity, {}); }, "cell field"));
  EXPECT_TRUE(is_refused([&] { sample_velocity(grid, state.carried[0], {}); }, "velocity"));
}
