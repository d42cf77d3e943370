/// Single cells and points of fields: where they are greatest, reading, writing and interpolating.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/fields/extrema.hpp>
#include <sparse/fields/gather.hpp>
#include <sparse/fields/sample.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::Field;

namespace {

template <class Case>
class Access : public testing::Test {};
TYPED_TEST_SUITE(Access, AllCases);

template <class Dimension>
class Samples : public testing::Test {};
TYPED_TEST_SUITE(Samples, Dimensions);

/// Some cells of `cells`, some twice.
template <int Dim>
std::vector<Cell<Dim>> some_of(Cells<Dim> const& cells, std::mt19937& engine) {
  std::vector<Cell<Dim>> const all(cells.begin(), cells.end());
  std::vector<Cell<Dim>> list;
  if (!all.empty())
    for (int i = random_int(engine, 0, 40); i > 0; --i)
      list.push_back(all[static_cast<std::size_t>(random_int(engine, 0, static_cast<int>(all.size()) - 1))]);
  return list;
}

template <class Function>
std::string message_of(Function const& function) {
  try {
    function();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TYPED_TEST(Access, CellsHaveNumbersAndNumbersCells) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    auto const set = set_of(cells);
    auto const index = positions(cells);
    auto wanted = some_of(cells, engine);
    for (auto const& cell : some_of(random_cells<Dim>(seed, 1), engine)) wanted.push_back(cell);
    auto const found = find(set, to_device(set.context(), wanted));
    auto const numbers = to_host(set.context(), static_cast<Index const*>(found.data()), found.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      auto const place = index.find(wanted[i]);
      ASSERT_EQ(numbers[i], place == index.end() ? -1 : place->second) << "seed " << seed;
      if (numbers[i] >= 0) {
        ASSERT_EQ(cell_of(set, numbers[i]), wanted[i]) << "seed " << seed;
      }
    }
    for (Index const number : {Index{-1}, set.cell_count()}) ASSERT_THROW(cell_of(set, number), std::invalid_argument);
  }
}

TYPED_TEST(Access, ExtremaAreTheFirstOfEqualValues) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const field = random_field<T>(random_set<Dim>(seed), engine, 2, random_int(engine, 0, 9));
    int const c = random_int(engine, 0, 1);
    sparse::Located<T, Dim> least, greatest;
    Index index = 0;
    for (auto const& [cell, value] : value_map(field, c)) {
      if (least.index < 0 || value < least.value) least = {value, cell, index};
      if (greatest.index < 0 || value > greatest.value) greatest = {value, cell, index};
      ++index;
    }
    for (auto const& [found, wanted] : {std::pair{find_minimum(field, c), least}, {find_maximum(field, c), greatest}}) {
      ASSERT_EQ(found.index, wanted.index);
      ASSERT_EQ(found.value, wanted.value);
      ASSERT_EQ(found.cell, wanted.cell);
    }
    ASSERT_THROW(find_minimum(field, 2), std::invalid_argument);
    ASSERT_THROW(find_maximum(field, -1), std::invalid_argument);
  }
}

TYPED_TEST(Access, ExtremaOfLargeFieldsDoNotDependOnThreads) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const set = sparse::ball<Dim>({}, Dim == 2 ? 200 : 30);
  auto engine = random_engine(1);
  auto const field = random_field<T>(set, engine, 1, 3);  // many ties
  auto const values = to_host(field);
  auto const first_least = std::min_element(values.begin(), values.end()) - values.begin();
  auto const first_greatest = std::max_element(values.begin(), values.end()) - values.begin();
  for (int repeat = 0; repeat < 20; ++repeat) {
    ASSERT_EQ(find_minimum(field).index, first_least);
    ASSERT_EQ(find_maximum(field).index, first_greatest);
  }
}

