/// Conjugate gradients with multigrid on tiles: against exact solutions of small problems, and against the solver by
/// runs, which has the same hierarchy and smoother.

#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/random.hpp>
#include <support/poisson.hpp>

#include "multigrid/hierarchy.hpp"
#include "tiled/solver.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheT, class TheP, int dim>
struct Precisions {
  using T = TheT;
  using P = TheP;
  static constexpr int Dim = dim;
};
using AllPrecisions =
    testing::Types<Precisions<float, float, 2>, Precisions<float, float, 3>, Precisions<double, float, 2>,
                   Precisions<double, float, 3>, Precisions<double, double, 2>, Precisions<double, double, 3>>;

template <class TheCase>
class PoissonTiled : public testing::Test {};
TYPED_TEST_SUITE(PoissonTiled, AllPrecisions);

template <class T>
constexpr double rounding = std::is_same_v<T, float> ? 1e-6 : 1e-14;
/// The least residuals that can be reached on tiny problems, and on larger ones.
template <class T>
constexpr double attainable = std::is_same_v<T, float> ? 1e-4 : 1e-10;
template <class T>
constexpr double tight = std::is_same_v<T, float> ? 1e-5 : 1e-10;

/// A random problem without periods that are no multiples of 8.
template <int Dim>
Problem<Dim> tiled_problem(unsigned seed) {
  auto problem = random_problem<Dim>(seed);
  bool has_changed = false;
  for (int axis = 0; axis < Dim; ++axis)
    if (problem.period[axis] % 8 != 0) {
      problem.period[axis] = 0;
      has_changed = true;
    }
  if (has_changed && problem.face_coefficient[0]) add_coefficients(problem);
  return problem;
}

TiledMultigridCg tiled(int sweeps, Index one_launch_cells) {
  return {.sweeps = sweeps, .launches = {.one_launch_cells = one_launch_cells}};
}

/// The precision of cycles with values of type P in a solver of T.
template <class T, class P>
constexpr Precision precision_of = std::is_same_v<T, P> ? Precision::same : Precision::single;

/// Both solvers take the same number of iterations, give or take one, to the same solution within the tolerance.
template <class T, class P, int Dim>
void expect_agreement(Problem<Dim> const& problem, TiledMultigridCg const& method, double tolerance,
                      std::string const& name) {
  StopRule const stop{tolerance};
  Multigrid const by_runs{.sweeps = method.sweeps, .relaxation = 1, .precision = precision_of<T, P>};
  Solver<T, Dim> reference_solver(problem, MultigridCg{by_runs}, stop);
  auto const matrix = std::make_shared<detail::Matrix<T, Dim> const>(problem);
  detail::Hierarchy<P, Dim> const levels(detail::Couplings<P, Dim>::converted(matrix->couplings()), by_runs);
  detail::TiledSolver<T, P, Dim> solver(matrix, method, stop);
  EXPECT_EQ(solver.level_count(), levels.level_count()) << name;

  auto const b = uniform_field<T>(problem.cells, 1);
  auto const guess = uniform_field<T>(problem.cells, 2);
  auto wanted = clone(guess), x = clone(guess);
  auto const expected = reference_solver.solve(b, wanted), report = solver.solve(b, x);
  EXPECT_TRUE(report.has_converged()) << name << ": " << name_of(report.reason) << " at " << report.true_residual;
  EXPECT_TRUE(expected.has_converged()) << name << ", by runs: " << name_of(expected.reason);
  EXPECT_NEAR(report.iterations, expected.iterations, 1) << name;
  EXPECT_NEAR(report.incompatibility, expected.incompatibility, 1e-5) << name;
  ASSERT_EQ(report.residuals.size(), static_cast<std::size_t>(report.iterations) + 1) << name;
  // Residuals at first, while rounding has not added up.
  std::size_t const compared = std::min<std::size_t>({4, report.residuals.size(), expected.residuals.size()});
  for (std::size_t k = 0; k < compared; ++k)
    EXPECT_NEAR(report.residuals[k], expected.residuals[k], 0.02 * expected.residuals[k] + 1e-6) << name << ", " << k;
  std::printf("  %s: %d, by runs %d; %d of %d levels on tiles\n", name.c_str(), report.iterations, expected.iterations,
              solver.tiled_level_count(), solver.level_count());

  auto product = zero_field<T>(problem.cells), r = zero_field<T>(problem.cells);
  double const last = matrix->residual(r, b, x);
  EXPECT_LE(last, 1.01 * (tolerance + 1e-7 * std::is_same_v<T, float>)*length(values_of(b))) << name;
}

