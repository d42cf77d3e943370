/// Numbers about flows: sums over cells and faces, vorticity, and how long steps may be.

#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleMeasures : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleMeasures, RealCases);

}  // namespace

TYPED_TEST(IncompressibleMeasures, AreThoseOfLoopsOverCellsAndFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid, {"ink"});
    set_random_velocity(grid, state.velocity, seed);
    set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return std::cos(x[0]) - 2 * std::cos(x[1]); });
    auto const ink = values_on(state.carried[0], 0, grid.fluid());
    auto const middle = cell_velocity(grid, state.velocity);
    double energy = 0, sum = 0, greatest = 0, fastest = 0;
    for (auto const& [cell, value] : ink) {
      sum += value;
      greatest = std::max(greatest, std::abs(value));
    }
    auto const speeds = greatest_speeds(grid, state.velocity);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const u = values_on(state.velocity, axis, grid.faces(axis));
      auto const mean = value_map(middle, axis);
      double speed = 0;
      for (auto const& [face, value] : u) speed = std::max(speed, std::abs(value));
      EXPECT_EQ(speeds[axis], speed) << "seed " << seed;
      fastest = std::max(fastest, speed / grid.spacing()[axis]);
      for (auto const& [cell, value] : ink) {
        double const low = u.at(cell), high = u.at(cell + Vec<Coord, Dim>::along(axis, 1));
        energy += 0.25 * (low * low + high * high);
        ASSERT_NEAR(mean.at(cell), 0.5 * (low + high), 1e-6) << "seed " << seed << " at " << cell;
      }
    }
    EXPECT_NEAR(kinetic_energy(grid, state.velocity), grid.cell_volume() * energy, 1e-9 * energy);
    EXPECT_NEAR(total(grid, state.carried[0]), grid.cell_volume() * sum, 1e-5);
    EXPECT_EQ(greatest_value(grid, state.carried[0]), greatest);
    EXPECT_NEAR(crossing_time(grid, state.velocity, 2), 2 / fastest, 1e-12);
    auto const alone = on_fluid(grid, state.carried[0]);
    EXPECT_EQ(alone.domain(), grid.fluid());
    for (auto const& [cell, value] : value_map(alone)) ASSERT_EQ(static_cast<double>(value), ink.at(cell));
  }
}

// Of a flow that turns like a solid body, and shears, everywhere but at walls; there, of what walls show.
TYPED_TEST(IncompressibleMeasures, VorticityIsExactForLinearFlows) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    double const a[3][3] = {{0.1, -0.7, 0.3}, {0.9, 0.2, -0.4}, {0.5, 0.6, -0.3}};  // du_i / dx_j
    set_velocity(grid, state.velocity, [&](Point<Dim> const& x) {
      Point<Dim> u{};
      for (int i = 0; i < Dim; ++i)
        for (int j = 0; j < Dim; ++j) u[i] += a[i][j] * x[j];
      return u;
    });
    auto const curl = vorticity(grid, state.velocity);
    auto const inside = shrink(grid.fluid(), 1);
    ASSERT_EQ(curl.component_count(), Dim == 2 ? 1 : 3);
    for (int c = 0; c < curl.component_count(); ++c) {
      int const i = Dim == 2 ? 0 : (c + 1) % 3, j = Dim == 2 ? 1 : (c + 2) % 3;
      for (auto const& [cell, value] : values_on(curl, c, inside))
        ASSERT_NEAR(value, a[j][i] - a[i][j], precise<T>(1e-3, 1e-11)) << "seed " << seed << " at " << cell;
    }
  }
  // Beside a wall that moves as fast as the fluid nothing turns; beside one at rest it does.
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(6));
  domain.others = BoundaryKind::wall;
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::lower)});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), {1}});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid);
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>{1}; });
  auto const curl = value_map(vorticity(grid, state.velocity), Dim == 2 ? 0 : 2);
  auto cell = Cell<Dim>::filled(3);
  EXPECT_NEAR(curl.at(cell), 0, 1e-6);
  cell[1] = 0;
  EXPECT_NEAR(curl.at(cell), -1, 1e-6);  // half of the whole jump, 2, over a cell width
  cell[1] = 5;
  EXPECT_NEAR(curl.at(cell), 0, 1e-6);
}

// At rest only buoyancy and viscosity bound a step; what it does in such a step is to cross that many cells.
TYPED_TEST(IncompressibleMeasures, StepsKnowWhatBuoyancyWillDo) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(3));
  State<T, Dim> state(grid, {"heat"});
  EXPECT_EQ(crossing_time(grid, state.velocity, 1), HUGE_VAL);
  StepOptions<Dim> options;
  Vec<double, Dim> up{};
  up[1] = 0.5;
  options.buoyancy = {{0, up}, {0, up}};
  SemiLagrangian<T, Dim> step(grid, options);
  EXPECT_EQ(step.longest_step(state, 1), HUGE_VAL);
  set_cells(grid, state.carried[0], [](auto const&) { return -3; });
  double const at_rest = step.longest_step(state, 2);
  EXPECT_NEAR(3 * at_rest * at_rest, 2 * grid.spacing()[1], 1e-9);
  set_where(state.velocity, 1, grid.open_faces(1), [](auto const&) { return 0.25; });
  double const moving = step.longest_step(state, 2);
  EXPECT_NEAR((0.25 + 3 * moving) * moving, 2 * grid.spacing()[1], 1e-9);
  options.viscosity = 1e3;
  EXPECT_EQ((SemiLagrangian<T, Dim>(grid, options).longest_step(state, 2)), diffusive_time_step(grid, 1e3));
}
