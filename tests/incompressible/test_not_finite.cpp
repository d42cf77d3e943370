/// Steps that make a NaN or an infinity: every method says where, and keeps the state.

#include <cstring>

#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class TheMethod>
class IncompressibleNotFinite : public testing::Test {};

template <template <class, int> class TheMethod, class Options, class TheT, int TheDim>
struct MethodCase {
  using T = TheT;
  static constexpr int Dim = TheDim;
  using Method = TheMethod<T, Dim>;
  static Options options() {
    Options options;
    if constexpr (requires { options.transported; }) options.transported = {{0, 0.01}};
    options.viscosity = 0.01;
    options.buoyancy.push_back({0, Point<Dim>{precise<T>(1e30, 1e300)}});  // the fluid is cold
    return options;
  }
};
template <class T, int Dim>
using SmacCase = MethodCase<Smac, SmacOptions<Dim>, T, Dim>;
template <class T, int Dim>
using SemiLagrangianCase = MethodCase<SemiLagrangian, StepOptions<Dim>, T, Dim>;
template <class T, int Dim>
using FlowMapCase = MethodCase<LeapfrogFlowMap, FlowMapOptions<Dim>, T, Dim>;
using AllMethods = testing::Types<SmacCase<float, 2>, SmacCase<double, 3>, SemiLagrangianCase<float, 2>,
                                  SemiLagrangianCase<double, 3>, FlowMapCase<float, 2>, FlowMapCase<double, 3>>;
TYPED_TEST_SUITE(IncompressibleNotFinite, AllMethods);

template <class T>
bool has_same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// A flow of one method after a few good steps, with a carried value that has buoyancy and another that has none.
template <class Case>
struct GoodFlow {
  using T = typename Case::T;
  static constexpr int Dim = Case::Dim;
  StaggeredGrid<Dim> grid{random_domain<Dim>(1)};
  typename Case::Method method{grid, Case::options()};
  State<T, Dim> state{grid, {"heat", "ink"}};

  GoodFlow() {
    set_cells(grid, state.carried[1], [](Point<Dim> const& x) { return x[0]; });
    for (int i = 0; i < 3; ++i) method.advance(state, 0.05);
  }

  /// One step throws, says this, and changes nothing. The next one, from what was there before `spoil`, succeeds.
  template <class Spoil>
  void expect_refusal(Spoil const& spoil, std::string const& part) {
    auto const good_velocity = clone(state.velocity);
    auto const good_heat = clone(state.carried[0]), good_ink = clone(state.carried[1]);
    spoil();
    grid.set_boundary(state.velocity);
    double const time = state.time;
    auto const step_count = state.step_count;
    auto const velocity = clone(state.velocity);
    auto const pressure = clone(state.pressure), heat = clone(state.carried[0]), ink = clone(state.carried[1]);
    try {
      method.advance(state, 0.05);
      FAIL() << "a step has succeeded: " << part;
    } catch (std::runtime_error const& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
    EXPECT_EQ(state.time, time);
    EXPECT_EQ(state.step_count, step_count);
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_TRUE(has_same_bits(to_host(state.velocity, axis), to_host(velocity, axis))) << part;
    EXPECT_TRUE(has_same_bits(to_host(state.pressure), to_host(pressure))) << part;
    EXPECT_TRUE(has_same_bits(to_host(state.carried[0]), to_host(heat))) << part;
    EXPECT_TRUE(has_same_bits(to_host(state.carried[1]), to_host(ink))) << part;
    assign(state.velocity, good_velocity);
    assign(state.carried[0], good_heat);
    assign(state.carried[1], good_ink);
    method.advance(state, 0.05);
    EXPECT_TRUE(std::isfinite(norm(state.velocity)) && std::isfinite(norm(state.pressure))) << part;
  }
};

template <int Dim>
std::string text_of(Cell<Dim> const& cell) {
  std::string text = "(";
  for (int axis = 0; axis < Dim; ++axis) text += (axis > 0 ? ", " : "") + std::to_string(cell[axis]);
  return text + ")";
}

/// A cell, or face, in the middle of a set.
template <int Dim>
Cell<Dim> one_of(IntervalSet<Dim> const& set) {
  return sparse::cell_of(set, set.cell_count() / 2);
}

}  // namespace

TYPED_TEST(IncompressibleNotFinite, VelocitiesAreNamed) {
  GoodFlow<TypeParam> flow;
  constexpr int Dim = TypeParam::Dim;
  for (int axis = 0; axis < Dim; ++axis)
    for (double const wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
      auto const face = one_of(flow.grid.open_faces(axis));
      flow.expect_refusal(
          [&] {
            set_where(flow.state.velocity, axis, sparse::box<Dim>(face, face + Cell<Dim>::filled(1)),
                      [&](auto const&) { return wrong; });
          },
          "velocity along axis " + std::to_string(axis) + " is " +
              std::to_string(static_cast<typename TypeParam::T>(wrong)) + " at face " + text_of(face) + " at time");
    }
}

TYPED_TEST(IncompressibleNotFinite, CarriedValuesAreNamed) {
  GoodFlow<TypeParam> flow;
  constexpr int Dim = TypeParam::Dim;
  auto const cell = one_of(flow.grid.fluid());
  for (std::size_t i = 0; i < 2; ++i)
    flow.expect_refusal(
        [&] {
          set_where(flow.state.carried[i], 0, sparse::box<Dim>(cell, cell + Cell<Dim>::filled(1)),
                    [](auto const&) { return std::nan(""); });
        },
        std::string(i == 0 ? "'heat'" : "'ink'") + " is nan at cell " + text_of(cell) + " at time");
}

// The state is finite, but what buoyancy makes of it is not.
TYPED_TEST(IncompressibleNotFinite, StepsThatOverflowAreRefused) {
  GoodFlow<TypeParam> flow;
  flow.expect_refusal([&] { sparse::fill(flow.state.carried[0], 1e30); }, "after a step from time");
}
