/// The Euler equations and the Rusanov flux, on single states.

#include <support/csv.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

constexpr int try_count = 500;

template <class T, int Dim>
struct RandomStates {
  std::mt19937 engine;
  explicit RandomStates(unsigned seed) : engine(reference::random_engine(seed)) {}
  T number(double least, double greatest) {
    return static_cast<T>(std::uniform_real_distribution<double>(least, greatest)(engine));
  }
  // Not so small beside the kinetic energy that rounding would eat the pressure.
  T positive() { return static_cast<T>(std::pow(10.0, std::uniform_real_distribution<double>(-0.5, 0.5)(engine))); }
  Vec<T, Dim> velocity(double greatest = 2) {
    Vec<T, Dim> v;
    for (int axis = 0; axis < Dim; ++axis) v[axis] = number(-greatest, greatest);
    return v;
  }
  State<T, Dim> operator()(Gas<T, Dim> const& gas) { return gas.conserved(positive(), velocity(), positive()); }
};

/// Largest difference over the components, relative to the largest of them.
template <class T, int N>
double distance(Vec<T, N> const& a, Vec<T, N> const& b) {
  double difference = 0, size = 0;
  for (int i = 0; i < N; ++i) {
    difference = std::max<double>(difference, std::abs(a[i] - b[i]));
    size = std::max<double>({size, std::abs(a[i]), std::abs(b[i])});
  }
  return size == 0 ? 0 : difference / size;
}

template <class TheCase>
class EulerLaw : public testing::Test {
public:
  static constexpr double rounding = 1024 * std::numeric_limits<typename TheCase::Scalar>::epsilon();
};
TYPED_TEST_SUITE(EulerLaw, Cases);

}  // namespace

TYPED_TEST(EulerLaw, PressureComesBackFromConservedVariables) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  RandomStates<T, Dim> random(1);
  for (int i = 0; i < try_count; ++i) {
    Gas<T, Dim> const gas{random.number(1.05, 2)};
    T const rho = random.positive(), p = random.positive();
    auto const v = random.velocity();
    auto const u = gas.conserved(rho, v, p);
    EXPECT_EQ(u[gas.density], rho);
    for (int axis = 0; axis < Dim; ++axis) EXPECT_NEAR(u[gas.momentum + axis] / rho, v[axis], this->rounding);
    // Pressure is what is left of the energy without its kinetic part.
    EXPECT_NEAR(gas.pressure(u), p, this->rounding * (gas.gamma - 1) * u[gas.energy] + this->rounding * p);
  }
}

TYPED_TEST(EulerLaw, WaveSpeedIsTheGreatestEigenvalueOfTheJacobian) {
  constexpr int Dim = TypeParam::Dim;
  // By power iteration on a Jacobian of central differences, so in double only.
  RandomStates<double, Dim> random(2);
  Gas<double, Dim> const gas;
  constexpr int N = Dim + 2;
  for (int i = 0; i < 50; ++i) {
    auto const v = random.velocity(2);
    auto const u = gas.conserved(random.number(0.5, 2), v, random.number(0.5, 2));
    for (int axis = 0; axis < Dim; ++axis) {
      if (std::abs(v[axis]) < 0.2) continue;  // eigenvalues of nearly equal size: the iteration would not settle
      double jacobian[N][N];
      for (int c = 0; c < N; ++c) {
        double const h = 1e-5;
        auto const step = Vec<double, N>::along(c, h);
        auto const above = gas.flux(u + step, axis);
        auto const below = gas.flux(u - step, axis);
        for (int r = 0; r < N; ++r) jacobian[r][c] = (above[r] - below[r]) / (2 * h);
      }
      Vec<double, N> x = Vec<double, N>::filled(1);
      x[1 + axis] = v[axis];
      double eigenvalue = 0;
      for (int k = 0; k < 2000; ++k) {
        Vec<double, N> y{};
        for (int r = 0; r < N; ++r)
          for (int c = 0; c < N; ++c) y[r] += jacobian[r][c] * x[c];
        eigenvalue = 0;
        for (int r = 0; r < N; ++r) eigenvalue = std::max(eigenvalue, std::abs(y[r]));
        x = (1 / eigenvalue) * y;
      }
      EXPECT_NEAR(gas.max_speed(u, axis), eigenvalue, 1e-6 * eigenvalue) << "axis " << axis << " velocity " << v;
    }
  }
}

TYPED_TEST(EulerLaw, WaveSpeedOfImpossibleStatesIsNotANumber) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Gas<T, Dim> const gas;
  T const nan = std::numeric_limits<T>::quiet_NaN();
  auto const v = Vec<T, Dim>::filled(T(0.1));
  for (int axis = 0; axis < Dim; ++axis) {
    EXPECT_TRUE(std::isnan(gas.max_speed(gas.conserved(T(1), v, T(-1)), axis)));
    EXPECT_TRUE(std::isnan(gas.max_speed(gas.conserved(T(-1), v, T(1)), axis)));
    EXPECT_TRUE(std::isnan(gas.max_speed(gas.conserved(nan, v, T(1)), axis)));
    EXPECT_TRUE(std::isnan(gas.max_speed(gas.conserved(T(1), v, nan), axis)));
    EXPECT_FALSE(std::isfinite(gas.max_speed(gas.conserved(T(0), v, T(1)), axis)));
  }
}

