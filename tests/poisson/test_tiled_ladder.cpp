/// The optimisations of the solver on tiles, one by one: results stay.

#include <algorithm>

#include <sparse/poisson/tile_ladder.hpp>
#include <support/tiled.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonTiledLadder : public testing::Test {};
TYPED_TEST_SUITE(PoissonTiledLadder, RealCases);

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

/// What rounding makes of solutions in some iterations; cycles have values in float.
template <class T>
constexpr double few_bits = std::is_same_v<T, float> ? 1e-4 : 1e-6;

std::vector<TileRung> all_rungs(TiledMultigridCg const& whole) {
  auto rungs = tile_ladder(whole);
  for (auto const& rung : tile_ladder_without_one(whole)) rungs.push_back(rung);
  return rungs;
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
