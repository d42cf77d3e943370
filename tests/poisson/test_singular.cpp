/// Multigrid in float where p is given nowhere. Rounding leaves constants in residuals. They must not grow on coarse
/// levels, whose matrices are singular, too.

#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/poisson.hpp>

#include "multigrid/hierarchy.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheDimension>
class PoissonSingular : public testing::Test {};
TYPED_TEST_SUITE(PoissonSingular, Dimensions);

enum class Kind { one, divided, pockets, periodic };
char const* name_of(Kind kind) {
  constexpr char const* names[] = {"one component", "divided by walls", "with pockets", "periodic"};
  return names[static_cast<int>(kind)];
}

/// A closed box with balls cut from it. Walls one or two cells thick divide it, or close off small boxes in it.
template <int Dim>
Problem<Dim> closed_box(Coord width, Kind kind, std::mt19937& engine) {
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(width));
  for (int k = 0; k < 3; ++k) {
    sparse::Vec<double, Dim> centre;
    for (int axis = 0; axis < Dim; ++axis) centre[axis] = random_int(engine, 0, width);
    problem.cells = problem.cells - sparse::ball<Dim>(centre, random_int(engine, 1, width / 5));
  }
  if (kind == Kind::divided)
    for (int axis = 0; axis < 2; ++axis) {
      auto begin = Cell<Dim>{}, end = Cell<Dim>::filled(width);
      begin[axis] = random_int(engine, width / 4, 3 * width / 4);
      end[axis] = begin[axis] + random_int(engine, 1, 2);
      problem.cells = problem.cells - sparse::box<Dim>(begin, end);
    }
  if (kind == Kind::pockets)
    for (int k = 0; k < 3; ++k) {
      Cell<Dim> begin;
      for (int axis = 0; axis < Dim; ++axis) begin[axis] = random_int(engine, 0, width - 12);
      auto const end = begin + Cell<Dim>::filled(random_int(engine, 4, 12)), one = Cell<Dim>::filled(1);
      problem.cells = (problem.cells - sparse::box<Dim>(begin, end)) | sparse::box<Dim>(begin + one, end - one);
    }
  if (kind == Kind::periodic) problem.period = Cell<Dim>::filled(width);
  return problem;
}

/// A x for a random x, or random values less their means.
enum class Right { image, noise };

template <class T, int Dim>
sparse::Field<T, Dim> right_hand_side(Problem<Dim> const& problem, Right kind, unsigned seed) {
  Operator<double, Dim> const matrix(problem);
  auto b = uniform_field<double>(problem.cells, seed);
  if (kind == Right::image)
    matrix.apply(b, uniform_field<double>(problem.cells, seed));
  else
    matrix.remove_means(b);
  auto const values = values_of(b);
  sparse::Field<T, Dim> result("right-hand side", problem.cells);
  set_values(result, std::vector<T>(values.begin(), values.end()));
  return result;
}

template <class T, int Dim>
Report solve(Problem<Dim> const& problem, Multigrid const& multigrid, double tolerance, Right kind, unsigned seed) {
  Solver<T, Dim> solver(problem, MultigridCg{multigrid}, {tolerance});
  auto x = uniform_field<T>(problem.cells, seed + 1000);
  return solver.solve(right_hand_side<T>(problem, kind, seed), x);
}

template <int Dim>
void expect_as_few_in_float(Problem<Dim> const& problem, Multigrid multigrid, Right kind, unsigned seed) {
  for (int sweeps : {1, 2})
    for (double tolerance : {1e-5, 1e-6}) {
      multigrid.sweeps = sweeps;
      multigrid.precision = Precision::same;
      auto const in_double = solve<double>(problem, multigrid, tolerance, kind, seed);
      auto const in_float = solve<float>(problem, multigrid, tolerance, kind, seed);
      std::printf("  seed %u, %ld cells, %d sweeps, to %g: %d and %d iterations\n", seed,
                  static_cast<long>(problem.cells.cell_count()), sweeps, tolerance, in_double.iterations,
                  in_float.iterations);
      ASSERT_TRUE(in_double.has_converged());
      EXPECT_TRUE(in_float.has_converged()) << name_of(in_float.reason) << " at " << in_float.true_residual;
      EXPECT_LE(in_float.iterations, in_double.iterations + 2);
    }
}

}  // namespace

