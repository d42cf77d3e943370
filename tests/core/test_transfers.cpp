/// Values between sets and resolutions: restriction, prolongation, remapping.

#include <cmath>
#include <limits>
#include <tuple>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/fields.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::Field;
using sparse::Prolongation;

namespace {

template <class Case>
class Transfers : public testing::Test {};
TYPED_TEST_SUITE(Transfers, RealCases);

template <class T>
T minmod(T a, T b) {
  return a > 0 && b > 0 ? std::min(a, b) : a < 0 && b < 0 ? std::max(a, b) : T(0);
}

template <int Dim>
Cell<Dim> parent_of(Cell<Dim> const& cell) {
  return *coarsened(Cells<Dim>{cell}).begin();
}

/// Rounding that a few operations on values up to `size` may leave.
template <class T>
double tolerance(double size) {
  return 8 * size * std::numeric_limits<T>::epsilon();
}

}  // namespace

TYPED_TEST(Transfers, RestrictionIsTheMeanOfTheChildrenThatExist) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const coarse = random_cells<Dim>(seed, 0, coord_limit / 2);
    Cells<Dim> fine;  // some children are missing, some parents too
    for (auto const& cell : refined(either(coarse, random_cells<Dim>(seed, 1, coord_limit / 2))))
      if (random_int(engine, 0, 2) != 0) fine.insert(cell);
    auto const field = random_field<T>(set_of(fine), engine, 2);
    auto const result = restrict_to(set_of(coarse), field, T(77));
    ASSERT_EQ(result.component_count(), 2);
    ASSERT_EQ(result.name(), field.name());
    for (int c = 0; c < 2; ++c) {
      auto const values = value_map(field, c);
      for (auto const& [cell, value] : value_map(result, c)) {
        double total = 0;
        int count = 0;
        for (auto const& child : refined(Cells<Dim>{cell}))
          if (auto const found = values.find(child); found != values.end()) total += found->second, ++count;
        ASSERT_NEAR(value, count == 0 ? 77 : total / count, tolerance<T>(9)) << cell << " seed " << seed;
      }
    }
  }
}

TYPED_TEST(Transfers, InjectionGivesChildrenTheValueOfTheirParent) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const field = random_field<T>(random_set<Dim>(seed, 0, coord_limit / 2), engine, 2);
    auto const fine = set_of(both(random_cells<Dim>(seed, 1, coord_limit / 2), refined(cells_of(field.domain())))) |
                      (refine(field.domain()) - refine(random_set<Dim>(seed, 2, coord_limit / 2)));
    auto const with_orphans = fine | random_set<Dim>(seed + 1, 3, coord_limit / 2);
    auto const result = prolong(with_orphans, field, Prolongation::injection, T(77));
    for (int c = 0; c < 2; ++c) {
      auto const parents = value_map(field, c);
      for (auto const& [cell, value] : value_map(result, c)) {
        auto const parent = parents.find(parent_of(cell));
        ASSERT_EQ(value, parent == parents.end() ? T(77) : parent->second) << cell << " seed " << seed;
      }
    }
  }
}

TYPED_TEST(Transfers, LimitedLinearProlongationFollowsItsDefinition) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const field = random_field<T>(random_set<Dim>(seed, 0, coord_limit / 2), engine, 1, 100);
    auto const result = prolong(refine(field.domain()), field, Prolongation::limited_linear);
    auto const parents = value_map(field), children = value_map(result);
    for (auto const& [cell, value] : parents) {
      T least = value, greatest = value;
      Vec<T, Dim> slope;
      for (int axis = 0; axis < Dim; ++axis) {
        auto const left = parents.find(cell - Cell<Dim>::along(axis, 1));
        auto const right = parents.find(cell + Cell<Dim>::along(axis, 1));
        T const before = left == parents.end() ? value : left->second;
        T const after = right == parents.end() ? value : right->second;
        slope[axis] = minmod<T>(value - before, after - value);
        least = std::min({least, before, after});
        greatest = std::max({greatest, before, after});
      }
      double mean = 0;
      for (auto const& child : refined(Cells<Dim>{cell})) {
        T expected = value;
        for (int axis = 0; axis < Dim; ++axis)
          expected += (child[axis] - 2 * cell[axis] == 1 ? T(0.25) : T(-0.25)) * slope[axis];
        T const actual = children.at(child);
        ASSERT_EQ(actual, expected) << child;  // quarters of whole numbers are exact
        ASSERT_GE(actual, least);              // no new extrema
        ASSERT_LE(actual, greatest);
        mean += static_cast<double>(actual) / (1 << Dim);
      }
      ASSERT_EQ(mean, value) << cell;
    }
  }
}

