/// Solutions of composite problems against a factorisation of the matrix made leaf by leaf.

#include <sparse/poisson/composite_solver.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/composite.hpp>

namespace {

using namespace reference;
using sparse::poisson::CompositeOperator;
using sparse::poisson::CompositeSolver;
using sparse::poisson::Report;
using sparse::poisson::StopReason;

template <class TheCase>
class CompositePoissonSolver : public testing::Test {};
TYPED_TEST_SUITE(CompositePoissonSolver, RealCases);

/// Solves a x = b by elimination with pivots. On singular components, means weighted by volumes are 0.
Values eliminated(Matrix a, Values b, std::vector<double> const& volumes) {
  auto const components = singular_components(a);
  auto const remove = [&](Values& x) {
    for (auto const& component : components) {
      double sum = 0, volume = 0;
      for (auto const i : component) {
        sum += volumes[i] * x[i];
        volume += volumes[i];
      }
      for (auto const i : component) x[i] -= sum / volume;
    }
  };
  remove(b);
  for (auto const& component : components)
    for (auto const i : component)
      for (auto const j : component) a[i][j] += volumes[j];
  std::size_t const n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      double const factor = a[i][k] / a[k][k];
      if (factor == 0) continue;
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  remove(b);
  return b;
}

}  // namespace

TYPED_TEST(CompositePoissonSolver, FindsTheSolutionOfAFactorisation) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  unsigned const count = std::is_same_v<T, double> ? seed_count : seed_count / 10;
  double const tolerance = std::is_same_v<T, double> ? 1e-10 : 1e-4;  // above the rounding errors of A x
  for (unsigned seed = 0; seed < count; ++seed) {
    auto const problem = random_composite<Dim>(seed);
    CompositeReference<Dim> const exact(problem);
    auto const a = exact.matrix();
    std::vector<double> volumes;
    for (auto const& [level, leaf] : exact.places()) volumes.push_back(exact.volume(level));
    CompositeSolver<T, Dim> solver(problem, {tolerance, 60});
    auto const b = uniform_fields<T>(problem, seed);
    auto x = uniform_fields<T>(problem, seed + 1000);
    Report const report = solver.solve(b, x);
    ASSERT_TRUE(report.has_converged()) << "seed " << seed << " " << name_of(report.reason) << report.true_residual;
    auto const wanted = eliminated(a, values_of(b), volumes);
    EXPECT_LE(length(difference(values_of(x), wanted)), 1000 * tolerance * (length(wanted) + length(values_of(b))))
        << "seed " << seed;
  }
}

namespace {

/// Solves on larger and larger sets. Leaves get what they get alone, other cells keep their values.
template <class T, int Dim>
void solve_beyond_leaves(CompositeProblem<Dim> const& problem, unsigned seed) {
  CompositeSolver<T, Dim> solver(problem, {1e-4, 60});
  auto const b = uniform_fields<T>(problem, seed), guess = uniform_fields<T>(problem, seed + 1000);
  auto x = uniform_fields<T>(problem, seed + 1000);
  auto gradient = solver.matrix().interface_fields("gradient");
  EXPECT_TRUE(is_refused([&] { solver.interface_gradient(gradient); }, "no last solution"));
  auto const report = solver.solve(b, x);
  EXPECT_NEAR(report.right_side, solver.matrix().norm(b), 1e-5 * report.right_side) << "seed " << seed;
  {  // numbers that cycles in float cannot have
    double const factor = std::ldexp(1, -100);
    auto tiny = uniform_fields<T>(problem, seed), y = uniform_fields<T>(problem, seed + 1000);
    for (auto* const fields : {&tiny, &y})
      for (auto& field : *fields) scale(field, static_cast<T>(factor));
    EXPECT_NEAR(solver.solve(tiny, y).right_side / factor, report.right_side, 1e-5 * report.right_side);
  }
  solver.matrix().interface_gradient(gradient, x);
  auto const of_x = face_values(gradient);
  constexpr T other = 7;
  for (Coord const beyond : {0, 1, 3, 1}) {
    sparse::poisson::LevelFields<T, Dim> wide;
    for (auto const& field : guess) {
      auto const& leaves = field.domain();
      auto const known = value_map(field);
      wide.push_back(field_of<T>(leaves.is_empty() ? leaves : expand(leaves, beyond), [&](Cell<Dim> const& cell) {
        return leaves.contains(cell) ? static_cast<T>(known.at(cell)) : other;
      }));
    }
    solver.solve(b, wide);
    for (std::size_t l = 0; l < x.size(); ++l) {
      auto const solved = value_map(x[l]);
      for (auto const& [cell, value] : value_map(wide[l])) {
        bool const is_leaf = x[l].domain().contains(cell);
        ASSERT_EQ(value, is_leaf ? solved.at(cell) : other)
            << "seed " << seed << " level " << l << " beyond " << beyond;
      }
    }
    solver.interface_gradient(gradient);
    EXPECT_EQ(face_values(gradient), of_x) << "seed " << seed;
    solver.forget_fields();
    solver.interface_gradient(gradient, wide);
    EXPECT_EQ(face_values(gradient), of_x) << "seed " << seed;
    auto const first = wide[0].domain();
    wide[0] = sparse::Field<T, Dim>("x", first - sparse::box<Dim>(first.bounds().begin, first.bounds().end), T(0));
    if (!x[0].domain().is_empty()) {
      EXPECT_TRUE(is_refused([&] { solver.solve(b, wide); }, "on the leaves of level 0")) << "seed " << seed;
    }
  }
}

}  // namespace

