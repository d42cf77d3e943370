/// Polygons against winding numbers, areas, exact division, and themselves.

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::FillRule;
using sparse::Loop;
using sparse::polygon;

namespace {

using Wide = __int128;
/// A point in units of 1/4 of a cell, or finer.
using Lattice = Vec<std::int64_t, 2>;

int sign(Wide x) { return (x > 0) - (x < 0); }

/// On which side of the line from a to b is p moved by (e, e^2), e > 0 infinitely small? Never on it if a != b.
int side(Lattice const& a, Lattice const& b, Lattice const& p) {
  Wide const det = Wide(b[0] - a[0]) * (p[1] - a[1]) - Wide(b[1] - a[1]) * (p[0] - a[0]);
  if (det != 0) return sign(det);
  return a[1] != b[1] ? sign(a[1] - b[1]) : sign(b[0] - a[0]);
}

/// How often the loops wind around p, seen along a ray in the direction of y. (The library looks along x.)
int winding(std::vector<std::vector<Lattice>> const& loops, Lattice const& p) {
  int sum = 0;
  for (auto const& loop : loops)
    for (std::size_t i = 0; i < loop.size(); ++i) {
      Lattice const &a = loop[i], &b = loop[(i + 1) % loop.size()];
      bool const passes_right = a[0] <= p[0] && p[0] < b[0], passes_left = b[0] <= p[0] && p[0] < a[0];
      if (passes_right && side(a, b, p) < 0) --sum;  // the edge is above p and goes right
      if (passes_left && side(a, b, p) > 0) ++sum;
    }
  return sum;
}

std::vector<Loop> scaled(std::vector<std::vector<Lattice>> const& loops, double unit) {
  std::vector<Loop> result;
  for (auto const& loop : loops) {
    result.emplace_back();
    for (auto const& p : loop)
      result.back().push_back({static_cast<double>(p[0]) * unit, static_cast<double>(p[1]) * unit});
  }
  return result;
}

/// Loops with few different coordinates, so that edges are horizontal, points repeat and centres lie on edges.
std::vector<std::vector<Lattice>> random_loops(std::mt19937& engine, int per_cell, int size) {
  std::vector<std::vector<Lattice>> loops(static_cast<std::size_t>(random_int(engine, 0, 4)));
  for (auto& loop : loops) {
    int const step = per_cell / (1 << random_int(engine, 0, 2));
    for (int i = random_int(engine, 3, random_int(engine, 3, 12)); i > 0; --i)
      loop.push_back({step * random_int(engine, -size, size), step * random_int(engine, -size, size)});
    if (random_int(engine, 0, 2) == 0) loop.push_back(loop.back());
    if (random_int(engine, 0, 2) == 0) loop.push_back(loop.front());
  }
  return loops;
}

using std::numbers::pi;

Loop circle(Vec<double, 2> const& center, double radius, int points, double step = 1) {
  Loop loop;
  for (int i = 0; i < points; ++i) {
    double const angle = 2 * pi * step * i / points;
    loop.push_back({center[0] + radius * std::cos(angle), center[1] + radius * std::sin(angle)});
  }
  return loop;
}

}  // namespace

TEST(Polygon, HasTheCellsThatItsLoopsWindAround) {
  for (unsigned seed = 1; seed <= 3 * seed_count; ++seed) {
    auto engine = random_engine(seed);
    constexpr int per_cell = 4, size = 7;
    auto const loops = random_loops(engine, per_cell, size);
    Cells<2> odd, non_zero;
    for (auto const& cell : reference::box<2>({-size - 1, -size - 1}, {size + 1, size + 1})) {
      int const count = winding(loops, {per_cell * cell[0] + per_cell / 2, per_cell * cell[1] + per_cell / 2});
      if (count % 2 != 0) odd.insert(cell);
      if (count != 0) non_zero.insert(cell);
    }
    auto const points = scaled(loops, 1.0 / per_cell);
    ASSERT_TRUE(matches(polygon(points), odd)) << "seed " << seed;
    ASSERT_TRUE(matches(polygon(points, FillRule::non_zero), non_zero)) << "seed " << seed;
  }
}

TEST(Polygon, OfAnyNumbersHasTheCellsInside) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> draw(-9, 9);
    std::vector<Loop> loops(static_cast<std::size_t>(random_int(engine, 1, 3)));
    for (auto& loop : loops)
      for (int i = random_int(engine, 3, 9); i > 0; --i) loop.push_back({draw(engine), draw(engine)});
    Cells<2> expected;
    for (auto const& cell : reference::box<2>({-10, -10}, {10, 10})) {
      long double const x = cell[0] + 0.5L, y = cell[1] + 0.5L;
      bool is_inside = false;  // crossings of a ray along y
      for (auto const& loop : loops)
        for (std::size_t i = 0; i < loop.size(); ++i) {
          auto const &a = loop[i], &b = loop[(i + 1) % loop.size()];
          if ((a[0] <= x) != (b[0] <= x))
            is_inside ^= a[1] + (x - a[0]) / (static_cast<long double>(b[0]) - a[0]) * (b[1] - a[1]) > y;
        }
      if (is_inside) expected.insert(cell);
    }
    ASSERT_TRUE(matches(polygon(loops), expected)) << "seed " << seed;
  }
}

