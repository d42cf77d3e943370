/// Ellipsoids, capsules, half-spaces and checkerboards.

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

template <class Dimension>
class RoundShapes : public testing::Test {};
TYPED_TEST_SUITE(RoundShapes, Dimensions);

double const infinity = std::numeric_limits<double>::infinity(),
             not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The cells of the box whose centres, as numbers that are not rounded, fulfil `contains`.
template <int Dim, class Contains>
Cells<Dim> cells_where(Box<Dim> const& box, Contains&& contains) {
  Cells<Dim> cells;
  for (auto const& cell : reference::box<Dim>(box.begin, box.end)) {
    Vec<long double, Dim> center;
    for (int axis = 0; axis < Dim; ++axis) center[axis] = cell[axis] + 0.5L;
    if (contains(center)) cells.insert(cell);
  }
  return cells;
}

template <int Dim>
Box<Dim> box_around(Vec<double, Dim> const& low, Vec<double, Dim> const& high) {
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    box.begin[axis] = std::max(-coord_limit + 1, static_cast<Coord>(std::floor(low[axis])) - 2);
    box.end[axis] = std::min(coord_limit, static_cast<Coord>(std::ceil(high[axis])) + 2);
  }
  return box;
}

/// Points on a grid of quarters, where centres often lie on surfaces, or anywhere.
struct Numbers {
  std::mt19937& engine;
  bool are_quarters;
  double operator()(int least, int greatest) {
    double const x = random_int(engine, 4 * least, 4 * greatest) / 4.0;
    return are_quarters ? x : x + random_int(engine, 0, 999) / 4000.0;
  }
  template <int Dim>
  Vec<double, Dim> point(int least, int greatest) {
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = (*this)(least, greatest);
    return x;
  }
};

/// Is the squared distance of x from the segment at most radius^2? In numbers that are exact for quarters.
template <int Dim>
bool is_in_capsule(Vec<long double, Dim> const& x, Vec<double, Dim> const& a, Vec<double, Dim> const& b,
                   long double radius) {
  long double ax_ab = 0, ab_ab = 0, ax_ax = 0, bx_bx = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    long double const ab = static_cast<long double>(b[axis]) - a[axis];
    long double const ax = x[axis] - a[axis], bx = x[axis] - b[axis];
    ax_ab += ax * ab;
    ab_ab += ab * ab;
    ax_ax += ax * ax;
    bx_bx += bx * bx;
  }
  if (ax_ab <= 0) return ax_ax <= radius * radius;
  if (ax_ab >= ab_ab) return bx_bx <= radius * radius;
  return ax_ax * ab_ab - ax_ab * ax_ab <= radius * radius * ab_ab;
}

}  // namespace

TYPED_TEST(RoundShapes, EllipsoidHasTheCellsWithCentresInside) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Numbers draw{engine, seed % 2 == 0};
    auto const center = draw.template point<Dim>(-30, 30);
    Vec<double, Dim> radii;
    for (int axis = 0; axis < Dim; ++axis)  // ratios of powers of two are exact
      radii[axis] = draw.are_quarters ? std::ldexp(random_int(engine, 0, 5) == 0 ? 0 : 5, -random_int(engine, 0, 2))
                                      : draw(0, Dim == 2 ? 9 : 5);
    auto const expected = cells_where(box_around(center - radii, center + radii), [&](auto const& x) {
      long double sum = 0;
      for (int axis = 0; axis < Dim; ++axis) {
        long double const d = std::abs(x[axis] - center[axis]), r = radii[axis];
        sum += r > 0 ? (d / r) * (d / r) : d > 0 ? 2 : 0;
      }
      return sum <= 1;
    });
    ASSERT_TRUE(matches(sparse::ellipsoid<Dim>(center, radii), expected))
        << "seed " << seed << ", centre " << center << ", radii " << radii;
  }
}

TYPED_TEST(RoundShapes, EllipsoidOfEqualRadiiIsTheBall) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    auto engine = random_engine(seed);
    Numbers draw{engine, seed % 2 == 0};
    auto const center = draw.template point<Dim>(-30, 30);
    double const radius = draw(0, Dim == 2 ? 200 : 20);
    ASSERT_TRUE(sparse::ellipsoid<Dim>(center, Vec<double, Dim>::filled(radius)) == sparse::ball<Dim>(center, radius))
        << "seed " << seed;
  }
}