TYPED_TEST(CompositePoissonSolver, SolvesOnSetsThatContainTheLeaves) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 20; ++seed)
    solve_beyond_leaves<typename TypeParam::T>(random_composite<Dim>(seed), seed);
  CompositeProblem<Dim> one;  // level
  one.cells = {set_of(reference::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(6)))};
  solve_beyond_leaves<typename TypeParam::T>(one, 0);
}

/// The same problem with coefficients that are no numbers, 0 or negative on faces that nothing flows through.
template <int Dim>
CompositeProblem<Dim> with_nonsense_on_closed_faces(CompositeProblem<Dim> problem, Index& closed_count) {
  CompositeReference<Dim> const levels(problem);
  double const nonsense[] = {std::nan(""), 0, -3};
  for (int l = 0; l < static_cast<int>(problem.cells.size()); ++l)
    for (int axis = 0; axis < Dim; ++axis) {
      auto& field = problem.face_coefficient[static_cast<std::size_t>(l)][axis];
      auto const given = value_map(*field);
      auto const level = static_cast<std::size_t>(l);
      bool const has_sides = level < problem.dirichlet.size();
      auto const dirichlet = has_sides ? problem.dirichlet[level][static_cast<std::size_t>(axis)] : IntervalSet<Dim>();
      field =
          std::make_shared<sparse::Field<double, Dim>>(field_of<double>(field->domain(), [&](Cell<Dim> const& face) {
            auto const below = face - Cell<Dim>::along(axis, 1);
            auto const is_flow_between = [&](Cell<Dim> const& leaf, Cell<Dim> const& other) {
              return levels.is_leaf(l, leaf) &&
                     (levels.is_leaf(l, other) ||
                      (!levels.has(l, other) && levels.is_leaf(l - 1, levels.parent(other))));
            };
            bool const is_open =
                is_flow_between(below, face) || is_flow_between(face, below) || dirichlet.contains(face);
            return is_open ? given.at(face) : nonsense[closed_count++ % 3];
          }));
    }
  return problem;
}

TYPED_TEST(CompositePoissonSolver, HeedsNoCoefficientWhereNothingFlows) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Index closed_count = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    auto const problem = random_composite<Dim>(seed);
    if (problem.face_coefficient.empty()) continue;
    auto const b = uniform_fields<T>(problem, seed);
    auto x = uniform_fields<T>(problem, seed + 1000), same = uniform_fields<T>(problem, seed + 1000);
    CompositeSolver<T, Dim>(problem, {1e-4, 60}).solve(b, x);
    CompositeSolver<T, Dim>(with_nonsense_on_closed_faces(problem, closed_count), {1e-4, 60}).solve(b, same);
    ASSERT_EQ(values_of(x), values_of(same)) << "seed " << seed;
  }
  EXPECT_GT(closed_count, 100);
}

