/// Fields: arithmetic, norms and thresholds.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/fields.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::Field;

namespace {

/// Fields of every type of value.
template <class Case>
class Fields : public testing::Test {};
TYPED_TEST_SUITE(Fields, AllCases);

/// Fields of real numbers.
template <class Case>
class RealFields : public testing::Test {};
TYPED_TEST_SUITE(RealFields, RealCases);

struct IsEven {
  KOKKOS_FUNCTION bool operator()(Index cell) const { return cell % 2 == 0; }
};

template <class T>
struct Square {
  KOKKOS_FUNCTION T operator()(T a) const { return a * a + 1; }
};
template <class T>
struct Mix {
  KOKKOS_FUNCTION T operator()(T a, T b, T c) const { return a - 2 * b + 3 * c; }
};

/// Whether results and inputs of these types go together, in this order.
template <class Result, class Input>
concept BelongTogether = requires(Result& y, Input& x) {
  assign(y, x);
  add(y, x);
  add(y, 2, x);
  multiply(y, x);
  divide(y, x);
};
template <class Result>
concept CanBeFilled = requires(Result& y) {
  fill(y, 1);
  scale(y, 2);
};

}  // namespace

// The compiler refuses inputs in the place of the result if they are constant, or if the result is a part of a field.
TYPED_TEST(Fields, AreWrittenToByTheFirstArgument) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Whole = Field<T, Dim>;
  using Part = sparse::Subview<T, Dim>;
  using PartOfConst = sparse::Subview<T const, Dim>;
  static_assert(BelongTogether<Whole, Whole> && BelongTogether<Whole, Whole const>);
  static_assert(BelongTogether<Part, Whole const> && BelongTogether<Part const, Whole const>);
  static_assert(!BelongTogether<Whole const, Whole> && !BelongTogether<Whole const, Whole const>);
  static_assert(!BelongTogether<PartOfConst, Whole> && !BelongTogether<Whole, Part>);
  static_assert(CanBeFilled<Whole> && CanBeFilled<Part> && CanBeFilled<Part const>);
  static_assert(!CanBeFilled<Whole const> && !CanBeFilled<PartOfConst>);
}

TYPED_TEST(Fields, AreMovedAndNotCopied) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  static_assert(!std::is_copy_constructible_v<Field<T, Dim>> && !std::is_copy_assignable_v<Field<T, Dim>>);
  static_assert(std::is_nothrow_move_constructible_v<Field<T, Dim>> &&
                std::is_nothrow_move_assignable_v<Field<T, Dim>>);
  auto engine = random_engine(1);
  auto field = random_field<T>(random_set<Dim>(5), engine, 2);
  auto const values = to_host(field, 1);
  T const* const data = field.view().data;
  Field<T, Dim> const moved_to(std::move(field));
  EXPECT_EQ(moved_to.view().data, data);
  EXPECT_EQ(to_host(moved_to, 1), values);
  EXPECT_EQ(moved_to.name(), "random");
  EXPECT_EQ(moved_to.component_count(), 2);
}

TYPED_TEST(Fields, KeepOneValuePerCellAndComponent) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const set = random_set<Dim>(seed);
    Field<T, Dim> field("f", set, 3);
    std::vector<T> values[3];
    for (int c : {1, 0, 2}) set_values(field, values[c] = random_values<T>(set.cell_count(), engine), c);
    for (int c = 0; c < 3; ++c) ASSERT_EQ(to_host(field, c), values[c]);
    ASSERT_EQ(field.cell_count(), set.cell_count());
    ASSERT_EQ(field.domain().identity(), set.identity());
    ASSERT_EQ(field.view().stride * sizeof(T) % 64, 0u);
  }
}

TYPED_TEST(Fields, StartWithTheValueTheyAreMadeWith) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const set = random_set<Dim>(3);
  std::vector<T> const expected(static_cast<std::size_t>(set.cell_count()), T(-4));
  Field<T, Dim> const several("f", set, 2, T(-4));
  ASSERT_EQ(several.component_count(), 2);
  for (int c = 0; c < 2; ++c) EXPECT_EQ(to_host(several, c), expected);
  if constexpr (std::is_floating_point_v<T>) {
    Field<T, Dim> const one("f", set, -4.0);
    ASSERT_EQ(one.component_count(), 1);
    EXPECT_EQ(to_host(one), expected);
  }
  EXPECT_THROW((Field<T, Dim>("f", set, 0, T(-4))), std::invalid_argument);
}

