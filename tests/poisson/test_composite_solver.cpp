/// Solutions of composite problems against a factorisation of the matrix made leaf by leaf.

#include <sparse/poisson/composite_solver.hpp>
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
