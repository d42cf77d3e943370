/// Cells without values get the means of layers around them.

#include <sparse/fields/fill.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/fields.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;

template <class Dimension>
class Fill : public testing::Test {};
TYPED_TEST_SUITE(Fill, Dimensions);

template <int Dim>
using Values = std::map<Cell<Dim>, double, StorageOrder>;

/// The same by a map of cells: each round, the missing cells with a neighbour of the round before take its mean.
template <int Dim>
Values<Dim> filled(Values<Dim> known, Cells<Dim> missing) {
  Values<Dim> result = known, near = known;
  while (!missing.empty() && !near.empty()) {
    Values<Dim> layer;
    for (auto const& cell : missing) {
      double sum = 0;
      int count = 0;
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        auto const found = near.find(cell + Cell<Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
        if (found == near.end()) continue;
        sum += found->second;
        ++count;
      }
      if (count > 0) layer[cell] = sum / count;
    }
    for (auto const& [cell, value] : layer) {
      result[cell] = value;
      missing.erase(cell);
    }
    near = layer;
  }
  return result;
}

}  // namespace

TYPED_TEST(Fill, LayersTakeMeansOfTheLayerBefore) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    auto engine = random_engine(seed);
    Cells<Dim> known, missing;
    std::bernoulli_distribution is_known(seed % 4 == 0 ? 0.02 : 0.3), is_absent(0.25);
    for (auto const& cell : reference::box<Dim>(Cell<Dim>::filled(-3), Cell<Dim>::filled(Dim == 2 ? 9 : 3)))
      if (!is_absent(engine)) (is_known(engine) ? known : missing).insert(cell);
    auto const known_set = set_of(known), missing_set = set_of(missing);
    sparse::Field<double, Dim> field("values", known_set | missing_set, 2, -5.0);
    Values<Dim> values;
    std::vector<double> list;
    auto const cells = cells_of(field.domain());
    for (auto const& cell : cells) {
      double const value = random_int(engine, 0, 1000);
      if (known.count(cell) > 0) values[cell] = value;
      list.push_back(known.count(cell) > 0 ? value : -5);
    }
    set_values(field, list, 1);

    auto const left = sparse::fill_from_neighbours(field, known_set, missing_set, 1);
    auto const wanted = filled<Dim>(values, missing);
    auto const found = to_host(field, 1), other = to_host(field, 0);
    std::size_t i = 0;
    for (auto const& cell : cells) {
      auto const value = wanted.find(cell);
      EXPECT_EQ(found[i], value == wanted.end() ? -5 : value->second) << cell << " seed " << seed;
      EXPECT_EQ(other[i], -5) << "the other component, seed " << seed;
      EXPECT_EQ(left.contains(cell), value == wanted.end()) << cell << " seed " << seed;
      ++i;
    }
  }
}

TEST(FillErrors, CellsOfNoDomainAreRefused) {
  sparse::Field<double, 2> field("values", sparse::IntervalSet<2>(set_of(reference::box<2>({0, 0}, {2, 2}))), 1, 0.0);
  auto const outside = set_of(reference::box<2>({2, 0}, {3, 1}));
  EXPECT_TRUE(
      is_refused([&] { sparse::fill_from_neighbours(field, field.domain(), outside); }, "not in the field's domain"));
  EXPECT_TRUE(
      is_refused([&] { sparse::fill_from_neighbours(field, outside, field.domain()); }, "not in the field's domain"));
  EXPECT_TRUE(
      is_refused([&] { sparse::fill_from_neighbours(field, field.domain(), field.domain(), 1); }, "this component"));
}