TYPED_TEST(Fields, AlgebraMatchesLoops) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const set = random_set<Dim>(seed);
    int const components = random_int(engine, 1, 3);
    auto const x = random_field<T>(set, engine, components);
    auto y = random_field<T>(set_of(cells_of(set)), engine, components);  // an equal domain will do
    auto const before = clone(y);
    T const factor = static_cast<T>(random_int(engine, -3, 3));

    T product = 0, square = 0;
    for (int c = 0; c < components; ++c) {
      auto const a = to_host(x, c), b = to_host(y, c);
      T total = 0, least = std::numeric_limits<T>::max(), greatest = std::numeric_limits<T>::lowest();
      for (std::size_t i = 0; i < a.size(); ++i) {
        product += a[i] * b[i];
        square += a[i] * a[i];
        total += a[i];
        least = std::min(least, a[i]);
        greatest = std::max(greatest, a[i]);
      }
      ASSERT_EQ(sum(x, c), total);
      ASSERT_EQ(minimum(x, c), least);
      ASSERT_EQ(maximum(x, c), greatest);
    }
    ASSERT_EQ(dot(x, y), product);
    ASSERT_EQ(norm(x), static_cast<T>(std::sqrt(square)));

    add(y, factor, x);
    for (int c = 0; c < components; ++c) {
      auto const a = to_host(x, c), b = to_host(before, c), result = to_host(y, c);
      for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(result[i], b[i] + factor * a[i]);
    }
    assign(y, before);
    scale(y, factor);
    for (int c = 0; c < components; ++c) {
      auto const b = to_host(before, c), result = to_host(y, c);
      for (std::size_t i = 0; i < b.size(); ++i) ASSERT_EQ(result[i], factor * b[i]);
    }
    fill(y, factor);
    for (int c = 0; c < components; ++c)
      ASSERT_EQ(to_host(y, c), std::vector<T>(static_cast<std::size_t>(set.cell_count()), factor));
  }
}

TYPED_TEST(Fields, ArithmeticValueByValueMatchesLoops) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const set = random_set<Dim>(seed);
    int const components = random_int(engine, 1, 3);
    auto const x = random_field<T>(set, engine, components), before = random_field<T>(set, engine, components);
    auto divisor = clone(x);
    apply("sparse::test::positive", divisor, Square<T>{}, x);
    auto added = clone(before), multiplied = clone(before), divided = clone(before), mixed = clone(before);
    add(added, x);
    multiply(multiplied, x);
    divide(divided, divisor);
    apply("sparse::test::mix", mixed, Mix<T>{}, mixed, x, divisor);
    T size = 0, most = 0;
    for (int c = 0; c < components; ++c) {
      auto const a = to_host(x, c), b = to_host(before, c);
      auto const sum_of = to_host(added, c), product = to_host(multiplied, c), quotient = to_host(divided, c);
      auto const mix = to_host(mixed, c);
      for (std::size_t i = 0; i < a.size(); ++i) {
        T const positive = a[i] * a[i] + 1;
        ASSERT_EQ(sum_of[i], b[i] + a[i]);
        ASSERT_EQ(product[i], b[i] * a[i]);
        ASSERT_EQ(quotient[i], b[i] / positive);
        ASSERT_EQ(mix[i], b[i] - 2 * a[i] + 3 * positive);
        T const magnitude = a[i] < 0 ? -a[i] : a[i];
        size += magnitude;
        most = std::max(most, magnitude);
      }
    }
    ASSERT_EQ(norm_1(x), size);
    ASSERT_EQ(norm_max(x), most);
  }
}

TYPED_TEST(RealFields, ExtremaAndNormsKnowInfinityAndStateWhatNaNDoes) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  T const infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  auto end = Cell<Dim>::filled(1);
  end[0] = 3;
  Field<T, Dim> field("f", set_of(reference::box<Dim>({}, end)));
  set_values(field, {infinity, nan, infinity});
  EXPECT_EQ(minimum(field), infinity);
  EXPECT_EQ(maximum(field), infinity);
  EXPECT_EQ(norm_max(field), infinity);
  EXPECT_TRUE(std::isnan(norm(field)) && std::isnan(norm_1(field)));
  set_values(field, {-infinity, -infinity, nan});
  EXPECT_EQ(minimum(field), -infinity);
  EXPECT_EQ(maximum(field), -infinity);
  T const greatest = std::numeric_limits<T>::max();
  set_values(field, {infinity, greatest, infinity});
  EXPECT_EQ(minimum(field), greatest);
  set_values(field, {-infinity, -greatest, nan});
  EXPECT_EQ(maximum(field), -greatest);
  set_values(field, {nan, nan, nan});
  EXPECT_EQ(minimum(field), greatest);
  EXPECT_EQ(maximum(field), -greatest);
  EXPECT_EQ(norm_max(field), T(0));
}

