/// Ranks that share a fluid take, bit by bit, the cycles of leapfrog flow maps that one process takes.

#include <sparse/incompressible/method/leapfrog_flow_map.hpp>

#include "flows_on_ranks.hpp"

namespace {

using namespace flows_on_ranks;

template <class TheCase>
class FlowMapOnRanks : public testing::Test {};
TYPED_TEST_SUITE(FlowMapOnRanks, RealCases);

/// A flow, and how its maps are made.
template <int Dim>
struct MapCase {
  Flow<Dim> flow;
  FlowMapOptions<Dim> options;
};

template <int Dim>
MapCase<Dim> of_maps(Flow<Dim> flow) {
  flow.domain.reach = 12;
  FlowMapOptions<Dim> options;
  options.viscosity = flow.options.viscosity;
  options.buoyancy = flow.options.buoyancy;
  options.transported = flow.options.transported;
  return {flow, options};
}

/// Out of a channel, with heat that lifts; periodic, with traced ink that lifts; and flows whose energy is bounded.
template <int Dim>
std::vector<MapCase<Dim>> map_cases() {
  auto heated = of_maps(channel<Dim>(false)), lifted = of_maps(periodic<Dim>());
  lifted.flow.name += ", traced";
  lifted.options.buoyancy = {{0, Vec<double, Dim>::along(1, 0.3)}, {1, Vec<double, Dim>::along(0, -0.2)}};
  lifted.options.transported = {};
  lifted.options.ink = InkMethod::traced;
  lifted.options.cycle = 3;
  auto small = of_maps(small_and_periodic<Dim>()), closed = of_maps(cavity<Dim>());
  closed.flow.domain.parts.clear();
  for (auto* const bounded : {&small, &closed}) {
    bounded->options.viscosity = 0;
    bounded->options.buoyancy = {};
  }
  closed.options.limiter = Clamping::everywhere;
  return {heated, lifted, small, closed};
}

template <class T, int Dim>
using MapPart = Part<T, Dim, LeapfrogFlowMap<T, Dim>>;

template <class T, int Dim>
void check(MapCase<Dim> const& of, int cycles, Curve curve) {
  auto const& flow = of.flow;
  auto const alone = sparse::distributed::alone();
  MapPart<T, Dim> one(flow, shared(flow.domain, alone.get()), of.options);
  MapPart<T, Dim> part(flow, shared(flow.domain, &team_of_test(), curve), of.options);
  ASSERT_EQ(one.method.project(one.state).iterations, part.method.project(part.state).iterations) << flow.name;
  expect_part(part, one, flow.name + ", start");
  for (int cycle = 0; cycle < cycles; ++cycle) {
    double const dt = one.step(0.7);
    ASSERT_EQ(part.step(0.7), dt) << flow.name << ", cycle " << cycle;
    expect_part(part, one, flow.name + ", cycle " + std::to_string(cycle));
  }
  ASSERT_EQ(kinetic_energy(part.grid, part.state.velocity), kinetic_energy(one.grid, one.state.velocity)) << flow.name;
  for (std::size_t i = 0; i < 2; ++i)
    ASSERT_EQ(total(part.grid, part.state.carried[i]), total(one.grid, one.state.carried[i])) << flow.name;
}

}  // namespace

TYPED_TEST(FlowMapOnRanks, HasTheCyclesOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto number = turn_of<T, Dim>;
  for (auto const& of : map_cases<Dim>()) {
    if (!is_turn(number++)) continue;
    check<T, Dim>(of, 2, Curve::hilbert);
    if (Dim == 2) check<T, Dim>(of, 1, Curve::scattered);
  }
}

// Without ranks, sums are rounded differently.
TYPED_TEST(FlowMapOnRanks, IsNearThatWithoutRanks) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  if (!is_turn(turn_of<T, Dim> + 1)) return;
  auto of = of_maps(channel<Dim>(false));
  of.options.pressure.stop.tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-9;
  MapPart<T, Dim> one(of.flow, of.flow.domain, of.options);
  auto domain = of.flow.domain;
  domain.team = &team_of_test();
  MapPart<T, Dim> part(of.flow, domain, of.options);
  one.method.project(one.state);
  part.method.project(part.state);
  one.step(0.7);
  part.step(0.7);
  auto difference = remap(one.state.velocity, part.grid.storage());
  sparse::add(difference, T(-1), part.state.velocity);
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    for (T const value : to_host(difference, axis)) greatest = std::max(greatest, std::abs(static_cast<double>(value)));
  EXPECT_LE(greatest, (std::is_same_v<T, float> ? 1e-4 : 1e-7));
}

TEST(FlowMapOnRanksRefuses, FluidFromBeyondItsWindow) {
  auto of = of_maps(channel<2>(false));
  of.flow.domain.reach = 10;
  MapPart<double, 2> part(of.flow, shared(of.flow.domain, &team_of_test()), of.options);
  part.method.project(part.state);
  EXPECT_TRUE(is_refused([&] { part.step(1.5); }, "ranks store too few cells beyond their own"));
}
