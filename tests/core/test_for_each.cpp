/// Loops and reductions over plans.

#include <limits>

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/visits.hpp>

using namespace reference;

namespace {

template <class Plan>
Index sum_of_positions(Plan const& plan) {
  using Point = typename Plan::Point;
  return sparse::reduce<Kokkos::Sum, Index>(
      "sparse::test::sum", plan, KOKKOS_LAMBDA(Point const& p, Index& sum) { sum += p.cell; });
}
template <class Plan>
Index least_position(Plan const& plan) {
  using Point = typename Plan::Point;
  return sparse::reduce<Kokkos::Min, Index>(
      "sparse::test::least", plan, KOKKOS_LAMBDA(Point const& p, Index& least) {
        if (p.cell < least) least = p.cell;
      });
}
template <class Plan>
double greatest_position(Plan const& plan) {
  using Point = typename Plan::Point;
  return sparse::reduce<Kokkos::Max, double>(
      "sparse::test::greatest", plan, KOKKOS_LAMBDA(Point const& p, double& greatest) {
        if (static_cast<double>(p.cell) > greatest) greatest = static_cast<double>(p.cell);
      });
}
/// A sum of values in memory, which the compiler must not take for the partial sum's.
template <class T, class Plan>
T sum_of_values(Plan const& plan, T const* values) {
  using Point = typename Plan::Point;
  return sparse::reduce<Kokkos::Sum, T>(
      "sparse::test::sum_of_values", plan, KOKKOS_LAMBDA(Point const& p, T& sum) { sum += values[p.cell]; });
}

/// Counts how a body is called for each cell: in ones, and in hundreds where it is told that nothing is missing.
template <class Point>
struct CountCalls {
  int* calls;
  KOKKOS_FUNCTION void operator()(Point const& p) const { calls[p.cell] += 1; }
  KOKKOS_FUNCTION void operator()(Point const& p, sparse::AllPresent) const { calls[p.cell] += 100; }
};

template <class Dimension>
class Loops : public testing::Test {};
TYPED_TEST_SUITE(Loops, Dimensions);

}  // namespace

TYPED_TEST(Loops, VisitNothingWithoutCells) {
  constexpr int Dim = TypeParam::value;
  IntervalSet<Dim> const none;
  auto const some = set_of(Cells<Dim>{{}});
  for (auto const& plan : {sparse::Subset<Dim>(), sparse::Subset<Dim>(none, none), sparse::Subset<Dim>(none, some)}) {
    EXPECT_EQ(plan.cell_count(), 0);
    EXPECT_EQ(plan.run_count(), 0);
    EXPECT_TRUE(visits_of<Dim>(plan).empty());
    EXPECT_EQ(sum_of_positions(plan), 0);
    EXPECT_EQ(least_position(plan), std::numeric_limits<Index>::max());
    EXPECT_LE(greatest_position(plan), std::numeric_limits<double>::lowest());
  }
  EXPECT_TRUE(visits_of<Dim>(sparse::Stencil<Dim>()).empty());
  EXPECT_TRUE(visits_of<Dim>(sparse::ProlongPlan<Dim>(none, some, some, some)).empty());
  EXPECT_TRUE(visits_of<Dim>(sparse::CopyPlan<Dim>(none, none, none)).empty());
}

TYPED_TEST(Loops, ReduceOverEachCellOnce) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const storage = random_cells<Dim>(seed, 0), cells = both(storage, random_cells<Dim>(seed, 1));
    sparse::Subset<Dim> const plan(set_of(cells), set_of(storage));
    Index sum = 0, least = std::numeric_limits<Index>::max(), greatest = -1;
    auto const index = positions(storage);
    for (auto const& cell : cells) {
      sum += index.at(cell);
      least = std::min(least, index.at(cell));
      greatest = std::max(greatest, index.at(cell));
    }
    ASSERT_EQ(sum_of_positions(plan), sum);
    ASSERT_EQ(least_position(plan), least);
    if (!cells.empty()) {
      ASSERT_EQ(greatest_position(plan), static_cast<double>(greatest));
    }
  }
}

