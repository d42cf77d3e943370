/// The matrix of a Poisson problem against one made cell by cell.

#include <sparse/poisson/operator.hpp>
#include <support/poisson.hpp>

namespace {

using namespace reference;
using sparse::poisson::Operator;

constexpr unsigned problem_count = 60;

template <class TheCase>
class PoissonOperator : public testing::Test {};
TYPED_TEST_SUITE(PoissonOperator, RealCases);

/// A bound for the length of the rounding errors of A x.
template <class T>
double rounding_of(Matrix const& a, Values const& x) {
  double size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) size = std::max(size, std::abs(a[i][j] * x[j]));
  return 20 * std::numeric_limits<T>::epsilon() * size * std::sqrt(static_cast<double>(x.size()));
}

}  // namespace

TYPED_TEST(PoissonOperator, IsTheMatrixOfBruteForce) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < problem_count; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    auto const a = dense_matrix(problem);
    Operator<T, Dim> const matrix(problem);
    auto const x = uniform_field<T>(problem.cells, seed);
    auto y = zero_field<T>(problem.cells);
    matrix.apply(y, x);
    auto const exact = values_of(x);
    EXPECT_LE(length(difference(values_of(y), product(a, exact))), rounding_of<T>(a, exact)) << "seed " << seed;
  }
}

TYPED_TEST(PoissonOperator, IsSymmetricAndSemidefinite) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < problem_count; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    Operator<T, Dim> const matrix(problem);
    auto const x = uniform_field<T>(problem.cells, seed), y = uniform_field<T>(problem.cells, seed + 1000);
    auto ax = zero_field<T>(problem.cells), ay = zero_field<T>(problem.cells);
    matrix.apply(ax, x);
    matrix.apply(ay, y);
    double const xay = product(values_of(x), values_of(ay)), yax = product(values_of(y), values_of(ax));
    double const size = length(values_of(ax)) * length(values_of(y)) + length(values_of(x)) * length(values_of(ay));
    EXPECT_NEAR(xay, yax, 10 * std::numeric_limits<T>::epsilon() * size) << "seed " << seed;
    EXPECT_GE(product(values_of(x), values_of(ax)), -10 * std::numeric_limits<T>::epsilon() * size) << "seed " << seed;
  }
}

TYPED_TEST(PoissonOperator, CountsComponentsAndTakesTheirMeans) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  int several = 0;
  for (unsigned seed = 0; seed < problem_count; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    auto const components = singular_components(dense_matrix(problem));
    Operator<T, Dim> const matrix(problem);
    ASSERT_EQ(matrix.singular_count(), static_cast<Index>(components.size())) << "seed " << seed;
    several += components.size() > 1;
    auto x = uniform_field<T>(problem.cells, seed);
    auto expected = values_of(x);
    double const greatest = remove_means(components, expected);
    EXPECT_NEAR(matrix.remove_means(x), greatest, 1e-6) << "seed " << seed;
    EXPECT_LE(length(difference(values_of(x), expected)), 8 * std::numeric_limits<T>::epsilon() * length(expected))
        << "seed " << seed;
  }
  EXPECT_GT(several, 1);
}

TYPED_TEST(PoissonOperator, GivesTheResidualWithoutMeans) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < problem_count; ++seed) {
    auto const problem = random_problem<Dim>(seed);
    auto const a = dense_matrix(problem);
    Operator<T, Dim> const matrix(problem);
    auto const x = uniform_field<T>(problem.cells, seed), b = uniform_field<T>(problem.cells, seed + 1000);
    auto r = zero_field<T>(problem.cells);
    double const norm = matrix.residual(r, b, x);
    auto expected = difference(values_of(b), product(a, values_of(x)));
    double const rounding = rounding_of<T>(a, values_of(x)) + 10 * std::numeric_limits<T>::epsilon() * length(expected);
    remove_means(singular_components(a), expected);
    EXPECT_LE(length(difference(values_of(r), expected)), rounding) << "seed " << seed;
    EXPECT_NEAR(norm, length(expected), rounding) << "seed " << seed;
    EXPECT_NEAR(matrix.norm(x), length(values_of(x)), 1e-6 * length(values_of(x))) << "seed " << seed;
  }
}

TYPED_TEST(PoissonOperator, AddsWhatGivenValuesContribute) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < problem_count; ++seed) {
    auto problem = random_problem<Dim>(seed);
    auto const cells = cells_of(problem.cells);
    auto const value_at = [](Cell<Dim> const& face, int axis) {
      double value = 1 + axis;
      for (int k = 0; k < Dim; ++k) value += (k + 2) * (face[k] % 17);
      return value;
    };
    Values expected(cells.size(), 0), expected_constant(cells.size(), 0);
    auto b = zero_field<T>(problem.cells), constant = zero_field<T>(problem.cells);
    Operator<T, Dim> const matrix(problem);
    double size = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const faces = problem.dirichlet[axis];
      matrix.add_boundary_values(b, axis,
                                 field_of<double>(faces, [&](Cell<Dim> const& face) { return value_at(face, axis); }));
      matrix.add_boundary_values(constant, axis, 2.5);
      auto const given = cells_of(faces);
      for (auto const& [cell, i] : positions(cells))
        for (int side : {-1, 1}) {
          auto const face = face_of(cell, axis, side);
          if (given.count(face) == 0) continue;
          double const weight = 2 * face_weight(problem, axis, face);
          expected[static_cast<std::size_t>(i)] += weight * value_at(face, axis);
          expected_constant[static_cast<std::size_t>(i)] += weight * 2.5;
          size += std::abs(weight * value_at(face, axis)) + std::abs(weight * 2.5);
        }
    }
    double const rounding = 10 * std::numeric_limits<T>::epsilon() * size;
    EXPECT_LE(length(difference(values_of(b), expected)), rounding) << "seed " << seed;
    EXPECT_LE(length(difference(values_of(constant), expected_constant)), rounding) << "seed " << seed;
  }
}

