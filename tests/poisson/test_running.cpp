/// How Poisson solvers run: the same bits on any number of threads, labels, and no allocations once warm.

#include <array>
#include <cstdio>
#include <cstring>

#include <sparse/poisson/composite_solver.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/poisson.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

template <class TheCase>
class PoissonRunning : public testing::Test {};
TYPED_TEST_SUITE(PoissonRunning, RealCases);

/// Enough cells for several threads. The last axis is periodic, so the first tile touches the last one.
template <int Dim>
Problem<Dim> large_problem() {
  Coord const width = Dim == 2 ? 304 : 48;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(width)) -
                  sparse::ball<Dim>(Vec<double, Dim>::filled(0.4 * width), 0.2 * width);
  auto end = Cell<Dim>::filled(width);
  end[0] = 1;
  problem.dirichlet[0] = sparse::box<Dim>({}, end);
  problem.period[Dim - 1] = width;
  return problem;
}

template <class T, int Dim>
std::vector<T> solution(Problem<Dim> const& problem, Method method) {
  method = with_cycles(method, {.interpolation = Dim == 2 ? Interpolation::constant : Interpolation::linear});
  if (is<Sor>(method)) method = Sor{1.9};
  if (is<Chebyshev>(method)) method = Chebyshev{1e-3};
  auto x = zero_field<T>(problem.cells);
  Solver<T, Dim>(problem, method, {1e-4, 5}).solve(uniform_field<T>(problem.cells, 1), x);
  return to_host(x);
}

/// FNV-1a over the bytes of the values.
template <class T>
std::uint64_t hash_of(std::vector<T> const& values) {
  std::uint64_t hash = 14695981039346656037u;
  for (T const value : values) {
    std::array<unsigned char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    for (unsigned char const byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  }
  return hash;
}

}  // namespace

// Prints the bits. A test below runs this one in other processes, with other numbers of threads.
TYPED_TEST(PoissonRunning, GivesTheSameBitsEveryTime) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const problem = large_problem<Dim>();
  for (Method const& method : methods) {
    auto const bits = hash_of(solution<T>(problem, method));
    if (is<MultigridCg>(method)) {
      EXPECT_EQ(hash_of(solution<T>(problem, method)), bits);
    }
    std::printf("bits %s %016lx\n", name_of(method), static_cast<unsigned long>(bits));
  }
}

// Each plane has enough cells for a tile of its own.
TEST(PoissonOnThreads, GivesTheSameBitsEveryTimeInLargePlanes) {
  Problem<3> problem;
  problem.cells = sparse::box<3>({}, {70, 70, 70});
  for (Method const& method : {Method(MultigridCg{}), Method(FullMultigrid{})})
    std::printf("bits %s %016lx\n", name_of(method),
                static_cast<unsigned long>(hash_of(solution<float>(problem, method))));
}

// Both levels have enough leaves for several threads, and the interface enough faces.
TEST(PoissonOnThreads, GivesTheSameBitsEveryTimeOnLevels) {
  CompositeProblem<2> problem;
  problem.cells = {sparse::box<2>({}, {400, 400}), refine(sparse::ball<2>({180, 220}, 110))};
  CompositeSolver<double, 2> solver(problem, {1e-8, 5});
  auto b = solver.matrix().fields("b"), x = solver.matrix().fields("x");
  for (std::size_t l = 0; l < b.size(); ++l) b[l] = uniform_field<double>(b[l].domain(), 1);
  solver.solve(b, x);
  for (auto const& field : x) std::printf("bits levels %016lx\n", static_cast<unsigned long>(hash_of(to_host(field))));
}

TEST(PoissonOnThreads, GivesTheSameBitsOnAnyNumberOfThem) {
  auto const bits_with = [](int thread_count) { return bits_on_threads("*GivesTheSameBitsEveryTime*", thread_count); };
  auto const one = bits_with(1);
  EXPECT_EQ(one.size(), real_case_count * std::size(methods) + 4);
  EXPECT_EQ(bits_with(4), one);
}

TYPED_TEST(PoissonRunning, FollowsTheLabelRule) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  KokkosWatch const watch;
  auto problem = random_problem<Dim>(3, false);
  add_coefficients(problem);
  auto closed = problem;
  closed.dirichlet = {};
  closed.zeroth_order = 0;
  for (auto const& each : {problem, closed})
    for (Method const& method : methods)
      if (can_do(method, each)) solution<T>(each, method);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}

TYPED_TEST(PoissonRunning, AllocatesNothingOnceWarm) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(20));
  auto const b = uniform_field<T>(problem.cells, 1);
  for (Method const& method : methods) {
    Solver<T, Dim> solver(problem, method, {1e-4, 20});
    auto x = zero_field<T>(problem.cells);
    solver.solve(b, x);
    fill(x, 0);
    KokkosWatch const watch;
    solver.solve(b, x);
    EXPECT_EQ(watch.allocation_count(), 0) << name_of(method) << ": " << watch.allocation_labels();
  }
}