template <int Dim>
IntervalSet<Dim> cuboid(Coord first, Cell<Dim> const& size) {
  return sparse::box<Dim>(Cell<Dim>::filled(first), Cell<Dim>::filled(first) + size);
}
template <int Dim>
Cell<Dim> odd_size() {
  Cell<Dim> size = Cell<Dim>::filled(Dim == 2 ? 53 : 18);
  size[0] = Dim == 2 ? 77 : 27;
  return size;
}
template <int Dim>
IntervalSet<Dim> below(Cell<Dim> const& size, int axis) {
  Cell<Dim> end = size;
  end[axis] = 1;
  return sparse::box<Dim>({}, end);
}

/// Problems with names, each with another feature.
template <int Dim>
std::vector<std::pair<std::string, Problem<Dim>>> problems() {
  std::vector<std::pair<std::string, Problem<Dim>>> all;
  auto const size = odd_size<Dim>();
  Problem<Dim> closed;
  closed.cells = cuboid<Dim>(0, size);
  all.emplace_back("closed box", closed);

  auto given = closed;
  given.dirichlet[0] = below<Dim>(size, 0);
  given.dirichlet[1] = below<Dim>(size, 1);
  all.emplace_back("given on two sides", given);
  given.grid.spacing[0] = 0.7;
  given.coefficient = 3;
  given.zeroth_order = 0.01;
  all.emplace_back("Helmholtz, unequal widths", given);

  auto body = closed;
  body.cells = cuboid<Dim>(-1000013, size) -
               sparse::ball<Dim>(Vec<double, Dim>::filled(-1000013 + (Dim == 2 ? 24 : 11)), Dim == 2 ? 9 : 5);
  all.emplace_back("body, negative coordinates", body);

  auto several = closed;
  several.cells = cuboid<Dim>(0, size) | cuboid<Dim>(Dim == 2 ? 90 : 40, Cell<Dim>::filled(9)) |
                  cuboid<Dim>(-30, Cell<Dim>::filled(1)) | cuboid<Dim>(-60, Cell<Dim>::filled(16));
  several.dirichlet[0] = below<Dim>(size, 0);
  all.emplace_back("several components", several);

  Problem<Dim> periodic;
  Cell<Dim> period = Cell<Dim>::filled(Dim == 2 ? 48 : 24);
  period[0] = Dim == 2 ? 64 : 32;
  periodic.cells = sparse::box<Dim>({}, period) - sparse::ball<Dim>(Vec<double, Dim>::filled(2), 5.3);
  periodic.period = period;
  all.emplace_back("periods", periodic);
  periodic.period[1] = 0;
  all.emplace_back("a period and walls", periodic);

  auto varying = closed;
  add_coefficients(varying);
  varying.dirichlet[0] = below<Dim>(size, 0);
  all.emplace_back("coefficients", varying);

  Problem<Dim> plate;
  Cell<Dim> flat = size;
  flat[Dim - 1] = 1;
  plate.cells = cuboid<Dim>(5, flat);
  all.emplace_back("one cell thick", plate);

  Problem<Dim> cell;
  cell.cells = cuboid<Dim>(-3, Cell<Dim>::filled(1));
  cell.dirichlet[0] = cell.cells;
  all.emplace_back("one cell", cell);
  return all;
}

}  // namespace

TYPED_TEST(PoissonTiled, SolvesRandomProblems) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 0; seed < 40; ++seed) {
    auto const problem = tiled_problem<Dim>(seed);
    auto const a = dense_matrix(problem);
    DenseSolver const exact(a);
    auto method = tiled(1 + static_cast<int>(seed % 3), 1);
    method.precision = precision_of<T, typename TypeParam::P>;
    method.coarsest.cells = 1 + seed % 4;
    method.launches.check_interval = 1 + static_cast<int>(seed % 5);
    Solver<T, Dim> solver(problem, method, {tight<T>});
    auto const b = uniform_field<T>(problem.cells, seed);
    auto x = uniform_field<T>(problem.cells, seed + 1000);
    auto const report = solver.solve(b, x);
    ASSERT_TRUE(report.has_converged()) << "seed " << seed << ": " << name_of(report.reason) << " at "
                                        << report.true_residual;
    auto wanted = values_of(b);
    double const greatest = remove_means(exact.singular_components(), wanted), size = length(values_of(b));
    double const residual = length(difference(wanted, product(a, values_of(x))));
    EXPECT_LE(residual, (tight<T> + 20 * rounding<T>)*length(wanted) + rounding<T> * size) << "seed " << seed;
    auto const error = difference(values_of(x), exact.solve(wanted));
    EXPECT_LE(length(error), 1.1 * residual * exact.inverse_norm() + 20 * rounding<T> * length(values_of(x)))
        << "seed " << seed;
    EXPECT_NEAR(report.incompatibility, greatest * std::sqrt(static_cast<double>(wanted.size())) / size, 1e-5);
  }
}

