/// What is counted of the solver on tiles: bytes are those of the table, and each optimisation changes them as it says.
/// Only a host counts bytes.

#include <sparse/poisson/tile_ladder.hpp>
#include <support/tiled.hpp>

namespace {

using namespace reference;

template <class TheCase>
class PoissonTiledCounts : public testing::Test {};
TYPED_TEST_SUITE(PoissonTiledCounts, RealCases);

/// What one more iteration takes.
template <class T, int Dim>
TileCounts counts_of_iteration(Problem<Dim> const& problem, TiledMultigridCg method) {
  auto const count = [&](int limit) {
    method.counts = std::make_shared<TileCounts>();
    solve<T>(problem, method, {1e-30, limit});
    return *method.counts;
  };
  auto more = count(2);
  for (auto const& [label, fewer] : count(1).kernels) {
    auto& kernel = more.kernels.at(label);
    kernel.launches -= fewer.launches;
    kernel.memory_sets -= fewer.memory_sets;
    kernel.asked_bytes -= fewer.asked_bytes;
    kernel.moved_bytes -= fewer.moved_bytes;
    kernel.divisions -= fewer.divisions;
  }
  return more;
}

}  // namespace

// Far from walls, what a fused pass must move per cell is what the table in kernels.hpp says, but for tables of tiles.
TYPED_TEST(PoissonTiledCounts, CountedBytesAreThoseOfTheTable) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = periodic_box<Dim>(Dim == 2 ? 128 : 32);
  auto const cells = static_cast<double>(problem.cells.cell_count());
  for (auto const precision : {Precision::single, Precision::same}) {
    auto method = with_tiles();
    method.precision = precision;
    auto const counts = counts_of_iteration<T>(problem, method);
    double const t = sizeof(T), p = precision == Precision::single ? 4 : t, part = 1.0 / (1 << Dim);
    auto const expect_moved = [&](char const* kernel, double bytes) {
      double const tables = (4.0 * std::pow(3, Dim) + 40) / std::pow(8, Dim);
      double const moved = static_cast<double>(counts.kernels.at(kernel).moved_bytes) / cells;
      EXPECT_GE(moved, bytes) << kernel;
      EXPECT_LE(moved, bytes + tables) << kernel;
    };
    expect_moved("sparse::poisson::tiled_direct", p + 5 * t);
    expect_moved("sparse::poisson::tiled_step_and_descend", 3 * t + part * p);
    // The ascents of all levels have one label. Coarse levels have a share of the cells.
    auto const& ascents = counts.kernels.at("sparse::poisson::tiled_ascend");
    double const levels = static_cast<double>(ascents.launches), finest = t + p + part * p, coarse = 2 * p + part * p;
    double expected = finest;
    for (int l = 1; l < levels; ++l) expected += coarse * std::pow(part, l);
    EXPECT_NEAR(static_cast<double>(ascents.moved_bytes) / cells, expected, 0.35 * expected * 2 / 8);
  }
}

TYPED_TEST(PoissonTiledCounts, EachOptimisationSavesWhatItSays) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = walled_box<Dim>();
  std::map<int, KernelCounts> after, before;
  std::map<int, TileCounts> kernels;
  KernelCounts last;
  for (auto const& rung : tile_ladder(with_tiles())) {
    kernels[rung.number] = counts_of_iteration<T>(problem, rung.method);
    before[rung.number] = last;
    last = after[rung.number] = kernels[rung.number].total();
  }
  auto const levels = kernels[2].kernels.at("sparse::poisson::tiled_descend").launches;  // on tiles
  ASSERT_GE(levels, 1);
  EXPECT_LT(after[1].asked_bytes, 0.8 * before[1].asked_bytes);  // neighbours come from a block's memory
  EXPECT_EQ(after[1].launches, before[1].launches);
  EXPECT_EQ(after[6].launches, before[6].launches - levels);  // a level's x is cleared
  EXPECT_EQ(after[6].memory_sets, levels);
  EXPECT_EQ(after[5].memory_sets, 0);
  EXPECT_LT(after[5].moved_bytes, before[5].moved_bytes);
  EXPECT_LT(after[2].moved_bytes, before[2].moved_bytes + 1);
  EXPECT_EQ(after[3].launches, before[3].launches - 3 * levels);  // first sweeps again, interpolation, two half-sweeps
  EXPECT_LT(after[3].moved_bytes, 0.9 * before[3].moved_bytes);
  EXPECT_EQ(kernels[4].kernels.at("sparse::poisson::tiled_small_levels").launches, 1);
  EXPECT_LT(after[4].launches, before[4].launches - 20);
  EXPECT_EQ(after[7].launches, before[7].launches);
  EXPECT_LE(after[7].asked_bytes, before[7].asked_bytes);    // stored rows are read whole
  EXPECT_LT(after[7].divisions, 0.6 * before[7].divisions);  // cells beside walls still divide
  EXPECT_LT(after[8].launches, before[8].launches - 4);
  EXPECT_LT(after[8].moved_bytes, 0.8 * before[8].moved_bytes);
  EXPECT_LT(after[9].asked_bytes, before[9].asked_bytes);
  EXPECT_LT(after[9].moved_bytes, before[9].moved_bytes);
  if (std::is_same_v<T, double>)
    EXPECT_LT(after[10].moved_bytes, 0.95 * before[10].moved_bytes);
  else
    EXPECT_EQ(after[10].moved_bytes, before[10].moved_bytes);
}
