/// What the borders of levels are computed with: batches of cells, and arithmetic without subnormal numbers.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <sparse/amr/hierarchy/reductions.hpp>
#include <sparse/amr/sweep/batches.hpp>
#include <sparse/amr/sweep/flush_subnormals.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/morphology.hpp>
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

/// Greatest of numbers that only the last cell of all would tell apart from others.
template <int Dim>
struct GreatestCell {
  using Point = sparse::SubsetPoint<Dim>;
  template <class T>
  KOKKOS_FUNCTION void operator()(Batch<Point, T> const& batch, Index& greatest) const {
    for (int lane = 0; lane < Batch<Point, T>::lane_count; ++lane)
      greatest = batch.point(lane).cell > greatest ? batch.point(lane).cell : greatest;
  }
};

/// Gas whose speed of sound in cell i is sqrt(1.4 pressures[i]), and which moves to and fro.
template <class T, int Dim>
struct MovingGas {
  sparse::compressible::Euler<T, Dim> law;
  T const* pressures;
  sparse::FieldView<T> state;
  KOKKOS_FUNCTION void operator()(sparse::SubsetPoint<Dim> const& p) const {
    sparse::Vec<T, Dim + 2> w = {};
    w[0] = 1;
    w[1] = p.cell % 2 == 0 ? T(2) : T(-2);
    w[Dim + 1] = pressures[p.cell];
    state.store(p.cell, law.conserved(w));
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

TYPED_TEST(Batches, FindTheGreatest) {
  using T = float;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto set = random_set<Dim>(seed, 0, sparse::coord_limit / 2);
    if (seed % 2 == 0) set = sparse::expand(set, 5);  // several tasks of batches
    sparse::Subset<Dim> const plan(set, set);
    auto const last =
        sparse::amr::reduce_batches<T, Kokkos::Max, Index>("sparse::test::last", plan, GreatestCell<Dim>{});
    if (set.is_empty()) continue;
    ASSERT_EQ(last, set.cell_count() - 1) << "seed " << seed;

    auto random = random_engine(seed);
    std::vector<T> pressures(static_cast<std::size_t>(set.cell_count()));
    for (T& pressure : pressures) pressure = std::uniform_real_distribution<T>(T(0.1), 50)(random);
    if (seed % 5 == 0) pressures[random() % pressures.size()] = std::numeric_limits<T>::quiet_NaN();
    auto const given = sparse::to_device(set.context(), pressures);
    sparse::Field<T, Dim> gas("gas", set, Dim + 2);
    sparse::compressible::Euler<T, Dim> const law;
    sparse::for_each("sparse::test::gas", plan, MovingGas<T, Dim>{law, given.data(), gas.view()});
    sparse::FieldView<T const> const state = gas.view();
    auto const ones = sparse::Vec<T, Dim>::filled(1);
    T const rate = sparse::amr::wave_rate(law, plan, state, ones);
    if (seed % 5 == 0) {
      ASSERT_TRUE(std::isnan(rate)) << "seed " << seed;
      continue;
    }
    T const greatest = *std::max_element(pressures.begin(), pressures.end());
    ASSERT_NEAR(rate, 2 + Dim * std::sqrt(T(1.4) * greatest), 1e-4 * rate) << "seed " << seed;
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