/// x of the crossing, rounded up to the next centre, in numbers of 128 bits.
TEST(Polygon, CrossingsAreNotRoundedWhereNumbersAreLarge) {
  constexpr std::int64_t unit = std::int64_t{1} << 20;  // per cell; coordinates have 50 bits
  for (unsigned seed = 1; seed <= 3 * seed_count; ++seed) {
    auto engine = random_engine(seed);
    std::uniform_int_distribution<std::int64_t> far(-unit * (coord_limit - 1), unit * coord_limit);
    std::uniform_int_distribution<std::int64_t> near(-5 * unit, 5 * unit);
    std::vector<Lattice> triangle(3);
    for (auto& p : triangle) p = {far(engine), near(engine)};
    if (seed % 2 == 0) {  // an edge through, or a unit beside, a centre
      Wide const u = near(engine) | 1, v = random_int(engine, 1, 1000);
      Lattice const centre{unit * random_int(engine, -1000, 1000) + unit / 2,
                           unit * random_int(engine, -3, 3) + unit / 2};
      triangle[0] = {centre[0] + static_cast<std::int64_t>(u * 64), centre[1] + static_cast<std::int64_t>(v * 64)};
      triangle[1] = {centre[0] - static_cast<std::int64_t>(u * 63) + random_int(engine, -1, 1),
                     centre[1] - static_cast<std::int64_t>(v * 63)};
    }
    HostSet<2> expected;
    expected.row_ptr = {0};
    for (Coord y = -6; y < 6; ++y) {
      std::vector<Coord> crossings;
      std::int64_t const height = unit * y + unit / 2;
      for (std::size_t i = 0; i < 3; ++i) {
        Lattice a = triangle[i], b = triangle[(i + 1) % 3];
        if (a[1] > b[1]) std::swap(a, b);
        if (!(a[1] <= height && height < b[1])) continue;
        // The first i with (i + 1/2) unit >= a.x + (height - a.y) (b.x - a.x) / (b.y - a.y).
        Wide const below = b[1] - a[1];
        Wide const above = Wide(a[0]) * below + Wide(height - a[1]) * (b[0] - a[0]) - Wide(unit / 2) * below;
        Wide quotient = above / (below * unit);
        if (quotient * below * unit < above) ++quotient;
        crossings.push_back(static_cast<Coord>(quotient));
      }
      std::sort(crossings.begin(), crossings.end());
      if (crossings.empty() || crossings[0] == crossings[1]) continue;
      expected.row_keys.push_back(y);
      expected.intervals.push_back({crossings[0], crossings[1]});
      expected.row_ptr.push_back(static_cast<Index>(expected.intervals.size()));
    }
    ASSERT_TRUE(polygon(scaled({triangle}, 0x1p-20)) == from_host(expected)) << "seed " << seed;
  }
}

TEST(Polygon, TilesNeitherOverlapNorLeaveGaps) {
  for (unsigned seed = 1; seed <= seed_count / 10; ++seed) {
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> draw(-0.24, 0.24);
    constexpr int count = 6;
    double const width = seed % 2 == 0 ? 4 : 3.5;
    Vec<double, 2> points[count + 1][count + 1];
    for (int j = 0; j <= count; ++j)
      for (int i = 0; i <= count; ++i) {
        points[j][i] = {width * i, width * j};
        // Those inside are moved: anywhere, or to centres and corners.
        if (i % count != 0) points[j][i][0] += seed % 3 == 0 ? width * draw(engine) : random_int(engine, -1, 1) * 0.5;
        if (j % count != 0) points[j][i][1] += seed % 3 == 0 ? width * draw(engine) : random_int(engine, -1, 1) * 0.5;
      }
    auto const end = static_cast<Coord>(width * count);
    IntervalSet<2> all;
    Index cell_count = 0;
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < count; ++i) {
        auto const &a = points[j][i], &b = points[j][i + 1], &c = points[j + 1][i + 1], &d = points[j + 1][i];
        for (Loop const& triangle : {Loop{a, b, c}, Loop{a, c, d}}) {
          auto const set = polygon(triangle);
          cell_count += set.cell_count();
          all |= set;
        }
      }
    ASSERT_EQ(cell_count, Index{end} * end) << "seed " << seed;
    ASSERT_TRUE(all == sparse::box<2>({0, 0}, {end, end})) << "seed " << seed;
  }
}

