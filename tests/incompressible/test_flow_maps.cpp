/// Flow maps: splines and their derivatives, where places go, and what becomes of vectors there.

#include <numbers>

#include <sparse/sets/morphology.hpp>
#include <support/incompressible.hpp>

#include "flow_map/maps.hpp"

namespace {

using namespace reference;

using std::numbers::pi;
constexpr Interpolation interpolations[] = {Interpolation::linear, Interpolation::quadratic};

template <class TheCase>
class IncompressibleFlowMaps : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleFlowMaps, RealCases);

template <int Dim>
struct Linear {
  Point<Dim> at_origin, gradient[Dim];  // [component]

  explicit Linear(unsigned seed) {
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int a = 0; a < Dim; ++a) {
      at_origin[a] = uniform(engine);
      for (int b = 0; b < Dim; ++b) gradient[a][b] = uniform(engine);
    }
  }
  Point<Dim> times(Point<Dim> const& x) const {
    Point<Dim> u{};
    for (int a = 0; a < Dim; ++a)
      for (int b = 0; b < Dim; ++b) u[a] += gradient[a][b] * x[b];
    return u;
  }
  Point<Dim> operator()(Point<Dim> const& x) const { return at_origin + times(x); }
};

/// `count` random points in the cells of a set.
template <int Dim>
std::vector<Point<Dim>> random_points(IntervalSet<Dim> const& cells, Point<Dim> const& spacing, std::mt19937& engine,
                                      int count) {
  std::vector<Cell<Dim>> list;
  cells.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) { list.push_back(cell); });
  std::vector<Point<Dim>> points;
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < count && !list.empty(); ++i) {
    auto const& cell = list[static_cast<std::size_t>(random_int(engine, 0, static_cast<int>(list.size()) - 1))];
    Point<Dim> x;
    for (int b = 0; b < Dim; ++b) x[b] = spacing[b] * (cell[b] + uniform(engine));
    points.push_back(x);
  }
  return points;
}

template <int Dim>
std::vector<Point<Dim>> random_vectors(std::mt19937& engine, std::size_t count) {
  std::vector<Point<Dim>> vectors(count);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (auto& v : vectors)
    for (int b = 0; b < Dim; ++b) v[b] = uniform(engine);
  return vectors;
}

template <int Dim>
double distance(Point<Dim> const& a, Point<Dim> const& b) {
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis) greatest = std::max(greatest, std::abs(a[axis] - b[axis]));
  return greatest;
}

/// Vortices between walls without friction, which the mirror images at the walls continue smoothly.
template <int Dim>
Point<Dim> vortices(Point<Dim> const& x, double k) {
  Point<Dim> u{};
  u[0] = std::sin(k * x[0]) * std::cos(k * x[1]);
  u[1] = -std::cos(k * x[0]) * std::sin(k * x[1]);
  if (Dim == 3) {
    u[0] *= std::cos(k * x[Dim - 1]);
    u[1] *= std::cos(k * x[Dim - 1]);
  }
  return u;
}

}  // namespace

// Away from boundaries, to rounding; in cells that are not square.
TYPED_TEST(IncompressibleFlowMaps, SplinesReproduceLinearVelocitiesAndTheirGradients) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    Linear<Dim> const linear(seed);
    set_velocity(grid, state.velocity, linear);
    auto engine = random_engine(seed);
    auto const points = random_points(shrink(grid.fluid(), 1), grid.spacing(), engine, 200);
    auto const vectors = random_vectors<Dim>(engine, points.size());
    for (auto const interpolation : interpolations) {
      FlowMaps<T, Dim> maps(grid, 1, interpolation);
      maps.set_start(state.velocity);
      auto const samples = maps.sample_start(points, vectors);
      ASSERT_EQ(samples.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        ASSERT_LT(distance(samples[i].velocity, linear(points[i])), precise<T>(1e-4, 1e-12)) << "seed " << seed;
        ASSERT_LT(distance(samples[i].change, linear.times(vectors[i])), precise<T>(3e-3, 1e-11)) << "seed " << seed;
      }
    }
  }
}