TYPED_TEST(Access, ExtremaPassOverNaNAndKnowInfinity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(find_minimum(Field<T, Dim>("f", {})).index, -1);
  if constexpr (std::is_floating_point_v<T>) {
    auto end = Cell<Dim>::filled(1);
    end[0] = 3;
    Field<T, Dim> field("f", sparse::box<Dim>({}, end));
    T const infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
    set_values(field, {nan, infinity, T(5)});
    EXPECT_EQ(find_minimum(field).index, 2);
    EXPECT_EQ(find_maximum(field).index, 1);
    set_values(field, {nan, infinity, infinity});
    EXPECT_EQ(find_minimum(field).index, 1);
    EXPECT_EQ(find_minimum(field).value, infinity);
    set_values(field, {nan, nan, nan});
    EXPECT_EQ(find_minimum(field).index, -1);
    EXPECT_EQ(find_maximum(field).index, -1);
  }
}

TYPED_TEST(Access, GatherReadsCells) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    auto const field = random_field<T>(set_of(cells), engine, 2);
    int const c = random_int(engine, 0, 1);
    auto const values = value_map(field, c);
    auto wanted = some_of(cells, engine);
    std::vector<T> expected;
    for (auto const& cell : wanted) expected.push_back(values.at(cell));
    ASSERT_EQ(gather(field, wanted, c), expected);
    // With others among them: an error that names the first.
    for (auto const& cell : some_of(random_cells<Dim>(seed + 1, 1), engine)) wanted.push_back(cell);
    auto const first = std::find_if(wanted.begin(), wanted.end(), [&](auto& cell) { return cells.count(cell) == 0; });
    if (first != wanted.end()) {
      std::ostringstream name;
      name << *first;
      ASSERT_NE(message_of([&] { gather(field, wanted, c); }).find(name.str()), std::string::npos);
    }
    ASSERT_THROW(gather(field, wanted, 2), std::invalid_argument);
  }
}

TYPED_TEST(Access, ScatterWritesCellsAndTheLastWins) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    auto field = random_field<T>(set_of(cells), engine, 2);
    int const c = random_int(engine, 0, 1);
    auto expected = value_map(field, c);
    auto const untouched = value_map(field, 1 - c);
    auto wanted = some_of(cells, engine);
    auto const values = random_values<T>(static_cast<Index>(wanted.size()), engine);
    for (std::size_t i = 0; i < wanted.size(); ++i) expected[wanted[i]] = values[i];
    scatter(field, wanted, values, c);
    ASSERT_EQ(value_map(field, c), expected);
    ASSERT_EQ(value_map(field, 1 - c), untouched);
    // Nothing is written when a cell is missing, or the lists do not fit together.
    auto more = values;
    for (T& value : more) value = T(55);
    more.push_back(T(55));
    ASSERT_THROW(scatter(field, wanted, more, c), std::invalid_argument);
    wanted.push_back(Cell<Dim>::filled(12345));
    ASSERT_NE(message_of([&] { scatter(field, wanted, more, c); }).find("(12345, 12345"), std::string::npos);
    ASSERT_THROW(scatter(field, some_of(cells, engine), values, 2), std::invalid_argument);
    ASSERT_EQ(value_map(field, c), expected);
  }
}

TYPED_TEST(Samples, AreMultilinearWithTheHomeCellForMissingCorners) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    auto const field = random_field<double>(set_of(cells), engine, 2);
    int const c = random_int(engine, 0, 1);
    auto const values = value_map(field, c);
    std::vector<Vec<double, Dim>> points;
    std::vector<double> expected;
    for (auto const& cell : some_of(cells, engine)) {
      Vec<double, Dim> point;
      // Eighths: on lower sides, at centres and between; all weights are exact.
      int eighths[Dim];
      for (int axis = 0; axis < Dim; ++axis)
        point[axis] = cell[axis] + (eighths[axis] = random_int(engine, 0, 7)) / 8.0;
      double value = 0;
      for_each_offset<Dim>(Cell<Dim>::filled(1), [&](Cell<Dim> const& offset) {
        double weight = 1;  // of the neighbour at `offset`: 1 - distance of its centre from the point, if positive
        for (int axis = 0; axis < Dim; ++axis)
          weight *= std::max(0.0, 1 - std::abs(offset[axis] + 0.5 - eighths[axis] / 8.0));
        auto const found = values.find(cell + offset);
        value += weight * (found == values.end() ? values.at(cell) : found->second);
      });
      points.push_back(point);
      expected.push_back(value);
    }
    auto const sampled = sample(field, points, c);
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_NEAR(sampled[i], expected[i], 1e-12) << points[i];
    Vec<double, Dim> outside = Vec<double, Dim>::filled(12345.5);
    points.push_back(outside);
    expected.push_back(77);
    auto const with_outside = sample_or(field, points, 77, c);
    for (std::size_t i = 0; i < points.size(); ++i) ASSERT_NEAR(with_outside[i], expected[i], 1e-12) << points[i];
    ASSERT_NE(message_of([&] { sample(field, points, c); }).find("(12345.5"), std::string::npos);
    ASSERT_THROW(sample(field, std::vector<Vec<double, Dim>>(), 2), std::invalid_argument);
    ASSERT_THROW(sample_or(field, std::vector<Vec<double, Dim>>(), 0, -1), std::invalid_argument);
  }
}