TYPED_TEST(PoissonOperator, RefusesProblemsThatMakeNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const refused = [](auto const& change, char const* part) {
    Problem<Dim> problem;
    problem.cells = sparse::box<Dim>(Cell<Dim>::filled(3), Cell<Dim>::filled(8));
    change(problem);
    return is_refused([&] { Operator<T, Dim> const matrix(problem); }, part);
  };
  using P = Problem<Dim>;
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  EXPECT_TRUE(refused([](P& p) { p.cells = {}; }, "no cells"));
  for (double const wrong : {0.0, -1.0, infinity, nan}) {
    EXPECT_TRUE(refused([=](P& p) { p.coefficient = wrong; }, "coefficient")) << wrong;
    EXPECT_TRUE(refused([=](P& p) { p.grid.spacing[Dim - 1] = wrong; }, "spacing")) << wrong;
  }
  for (double const wrong : {-1e-9, infinity, nan})
    EXPECT_TRUE(refused([=](P& p) { p.zeroth_order = wrong; }, "zeroth")) << wrong;
  for (Coord const wrong : {-1, 1, 2, 4})
    EXPECT_TRUE(refused([=](P& p) { p.period[Dim - 1] = wrong; }, "period")) << wrong;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const face_at = [axis](Coord along) {
      auto begin = Cell<Dim>::filled(4);
      begin[axis] = along;
      return sparse::box<Dim>(begin, begin + Cell<Dim>::filled(1));
    };
    for (Coord const inner : {4, 6, 7})
      EXPECT_TRUE(refused([&](P& p) { p.dirichlet[axis] = face_at(inner); }, "cells on both sides")) << inner;
    for (Coord const outer : {2, 9, -50})
      EXPECT_TRUE(refused([&](P& p) { p.dirichlet[axis] = face_at(outer); }, "belongs to no cell")) << outer;
    EXPECT_TRUE(refused(
        [&](P& p) {
          p.dirichlet[axis] = face_at(3);
          p.period[axis] = 5;
        },
        "cells on both sides"));
    auto const with_coefficients = [&](P& p, IntervalSet<Dim> const& faces, double one_value) {
      p.face_coefficient[axis] = std::make_shared<sparse::Field<double, Dim> const>(field_of<double>(
          faces, [&](Cell<Dim> const& face) { return face == Cell<Dim>::filled(5) ? one_value : 1.0; }));
    };
    auto const inside = sparse::box<Dim>(Cell<Dim>::filled(4), Cell<Dim>::filled(8));
    EXPECT_TRUE(refused([&](P& p) { with_coefficients(p, inside, 1); }, "has no coefficient"));
    for (double const wrong : {0.0, -1.0, infinity, nan})
      EXPECT_TRUE(refused([&](P& p) { with_coefficients(p, p.cells, wrong); }, "face coefficient is not positive"))
          << wrong;
  }
}

TYPED_TEST(PoissonOperator, RefusesFieldsThatDoNotFit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(4));
  Operator<T, Dim> const matrix(problem);
  auto x = zero_field<T>(problem.cells), y = zero_field<T>(problem.cells);
  auto other = zero_field<T>(sparse::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(5)));
  sparse::Field<T, Dim> two("two", problem.cells, 2);
  EXPECT_TRUE(is_refused([&] { matrix.apply(y, other); }, "one component on the cells"));
  EXPECT_TRUE(is_refused([&] { matrix.apply(two, x); }, "one component on the cells"));
  EXPECT_TRUE(is_refused([&] { matrix.apply(x, x); }, "another field"));
  EXPECT_TRUE(is_refused([&] { matrix.residual(other, x, y); }, "residual"));
  EXPECT_TRUE(is_refused([&] { matrix.residual(y, x, y); }, "another field"));
  EXPECT_TRUE(is_refused([&] { matrix.remove_means(other); }, "one component on the cells"));
  EXPECT_TRUE(is_refused([&] { matrix.norm(other); }, "one component on the cells"));
  EXPECT_TRUE(is_refused([&] { matrix.add_boundary_values(x, Dim, 1); }, "no such axis"));
  EXPECT_TRUE(is_refused([&] { matrix.add_boundary_values(other, 0, 1); }, "right-hand side"));
}
