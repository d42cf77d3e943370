/// Ranks that share a Poisson problem find, bit by bit, what one process finds, in as many iterations.

#include <cmath>
#include <cstring>
#include <string>

#include <sparse/fields/transfer.hpp>
#ifdef SPARSE_HAS_HYPRE
#include <sparse/distributed/hypre.hpp>
#endif
#include <sparse/poisson/operator.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/poisson/traffic.hpp>
#include <sparse/sets/scaling.hpp>

#include "poisson_problems.hpp"
#include "team_of_test.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;
using sparse::Field;
using sparse::distributed::Curve;

template <class TheCase>
class PoissonOnRanks : public testing::Test {};
TYPED_TEST_SUITE(PoissonOnRanks, RealCases);

/// Values for each cell, the same on all ranks.
template <class T, int Dim>
Field<T, Dim> noise(IntervalSet<Dim> const& cells, std::uint32_t salt) {
  return field_of<T>(cells, [&](Cell<Dim> const& cell) {
    std::uint64_t hash = salt;
    for (int axis = 0; axis < Dim; ++axis) {
      hash = (hash ^ static_cast<std::uint32_t>(cell[axis])) * 0x9e3779b97f4a7c15ULL;
      hash ^= hash >> 29;
    }
    return static_cast<double>(hash >> 11) / 9007199254740992.0 - 0.5;
  });
}

template <class T, int Dim>
bool are_same(Field<T, Dim> const& a, Field<T, Dim> const& b) {
  auto const x = to_host(a), y = to_host(b);
  return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0);
}

template <class T, int Dim>
double greatest(Field<T, Dim> const& x) {
  double most = 0;
  for (T const value : to_host(x)) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}
template <class T, int Dim>
double greatest_difference(Field<T, Dim> const& a, Field<T, Dim> const& b) {
  auto difference = clone(a);
  sparse::add(difference, T(-1), b);
  return greatest(difference);
}

/// A solution with what its solver says.
template <class T, int Dim>
struct Solution {
  Report report;
  Field<T, Dim> x;
};
template <class T, int Dim>
Solution<T, Dim> solve(Solver<T, Dim>& solver, Field<T, Dim> const& b, Field<T, Dim> const& guess) {
  Solution<T, Dim> solution{{}, clone(guess)};
  solution.report = solver.solve(b, solution.x);
  return solution;
}

/// Solves a problem over ranks, cut along some curves, and in one process, both with exact sums and with plain ones.
template <class T, int Dim>
void check(Problem<Dim> const& problem, MultigridCg const& method, std::string const& name,
           std::vector<Curve> const& curves = {Curve::hilbert}) {
  StopRule const stop{std::is_same_v<T, float> ? 1e-5 : 1e-9, 60};
  auto const b = noise<T>(problem.cells, 1), guess = noise<T>(problem.cells, 2);
  auto const alone = sparse::distributed::alone();
  auto exact = problem, shared = problem;
  exact.team = alone.get();
  shared.team = &team_of_test();
  exact.has_exact_sums = shared.has_exact_sums = true;
  Solver<T, Dim> of_one(exact, method, stop), plain(problem, method, stop);
  auto const expected = solve(of_one, b, guess);
  for (Curve const curve : curves) {
    shared.partition.curve = curve;
    Solver<T, Dim> of_ranks(shared, method, stop);
    auto const own = of_ranks.matrix().cells();
    auto const found = solve(of_ranks, remap(b, own), remap(guess, own));
    ASSERT_EQ(found.report.iterations, expected.report.iterations) << name;
    ASSERT_EQ(found.report.residuals, expected.report.residuals) << name;
    ASSERT_EQ(found.report.true_residual, expected.report.true_residual) << name;
    ASSERT_EQ(found.report.incompatibility, expected.report.incompatibility) << name;
    ASSERT_TRUE(found.report.has_converged()) << name << ": a residual of " << found.report.true_residual << " after "
                                              << found.report.iterations << " iterations";
    ASSERT_TRUE(are_same(found.x, remap(expected.x, own))) << name;
  }

  shared.has_exact_sums = false;
  Solver<T, Dim> of_plain_ranks(shared, method, stop);
  auto const own = of_plain_ranks.matrix().cells();
  auto const usual = solve(plain, b, guess), of_ranks = solve(of_plain_ranks, remap(b, own), remap(guess, own));
  // Far less than what the tolerance leaves, in double.
  double const rounding = std::is_same_v<T, float> ? 1e-5 : 1e-11;
  double const difference = greatest_difference(usual.x, expected.x) / greatest(expected.x);
  if (team_of_test().rank() == 0)
    std::printf("  %s: %d iterations, plain sums change %.1e\n", name.c_str(), expected.report.iterations, difference);
  ASSERT_EQ(usual.report.iterations, expected.report.iterations) << name;
  ASSERT_LE(difference, rounding) << name;
  ASSERT_EQ(of_ranks.report.iterations, expected.report.iterations) << name;
  double const of_part = own.is_empty() ? 0 : greatest_difference(of_ranks.x, remap(usual.x, own));
  ASSERT_LE(of_part / greatest(expected.x), rounding) << name;
}

}  // namespace