// Also at walls without friction. Of the linear spline's derivatives the order is one.
TEST(IncompressibleFlowMapOrder, OfSplinesIsTwo) {
  for (auto const interpolation : interpolations) {
    double value_error[2] = {}, change_error[2] = {};
    for (int i = 0; i < 2; ++i) {
      int const n = 24 << i;
      auto domain = channel<2>(n, n, BoundaryKind::wall);
      domain.grid.spacing = Point<2>::filled(1.0 / n);
      StaggeredGrid<2> const grid(domain);
      State<double, 2> state(grid);
      set_velocity(grid, state.velocity, [](Point<2> const& x) { return vortices<2>(x, pi); });
      FlowMaps<double, 2> maps(grid, 1, interpolation);
      maps.set_start(state.velocity);
      auto engine = random_engine(7);
      auto const points = random_points(grid.fluid(), grid.spacing(), engine, 4000);
      std::vector<Point<2>> const vectors(points.size(), Point<2>{0.6, -0.8});
      auto const samples = maps.sample_start(points, vectors);
      for (std::size_t p = 0; p < points.size(); ++p) {
        value_error[i] = std::max(value_error[i], distance(samples[p].velocity, vortices<2>(points[p], pi)));
        double const small = 1e-5;
        auto const change = (1 / (2 * small)) * (vortices<2>(points[p] + small * vectors[p], pi) -
                                                 vortices<2>(points[p] - small * vectors[p], pi));
        change_error[i] = std::max(change_error[i], distance(samples[p].change, change));
      }
    }
    EXPECT_NEAR(std::log2(value_error[0] / value_error[1]), 2, 0.1) << value_error[1];
    EXPECT_NEAR(std::log2(change_error[0] / change_error[1]), interpolation == Interpolation::linear ? 1 : 2, 0.1)
        << change_error[1];
    EXPECT_LT(value_error[1], 2 * pi * pi / (8 * 48 * 48) * 1.1);
  }
}

// Whatever lies around: beside walls, bodies, single cells.
TYPED_TEST(IncompressibleFlowMaps, DerivativesAreThoseOfTheValues) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  if (std::is_same_v<T, float>) return;  // differences would show nothing but rounding
  for (unsigned seed = 1; seed <= 12; ++seed) {
    auto domain = random_domain<Dim>(seed);
    domain.grid.spacing = Point<Dim>::filled(1);
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    FlowMaps<T, Dim> maps(grid, 1, Interpolation::quadratic);
    maps.set_start(state.velocity);
    auto engine = random_engine(seed);
    auto points = random_points(grid.fluid(), grid.spacing(), engine, 200);
    double const small = 1e-6;
    for (auto& x : points)  // well inside a cell
      for (int b = 0; b < Dim; ++b) x[b] = std::floor(x[b]) + 0.01 + 0.98 * (x[b] - std::floor(x[b]));
    auto const vectors = random_vectors<Dim>(engine, points.size());
    auto before = points, behind = points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      before[i] = points[i] - small * vectors[i];
      behind[i] = points[i] + small * vectors[i];
    }
    auto const here = maps.sample_start(points, vectors), low = maps.sample_start(before, vectors),
               high = maps.sample_start(behind, vectors);
    for (std::size_t i = 0; i < points.size(); ++i)
      ASSERT_LT(distance(here[i].change, (0.5 / small) * (high[i].velocity - low[i].velocity)), 1e-5)
          << "seed " << seed << " at " << points[i];
  }
}

TYPED_TEST(IncompressibleFlowMaps, VelocityNormalToAWallIsThatOfTheWall) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    FlowDomain<Dim> domain;
    domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(7));
    // All walls at rest, or two that move without friction at the others: not both, which differ where they meet.
    bool const has_moving = seed % 2 == 1;
    domain.others = has_moving ? BoundaryKind::wall : BoundaryKind::no_slip;
    double const speed = has_moving ? 0.25 : 0;
    for (auto const side : {FaceSide::lower, FaceSide::upper})
      domain.parts.push_back(
          {BoundaryKind::no_slip, side_faces(domain.fluid, 1, side), Vec<double, Dim>::along(1, speed)});
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> uniform(0.01, 6.99);
    for (auto const interpolation : interpolations) {
      FlowMaps<T, Dim> maps(grid, 1, interpolation);
      maps.set_start(state.velocity);
      std::vector<Point<Dim>> points;
      for (int i = 0; i < 100; ++i) {
        Point<Dim> x;
        for (int b = 0; b < Dim; ++b) x[b] = uniform(engine);
        int const axis = i % Dim;
        x[axis] = i % 7 < 3 ? 0 : 7 - 1e-9;
        points.push_back(x);
      }
      auto const samples = maps.sample_start(points, points);
      for (std::size_t i = 0; i < points.size(); ++i) {
        int const axis = static_cast<int>(i) % Dim;
        ASSERT_NEAR(samples[i].velocity[axis], axis == 1 ? speed : 0, precise<T>(1e-6, 1e-8)) << points[i];
      }
    }
  }
}