TYPED_TEST(PoissonSingular, TakesAsFewIterationsInFloatAsInDouble) {
  constexpr int Dim = TypeParam::value;
  Coord const most = Dim == 2 ? 512 : 64;
  for (unsigned seed = 0; seed < 16; ++seed) {
    auto engine = random_engine(seed);
    auto const kind = static_cast<Kind>(seed % 4);
    SCOPED_TRACE(testing::Message() << name_of(kind) << ", seed " << seed);
    Coord const width = seed < 4 ? most : 2 * random_int(engine, most / 8, most / 4);
    Multigrid options;
    if (seed / 4 == 1) options.cycle = Cycle::w;
    if (seed / 4 == 2) options.interpolation = Interpolation::linear;
    expect_as_few_in_float(closed_box<Dim>(width, kind, engine), options, Right::image, seed);
  }
}

// In 2D the solution is so much larger than the right-hand side that float cannot reach 1e-5.
TEST(PoissonSingularNoise, TakesAsFewIterationsInFloatAsInDouble) {
  for (unsigned seed : {1u, 2u, 3u, 12u}) {
    auto engine = random_engine(seed);
    auto const kind = static_cast<Kind>(seed % 4);
    SCOPED_TRACE(testing::Message() << name_of(kind) << ", seed " << seed);
    expect_as_few_in_float(closed_box<3>(64, kind, engine), {}, Right::noise, seed);
  }
}

// Multigrid in float, as a method of its own, gets as far as the exact solution rounded to float.
TYPED_TEST(PoissonSingular, CyclesInFloatReachWhatFloatCanHold) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 3; ++seed) {
    auto engine = random_engine(seed);
    auto const kind = static_cast<Kind>(seed);
    auto const problem = closed_box<Dim>(Dim == 2 ? 256 : 40, kind, engine);
    auto const b = right_hand_side<double>(problem, Right::noise, seed);
    Solver<double, Dim> exact(problem, MultigridCg{{.precision = Precision::same}}, {1e-11});
    auto x = zero_field<double>(problem.cells), r = zero_field<double>(problem.cells);
    ASSERT_TRUE(exact.solve(b, x).has_converged());
    auto values = values_of(x);
    for (double& value : values) value = static_cast<float>(value);
    set_values(x, values);
    double const rounding = exact.matrix().residual(r, b, x) / length(values_of(b));
    for (auto const& method : {Method(Multigrid{}), Method(FullMultigrid{})})
      for (auto const cycle : {Cycle::v, Cycle::w})
        for (auto const interpolation : {Interpolation::constant, Interpolation::linear}) {
          Solver<float, Dim> solver(problem, with_cycles(method, {.cycle = cycle, .interpolation = interpolation}),
                                    {1e-9, 30});
          auto reached = uniform_field<float>(problem.cells, seed + 1000);
          auto const report = solver.solve(right_hand_side<float>(problem, Right::noise, seed), reached);
          std::printf("  seed %u: %g of %g\n", seed, report.true_residual, rounding);
          EXPECT_LE(report.true_residual, 1.1 * rounding) << name_of(kind) << ", seed " << seed;
        }
  }
}

// Residuals may have means here, as rounding errors leave them in conjugate gradients.
TYPED_TEST(PoissonSingular, CyclesAreSymmetricAndSemidefiniteWithMeans) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 24; ++seed) {
    auto engine = random_engine(seed);
    auto const problem = closed_box<Dim>(Dim == 2 ? 60 : 20, static_cast<Kind>(seed % 4), engine);
    Multigrid options;
    options.interpolation = seed / 4 % 2 == 0 ? Interpolation::constant : Interpolation::linear;
    options.cycle = seed / 8 % 2 == 0 ? Cycle::v : Cycle::w;
    detail::Hierarchy<double, Dim> multigrid(detail::Couplings<double, Dim>(problem), options);
    auto const u = uniform_field<double>(problem.cells, seed), v = uniform_field<double>(problem.cells, seed + 1000);
    auto mu = zero_field<double>(problem.cells), mv = zero_field<double>(problem.cells);
    multigrid.cycle(u.view().data, mu.view().data);
    multigrid.cycle(v.view().data, mv.view().data);
    double const size = length(values_of(u)) * length(values_of(mv)) + length(values_of(mu)) * length(values_of(v));
    EXPECT_NEAR(product(values_of(u), values_of(mv)), product(values_of(mu), values_of(v)), 1e-13 * size)
        << "seed " << seed;
    EXPECT_GE(product(values_of(u), values_of(mu)), 0) << "seed " << seed;
  }
}
