// Functions of many sets, and rows with few and with many intervals, against a dense bitmap.

#include <sstream>
#include <stdexcept>
#include <tuple>

#include <sparse/sets/algebra.hpp>

#include "support/bitmap.hpp"

namespace {

using namespace sparse;
using bitmap::Bitmap;
using bitmap::varied_set;
using reference::random_engine;
using reference::random_int;
using reference::seed_count;

template <class Dimension>
class SetFunctions : public testing::Test {};
TYPED_TEST_SUITE(SetFunctions, reference::Dimensions);

/// A random function of K sets, in one pass and cell by cell.
template <int Dim, int K>
testing::AssertionResult random_function_matches(unsigned seed) {
  auto engine = random_engine(seed);
  std::array<IntervalSet<Dim>, K> sets;
  std::vector<Bitmap<Dim>> maps;
  auto const domain = bitmap::domain<Dim>();
  for (int k = 0; k < K; ++k) {
    sets[static_cast<std::size_t>(k)] = varied_set<Dim>(seed, static_cast<unsigned>(k));
    maps.emplace_back(sets[static_cast<std::size_t>(k)], domain);
  }
  std::vector<bool> table(std::size_t{1} << K);
  for (std::size_t state = 1; state < table.size(); ++state) table[state] = random_int(engine, 0, 1) == 1;
  auto const result = std::apply(
      [&](auto const&... set) {
        return fuse(
            [&](auto... in) {
              std::size_t state = 0, bit = 1;
              ((state += in ? bit : 0, bit *= 2), ...);
              return static_cast<bool>(table[state]);
            },
            set...);
      },
      sets);
  return bitmap::holds_where(result, domain, [&](auto const& cell) {
    std::size_t state = 0;
    for (int k = 0; k < K; ++k) state += std::size_t{maps[static_cast<std::size_t>(k)](cell)} << k;
    return static_cast<bool>(table[state]);
  });
}

TYPED_TEST(SetFunctions, FusedFunctionsMatchTheBitmap) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    switch (seed % 6) {
    case 0:
      ASSERT_TRUE((random_function_matches<Dim, 1>(seed)));
      break;
    case 1:
      ASSERT_TRUE((random_function_matches<Dim, 2>(seed)));
      break;
    case 2:
      ASSERT_TRUE((random_function_matches<Dim, 3>(seed)));
      break;
    case 3:
      ASSERT_TRUE((random_function_matches<Dim, 4>(seed)));
      break;
    case 4:
      ASSERT_TRUE((random_function_matches<Dim, 5>(seed)));
      break;
    default:
      ASSERT_TRUE((random_function_matches<Dim, 6>(seed)));
      break;
    }
  }
}

TYPED_TEST(SetFunctions, OnePassEqualsStepByStep) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const a = varied_set<Dim>(seed, 0), b = varied_set<Dim>(seed, 1), c = varied_set<Dim>(seed, 2);
    ASSERT_EQ(fuse([](bool x, bool y, bool z) { return (x && !y) || z; }, a, b, c), (a - b) | c);
    ASSERT_EQ(fuse([](bool x, bool y, bool z) { return x && y && !z; }, a, b, c), (a & b) - c);
    ASSERT_EQ(fuse([](bool x, bool y, bool z) { return x != y && y != z; }, a, b, c), (a ^ b) & (b ^ c));
    ASSERT_EQ(fuse([](bool x, bool y, bool z) { return x + y + z >= 2; }, a, b, c), (a & b) | (a & c) | (b & c));
    ASSERT_EQ(fuse([](bool x, bool y) { return x != y; }, a, b), a ^ b);
  }
}

/// All four operations, both ways round.
template <int Dim>
void expect_algebra(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b, Box<Dim> const& box) {
  Bitmap<Dim> const x(a, box), y(b, box);
  ASSERT_TRUE(bitmap::holds_where(a | b, box, [&](auto const& cell) { return x(cell) || y(cell); }));
  ASSERT_TRUE(bitmap::holds_where(a & b, box, [&](auto const& cell) { return x(cell) && y(cell); }));
  ASSERT_TRUE(bitmap::holds_where(a - b, box, [&](auto const& cell) { return x(cell) && !y(cell); }));
  ASSERT_TRUE(bitmap::holds_where(b - a, box, [&](auto const& cell) { return y(cell) && !x(cell); }));
  ASSERT_TRUE(bitmap::holds_where(a ^ b, box, [&](auto const& cell) { return x(cell) != y(cell); }));
}

TYPED_TEST(SetFunctions, AlgebraMatchesTheBitmap) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_algebra(varied_set<Dim>(seed, 0), varied_set<Dim>(seed, 1), bitmap::domain<Dim>());
  }
}

