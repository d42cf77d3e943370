/// Ranks that share a composite Poisson problem find, bit by bit, what one process finds.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/poisson/composite_solver.hpp>
#include <support/composite.hpp>

#include "poisson_problems.hpp"
#include "team_of_test.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;
using sparse::distributed::Curve;

template <class TheCase>
class CompositeOnRanks : public testing::Test {};
TYPED_TEST_SUITE(CompositeOnRanks, RealCases);

/// The same problem, shared by the ranks of the test, each with as small a part as can be.
template <int Dim>
CompositeProblem<Dim> shared(CompositeProblem<Dim> problem, unsigned seed, bool has_exact_sums = true) {
  problem.team = &team_of_test();
  problem.has_exact_sums = has_exact_sums;
  problem.partition.least_work = 1;
  problem.least_shared_cells = seed % 3 == 0 ? 1000000 : Dim == 2 ? 64 : 512;
  if (seed % 2 == 1) problem.partition.curve = Curve::scattered;
  return problem;
}

/// The values that a rank has of fields on all leaves.
template <class T, int Dim>
LevelFields<T, Dim> part_of(LevelFields<T, Dim> const& all, CompositeOperator<T, Dim> const& matrix) {
  LevelFields<T, Dim> part;
  for (int l = 0; l < matrix.level_count(); ++l)
    part.push_back(remap(all[static_cast<std::size_t>(l)], matrix.leaves(l)));
  return part;
}
/// Those on faces. @param fields  those of the rank
template <class Faces>
Faces faces_of_part(Faces const& all, Faces const& fields) {
  Faces part(fields.size());
  for (std::size_t l = 0; l < part.size(); ++l)
    for (std::size_t axis = 0; axis < part[l].size(); ++axis)
      part[l][axis] = remap(all[l][axis], fields[l][axis].domain());
  return part;
}
double greatest(Values const& x) {
  double most = 0;
  for (double const value : x) most = std::max(most, std::abs(value));
  return most;
}

template <class T, int Dim>
void check_operator(CompositeProblem<Dim> const& problem, unsigned seed) {
  CompositeOperator<T, Dim> const of_one(with_exact_sums(problem)), of_ranks(shared(problem, seed));
  ASSERT_EQ(of_ranks.leaf_count(), of_one.leaf_count());
  ASSERT_EQ(of_ranks.component_count(), of_one.component_count());
  ASSERT_EQ(of_ranks.singular_count(), of_one.singular_count());
  std::vector<std::int64_t> count{0};  // each leaf has one owner
  for (int l = 0; l < of_one.level_count(); ++l) {
    count[0] += of_ranks.leaves(l).cell_count();
    ASSERT_TRUE((of_ranks.leaves(l) - of_one.leaves(l)).is_empty());
  }
  team_of_test().add(count);
  ASSERT_EQ(count[0], of_one.leaf_count());

  auto b = uniform_fields<T>(problem, seed), x = uniform_fields<T>(problem, seed + 1000),
       result = of_one.fields("result");
  auto own_b = part_of(b, of_ranks), own_x = part_of(x, of_ranks), own_result = of_ranks.fields("result");
  auto const given = given_fields(problem, [](int level, int axis, Cell<Dim> const& face) {
    return 1 + 0.25 * level + 0.5 * axis + std::sin(1.0 * face[0] + 2.0 * face[1]);
  });
  of_one.add_boundary_values(b, given);
  of_ranks.add_boundary_values(own_b, given);
  ASSERT_EQ(values_of(own_b), values_of(part_of(b, of_ranks)));
  of_one.apply(result, x);
  of_ranks.apply(own_result, own_x);
  ASSERT_EQ(values_of(own_result), values_of(part_of(result, of_ranks)));

  auto gradient = of_one.face_fields("gradient"), own_gradient = of_ranks.face_fields("gradient");
  of_one.gradient(gradient, x, given);
  of_ranks.gradient(own_gradient, own_x, given);
  ASSERT_EQ(face_values(own_gradient), face_values(faces_of_part(gradient, own_gradient)));
  auto at_interfaces = of_one.interface_fields("gradient"), own_at_interfaces = of_ranks.interface_fields("gradient");
  of_one.interface_gradient(at_interfaces, x, given);
  of_ranks.interface_gradient(own_at_interfaces, own_x, given);
  ASSERT_EQ(face_values(own_at_interfaces), face_values(faces_of_part(at_interfaces, own_at_interfaces)));

  ASSERT_EQ(of_ranks.norm(own_x), of_one.norm(x));
  ASSERT_EQ(of_ranks.residual(own_result, own_b, own_x), of_one.residual(result, b, x));
  ASSERT_EQ(values_of(own_result), values_of(part_of(result, of_ranks)));
  ASSERT_EQ(of_ranks.remove_means(own_x), of_one.remove_means(x));
  ASSERT_EQ(values_of(own_x), values_of(part_of(x, of_ranks)));

  double const rounding = std::is_same_v<T, float> ? 1e-5 : 1e-13;
  CompositeOperator<T, Dim> const plain(problem), of_plain_ranks(shared(problem, seed, false));
  ASSERT_NEAR(of_plain_ranks.norm(own_b), plain.norm(b), rounding * plain.norm(b));
  ASSERT_NEAR(of_plain_ranks.remove_means(own_b), plain.remove_means(b), rounding);
  ASSERT_LE(greatest(difference(values_of(own_b), values_of(part_of(b, of_ranks)))), rounding * greatest(values_of(b)));
}

