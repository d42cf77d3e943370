/// Ink on grids finer than that of the flow.

#include <numbers>

#include <picture/fine_velocity.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/picture/fine_ink.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

using std::numbers::pi;

template <class TheCase>
class IncompressibleFineInk : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleFineInk, RealCases);

template <int Dim>
Cell<Dim> parent_of(Cell<Dim> cell, int factor) {
  for (int b = 0; b < Dim; ++b) cell[b] = static_cast<Coord>(std::floor(1.0 * cell[b] / factor));
  return cell;
}

double disk(Point<2> const& x) { return std::hypot(x[0] - 0.5, x[1] - 0.75) < 0.15 ? 1 : 0; }

}  // namespace

// Each face passes on the flux that it has, no fine cell has a divergence, and nothing goes through walls.
TYPED_TEST(IncompressibleFineInk, VelocitiesKeepFluxesAndHaveNoDivergence) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    int const factor = 1 + static_cast<int>(seed % 4);
    auto domain = random_domain<Dim>(seed);
    if (seed % 4 == 3) domain.period = domain.fluid.bounds().end - domain.fluid.bounds().begin;
    StaggeredGrid<Dim> const grid(domain);
    Smac<T, Dim> step(grid, smac_options<T, Dim>(0));
    State<T, Dim> state(grid);
    start_at_random(step, state, seed);
    auto const fine = sparse::incompressible::detail::divided(grid, factor);
    EXPECT_EQ(fine.fluid().cell_count(), grid.fluid().cell_count() * static_cast<Index>(std::pow(factor, Dim) + 0.5));
    sparse::incompressible::detail::FineVelocity<T, Dim> interpolate(grid, fine, factor);
    sparse::Field<T, Dim> velocity("velocity", fine.storage(), Dim, 0);
    interpolate(state.velocity, 1, velocity);
    double const left = divergence_of(grid, state.velocity).greatest;
    EXPECT_LE(divergence_of(fine, velocity).greatest, 1.01 * left + precise<T>(2e-4, 1e-12));
    for (int axis = 0; axis < Dim; ++axis) {
      auto const given = values_on(state.velocity, axis, grid.faces(axis));
      auto const is_computed = cells_of(grid.computed_faces(axis));
      std::map<Cell<Dim>, double, StorageOrder> means;
      for (auto const& [face, value] : values_on(velocity, axis, fine.faces(axis))) {
        if (parent_of<Dim>(face, factor)[axis] * factor != face[axis]) continue;
        auto const parent = parent_of<Dim>(face, factor);
        means[parent] += value / std::pow(factor, Dim - 1);
        if (is_computed.count(parent) > 0) continue;
        ASSERT_NEAR(value, given.at(parent), precise<T>(1e-6, 1e-14)) << face;
      }
      ASSERT_EQ(means.size(), given.size());
      for (auto const& [face, value] : means) ASSERT_NEAR(value, given.at(face), precise<T>(1e-5, 1e-13)) << face;
    }
  }
}

TYPED_TEST(IncompressibleFineInk, VelocitiesAreOfSecondOrder) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const part[3] = {1, Dim == 2 ? -1.0 : 1.0, -2};
  auto const swirl = [&](Point<Dim> const& x) {
    Point<Dim> u;
    for (int a = 0; a < Dim; ++a) {
      u[a] = part[a];
      for (int b = 0; b < Dim; ++b) u[a] *= a == b ? std::sin(pi * x[b]) : std::cos(pi * x[b]);
    }
    return u;
  };
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    StaggeredGrid<Dim> const grid(unit_box<Dim>(8 << i));
    State<T, Dim> state(grid);
    set_velocity(grid, state.velocity, swirl);
    FineInk<T, Dim> ink(grid, 3, 0);
    ink.set_velocity(state.velocity);
    auto exact = clone(ink.velocity());
    set_velocity(ink.grid(), exact, swirl);
    errors[i] = greatest_difference(exact, ink.velocity());
  }
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.8) << errors[0] << " " << errors[1];
  EXPECT_LT(errors[1], 0.03);
}

TYPED_TEST(IncompressibleFineInk, KeepsTotalsAndAverages) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed : {2u, 6u, 9u}) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    Smac<T, Dim> step(grid, smac_options<T, Dim>(0));
    State<T, Dim> state(grid, {"ink"});
    start_at_random(step, state, seed);
    FineInk<T, Dim> fine(grid, 2, 2);
    EXPECT_EQ(fine.count(), 2u);
    auto engine = random_engine(seed);
    set_cells(fine.grid(), fine.ink(0), [&](auto const&) { return random_int(engine, 0, 4); });
    set_cells(fine.grid(), fine.ink(1), [&](auto const&) { return 2; });
    double const before = total(fine.grid(), fine.ink(0));
    for (int i = 0; i < 6; ++i) {
      step.advance(state, step.longest_step(state, 0.4));
      fine.advance(state.velocity, 0.5 * grid.spacing()[0]);
    }
    EXPECT_NEAR(total(fine.grid(), fine.ink(0)), before, precise<T>(1e-5, 1e-13) * before);
    for (auto const& [cell, value] : values_on(fine.ink(1), 0, fine.grid().fluid()))
      ASSERT_NEAR(value, 2, precise<T>(2e-2, 1e-6)) << cell;
    fine.average(0, state.carried[0]);
    auto const children = values_on(fine.ink(0), 0, fine.grid().fluid());
    std::map<Cell<Dim>, double, StorageOrder> means;
    for (auto const& [cell, value] : children) means[parent_of<Dim>(cell, 2)] += value / (1 << Dim);
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
      ASSERT_NEAR(value, means.at(cell), precise<T>(1e-5, 1e-13)) << cell;
  }
}

