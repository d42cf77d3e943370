/// Searches beside the last cell, and loops for them, against a map of all cells.

#include <sparse/base/parallel.hpp>
#include <sparse/sets/cells_in_order.hpp>
#include <sparse/sets/nearby_search.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::Index;

namespace {

/// Where one search after the other finds `cells`.
template <int Dim>
std::vector<Index> found_in_turn(sparse::IntervalSet<Dim> const& set, std::vector<Cell<Dim>> const& cells) {
  sparse::Context const context = set.context();
  auto const probes = to_device(context, cells);
  sparse::Buffer<Index> const found(context, probes.size());
  sparse::SetView const view = set.view();
  Cell<Dim> const* const probe = probes.data();
  Index* const out = found.data();
  Index const count = probes.size();
  sparse::parallel_for(
      context, "sparse::test::find_in_turn", 1, KOKKOS_LAMBDA(Index) {
        sparse::detail::NearbySearch search(view);
        for (Index i = 0; i < count; ++i) out[i] = search.find(probe[i]);
      });
  return to_host(context, out, count);
}

/// Stores where the upper neighbour of each cell is, and how often a cell was visited. @return  its number
template <int Dim>
struct FindAbove {
  sparse::SetView set;
  Index *above, *visits;
  KOKKOS_FUNCTION sparse::detail::NearbySearch searches() const { return sparse::detail::NearbySearch(set); }
  KOKKOS_FUNCTION Index operator()(sparse::detail::NearbySearch& in, Index i, Cell<Dim> const& cell) const {
    above[i] = in.find(cell + Cell<Dim>::along(Dim - 1, 1));
    ++visits[i];
    return i;
  }
};

template <class Dimension>
class NearbySearches : public testing::Test {};
TYPED_TEST_SUITE(NearbySearches, Dimensions);

TYPED_TEST(NearbySearches, FindWhatIsThere) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, 1 << 20);
    auto const numbers = positions<Dim>(cells);
    auto engine = random_engine(seed);
    // Small steps around cells of the set, and leaps to others.
    std::vector<Cell<Dim>> probes;
    for (auto const& cell : cells)
      for (int k = 0; k < 4; ++k) {
        auto probe = cell;
        for (int axis = 0; axis < Dim; ++axis) probe[axis] += random_int(engine, -2, 2);
        probes.push_back(probe);
      }
    if (random_int(engine, 0, 1) == 0) std::shuffle(probes.begin(), probes.end(), engine);
    auto const found = found_in_turn<Dim>(set_of(cells), probes);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      auto const at = numbers.find(probes[i]);
      ASSERT_EQ(found[i], at == numbers.end() ? -1 : at->second) << "seed " << seed << " " << probes[i];
    }
  }
}

TYPED_TEST(NearbySearches, GoFromCellToCell) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, 1 << 20);
    auto const numbers = positions<Dim>(cells);
    auto const set = set_of(cells);
    Index const count = set.cell_count();
    auto const above = to_device(set.context(), std::vector<Index>(static_cast<std::size_t>(count), -2));
    auto const visits = to_device(set.context(), std::vector<Index>(static_cast<std::size_t>(count), 0));
    FindAbove<Dim> const body{set.view(), above.data(), visits.data()};
    sparse::detail::for_cells_in_order("sparse::test::above", set, body);
    ASSERT_EQ(sparse::detail::sum_in_order("sparse::test::above", set, body), count * (count - 1) / 2);
    auto const found = to_host(set.context(), above.data(), count),
               visited = to_host(set.context(), visits.data(), count);
    for (auto const& [cell, number] : numbers) {
      auto const at = numbers.find(cell + Cell<Dim>::along(Dim - 1, 1));
      ASSERT_EQ(found[static_cast<std::size_t>(number)], at == numbers.end() ? -1 : at->second)
          << "seed " << seed << " " << cell;
      ASSERT_EQ(visited[static_cast<std::size_t>(number)], 2) << "seed " << seed << " " << cell;
    }
  }
  EXPECT_EQ(sparse::detail::sum_in_order("sparse::test::above", sparse::IntervalSet<Dim>(), FindAbove<Dim>{}), 0);
}

}  // namespace