TYPED_TEST(Fields, RefuseOperandsOnOtherDomainsOrWithOtherComponents) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const set = set_of(reference::box<Dim>({}, Cell<Dim>::filled(3)));
  Field<T, Dim> a("a", set), b("b", shift(set, 0, 1)), c("c", set, 2), empty("empty", {});
  for (Field<T, Dim>* const other : {&b, &c, &empty}) {
    EXPECT_THROW(assign(*other, a), std::invalid_argument);
    EXPECT_THROW(assign(a, *other), std::invalid_argument);
    EXPECT_THROW(add(a, T(1), *other), std::invalid_argument);
    EXPECT_THROW(dot(a, *other), std::invalid_argument);
    EXPECT_THROW(add(a, *other), std::invalid_argument);
    EXPECT_THROW(multiply(a, *other), std::invalid_argument);
    EXPECT_THROW(divide(a, *other), std::invalid_argument);
    EXPECT_THROW(apply("sparse::test::mix", a, Mix<T>{}, a, a, *other), std::invalid_argument);
    EXPECT_THROW(apply("sparse::test::mix", a, Mix<T>{}, *other, a, a), std::invalid_argument);
  }
  for (int const component : {-1, 1, 2}) {
    EXPECT_THROW(to_host(a, component), std::invalid_argument);
    EXPECT_THROW(sum(a, component), std::invalid_argument);
    EXPECT_THROW(minimum(a, component), std::invalid_argument);
    EXPECT_THROW(maximum(a, component), std::invalid_argument);
    EXPECT_THROW(threshold(a, T(1), component), std::invalid_argument);
  }
  for (int const components : {0, -1}) EXPECT_THROW((Field<T, Dim>("d", set, components)), std::invalid_argument);
}

TYPED_TEST(Fields, WithoutCellsAreGoodForEverything) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Field<T, Dim> field("empty", {}, 2);
  fill(field, T(1));
  scale(field, T(2));
  add(field, T(3), clone(field));
  multiply(field, clone(field));
  EXPECT_EQ(norm_1(field), T(0));
  EXPECT_EQ(norm_max(field), T(0));
  EXPECT_EQ(field.cell_count(), 0);
  EXPECT_TRUE(to_host(field, 1).empty());
  EXPECT_EQ(sum(field), T(0));
  EXPECT_EQ(dot(field, field), T(0));
  EXPECT_EQ(minimum(field), std::numeric_limits<T>::max());
  EXPECT_EQ(maximum(field), std::numeric_limits<T>::lowest());
  EXPECT_TRUE(threshold(field, T(0)).is_empty());
  Field<T, Dim> const none;
  EXPECT_EQ(none.cell_count(), 0);
  EXPECT_EQ(none.component_count(), 0);
}

TYPED_TEST(Fields, ThresholdFindsLargeMagnitudes) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto field = random_field<T>(random_set<Dim>(seed), engine, 2);
    int const component = random_int(engine, 0, 1);
    T const bound = static_cast<T>(random_int(engine, 0, 9));
    Cells<Dim> expected;
    for (auto const& [cell, value] : value_map(field, component))
      if (value > bound || value < -bound) expected.insert(cell);
    ASSERT_TRUE(matches(threshold(field, bound, component), expected)) << "seed " << seed;
  }
}

TYPED_TEST(RealFields, ThresholdPassesOverNotANumberAndTakesInfinity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  T const infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  Field<T, Dim> field("f", set_of(reference::box<Dim>({}, [] {
                        auto end = Cell<Dim>::filled(1);
                        end[0] = 6;
                        return end;
                      }())));
  set_values(field, {nan, infinity, -infinity, T(0.5), -nan, T(-2)});
  EXPECT_TRUE(
      matches(threshold(field, 1), Cells<Dim>{Cell<Dim>::along(0, 1), Cell<Dim>::along(0, 2), Cell<Dim>::along(0, 5)}));
}

TYPED_TEST(Fields, SelectTakesCellsByTheirPosition) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    Cells<Dim> expected;
    for (auto const& [cell, index] : positions(cells))
      if (index % 2 == 0) expected.insert(cell);
    ASSERT_TRUE(matches(select(set_of(cells), IsEven{}), expected)) << "seed " << seed;
  }
}