TYPED_TEST(RoundShapes, LargeEllipsoidsHaveTheRightVolume) {
  constexpr int Dim = TypeParam::value;
  Vec<double, Dim> center, radii;
  double volume = Dim == 2 ? std::acos(-1) : 4 * std::acos(-1) / 3;
  for (int axis = 0; axis < Dim; ++axis) {
    center[axis] = 1000.3 * (axis - 1);
    radii[axis] = Dim == 2 ? (axis == 0 ? 1e9 : 3e4) : (axis == 0 ? 1e8 : 300.0);
    volume *= radii[axis];
  }
  auto const set = sparse::ellipsoid<Dim>(center, radii);
  EXPECT_EQ(set.interval_count(), set.row_count());
  EXPECT_NEAR(static_cast<double>(set.cell_count()) / volume, 1, Dim == 2 ? 1e-6 : 1e-4);
}

TYPED_TEST(RoundShapes, CapsuleHasTheCellsNearItsSegment) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 2 * seed_count; ++seed) {
    auto engine = random_engine(seed);
    Numbers draw{engine, seed % 2 == 0};
    auto const a = draw.template point<Dim>(-8, 8);
    auto b = draw.template point<Dim>(-8, 8);
    for (int axis = 0; axis < Dim; ++axis)
      if (random_int(engine, 0, 3) == 0) b[axis] = a[axis];  // along an axis or a plane, or a ball
    double const radius = draw(0, random_int(engine, 0, Dim == 2 ? 6 : 3));
    auto const reach = Vec<double, Dim>::filled(radius);
    Vec<double, Dim> low = a, high = a;
    for (int axis = 0; axis < Dim; ++axis) {
      low[axis] = std::min(a[axis], b[axis]);
      high[axis] = std::max(a[axis], b[axis]);
    }
    auto const expected = cells_where(box_around(low - reach, high + reach),
                                      [&](auto const& x) { return is_in_capsule<Dim>(x, a, b, radius); });
    ASSERT_TRUE(matches(sparse::capsule<Dim>(a, b, radius), expected))
        << "seed " << seed << ", from " << a << " to " << b << ", radius " << radius;
  }
}

TYPED_TEST(RoundShapes, CapsuleIsTheSameFromBothEnds) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Numbers draw{engine, true};
    auto const a = draw.template point<Dim>(-40, 40), b = draw.template point<Dim>(-40, 40);
    double const radius = draw(0, 9);
    ASSERT_TRUE(sparse::capsule<Dim>(a, b, radius) == sparse::capsule<Dim>(b, a, radius)) << "seed " << seed;
    ASSERT_TRUE(sparse::capsule<Dim>(a, a, radius) == sparse::ball<Dim>(a, radius)) << "seed " << seed;
    ASSERT_TRUE((sparse::ball<Dim>(b, radius) - sparse::capsule<Dim>(a, b, radius)).is_empty()) << "seed " << seed;
  }
}

TYPED_TEST(RoundShapes, LongThinCapsulesHaveTheRightVolume) {
  constexpr int Dim = TypeParam::value;
  using std::numbers::pi;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto engine = random_engine(seed);
    Vec<double, Dim> a, b;
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      a[axis] = random_int(engine, -1000, 1000) / 7.0;
      // At most slightly slanted in 3D, where rows are as many as the area of the shadow.
      double const length = axis == 0 ? 1e8 : Dim == 2 ? 2e4 : 60.0;
      b[axis] = a[axis] + length * random_int(engine, -100, 100) / 100.0;
      square += (b[axis] - a[axis]) * (b[axis] - a[axis]);
    }
    double const length = std::sqrt(square), r = 20.25;
    double const volume = Dim == 2 ? 2 * r * length + pi * r * r : pi * r * r * length + 4 * pi / 3 * r * r * r;
    auto const set = sparse::capsule<Dim>(a, b, r);
    EXPECT_EQ(set.interval_count(), set.row_count());
    // What the rows at the rim of a long shape hold depends on a length of one cell there.
    double const tolerance = length > 1e6 ? (Dim == 2 ? 0.03 : 0.05) : 0.1;
    EXPECT_NEAR(static_cast<double>(set.cell_count()) / volume, 1, tolerance) << "seed " << seed << " " << a << b;
  }
}

