/// Physical coordinates: grids, and shapes given in metres.

#include <cmath>
#include <limits>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/physical.hpp>
#include <support/meshes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::Grid;

namespace {

template <class Dimension>
class Grids : public testing::Test {};
TYPED_TEST_SUITE(Grids, Dimensions);

/// Spacings and origins that are exact in binary, so that nothing is rounded.
template <int Dim>
Grid<Dim> random_grid(std::mt19937& engine) {
  Grid<Dim> grid;
  for (int axis = 0; axis < Dim; ++axis) {
    grid.spacing[axis] = std::ldexp(1, random_int(engine, -12, 3));
    grid.origin[axis] = random_int(engine, -100, 100) / 8.0;
  }
  return grid;
}

/// The cells near the origin whose centres, in metres, fulfil `contains`.
template <int Dim, class Contains>
Cells<Dim> cells_where(Grid<Dim> const& grid, Coord size, Contains&& contains) {
  Cells<Dim> cells;
  for (auto const& cell : reference::box<Dim>(Cell<Dim>::filled(-size), Cell<Dim>::filled(size))) {
    Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = grid.origin[axis] + grid.spacing[axis] * (cell[axis] + 0.5);
    if (contains(x)) cells.insert(cell);
  }
  return cells;
}

}  // namespace

TYPED_TEST(Grids, TurnPointsIntoCellsAndBack) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const grid = random_grid<Dim>(engine);
    Cell<Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) cell[axis] = random_int(engine, -1000, 1000);
    auto const center = grid.center(cell);
    auto lower = center, upper = center;
    for (int axis = 0; axis < Dim; ++axis) {
      EXPECT_EQ(center[axis], grid.origin[axis] + (cell[axis] + 0.5) * grid.spacing[axis]);
      lower[axis] -= 0.5 * grid.spacing[axis];
      upper[axis] += 0.5 * grid.spacing[axis];
    }
    EXPECT_EQ(grid.cell_of(center), cell);
    EXPECT_EQ(grid.cell_of(lower), cell);  // a cell has its lower sides and not its upper ones
    EXPECT_EQ(grid.cell_of(upper), cell + Cell<Dim>::filled(1));
    EXPECT_EQ(grid.to_physical(grid.to_cells(center)), center);
    EXPECT_EQ(grid.lengths_to_cells(upper - lower), (Vec<double, Dim>::filled(1)));
    // A level on, each cell has two of half the width.
    EXPECT_EQ(grid.level(1).cell_of(center), 2 * cell + Cell<Dim>::filled(1));
    EXPECT_EQ(grid.level(1).to_physical(Vec<double, Dim>::filled(2)), grid.to_physical(Vec<double, Dim>::filled(1)));
  }
}

TYPED_TEST(Grids, ScaleShapesGivenInMetres) {
  constexpr int Dim = TypeParam::value;
  Grid<Dim> const grid{Vec<double, Dim>::filled(-0.5), Vec<double, Dim>::filled(0.01)};
  auto const center = Vec<double, Dim>::filled(-0.35);
  // A ball of 8 cm, scaled by hand and by the library.
  auto const by_hand = sparse::ball<Dim>(grid.to_cells(center), 0.08 / grid.spacing[0]);
  auto const ball = sparse::ball<Dim>(grid, center, 0.08);
  EXPECT_TRUE((ball ^ by_hand).cell_count() <= 4);  // centres on the sphere, by rounding
  auto const expected = cells_where(grid, 40, [&](Vec<double, Dim> const& x) {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += std::pow(x[axis] - center[axis], 2);
    return square <= 0.08 * 0.08 * (1 + 1e-12);
  });
  EXPECT_LE(std::abs(static_cast<double>(ball.cell_count()) - static_cast<double>(expected.size())), 4 * Dim);
}