// There and back in a vortex that the flow's grid resolves.
TEST(IncompressibleFineInkExact, ADiskIsSharperOnAFinerGrid) {
  int const n = 32, steps = 64;
  double errors[3];
  for (int i = 0; i < 3; ++i) {
    StaggeredGrid<2> const grid(unit_box<2>(n));
    State<double, 2> state(grid);
    set_velocity(grid, state.velocity, vortex(1.0 / n));
    FineInk<double, 2> fine(grid, 1 << i, 1);
    set_cells(fine.grid(), fine.ink(0), disk);
    auto start = clone(fine.ink(0));
    for (int half = 0; half < 2; ++half) {
      fine.set_velocity(state.velocity);
      for (int k = 0; k < steps; ++k) fine.advance(state.velocity, 0.5 / steps);
      scale(state.velocity, -1);
    }
    add(start, -1, fine.ink(0));
    errors[i] = norm_1(start) * fine.grid().cell_volume();
  }
  EXPECT_LT(errors[1], 0.8 * errors[0]) << errors[0] << " " << errors[1];
  EXPECT_LT(errors[2], 0.8 * errors[1]) << errors[1] << " " << errors[2];
}

// In a steady flow, twice the speed is twice the time.
TEST(IncompressibleFineInkExact, SpeedIsAFactorOfTheVelocity) {
  StaggeredGrid<2> const grid(unit_box<2>(16));
  State<double, 2> state(grid);
  set_velocity(grid, state.velocity, vortex(1.0 / 16));
  for (int const factor : {1, 2}) {
    FineInk<double, 2> fast(grid, factor, 1, 2), slow(grid, factor, 1);
    set_cells(fast.grid(), fast.ink(0), disk);
    set_cells(slow.grid(), slow.ink(0), disk);
    for (int k = 0; k < 8; ++k) {
      fast.advance(state.velocity, 0.01);
      slow.advance(state.velocity, 0.02);
    }
    EXPECT_LT(greatest_difference(fast.ink(0), slow.ink(0)), 1e-12);
    auto moved = clone(fast.ink(0));
    set_cells(fast.grid(), moved, disk);
    EXPECT_GT(greatest_difference(fast.ink(0), moved), 0.3);
  }
}

// With a factor of 1 it is the ink of the flow: of all steps but the first, whose velocity is that of its end.
TYPED_TEST(IncompressibleFineInk, OnTheGridOfTheFlowItIsThatOfTheFlow) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  Smac<T, Dim> step(grid, smac_options<T, Dim>(0.05));
  State<T, Dim> state(grid, {"ink"});
  start_at_random(step, state, 1);
  FineInk<T, Dim> fine(grid, 1, 1);
  EXPECT_EQ(fine.grid().storage(), grid.storage());
  assign(fine.ink(0), state.carried[0]);
  for (int i = 0; i < 4; ++i) {
    step.advance(state, 0.05);
    fine.advance(state.velocity, 0.05);
  }
  auto const wanted = values_on(state.carried[0], 0, grid.fluid());
  for (auto const& [cell, value] : values_on(fine.ink(0), 0, grid.fluid()))
    ASSERT_NEAR(value, wanted.at(cell), precise<T>(1e-5, 1e-13)) << cell;
}

TYPED_TEST(IncompressibleFineInk, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Fine = FineInk<T, Dim>;
  StaggeredGrid<Dim> const grid(unit_box<Dim>(4));
  EXPECT_TRUE(is_refused([&] { Fine(grid, 0, 1); }, "factor of a finer grid"));
  for (double const wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(is_refused([&] { Fine(grid, 2, 1, wrong); }, "factor of velocities"));
  auto domain = unit_box<Dim>(6);
  domain.distance = [](Point<Dim> const& x) { return x[0] - 0.3; };
  domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance);
  EXPECT_TRUE(is_refused([&] { Fine(StaggeredGrid<Dim>(domain), 2, 1); }, "curved walls"));
  Fine fine(grid, 2, 1);
  State<T, Dim> state(grid, {"ink"});
  EXPECT_TRUE(is_refused([&] { fine.set_velocity(state.carried[0]); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { fine.advance(state.carried[0], 1); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { fine.advance(state.velocity, -1); }, "time step"));
  EXPECT_TRUE(is_refused([&] { fine.average(0, state.velocity); }, "ink"));
}
