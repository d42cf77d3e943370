/// Exact sums: what integers of any length give, in any order.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <sparse/distributed/exact_sum.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::Index;
using sparse::distributed::ExactSum;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), greatest = std::numeric_limits<double>::max(),
                 least = std::numeric_limits<double>::denorm_min();

template <class T>
double sum_of(std::vector<T> const& terms) {
  ExactSum sum;
  sum.add(terms.data(), static_cast<Index>(terms.size()));
  return sum.value();
}
double one_by_one(std::vector<double> const& terms) {
  ExactSum sum;
  for (double const term : terms) sum.add(term);
  return sum.value();
}

bool are_same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Numbers of random signs and digits, whose exponents differ by at most `range`.
template <class T>
std::vector<T> random_terms(std::mt19937& engine, std::size_t count, int range, int centre) {
  std::vector<T> terms(count);
  for (auto& term : terms) {
    auto const digits = static_cast<double>(engine()) + static_cast<double>(engine()) / 4294967296.0;
    term = static_cast<T>(std::ldexp(engine() % 2 == 0 ? digits : -digits, centre - 32 + random_int(engine, 0, range)));
  }
  return terms;
}

/// The sum of numbers as an integer in base 2^16, counted in 2^-1074, and rounded to the nearest double by bisection of
/// its bits: slow, and another way than the library's.
double slow_sum(std::vector<double> const& terms) {
  constexpr int digit_bits = 16, digit_count = 140;
  std::vector<std::int64_t> digits(digit_count, 0);
  auto const add = [&](double term, std::int64_t times) {
    int exponent = 0;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(term, &exponent), 53));
    int place = exponent - 53 + 1074;
    for (; place < 0; ++place) mantissa /= 2;  // exact: denormal numbers end there
    for (int bit = 0; bit < 54; ++bit)
      if (((std::abs(mantissa) >> bit) & 1) != 0) {
        int const at = place + bit;
        digits[static_cast<std::size_t>(at / digit_bits)] +=
            times * (mantissa < 0 ? -1 : 1) * (std::int64_t{1} << (at % digit_bits));
      }
  };
  /// The sign of the number.
  auto const sign = [&] {
    for (std::size_t k = 0; k + 1 < digits.size(); ++k) {
      digits[k + 1] += digits[k] >> digit_bits;
      digits[k] &= (1 << digit_bits) - 1;
    }
    if (digits.back() < 0) return -1;
    return std::all_of(digits.begin(), digits.end(), [](auto digit) { return digit == 0; }) ? 0 : 1;
  };
  for (double const term : terms) add(term, 1);
  bool const is_negative = sign() < 0;
  if (is_negative)
    for (auto& digit : digits) digit = -digit;
  // The greatest double that is at most the sum, by its pattern, and the next one: which is nearer?
  std::uint64_t below = 0, above = std::uint64_t{2047} << 52;
  auto const number = [](std::uint64_t pattern) {
    double value = 0;
    std::memcpy(&value, &pattern, sizeof value);
    return value;
  };
  auto const compare = [&](double value) {
    add(value, -1);
    int const result = sign();
    add(value, 1);
    return result;
  };
  while (above - below > 1) {
    std::uint64_t const middle = below + (above - below) / 2;
    (compare(number(middle)) >= 0 ? below : above) = middle;
  }
  double const down = number(below), up = number(above);
  for (auto& digit : digits) digit *= 2;
  add(down, -1);
  add(up, -1);
  int const nearer = sign();
  double const result = nearer > 0 || (nearer == 0 && below % 2 != 0) ? up : down;
  return is_negative ? -result : result;
}

}  // namespace

TEST(ExactSum, IsThatOfIntegers) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    std::vector<double> terms(static_cast<std::size_t>(random_int(engine, 0, 3000)));
    std::int64_t expected = 0;
    for (auto& term : terms) {
      auto const value = static_cast<std::int64_t>(engine()) * 1024 - (std::int64_t{1} << 41);
      expected += value;
      term = static_cast<double>(value);
    }
    ASSERT_EQ(sum_of(terms), static_cast<double>(expected)) << "seed " << seed;
  }
}

