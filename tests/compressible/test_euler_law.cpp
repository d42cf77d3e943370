/// The Euler equations, on single states.

#include <support/csv.hpp>
#include <support/gas.hpp>

using namespace gas;

namespace {

template <class TheCase>
class EulerLaw : public testing::Test {};
TYPED_TEST_SUITE(EulerLaw, Cases);

}  // namespace

TYPED_TEST(EulerLaw, VariablesComeBackFromConservedOnes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    Euler<T, Dim> const law{random.number(1.05, 2)};
    auto const w = random();
    auto const u = law.conserved(w);
    EXPECT_EQ(u[law.density], w[0]);
    double square = 0;
    Vec<T, Dim> v;
    for (int axis = 0; axis < Dim; ++axis) {
      v[axis] = w[1 + axis];
      square += double(v[axis]) * v[axis];
      EXPECT_NEAR(u[law.momentum + axis], w[0] * v[axis], rounding<T> * w[0]);
    }
    double const energy = w[Dim + 1] / (law.gamma - 1) + w[0] * square / 2;
    EXPECT_NEAR(u[law.energy], energy, rounding<T> * energy) << "seed " << seed;
    EXPECT_LE(distance(u, law.conserved(w[0], v, w[Dim + 1])), rounding<T>);
    // Pressure is what is left of the energy without its kinetic part.
    EXPECT_LE(distance(law.primitive(u), w), rounding<T> * (1 + u[law.energy] / w[Dim + 1])) << "seed " << seed;
    EXPECT_NEAR(law.pressure(u), w[Dim + 1], rounding<T> * (u[law.energy] + w[Dim + 1]));
    EXPECT_NEAR(law.sound_speed(w), std::sqrt(double(law.gamma * w[Dim + 1] / w[0])), 10 * rounding<T>);
  }
}

TYPED_TEST(EulerLaw, FluxIsThatOfTheTextbook) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    Euler<T, Dim> const law{random.number(1.05, 2)};
    auto const w = random();
    for (int axis = 0; axis < Dim; ++axis) {
      auto by_hand = w[1 + axis] * law.conserved(w);
      by_hand[1 + axis] += w[Dim + 1];
      by_hand[Dim + 1] += w[1 + axis] * w[Dim + 1];
      EXPECT_LE(distance(law.flux(w, axis), by_hand), rounding<T>) << "seed " << seed;
    }
  }
}

TYPED_TEST(EulerLaw, WaveSpeedIsTheGreatestEigenvalueOfTheJacobian) {
  constexpr int Dim = TypeParam::Dim, N = Dim + 2;
  // By power iteration on a Jacobian of central differences, so in double only.
  RandomStates<double, Dim> random(2);
  Euler<double, Dim> const law;
  for (int i = 0; i < 50; ++i) {
    auto const w = random();
    auto const u = law.conserved(w);
    for (int axis = 0; axis < Dim; ++axis) {
      if (std::abs(w[1 + axis]) < 0.2) continue;  // eigenvalues of nearly equal size: the iteration would not settle
      double jacobian[N][N];
      for (int c = 0; c < N; ++c) {
        double const h = 1e-5;
        auto const step = Vec<double, N>::along(c, h);
        auto const above = law.flux(law.primitive(u + step), axis), below = law.flux(law.primitive(u - step), axis);
        for (int r = 0; r < N; ++r) jacobian[r][c] = (above[r] - below[r]) / (2 * h);
      }
      Vec<double, N> x = Vec<double, N>::filled(1);
      x[1 + axis] = w[1 + axis];
      double eigenvalue = 0;
      for (int k = 0; k < 2000; ++k) {
        Vec<double, N> y{};
        for (int r = 0; r < N; ++r)
          for (int c = 0; c < N; ++c) y[r] += jacobian[r][c] * x[c];
        eigenvalue = 0;
        for (int r = 0; r < N; ++r) eigenvalue = std::max(eigenvalue, std::abs(y[r]));
        x = (1 / eigenvalue) * y;
      }
      EXPECT_NEAR(law.max_speed(w, axis), eigenvalue, 1e-6 * eigenvalue) << "axis " << axis << " state " << w;
    }
  }
}

TYPED_TEST(EulerLaw, SignalSpeedsBoundTheCharacteristicsOfBothSides) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Euler<T, Dim> const law;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const left = random.extreme(), right = random.extreme();
    for (int axis = 0; axis < Dim; ++axis) {
      auto const speeds = law.signal_speeds(left, right, axis);
      for (auto const& w : {left, right}) {
        EXPECT_LE(speeds[0], w[1 + axis] - law.sound_speed(w)) << "seed " << seed;
        EXPECT_GE(speeds[1], w[1 + axis] + law.sound_speed(w)) << "seed " << seed;
      }
      T const fastest = std::max(law.max_speed(left, axis), law.max_speed(right, axis));
      EXPECT_LE(std::max(-speeds[0], speeds[1]), fastest);  // so that time steps from max_speed are short enough
    }
  }
}