// The rule is exact for shear, and of fourth order for rotation: five steps of 0.02.
TYPED_TEST(IncompressibleFlowMaps, OfShearAndRotationAreExact) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(Dim == 2 ? 40 : 24, Dim == 2 ? 40 : 24, BoundaryKind::wall);
  domain.grid.spacing[1] = 0.5;
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid);
  Point<Dim> middle;
  for (int b = 0; b < Dim; ++b) middle[b] = (Dim == 2 ? 20 : 12) * grid.spacing()[b];
  int const steps = 5;
  double const step = 0.02, time = steps * step;
  for (bool const is_shear : {true, false})
    for (auto const interpolation : interpolations) {
      FlowMaps<T, Dim> maps(grid, steps, interpolation);
      set_velocity(grid, state.velocity, [&](Point<Dim> const& x) {
        auto const r = x - middle;
        Point<Dim> u{};
        if (is_shear) {
          u[0] = 3 * r[1];
          return u;
        }
        u[0] = -r[1];
        u[1] = r[0];
        return u;
      });
      for (int i = 0; i < steps; ++i) maps.set_velocity(i, state.velocity);
      auto engine = random_engine(3);
      std::vector<Point<Dim>> points;
      std::uniform_real_distribution<double> uniform(-1.5, 1.5);
      for (int i = 0; i < 50; ++i) {
        points.push_back(middle);
        for (int b = 0; b < Dim; ++b) points.back()[b] += uniform(engine);
      }
      auto const vectors = random_vectors<Dim>(engine, points.size());
      for (auto const direction : {Direction::forward, Direction::backward}) {
        double const t = direction == Direction::forward ? time : -time;
        auto const linear = [&](Point<Dim> const& r) {
          auto result = r;
          if (is_shear) {
            result[0] += 3 * t * r[1];
          } else {
            result[0] = std::cos(t) * r[0] - std::sin(t) * r[1];
            result[1] = std::sin(t) * r[0] + std::cos(t) * r[1];
          }
          return result;
        };
        auto const mapped = maps.map(points, vectors, step, direction);
        for (std::size_t i = 0; i < points.size(); ++i) {
          ASSERT_LT(distance(mapped[i].position, middle + linear(points[i] - middle)), precise<T>(1e-5, 1e-9));
          ASSERT_LT(distance(mapped[i].tangent, linear(vectors[i])), precise<T>(2e-5, 1e-9));
          ASSERT_FALSE(mapped[i].has_left);
        }
      }
    }
}

// What is carried along with a map is its derivative, to rounding, also where places slide along walls or bodies.
TYPED_TEST(IncompressibleFlowMaps, TangentsAreDerivativesOfTheMap) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  if (std::is_same_v<T, float>) return;  // differences would show nothing but rounding
  auto domain = channel<Dim>(Dim == 2 ? 32 : 16, Dim == 2 ? 32 : 16, BoundaryKind::wall);
  StaggeredGrid<Dim> const grid(domain);
  int const steps = 4;
  FlowMaps<T, Dim> maps(grid, steps, Interpolation::quadratic);
  State<T, Dim> state(grid);
  double const k = pi / (Dim == 2 ? 16 : 8);
  for (int i = 0; i < steps; ++i) {
    set_velocity(grid, state.velocity, [&](Point<Dim> const& x) { return (1 + 0.1 * i) * vortices<Dim>(x, k); });
    maps.set_velocity(i, state.velocity);
  }
  auto engine = random_engine(11);
  auto const points = random_points(grid.fluid(), grid.spacing(), engine, 300);
  auto const vectors = random_vectors<Dim>(engine, points.size());
  double const small = 1e-5;
  for (auto const direction : {Direction::forward, Direction::backward}) {
    auto before = points, behind = points;
    std::vector<bool> is_inside(points.size(), true);
    for (std::size_t i = 0; i < points.size(); ++i) {
      before[i] = points[i] - small * vectors[i];
      behind[i] = points[i] + small * vectors[i];
      for (int b = 0; b < Dim; ++b)
        is_inside[i] = is_inside[i] && points[i][b] > 0.1 && points[i][b] < (Dim == 2 ? 31.9 : 15.9);
      if (!is_inside[i]) before[i] = behind[i] = points[i];
    }
    auto const here = maps.map(points, vectors, 0.7, direction), low = maps.map(before, vectors, 0.7, direction),
               high = maps.map(behind, vectors, 0.7, direction);
    int checked = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!is_inside[i]) continue;
      ++checked;
      ASSERT_LT(distance(here[i].tangent, (0.5 / small) * (high[i].position - low[i].position)), 1e-6) << points[i];
    }
    EXPECT_GT(checked, 200);
    // There and back again, but for the errors of the rule.
    std::vector<Point<Dim>> there;
    for (auto const& mapped : here) there.push_back(mapped.position);
    auto const back =
        maps.map(there, vectors, 0.7, direction == Direction::forward ? Direction::backward : Direction::forward);
    double way = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_LT(distance(back[i].position, points[i]), 2e-4) << points[i];
      way = std::max(way, distance(points[i], there[i]));
    }
    EXPECT_GT(way, 2);
  }
}

