/// Operations on the part of a field in a region, against loops over cells; and that they plan once.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/subview.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::Field;
using sparse::Region;
using sparse::StencilPoint;

namespace {

template <class Dimension>
class Subviews : public testing::Test {};
TYPED_TEST_SUITE(Subviews, Dimensions);

template <int Dim>
using Values = std::map<Cell<Dim>, double, StorageOrder>;

/// `values` with those of the cells in `region` replaced by `f(cell, value)`.
template <int Dim, class Function>
Values<Dim> changed(Values<Dim> values, Cells<Dim> const& region, Function const& f) {
  for (auto& [cell, value] : values)
    if (region.count(cell) != 0) value = f(cell, value);
  return values;
}

template <int Dim>
struct WeightedNeighbours {
  KOKKOS_FUNCTION double operator()(StencilPoint<Dim> const& p, double const* x) const {
    double sum = 100 * x[p.cell];
    for (int arm = 0; arm < p.arm_count; ++arm) sum += (arm + 1) * x[p.neighbour(arm)];
    return sum;
  }
};

/// Whether any kernel of a plan or of set algebra ran.
bool planned(KokkosWatch const& watch) {
  for (auto const& label : watch.kernel_labels())
    if (label.rfind("sparse::field::", 0) != 0 && label.rfind("sparse::test::", 0) != 0) return true;
  return false;
}

template <int Dim>
void use(Field<double, Dim>& field, Field<double, Dim> const& other, Region<Dim> const& region) {
  auto const part = view(field, region);
  fill(part, 3);
  scale(part, 0.5);
  assign(part, other);
  add(part, 2, other);
  apply_stencil("sparse::test::stencil", part, WeightedNeighbours<Dim>(), other);
  sum(part);
  dot(part, other);
  norm(part);
  minimum(part);
  maximum(part);
}

}  // namespace

TYPED_TEST(Subviews, ChangeAndReduceTheirRegionOnly) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const domain = random_cells<Dim>(seed, 0), cells = random_cells<Dim>(seed, 1);
    int const components = random_int(engine, 1, 2);
    auto field = random_field<double>(set_of(domain), engine, components);
    auto const other = random_field<double>(set_of(domain), engine, components);
    double const factor = random_int(engine, -3, 3);
    Region<Dim> const region(set_of(cells));
    auto const part = view(field, region);
    ASSERT_TRUE(matches(part.cells(), both(domain, cells))) << "seed " << seed;

    // Each operation from the same values.
    auto const before = clone(field);
    Field<double, Dim> const divisor("divisor", set_of(domain), components, 4);
    double product = 0, square = 0, size = 0, most = 0;
    for (int c = 0; c < components; ++c) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", component " + std::to_string(c));
      auto const x = value_map(before, c), y = value_map(other, c);
      double total = 0, least = std::numeric_limits<double>::max(), greatest = -least;
      for (auto const& cell : both(domain, cells)) {
        total += x.at(cell);
        least = std::min(least, x.at(cell));
        greatest = std::max(greatest, x.at(cell));
        product += x.at(cell) * y.at(cell);
        square += x.at(cell) * x.at(cell);
        size += std::abs(x.at(cell));
        most = std::max(most, std::abs(x.at(cell)));
      }
      auto const restart = [&] { assign(field, before); };
      restart();
      ASSERT_EQ(sum(part, c), total);
      ASSERT_EQ(minimum(part, c), least);
      ASSERT_EQ(maximum(part, c), greatest);
      fill(part, factor);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](auto&, double) { return factor; }));
      restart();
      scale(part, factor);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](auto&, double v) { return factor * v; }));
      restart();
      add(part, other);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](auto& cell, double v) { return v + y.at(cell); }));
      restart();
      multiply(part, other);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](auto& cell, double v) { return v * y.at(cell); }));
      restart();
      divide(part, divisor);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](auto&, double v) { return v / 4; }));
      restart();
      assign(part, other);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](auto& cell, double) { return y.at(cell); }));
      restart();
      add(part, factor, other);
      ASSERT_EQ(value_map(field, c),
                changed<Dim>(x, cells, [&](auto& cell, double v) { return v + factor * y.at(cell); }));
      restart();
      apply_stencil("sparse::test::stencil", part, WeightedNeighbours<Dim>(), other);
      ASSERT_EQ(value_map(field, c), changed<Dim>(x, cells, [&](Cell<Dim> const& cell, double) {
                  double expected = 100 * y.at(cell);
                  for (int arm = 0; arm < 2 * Dim; ++arm) {
                    auto const found = y.find(cell + Cell<Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
                    expected += (arm + 1) * (found == y.end() ? y.at(cell) : found->second);
                  }
                  return expected;
                }));
    }
    assign(field, before);
    ASSERT_EQ(dot(part, other), product) << "seed " << seed;
    ASSERT_EQ(norm(view(before, region)), std::sqrt(square)) << "seed " << seed;
    ASSERT_EQ(norm_1(view(before, region)), size) << "seed " << seed;
    ASSERT_EQ(norm_max(view(before, region)), most) << "seed " << seed;
  }
}

