/// The optimisations of the solver on tiles, one by one: results stay, and what is counted changes as each of them
/// says.

#include <algorithm>

#include <sparse/poisson/tile_ladder.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/poisson.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonTiledLadder : public testing::Test {};
TYPED_TEST_SUITE(PoissonTiledLadder, RealCases);

template <int Dim>
Problem<Dim> periodic_box(Coord width) {
  Problem<Dim> problem;
  problem.period = Cell<Dim>::filled(width);
  problem.cells = sparse::box<Dim>({}, problem.period);
  return problem;
}

/// A box whose sides cut tiles, with p = 0 on one of them.
template <int Dim>
Problem<Dim> walled_box() {
  Cell<Dim> size = Cell<Dim>::filled(Dim == 2 ? 53 : 18);
  size[0] = Dim == 2 ? 77 : 21;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, size);
  size[0] = 1;
  problem.dirichlet[0] = sparse::box<Dim>({}, size);
  return problem;
}

/// With a body and faces where p is given; with couplings that differ; without any wall.
template <int Dim>
std::vector<Problem<Dim>> problems() {
  Problem<Dim> body;
  body.cells =
      walled_box<Dim>().cells - sparse::ball<Dim>(Vec<double, Dim>::filled(Dim == 2 ? 12 : 9), Dim == 2 ? 7 : 5);
  body.grid.spacing[0] = 0.8;
  auto closed = body;
  auto engine = random_engine(1);
  draw_dirichlet_faces(body, 0.3, engine);
  auto varying = body;
  add_coefficients(varying);
  return {body, closed, varying, periodic_box<Dim>(16)};
}

template <class T>
struct Solved {
  Report report;
  Values x;
};
template <class T, int Dim>
Solved<T> solve(Problem<Dim> const& problem, TiledMultigridCg const& method, StopRule const& stop) {
  auto x = uniform_field<T>(problem.cells, 2);
  auto const report = Solver<T, Dim>(problem, method, stop).solve(uniform_field<T>(problem.cells, 1), x);
  return {report, values_of(x)};
}

/// What rounding makes of solutions in some iterations; cycles have values in float.
template <class T>
constexpr double few_bits = std::is_same_v<T, float> ? 1e-4 : 1e-6;

TiledMultigridCg with_tiles(int sweeps = 1) { return {.sweeps = sweeps, .launches = {.one_launch_cells = 64}}; }

std::vector<TileRung> all_rungs(TiledMultigridCg const& whole) {
  auto rungs = tile_ladder(whole);
  for (auto const& rung : tile_ladder_without_one(whole)) rungs.push_back(rung);
  return rungs;
}

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

TYPED_TEST(PoissonTiledLadder, EveryRungSolvesTheSame) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-10;
  auto const all = problems<Dim>();
  for (int const sweeps : {1, 2})
    for (std::size_t which = 0; which < all.size(); which += Dim == 2 ? 1 : 3) {  // fewer in 3D, where they take long
      if (sweeps == 2 && Dim == 3) continue;
      auto const& problem = all[which];
      auto const whole = with_tiles(sweeps);
      auto const wanted = solve<T>(problem, whole, {tolerance});
      EXPECT_TRUE(wanted.report.has_converged());
      for (auto const& rung : all_rungs(whole)) {
        SCOPED_TRACE(testing::Message() << rung.number << " " << rung.name << ", sweeps " << sweeps);
        auto const is = solve<T>(problem, rung.method, {tolerance});
        EXPECT_TRUE(is.report.has_converged()) << name_of(is.report.reason);
        EXPECT_NEAR(is.report.iterations, wanted.report.iterations, 1);
        // The first residuals differ by rounding in cycles, which have values in float in the whole.
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_NEAR(is.report.residuals[k], wanted.report.residuals[k], 1e-3 * wanted.report.residuals[k] + 1e-6);
        double const size = length(wanted.x);
        EXPECT_LE(length(difference(is.x, wanted.x)), (std::is_same_v<T, float> ? 2e-2 : 1e-6) * size);
      }
    }
}

// Where only the place or the number of launches changes, no bit of the solution does.
TYPED_TEST(PoissonTiledLadder, WhatDoesNotChangeArithmeticChangesNoBit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StopRule const stop{1e-30, 4};
  for (auto const& problem : problems<Dim>())
    for (bool const is_fused : {false, true}) {
      auto whole = with_tiles();
      whole.optimisations.fused_descent = whole.optimisations.fused_ascent = is_fused;
      auto const wanted = solve<T>(problem, whole, stop);
      for (auto const option :
           {&TileOptimisations::one_launch, &TileOptimisations::memory_set, &TileOptimisations::starts_from_zero,
            &TileOptimisations::tile_classes, &TileOptimisations::stored_inverse}) {
        auto method = whole;
        method.optimisations.*option = false;
        auto const is = solve<T>(problem, method, stop).x;
        if (sparse::is_host_backend)
          EXPECT_EQ(is, wanted.x);
        else  // blocks of other sizes add up in other orders
          EXPECT_LE(length(difference(is, wanted.x)), few_bits<T> * length(wanted.x));
      }
      auto counted = whole;
      counted.counts = std::make_shared<TileCounts>();
      auto const is = solve<T>(problem, counted, stop).x;  // compilers may join other products and sums
      EXPECT_LE(length(difference(is, wanted.x)), few_bits<T> * length(wanted.x));
      EXPECT_GT(counted.counts->total().launches, 0);
    }
}

// Far from walls, what a fused pass must move per cell is what the table in kernels.hpp says, but for tables of tiles.
TYPED_TEST(PoissonTiledLadder, CountedBytesAreThoseOfTheTable) {
  if (!sparse::is_host_backend) GTEST_SKIP() << "bytes are counted on a host";
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

TYPED_TEST(PoissonTiledLadder, EachOptimisationSavesWhatItSays) {
  if (!sparse::is_host_backend) GTEST_SKIP() << "bytes are counted on a host";
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

TEST(PoissonTiledLadder, RefusesFusedPassesWithoutMemoryOfBlocks) {
  Problem<2> problem;
  problem.cells = sparse::box<2>({0, 0}, {16, 16});
  for (auto const option : {&TileOptimisations::fused_descent, &TileOptimisations::fused_ascent}) {
    TiledMultigridCg method;
    method.optimisations.block_memory = method.optimisations.fused_descent = method.optimisations.fused_ascent = false;
    Solver<double, 2> const allowed(problem, method);
    method.optimisations.*option = true;
    EXPECT_TRUE(is_refused([&] { Solver<double, 2> const solver(problem, method); }, "memory of blocks"));
  }
}
