/// Gradient, divergence, Laplacian: exact on polynomials, of second order on waves, by definition at walls.

#include <cmath>
#include <stdexcept>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/operators.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::Field;
using sparse::Stencil;

namespace {

template <class Dimension>
class Operators : public testing::Test {};
TYPED_TEST_SUITE(Operators, Dimensions);

template <int Dim>
using Point = Vec<double, Dim>;

/// The field of `f(centre)` with cells of the given widths.
template <int Dim, class Function>
Field<double, Dim> field_of(IntervalSet<Dim> const& domain, Point<Dim> const& spacing, Function const& f) {
  Field<double, Dim> field("f", domain);
  std::vector<double> values;
  domain.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) {
    Point<Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = (cell[axis] + 0.5) * spacing[axis];
    values.push_back(f(x));
  });
  set_values(field, values);
  return field;
}

/// The greatest difference of a component from `f(centre)` on `cells`.
template <int Dim, class Function>
double error_of(Field<double, Dim> const& field, int component, IntervalSet<Dim> const& cells,
                Point<Dim> const& spacing, Function const& f) {
  auto const values = value_map(field, component);
  double error = 0;
  for (auto const& cell : cells_of(cells)) {
    Point<Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = (cell[axis] + 0.5) * spacing[axis];
    error = std::max(error, std::abs(values.at(cell) - f(x)));
  }
  return error;
}

template <int Dim>
Point<Dim> some_spacing() {
  Point<Dim> spacing;
  for (int axis = 0; axis < Dim; ++axis) spacing[axis] = 0.25 * (1 << axis);
  return spacing;
}

/// A vector field from its components.
template <int Dim>
Field<double, Dim> joined(std::vector<Field<double, Dim>> const& components) {
  Field<double, Dim> result("v", components[0].domain(), static_cast<int>(components.size()));
  for (int c = 0; c < result.component_count(); ++c)
    set_values(result, to_host(components[static_cast<std::size_t>(c)]), c);
  return result;
}

/// sin(x + 0.3) sin(2 y + 0.3) ..., its derivative along an axis and its Laplacian.
template <int Dim>
double wave(Point<Dim> const& x, int derivative_axis = -1) {
  double value = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    double const k = axis + 1;
    value *= axis == derivative_axis ? k * std::cos(k * x[axis] + 0.3) : std::sin(k * x[axis] + 0.3);
  }
  return value;
}

}  // namespace

TYPED_TEST(Operators, FollowTheirDefinitionsOnAnySet) {
  constexpr int Dim = TypeParam::value;
  auto const spacing = some_spacing<Dim>();
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const field = random_field<double>(random_set<Dim>(seed), engine, Dim);
    auto const slopes = gradient(field, spacing, Dim - 1);
    auto const flow = divergence(field, spacing);
    auto const curvature = laplacian(field, spacing);
    auto const size = magnitude(field);
    ASSERT_EQ(slopes.component_count(), Dim);
    ASSERT_EQ(flow.component_count(), 1);
    ASSERT_EQ(curvature.component_count(), Dim);
    std::vector<std::map<Cell<Dim>, double, StorageOrder>> values;
    for (int c = 0; c < Dim; ++c) values.push_back(value_map(field, c));
    auto const difference = [&](int c, Cell<Dim> const& cell, int axis) {
      auto const& x = values[static_cast<std::size_t>(c)];
      auto const low = x.find(cell - Cell<Dim>::along(axis, 1)), high = x.find(cell + Cell<Dim>::along(axis, 1));
      double const here = x.at(cell), h = spacing[axis];
      if (low == x.end() && high == x.end()) return 0.0;
      if (low == x.end()) return (high->second - here) / h;
      if (high == x.end()) return (here - low->second) / h;
      return (high->second - low->second) / (2 * h);
    };
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [cell, value] : value_map(slopes, axis))
        ASSERT_EQ(value, difference(Dim - 1, cell, axis)) << cell;
    for (auto const& [cell, value] : value_map(flow)) {
      double expected = 0;
      for (int axis = 0; axis < Dim; ++axis) expected += difference(axis, cell, axis);
      ASSERT_EQ(value, expected) << cell;  // the widths are powers of 2: everything is exact
    }
    for (int c = 0; c < Dim; ++c) {
      auto const& x = values[static_cast<std::size_t>(c)];
      double total = 0;
      for (auto const& [cell, value] : value_map(curvature, c)) {
        double expected = 0;
        for (int axis = 0; axis < Dim; ++axis)
          for (Coord const step : {-1, 1}) {
            auto const beside = x.find(cell + Cell<Dim>::along(axis, step));
            if (beside != x.end()) expected += (beside->second - x.at(cell)) / (spacing[axis] * spacing[axis]);
          }
        ASSERT_EQ(value, expected) << cell;
        total += value;
      }
      ASSERT_EQ(total, 0);  // no flux leaves
    }
    for (auto const& [cell, value] : value_map(size)) {
      double square = 0;
      for (auto const& x : values) square += x.at(cell) * x.at(cell);
      ASSERT_DOUBLE_EQ(value, std::sqrt(square)) << cell;
    }
  }
}