/// Solves a problem in one process and over ranks, both with exact sums and with plain ones.
template <class T, int Dim>
void check_solver(CompositeProblem<Dim> const& problem, unsigned seed, int sweeps = 2) {
  double const tolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;
  auto const b = uniform_fields<T>(problem, seed), guess = uniform_fields<T>(problem, seed + 1000);
  auto const solve = [&](CompositeProblem<Dim> const& of, LevelFields<T, Dim>& x) {
    CompositeSolver<T, Dim> solver(of, {tolerance, 60}, sweeps);
    x = part_of(guess, solver.matrix());
    return solver.solve(part_of(b, solver.matrix()), x);
  };
  CompositeOperator<T, Dim> const of_ranks(shared(problem, seed));
  LevelFields<T, Dim> x, own_x;
  auto const expected = solve(with_exact_sums(problem), x), found = solve(shared(problem, seed), own_x);
  ASSERT_EQ(found.residuals, expected.residuals);
  ASSERT_EQ(found.true_residual, expected.true_residual);
  ASSERT_EQ(found.incompatibility, expected.incompatibility);
  ASSERT_EQ(found.reason, expected.reason);
  ASSERT_EQ(values_of(own_x), values_of(part_of(x, of_ranks)));

  // With plain sums, cycles in float turn a rounding error of a factor into another solution within the tolerance. Some
  // of these problems take tens of iterations, and then a few more or less.
  LevelFields<T, Dim> plain_x, own_plain_x;
  auto const plain = solve(problem, plain_x), shared_plain = solve(shared(problem, seed, false), own_plain_x);
  ASSERT_LE(shared_plain.true_residual, 100 * std::max(tolerance, plain.true_residual));
  if (plain.iterations > 12) return;
  ASSERT_EQ(shared_plain.iterations, plain.iterations);
  ASSERT_LE(greatest(difference(values_of(own_plain_x), values_of(part_of(plain_x, of_ranks)))),
            100 * tolerance * (greatest(values_of(plain_x)) + greatest(values_of(b))));
}

/// Three levels around a ball, wide enough that ranks have no cells of some windows.
template <int Dim>
CompositeProblem<Dim> around_ball() {
  Coord const n = Dim == 2 ? 32 : 12;
  auto const box = sparse::box<Dim>({}, Cell<Dim>::filled(n));
  std::vector<IntervalSet<Dim>> domain{box};
  for (std::size_t l = 1; l < 3; ++l) domain.push_back(refine(domain[l - 1]));
  domain[2] = domain[2] - sparse::ball<Dim>(Vec<double, Dim>::filled(1.8 * n), 0.3 * n);
  for (std::size_t l = 2; l-- > 0;) domain[l] = coarsen(domain[l + 1]);
  auto const near = [&](double radius, double scale) {
    return sparse::ball<Dim>(Vec<double, Dim>::filled(0.45 * scale * n), radius * scale * n);
  };
  CompositeProblem<Dim> problem;
  problem.cells = nested_levels<Dim>(domain, {near(0.3, 1) & domain[0], near(0.2, 2) & domain[1]});
  problem.dirichlet.resize(1);
  problem.dirichlet[0][0] =
      faces(domain[0], 0) & sparse::box<Dim>({}, Cell<Dim>::filled(n) - Cell<Dim>::along(0, n - 1));
  return problem;
}

}  // namespace

TYPED_TEST(CompositeOnRanks, HasTheOperatorOfOneProcess) {
  for (unsigned seed = 0; seed < 4 + seed_count / 10; ++seed) {
    if (!is_turn(seed / 2)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_operator<typename TypeParam::T, TypeParam::value>(random_composite<TypeParam::value>(seed), seed);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(CompositeOnRanks, HasTheSolutionOfOneProcess) {
  for (unsigned seed = 0; seed < 4 + seed_count / 10; ++seed) {
    if (!is_turn(seed / 2)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    check_solver<typename TypeParam::T, TypeParam::value>(random_composite<TypeParam::value>(seed), seed,
                                                          1 + static_cast<int>(seed % 3));
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(CompositeOnRanks, HasItAroundABall) {
  constexpr int Dim = TypeParam::value;
  auto const problem = around_ball<Dim>();
  for (unsigned const seed : {0u, 1u}) {
    check_operator<typename TypeParam::T, Dim>(problem, seed);
    check_solver<typename TypeParam::T, Dim>(problem, seed);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(CompositeOnRanks, HasASingleLevel) {
  constexpr int Dim = TypeParam::value;
  CompositeProblem<Dim> problem;
  problem.cells = {sparse::box<Dim>(Cell<Dim>::filled(-7), Cell<Dim>::filled(9)) -
                   sparse::ball<Dim>(Vec<double, Dim>::filled(1), 3)};
  check_operator<typename TypeParam::T, Dim>(problem, 0);
  check_solver<typename TypeParam::T, Dim>(problem, 0);
}

// One rank's mistake is refused on all; else the others would wait for it.
TEST(CompositeOnRanks, RefusesAFieldThatDoesNotFitOnAllRanks) {
  auto const problem = shared(around_ball<2>(), 0);
  CompositeSolver<double, 2> solver(problem);
  auto b = solver.matrix().fields("b");
  auto x = solver.matrix().fields("x");
  if (team_of_test().rank() == team_of_test().size() - 1) b.pop_back();
  EXPECT_THROW(solver.solve(b, x), std::invalid_argument);
}

TEST(CompositeOnRanks, RefusesAProblemOnAllRanks) {
  auto problem = shared(around_ball<2>(), 0);
  problem.grid.spacing = {1, 0};
  EXPECT_THROW((CompositeOperator<double, 2>(problem)), std::invalid_argument);
  EXPECT_THROW((CompositeSolver<double, 2>(problem)), std::invalid_argument);
}