// Few intervals in one operand, many in the other. There are more than the search takes at a time, ends that coincide,
// and rows at the end of the arrays.
TYPED_TEST(SetFunctions, FewIntervalsMeetMany) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    Box<Dim> box{};
    box.end = Vec<Coord, Dim>::filled(random_int(engine, 1, 3));
    box.end[0] = random_int(engine, 40, 3000);
    auto const many = random_intervals(box, 1.0 + seed % 3, 1.0 + seed % 5, seed);
    double const length = random_int(engine, 20, 600);
    expect_algebra(random_intervals(box, length, length, seed + 1), many, box);
    expect_algebra(many - sparse::box(Vec<Coord, Dim>{}, Vec<Coord, Dim>::filled(1)),
                   random_intervals(box, length, 9, seed), box);
    // Ends of the few that are ends of the many.
    auto few = IntervalSet<Dim>();
    auto const host = many.to_host();
    for (int i = 0; i < 4 && !host.intervals.empty(); ++i) {
      auto const& interval =
          host.intervals[static_cast<std::size_t>(random_int(engine, 0, static_cast<int>(host.intervals.size()) - 1))];
      Box<Dim> piece = box;
      piece.begin[0] = interval.begin;
      piece.end[0] = std::min(box.end[0], random_int(engine, 0, 1) == 0 ? interval.end : interval.end + 20);
      few = few | sparse::box(piece.begin, piece.end);
    }
    expect_algebra(few, many, box);
  }
}

TYPED_TEST(SetFunctions, ManySetsAreUnitedAndIntersected) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    int const count = seed % 10 == 0 ? 300 : random_int(engine, 1, 20);
    std::vector<IntervalSet<Dim>> sets;
    IntervalSet<Dim> either, both;
    for (int i = 0; i < count; ++i) {
      auto set = seed % 2 == 0 ? varied_set<Dim>(seed, static_cast<unsigned>(i))
                               : reference::random_set<Dim>(seed, static_cast<unsigned>(i % 5));
      either = either | set;
      both = i == 0 ? set : both & set;
      sets.push_back(std::move(set));
    }
    auto const united = unite(sets);
    validate(united);
    ASSERT_EQ(united, either);
    ASSERT_EQ(intersect(sets), both);
  }
}

TYPED_TEST(SetFunctions, TheLawsHold) {
  constexpr int Dim = TypeParam::value;
  auto const domain = bitmap::domain<Dim>();
  auto const all = box(domain.begin, domain.end);
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const a = varied_set<Dim>(seed, 0) & all, b = varied_set<Dim>(seed, 1) & all,
               c = varied_set<Dim>(seed, 2) & all;
    ASSERT_EQ(all - (a | b), (all - a) & (all - b));  // De Morgan
    ASSERT_EQ(all - (a & b), (all - a) | (all - b));
    ASSERT_EQ(a & (b | c), (a & b) | (a & c));  // distributivity
    ASSERT_EQ(a | (b & c), (a | b) & (a | c));
    ASSERT_EQ(a & (b ^ c), (a & b) ^ (a & c));
    ASSERT_EQ(a | (a & b), a);  // absorption
    ASSERT_EQ(a & (a | b), a);
    ASSERT_EQ(a ^ b, (a | b) - (a & b));
    ASSERT_EQ((a ^ b) ^ b, a);
    ASSERT_EQ(all - (all - a), a);
    ASSERT_EQ(unite<Dim>({a, b, c}), a | b | c);
  }
}

TYPED_TEST(SetFunctions, EmptySetsAndWrongFunctions) {
  constexpr int Dim = TypeParam::value;
  IntervalSet<Dim> const none;
  auto const some = varied_set<Dim>(1, 6) | box(Vec<Coord, Dim>{}, Vec<Coord, Dim>::filled(2));
  EXPECT_TRUE(fuse([](bool x, bool y) { return x || y; }, none, none).is_empty());
  EXPECT_EQ(fuse([](bool x, bool y, bool z) { return x || y || z; }, none, some, none), some);
  EXPECT_TRUE(fuse([](bool x) { return x && false; }, some).is_empty());
  EXPECT_THROW(fuse([](bool x, bool y) { return !x || y; }, some, some), std::invalid_argument);
  EXPECT_TRUE(unite(std::vector<IntervalSet<Dim>>{}).is_empty());
  EXPECT_TRUE(unite(std::vector<IntervalSet<Dim>>(9)).is_empty());
  EXPECT_EQ(unite(std::vector<IntervalSet<Dim>>{none, some, none}), some);
  EXPECT_TRUE(intersect(std::vector<IntervalSet<Dim>>{some, none, some}).is_empty());
  EXPECT_THROW(intersect(std::vector<IntervalSet<Dim>>{}), std::invalid_argument);
}

}  // namespace
