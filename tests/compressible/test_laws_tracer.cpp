/// Scalars that a gas carries.

#include <support/fluxes.hpp>

using namespace gas;
using sparse::compressible::WithTracer;

namespace {

template <class T, int Dim>
using Traced = WithTracer<Euler<T, Dim>, 2>;

template <class T, int Dim>
typename Traced<T, Dim>::State with_tracers(RandomStates<T, Dim>& random, State<T, Dim> const& w) {
  typename Traced<T, Dim>::State result;
  for (int c = 0; c < Dim + 2; ++c) result[c] = w[c];
  for (int c = Dim + 2; c < Dim + 4; ++c) result[c] = random.number(0, 1);
  return result;
}

template <class TheCase>
class Tracers : public testing::Test {};
using AllFluxes = FluxCases<Rusanov, Hll, Hllc, ExactRiemann>;
TYPED_TEST_SUITE(Tracers, AllFluxes);

/// A carrier that forgets most of what laws must know.
struct Plain {
  using Scalar = double;
  static constexpr int dimension = 2, component_count = 1;
  using State = Vec<double, 1>;
};

}  // namespace

static_assert(sparse::amr::ConservationLaw<Traced<double, 2>> && !sparse::amr::ConservationLaw<Plain>);
static_assert(sparse::amr::NumericalFlux<Hllc<Traced<double, 2>>> && !sparse::amr::NumericalFlux<Traced<double, 2>>);

TYPED_TEST(Tracers, GoWithTheMassFromUpwind) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  using Law = Traced<T, Dim>;
  typename TypeParam::template FluxOf<Law> const flux{};
  typename TypeParam::Flux const carrier{};
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const w_left = random(), w_right = random();
    auto const left = with_tracers(random, w_left), right = with_tracers(random, w_right);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const f = flux(left, right, axis);
      auto const expected = carrier(w_left, w_right, axis);
      EXPECT_LE(distance(Law::carried_by(f), expected), rounding<T>) << "seed " << seed;
      for (int c = Dim + 2; c < Dim + 4; ++c)
        EXPECT_NEAR(f[c], expected[0] * (expected[0] > 0 ? left : right)[c], rounding<T>) << "seed " << seed;
      EXPECT_LE(distance(flux(left, left, axis), flux.law.flux(left, axis)), rounding<T>);
    }
  }
}

TYPED_TEST(Tracers, StayBetweenTheirBounds) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  typename TypeParam::template FluxOf<Traced<T, Dim>> const flux{};
  auto const& law = flux.law;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto below = with_tracers(random, random()), w = with_tracers(random, random()),
         above = with_tracers(random, random());
    int const first = Dim + 2, second = Dim + 3;
    below[second] = w[second] = above[second] = T(0.7);  // constant: must stay so
    for (int axis = 0; axis < Dim; ++axis) {
      T const speed = std::max({law.max_speed(below, axis), law.max_speed(w, axis), law.max_speed(above, axis)});
      auto const u = law.conserved(w) + T(0.25) / speed * (flux(below, w, axis) - flux(w, above, axis));
      auto const next = law.primitive(u);
      EXPECT_GE(next[first], std::min({below[first], w[first], above[first]}) - rounding<T>) << "seed " << seed;
      EXPECT_LE(next[first], std::max({below[first], w[first], above[first]}) + rounding<T>) << "seed " << seed;
      EXPECT_NEAR(next[second], T(0.7), rounding<T>) << "seed " << seed;
    }
  }
}

TYPED_TEST(Tracers, AreNoPartOfWhatTheCarrierDoes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  using Law = Traced<T, Dim>;
  Law const law{};
  auto const& carrier = law.carrier;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const plain = random();
    auto const w = with_tracers(random, plain);
    auto const u = law.conserved(w);
    EXPECT_LE(distance(Law::carried_by(u), carrier.conserved(plain)), rounding<T>);
    EXPECT_LE(distance(law.primitive(u), w), rounding<T> * (1 + u[Dim + 1] / w[Dim + 1])) << "seed " << seed;
    auto const n = random.velocity();
    EXPECT_LE(distance(law.reflected(w, n), Law::joined(carrier.reflected(plain, n), w)), rounding<T>);
    EXPECT_EQ(law.reversed(w), Law::joined(carrier.reversed(plain), w));
    for (int axis = 0; axis < Dim; ++axis) {
      EXPECT_EQ(law.mirrored(w, axis, T(-1)), Law::joined(carrier.mirrored(plain, axis, T(-1)), w));
      EXPECT_NEAR(law.max_speed(w, axis), carrier.max_speed(plain, axis), rounding<T>);
    }
    EXPECT_TRUE(law.is_admissible(w));
    auto wrong = w;
    wrong[Dim + 3] = std::numeric_limits<T>::quiet_NaN();
    EXPECT_FALSE(law.is_admissible(wrong));
    wrong = w;
    wrong[0] = -1;
    EXPECT_FALSE(law.is_admissible(wrong));

    Vec<typename Law::State, Dim> slopes;
    Vec<State<T, Dim>, Dim> plain_slopes;
    T expected = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      plain_slopes[axis] = random();
      slopes[axis] = with_tracers(random, plain_slopes[axis]);
      expected -= w[1 + axis] * slopes[axis][Dim + 3];
    }
    auto const change = law.change(w, slopes);
    EXPECT_LE(distance(Law::carried_by(change), carrier.change(plain, plain_slopes)), rounding<T>);
    EXPECT_NEAR(change[Dim + 3], expected, rounding<T>) << "seed " << seed;
  }
}