TYPED_TEST(Subviews, PlanOnceAndThenAllocateNothing) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 12) - sparse::ball<Dim>({}, 4);
  Field<double, Dim> a("a", domain), b("b", domain, 2), c("c", domain, 2);
  fill(a, 1);
  fill(b, 2);
  fill(c, 3);
  Region<Dim> const region(sparse::ball<Dim>(Vec<double, Dim>::filled(5), 5));
  auto const other = clone(a);
  {
    KokkosWatch const watch;
    use(a, other, region);
    EXPECT_TRUE(planned(watch));
    EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
  }
  auto const in_use = a.context().arena()->bytes_in_use();
  {
    KokkosWatch const watch;
    auto const copy_of_region = region;
    for (int i = 0; i < 3; ++i) {
      use(a, other, copy_of_region);
      use(b, c, region);  // another field on the same domain
    }
    EXPECT_FALSE(planned(watch));
    EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  }
  EXPECT_EQ(a.context().arena()->bytes_in_use(), in_use);
}

TYPED_TEST(Subviews, KeepPlansOfFewDomains) {
  constexpr int Dim = TypeParam::value;
  std::vector<Field<double, Dim>> fields;
  for (int i = 0; i < 3 * Region<Dim>::kept_domains; ++i)
    fields.emplace_back("f", sparse::ball<Dim>(Vec<double, Dim>::filled(0.5 * i), 6));
  Region<Dim> const region(sparse::ball<Dim>({}, 4));
  auto const domains_before = sparse::Context().arena()->bytes_in_use();
  std::size_t most = 0;
  for (int round = 0; round < 3; ++round)
    for (auto& field : fields) {
      fill(view(field, region), round);
      most = std::max(most, sparse::Context().arena()->bytes_in_use());
    }
  // What is kept does not grow with the number of domains that have passed.
  auto const kept = sparse::Context().arena()->bytes_in_use();
  for (int round = 0; round < 3; ++round)
    for (auto& field : fields) fill(view(field, region), round);
  EXPECT_EQ(sparse::Context().arena()->bytes_in_use(), kept);
  EXPECT_GT(kept, domains_before);
  for (std::size_t i = 0; i < fields.size(); ++i)
    EXPECT_EQ(sum(view(fields[i], region)),
              2.0 * static_cast<double>((fields[i].domain() & region.cells()).cell_count()));
  // The domains used last are found again, whichever is used how often.
  {
    auto const last = fields.size() - 1;
    KokkosWatch const watch;
    for (std::size_t const i : {last, last - 1, last, last - 2, last - 3, last}) fill(view(fields[i], region), 1);
    EXPECT_FALSE(planned(watch));
  }
}

TYPED_TEST(Subviews, DropPlansOfDomainsThatAreGone) {
  constexpr int Dim = TypeParam::value;
  auto const in_use = [] { return sparse::Context().arena()->bytes_in_use(); };
  Region<Dim> const region(sparse::ball<Dim>({}, 4));
  Field<double, Dim> lasting("f", sparse::ball<Dim>(Vec<double, Dim>::filled(3), 6));
  fill(lasting, 1);
  auto const total = sum(view(lasting, region));
  auto const before = in_use();
  std::weak_ptr<void const> lifetime;
  for (int i = 0; i < 50; ++i) {
    {
      // The next set often gets the identity of the one before.
      Field<double, Dim> field("g", sparse::ball<Dim>(Vec<double, Dim>::filled(0.5 * (i % 9)), 6));
      fill(field, 2);
      ASSERT_EQ(sum(view(field, region)), 2.0 * static_cast<double>((field.domain() & region.cells()).cell_count()));
      EXPECT_EQ(region.stencil(field.domain()).cell_count(), region.subset(field.domain()).cell_count());
      lifetime = field.domain().lifetime();
      EXPECT_FALSE(lifetime.expired());
      EXPECT_GT(in_use(), before);
    }
    EXPECT_TRUE(lifetime.expired()) << "the region keeps the domain";
    if (i % 3 > 0) continue;
    EXPECT_EQ(sum(view(lasting, region)), total);
    EXPECT_EQ(in_use(), before) << "the region keeps plans of a domain that is gone";
  }
  // Also when the domain is the region's own set, which lives as long as the region.
  lifetime = region.cells_in(region.cells()).lifetime();
  EXPECT_FALSE(lifetime.expired());
  EXPECT_TRUE(IntervalSet<Dim>().lifetime().expired());
}

