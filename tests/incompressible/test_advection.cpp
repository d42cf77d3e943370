/// Semi-Lagrangian advection: where fluid comes from, what it brings, and that walls hold.

#include <support/incompressible.hpp>

#include "step/advect.hpp"

namespace {

using namespace reference;

constexpr Advection methods[] = {Advection::linear, Advection::maccormack};

template <class TheCase>
class IncompressibleAdvection : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdvection, RealCases);

/// Turns around an axis, and stretches: linear, so that interpolation is exact.
template <int Dim>
Point<Dim> swirl(Point<Dim> const& x) {
  Point<Dim> u{};
  u[0] = 0.3 - 0.1 * x[1];
  u[1] = 0.1 * x[0] + 0.02 * x[1] - 0.4;
  if (Dim == 3) u[Dim - 1] = 0.2 - 0.03 * x[0];
  return u;
}

template <int Dim>
FlowDomain<Dim> closed_box(Coord width) {
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(width));
  return domain;
}

/// The error of a blob after half a turn in the unit square, in the mean.
double error_of_turn(int n, Advection method) {
  auto domain = closed_box<2>(n);
  domain.grid.spacing = Point<2>::filled(1.0 / n);
  StaggeredGrid<2> const grid(domain);
  State<double, 2> state(grid, {"ink"});
  AdvectionScratch<double, 2> scratch(grid);
  auto next = clone(state.carried[0]);
  auto const blob = [](Point<2> const& x) {
    double const dx = x[0] - 0.5, dy = x[1] - 0.7;
    return std::exp(-60 * (dx * dx + dy * dy));
  };
  set_velocity(grid, state.velocity, [](Point<2> const& x) { return Point<2>{0.5 - x[1], x[0] - 0.5}; });
  set_cells(grid, state.carried[0], blob);
  int const steps = 4 * n;
  for (int i = 0; i < steps; ++i) {
    advect(grid, state.velocity, state.carried[0], next, std::acos(-1.0) / steps, method, scratch);
    std::swap(state.carried[0], next);
  }
  set_cells(grid, next, [&](Point<2> const& x) { return blob({1 - x[0], 1 - x[1]}); });
  add(next, -1, state.carried[0]);
  return norm_1(next) / (n * n);
}

}  // namespace

// Of a linear field, exactly the value at the end of the midpoint rule's way: near and far, by both ways of finding it.
TYPED_TEST(IncompressibleAdvection, FollowsTheMidpointRule) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Coord const width = Dim == 2 ? 24 : 13;
  auto domain = closed_box<Dim>(width);
  domain.grid.spacing[1] = 0.5;
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"ink"});
  AdvectionScratch<T, Dim> scratch(grid);
  auto const value = [](Point<Dim> const& x) { return 1 + x[0] - 2 * x[1] + 0.5 * x[Dim - 1]; };
  set_velocity(grid, state.velocity, swirl<Dim>);
  set_cells(grid, state.carried[0], value);
  auto velocity = clone(state.velocity);
  auto ink = clone(state.carried[0]);
  for (double const step : {0.1, -0.7, 1.0, 2.5, -4.0}) {
    advect(grid, state.velocity, state.velocity, velocity, step, Advection::linear, scratch);
    advect(grid, state.velocity, state.carried[0], ink, step, Advection::linear, scratch);
    int checked = 0;
    for (int axis = 0; axis <= Dim; ++axis) {
      auto const is = axis < Dim ? values_on(velocity, axis, grid.open_faces(axis)) : values_on(ink, 0, grid.fluid());
      for (auto const& [cell, found] : is) {
        auto const x = middle_of<Dim>(cell, axis, grid.spacing());
        auto const half = x + (-0.5 * step) * swirl<Dim>(x), end = x + (-step) * swirl<Dim>(half);
        bool is_inside = true;
        double const margin = 1;
        for (int b = 0; b < Dim; ++b)
          for (auto const& at : {x, half, end})
            is_inside = is_inside && at[b] / grid.spacing()[b] > margin && at[b] / grid.spacing()[b] < width - margin;
        if (!is_inside) continue;
        ++checked;
        ASSERT_NEAR(found, axis < Dim ? swirl<Dim>(end)[axis] : value(end), precise<T>(1e-4, 1e-11))
            << "axis " << axis << " at " << cell << ", step " << step;
      }
    }
    EXPECT_GT(checked, 200) << step;
  }
}