TYPED_TEST(EulerLaw, NumericalFluxOfEqualStatesIsTheirFlux) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  RandomStates<T, Dim> random(3);
  Flux<T, Dim> const flux;
  for (int i = 0; i < try_count; ++i) {
    auto const u = random(flux.law);
    for (int axis = 0; axis < Dim; ++axis) {
      EXPECT_LE(distance(flux(u, u, axis), flux.law.flux(u, axis)), this->rounding);
      T const velocity = u[1 + axis] / u[0], p = flux.law.pressure(u);
      auto by_hand = velocity * u;
      by_hand[1 + axis] += p;
      by_hand[Dim + 1] += velocity * p;
      EXPECT_LE(distance(flux.law.flux(u, axis), by_hand), this->rounding);
    }
  }
}

TYPED_TEST(EulerLaw, FluxMirrorsWithItsStates) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  RandomStates<T, Dim> random(4);
  Flux<T, Dim> const flux;
  for (int i = 0; i < try_count; ++i) {
    auto const left = random(flux.law), right = random(flux.law);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const mirrored = [&](auto const& u) { return flux.law.mirrored(u, axis, T(-1)); };
      EXPECT_EQ(mirrored(mirrored(left)), left);
      EXPECT_EQ(flux.law.mirrored(left, axis, T(1)), left);
      // Everything but the normal momentum flows the other way.
      auto expected = T(-1) * flux(left, right, axis);
      expected[1 + axis] = -expected[1 + axis];
      EXPECT_LE(distance(flux(mirrored(right), mirrored(left), axis), expected), this->rounding);
      // Through a wall goes momentum only.
      auto const wall = flux(left, mirrored(left), axis);
      for (int c = 0; c < Dim + 2; ++c)
        if (c != 1 + axis) {
          EXPECT_NEAR(wall[c], 0, this->rounding * flux.law.flux(left, axis)[1 + axis]) << "component " << c;
        }
    }
  }
}

TYPED_TEST(EulerLaw, FluxTurnsWithTheAxes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  RandomStates<T, Dim> random(5);
  Flux<T, Dim> const flux;
  auto const turned = [](auto u) {
    auto result = u;
    for (int axis = 0; axis < Dim; ++axis) result[1 + (axis + 1) % Dim] = u[1 + axis];
    return result;
  };
  for (int i = 0; i < try_count; ++i) {
    auto const left = random(flux.law), right = random(flux.law);
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_LE(distance(turned(flux(left, right, axis)), flux(turned(left), turned(right), (axis + 1) % Dim)),
                this->rounding);
  }
}

TYPED_TEST(EulerLaw, FluxIsCentralPlusTheFastestWaveTimesTheJump) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  RandomStates<T, Dim> random(6);
  Flux<T, Dim> const flux;
  auto const& gas = flux.law;
  for (int i = 0; i < try_count; ++i) {
    auto const left = random(gas), right = random(gas);
    for (int axis = 0; axis < Dim; ++axis) {
      T const speed = std::max(gas.max_speed(left, axis), gas.max_speed(right, axis));
      auto const diffusion = flux(left, left, axis) + flux(right, right, axis) - T(2) * flux(left, right, axis);
      for (int c = 0; c < Dim + 2; ++c) {
        T const jump = speed * (right[c] - left[c]);
        T const size = std::abs(flux(left, left, axis)[c]) + std::abs(flux(right, right, axis)[c]) + std::abs(jump);
        EXPECT_NEAR(diffusion[c], jump, this->rounding * size);
      }
      // One step of a cell between equal neighbours keeps density and pressure positive: the scheme is a mean of
      // states that are themselves possible.
      T const dt = T(1) / (2 * speed);
      auto const next = left + dt * (flux(right, left, axis) - flux(left, right, axis));
      EXPECT_GT(next[0], 0);
      EXPECT_GT(gas.pressure(next), 0);
    }
  }
}

TYPED_TEST(EulerLaw, NormalShocksOfTheTableFulfilRankineHugoniot) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Gas<T, Dim> const gas;
  auto const table = read_table("gas_dynamics_shock_table_gamma1.4.csv");
  ASSERT_GE(table.size(), 5u);
  for (auto const& row : table) {
    auto const mach = static_cast<T>(row[0]), p_ratio = static_cast<T>(row[1]), rho_ratio = static_cast<T>(row[2]);
    for (int axis = 0; axis < Dim; ++axis) {
      Vec<T, Dim> velocity = Vec<T, Dim>::filled(T(0.3));  // along the shock: passes unchanged
      velocity[axis] = mach * std::sqrt(gas.gamma);
      auto const ahead = gas.conserved(T(1), velocity, T(1));
      velocity[axis] /= rho_ratio;
      auto const behind = gas.conserved(rho_ratio, velocity, p_ratio);
      EXPECT_LE(distance(gas.flux(ahead, axis), gas.flux(behind, axis)), 3e-7)
          << "Mach " << mach;  // the table's digits
      EXPECT_NEAR(gas.max_speed(ahead, axis) / std::sqrt(gas.gamma), mach + 1, 1e-5);
      EXPECT_NEAR(velocity[axis] / gas.sound_speed(behind), row[4], 1e-5);
    }
  }
}