TYPED_TEST(Operators, AreExactOnPolynomials) {
  constexpr int Dim = TypeParam::value;
  // Every cell has a neighbour along each axis.
  auto const domain = expand(sparse::ball<Dim>(Vec<double, Dim>::filled(0.3), 6), 1);
  auto const inside = shrink(domain, 1);
  auto const spacing = some_spacing<Dim>();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto engine = random_engine(seed);
    double linear[Dim], square[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      linear[axis] = random_int(engine, -5, 5);
      square[axis] = random_int(engine, -5, 5);
    }
    auto const plane = [&](Point<Dim> const& x) {
      double value = 3;
      for (int axis = 0; axis < Dim; ++axis) value += linear[axis] * x[axis];
      return value;
    };
    auto const bowl = [&](Point<Dim> const& x) {
      double value = plane(x);
      for (int axis = 0; axis < Dim; ++axis) value += square[axis] * x[axis] * x[axis];
      return value;
    };
    auto const flat = field_of(domain, spacing, plane), curved = field_of(domain, spacing, bowl);
    double laplacian_of_bowl = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      laplacian_of_bowl += 2 * square[axis];
      // Of a linear function everywhere, one-sided or not; of a quadratic one between two neighbours.
      EXPECT_LT(error_of<Dim>(gradient(flat, spacing), axis, domain, spacing, [&](auto&) { return linear[axis]; }),
                1e-12);
      EXPECT_LT(error_of<Dim>(gradient(curved, spacing), axis, inside, spacing,
                              [&](auto& x) { return linear[axis] + 2 * square[axis] * x[axis]; }),
                1e-11);
    }
    EXPECT_LT(error_of<Dim>(laplacian(curved, spacing), 0, inside, spacing, [&](auto&) { return laplacian_of_bowl; }),
              1e-11);
    EXPECT_LT(error_of<Dim>(divergence(gradient(curved, spacing), spacing), 0, shrink(domain, 2), spacing,
                            [&](auto&) { return laplacian_of_bowl; }),
              1e-11);
  }
}

TYPED_TEST(Operators, ConvergeWithSecondOrder) {
  constexpr int Dim = TypeParam::value;
  double previous[3] = {};
  for (int const n : {8, 16, 32}) {
    auto const domain = sparse::ball<Dim>({}, n);
    auto const inside = shrink(domain, 1);
    auto const spacing = Point<Dim>::filled(1.0 / n);
    auto const f = field_of(domain, spacing, [](Point<Dim> const& x) { return wave<Dim>(x); });
    std::vector<Field<double, Dim>> components;
    for (int c = 0; c < Dim; ++c)
      components.push_back(field_of(domain, spacing, [&](Point<Dim> const& x) { return wave<Dim>(x, c); }));
    double k_squared = 0, gradient_error = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      k_squared += (axis + 1) * (axis + 1);
      gradient_error = std::max(gradient_error, error_of<Dim>(gradient(f, spacing), axis, inside, spacing,
                                                              [&](auto& x) { return wave<Dim>(x, axis); }));
    }
    auto const curvature = [&](Point<Dim> const& x) { return -k_squared * wave<Dim>(x); };
    double const errors[3] = {gradient_error,
                              error_of<Dim>(divergence(joined(components), spacing), 0, inside, spacing, curvature),
                              error_of<Dim>(laplacian(f, spacing), 0, inside, spacing, curvature)};
    for (int i = 0; i < 3; ++i) {
      if (n > 8) {
        EXPECT_NEAR(std::log2(previous[i] / errors[i]), 2, 0.2) << "operator " << i << ", n " << n;
      }
      previous[i] = errors[i];
    }
  }
}