TEST(Polygon, RectanglesAreBoxes) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Coord const x = random_int(engine, -9, 9), y = random_int(engine, -9, 9);
    Coord const u = x + random_int(engine, 0, 9), v = y + random_int(engine, 0, 9);
    // Whole numbers, and halves: centres, of which those left and below belong.
    double const shift = seed % 2 == 0 ? 0 : 0.5;
    Loop const loop{{x + shift, y + shift}, {u + shift, y + shift}, {u + shift, v + shift}, {x + shift, v + shift}};
    Loop const other(loop.rbegin(), loop.rend());
    for (auto const rule : {FillRule::even_odd, FillRule::non_zero})
      for (auto const& corners : {loop, other})
        ASSERT_TRUE(polygon(corners, rule) == sparse::box<2>({x, y}, {u, v})) << "seed " << seed;
  }
  Coord const most = coord_limit, least = -coord_limit + 1;
  Loop const strip{{least + 0.0, -2}, {most + 0.0, -2}, {most + 0.0, 3}, {least + 0.0, 3}};
  EXPECT_TRUE(polygon(strip) == sparse::box<2>({least, -2}, {most, 3}));
}

TEST(Polygon, LoopsInLoopsAreHoles) {
  Loop const outer = circle({3.25, 7}, 60, 97), inner = circle({1, 8.5}, 33, 41);
  Loop const reversed(inner.rbegin(), inner.rend());
  auto const ring = polygon(outer) - polygon(inner);
  EXPECT_TRUE(polygon({outer, inner}) == ring);
  EXPECT_TRUE(polygon({outer, reversed}) == ring);
  EXPECT_TRUE(polygon({outer, reversed}, FillRule::non_zero) == ring);
  EXPECT_TRUE(polygon({outer, inner}, FillRule::non_zero) == polygon(outer));
  EXPECT_TRUE(polygon({outer, outer}).is_empty());
  EXPECT_TRUE(polygon({outer, outer}, FillRule::non_zero) == polygon(outer));
  EXPECT_TRUE(polygon(std::vector<Loop>{}).is_empty());
}

TEST(Polygon, LargeOnesHaveTheRightArea) {
  double const radius = 6000;
  for (int const points : {3, 4, 1000, 100000}) {
    double const area = 0.5 * points * radius * radius * std::sin(2 * pi / points);
    auto const set = polygon(circle({0.3, -1234.7}, radius, points));
    EXPECT_NEAR(static_cast<double>(set.cell_count()), area, 4 * radius) << points;
    EXPECT_EQ(set.interval_count(), set.row_count()) << points;
  }
  // A star of 401 points that winds 200 times around its centre, with many crossings in every row.
  auto const star = circle({0, 0}, 1500, 401, 200);
  double const notch = 1500 * std::cos(pi * 200 / 401) / std::cos(pi * 199 / 401);  // where its outline turns in
  EXPECT_NEAR(static_cast<double>(polygon(star, FillRule::non_zero).cell_count()),
              401 * 1500 * notch * std::sin(pi / 401), 6000);
  Index odd = 0;
  auto const even_odd = polygon(star);
  for (Interval const& interval : even_odd.to_host().intervals) odd += interval.end - interval.begin;
  EXPECT_EQ(odd, even_odd.cell_count());
  EXPECT_TRUE((even_odd - polygon(star, FillRule::non_zero)).is_empty());
}

TEST(Polygon, CostsItsEdgesAndNotWhatLiesBetween) {
  // Two specks a billion rows apart: dense rows would not fit into memory.
  double const far = coord_limit - 10;
  Loop const here{{-far, -far}, {-far + 3, -far}, {-far, 3 - far}}, there{{far, far}, {far + 3, far}, {far, far + 3}};
  auto const set = polygon({here, there});
  EXPECT_EQ(set.cell_count(), polygon(here).cell_count() + polygon(there).cell_count());
  EXPECT_TRUE(set == (polygon(here) | polygon(there)));
  EXPECT_EQ(set.row_count(), 4);
}

TEST(Polygon, NamesItsKernels) {
  KokkosWatch const watch;
  polygon(circle({0, 0}, 10, 10));
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}

TEST(Polygon, RefusesWhatIsNoPolygon) {
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(polygon(Loop{}), std::invalid_argument);
  EXPECT_THROW(polygon(Loop{{0, 0}, {1, 1}}), std::invalid_argument);
  EXPECT_THROW(polygon({Loop{{0, 0}, {1, 1}, {0, 3}}, Loop{{0, 0}}}), std::invalid_argument);
  for (double const bad : {infinity, -infinity, nan, coord_limit + 1.0, -1.0 * coord_limit, 1e300})
    for (int axis = 0; axis < 2; ++axis) {
      Loop loop{{0, 0}, {5, 0}, {5, 5}};
      loop[1][axis] = bad;
      EXPECT_THROW(polygon(loop), std::invalid_argument) << bad;
    }
  // Tiny numbers are zeros.
  EXPECT_TRUE(polygon(Loop{{1e-300, -1e-250}, {5, 1e-310}, {5, 5}, {0, 5}}) == sparse::box<2>({0, 0}, {5, 5}));
}
