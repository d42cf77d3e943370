/// What composite problems refuse, with the place, and what a single level is.

#include <cstring>

#include <sparse/poisson/composite_solver.hpp>
#include <support/composite.hpp>

namespace {

using namespace reference;
using sparse::poisson::CompositeOperator;
using sparse::poisson::CompositeSolver;
using sparse::poisson::Solver;
using sparse::poisson::StopReason;

template <class TheCase>
class CompositeFaults : public testing::Test {};
TYPED_TEST_SUITE(CompositeFaults, RealCases);

/// A box with a finer box in its middle.
template <int Dim>
CompositeProblem<Dim> two_levels(Coord width = 12) {
  CompositeProblem<Dim> problem;
  problem.cells = {sparse::box<Dim>({}, Cell<Dim>::filled(width)),
                   refine(sparse::box<Dim>(Cell<Dim>::filled(4), Cell<Dim>::filled(width - 4)))};
  return problem;
}

template <int Dim>
testing::AssertionResult refused(CompositeProblem<Dim> const& problem, std::string const& part) {
  return is_refused([&] { CompositeOperator<double, Dim> const matrix(problem); }, part);
}

}  // namespace

TYPED_TEST(CompositeFaults, LevelsThatDoNotFitAreRefusedWithThePlace) {
  constexpr int Dim = TypeParam::value;
  auto problem = two_levels<Dim>();
  problem.cells[0] = problem.cells[0] - sparse::box<Dim>(Cell<Dim>::filled(5), Cell<Dim>::filled(6));
  EXPECT_TRUE(refused(problem, "level 0: a cell is not in the set, but has children, at (5, 5"));
  problem = two_levels<Dim>();
  problem.cells.push_back(refine(sparse::box<Dim>(Cell<Dim>::filled(9), Cell<Dim>::filled(12))));
  EXPECT_TRUE(refused(problem, "level 1: levels are not nested"));
  problem.cells[2] = refine(sparse::box<Dim>(Cell<Dim>::filled(10), Cell<Dim>::filled(12)));
  EXPECT_FALSE(refused(problem, "not nested"));
  problem.cells.push_back({});
  EXPECT_TRUE(refused(problem, "level 3: the set has no cells"));
  problem.cells.clear();
  EXPECT_TRUE(refused(problem, "no levels"));
  problem.cells.assign(31, sparse::box<Dim>({}, Cell<Dim>::filled(2)));
  EXPECT_TRUE(refused(problem, "more than 30 levels"));
}

TYPED_TEST(CompositeFaults, FacesThatAreNotThoseOfLeavesAreRefusedWithThePlace) {
  constexpr int Dim = TypeParam::value;
  auto const one = [](Coord at) { return sparse::box<Dim>(Cell<Dim>::filled(at), Cell<Dim>::filled(at + 1)); };
  auto const with_face = [&](std::size_t level, Coord at) {
    auto problem = two_levels<Dim>();
    problem.dirichlet.resize(level + 1);
    problem.dirichlet[level][0] = one(at);
    return problem;
  };
  EXPECT_TRUE(refused(with_face(0, 5), "level 0: a Dirichlet face is not a leaf's, at (5, 5"));
  EXPECT_TRUE(refused(with_face(0, 2), "level 0: a Dirichlet face has cells on both sides, at (2, 2"));
  EXPECT_TRUE(refused(with_face(1, 8), "level 1: a Dirichlet face lies at an interface, at (8, 8"));
  EXPECT_TRUE(refused(with_face(1, 3), "level 1: a Dirichlet face is not a leaf's"));
  EXPECT_TRUE(refused(with_face(2, 3), "more levels than there are"));
  auto problem = two_levels<Dim>();
  problem.period[0] = 11;
  EXPECT_TRUE(refused(problem, "does not fit into one period on axis 0"));
  problem.period[0] = -1;
  EXPECT_TRUE(refused(problem, "period is negative"));
  problem = two_levels<Dim>();
  problem.coefficient = 0;
  EXPECT_TRUE(refused(problem, "coefficient must be positive"));
  problem = two_levels<Dim>();
  problem.grid.spacing[1] = 0;
  EXPECT_TRUE(refused(problem, "spacing is not positive"));
}