TYPED_TEST(Loops, TellBodiesWhereNothingIsMissing) {
  constexpr int Dim = TypeParam::value;
  using Stencil = sparse::Stencil<Dim>;
  Index told_count = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto set = random_set<Dim>(seed, 0, sparse::coord_limit / 2);
    if (seed % 2 == 0) set = sparse::expand(set, 2);
    Stencil const plan(set, set);
    auto const calls = to_device(set.context(), std::vector<int>(static_cast<std::size_t>(set.cell_count())));
    for_each("sparse::test::count_calls", plan, CountCalls<typename Stencil::Point>{calls.data()});
    auto const counted = to_host(set.context(), static_cast<int const*>(calls.data()), set.cell_count());
    for (auto const& [cell, visit] : visits_of<Dim>(plan)) {
      bool is_told = !sparse::has_many_threads;
      for (bool const is_present : visit.present) is_told = is_told && is_present;
      ASSERT_EQ(counted[static_cast<std::size_t>(visit.place[0])], is_told ? 100 : 1) << "seed " << seed << " " << cell;
      told_count += is_told ? 1 : 0;
    }
  }
  EXPECT_EQ(told_count > 0, !sparse::has_many_threads);
}

// Runs of every length meet the chunks that host threads take. Some runs are longer than a chunk, some chunks have many
// runs, and some ends coincide.
TYPED_TEST(Loops, CutRunsIntoChunksAnywhere) {
  constexpr int Dim = TypeParam::value;
  Index const chunk = sparse::detail::chunk_cells;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    HostSet<Dim> rows;
    rows.row_ptr = {0};
    Index cell_count = 0;
    for (Coord y = 0; y < 12; ++y) {
      rows.row_keys.push_back(y - 6);
      Coord x = random_int(engine, -100, 100);
      for (int i = random_int(engine, 1, 5); i > 0; --i) {
        Coord const lengths[] = {1, random_int(engine, 1, 5), static_cast<Coord>(chunk), static_cast<Coord>(chunk) - 1,
                                 random_int(engine, 1, 4 * static_cast<int>(chunk)),
                                 // up to the end of the current chunk
                                 static_cast<Coord>(chunk - cell_count % chunk)};
        Coord const length = lengths[random_int(engine, 0, 5)];
        rows.intervals.push_back({x, x + length});
        x += length + random_int(engine, 1, 3);
        cell_count += length;
      }
      rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
    }
    auto const set = from_host(rows);
    sparse::Subset<Dim> const subset(set, set);
    sparse::Stencil<Dim> const stencil(set, set);
    ASSERT_EQ(subset.cell_count(), cell_count);
    ASSERT_EQ(subset.run_count(), set.interval_count());
    auto const arrays = set.to_host();
    auto const visits = visits_of<Dim>(subset);
    ASSERT_EQ(visits.size(), static_cast<std::size_t>(cell_count));
    arrays.for_each_cell([&](Cell<Dim> const& cell, Index i) { ASSERT_EQ(visits.at(cell).place[0], i); });
    ASSERT_EQ(sum_of_positions(stencil), cell_count * (cell_count - 1) / 2);
    ASSERT_EQ(least_position(subset), 0);
    ASSERT_EQ(greatest_position(stencil), static_cast<double>(cell_count - 1));

    // Integers in any type: their sums are exact.
    std::vector<double> doubles(static_cast<std::size_t>(cell_count));
    std::vector<float> floats(doubles.size());
    std::vector<int> ints(doubles.size());
    Index total = 0;
    for (std::size_t i = 0; i < doubles.size(); ++i) {
      ints[i] = random_int(engine, -20, 20);
      doubles[i] = ints[i];
      floats[i] = static_cast<float>(ints[i]);
      total += ints[i];
    }
    sparse::Context const context;
    ASSERT_EQ(sum_of_values<double>(subset, to_device(context, doubles).data()), static_cast<double>(total));
    ASSERT_EQ(sum_of_values<float>(stencil, to_device(context, floats).data()), static_cast<float>(total));
    ASSERT_EQ(sum_of_values<int>(subset, to_device(context, ints).data()), static_cast<int>(total));
  }
}