TYPED_TEST(Subviews, FollowTheirFieldToANewDomain) {
  constexpr int Dim = TypeParam::value;
  Region<Dim> const region(sparse::ball<Dim>({}, 5));
  Field<double, Dim> field("f", sparse::ball<Dim>(Vec<double, Dim>::filled(2), 5));
  auto const part = view(field, region);
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    field = Field<double, Dim>("f", set_of(cells));
    fill(field, 1);
    fill(part, 2);
    ASSERT_EQ(sum(field), static_cast<double>(cells.size() + both(cells, cells_of(region.cells())).size()))
        << "seed " << seed;
  }
}

TYPED_TEST(Subviews, OfSetsAreRegionsOfTheirOwn) {
  constexpr int Dim = TypeParam::value;
  Field<double, Dim> field("f", sparse::ball<Dim>({}, 5));
  fill(field, 1);
  auto const part = view(field, sparse::ball<Dim>({}, 2));
  fill(part, 10);
  Field<double, Dim> const& fixed = field;
  EXPECT_EQ(sum(view(fixed, sparse::ball<Dim>({}, 2))),
            10.0 * static_cast<double>(sparse::ball<Dim>({}, 2).cell_count()));
  KokkosWatch const watch;
  fill(part, 11);  // the subview keeps its region
  EXPECT_FALSE(planned(watch));
}

TYPED_TEST(Subviews, WithoutCellsDoNothing) {
  constexpr int Dim = TypeParam::value;
  Field<double, Dim> field("f", sparse::ball<Dim>({}, 5)), empty("e", {});
  fill(field, 1);
  auto const far = sparse::ball<Dim>(Vec<double, Dim>::filled(100), 5);
  for (auto const& region : {Region<Dim>(), Region<Dim>(far)}) {
    use(field, clone(field), region);
    use(empty, clone(empty), region);
    EXPECT_EQ(sum(view(field, region)), 0);
    EXPECT_EQ(minimum(view(field, region)), std::numeric_limits<double>::max());
    EXPECT_EQ(maximum(view(field, region)), std::numeric_limits<double>::lowest());
  }
  EXPECT_EQ(sum(field), static_cast<double>(field.cell_count()));
}

TYPED_TEST(Subviews, KnowInfinityAndPassOverNaN) {
  constexpr int Dim = TypeParam::value;
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  Field<double, Dim> field("f", sparse::ball<Dim>({}, 3));
  Region<Dim> const region(sparse::ball<Dim>({}, 2));
  fill(field, 1);
  for (double const value : {infinity, -infinity}) {
    fill(view(field, region), value);
    EXPECT_EQ(minimum(view(field, region)), value);
    EXPECT_EQ(maximum(view(field, region)), value);
  }
  fill(view(field, region), nan);
  EXPECT_EQ(minimum(view(field, region)), std::numeric_limits<double>::max());
  EXPECT_EQ(maximum(field), 1);
}

TYPED_TEST(Subviews, RefuseFieldsThatDoNotFit) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 5);
  Field<double, Dim> field("f", domain), two("two", domain, 2), elsewhere("e", sparse::ball<Dim>({}, 4));
  Region<Dim> const region(sparse::ball<Dim>({}, 2));
  for (auto const* other : {&two, &elsewhere}) {
    EXPECT_THROW(assign(view(field, region), *other), std::invalid_argument);
    EXPECT_THROW(add(view(field, region), 1, *other), std::invalid_argument);
    EXPECT_THROW(add(view(field, region), *other), std::invalid_argument);
    EXPECT_THROW(multiply(view(field, region), *other), std::invalid_argument);
    EXPECT_THROW(divide(view(field, region), *other), std::invalid_argument);
    EXPECT_THROW(dot(view(field, region), *other), std::invalid_argument);
    EXPECT_THROW(apply_stencil("sparse::test::stencil", view(field, region), WeightedNeighbours<Dim>(), *other),
                 std::invalid_argument);
  }
  EXPECT_THROW(apply_stencil("sparse::test::stencil", view(field, region), WeightedNeighbours<Dim>(), field),
               std::invalid_argument);
  EXPECT_THROW(sum(view(field, region), 1), std::invalid_argument);
  EXPECT_THROW(minimum(view(field, region), -1), std::invalid_argument);
}