TYPED_TEST(EulerLaw, ChangeIsThatOfTheConservationLaw) {
  using T = double;  // differences of differences
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    Euler<T, Dim> const law{random.number(1.05, 2)};
    auto const w = random();
    Vec<State<T, Dim>, Dim> slopes;
    for (auto& slope : slopes.data) slope = random();
    // du/dt = (du/dw) change must be -sum df/dx = -sum (df/dw) slope.
    T const h = 1e-5;
    auto const change = h * law.change(w, slopes);
    auto const rate = (1 / (2 * h)) * (law.conserved(w + change) - law.conserved(w - change));
    State<T, Dim> expected{};
    for (int axis = 0; axis < Dim; ++axis)
      expected -= (1 / (2 * h)) * (law.flux(w + h * slopes[axis], axis) - law.flux(w - h * slopes[axis], axis));
    EXPECT_LE(distance(rate, expected), 1e-6) << "seed " << seed;
  }
}

TYPED_TEST(EulerLaw, WallsMirrorVelocity) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Euler<T, Dim> const law;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const w = random();
    auto n = random.velocity();
    T square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += n[axis] * n[axis];
    n *= 1 / std::sqrt(square);

    auto const behind = law.reflected(w, n);
    T normal = 0, normal_behind = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      normal += n[axis] * w[1 + axis];
      normal_behind += n[axis] * behind[1 + axis];
    }
    EXPECT_NEAR(normal_behind, -normal, rounding<T>) << "seed " << seed;
    EXPECT_LE(distance(law.reflected(behind, n), w), rounding<T>);
    for (int axis = 0; axis < Dim; ++axis) {
      EXPECT_NEAR(behind[1 + axis] - w[1 + axis], -2 * normal * n[axis], rounding<T>);  // nothing along the wall
      EXPECT_EQ(law.mirrored(w, axis, T(-1)), law.reflected(w, Vec<T, Dim>::along(axis, 1)));
      EXPECT_EQ(law.mirrored(w, axis, T(1)), w);
    }
    auto all = w;
    for (int axis = 0; axis < Dim; ++axis) all = law.mirrored(all, axis, T(-1));
    EXPECT_EQ(law.reversed(w), all);
  }
}

TYPED_TEST(EulerLaw, ImpossibleStatesAreNoticed) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Euler<T, Dim> const law;
  T const nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  auto const v = Vec<T, Dim>::filled(T(0.1));
  auto const state = RandomStates<T, Dim>::state;
  for (int axis = 0; axis < Dim; ++axis) {
    EXPECT_TRUE(std::isnan(law.max_speed(state(1, v, -1), axis)));
    EXPECT_TRUE(std::isnan(law.max_speed(state(-1, v, 1), axis)));
    EXPECT_TRUE(std::isnan(law.max_speed(state(nan, v, 1), axis)));
    EXPECT_TRUE(std::isnan(law.max_speed(state(1, v, nan), axis)));
    EXPECT_FALSE(std::isfinite(law.max_speed(state(0, v, 1), axis)));
    for (T const wrong : {nan, infinity, -infinity}) {
      auto fast = v;
      fast[axis] = wrong;
      EXPECT_FALSE(law.is_admissible(state(1, fast, 1)));
    }
  }
  EXPECT_TRUE(law.is_admissible(state(T(1e-30), v, T(1e-30))));
  for (T const wrong : {T(0), T(-1), nan, infinity}) {
    EXPECT_FALSE(law.is_admissible(state(wrong, v, 1))) << wrong;
    EXPECT_FALSE(law.is_admissible(state(1, v, wrong))) << wrong;
  }
}

TYPED_TEST(EulerLaw, NormalShocksOfTheTableFulfilRankineHugoniot) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Euler<T, Dim> const law;
  auto const table = read_table("gas_dynamics_shock_table_gamma1.4.csv");
  ASSERT_GE(table.size(), 5u);
  for (auto const& row : table) {
    auto const mach = static_cast<T>(row[0]), p_ratio = static_cast<T>(row[1]), rho_ratio = static_cast<T>(row[2]);
    for (int axis = 0; axis < Dim; ++axis) {
      Vec<T, Dim> velocity = Vec<T, Dim>::filled(T(0.3));  // along the shock: passes unchanged
      velocity[axis] = mach * std::sqrt(law.gamma);
      auto const ahead = RandomStates<T, Dim>::state(1, velocity, 1);
      velocity[axis] /= rho_ratio;
      auto const behind = RandomStates<T, Dim>::state(rho_ratio, velocity, p_ratio);
      EXPECT_LE(distance(law.flux(ahead, axis), law.flux(behind, axis)), 3e-7)
          << "Mach " << mach;  // the table's digits
      EXPECT_NEAR(law.max_speed(ahead, axis) / std::sqrt(law.gamma), mach + 1, 1e-5);
      EXPECT_NEAR(velocity[axis] / law.sound_speed(behind), row[4], 1e-5);
    }
  }
}