TYPED_TEST(PoissonOnRanks, HasTheSolutionOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  std::size_t number = 0;
  for (auto const& [name, problem] : problems<Dim>()) {
    std::vector curves{Curve::hilbert};
    if (is_turn(number++)) curves.push_back(Curve::scattered);
    check<typename TypeParam::T, Dim>(problem, {}, name, curves);
  }
}

TYPED_TEST(PoissonOnRanks, HasItWithOtherCycles) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto const all = problems<Dim>();
  for (std::size_t const k : {std::size_t{2}, std::size_t{4}, std::size_t{7}}) {
    if (!is_turn(turn_of<T, Dim> + k / 2)) continue;
    check<T, Dim>(all[k].problem, {.preconditioner = {.cycle = Cycle::w, .sweeps = 1}}, all[k].name + ", W-cycles");
    check<T, Dim>(all[k].problem, {.preconditioner = {.sweeps = 3, .precision = Precision::same}},
                  all[k].name + ", three sweeps");
  }
}

TYPED_TEST(PoissonOnRanks, HasItWithLinearInterpolation) {
  constexpr int Dim = TypeParam::value;
  std::size_t number = 0;
  for (auto const& [name, problem] : problems<Dim>())
    if (is_turn(number++))
      check<typename TypeParam::T, Dim>(problem, {{.interpolation = Interpolation::linear}}, name + ", linear",
                                        {Curve::scattered});
}

TYPED_TEST(PoissonOnRanks, HasItWhereCoefficientsDiffer) {
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.least_shared_cells = least_shared;
  auto const size = wide<Dim>();
  problem.cells = sparse::box<Dim>({}, size) - sparse::ball<Dim>(middle(size), 0.2 * size[Dim - 1]);
  problem.period[0] = size[0];
  give_sides(problem, 1, 1);
  for (int axis = 0; axis < Dim; ++axis)
    problem.face_coefficient[axis] = std::make_shared<Field<double, Dim> const>(
        field_of<double>(sparse::faces(problem.cells, axis), [&](Cell<Dim> const& face) {
          double product = 1;
          for (int k = 0; k < Dim; ++k) product *= 2 + std::cos(2 * 3.14159265358979 * face[k] / size[k]);
          return product;
        }));
  check<typename TypeParam::T, Dim>(problem, {}, "coefficients by face");
}

