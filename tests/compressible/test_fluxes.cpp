/// What every numerical flux of a gas must do.

#include <support/fluxes.hpp>

using namespace gas;

namespace {

template <class TheCase>
class Fluxes : public testing::Test {};
using AllFluxes = FluxCases<Rusanov, Hll, Hllc, ExactRiemann, Roe>;
TYPED_TEST_SUITE(Fluxes, AllFluxes);

}  // namespace

TYPED_TEST(Fluxes, OfEqualStatesIsTheirFlux) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    typename TypeParam::Flux const flux{{random.number(1.05, 2)}};
    auto const w = random();
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_LE(distance(flux(w, w, axis), flux.law.flux(w, axis)), rounding<T>) << "seed " << seed;
  }
}

TYPED_TEST(Fluxes, MirrorWithTheirStates) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  typename TypeParam::Flux const flux{};
  auto const& law = flux.law;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const left = random(), right = random();
    for (int axis = 0; axis < Dim; ++axis) {
      auto const mirrored = [&](auto const& w) { return law.mirrored(w, axis, T(-1)); };
      // Everything but the normal momentum flows the other way.
      auto expected = T(-1) * flux(left, right, axis);
      expected[1 + axis] = -expected[1 + axis];
      EXPECT_LE(distance(flux(mirrored(right), mirrored(left), axis), expected), rounding<T>) << "seed " << seed;
    }
  }
}

TYPED_TEST(Fluxes, IntoAWallAreMomentumOnly) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  typename TypeParam::Flux const flux{};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const w = random();
    for (int axis = 0; axis < Dim; ++axis) {
      auto const wall = flux(w, flux.law.mirrored(w, axis, T(-1)), axis);
      double const size = flux.law.flux(w, axis)[1 + axis] * (1 + std::abs(w[1 + axis]));
      for (int c = 0; c < Dim + 2; ++c) {
        if (c == 1 + axis) continue;
        EXPECT_NEAR(wall[c], 0, rounding<T> * size) << "component " << c << " seed " << seed;
      }
    }
  }
}

TYPED_TEST(Fluxes, TurnWithTheAxes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  typename TypeParam::Flux const flux{};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const left = random(), right = random();
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_LE(
          distance(turned<Dim>(flux(left, right, axis)), flux(turned<Dim>(left), turned<Dim>(right), (axis + 1) % Dim)),
          rounding<T>)
          << "seed " << seed;
  }
}

TYPED_TEST(Fluxes, OfFlowFasterThanAllWavesComeFromUpwind) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  typename TypeParam::Flux const flux{};
  if (std::is_same_v<decltype(flux), Rusanov<Euler<T, Dim>> const>) return;  // which knows no direction
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto left = random(), right = random();
    for (int axis = 0; axis < Dim; ++axis) {
      T const speed = 8 + random.number(0, 4);  // a sound of at most sqrt(14)
      left[1 + axis] = speed;
      right[1 + axis] = speed + random.number(-1, 1);
      EXPECT_LE(distance(flux(left, right, axis), flux.law.flux(left, axis)), rounding<T>) << "seed " << seed;
      EXPECT_LE(distance(flux(flux.law.mirrored(right, axis, -1), flux.law.mirrored(left, axis, -1), axis),
                         flux.law.flux(flux.law.mirrored(left, axis, -1), axis)),
                rounding<T>);
    }
  }
}