// Errors of a turned blob. Linear interpolation loses about a cell width's square in each of n steps, so its order is
// one. The corrected one is of second order, except where its limiter cuts the peak.
TEST(IncompressibleAdvectionOrder, IsOneForLinearAndTwoForMacCormack) {
  double const linear = std::log2(error_of_turn(64, Advection::linear) / error_of_turn(128, Advection::linear));
  double const corrected =
      std::log2(error_of_turn(64, Advection::maccormack) / error_of_turn(128, Advection::maccormack));
  EXPECT_GT(linear, 0.6);
  EXPECT_LT(linear, 1.2);
  EXPECT_GT(corrected, 1.8);
  EXPECT_LT(error_of_turn(64, Advection::maccormack), 0.15 * error_of_turn(64, Advection::linear));
}

TYPED_TEST(IncompressibleAdvection, MakesNoNewExtrema) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid, {"ink"});
    AdvectionScratch<T, Dim> scratch(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto engine = random_engine(seed);
    set_cells(grid, state.carried[0], [&](auto const&) { return random_int(engine, 2, 5); });
    auto next = clone(state.carried[0]);
    for (double const step : {0.2, 3.0, 50.0})
      for (auto const method : methods) {
        advect(grid, state.velocity, state.carried[0], next, step, method, scratch);
        for (auto const& [cell, value] : values_on(next, 0, grid.fluid())) {
          ASSERT_GE(value, 2 - 1e-5) << "seed " << seed << " at " << cell;
          ASSERT_LE(value, 5 + 1e-5) << "seed " << seed << " at " << cell;
        }
      }
  }
}

// However long the steps: fluid does not jump over a wall of one cell.
TYPED_TEST(IncompressibleAdvection, DoesNotCrossThinWalls) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const all = sparse::box<Dim>({}, Cell<Dim>::filled(9));
    auto end = Cell<Dim>::filled(9);
    end[axis] = 5;
    FlowDomain<Dim> domain;
    domain.fluid = all - sparse::box<Dim>(Vec<Coord, Dim>::along(axis, 4), end);
    StaggeredGrid<Dim> const grid(domain);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      State<T, Dim> state(grid, {"ink"});
      AdvectionScratch<T, Dim> scratch(grid);
      set_random_velocity(grid, state.velocity, seed);
      set_cells(grid, state.carried[0], [&](Point<Dim> const& x) { return x[axis] < 4 ? 1 : 0; });
      auto const before = values_on(state.carried[0], 0, grid.fluid());
      auto next = clone(state.carried[0]);
      for (double const step : {0.5, 5.0, 100.0})
        for (auto const method : methods) {
          advect(grid, state.velocity, state.carried[0], next, step, method, scratch);
          ASSERT_EQ(values_on(next, 0, grid.fluid()), before) << "seed " << seed;
        }
    }
  }
}

TYPED_TEST(IncompressibleAdvection, RefusesWhatDoesNotFit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(closed_box<Dim>(6));
  State<T, Dim> state(grid, {"ink"});
  AdvectionScratch<T, Dim> scratch(grid);
  auto& ink = state.carried[0];
  auto next = clone(ink);
  auto const refused = [&](auto& velocity, auto& from, auto& to, double step, char const* part) {
    return is_refused([&] { advect(grid, velocity, from, to, step, Advection::linear, scratch); }, part);
  };
  EXPECT_TRUE(refused(state.velocity, ink, next, std::nan(""), "time step"));
  EXPECT_TRUE(refused(ink, ink, next, 1, "velocity"));
  EXPECT_TRUE(refused(state.velocity, ink, state.velocity, 1, "result"));
  EXPECT_TRUE(refused(state.velocity, ink, ink, 1, "another field"));
  EXPECT_TRUE(refused(state.velocity, state.velocity, state.velocity, 1, "another field"));
  EXPECT_TRUE(refused(state.velocity, state.pressure, next, 1, "carried"));
}