TYPED_TEST(PoissonOnRanks, HasTheOperatorOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto const alone = sparse::distributed::alone();
  for (auto const& [name, problem] : problems<Dim>()) {
    auto exact = problem, shared = problem;
    exact.team = alone.get();
    shared.team = &team_of_test();
    exact.has_exact_sums = shared.has_exact_sums = true;
    Operator<T, Dim> const of_one(exact), of_ranks(shared);
    ASSERT_EQ(of_ranks.component_count(), of_one.component_count()) << name;
    ASSERT_EQ(of_ranks.singular_count(), of_one.singular_count()) << name;
    auto const own = of_ranks.cells();
    // Each cell has one owner.
    std::vector<std::int64_t> count{own.cell_count()};
    team_of_test().add(count);
    ASSERT_EQ(count[0], problem.cells.cell_count()) << name;
    ASSERT_TRUE((own - problem.cells).is_empty()) << name;

    auto b = noise<T>(problem.cells, 1), x = noise<T>(problem.cells, 2), result = clone(b);
    auto own_b = remap(b, own), own_x = remap(x, own), own_result = clone(own_b);
    for (int axis = 0; axis < Dim; ++axis) {
      of_one.add_boundary_values(b, axis, 1.25);
      of_ranks.add_boundary_values(own_b, axis, 1.25);
    }
    ASSERT_TRUE(are_same(own_b, remap(b, own))) << name;
    of_one.apply(result, x);
    of_ranks.apply(own_result, own_x);
    ASSERT_TRUE(are_same(own_result, remap(result, own))) << name;
    ASSERT_EQ(of_ranks.norm(own_x), of_one.norm(x)) << name;
    ASSERT_EQ(of_ranks.residual(own_result, own_b, own_x), of_one.residual(result, b, x)) << name;
    ASSERT_TRUE(are_same(own_result, remap(result, own))) << name;
    ASSERT_EQ(of_ranks.remove_means(own_x), of_one.remove_means(x)) << name;
    ASSERT_TRUE(are_same(own_x, remap(x, own))) << name;
  }
}

// Sets say what is sent: before a solution, b and the guess around a rank's cells; in a cycle on each shared level but
// the finest its right-hand side, then on all of them the correction, once before the coarser level's is added and once
// at the end; and the right-hand side of all cells of the first level that is not shared.
TYPED_TEST(PoissonOnRanks, SendsWhatSetsPredict) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  auto& team = team_of_test();
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, wide<Dim>()) - sparse::ball<Dim>(middle(wide<Dim>()), 5);
  problem.least_shared_cells = least_shared;
  problem.period[0] = wide<Dim>()[0];
  give_sides(problem, 1, 0);
  problem.team = &team;
  constexpr int sweeps = 2, reach = 2 * sweeps + 1;
  Solver<T, Dim> solver(problem, MultigridCg{{.sweeps = sweeps}}, {1e-4});
  auto const before = team.sent();
  auto const own = solver.matrix().cells();
  auto x = zero_field<T>(own);
  int const cycles = solver.solve(noise<T>(own, 1), x).iterations;
  std::vector<std::int64_t> sent{team.sent().bytes - before.bytes};
  team.add(sent);

  Index values_before = 0, values_per_cycle = 0;
  auto all = problem.cells, mine = own, finer = IntervalSet<Dim>();
  auto period = problem.period[0];
  for (int level = 0; team.size() > 1; ++level) {
    if (all.cell_count() < least_shared) {
      values_per_cycle += all.cell_count() - mine.cell_count();
      break;
    }
    auto near = mine.is_empty() ? mine : sparse::expand(mine, reach, sparse::Element::diamond);
    near = ((near | sparse::shift(near, 0, period) | sparse::shift(near, 0, -period)) & all) | finer;
    Index const around = (near - mine).cell_count();
    if (level == 0) values_before = 2 * around;
    values_per_cycle += (level == 0 ? 2 : 3) * around;
    finer = near.is_empty() ? near : sparse::coarsen(near);
    all = sparse::coarsen(all);
    mine = mine.is_empty() ? mine : sparse::coarsen(mine);
    period /= 2;
  }
  std::vector<std::int64_t> expected{values_before * static_cast<Index>(sizeof(T)) +
                                     cycles * values_per_cycle * static_cast<Index>(sizeof(float))};
  team.add(expected);
  EXPECT_EQ(sent, expected);
  // And so says the prediction.
  std::vector<std::int64_t> predicted{0};
  for (auto const& level : cycle_traffic(problem, team.size(), {.sweeps = sweeps})) {
    Index cells = 0;
    for (auto const& rank : level.ranks)
      for (auto const& delivery : rank.halo) cells += delivery.cell_count;
    predicted[0] += cells * (level.exchanges_before * static_cast<Index>(sizeof(T)) +
                             cycles * level.exchange_count * static_cast<Index>(sizeof(float)));
  }
  EXPECT_EQ(predicted, sent);
  if (team.rank() == 0) std::printf("  %ld bytes in %d cycles\n", static_cast<long>(sent[0]), cycles);
}