TYPED_TEST(CompositeFaults, WrongFieldsAndNumbersAreRefused) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = two_levels<Dim>();
  CompositeSolver<T, Dim> solver(problem);
  auto b = solver.matrix().fields("b"), x = solver.matrix().fields("x");
  auto few = solver.matrix().fields("few");
  few.pop_back();
  EXPECT_TRUE(is_refused([&] { solver.solve(few, x); }, "a field for each of the 2 levels, not 1"));
  auto wrong = solver.matrix().fields("wrong");
  wrong[1] = zero_field<T>(problem.cells[1] - sparse::box<Dim>(Cell<Dim>::filled(8), Cell<Dim>::filled(9)));
  EXPECT_TRUE(is_refused([&] { solver.solve(b, wrong); }, "on the leaves of level 1"));
  b[1].view().data[3] = std::numeric_limits<T>::quiet_NaN();
  EXPECT_TRUE(is_refused([&] { solver.solve(b, x); }, "right-hand side has a NaN"));
  b[1].view().data[3] = 1;
  x[0].view().data[3] = std::numeric_limits<T>::infinity();
  EXPECT_TRUE(is_refused([&] { solver.solve(b, x); }, "guess has a NaN"));
  EXPECT_TRUE(is_refused([&] { CompositeSolver<T, Dim> const none(problem, {0.0}); }, "tolerance"));
  EXPECT_TRUE(is_refused([&] { CompositeSolver<T, Dim> const none(problem, {}, 0); }, "sweeps"));
}

TYPED_TEST(CompositeFaults, FieldsThatNoGradientFitsIntoAreRefused) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  CompositeOperator<T, Dim> const matrix(two_levels<Dim>());
  auto const x = matrix.fields("x");
  auto few = matrix.fields("few");
  few.pop_back();
  auto of_all = matrix.face_fields("gradient"), of_interfaces = matrix.interface_fields("gradient");
  EXPECT_TRUE(is_refused([&] { matrix.gradient(of_all, few); }, "a field for each of the 2 levels, not 1"));
  EXPECT_TRUE(is_refused([&] { matrix.interface_gradient(of_interfaces, few); }, "a field for each of the 2 levels"));
  EXPECT_TRUE(is_refused([&] { matrix.gradient(of_interfaces, x); }, "the gradient, field 'gradient'"));
  EXPECT_TRUE(is_refused([&] { matrix.interface_gradient(of_all, x); }, "the gradient, field 'gradient'"));
  of_all.pop_back();
  of_interfaces.pop_back();
  EXPECT_TRUE(is_refused([&] { matrix.gradient(of_all, x); }, "fields on each level"));
  EXPECT_TRUE(is_refused([&] { matrix.interface_gradient(of_interfaces, x); }, "fields on each level"));
}

TYPED_TEST(CompositeFaults, LevelsWithTooManyCellsAreRefusedBeforeTheyTakeMemory) {
  constexpr int Dim = TypeParam::value;
  CompositeProblem<Dim> problem;
  auto end = Cell<Dim>::filled(1 << (Dim == 2 ? 12 : 6));  // few rows: 2^12
  end[0] = 1 << 19;
  problem.cells = {sparse::box<Dim>({}, end)};
  EXPECT_TRUE(refused(problem, "level 0: 2147483648 cells and their interfaces are too many for 32-bit positions"));
}

