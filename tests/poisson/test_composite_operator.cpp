/// The matrix of a composite problem against one made leaf by leaf, and what it must be for linear p.

#include <support/composite.hpp>

namespace {

using namespace reference;
using sparse::poisson::CompositeOperator;

template <class TheCase>
class CompositePoissonOperator : public testing::Test {};
TYPED_TEST_SUITE(CompositePoissonOperator, RealCases);

/// Brute force takes a while, so values of short types are tried on fewer problems.
template <class T>
unsigned problem_count() {
  return std::is_same_v<T, double> ? seed_count : seed_count / 10;
}

template <class T>
double rounding_of(Matrix const& a, Values const& x) {
  double size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) size = std::max(size, std::abs(a[i][j] * x[j]));
  return 40 * std::numeric_limits<T>::epsilon() * size * std::sqrt(static_cast<double>(x.size()));
}

double given_at(int level, int axis, int first) { return 1 + 0.5 * level + axis + 0.25 * (first % 13); }

/// Adds up a combination, with leaves' values and those of `given_at`.
template <int Dim>
double total(Combination<Dim> const& sum, Values const& x) {
  double all = 0;
  for (auto const& [leaf, value] : sum.of_leaf) all += value * x[static_cast<std::size_t>(leaf)];
  for (auto const& [face, value] : sum.of_face)
    all += value * given_at(face.first / 64, face.first % 64, face.second[0]);
  return all;
}

}  // namespace

TYPED_TEST(CompositePoissonOperator, IsTheMatrixMadeLeafByLeaf) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  int interfaces = 0;
  for (unsigned seed = 0; seed < problem_count<T>(); ++seed) {
    auto const problem = random_composite<Dim>(seed);
    auto const a = CompositeReference<Dim>(problem).matrix();
    CompositeOperator<T, Dim> const matrix(problem);
    ASSERT_EQ(matrix.leaf_count(), static_cast<Index>(a.size())) << "seed " << seed;
    interfaces += matrix.level_count() > 1;
    auto const x = uniform_fields<T>(problem, seed);
    auto y = matrix.fields("y");
    matrix.apply(y, x);
    auto const exact = values_of(x);
    ASSERT_LE(length(difference(values_of(y), product(a, exact))), rounding_of<T>(a, exact)) << "seed " << seed;
  }
  EXPECT_GT(interfaces, 5);
}

TYPED_TEST(CompositePoissonOperator, HasTheVolumesAsLeftNullVectorAndRowsThatAddUpToZero) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < problem_count<T>(); ++seed) {
    auto problem = random_composite<Dim>(seed);
    problem.dirichlet.clear();
    problem.zeroth_order = 0;
    CompositeOperator<T, Dim> const matrix(problem);
    auto y = matrix.fields("y");
    auto const ones = matrix.fields("ones", 1), x = uniform_fields<T>(problem, seed);
    matrix.apply(y, ones);
    for (double const value : values_of(y)) EXPECT_EQ(value, 0) << "seed " << seed;
    matrix.apply(y, x);
    double sum = 0, size = 0;
    for (std::size_t l = 0; l < y.size(); ++l)
      for (double const value : values_of(y[l])) {
        sum += value * std::pow(0.5, Dim * static_cast<double>(l));
        size += std::abs(value);
      }
    EXPECT_NEAR(sum, 0, 10 * std::numeric_limits<T>::epsilon() * size) << "seed " << seed;
  }
}

TYPED_TEST(CompositePoissonOperator, AddsWhatGivenValuesContributeAndGivesTheGradient) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Index coarse_sides = 0;
  for (unsigned seed = 0; seed < problem_count<T>(); ++seed) {
    auto const problem = random_composite<Dim>(seed);
    CompositeReference<Dim> const exact(problem);
    CompositeOperator<T, Dim> const matrix(problem);
    auto const given = given_fields(
        problem, [](int level, int axis, Cell<Dim> const& face) { return given_at(level, axis, face[0]); });
    auto const x = uniform_fields<T>(problem, seed);
    auto const numbers = values_of(x);

    auto b = matrix.fields("b"), ax = matrix.fields("A x");
    matrix.apply(ax, x);
    matrix.add_boundary_values(b, given);
    auto const with_values = difference(values_of(ax), values_of(b));
    auto gradient = matrix.face_fields("gradient");
    matrix.gradient(gradient, x, given);
    std::vector<std::array<std::map<Cell<Dim>, T, StorageOrder>, Dim>> found(gradient.size());
    for (std::size_t l = 0; l < found.size(); ++l)
      for (int axis = 0; axis < Dim; ++axis) found[l][axis] = value_map(gradient[l][axis]);
    // At interfaces alone the same bits, and no face is missing or too much.
    auto at_interfaces = matrix.interface_fields("gradient");
    matrix.interface_gradient(at_interfaces, x, given);
    std::size_t interface_faces = 0;
    for (std::size_t l = 0; l < found.size(); ++l)
      for (int axis = 0; axis < Dim; ++axis)
        for (auto const& [face, value] : value_map(at_interfaces[l][axis])) {
          ASSERT_EQ(value, found[l][axis].at(face)) << "seed " << seed << " level " << l << " " << face << axis;
          ++interface_faces;
        }

    std::size_t fine_sides = 0;
    auto const& places = exact.places();
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto const& [level, leaf] = places[i];
      double scale = 1;
      for (int axis = 0; axis < Dim; ++axis) scale = std::max(scale, 30 / std::pow(exact.width(level, axis), 2));
      double const rounding = 40 * std::numeric_limits<T>::epsilon() * scale;
      ASSERT_NEAR(with_values[i], total(exact.row(level, leaf), numbers), 8 * rounding) << "seed " << seed;
      for (int axis = 0; axis < Dim; ++axis)
        for (int side : {-1, 1}) {
          auto const wanted = side * total(exact.gradient(level, leaf, axis, side), numbers);
          auto const at = found[static_cast<std::size_t>(level)][axis].find(face_of(leaf, axis, side));
          ASSERT_NEAR(at->second, wanted, rounding) << "seed " << seed << " level " << level << " " << leaf << axis;
          auto const other = CompositeReference<Dim>::moved(leaf, axis, side);
          coarse_sides += exact.is_covered(level, other);
          fine_sides += !exact.has(level, other) && exact.is_leaf(level - 1, CompositeReference<Dim>::parent(other));
        }
    }
    ASSERT_EQ(interface_faces, fine_sides) << "seed " << seed;
  }
  EXPECT_GT(coarse_sides, 100);
}