TYPED_TEST(PoissonTiled, AgreesWithTheSolverByRuns) {
  using T = typename TypeParam::T;
  for (auto const& [name, problem] : problems<TypeParam::Dim>())
    for (int const sweeps : {1, 2})
      expect_agreement<T, typename TypeParam::P>(problem, tiled(sweeps, 8), attainable<T>,
                                                 name + ", sweeps " + std::to_string(sweeps));
}

TYPED_TEST(PoissonTiled, AgreesOnRandomSets) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::Dim;
  for (unsigned seed = 0; seed < 6; ++seed) {
    Problem<Dim> problem;
    problem.cells = cuboid<Dim>(-7, odd_size<Dim>());
    problem.cells = problem.cells - sparse::random_cells<Dim>(problem.cells.bounds(), seed % 2 == 0 ? 0.05 : 0.4, seed);
    auto engine = random_engine(seed);
    draw_dirichlet_faces(problem, seed % 3 == 0 ? 0.2 : 0, engine);
    for (int const sweeps : {1, 2})
      expect_agreement<T, typename TypeParam::P>(problem, tiled(sweeps, seed < 3 ? 8 : 4096), attainable<T>,
                                                 "seed " + std::to_string(seed) + ", sweeps " + std::to_string(sweeps));
  }
}

TEST(PoissonTiledIterations, AreFewBetweenThinPlates) {
  Problem<2> plates;
  plates.cells = sparse::box<2>({0, 0}, {256, 128});
  for (Coord y = 16; y < 128; y += 16) plates.cells = plates.cells - sparse::box<2>({32, y}, {224, y + 1});
  plates.dirichlet[0] = sparse::box<2>({256, 0}, {257, 128});
  expect_agreement<double, float>(plates, tiled(1, 64), 1e-8, "plates in 2D");
  expect_agreement<double, float>(plates, tiled(2, 64), 1e-8, "plates in 2D, two sweeps");
  Problem<3> walls;
  walls.cells = sparse::box<3>({0, 0, 0}, {48, 32, 32});
  for (Coord z = 5; z < 32; z += 7) walls.cells = walls.cells - sparse::box<3>({8, 0, z}, {48, 28, z + 1});
  expect_agreement<double, float>(walls, tiled(1, 64), 1e-8, "plates in 3D");
}

TEST(PoissonTiledIterations, AreThoseOfTheSolverByRunsOnLargeSets) {
  Problem<2> disk;
  disk.cells = sparse::box<2>({0, 0}, {512, 256}) - sparse::ball<2>({128, 128}, 25);
  disk.dirichlet[0] = sparse::box<2>({512, 0}, {513, 256});
  expect_agreement<double, float>(disk, TiledMultigridCg{}, 1e-6, "channel");
  Problem<3> ball;
  ball.cells = sparse::box<3>({0, 0, 0}, {48, 48, 48}) - sparse::ball<3>({24, 24, 24}, 9);
  expect_agreement<double, float>(ball, TiledMultigridCg{}, 1e-6, "box minus ball");
}

TEST(PoissonTiledIterations, AreFewOnClosedSetsInSinglePrecision) {
  Problem<3> problem;
  problem.cells = sparse::box<3>({0, 0, 0}, {48, 48, 48}) - sparse::ball<3>({24, 24, 24}, 9);
  auto const b = uniform_field<float>(problem.cells, 1);
  for (int const sweeps : {1, 2})
    for (bool const is_guessed : {false, true}) {
      Solver<float, 3> solver(problem, tiled(sweeps, 4096), {1e-6});
      auto x = is_guessed ? uniform_field<float>(problem.cells, 2) : zero_field<float>(problem.cells);
      auto const report = solver.solve(b, x);
      EXPECT_TRUE(report.has_converged()) << name_of(report.reason) << " at " << report.true_residual;
      EXPECT_LE(report.iterations, sweeps == 1 ? 12 : 6);
    }
}