TYPED_TEST(RoundShapes, HalfSpaceHasTheCellsBehindItsPlane) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Numbers draw{engine, seed % 2 == 0};
    Box<Dim> domain;
    Vec<double, Dim> point, normal{};
    for (int axis = 0; axis < Dim; ++axis) {
      Coord const size = random_int(engine, 0, Dim == 2 ? 12 : 7);
      Coord const choices[] = {random_int(engine, -20, 20), -coord_limit + 1, coord_limit - size};
      domain.begin[axis] = choices[random_int(engine, 0, 2)];
      domain.end[axis] = domain.begin[axis] + size;
      point[axis] = domain.begin[axis] + draw(-2, size + 2);
    }
    while (normal == Vec<double, Dim>{})
      for (int axis = 0; axis < Dim; ++axis) normal[axis] = random_int(engine, -3, 3);
    auto const behind = [&](auto const& x) {
      long double sum = 0;
      for (int axis = 0; axis < Dim; ++axis) sum += (x[axis] - point[axis]) * normal[axis];
      return sum <= 0;
    };
    auto const expected = cells_where(domain, behind);
    for (double const length : {1.0, 0x1p-700, 0x1p1000, 0x1p-1060}) {
      ASSERT_TRUE(matches(sparse::half_space<Dim>(point, length * normal, domain), expected))
          << "seed " << seed << ", point " << point << ", normal " << normal << " * " << length;
    }
    auto const other = sparse::half_space<Dim>(point, -1.0 * normal, domain);
    ASSERT_TRUE(
        matches(other | sparse::half_space<Dim>(point, normal, domain), reference::box<Dim>(domain.begin, domain.end)));
  }
}

TYPED_TEST(RoundShapes, CheckerboardHasEveryOtherSquare) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Box<Dim> domain;
    for (int axis = 0; axis < Dim; ++axis) {
      Coord const size = random_int(engine, 0, Dim == 2 ? 12 : 7);
      Coord const choices[] = {random_int(engine, -20, 20), -coord_limit + 1, coord_limit - size};
      domain.begin[axis] = choices[random_int(engine, 0, 2)];
      domain.end[axis] = domain.begin[axis] + size;
    }
    Coord const widths[] = {1, 2, 3, 5, 1000, coord_limit, std::numeric_limits<Coord>::max()};
    Coord const width = widths[random_int(engine, 0, 6)];
    Cells<Dim> expected;
    for (auto const& cell : reference::box<Dim>(domain.begin, domain.end)) {
      long sum = 0;
      for (int axis = 0; axis < Dim; ++axis)
        sum += static_cast<long>(std::floor(static_cast<long double>(cell[axis]) / width));
      if (sum % 2 == 0) expected.insert(cell);
    }
    ASSERT_TRUE(matches(sparse::checkerboard<Dim>(domain, width), expected)) << "seed " << seed << ", width " << width;
  }
}

TYPED_TEST(RoundShapes, RefuseWhatIsNoShape) {
  constexpr int Dim = TypeParam::value;
  Vec<double, Dim> const origin{}, ones = Vec<double, Dim>::filled(1);
  Box<Dim> const domain{Cell<Dim>::filled(0), Cell<Dim>::filled(3)}, inside_out{domain.end, domain.begin};
  for (double const bad : {-1.0, -1e-300, infinity, -infinity, not_a_number, 1e300, 2.0 * coord_limit}) {
    EXPECT_THROW(sparse::capsule<Dim>(origin, ones, bad), std::invalid_argument) << bad;
    for (int axis = 0; axis < Dim; ++axis) {
      auto radii = ones;
      radii[axis] = bad;
      EXPECT_THROW(sparse::ellipsoid<Dim>(origin, radii), std::invalid_argument) << bad;
    }
  }
  for (int axis = 0; axis < Dim; ++axis)
    for (double const x : {infinity, -infinity, not_a_number, 1e300, -1e10, 1.0 * coord_limit, -1.0 * coord_limit}) {
      auto const far = Vec<double, Dim>::along(axis, x);
      EXPECT_THROW(sparse::ellipsoid<Dim>(far, ones), std::invalid_argument) << x;
      EXPECT_THROW(sparse::capsule<Dim>(far, ones, 1), std::invalid_argument) << x;
      EXPECT_THROW(sparse::capsule<Dim>(ones, far, 1), std::invalid_argument) << x;
      if (std::isfinite(x)) {
        EXPECT_NO_THROW(sparse::half_space<Dim>(far, ones, domain)) << x;
      } else {
        EXPECT_THROW(sparse::half_space<Dim>(far, ones, domain), std::invalid_argument) << x;
        EXPECT_THROW(sparse::half_space<Dim>(ones, far, domain), std::invalid_argument) << x;
      }
    }
  EXPECT_THROW(sparse::half_space<Dim>(ones, origin, domain), std::invalid_argument);
  EXPECT_THROW(sparse::half_space<Dim>(ones, ones, inside_out), std::invalid_argument);
  EXPECT_TRUE(sparse::half_space<Dim>(ones, ones, Box<Dim>{}).is_empty());
  EXPECT_THROW(sparse::checkerboard<Dim>(domain, 0), std::invalid_argument);
  EXPECT_THROW(sparse::checkerboard<Dim>(domain, -1), std::invalid_argument);
  EXPECT_THROW(sparse::checkerboard<Dim>(inside_out, 1), std::invalid_argument);
}