TYPED_TEST(Grids, ShapesInMetresHaveTheCellsWithCentresInside) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 2; ++seed) {
    auto engine = random_engine(seed);
    Grid<Dim> grid = random_grid<Dim>(engine);
    Coord const size = Dim == 2 ? 18 : 9;
    Vec<double, Dim> center, low, high, normal;
    double smallest = 1e9;
    for (int axis = 0; axis < Dim; ++axis) {
      grid.spacing[axis] = std::ldexp(1, random_int(engine, -3, -1));
      smallest = std::min(smallest, grid.spacing[axis]);
      center[axis] = grid.origin[axis] + grid.spacing[axis] * random_int(engine, -8, 8) / 4.0;
      low[axis] = grid.origin[axis] + grid.spacing[axis] * random_int(engine, -2 * size, 2 * size) / 2.0;
      high[axis] = low[axis] + grid.spacing[axis] * random_int(engine, 0, 2 * size) / 4.0;
      high[axis] = std::min(high[axis], grid.origin[axis] + grid.spacing[axis] * size);
      normal[axis] = random_int(engine, -2, 2);
    }
    double const radius = smallest * (size - 3) * random_int(engine, 1, 16) / 16.0;
    ASSERT_TRUE(matches(sparse::ball<Dim>(grid, center, radius), cells_where(grid, size,
                                                                             [&](auto const& x) {
                                                                               double square = 0;
                                                                               for (int axis = 0; axis < Dim; ++axis)
                                                                                 square += (x[axis] - center[axis]) *
                                                                                           (x[axis] - center[axis]);
                                                                               return square <= radius * radius;
                                                                             })))
        << "seed " << seed;
    auto const radii = radius * Vec<double, Dim>::filled(0.5) + Vec<double, Dim>::along(1, 0.5 * radius);
    ASSERT_TRUE(matches(sparse::ellipsoid<Dim>(grid, center, radii),
                        cells_where(grid, size,
                                    [&](auto const& x) {
                                      double square = 0;
                                      for (int axis = 0; axis < Dim; ++axis)
                                        square += std::pow((axis == 1 ? 1 : 2) * (x[axis] - center[axis]), 2);
                                      return square <= radius * radius;
                                    })))
        << "seed " << seed;
    ASSERT_TRUE(matches(sparse::box<Dim>(grid, low, high), cells_where(grid, size,
                                                                       [&](auto const& x) {
                                                                         bool is_inside = true;
                                                                         for (int axis = 0; axis < Dim; ++axis)
                                                                           is_inside = is_inside &&
                                                                                       low[axis] <= x[axis] &&
                                                                                       x[axis] < high[axis];
                                                                         return is_inside;
                                                                       })))
        << "seed " << seed;
    if (normal == Vec<double, Dim>{}) continue;
    Box<Dim> const domain{Cell<Dim>::filled(-size), Cell<Dim>::filled(size)};
    ASSERT_TRUE(matches(sparse::half_space<Dim>(grid, center, normal, domain),
                        cells_where(grid, size,
                                    [&](auto const& x) {
                                      double sum = 0;
                                      for (int axis = 0; axis < Dim; ++axis)
                                        sum += (x[axis] - center[axis]) * normal[axis];
                                      return sum <= 0;
                                    })))
        << "seed " << seed;
  }
}

TEST(PhysicalShapes, LoopsAndMeshesAreScaled) {
  Grid<2> const plane{{1, 2}, {0.25, 0.5}};
  auto const square = polygon(to_cells(plane, {{1, 2}, {2, 2}, {2, 4}, {1, 4}}));
  EXPECT_TRUE(square == sparse::box<2>({0, 0}, {4, 4}));
  Grid<3> const space{{1, 2, 3}, {0.25, 0.5, 1}};
  auto const cube = triangle_mesh(to_cells(space, meshes::box({1, 2, 3}, {2, 3, 4})));
  EXPECT_TRUE(cube == sparse::box<3>({0, 0, 0}, {4, 2, 1}));
}

TYPED_TEST(Grids, RefuseSpacingsAndPointsThatCannotBe) {
  constexpr int Dim = TypeParam::value;
  double const infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  Vec<double, Dim> const origin{};
  for (int axis = 0; axis < Dim; ++axis) {
    for (double const bad : {0.0, -1.0, infinity, nan}) {
      Grid<Dim> grid;
      grid.spacing[axis] = bad;
      EXPECT_THROW(grid.expect_valid(), std::invalid_argument) << bad;
      EXPECT_THROW(grid.to_cells(origin), std::invalid_argument) << bad;
      EXPECT_THROW(grid.to_physical(origin), std::invalid_argument) << bad;
      EXPECT_THROW(grid.cell_of(origin), std::invalid_argument) << bad;
      EXPECT_THROW(grid.center(Cell<Dim>{}), std::invalid_argument) << bad;
      EXPECT_THROW(sparse::ball<Dim>(grid, origin, 1), std::invalid_argument) << bad;
      EXPECT_THROW(sparse::box<Dim>(grid, origin, origin), std::invalid_argument) << bad;
    }
    Grid<Dim> grid;
    for (double const bad : {infinity, -infinity, nan, 1.0 * coord_limit, -1.0 * coord_limit, 1e300}) {
      auto const far = Vec<double, Dim>::along(axis, bad);
      EXPECT_THROW(grid.cell_of(far), std::invalid_argument) << bad;
      if (bad == coord_limit) continue;  // the end of the last cell
      EXPECT_THROW(sparse::box<Dim>(grid, far, far), std::invalid_argument) << bad;
    }
    EXPECT_EQ(grid.cell_of(Vec<double, Dim>::along(axis, coord_limit - 0.5))[axis], coord_limit - 1);
    EXPECT_THROW(sparse::box<Dim>(grid, Vec<double, Dim>::along(axis, 1), origin), std::invalid_argument);
    grid.origin[axis] = nan;
    EXPECT_THROW(grid.to_cells(origin), std::invalid_argument);
  }
}