// However wild the velocity, long the step, and ragged the domain; what leaves is at an open end.
TYPED_TEST(IncompressibleFlowMaps, PlacesStayInTheFluid) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    FlowMaps<T, Dim> maps(grid, 3, interpolations[seed % 2]);
    for (int i = 0; i < 3; ++i) {
      set_random_velocity(grid, state.velocity, 10 * seed + static_cast<unsigned>(i));
      maps.set_velocity(i, state.velocity);
    }
    auto engine = random_engine(seed);
    auto const points = random_points(grid.fluid(), grid.spacing(), engine, 300);
    auto const vectors = random_vectors<Dim>(engine, points.size());
    for (double const step : {0.1, 0.7, 5.0})
      for (auto const direction : {Direction::forward, Direction::backward}) {
        auto const mapped = maps.map(points, vectors, step, direction);
        for (std::size_t i = 0; i < points.size(); ++i) {
          bool is_inside = false, is_at_end = false;
          for (int code = 0; code < 1 << Dim; ++code) {  // on a boundary, on either side
            Cell<Dim> cell;
            for (int b = 0; b < Dim; ++b) {
              double const x = mapped[i].position[b] / grid.spacing()[b], slack = precise<T>(1e-4, 1e-9);
              cell[b] = static_cast<Coord>(std::floor(x + ((code >> b) & 1 ? slack : -slack)));
            }
            is_inside = is_inside || grid.fluid().contains(cell);
            for (int b = 0; b < Dim; ++b)
              for (auto const kind : {BoundaryKind::inflow, BoundaryKind::outflow})
                is_at_end = is_at_end || grid.faces_of(kind, b).contains(cell);
          }
          ASSERT_TRUE(is_inside) << "seed " << seed << ": from " << points[i] << " to " << mapped[i].position;
          ASSERT_TRUE(is_at_end || !mapped[i].has_left) << "seed " << seed << " at " << mapped[i].position;
        }
      }
  }
}

TYPED_TEST(IncompressibleFlowMaps, RefuseWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  State<T, Dim> state(grid, {"ink"});
  EXPECT_TRUE(is_refused([&] { FlowMaps<T, Dim>(grid, 0, Interpolation::linear); }, "at least one step"));
  FlowMaps<T, Dim> maps(grid, 2, Interpolation::linear);
  for (int const wrong : {-1, 2}) {
    EXPECT_TRUE(is_refused([&] { maps.set_velocity(wrong, state.velocity); }, "this step"));
    EXPECT_TRUE(is_refused([&] { maps.advect(wrong, 1, state.velocity); }, "this step"));
  }
  EXPECT_TRUE(is_refused([&] { maps.set_increment(0, state.velocity); }, "without increments"));
  EXPECT_TRUE(is_refused([&] { maps.set_start(state.carried[0]); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { maps.pull_back(1, true, state.carried[0]); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { maps.pull_back_cells(state.velocity, true, state.carried[0]); }, "carried"));
  EXPECT_TRUE(is_refused([&] { maps.advect_cells(0, 1, state.carried[0], state.carried[0]); }, "padded"));
  auto const outside = std::vector{Point<Dim>::filled(1e6)};
  EXPECT_TRUE(is_refused([&] { maps.map(outside, outside, 1, Direction::forward); }, "number 0 of the points"));
  EXPECT_TRUE(is_refused([&] { maps.map({}, outside, 1, Direction::forward); }, "a vector for each point"));
  EXPECT_TRUE(is_refused([&] { maps.sample_start(outside, {}); }, "a vector for each point"));
}