TYPED_TEST(Operators, WriteWhereTheirStencilSays) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 8), part = sparse::ball<Dim>(Vec<double, Dim>::filled(2), 4) & domain;
  auto engine = random_engine(1);
  auto const field = random_field<double>(domain, engine, Dim);
  Stencil<Dim> const cells(part, domain);
  auto const spacing = some_spacing<Dim>();
  Field<double, Dim> vectors("v", domain, Dim), scalars("s", domain);
  auto const run = [&] {
    gradient(vectors, cells, field, spacing);
    laplacian(vectors, cells, field, spacing);
    divergence(scalars, cells, field, spacing);
    magnitude(scalars, field);
  };
  fill(vectors, 77);
  gradient(vectors, cells, field, spacing, 1);
  auto const expected = gradient(field, spacing, 1);
  for (int c = 0; c < Dim; ++c) {
    auto const wanted = value_map(expected, c);
    for (auto const& [cell, value] : value_map(vectors, c))
      ASSERT_EQ(value, part.contains(cell) ? wanted.at(cell) : 77) << cell;
  }
  run();
  KokkosWatch const watch;
  run();
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
  EXPECT_EQ(watch.kernel_labels().size(), 4u);  // nothing but the operators themselves
}

TYPED_TEST(Operators, TurnSteepPlacesIntoGeometry) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 9);
  // A jump at x = 0.
  auto const step = field_of(domain, Point<Dim>::filled(1), [](Point<Dim> const& x) { return x[0] < 0 ? 0.0 : 1.0; });
  Cells<Dim> expected;
  for (auto const& cell : cells_of(domain))
    if (cell[0] == -1 || cell[0] == 0) expected.insert(cell);
  EXPECT_TRUE(matches(threshold(magnitude(gradient(step)), 0.1), expected));
}

TYPED_TEST(Operators, RefuseFieldsThatDoNotFit) {
  constexpr int Dim = TypeParam::value;
  auto const domain = sparse::ball<Dim>({}, 3);
  auto const one = Point<Dim>::filled(1);
  Stencil<Dim> const cells(domain, domain);
  Field<double, Dim> scalar("s", domain), vector("v", domain, Dim), other("o", sparse::ball<Dim>({}, 4)),
      others("os", sparse::ball<Dim>({}, 4), Dim);
  EXPECT_THROW(gradient(others, cells, scalar, one), std::invalid_argument);
  EXPECT_THROW(gradient(other, cells, scalar, one), std::invalid_argument);
  EXPECT_THROW(gradient(vector, cells, vector, one), std::invalid_argument);
  EXPECT_THROW(gradient(scalar, one, 1), std::invalid_argument);
  EXPECT_THROW(divergence(scalar, one), std::invalid_argument);
  EXPECT_THROW(divergence(others, cells, vector, one), std::invalid_argument);
  EXPECT_THROW(laplacian(vector, cells, scalar, one), std::invalid_argument);
  EXPECT_THROW(laplacian(scalar, cells, scalar, one), std::invalid_argument);
  EXPECT_THROW(magnitude(other, vector), std::invalid_argument);
  for (double const bad : {0.0, -1.0, std::nan("")}) {
    EXPECT_THROW(gradient(scalar, Point<Dim>::filled(bad)), std::invalid_argument);
    EXPECT_THROW(divergence(vector, Point<Dim>::filled(bad)), std::invalid_argument);
    EXPECT_THROW(laplacian(scalar, Point<Dim>::filled(bad)), std::invalid_argument);
  }
}

TYPED_TEST(Operators, OfNothingAreNothing) {
  constexpr int Dim = TypeParam::value;
  Field<float, Dim> const scalar("s", {}), vector("v", {}, Dim);
  EXPECT_EQ(gradient(scalar).cell_count(), 0);
  EXPECT_EQ(divergence(vector).cell_count(), 0);
  EXPECT_EQ(laplacian(scalar).cell_count(), 0);
  EXPECT_EQ(magnitude(vector).cell_count(), 0);
}