// From a few cells on: down to levels on which means are removed, and to the coarsest one.
TYPED_TEST(PoissonOnRanks, SharesSmallLevels) {
  constexpr int Dim = TypeParam::value;
  std::size_t number = 0;
  for (Index const least : {1, 256})
    for (auto const& [name, problem] : problems<Dim>()) {
      if (!is_turn(number++)) continue;
      auto small = problem;
      small.least_shared_cells = least;
      check<typename TypeParam::T, Dim>(small, {}, name + ", shared from " + std::to_string(least) + " cells on");
    }
}

TEST(PoissonOnRanksRefuses, MethodsThatCannotDoIt) {
  Problem<2> problem;
  problem.cells = sparse::box<2>({0, 0}, {16, 16});
  problem.team = &team_of_test();
  for (auto const& method : methods) {
    if (is<MultigridCg>(method)) continue;
    EXPECT_TRUE(is_refused([&] { Solver<double, 2>(problem, method); },
                           std::string("ranks cannot share a problem that ") + name_of(method) + " solves"));
  }
  EXPECT_TRUE(is_refused([&] { Solver<double, 2>(problem, MultigridCg{{.sweeps = 0}}); }, "sweeps"));
  problem.least_shared_cells = 0;
  EXPECT_TRUE(is_refused([&] { Solver<double, 2>{problem}; }, "must have cells"));
}

TEST(PoissonOnRanksRefuses, AFieldThatIsWrongOnOneRank) {
  auto& team = team_of_test();
  Problem<2> problem;
  problem.cells = sparse::box<2>({0, 0}, {16, 16});
  problem.team = &team;
  Solver<double, 2> solver(problem);
  auto const own = solver.matrix().cells();
  bool const is_last = team.rank() + 1 == team.size();
  auto b = zero_field<double>(own), x = zero_field<double>(own);
  auto wrong = zero_field<double>(is_last ? sparse::box<2>({0, 0}, {3, 3}) : own);
  EXPECT_TRUE(is_refused([&] { solver.solve(wrong, x); }, "right-hand side"));
  EXPECT_TRUE(is_refused([&] { solver.solve(b, wrong); }, "solution"));
  EXPECT_TRUE(is_refused([&] { solver.matrix().norm(wrong); }, "on the cells of the rank"));
  if (is_last && !own.is_empty()) set_values(b, std::vector<double>(static_cast<std::size_t>(own.cell_count()), NAN));
  bool const has_nan = !team.all(!(is_last && !own.is_empty()));
  if (has_nan) {
    EXPECT_TRUE(is_refused([&] { solver.solve(b, x); }, "NaN"));
  }
}

#ifdef SPARSE_HAS_HYPRE
TYPED_TEST(PoissonOnRanks, HypreHasTheSolutionOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  StopRule const stop{std::is_same_v<T, float> ? 1e-5 : 1e-9, 100};
  auto const all = problems<Dim>();
  for (std::size_t const k : {std::size_t{1}, std::size_t{2}, std::size_t{5}, std::size_t{8}, all.size() - 1}) {
    auto const& [name, problem] = all[k];
    auto const b = noise<T>(problem.cells, 1), guess = noise<T>(problem.cells, 2);
    Solver<T, Dim> plain(problem, {}, stop);
    auto const expected = solve(plain, b, guess);
    auto shared = problem;
    shared.team = &team_of_test();
    Solver<T, Dim> of_ranks(shared, Assembled{sparse::distributed::hypre}, stop);
    auto const own = of_ranks.matrix().cells();
    auto const found = solve(of_ranks, remap(b, own), remap(guess, own));
    ASSERT_TRUE(found.report.has_converged()) << name << ": " << found.report.true_residual;
    // What the tolerance leaves is that times the condition of the problem, which is some thousand here.
    double const difference = own.is_empty() ? 0 : greatest_difference(found.x, remap(expected.x, own));
    ASSERT_LE(difference / greatest(expected.x), 10 * 1000 * stop.tolerance) << name;
    if (team_of_test().rank() == 0)
      std::printf("  %s: %d iterations, differs by %.1e\n", name.c_str(), found.report.iterations,
                  difference / greatest(expected.x));
  }
}
#endif
