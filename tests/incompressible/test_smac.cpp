/// SMAC steps: their parts, what they conserve, and walls.

#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/smac.hpp>

#include "step/advect.hpp"
#include "step/buoyancy.hpp"
#include "step/convection.hpp"
#include "step/projection.hpp"
#include "step/transport.hpp"

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSmac : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmac, RealCases);

}  // namespace

// The paper's step: temperature first, then velocity with the buoyancy of the new temperature, pressure, and ink with
// the new velocity.
TYPED_TEST(IncompressibleSmac, StepsOfThePaperAreTheirPartsInOrder) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    auto options = smac_options<T, Dim>(0.02);
    options.integrator = Integrator::paper;
    options.ink = InkMethod::traced;
    options.donor_cell = 0.25;
    options.acceleration[1] = 0.3;
    options.transported = {{1, 0.05}};
    auto lift = Point<Dim>::filled(0.5);
    lift[0] = -2;
    options.buoyancy = {{1, lift}, {0, Point<Dim>::along(1, -0.7)}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"ink", "temperature"});
    start_at_random(step, state, seed);
    double const dt = step.longest_step(state, 0.4);
    auto ink = clone(state.carried[0]), temperature = clone(state.carried[1]);
    auto velocity = clone(state.velocity);
    sparse::Field<T, Dim> pressure("pressure", grid.fluid());
    sparse::fill(pressure, 0);
    CellTransport<Dim>{grid}(state.carried[1], state.velocity, dt, 0.05, 0.25, temperature);
    Convection<Dim>{grid}(state.velocity, dt, {0.02, 0.25, options.acceleration}, velocity);
    add_buoyancy(grid, temperature, options.buoyancy[0].acceleration, dt, velocity);
    add_buoyancy(grid, ink, options.buoyancy[1].acceleration, dt, velocity);
    Projection<T, Dim>(grid, options.pressure).project(velocity, pressure, dt);
    AdvectionScratch<T, Dim> scratch(grid);
    auto const before = clone(ink);
    advect(grid, velocity, before, ink, dt, Advection::linear, scratch);

    step.advance(state, dt);
    EXPECT_LT(greatest_difference(state.carried[1], temperature), precise<T>(1e-6, 1e-14)) << "seed " << seed;
    EXPECT_LT(greatest_difference(state.velocity, velocity), precise<T>(1e-3, 1e-8)) << "seed " << seed;
    EXPECT_LT(greatest_difference(state.carried[0], ink), precise<T>(1e-3, 1e-7)) << "seed " << seed;
    EXPECT_GT(greatest_difference(before, ink), 0.01);
    EXPECT_DOUBLE_EQ(state.time, dt);
  }
}

// At each step the divergence is no more than the solver may leave, and as much flows out as in.
TYPED_TEST(IncompressibleSmac, LeavesNoDivergence) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    auto const options = smac_options<T, Dim>(0.02);
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid);
    start_at_random(step, state, seed);
    Convection<Dim> const convection(grid);
    for (int i = 0; i < 5; ++i) {
      double const dt = step.longest_step(state, 0.4);
      auto tentative = clone(state.velocity);
      convection(state.velocity, dt, {0.02, 0.4, {}}, tentative);
      EXPECT_TRUE(step.advance(state, dt).has_converged());
      double const allowed = 4 * options.pressure.stop.tolerance * divergence_of(grid, tentative).root_mean_square +
                             precise<T>(1e-5, 1e-13);
      EXPECT_LT(divergence_of(grid, state.velocity).root_mean_square, allowed) << "seed " << seed << ", step " << i;
      double const net = outward_flux(grid, state.velocity, BoundaryKind::inflow) +
                         outward_flux(grid, state.velocity, BoundaryKind::outflow);
      EXPECT_LT(std::abs(net), allowed * grid.cell_volume() * static_cast<double>(grid.fluid().cell_count()));
    }
  }
}