TEST(PoissonTiled, LooksAtTheResidualAsOftenAsItIsTold) {
  Problem<2> problem;
  problem.cells = cuboid<2>(0, {100, 60});
  auto const b = uniform_field<double>(problem.cells, 1);
  auto const solved = [&](int interval, int limit, Report& report) {
    auto method = tiled(1, 100);
    method.launches.check_interval = interval;
    Solver<double, 2> solver(problem, method, {1e-8, limit});
    auto x = zero_field<double>(problem.cells);
    report = solver.solve(b, x);
    return values_of(x);
  };
  Report always, seldom, limited;
  auto const wanted = solved(1, 200, always), x = solved(7, 200, seldom);
  EXPECT_TRUE(seldom.has_converged());
  EXPECT_EQ(seldom.residuals, always.residuals);
  EXPECT_EQ(x, wanted);
  solved(7, 3, limited);
  EXPECT_EQ(limited.iterations, 3);
  EXPECT_EQ(limited.reason, StopReason::iteration_limit);
}

TEST(PoissonTiled, SolvesRightHandSidesOfAnySizeAndRemembersNone) {
  Problem<2> problem;
  problem.cells = cuboid<2>(0, {45, 27});
  Solver<double, 2> solver(problem, tiled(1, 8), {1e-8});
  auto const b = uniform_field<double>(problem.cells, 1);
  auto wanted = zero_field<double>(problem.cells);
  auto const first = solver.solve(b, wanted);
  for (double const factor : {std::ldexp(1, 200), std::ldexp(1, -200), 1.0}) {
    auto large = clone(b), x = zero_field<double>(problem.cells);
    scale(large, factor);
    auto const report = solver.solve(large, x);
    EXPECT_TRUE(report.has_converged()) << factor;
    EXPECT_EQ(report.iterations, first.iterations) << factor;
    scale(x, 1 / factor);
    if (factor == 1)
      EXPECT_EQ(values_of(x), values_of(wanted));
    else
      EXPECT_LE(length(difference(values_of(x), values_of(wanted))), 1e-6 * length(values_of(wanted))) << factor;
  }
}

TEST(PoissonTiled, RefusesWhatItDoesNotDo) {
  auto const refused = [](auto const& change, char const* part) {
    Problem<2> problem;
    problem.cells = cuboid<2>(0, {24, 24});
    TiledMultigridCg method;
    change(problem, method);
    return is_refused([&] { Solver<double, 2> const solver(problem, method); }, part);
  };
  using Tiled = TiledMultigridCg;
  EXPECT_TRUE(refused([](Problem<2>& problem, Tiled&) { problem.cells = {}; }, "no cells"));
  EXPECT_TRUE(refused([](Problem<2>& problem, Tiled&) { problem.period[1] = 28; }, "multiple of 8"));
  EXPECT_TRUE(refused([](Problem<2>& problem, Tiled&) { problem.period[0] = 16; }, "fit into one period"));
  EXPECT_TRUE(refused([](Problem<2>& problem, Tiled&) { problem.grid.spacing[0] = 0; }, "spacing"));
  for (int const count : {0, -1}) {
    EXPECT_TRUE(refused([=](Problem<2>&, Tiled& tiled) { tiled.launches.check_interval = count; }, "check interval"));
    EXPECT_TRUE(refused([=](Problem<2>&, Tiled& tiled) { tiled.launches.one_launch_cells = count; }, "one launch"));
  }
  EXPECT_TRUE(refused([](Problem<2>&, Tiled& tiled) { tiled.launches.check_interval = 65; }, "check interval"));

  Problem<2> problem;
  problem.cells = cuboid<2>(0, {24, 24});
  Solver<double, 2> solver(problem, Tiled{});
  auto x = zero_field<double>(problem.cells);
  auto const other = uniform_field<double>(cuboid<2>(0, {24, 23}), 1);
  EXPECT_TRUE(is_refused([&] { solver.solve(other, x); }, "right-hand side"));
  auto const nan = field_of<double>(problem.cells, [](Cell<2> const&) { return std::nan(""); });
  EXPECT_TRUE(is_refused([&] { solver.solve(nan, x); }, "NaN"));
}