TYPED_TEST(Transfers, LinearProlongationFollowsItsDefinition) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const field = random_field<T>(random_set<Dim>(seed, 0, coord_limit / 2), engine, 1, 100);
    auto const parents = value_map(field),
               children = value_map(prolong(refine(field.domain()), field, Prolongation::linear));
    for (auto const& [cell, value] : parents) {
      Vec<T, Dim> slope{};
      for (int axis = 0; axis < Dim; ++axis) {
        auto const left = parents.find(cell - Cell<Dim>::along(axis, 1));
        auto const right = parents.find(cell + Cell<Dim>::along(axis, 1));
        if (left != parents.end() && right != parents.end())
          slope[axis] = (right->second - left->second) / 2;
        else if (right != parents.end())
          slope[axis] = right->second - value;
        else if (left != parents.end())
          slope[axis] = value - left->second;
      }
      for (auto const& child : refined(Cells<Dim>{cell})) {
        T expected = value;
        for (int axis = 0; axis < Dim; ++axis)
          expected += (child[axis] - 2 * cell[axis] == 1 ? T(0.25) : T(-0.25)) * slope[axis];
        ASSERT_EQ(children.at(child), expected) << child;  // eighths of whole numbers are exact
      }
    }
  }
}

TYPED_TEST(Transfers, LinearProlongationsKeepMeansToRounding) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (auto const kind : {Prolongation::limited_linear, Prolongation::linear})
    for (unsigned seed = 1; seed <= seed_count; ++seed) {
      auto engine = random_engine(seed);
      auto field = random_field<T>(random_set<Dim>(seed, 0, coord_limit / 2), engine, 2, 1000);
      scale(field, T(1) / T(3));
      auto const back = restrict_to(field.domain(), prolong(refine(field.domain()), field, kind));
      for (int c = 0; c < 2; ++c) {
        auto const before = to_host(field, c), after = to_host(back, c);
        for (std::size_t i = 0; i < before.size(); ++i)
          ASSERT_NEAR(after[i], before[i], tolerance<T>(1000)) << "seed " << seed;
      }
    }
}

TYPED_TEST(Transfers, LinearProlongationsAreExactOnLinearData) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Vec<int, Dim> slope;
    for (int axis = 0; axis < Dim; ++axis) slope[axis] = random_int(engine, -5, 5);
    // Values at centres, in halves and quarters of the coarse width: exact.
    auto const value_at = [&](Cell<Dim> const& cell, T width) {
      T value = 7;
      for (int axis = 0; axis < Dim; ++axis)
        value += static_cast<T>(slope[axis]) * (static_cast<T>(cell[axis]) + T(0.5)) * width;
      return value;
    };
    auto const linear_on = [&](IntervalSet<Dim> const& cells) {
      std::vector<T> values;
      for (auto const& cell : cells_of(cells)) values.push_back(value_at(cell, 1));
      Field<T, Dim> field("linear", cells);
      set_values(field, values);
      return field;
    };
    auto const whole = set_of(reference::box<Dim>(Cell<Dim>::filled(-3), Cell<Dim>::filled(3)));
    // Thin parts, corners and steps: each cell has a neighbour along each axis, on one side at least.
    Cells<Dim> blocks;
    for (auto const& cell : cells_of(whole))
      if (random_int(engine, 0, 1) == 0) blocks.insert(cell);
    auto const ragged = refine(set_of(blocks));
    for (auto const& [kind, cells, parents] : {std::tuple{Prolongation::limited_linear, whole, shrink(whole, 1)},
                                               {Prolongation::linear, whole, whole},
                                               {Prolongation::linear, ragged, ragged}})
      for (auto const& [cell, value] : value_map(prolong(refine(parents), linear_on(cells), kind)))
        ASSERT_EQ(value, value_at(cell, T(0.5))) << cell << " seed " << seed;
  }
}

TYPED_TEST(Transfers, RemapKeepsKnownValuesAndFillsTheRest) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const source = random_field<T>(random_set<Dim>(seed, 0), engine, 2);
    auto const result = remap(source, random_set<Dim>(seed, 1), T(77));
    ASSERT_EQ(result.name(), source.name());
    for (int c = 0; c < 2; ++c) {
      auto const known = value_map(source, c);
      for (auto const& [cell, value] : value_map(result, c)) {
        auto const found = known.find(cell);
        ASSERT_EQ(value, found == known.end() ? T(77) : found->second) << cell << " seed " << seed;
      }
    }
    auto const same = remap(source, source.domain(), T(77));
    for (int c = 0; c < 2; ++c) ASSERT_EQ(to_host(same, c), to_host(source, c)) << "seed " << seed;
  }
}