TYPED_TEST(CompositePoissonOperator, IsExactForLinearFunctions) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  int count = 0, wall_count = 0;
  for (unsigned seed = 0; seed < seed_count; ++seed) {
    auto problem = random_composite<Dim>(seed);
    if (problem.period != Cell<Dim>{} || seed % 4 == 3) continue;  // means over some of the children are not linear
    problem.zeroth_order = 0;
    problem.face_coefficient.clear();
    auto engine = random_engine(seed);
    // Beside walls, too, but not between two of them, as some of the bodies have it.
    bool const has_bodies = seed % 4 == 2;
    CompositeReference<Dim>(problem).draw_dirichlet_faces(problem, has_bodies ? 1 : 0.5, engine);
    Vec<double, Dim> slope;
    double greatest = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      slope[axis] = 0.5 * random_int(engine, -4, 4);
      problem.grid.origin[axis] = -problem.grid.spacing[axis] * problem.cells[0].bounds().begin[axis];
    }
    auto const linear = [&](Vec<double, Dim> const& x) {
      double value = 0.25;
      for (int axis = 0; axis < Dim; ++axis) value += slope[axis] * x[axis];
      greatest = std::max(greatest, std::abs(value));
      return value;
    };
    CompositeOperator<T, Dim> const matrix(problem);
    auto const x =
        leaf_fields<T>(problem, [&](int level, Cell<Dim> const& cell) { return linear(middle(problem, level, cell)); });
    auto const given = given_fields(problem, [&](int level, int axis, Cell<Dim> const& face) {
      return linear(middle(problem, level, face, axis));
    });
    auto b = matrix.fields("b"), ax = matrix.fields("A x");
    matrix.apply(ax, x);
    matrix.add_boundary_values(b, given);
    double scale = 0;
    auto const finest = static_cast<double>(problem.cells.size() - 1);
    for (int axis = 0; axis < Dim; ++axis)
      scale += problem.coefficient * std::pow(4.0, finest) / std::pow(problem.grid.spacing[axis], 2);
    auto const residual = difference(values_of(ax), values_of(b));
    CompositeReference<Dim> const exact(problem);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      auto const& [level, leaf] = exact.places()[i];
      double missing = 0;  // through walls
      for (int axis = 0; axis < Dim; ++axis)
        for (int side : {-1, 1})
          if (exact.is_wall(level, leaf, axis, side) && !exact.is_given(level, leaf, axis, side)) {
            missing += problem.coefficient * side * slope[axis] / exact.width(level, axis);
            ++wall_count;
          }
      ASSERT_NEAR(residual[i], missing, 40 * std::numeric_limits<T>::epsilon() * scale * greatest)
          << "seed " << seed << ", level " << level << ", leaf " << leaf;
    }
    ++count;
  }
  EXPECT_GT(count, 20);
  EXPECT_GT(wall_count, 20);
}

TYPED_TEST(CompositePoissonOperator, CountsComponentsAndTakesMeansWeightedByVolumes) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  int several = 0, singular = 0;
  for (unsigned seed = 0; seed < problem_count<T>(); ++seed) {
    auto const problem = random_composite<Dim>(seed);
    CompositeReference<Dim> const exact(problem);
    auto const components = singular_components(exact.matrix());
    CompositeOperator<T, Dim> const matrix(problem);
    ASSERT_EQ(matrix.singular_count(), static_cast<Index>(components.size())) << "seed " << seed;
    several += components.size() > 1;
    singular += !components.empty();
    auto x = uniform_fields<T>(problem, seed);
    auto expected = values_of(x);
    double greatest = 0;
    for (auto const& component : components) {
      double sum = 0, volume = 0;
      for (auto const i : component) {
        sum += exact.volume(exact.places()[i].first) * expected[i];
        volume += exact.volume(exact.places()[i].first);
      }
      for (auto const i : component) expected[i] -= sum / volume;
      greatest = std::max(greatest, std::abs(sum / volume));
    }
    EXPECT_NEAR(matrix.remove_means(x), greatest, 1e-6) << "seed " << seed;
    EXPECT_LE(length(difference(values_of(x), expected)), 8 * std::numeric_limits<T>::epsilon() * length(expected))
        << "seed " << seed;
    double square = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
      square += exact.volume(exact.places()[i].first) * expected[i] * expected[i];
    EXPECT_NEAR(matrix.norm(x), std::sqrt(square), 1e-6 * std::sqrt(square)) << "seed " << seed;
  }
  EXPECT_GT(singular, 2);
  if (std::is_same_v<T, double>) {
    EXPECT_GT(several, 1);
  }
}