TYPED_TEST(Samples, AreExactOnLinearFunctionsInside) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 8);
  auto const inside = shrink(domain, 1);
  auto const linear = [](Vec<double, Dim> const& x) {
    double value = 2;
    for (int axis = 0; axis < Dim; ++axis) value += (axis - 1.5) * x[axis];
    return value;
  };
  Field<double, Dim> field("f", domain);
  std::vector<double> values;
  domain.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) {
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = cell[axis] + 0.5;
    values.push_back(linear(x));
  });
  set_values(field, values);
  auto engine = random_engine(1);
  std::uniform_real_distribution<double> part(0, 1);
  std::vector<Vec<double, Dim>> points;
  for (auto const& cell : cells_of(inside)) {
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = cell[axis] + part(engine);
    points.push_back(x);
  }
  auto const sampled = sample(field, points);
  for (std::size_t i = 0; i < points.size(); ++i) ASSERT_NEAR(sampled[i], linear(points[i]), 1e-12);
}

TYPED_TEST(Samples, OfPointsThatAreNowhereAreMissing) {
  constexpr int Dim = TypeParam::value;
  auto const last = Cell<Dim>::filled(coord_limit - 1), first = Cell<Dim>::filled(-coord_limit + 1);
  Field<float, Dim> field("f", set_of(Cells<Dim>{first, last}));
  set_values(field, {1.0f, 2.0f});
  double const infinity = std::numeric_limits<double>::infinity();
  for (double const x : {std::nan(""), infinity, -infinity, 1e300, 1e10, double{coord_limit}, double{-coord_limit}}) {
    auto point = Vec<double, Dim>::filled(coord_limit - 0.5);
    for (int axis = 0; axis < Dim; ++axis) {
      auto moved_out = point;
      moved_out[axis] = x;
      EXPECT_EQ(sample_or(field, {moved_out}, 77), std::vector<float>{77});
      EXPECT_THROW(sample(field, {moved_out}), std::invalid_argument);
    }
  }
  EXPECT_EQ(sample(field, {Vec<double, Dim>::filled(coord_limit - 0.25), Vec<double, Dim>::filled(-coord_limit + 1)}),
            (std::vector<float>{2, 1}));
  Field<double, Dim> const empty("e", {});
  EXPECT_TRUE(sample(empty, std::vector<Vec<double, Dim>>{}).empty());
  EXPECT_EQ(sample_or(empty, {Vec<double, Dim>{}}, 5), std::vector<double>{5});
}

TYPED_TEST(Samples, AndListsAllocateNothingOnceWarm) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 8);
  auto engine = random_engine(1);
  auto field = random_field<double>(domain, engine);
  std::vector<Cell<Dim>> const cells{Cell<Dim>::filled(1), Cell<Dim>::filled(-2)};
  std::vector<Vec<double, Dim>> const points{Vec<double, Dim>::filled(1.25)};
  auto const work = [&] {
    scatter(field, cells, gather(field, cells));
    sample(field, points);
    sample_or(field, points, 0);
    find_minimum(field);
    find_maximum(field);
  };
  work();
  KokkosWatch const watch;
  work();
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