namespace {

/// Problems on the same domain, of which each refines other cells of one level than the one before. Sets of cells that
/// are equal to those before are the same values.
template <int Dim>
std::vector<CompositeProblem<Dim>> changing_levels(unsigned seed, int count) {
  auto engine = random_engine(seed);
  std::size_t const finest = Dim == 2 ? 4 : 3;
  CompositeProblem<Dim> problem;
  auto const size = Cell<Dim>::filled(Dim == 2 ? 12 : 6);
  for (int axis = 0; axis < Dim; ++axis)
    if (random_int(engine, 0, 2) == 0) problem.period[axis] = size[axis];
  std::vector<IntervalSet<Dim>> domain(finest + 1);
  domain[finest] = set_of(reference::box<Dim>(Cell<Dim>::filled(0), static_cast<Coord>(1 << finest) * size));
  double const width = size[0] * std::exp2(finest);
  if (seed % 2 == 1)  // a body that cuts off children
    domain[finest] = domain[finest] - sparse::ball<Dim>(Vec<double, Dim>::filled(0.5 * width), 0.27 * width);
  for (std::size_t l = finest; l-- > 0;) domain[l] = coarsen(domain[l + 1]);
  std::vector<IntervalSet<Dim>> wanted(finest);
  auto const draw = [&](std::size_t l) {
    Cells<Dim> some;
    for (int k = 0; k < 2; ++k) {
      Cell<Dim> cell;
      for (int axis = 0; axis < Dim; ++axis) cell[axis] = random_int(engine, 0, (size[axis] << l) - 1);
      some.insert(cell);
    }
    wanted[l] = set_of(some) & domain[l];
  };
  for (std::size_t l = 0; l < finest; ++l) draw(l);
  bool const has_dirichlet = random_int(engine, 0, 1) == 0;
  std::vector<CompositeProblem<Dim>> all;
  for (int k = 0; k < count; ++k) {
    if (k > 0) draw(static_cast<std::size_t>(random_int(engine, 0, static_cast<int>(finest) - 1)));
    problem.cells = nested_levels(domain, wanted, problem.period);
    for (std::size_t l = 0; k > 0 && l < problem.cells.size(); ++l)
      if (l < all.back().cells.size() && problem.cells[l] == all.back().cells[l])
        problem.cells[l] = all.back().cells[l];
    CompositeReference<Dim>(problem).draw_dirichlet_faces(problem, has_dirichlet ? 1 : 0, engine);
    all.push_back(problem);
  }
  return all;
}

}  // namespace

TYPED_TEST(CompositePoissonSolver, ChangesLevels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  unsigned const seeds = std::is_same_v<T, double> ? 24 : 6;
  double const tolerance = std::is_same_v<T, double> ? 1e-8 : 1e-4;
  int kept_count = 0, changed_count = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    auto const problems = changing_levels<Dim>(seed, 6);
    CompositeSolver<T, Dim> solver(problems[0], {tolerance, 60});
    std::vector<void const*> last;
    for (auto const& problem : problems) {
      if (&problem != &problems[0]) solver.change(problem);
      CompositeSolver<T, Dim> fresh(problem, {tolerance, 60});
      auto const b = uniform_fields<T>(problem, seed);
      auto const solved = [&](CompositeSolver<T, Dim>& by) {
        auto x = uniform_fields<T>(problem, seed + 1000);
        EXPECT_TRUE(by.solve(b, x).has_converged()) << "seed " << seed;
        auto all = values_of(x);
        auto gradient = by.matrix().interface_fields("gradient");
        by.matrix().interface_gradient(gradient, x);
        for (double const value : face_values(gradient)) all.push_back(value);
        return all;
      };
      auto const wanted = solved(fresh);
      ASSERT_EQ(solved(solver), wanted) << "seed " << seed;
      // A problem that is refused changes nothing, and fields are made again.
      for (auto const& cells : {refine(refine(problem.cells.back())), IntervalSet<Dim>()}) {
        auto wrong = problem;
        wrong.cells.push_back(cells);
        EXPECT_THROW(solver.change(wrong), std::invalid_argument) << "seed " << seed;
      }
      solver.forget_fields();
      ASSERT_EQ(solved(solver), wanted) << "seed " << seed;
      // Sets of faces that were not made again are the same values.
      std::vector<void const*> now;
      for (auto const& of_level : solver.matrix().interface_fields("gradient"))
        now.push_back(of_level[0].domain().identity());
      for (std::size_t l = 1; l < std::min(now.size(), last.size()); ++l)
        ++(now[l] != nullptr && now[l] == last[l] ? kept_count : changed_count);
      last = now;
    }
  }
  EXPECT_GT(kept_count, static_cast<int>(seeds) / 2);
  EXPECT_GT(changed_count, static_cast<int>(seeds));
}