TYPED_TEST(CompositeFaults, CoefficientsThatAreMissingOrWrongAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto const with_one = [](double value, int wanted_level, Coord at) {  // on a face normal to axis 0
    auto problem = two_levels<Dim>();
    set_coefficients(problem, [&](int level, int axis, Cell<Dim> const& face) {
      auto const place = Cell<Dim>::filled(4 * (level + 1)) + Cell<Dim>::along(0, at - 4 * (level + 1));
      return level == wanted_level && axis == 0 && face == place ? value : 2;
    });
    return problem;
  };
  EXPECT_FALSE(refused(with_one(1, 1, 8), ""));
  std::string const rest = Dim == 2 ? ", 8)" : ", 8, 8)";
  auto const at_eight = "level 1: the coefficient is not positive on a face normal to axis 0 at (8" + rest;
  EXPECT_TRUE(refused(with_one(0, 1, 8), at_eight));
  EXPECT_TRUE(refused(with_one(std::nan(""), 1, 8), at_eight));
  EXPECT_TRUE(refused(with_one(-1, 1, 9), "normal to axis 0 at (9" + rest));
  EXPECT_TRUE(refused(with_one(HUGE_VAL, 0, 3), "level 0: the coefficient is not positive"));
  EXPECT_FALSE(refused(with_one(-1, 0, 4), ""));  // the coarse face of an interface has none
  auto problem = with_one(2, 0, 0);
  auto const all = problem.face_coefficient;
  for (Coord const at : {8, 9}) {
    auto const one = sparse::box<Dim>(Cell<Dim>::filled(8) + Cell<Dim>::along(0, at - 8),
                                      Cell<Dim>::filled(9) + Cell<Dim>::along(0, at - 8));
    auto const& whole = *all[1][0];
    problem.face_coefficient[1][0] = std::make_shared<sparse::Field<double, Dim>>("some", whole.domain() - one, 1.0);
    EXPECT_TRUE(
        refused(problem, "level 1: there is no coefficient on a face normal to axis 0 at (" + std::to_string(at)));
  }
  problem.face_coefficient = all;
  problem.face_coefficient[1][0] = nullptr;
  EXPECT_TRUE(refused(problem, "a field of face coefficients"));
  problem.face_coefficient.pop_back();
  EXPECT_TRUE(refused(problem, "for each level or for none"));
}

TYPED_TEST(CompositeFaults, ASolveThatCannotConvergeSaysSo) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = two_levels<Dim>();
  auto const b = uniform_fields<T>(problem, 1);
  auto x = uniform_fields<T>(problem, 2);
  auto const few = CompositeSolver<T, Dim>(problem, {1e-3, 1}).solve(b, x);
  EXPECT_EQ(few.reason, StopReason::iteration_limit);
  EXPECT_GT(few.true_residual, 1e-3);
  auto const rounded = CompositeSolver<T, Dim>(problem, {1e-30, 400}).solve(b, x);
  EXPECT_EQ(rounded.reason, StopReason::stagnated);
  EXPECT_LT(rounded.true_residual, 1000 * std::numeric_limits<T>::epsilon());
}

TYPED_TEST(CompositeFaults, ASingleLevelIsTheUniformSolverBitForBit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 10; ++seed) {
    Problem<Dim> single = random_problem<Dim>(seed);
    single.face_coefficient = {};
    CompositeProblem<Dim> const problem{{single.cells},      single.grid,        single.coefficient,
                                        single.zeroth_order, {single.dirichlet}, single.period};
    auto const b = uniform_fields<T>(problem, seed);
    auto x = uniform_fields<T>(problem, seed + 1), y = uniform_fields<T>(problem, seed + 1);
    auto const report = CompositeSolver<T, Dim>(problem, {1e-4}).solve(b, x);
    auto const expected = Solver<T, Dim>(single, {}, {1e-4}).solve(b[0], y[0]);
    EXPECT_EQ(report.iterations, expected.iterations);
    EXPECT_EQ(report.residuals, expected.residuals);
    auto const found = to_host(x[0]), wanted = to_host(y[0]);
    EXPECT_EQ(std::memcmp(found.data(), wanted.data(), found.size() * sizeof(T)), 0) << "seed " << seed;
  }
}
