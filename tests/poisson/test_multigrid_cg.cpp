/// Conjugate gradients with multigrid: exact solutions of small problems, numbers of iterations of large ones.

#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/random.hpp>
#include <support/poisson.hpp>

#include "multigrid/hierarchy.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonMultigridCg : public testing::Test {};
TYPED_TEST_SUITE(PoissonMultigridCg, RealCases);

template <int Dim>
IntervalSet<Dim> cube(Coord width) {
  return sparse::box<Dim>({}, Cell<Dim>::filled(width));
}

/// p = 0 on all sides of a box, but not on holes in it.
template <int Dim>
Problem<Dim> walled(IntervalSet<Dim> const& cells, sparse::Box<Dim> const& box) {
  Problem<Dim> problem;
  problem.cells = cells;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      auto begin = box.begin, end = box.end;
      begin[axis] = side == 0 ? box.begin[axis] : box.end[axis];
      end[axis] = begin[axis] + 1;
      auto const faces = sparse::box<Dim>(begin, end) & sparse::faces(cells, axis);
      problem.dirichlet[axis] = problem.dirichlet[axis] | faces;
    }
  return problem;
}
template <int Dim>
Problem<Dim> walled(IntervalSet<Dim> const& cells) {
  return walled<Dim>(cells, cells.bounds());
}

/// Iterations of double conjugate gradients with cycles in float.
template <int Dim>
int iterations(Problem<Dim> const& problem, double tolerance = 1e-6, Multigrid const& multigrid = {}) {
  Solver<double, Dim> solver(problem, MultigridCg{multigrid}, {tolerance});
  auto x = zero_field<double>(problem.cells);
  auto const report = solver.solve(uniform_field<double>(problem.cells, 1), x);
  EXPECT_TRUE(report.has_converged()) << name_of(report.reason);
  std::printf("  %ld cells: %d\n", static_cast<long>(problem.cells.cell_count()), report.iterations);
  return report.iterations;
}

/// A box with pins cut from it. @param pitch  distance of their axes
IntervalSet<2> between_pins(Coord width, Coord pitch, double radius) {
  auto cells = cube<2>(width);
  for (Coord x = pitch / 2; x < width; x += pitch)
    for (Coord y = pitch / 2; y < width; y += pitch)
      cells = cells - sparse::ball<2>({static_cast<double>(x), static_cast<double>(y)}, radius);
  return cells;
}

/// From a cell to its lower neighbour.
double lower_coupling(detail::Couplings<double, 2> const& level, int axis, Index cell) {
  auto const view = level.view();
  Index r = 0;
  while (view.starts[r + 1] <= cell) ++r;
  return view.runs[r].is_uniform != 0 ? view.runs[r].weight[2 * axis] : view.lower[axis][cell];
}

}  // namespace

TYPED_TEST(PoissonMultigridCg, SolvesRandomProblems) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 40; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    auto const a = dense_matrix(problem);
    DenseSolver const exact(a);
    double const tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-10;
    Multigrid multigrid;
    multigrid.interpolation = seed % 4 < 2 ? Interpolation::constant : Interpolation::linear;
    multigrid.cycle = seed % 3 == 0 ? Cycle::w : Cycle::v;
    multigrid.coarsest.cells = 4;
    Solver<T, Dim> solver(problem, MultigridCg{multigrid}, {tolerance});
    auto const b = uniform_field<T>(problem.cells, seed);
    auto x = uniform_field<T>(problem.cells, seed + 1000);
    auto const report = solver.solve(b, x);
    ASSERT_TRUE(report.has_converged()) << "seed " << seed << ": " << name_of(report.reason) << " at "
                                        << report.true_residual;
    auto wanted = values_of(b);
    double const greatest = remove_means(exact.singular_components(), wanted), size = length(values_of(b));
    double const rounding = std::is_same_v<T, float> ? 1e-6 : 1e-14;
    double const residual = length(difference(wanted, product(a, values_of(x))));
    EXPECT_LE(residual, (tolerance + 20 * rounding) * length(wanted) + rounding * size) << "seed " << seed;
    auto const error = difference(values_of(x), exact.solve(wanted));
    EXPECT_LE(length(error), 1.1 * residual * exact.inverse_norm() + 20 * rounding * length(values_of(x)))
        << "seed " << seed;
    EXPECT_NEAR(report.incompatibility, greatest * std::sqrt(static_cast<double>(wanted.size())) / size, 1e-5);
  }
}

TEST(PoissonIterations, DoNotGrowWithTheNumberOfCells) {
  EXPECT_LE(iterations(walled(cube<2>(512))), iterations(walled(cube<2>(64))) + 1);
  EXPECT_LE(iterations(walled(cube<3>(64))), iterations(walled(cube<3>(16))) + 1);
}

