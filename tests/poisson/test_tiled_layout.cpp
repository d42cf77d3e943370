/// Tiles of a level against the coordinates of its cells; the matrix on tiles against that by runs.

#include <set>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/random.hpp>
#include <support/poisson.hpp>

#include "operator/matrix.hpp"
#include "tiled/layout.hpp"
#include "tiled/memory.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;
using sparse::poisson::detail::PlainMemory;
using sparse::poisson::detail::tile_cells;
using sparse::poisson::detail::tile_width;
using sparse::poisson::detail::TileMatrix;
using sparse::poisson::detail::TileMatrixView;
using sparse::poisson::detail::Tiles;

template <class TheCase>
class PoissonTiles : public testing::Test {};
TYPED_TEST_SUITE(PoissonTiles, RealCases);

template <class T, int Dim>
struct Scatter {
  std::int32_t const* positions;
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(Index cell) const { to[positions[cell]] = from[cell]; }
};

/// A x from the rows of tiles, cell by cell.
template <class T, int Dim>
struct TileProduct {
  TileMatrixView<T, Dim> matrix;
  std::int32_t const* positions;
  T const* x;
  T* result;

  KOKKOS_FUNCTION void operator()(Index cell) const {
    int const tile = positions[cell] / tile_cells<Dim>, local = positions[cell] % tile_cells<Dim>;
    auto const row = matrix.template row<false>(PlainMemory{}, tile, local);
    T const here = x[positions[cell]];
    T sum = row.extra * here;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      auto place = sparse::poisson::detail::Halo<Dim, 0>::place(local);
      place.at[arm / 2] += arm % 2 == 0 ? -1 : 1;
      int const there = matrix.grid.tile_at(PlainMemory{}, tile, place, place.distance());
      if (row.weight[arm] > 0) sum += row.weight[arm] * (here - x[there * tile_cells<Dim> + place.local()]);
    }
    result[cell] = sum;
  }
};

/// Counts the cells within reach of fast tiles that do not have the usual row.
template <class T, int Dim>
struct FastFaults {
  TileMatrixView<T, Dim> matrix;
  KOKKOS_FUNCTION void operator()(Index tile, Index& faults) const {
    using Around = sparse::poisson::detail::Halo<Dim, 2>;
    if (!matrix.is_fast(PlainMemory{}, static_cast<int>(tile))) return;
    for (int i = 0; i < Around::count; ++i) {
      auto const place = Around::place(i);
      if (place.distance() > 2) continue;
      int const there = matrix.grid.tile_at(PlainMemory{}, static_cast<int>(tile), place, place.distance());
      if (there < 0) {
        ++faults;
        continue;
      }
      auto const row = matrix.template row<false>(PlainMemory{}, there, place.local());
      for (int arm = 0; arm < 2 * Dim; ++arm) faults += row.weight[arm] != matrix.usual_row.weight[arm] ? 1 : 0;
      faults += row.extra != matrix.usual_row.extra || row.inverse != matrix.usual_row.inverse ? 1 : 0;
    }
  }
};

template <class T, int Dim>
struct Layout {
  sparse::poisson::detail::Matrix<T, Dim> matrix;
  Tiles<Dim> tiles;
  TileMatrix<T, Dim> on_tiles;

  explicit Layout(Problem<Dim> const& problem) : matrix(problem), tiles(matrix.couplings()) {
    tiles.find_neighbours(problem.period);
    Vec<double, Dim> weight;
    for (int axis = 0; axis < Dim; ++axis)
      weight[axis] = problem.coefficient / (problem.grid.spacing[axis] * problem.grid.spacing[axis]);
    on_tiles = {matrix.couplings(), tiles, weight, problem.zeroth_order};
  }
};

template <class T, int Dim>
void expect_same_product(Problem<Dim> const& problem, unsigned seed) {
  Layout<T, Dim> const layout(problem);
  auto const context = problem.cells.context();
  Index const count = problem.cells.cell_count();
  auto const x = uniform_field<T>(problem.cells, seed);
  auto wanted = zero_field<T>(problem.cells), got = zero_field<T>(problem.cells);
  layout.matrix.apply(wanted, x);
  auto const values = to_device(context, std::vector<T>(static_cast<std::size_t>(layout.tiles.value_count()), T(0)));
  parallel_for(context, "sparse::test::scatter", count,
               Scatter<T, Dim>{layout.tiles.positions(), x.view().data, values.data()});
  parallel_for(context, "sparse::test::product", count,
               TileProduct<T, Dim>{layout.on_tiles.view(), layout.tiles.positions(), values.data(), got.view().data});
  double const rounding = std::is_same_v<T, float> ? 1e-6 : 1e-14;
  EXPECT_LE(length(difference(values_of(got), values_of(wanted))), rounding * length(values_of(wanted)))
      << "seed " << seed;
  EXPECT_EQ((sparse::parallel_reduce<Kokkos::Sum, Index>(context, "sparse::test::fast", layout.tiles.tile_count(),
                                                         FastFaults<T, Dim>{layout.on_tiles.view()})),
            0)
      << "seed " << seed;
}

