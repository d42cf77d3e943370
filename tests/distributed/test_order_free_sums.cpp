/// Sums over the cells of plans: what exact sums give, in any order and in any parts.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <sparse/distributed/exact_sum.hpp>
#include <sparse/distributed/order_free_sums.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::Field;
using sparse::FieldView;
using sparse::Index;
using sparse::Subset;
using sparse::Vec;
using sparse::distributed::ExactSum;
using sparse::distributed::SumPart;

namespace {

/// The two components of a field.
template <int Dim>
struct Values {
  FieldView<double const> field;
  KOKKOS_FUNCTION void operator()(sparse::SubsetPoint<Dim> const& p, Vec<double, 2>& terms) const {
    terms = {field(0, p.cell), field(1, p.cell)};
  }
};

template <int Dim>
using Part = SumPart<Subset<Dim>, Values<Dim>>;

template <int Dim>
std::vector<Part<Dim>> parts_of(Field<double, Dim> const& field, std::vector<IntervalSet<Dim>> const& cells) {
  std::vector<Part<Dim>> parts;
  for (auto const& set : cells) parts.push_back({Subset<Dim>(set, field.domain()), {field.view()}});
  return parts;
}
template <int Dim>
std::vector<Vec<double, 2>> sums_of(Field<double, Dim> const& field, std::vector<IntervalSet<Dim>> const& cells) {
  return sparse::distributed::order_free_sums<2>(nullptr, "test", parts_of(field, cells));
}

/// The second component has the terms of the first one, turned round and halved.
template <int Dim>
Field<double, Dim> field_of(IntervalSet<Dim> const& domain, std::vector<double> terms) {
  Field<double, Dim> field("terms", domain, 2);
  set_values(field, terms, 0);
  std::reverse(terms.begin(), terms.end());
  for (double& term : terms) term *= 0.5;
  set_values(field, terms, 1);
  return field;
}

std::vector<double> random_terms(std::mt19937& engine, Index count, int least_exponent, int greatest_exponent) {
  std::vector<double> terms(static_cast<std::size_t>(count));
  std::uniform_real_distribution<double> digits(-1, 1);
  for (double& term : terms) term = std::ldexp(digits(engine), random_int(engine, least_exponent, greatest_exponent));
  return terms;
}

double exact(std::vector<double> const& terms) {
  ExactSum sum;
  for (double const term : terms) sum.add(term);
  return sum.value();
}

bool are_same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

// Terms whose bits lie within 90 places.
TEST(OrderFreeSums, AreExact) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const domain = random_set<2>(seed, 0, 40);
    int const centre = random_int(engine, -800, 900);
    auto terms = random_terms(engine, domain.cell_count(), centre, centre + 40);
    for (double& term : terms) term = std::ldexp(std::rint(std::ldexp(term, 50 - centre)), centre - 50);
    auto const sums = sums_of(field_of(domain, terms), {domain});
    ASSERT_TRUE(are_same(sums[0][0], exact(terms))) << "seed " << seed;
    ASSERT_TRUE(are_same(sums[0][1], 0.5 * exact(terms))) << "seed " << seed;
  }
}

// Also where terms are of all sizes: then each counts with a unit of 2^-96 of the greatest.
TEST(OrderFreeSums, DependOnNoOrder) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const domain = random_set<3>(seed, 0, 30);
    if (domain.is_empty()) continue;
    auto terms = random_terms(engine, domain.cell_count(), -700, random_int(engine, -700, 900));
    auto const first = sums_of(field_of(domain, terms), {domain})[0][0];
    double most = 0;
    for (double const term : terms) most = std::max(most, std::abs(term));
    ASSERT_NEAR(first, exact(terms),
                std::ldexp(most * static_cast<double>(terms.size()), -96) + std::abs(first) * 1e-15);
    std::shuffle(terms.begin(), terms.end(), engine);
    ASSERT_TRUE(are_same(sums_of(field_of(domain, terms), {domain})[0][0], first)) << "seed " << seed;
  }
}

TEST(OrderFreeSums, OfSeveralParts) {
  auto engine = random_engine(1);
  auto const domain = sparse::box<2>({0, 0}, {100, 100}), left = sparse::box<2>({0, 0}, {37, 100});
  auto const field = field_of(domain, random_terms(engine, domain.cell_count(), 0, 10));
  auto const both = sums_of(field, {left, {}, domain - left}), all = sums_of(field, {domain});
  ASSERT_EQ(both.size(), 3U);
  EXPECT_TRUE(are_same(both[1][0], 0));
  EXPECT_NEAR(both[0][0] + both[2][0], all[0][0], 1e-9);
  EXPECT_TRUE(sums_of(field, {}).empty());
}

TEST(OrderFreeSums, ComeWithGreatestMagnitudes) {
  auto const row = sparse::box<2>({0, 0}, {3, 1}), first = sparse::box<2>({0, 0}, {1, 1});
  auto const field = field_of<2>(row, {1, 2, -3}), spoilt = field_of<2>(row, {1, std::nan(""), 1e300});
  auto const found = sparse::distributed::greatest_magnitudes<2>(nullptr, "test", parts_of(field, {row, first, {}}));
  EXPECT_EQ(found, (std::vector<Vec<double, 2>>{{3, 1.5}, {1, 1.5}, {0, 0}}));
  EXPECT_TRUE(std::isnan(sparse::distributed::greatest_magnitudes<2>(nullptr, "test", parts_of(spoilt, {row}))[0][0]));
}

TEST(OrderFreeSums, OfSpecialTerms) {
  auto const row = sparse::box<2>({0, 0}, {3, 1});
  auto const sum = [&](double a, double b, double c) { return sums_of(field_of(row, {a, b, c}), {row})[0][0]; };
  double const infinity = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::denorm_min();
  EXPECT_TRUE(are_same(sum(0, -0.0, -0.0), 0));
  EXPECT_TRUE(are_same(sum(1e200, 1, -1e200), 0));  // 1 is less than the unit
  EXPECT_TRUE(are_same(sum(1e20, 1, -1e20), 1));
  EXPECT_TRUE(are_same(sum(least, -least, 0), 0));
  EXPECT_TRUE(are_same(sum(1e-270, 1e-270, 0), 2e-270));
  EXPECT_TRUE(are_same(sum(1e288, -3e288, 0), 1e288 - 3e288));
  EXPECT_TRUE(std::isnan(sum(1, infinity, 0)));
  EXPECT_TRUE(std::isnan(sum(1, 2, std::nan(""))));
  EXPECT_TRUE(std::isnan(sum(1e300, 0, 0)));
}

// A term counts up to 2^32 units, and sums of so many terms must fit into 63 bits.
TEST(OrderFreeSums, OfTooManyCellsAreRefused) {
  using sparse::distributed::detail::expect_room;
  std::uint64_t const most = (std::uint64_t{1} << 31) - 1;
  EXPECT_NO_THROW(expect_room(most, 1));
  EXPECT_NO_THROW(expect_room(most / 1024, 1024));
  EXPECT_THROW(expect_room(most + 1, 1), std::invalid_argument);
  EXPECT_THROW(expect_room(most / 1024 + 1, 1024), std::invalid_argument);
}