TEST(ExactSum, IsNearestToTheTrueSum) {
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    auto engine = random_engine(seed);
    int const ranges[] = {0, 30, 120, 900, 2000};
    int const range = ranges[seed % 5], centre = range == 2000 ? -1074 : random_int(engine, -1000, 100);
    auto terms = random_terms<double>(engine, static_cast<std::size_t>(random_int(engine, 1, 700)), range, centre);
    // Most of it cancels, so that the last digits count.
    if (seed % 2 == 0)
      for (std::size_t i = 0; i + 1 < terms.size(); i += 2) terms[i + 1] = -terms[i];
    ASSERT_TRUE(are_same(sum_of(terms), slow_sum(terms))) << "seed " << seed;
    ASSERT_TRUE(are_same(one_by_one(terms), slow_sum(terms))) << "seed " << seed;
  }
}

TEST(ExactSum, OfFloatsIsThatOfLongDoubles) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const terms = random_terms<float>(engine, 1000, 20, random_int(engine, -60, 60));
    long double expected = 0;  // 24 + 20 + 10 bits, of the 64 that it has
    for (float const term : terms) expected += static_cast<long double>(term);
    ASSERT_EQ(sum_of(terms), static_cast<double>(expected)) << "seed " << seed;
  }
}

TEST(ExactSum, DependsOnNoOrderAndNoSplit) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto terms = random_terms<double>(engine, 2000, seed % 3 == 0 ? 1500 : 80, -700);
    double const expected = sum_of(terms);
    std::shuffle(terms.begin(), terms.end(), engine);
    ASSERT_TRUE(are_same(sum_of(terms), expected)) << "seed " << seed;
    std::vector<ExactSum> parts(static_cast<std::size_t>(random_int(engine, 1, 9)));
    for (std::size_t begin = 0; begin < terms.size();) {
      auto const count = std::min<std::size_t>(terms.size() - begin, engine() % 700);
      parts[engine() % parts.size()].add(terms.data() + begin, static_cast<Index>(count));
      begin += count;
    }
    ExactSum sum;
    for (auto const& part : parts) sum.add(part);
    ASSERT_TRUE(are_same(sum.value(), expected)) << "seed " << seed;
  }
}

TEST(ExactSum, RoundsTiesToEven) {
  double const unit = std::ldexp(1.0, -52);
  EXPECT_EQ(sum_of<double>({1, unit / 2}), 1);
  EXPECT_EQ(sum_of<double>({1 + unit, unit / 2}), 1 + 2 * unit);
  EXPECT_EQ(sum_of<double>({1, unit / 2, least}), 1 + unit);
  EXPECT_EQ(sum_of<double>({1, unit / 2, -least}), 1);
  EXPECT_EQ(sum_of<double>({-1, -unit / 2, -least}), -1 - unit);
  EXPECT_EQ(sum_of<double>({1e300, 1, -1e300}), 1);
  EXPECT_EQ(sum_of<double>({least, least, least}), 3 * least);
}

TEST(ExactSum, HasNoOverflowBeforeTheEnd) {
  EXPECT_EQ(sum_of<double>({greatest, greatest, -greatest}), greatest);
  EXPECT_EQ(sum_of<double>({greatest, greatest}), infinity);
  EXPECT_EQ(sum_of<double>({-greatest, -greatest}), -infinity);
  EXPECT_EQ(sum_of(std::vector<double>(1000, greatest)), infinity);
  auto terms = std::vector<double>(1000, greatest);
  terms.resize(1999, -greatest);
  EXPECT_EQ(sum_of(terms), greatest);
}

TEST(ExactSum, PassesOnInfinitiesAndNaN) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> many(600, 1.5);
  for (std::size_t const place : {std::size_t{0}, std::size_t{300}, std::size_t{599}}) {
    auto terms = many;
    terms[place] = infinity;
    EXPECT_EQ(sum_of(terms), infinity);
    terms[place] = -infinity;
    EXPECT_EQ(sum_of(terms), -infinity);
    terms[(place + 1) % 600] = infinity;
    EXPECT_TRUE(std::isnan(sum_of(terms)));
    terms = many;
    terms[place] = nan;
    EXPECT_TRUE(std::isnan(sum_of(terms)));
    terms[place] = -nan;
    EXPECT_TRUE(std::isnan(sum_of(terms)));
  }
  EXPECT_EQ(sum_of<float>({1, std::numeric_limits<float>::infinity()}), infinity);
}

TEST(ExactSum, OfNothingIsZero) {
  EXPECT_TRUE(are_same(ExactSum().value(), 0.0));
  EXPECT_TRUE(are_same(sum_of<double>({}), 0.0));
  EXPECT_TRUE(are_same(sum_of<double>({-0.0, -0.0}), 0.0));
  EXPECT_TRUE(are_same(sum_of<double>({1e-300, -1e-300}), 0.0));
}
