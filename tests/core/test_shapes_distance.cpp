/// Sets from signed distances: what they hold, and how often the function is asked.

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/distance.hpp>
#include <support/reference.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::from_signed_distance;

namespace {

template <class Dimension>
class SignedDistance : public testing::Test {};
TYPED_TEST_SUITE(SignedDistance, Dimensions);

/// Signed distance of a ball.
template <int Dim>
struct Ball {
  Vec<double, Dim> center;
  double radius;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - center[axis]) * (x[axis] - center[axis]);
    return std::sqrt(square) - radius;
  }
};

/// Two balls united, a third one cut out, everything turned inside out or not: a lower bound of the distance.
template <int Dim>
struct Body {
  Ball<Dim> a, b, c;
  double sign;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    return sign * std::fmax(std::fmin(a(x), b(x)), -c(x));
  }
};

constexpr int counter_count = 1 << 16;  // threads that count in one place wait for each other

/// Counts calls; fails the set (everything is inside) when it is asked outside of its box.
template <int Dim, class Function>
struct Counted {
  Function function;
  Box<Dim> domain;
  Index* calls;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    auto const row = static_cast<std::int64_t>(x[1] * 16 + x[Dim - 1] * 4096);
    Kokkos::atomic_fetch_add(calls + (row & (counter_count - 1)), Index{1});
    for (int axis = 0; axis < Dim; ++axis)
      if (x[axis] < domain.begin[axis] || x[axis] > domain.end[axis]) return -1e300;
    return function(x);
  }
};

template <int Dim, class Function>
IntervalSet<Dim> counted(Box<Dim> const& domain, Function const& function, Index& calls) {
  sparse::Context const context;
  auto const counter = sparse::to_device(context, std::vector<Index>(counter_count, 0));
  auto const set = from_signed_distance(domain, Counted<Dim, Function>{function, domain, counter.data()}, context);
  calls = 0;
  for (Index const count : sparse::to_host(context, counter.data(), counter_count)) calls += count;
  return set;
}

template <int Dim>
Ball<Dim> random_ball(std::mt19937& engine, Vec<double, Dim> const& around, double size) {
  std::uniform_real_distribution<double> draw(-1, 1);
  Ball<Dim> ball{around, size * (0.1 + std::abs(draw(engine)))};
  for (int axis = 0; axis < Dim; ++axis) ball.center[axis] += size * draw(engine);
  return ball;
}

}  // namespace

TYPED_TEST(SignedDistance, GivesTheCellsWithNegativeCentres) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    int const size = random_int(engine, 0, Dim == 2 ? 90 : 30);
    Box<Dim> domain;
    Vec<double, Dim> middle;
    for (int axis = 0; axis < Dim; ++axis) {
      Coord const length = random_int(engine, size / 2, size);
      Coord const choices[] = {random_int(engine, -60, 20), -coord_limit + 1, coord_limit - length,
                               -coord_limit + 1 + random_int(engine, 0, 9)};
      domain.begin[axis] = choices[random_int(engine, 0, 3)];
      domain.end[axis] = domain.begin[axis] + length;
      middle[axis] = domain.begin[axis] + 0.5 * length;
    }
    Body<Dim> const body{random_ball(engine, middle, size), random_ball(engine, middle, size),
                         random_ball(engine, middle, size), seed % 2 == 0 ? 1.0 : -1.0};
    Index calls = 0;
    auto const set = counted(domain, body, calls);
    ASSERT_TRUE(set == from_level_set(domain, body)) << "seed " << seed;
    EXPECT_LE(calls, 2 * domain.cell_count()) << "seed " << seed;  // blocks and their halves, at the very worst
  }
}

TYPED_TEST(SignedDistance, CostsTheSurface) {
  constexpr int Dim = TypeParam::value;
#if defined(SPARSE_VALIDATE)
  int const radius = Dim == 2 ? 400 : 130;  // checking every set on the way takes its time
#else
  int const radius = 400;
#endif
  using std::numbers::pi;
  Box<Dim> const domain{Cell<Dim>::filled(-radius - 10), Cell<Dim>::filled(radius + 10)};
  Ball<Dim> const ball{Vec<double, Dim>::filled(0.3), 1.0 * radius};
  Index calls = 0;
  auto const set = counted(domain, ball, calls);
  double const surface = Dim == 2 ? 2 * pi * radius : 4 * pi * radius * radius;
  EXPECT_LT(static_cast<double>(calls), 4 * surface) << domain.cell_count() << " cells";
  EXPECT_LT(calls, domain.cell_count() / (radius / 7));
  EXPECT_TRUE((set ^ sparse::ball<Dim>(ball.center, radius)).is_empty());
}

TYPED_TEST(SignedDistance, CostsNothingWhereThereIsNothing) {
  constexpr int Dim = TypeParam::value;
  // A small ball in nearly everything: rows alone would not fit into memory.
  Box<Dim> domain{Cell<Dim>::filled(-coord_limit + 1), Cell<Dim>::filled(coord_limit - 1)};
  Ball<Dim> const ball{Vec<double, Dim>::filled(12345678.25), 17};
  Index calls = 0;
  auto const set = counted(domain, ball, calls);
  EXPECT_TRUE(set == sparse::ball<Dim>(ball.center, ball.radius));
  EXPECT_LT(calls, Dim == 2 ? 3000 : 60000);
  domain.end[0] = coord_limit;
  EXPECT_THROW(from_signed_distance(domain, ball), std::invalid_argument);
  domain.begin[0] = -coord_limit + 2;
  EXPECT_TRUE(from_signed_distance(domain, ball) == set);
}

TYPED_TEST(SignedDistance, OfEmptyAndOfFullBoxes) {
  constexpr int Dim = TypeParam::value;
  Box<Dim> const domain{Cell<Dim>::filled(-5), Cell<Dim>::filled(12)}, inside_out{domain.end, domain.begin};
  Vec<double, Dim> const origin{};
  EXPECT_TRUE(from_signed_distance(Box<Dim>{}, Ball<Dim>{origin, 9}).is_empty());
  EXPECT_TRUE(from_signed_distance(domain, Ball<Dim>{origin, -1}).is_empty());
  EXPECT_TRUE(from_signed_distance(domain, Ball<Dim>{origin, 99}) == sparse::box<Dim>(domain.begin, domain.end));
  EXPECT_THROW(from_signed_distance(inside_out, Ball<Dim>{origin, 9}), std::invalid_argument);
  // On the surface is not inside, as with level sets.
  EXPECT_TRUE(from_signed_distance(domain, Ball<Dim>{Vec<double, Dim>::filled(0.5), 0}).is_empty());
}

TYPED_TEST(SignedDistance, NamesItsKernels) {
  constexpr int Dim = TypeParam::value;
  KokkosWatch const watch;
  from_signed_distance(Box<Dim>{Cell<Dim>::filled(-50), Cell<Dim>::filled(50)}, Ball<Dim>{{}, 30});
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
