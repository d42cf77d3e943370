/// How fluxes treat single waves, extreme states and small jumps.

#include <support/fluxes.hpp>

using namespace gas;

namespace {

/// A gas that is told the speeds of the outer waves.
template <class T, int Dim>
struct ToldGas : Euler<T, Dim> {
  using State = typename Euler<T, Dim>::State;
  Vec<T, 2> speeds{};
  Vec<T, 2> signal_speeds(State const&, State const&, int) const { return speeds; }
};

template <class TheCase>
class Waves : public testing::Test {};
TYPED_TEST_SUITE(Waves, Cases);

template <class TheCase>
class RobustFluxes : public testing::Test {};
using AllRobust = FluxCases<Rusanov, Hll, Hllc>;
TYPED_TEST_SUITE(RobustFluxes, AllRobust);

}  // namespace

TYPED_TEST(Waves, ContactsAtRestStayWithHllc) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Hllc<Euler<T, Dim>> const hllc{};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    for (int axis = 0; axis < Dim; ++axis) {
      auto left = random.extreme(), right = random.extreme();  // other densities, other velocities along the contact
      right[Dim + 1] = left[Dim + 1];
      left[1 + axis] = right[1 + axis] = 0;
      EXPECT_EQ(hllc(left, right, axis), (State<T, Dim>::along(1 + axis, left[Dim + 1]))) << "seed " << seed;
    }
  }
}

TYPED_TEST(Waves, MovingContactsComeFromUpwindWithHllc) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Hllc<Euler<T, Dim>> const hllc{};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    for (int axis = 0; axis < Dim; ++axis) {
      auto left = random(), right = random();
      right[Dim + 1] = left[Dim + 1];
      right[1 + axis] = left[1 + axis];
      EXPECT_LE(distance(hllc(left, right, axis), hllc.law.flux(left[1 + axis] > 0 ? left : right, axis)), rounding<T>)
          << "seed " << seed;
    }
  }
}

TYPED_TEST(Waves, ShocksAloneAreExactWithTheirSpeed) {
  constexpr int Dim = TypeParam::Dim;
  using T = double;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const ahead = random();
    T const gamma = random.number(1.05, 2), ratio = 1 + random.positive(2);
    for (int axis = 0; axis < Dim; ++axis)
      for (int direction : {-1, 1}) {
        auto const [behind, speed] = behind_shock<Dim>(ahead, axis, direction, ratio, gamma);
        auto const &left = direction > 0 ? behind : ahead, &right = direction > 0 ? ahead : behind;
        Euler<T, Dim> const law{gamma};
        ToldGas<T, Dim> told{{gamma}};
        told.speeds = law.signal_speeds(left, right, axis);
        told.speeds[direction > 0 ? 1 : 0] = speed;
        auto const expected = law.flux(speed > 0 ? left : right, axis);
        EXPECT_LE(distance(ExactRiemann<Euler<T, Dim>>{law}(left, right, axis), expected), 1e-9) << "seed " << seed;
        EXPECT_LE(distance(Roe<Euler<T, Dim>>{law}(left, right, axis), expected), 1e-9) << "seed " << seed;
        EXPECT_LE(distance(Hll<ToldGas<T, Dim>>{told}(left, right, axis), expected), 1e-9) << "seed " << seed;
        EXPECT_LE(distance(Hllc<ToldGas<T, Dim>>{told}(left, right, axis), expected), 1e-9) << "seed " << seed;
      }
  }
}

TYPED_TEST(Waves, OfSmallJumpsAreGodunovs) {
  constexpr int Dim = TypeParam::Dim;
  using T = double;
  using Law = Euler<T, Dim>;
  // Mean difference from Godunov's flux for jumps of two sizes. Fluxes that know all waves err by the square.
  double errors[2][4] = {};
  for (unsigned seed = 1; seed <= seed_count; ++seed)
    for (int size = 0; size < 2; ++size) {
      RandomStates<T, Dim> random(seed);
      auto const left = random(), right = left + (size == 0 ? 2e-4 : 1e-4) * (random() - left);
      for (int axis = 0; axis < Dim; ++axis) {
        auto const exact = ExactRiemann<Law>{}(left, right, axis);
        errors[size][0] += distance(Rusanov<Law>{}(left, right, axis), exact);
        errors[size][1] += distance(Hll<Law>{}(left, right, axis), exact);
        errors[size][2] += distance(Hllc<Law>{}(left, right, axis), exact);
        errors[size][3] += distance(Roe<Law>{}(left, right, axis), exact);
      }
    }
  int const orders[] = {1, 1, 2, 2};
  for (int flux = 0; flux < 4; ++flux) EXPECT_NEAR(std::log2(errors[0][flux] / errors[1][flux]), orders[flux], 0.1);
  EXPECT_LT(errors[0][1], errors[0][0]);  // HLL diffuses less than Rusanov,
  EXPECT_LT(errors[0][2], 0.01 * errors[0][1]);
}

TYPED_TEST(Waves, WithRusanovTravelAsFastAsTheFastest) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Rusanov<Euler<T, Dim>> const flux{};
  auto const& law = flux.law;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const left = random(), right = random();
    for (int axis = 0; axis < Dim; ++axis) {
      T const speed = std::max(law.max_speed(left, axis), law.max_speed(right, axis));
      auto const f_left = law.flux(left, axis), f_right = law.flux(right, axis);
      auto const diffusion = f_left + f_right - T(2) * flux(left, right, axis);
      auto const jump = speed * (law.conserved(right) - law.conserved(left));
      for (int c = 0; c < Dim + 2; ++c)
        EXPECT_NEAR(diffusion[c], jump[c],
                    rounding<T> * (std::abs(f_left[c]) + std::abs(f_right[c]) + std::abs(jump[c])));
    }
  }
}

TYPED_TEST(RobustFluxes, KeepDensityAndPressurePositive) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  typename TypeParam::Flux const flux{};
  auto const& law = flux.law;
  for (unsigned seed = 1; seed <= 20 * seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const below = random.extreme(), w = random.extreme(), above = random.extreme();
    for (int axis = 0; axis < Dim; ++axis) {
      T const speed = std::max({law.max_speed(below, axis), law.max_speed(w, axis), law.max_speed(above, axis)});
      auto const flux_below = flux(below, w, axis), flux_above = flux(w, above, axis);
      auto const next = law.conserved(w) + T(0.5) / speed * (flux_below - flux_above);
      EXPECT_GT(next[0], 0) << "seed " << seed << " axis " << axis;
      // Pressure is a small difference of large numbers: not below zero by more than their rounding,
      // dp / (gamma - 1) = d(energy) - velocity . d(momentum) + velocity^2 / 2 d(density).
      Vec<double, Dim + 2> size;
      for (int c = 0; c < Dim + 2; ++c)
        size[c] = std::abs(law.conserved(w)[c]) + (std::abs(flux_below[c]) + std::abs(flux_above[c])) / speed;
      auto const moving = law.primitive(next);
      double total = size[Dim + 1];
      for (int other = 0; other < Dim; ++other) {
        double const v = std::abs(moving[1 + other]);
        total += v * size[1 + other] + v * v / 2 * size[0];
      }
      EXPECT_GT(law.pressure(next), -8 * std::numeric_limits<T>::epsilon() * total) << "seed " << seed;
    }
  }
}
