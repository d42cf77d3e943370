/// Scalar laws, and a law of the user's own with nothing but a flux and a speed.

#include <sparse/compressible/fluxes/hll.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>
#include <sparse/compressible/laws/advection.hpp>
#include <sparse/compressible/laws/burgers.hpp>

#include <support/gas.hpp>

using namespace gas;
using sparse::compressible::Hll;
using sparse::compressible::Rusanov;
using sparse::scalar::Advection;
using sparse::scalar::Burgers;

namespace {

template <class TheCase>
class ScalarLaws : public testing::Test {};
TYPED_TEST_SUITE(ScalarLaws, Cases);

/// Cars on a road: all that a law needs.
struct Traffic : sparse::amr::LawDefaults<Traffic, double, 1, 1> {
  State flux(State const& density, int) const { return {density[0] * (1 - density[0])}; }
  double max_speed(State const& density, int) const { return std::abs(1 - 2 * density[0]); }
};

/// First-order steps until `time` of a function on [-1, 1] with `count` cells, whose ends stay as they are.
template <class Flux, class Initial>
std::vector<double> solve(Flux const& flux, Initial const& initial, int count, double time) {
  using State = typename Flux::State;
  double const dx = 2.0 / count;
  std::vector<double> u;
  for (int i = 0; i < count; ++i) u.push_back(initial(-1 + (i + 0.5) * dx));
  for (double t = 0; t < time;) {
    double speed = 1e-9;
    for (double value : u) speed = std::max(speed, flux.law.max_speed(State{value}, 0));
    double const dt = std::min(0.9 * dx / speed, time - t);
    auto next = u;
    for (std::size_t i = 1; i + 1 < u.size(); ++i)
      next[i] += dt / dx * (flux(State{u[i - 1]}, State{u[i]}, 0) - flux(State{u[i]}, State{u[i + 1]}, 0))[0];
    u = next;
    t += dt;
  }
  return u;
}

/// Mean distance of these values from a function.
template <class Function>
double error(std::vector<double> const& u, Function const& exact) {
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    sum += std::abs(u[i] - exact(-1 + (static_cast<double>(i) + 0.5) * 2 / static_cast<double>(u.size())));
  return sum / static_cast<double>(u.size());
}

/// Checks that both fluxes come near `exact`, nearer with more cells.
template <class Law, class Initial, class Function>
void check_convergence(Law const& law, Initial const& initial, double time, Function const& exact) {
  double const coarse = error(solve(Rusanov<Law>{law}, initial, 200, time), exact);
  double const fine = error(solve(Rusanov<Law>{law}, initial, 800, time), exact);
  EXPECT_LT(coarse, 0.03);
  EXPECT_LT(fine, 0.5 * coarse);
  EXPECT_LT(error(solve(Hll<Law>{law}, initial, 800, time), exact), 0.5 * coarse);
}

}  // namespace

TYPED_TEST(ScalarLaws, AdvectionIsUpwindWithEveryFlux) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    Advection<T, Dim> law{random.velocity()};
    law.velocity[seed % Dim] *= static_cast<T>(seed % 3);  // at rest along an axis now and then
    Vec<T, 1> const left{random.number(-1, 1)}, right{random.number(-1, 1)};
    for (int axis = 0; axis < Dim; ++axis) {
      T const v = law.velocity[axis], expected = v * (v > 0 ? left : right)[0];
      EXPECT_NEAR((Rusanov<Advection<T, Dim>>{law}(left, right, axis))[0], expected, rounding<T>) << "seed " << seed;
      EXPECT_NEAR((Hll<Advection<T, Dim>>{law}(left, right, axis))[0], expected, rounding<T>) << "seed " << seed;
      EXPECT_EQ(law.max_speed(left, axis), std::abs(v));
    }
  }
}

TYPED_TEST(ScalarLaws, ChangeIsMinusTheDivergenceOfTheFlux) {
  constexpr int Dim = TypeParam::Dim;
  auto const check = [](auto const& law, RandomStates<double, Dim>& random) {
    Vec<double, 1> const u{random.number(-1, 1)};
    Vec<Vec<double, 1>, Dim> slopes;
    double expected = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      slopes[axis][0] = random.number(-1, 1);
      auto const step = 1e-4 * slopes[axis];
      expected -= (law.flux(u + step, axis) - law.flux(u - step, axis))[0] / 2e-4;
    }
    EXPECT_NEAR(law.change(u, slopes)[0], expected, 1e-9);
  };
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<double, Dim> random(seed);
    check(Advection<double, Dim>{random.velocity()}, random);
    check(Burgers<double, Dim>{}, random);
  }
}

TEST(ScalarLaws, BurgersShockMovesWithTheMeanOfItsSides) {
  check_convergence(
      Burgers<double, 1>{}, [](double x) { return x < -0.5 ? 1.0 : 0.2; }, 1,
      [](double x) { return x < 0.1 ? 1.0 : 0.2; });
}

TEST(ScalarLaws, BurgersRarefactionOpensThroughRest) {
  check_convergence(
      Burgers<double, 1>{}, [](double x) { return x < 0 ? -1.0 : 1.0; }, 0.5,
      [](double x) { return std::min(1.0, std::max(-1.0, x / 0.5)); });
}

TEST(ScalarLaws, TrafficStartsAtAGreenLight) {
  check_convergence(
      Traffic{}, [](double x) { return x < 0 ? 1.0 : 0.0; }, 0.6,
      [](double x) { return std::min(1.0, std::max(0.0, (1 - x / 0.6) / 2)); });
}