TEST(PoissonIterations, AreAsFewInOddSizes) {
  auto const inflow = [](Coord width) {
    Problem<2> problem;
    problem.cells = cube<2>(width);
    problem.dirichlet[0] = sparse::box<2>({0, 0}, {1, width});
    return problem;
  };
  int const even = iterations(inflow(256));
  for (Coord const width : {250, 255, 257}) EXPECT_LE(iterations(inflow(width)), even) << width;
  int const even_square = iterations(walled(cube<2>(256))), even_cube = iterations(walled(cube<3>(32)));
  for (Coord const width : {250, 255, 257}) EXPECT_LE(iterations(walled(cube<2>(width))), even_square) << width;
  EXPECT_LE(iterations(walled(cube<3>(33))), even_cube + 1);
  Problem<3> closed;
  closed.cells = cube<3>(33);
  EXPECT_LE(iterations(closed), 6);
}

TEST(PoissonIterations, AreFewAroundBodies) {
  // channels with p given at the outlet
  Problem<2> disk;
  disk.cells = sparse::box<2>({0, 0}, {512, 256}) - sparse::ball<2>({128, 128}, 25);
  disk.dirichlet[0] = sparse::box<2>({512, 0}, {513, 256});
  EXPECT_LE(iterations(disk), 6);
  EXPECT_LE(iterations(disk, 1e-10), 10);
  Problem<3> ball;  // closed
  ball.cells = cube<3>(48) - sparse::ball<3>({24, 24, 24}, 9);
  EXPECT_LE(iterations(ball), 6);
  auto const pins = between_pins(256, 16, 4.5);
  EXPECT_LE(iterations(walled<2>(pins, {{0, 0}, {256, 256}})), 9);
}

TEST(PoissonIterations, StayBoundedBetweenThinPlates) {
  for (Coord const thickness : {1, 2, 3}) {
    Problem<2> along, across;
    along.cells = across.cells = sparse::box<2>({0, 0}, {512, 256});
    for (Coord y = 16; y < 256; y += 16) along.cells = along.cells - sparse::box<2>({64, y}, {448, y + thickness});
    for (Coord x = 32; x < 512; x += 32) {
      Coord const first = x % 64 == 0 ? 0 : 64;
      across.cells = across.cells - sparse::box<2>({x, first}, {x + thickness, first + 192});
    }
    along.dirichlet[0] = across.dirichlet[0] = sparse::box<2>({512, 0}, {513, 256});
    EXPECT_LE(iterations(along), 12) << thickness;
    EXPECT_LE(iterations(across), 12) << thickness;
  }
  Problem<2> narrow;
  narrow.cells = cube<2>(256);
  for (Coord y = 4; y < 256; y += 5) narrow.cells = narrow.cells - sparse::box<2>({16, y}, {240, y + 1});
  narrow.dirichlet[0] = sparse::box<2>({256, 0}, {257, 256});
  EXPECT_LE(iterations(narrow), 12);
}

TEST(PoissonIterations, StayBoundedAmongRandomHoles) {
  auto const cells = cube<3>(48) - sparse::random_cells<3>({{0, 0, 0}, {48, 48, 48}}, 0.3, 5);
  EXPECT_LE(iterations(walled<3>(cells, {{0, 0, 0}, {48, 48, 48}})), 12);
  for (double const share : {0.1, 0.3}) {
    Problem<2> closed;
    closed.cells = cube<2>(256) - sparse::random_cells<2>({{0, 0}, {256, 256}}, share, 5);
    EXPECT_LE(iterations(closed), 12) << share;
    EXPECT_LE(iterations(walled<2>(closed.cells, {{0, 0}, {256, 256}})), 12) << share;
  }
  auto given = walled<2>(cube<2>(256) - sparse::random_cells<2>({{0, 0}, {256, 256}}, 0.3, 5), {{0, 0}, {256, 256}});
  auto engine = random_engine(1);
  draw_dirichlet_faces(given, 1, engine);  // p = 0 in the holes too
  EXPECT_LE(iterations(given), 6);
}

// Gauss-Seidel takes more, with constant interpolation up to twice as many.
TEST(PoissonIterations, AreFewInFlatCells) {
  auto flat = walled(cube<2>(256)), flatter = flat;
  flat.grid.spacing = {1, 0.5};
  flatter.grid.spacing = {1, 0.25};
  auto slabs = walled(cube<3>(48)), rods = slabs;
  slabs.grid.spacing = {0.5, 1, 1};
  rods.grid.spacing = {1, 0.5, 0.5};
  for (auto const interpolation : {Interpolation::constant, Interpolation::linear}) {
    Multigrid const best{.interpolation = interpolation}, plain{.relaxation = 1, .interpolation = interpolation};
    auto const check = [&](auto const& problem, int most) {
      int const found = iterations(problem, 1e-6, best);
      EXPECT_LE(found, most);
      EXPECT_LT(found, iterations(problem, 1e-6, plain));
    };
    check(flat, 7);
    check(flatter, 18);
    check(slabs, 7);
    check(rods, 8);
  }
}

