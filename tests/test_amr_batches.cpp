/// What the borders of levels are computed with: batches of cells, and arithmetic without subnormal numbers.

#include <limits>

#include <sparse/amr/batches.hpp>
#include <sparse/amr/flush_subnormals.hpp>
#include <sparse/subset.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::amr::Batch;

namespace {

template <class Dimension>
class Batches : public testing::Test {};
TYPED_TEST_SUITE(Batches, Dimensions);

/// Which cell a loop found at each position, and how often it came by.
template <int Dim>
struct Visits {
  using Point = sparse::SubsetPoint<Dim>;
  Cell<Dim>* cells;
  int* counts;

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    cells[p.cell] = p.coordinates();
    ++counts[p.cell];
  }
  template <class T>
  KOKKOS_FUNCTION void operator()(Batch<Point, T> const& batch) const {
    for (int lane = 0; lane < batch.count; ++lane) (*this)(batch.point(lane));
    // The others may be read and have the last cell: counted, if it is another one.
    Index const last = batch.point(batch.count - 1).cell;
    for (int lane = batch.count; lane < Batch<Point, T>::lane_count; ++lane)
      if (batch.point(lane).cell != last) ++counts[last];
  }
};

struct CountCalls {
  int* counts;
  KOKKOS_FUNCTION void operator()(Index i) const { ++counts[i]; }
};

}  // namespace

TYPED_TEST(Batches, HaveEachCellOnce) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    auto const set = set_of(cells);
    sparse::Context const context = set.context();
    sparse::Subset<Dim> const plan(set, set);
    for (int way = 0; way < 3; ++way) {
      auto const counts = sparse::to_device(context, std::vector<int>(cells.size()));
      sparse::Buffer<Cell<Dim>> const found(context, set.cell_count());
      Visits<Dim> const visits{found.data(), counts.data()};
      if (way == 0) sparse::amr::for_each_batch<double>("sparse::test::batch", plan, visits);
      if (way == 1) sparse::amr::for_each_batch<float>("sparse::test::batch", plan, visits);
      if (way == 2) sparse::amr::for_each_in_short_runs("sparse::test::short_runs", plan, visits);
      auto const order = sparse::to_host(context, found.data(), found.size());
      ASSERT_EQ(std::vector<Cell<Dim>>(cells.begin(), cells.end()), order) << "seed " << seed << " way " << way;
      for (int const count : sparse::to_host(context, counts.data(), counts.size()))
        ASSERT_EQ(count, 1) << "seed " << seed << " way " << way;
    }
  }
}

TEST(Stretches, HaveEachNumberOnce) {
  sparse::Context const context;
  for (Index const count : {0, 1, 127, 128, 129, 1000})
    for (Index const stretch : {1, 128, 2000}) {
      auto const counts = sparse::to_device(context, std::vector<int>(static_cast<std::size_t>(count)));
      sparse::amr::for_each_stretch(context, "sparse::test::stretch", count, stretch, CountCalls{counts.data()});
      for (int const calls : sparse::to_host(context, counts.data(), count))
        EXPECT_EQ(calls, 1) << count << " in stretches of " << stretch;
    }
}

/// Processors that can be told take subnormal numbers for zero; all compute with them again afterwards, and with others
/// as ever.
TEST(Subnormals, AreZeroOnlyWhileTheyAreFlushed) {
  double volatile small = std::numeric_limits<double>::min(), half = 0.5, one = 1, third = 3;
  double const before = small * half, quotient = one / third;
  EXPECT_GT(before, 0);
  {
    sparse::amr::FlushSubnormals const here;
#if defined(SPARSE_CAN_FLUSH_SUBNORMALS)
    double volatile subnormal = before;
    EXPECT_EQ(small * half, 0);
    EXPECT_EQ(subnormal * third, 0);
#endif
    EXPECT_EQ(small * third, 3 * std::numeric_limits<double>::min());
    EXPECT_EQ(one / third, quotient);
    EXPECT_EQ(one / (third - third), std::numeric_limits<double>::infinity());
  }
  EXPECT_EQ(small * half, before);
}