// Between walls at rest, whatever their shape, at the longest steps that are said to be stable.
TYPED_TEST(IncompressibleSmac, EnergyNeverGrowsWithoutForces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    auto options = smac_options<T, Dim>(seed % 3 == 0 ? 0 : 0.01 * seed);
    int const kind = static_cast<int>(seed / 3 % 3);  // of step: the default one, the paper's, that all from upstream
    if (kind > 0) options.integrator = Integrator::paper;
    if (kind > 1) options.donor_cell = 1;
    double const safety = kind == 0 ? 0.5 : kind > 1 ? 1.0 / (1 + Dim) : Dim == 2 ? 0.5 : 0.43;
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid);
    start_at_random(step, state, seed);
    double energy = kinetic_energy(grid, state.velocity);
    ASSERT_GT(energy, 0);
    for (int i = 0; i < 30; ++i) {
      step.advance(state, step.longest_step(state, safety));
      double const now = kinetic_energy(grid, state.velocity);
      ASSERT_LE(now, energy * (1 + precise<T>(1e-6, 1e-12))) << "seed " << seed << ", step " << i;
      energy = now;
    }
  }
}

// In a closed fluid nothing is lost. With enough of the donor cell, or the limiter, nothing is overshot.
TYPED_TEST(IncompressibleSmac, KeepsTransportedValues) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    auto options = smac_options<T, Dim>(0.05);
    bool const is_paper = seed % 2 == 0;
    if (is_paper) {
      options.integrator = Integrator::paper;
      options.donor_cell = 1;
    }
    options.transported = {{1, 0.02 * (seed % 3)}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"ink", "temperature"});
    start_at_random(step, state, seed);
    double const before = total(grid, state.carried[1]);
    for (int i = 0; i < 20; ++i) {
      step.advance(state, step.longest_step(state, 1.0 / (is_paper ? 1 + Dim : 2 * Dim)));
      ASSERT_NEAR(total(grid, state.carried[1]), before, precise<T>(1e-5, 1e-13) * before) << "seed " << seed;
    }
    for (auto const& [cell, value] : values_on(state.carried[1], 0, grid.fluid())) {
      EXPECT_GE(value, -precise<T>(1e-4, 1e-9)) << cell;
      EXPECT_LE(value, 1 + precise<T>(1e-4, 1e-9)) << cell;
    }
  }
}

// Two cavities with a wall one cell thick in between, whose sides move as they like, know nothing of each other.
TYPED_TEST(IncompressibleSmac, ThinWallsSeparate) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const cavity = [](bool is_lower, bool is_both) {
    FlowDomain<Dim> domain;
    auto const one = sparse::box<Dim>({}, Cell<Dim>::filled(8));
    auto const other = shift(one, 1, 9);
    domain.fluid = is_both ? one | other : is_lower ? one : other;
    domain.grid.spacing = Point<Dim>::filled(0.125);
    auto const wall_of_one = side_faces(one, 1, FaceSide::upper), wall_of_other = side_faces(other, 1, FaceSide::lower);
    if (is_both || is_lower) domain.parts.push_back({BoundaryKind::no_slip, wall_of_one, {1}, {}, 2.0});
    if (is_both || !is_lower) domain.parts.push_back({BoundaryKind::no_slip, wall_of_other, {-0.5}, {}, -1.0});
    return domain;
  };
  auto options = smac_options<T, Dim>(0.05);
  options.transported = {{0, 0.05}};
  auto const run = [&](FlowDomain<Dim> const& domain) {
    StaggeredGrid<Dim> const grid(domain);
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    for (int i = 0; i < 20; ++i) step.advance(state, 0.01);
    std::vector<std::map<Cell<Dim>, double, StorageOrder>> result;
    for (int a = 0; a < Dim; ++a) result.push_back(values_on(state.velocity, a, grid.faces(a)));
    result.push_back(values_on(state.carried[0], 0, grid.fluid()));
    return result;
  };
  auto const both = run(cavity(true, true));
  for (bool const is_lower : {true, false}) {
    auto const alone = run(cavity(is_lower, false));
    double greatest = 0;
    for (std::size_t c = 0; c < alone.size(); ++c)
      for (auto const& [cell, value] : alone[c]) {
        ASSERT_NEAR(both[c].at(cell), value, precise<T>(1e-4, 1e-9)) << c << " at " << cell;
        greatest = std::max(greatest, std::abs(value));
      }
    EXPECT_GT(greatest, 0.2);
  }
}