TEST(PoissonIterations, AreAsFewWithOddPeriods) {
  auto const torus = []<int Dim>(IntervalSet<Dim> const& cells, Coord width) {
    Problem<Dim> problem;
    problem.cells = cells;
    problem.period = Cell<Dim>::filled(width);
    return problem;
  };
  auto const with_holes = []<int Dim>(Cell<Dim> size) {
    return sparse::box<Dim>({}, size) - sparse::random_cells<Dim>({{}, size}, 0.2, 5);
  };
  int const even = iterations(torus(cube<2>(256), 256)),
            even_holes = iterations(torus(with_holes(Cell<2>{256, 256}), 256));
  for (Coord const width : {250, 255, 257, 129, 1023}) {
    EXPECT_LE(iterations(torus(cube<2>(width), width)), even + 1) << width;
    EXPECT_LE(iterations(torus(with_holes(Cell<2>{width, width}), width)), even_holes + 2) << width;
  }
  int const even_cube = iterations(torus(cube<3>(32), 32));
  for (Coord const width : {31, 33, 35, 37})
    EXPECT_LE(iterations(torus(cube<3>(width), width)), even_cube + 2) << width;
  auto channel = torus(cube<2>(255) - sparse::ball<2>({2, 128}, 20), 255);  // a body across the seam
  channel.period[1] = 0;
  EXPECT_LE(iterations(channel), even + 2);
  channel.cells = sparse::box<2>({0, 0}, {2, 255});
  channel.period[0] = 2;
  EXPECT_LE(iterations(channel), even + 2);
}

TEST(PoissonMultigrid, CoarseCellsAtSeamsHaveTheCouplingsOfTheirWidth) {
  Problem<2> problem;
  problem.cells = sparse::box<2>({0, 0}, {5, 4});
  problem.period[0] = 5;
  detail::Couplings<double, 2> fine(problem);
  auto coarse = fine.gathered();
  coarse.complete(fine);
  EXPECT_EQ(coarse.period(), (Cell<2>{3, 0}));
  // widths along x: 2, 2, 1; a coupling is the length of the face over the distance of the centres, over the area 4
  for (int row = 0; row < 2; ++row) {
    double const beside[] = {2 / 1.5 / 4, 2 / 2.0 / 4, 2 / 1.5 / 4}, below[] = {2 / 2.0 / 4, 2 / 2.0 / 4, 1 / 2.0 / 4};
    for (int x = 0; x < 3; ++x) {
      EXPECT_DOUBLE_EQ(lower_coupling(coarse, 0, 3 * row + x), beside[x]) << x;
      EXPECT_DOUBLE_EQ(lower_coupling(coarse, 1, 3 * row + x), row == 0 ? 0 : below[x]) << x;
    }
  }
  auto coarsest = coarse.gathered();
  coarsest.complete(coarse);
  EXPECT_EQ(coarsest.period(), (Cell<2>{2, 0}));
  // widths 4, 1: the same distance on both sides
  for (int x = 0; x < 2; ++x) EXPECT_DOUBLE_EQ(lower_coupling(coarsest, 0, x), 4 / 2.5 / 16) << x;
}

TEST(PoissonMultigrid, HasLevelsWhateverThePeriods) {
  auto const levels = [](Coord period) {
    Problem<2> problem;
    problem.cells = sparse::box<2>({0, 0}, {period, 64});
    problem.period[0] = period;
    return detail::Hierarchy<float, 2>(detail::Couplings<float, 2>(problem)).level_count();
  };
  for (Coord const period : {60, 62, 63, 64}) EXPECT_EQ(levels(period), 5) << period;
  Problem<2> square;
  square.cells = cube<2>(64);
  detail::Hierarchy<float, 2> const usual(detail::Couplings<float, 2>{square});
  EXPECT_EQ(usual.level_count(), 5);
  detail::Hierarchy<float, 2> const deep(detail::Couplings<float, 2>(square), {.coarsest = {.cells = 1}});
  EXPECT_EQ(deep.level_count(), 7);
  EXPECT_DOUBLE_EQ(deep.grid_complexity(), (4096 * 4 - 1) / 3.0 / 4096);
}