/// A problem of `random_problem` without periods.
template <int Dim>
Problem<Dim> bounded_problem(unsigned seed) {
  auto problem = random_problem<Dim>(seed);
  problem.period = {};
  if (problem.face_coefficient[0]) add_coefficients(problem);
  return problem;
}

}  // namespace

TYPED_TEST(PoissonTiles, HaveAPlaceForEachCell) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto const problem = bounded_problem<Dim>(seed);
    sparse::poisson::detail::Matrix<T, Dim> const matrix(problem);
    Tiles<Dim> const tiles(matrix.couplings());
    auto const context = problem.cells.context();
    auto const positions = to_host(context, tiles.positions(), problem.cells.cell_count());
    std::vector<Cell<Dim>> first;
    tiles.set().to_host().for_each_cell([&](Cell<Dim> const& tile, Index) { first.push_back(tile_width * tile); });
    ASSERT_EQ(static_cast<Index>(first.size()), tiles.tile_count());
    Cells<Dim> found;
    for (auto const position : positions) {
      auto cell = first[static_cast<std::size_t>(position / tile_cells<Dim>)] + problem.cells.bounds().begin;
      int const local = position % tile_cells<Dim>;  // bricks of 2 cells per axis, 4 of them per axis
      for (int axis = 0; axis < Dim; ++axis)
        cell[axis] += 2 * ((local >> (Dim + 2 * axis)) & 3) + ((local >> axis) & 1);
      found.insert(cell);
    }
    EXPECT_EQ(found, cells_of(problem.cells)) << "seed " << seed;
  }
}

TYPED_TEST(PoissonTiles, HaveTheMatrixOfTheProblem) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 60; ++seed) expect_same_product<T>(bounded_problem<Dim>(seed), seed);
}

TYPED_TEST(PoissonTiles, HaveTheMatrixOfLargerProblems) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  Problem<Dim> problem;
  problem.cells = sparse::box<Dim>(Cell<Dim>::filled(-11), Cell<Dim>::filled(33));
  problem.grid.spacing[0] = 0.3;
  problem.zeroth_order = 0.2;
  expect_same_product<T>(problem, 1);
  problem.cells = problem.cells - sparse::ball<Dim>(Vec<double, Dim>::filled(3), 5);
  expect_same_product<T>(problem, 2);
  auto engine = random_engine(3);
  draw_dirichlet_faces(problem, 0.3, engine);
  expect_same_product<T>(problem, 3);
}

TYPED_TEST(PoissonTiles, AreNeighboursAcrossPeriods) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 8; ++seed) {
    Problem<Dim> problem;
    auto size = Cell<Dim>::filled(16);
    size[0] = 24;
    problem.period = size;
    if (seed % 2 == 1) problem.period[1] = 0;
    size[1] -= seed % 4 < 2 ? 0 : 3;
    problem.cells = sparse::box<Dim>({}, size);
    if (seed > 1) problem.cells = problem.cells - sparse::random_cells<Dim>(problem.cells.bounds(), 0.1, seed);
    if (seed > 5) add_coefficients(problem);
    expect_same_product<T>(problem, seed);
  }
}

TEST(PoissonTiles, StoreLittleWhereCellsAreAlike) {
  Problem<3> problem;
  problem.cells = sparse::box<3>({}, {64, 64, 64});
  problem.dirichlet[0] = sparse::box<3>({0, 0, 0}, {1, 64, 64});
  Layout<float, 3> const layout(problem);
  EXPECT_EQ(layout.tiles.tile_count(), 512);
  EXPECT_EQ(layout.on_tiles.usual_count(), 6 * 6 * 6);
  EXPECT_EQ(layout.on_tiles.fast_count(), 6 * 6 * 6);
  EXPECT_EQ(layout.on_tiles.row_tile_count(), 0);
}
