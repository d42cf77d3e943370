/// Kernels on tiles. Results must not depend on the order of tiles and of the calls in a phase, since threads of a
/// device come in any order. A fused pass must do the same as several simple ones.

#include <algorithm>
#include <cstring>
#include <numeric>

#include <sparse/sets/algebra.hpp>
#include <support/poisson.hpp>

#include "operator/matrix.hpp"
#include "tiled/directions.hpp"
#include "tiled/sweeps.hpp"
#include "tiled/tail.hpp"

namespace {

using namespace reference;
using namespace sparse::poisson;
using namespace sparse::poisson::detail;

/// The numbers before `count` in some order, the same each time.
std::vector<int> scrambled(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  auto engine = random_engine(static_cast<unsigned>(count));
  std::shuffle(order.begin(), order.end(), engine);
  return order;
}

/// A block whose calls come in any order.
struct ScrambledBlock : PlainMemory {
  template <class Body>
  void each(int count, Body const& body) const {
    for (int const i : scrambled(count)) body(i);
  }
  template <class Body>
  double each_sum(int count, Body const& body) const {
    double sum = 0;
    for (int const i : scrambled(count)) sum += body(i);
    return sum;
  }
  double total(double part) const { return part; }
  bool is_first() const { return true; }
};

/// Tile by tile; shared memory is full of NaN at first.
template <class Block, class Kernel>
void run(Kernel const& kernel, std::vector<int> const& tiles) {
  for (int const tile : tiles) {
    typename Kernel::Shared shared;
    std::memset(&shared, 0xff, sizeof shared);
    kernel(Block{}, shared, tile);
  }
}
template <class Kernel>
void run_in_order(Kernel const& kernel, int count) {
  std::vector<int> tiles(static_cast<std::size_t>(count));
  std::iota(tiles.begin(), tiles.end(), 0);
  run<HostBlock>(kernel, tiles);
}
template <class Kernel>
void run_in_any_order(Kernel const& kernel, int count) {
  run<ScrambledBlock>(kernel, scrambled(count));
}

/// Two levels of a problem, with values.
template <class T, int Dim>
struct Levels {
  Couplings<T, Dim> fine, coarse;
  Tiles<Dim> tiles, coarse_tiles;
  TileMatrix<T, Dim> matrix;
  int count;

  explicit Levels(Problem<Dim> const& problem) : fine(problem), coarse(fine.gathered()), tiles(fine) {
    coarse.complete(fine);
    coarse_tiles = Tiles<Dim>(coarse);
    tiles.find_neighbours(problem.period);
    tiles.find_parents(coarse_tiles);
    matrix = {fine, tiles, Vec<double, Dim>::filled(1), problem.zeroth_order};
    count = static_cast<int>(tiles.tile_count());
  }
  /// Random values of the cells of a level, 0 elsewhere.
  static std::vector<T> values(Couplings<T, Dim> const& level, Tiles<Dim> const& of, unsigned seed) {
    auto engine = random_engine(seed);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> all(static_cast<std::size_t>(of.value_count()), T(0));
    for (Index cell = 0; cell < level.cell_count(); ++cell)
      all[static_cast<std::size_t>(of.positions()[cell])] = uniform(engine);
    return all;
  }
  std::vector<T> fine_values(unsigned seed) const { return values(fine, tiles, seed); }
  std::vector<T> coarse_values(unsigned seed) const { return values(coarse, coarse_tiles, seed); }
  std::vector<double> sums() const { return std::vector<double>(static_cast<std::size_t>(count), -1); }
};

template <class T>
void expect_close(std::vector<T> const& a, std::vector<T> const& b, char const* what) {
  double const limit = std::is_same_v<T, float> ? 1e-5 : 1e-13;
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], limit * (1 + std::abs(static_cast<double>(a[i])))) << what << " at " << i;
}

/// With walls, p given, tiles in the middle, coefficients by face, periods.
template <int Dim>
std::vector<Problem<Dim>> problems() {
  Cell<Dim> size = Cell<Dim>::filled(Dim == 2 ? 40 : 24);
  size[0] = Dim == 2 ? 51 : 33;
  Problem<Dim> body;
  body.cells =
      sparse::box<Dim>({}, size) - sparse::ball<Dim>(Vec<double, Dim>::filled(Dim == 2 ? 20 : 3), Dim == 2 ? 3 : 5);
  auto engine = random_engine(1);
  draw_dirichlet_faces(body, 0.2, engine);
  auto varying = body;
  add_coefficients(varying);
  Problem<Dim> periodic;
  periodic.cells = sparse::box<Dim>({}, Cell<Dim>::filled(24));
  periodic.period = Cell<Dim>::filled(24);
  periodic.zeroth_order = 0.5;
  return {body, varying, periodic};
}

template <class TheCase>
class PoissonTileKernels : public testing::Test {};
TYPED_TEST_SUITE(PoissonTileKernels, RealCases);

}  // namespace

TYPED_TEST(PoissonTileKernels, DoNotDependOnTheOrder) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (auto const& problem : problems<Dim>()) {
    Levels<T, Dim> const levels(problem);
    auto const view = levels.matrix.view();
    int const count = levels.count;
    auto const r = levels.fine_values(1), q = levels.fine_values(2), z = levels.fine_values(3),
               p = levels.fine_values(4);
    TiledScalars scalars{};
    scalars.alpha = 0.3;
    scalars.beta = 0.7;

    auto next = r, other_next = r;
    auto coarse = levels.coarse_values(5), other_coarse = coarse;
    auto sums = levels.sums(), other_sums = sums;
    using Stepped = SteppedResidual<T>;
    run_in_order(
        Descend<Stepped, T, Dim>{view, Stepped{r.data(), q.data(), next.data(), &scalars, sums.data()}, coarse.data()},
        count);
    run_in_any_order(
        Descend<Stepped, T, Dim>{view, Stepped{r.data(), q.data(), other_next.data(), &scalars, other_sums.data()},
                                 other_coarse.data()},
        count);
    EXPECT_EQ(next, other_next);
    EXPECT_EQ(coarse, other_coarse);
    expect_close(sums, other_sums, "squares");

    auto result = z, other_result = z;
    auto const correction = levels.coarse_values(6);
    run_in_order(Ascend<T, T, Dim>{view, r.data(), correction.data(), result.data(), sums.data()}, count);
    run_in_any_order(Ascend<T, T, Dim>{view, r.data(), correction.data(), other_result.data(), other_sums.data()},
                     count);
    EXPECT_EQ(result, other_result);
    expect_close(sums, other_sums, "products");

    auto direction = p, other_direction = p, x = z, other_x = z, product = q, other_product = q;
    run_in_order(
        Direct<T, T, Dim>{view, z.data(), p.data(), direction.data(), x.data(), product.data(), &scalars, sums.data()},
        count);
    run_in_any_order(Direct<T, T, Dim>{view, z.data(), p.data(), other_direction.data(), other_x.data(),
                                       other_product.data(), &scalars, other_sums.data()},
                     count);
    EXPECT_EQ(direction, other_direction);
    EXPECT_EQ(x, other_x);
    EXPECT_EQ(product, other_product);
    expect_close(sums, other_sums, "products");

    x = other_x = z;
    for (int const colour : {0, 1}) {
      run_in_order(HalfSweep<T, T, Dim>{view, r.data(), x.data(), colour}, count);
      run_in_any_order(HalfSweep<T, T, Dim>{view, r.data(), other_x.data(), colour}, count);
    }
    EXPECT_EQ(x, other_x);
    run_in_order(RestrictTile<T, T, Dim>{view, r.data(), x.data(), coarse.data()}, count);
    run_in_any_order(RestrictTile<T, T, Dim>{view, r.data(), x.data(), other_coarse.data()}, count);
    EXPECT_EQ(coarse, other_coarse);
  }
}

TYPED_TEST(PoissonTileKernels, DoInOnePassWhatSeveralDo) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (auto const& problem : problems<Dim>()) {
    Levels<T, Dim> const levels(problem);
    auto const view = levels.matrix.view();
    int const count = levels.count;
    auto const b = levels.fine_values(1);

    auto x = levels.fine_values(2), fused = x;
    auto coarse = levels.coarse_values(3), fused_coarse = coarse;
    run_in_order(FirstSweep<T, T, Dim>{view, b.data(), x.data()}, count);
    run_in_order(RestrictTile<T, T, Dim>{view, b.data(), x.data(), coarse.data()}, count);
    run_in_order(Descend<GivenRight<T>, T, Dim>{view, GivenRight<T>{b.data()}, fused_coarse.data()}, count);
    expect_close(coarse, fused_coarse, "restricted residual");

    auto const correction = levels.coarse_values(4);
    run_in_order(ProlongTile<T, Dim>{view.grid, x.data(), correction.data()}, count);
    for (int const colour : {1, 0}) run_in_order(HalfSweep<T, T, Dim>{view, b.data(), x.data(), colour}, count);
    run_in_order(Ascend<T, T, Dim>{view, b.data(), correction.data(), fused.data(), nullptr}, count);
    expect_close(x, fused, "smoothed values");
  }
}

// Neighbours that are read from memory, and rows that divide.
TYPED_TEST(PoissonTileKernels, MakeTheSameWithoutMemoryOfABlockAndStoredInverses) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Dividing = DividingMatrixView<T, Dim>;
  for (auto const& problem : problems<Dim>()) {
    Levels<T, Dim> const levels(problem);
    auto const view = levels.matrix.view();
    Dividing const dividing{view};
    int const count = levels.count;
    auto const b = levels.fine_values(1), z = levels.fine_values(2), last = levels.fine_values(3);

    auto x = levels.fine_values(4), other_x = x;
    run_in_order(FirstSweep<T, T, Dim>{view, b.data(), x.data()}, count);
    run_in_any_order(FirstSweep<T, T, Dim, MemoryAround, Dividing>{dividing, b.data(), other_x.data()}, count);
    expect_close(x, other_x, "first sweep");
    for (int const colour : {1, 0}) {
      run_in_order(HalfSweep<T, T, Dim>{view, b.data(), x.data(), colour}, count);
      run_in_any_order(HalfSweep<T, T, Dim, MemoryAround, Dividing>{dividing, b.data(), other_x.data(), colour}, count);
    }
    expect_close(x, other_x, "half sweeps");
    auto coarse = levels.coarse_values(5), other_coarse = coarse;
    run_in_order(RestrictTile<T, T, Dim>{view, b.data(), x.data(), coarse.data()}, count);
    run_in_any_order(RestrictTile<T, T, Dim, MemoryAround>{view, b.data(), x.data(), other_coarse.data()}, count);
    expect_close(coarse, other_coarse, "restricted residual");
    run_in_order(Descend<GivenRight<T>, T, Dim>{view, {b.data()}, coarse.data()}, count);
    run_in_any_order(Descend<GivenRight<T>, T, Dim, Dividing>{dividing, {b.data()}, other_coarse.data()}, count);
    expect_close(coarse, other_coarse, "fused descent");
    auto const correction = levels.coarse_values(6);
    run_in_order(Ascend<T, T, Dim>{view, b.data(), correction.data(), x.data(), nullptr}, count);
    run_in_any_order(Ascend<T, T, Dim, Dividing>{dividing, b.data(), correction.data(), other_x.data(), nullptr},
                     count);
    expect_close(x, other_x, "fused ascent");

    TiledScalars scalars{};
    scalars.alpha = 0.3;
    scalars.beta = 0.7;
    auto p = last, other_p = last, q = x, other_q = x, third_q = x;
    other_x = x;
    auto sums = levels.sums(), other_sums = sums;
    run_in_order(Direct<T, T, Dim>{view, z.data(), last.data(), p.data(), x.data(), q.data(), &scalars, sums.data()},
                 count);
    run_in_any_order(Direct<T, T, Dim, MemoryAround>{view, z.data(), last.data(), other_p.data(), other_x.data(),
                                                     other_q.data(), &scalars, other_sums.data()},
                     count);
    expect_close(p, other_p, "direction");
    expect_close(x, other_x, "solution");
    expect_close(q, other_q, "product");
    for (std::size_t i = 0; i < sums.size(); ++i)
      EXPECT_NEAR(sums[i], other_sums[i], (std::is_same_v<T, float> ? 1e-5 : 1e-13) * (1 + std::abs(sums[i])));
    run_in_order(ApplyTile<T, Dim>{view, p.data(), other_q.data()}, count);
    run_in_any_order(ApplyTile<T, Dim, MemoryAround>{view, p.data(), third_q.data()}, count);
    expect_close(q, other_q, "product alone");
    expect_close(q, third_q, "product alone, from memory");
  }
}

TYPED_TEST(PoissonTileKernels, OfSmallLevelsDoNotDependOnTheOrder) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (auto const& problem : problems<Dim>()) {
    Levels<T, Dim> const levels(problem);
    std::vector<T> results[2];
    for (bool const is_scrambled : {false, true}) {
      TailLevel<T, Dim> fine(levels.fine, levels.tiles), coarse(levels.coarse, levels.coarse_tiles);
      fine.connect(coarse, levels.fine, levels.coarse, levels.tiles, levels.coarse_tiles);
      fine.find_singular_components(levels.fine.context());
      TailView<T, Dim> const views[2] = {fine.view(), coarse.view()};
      auto const b = levels.fine_values(1);
      std::copy(b.begin(), b.end(), views[0].b);
      TailCycle<T, Dim> const cycle{views, 2, {2, 4, true}};
      is_scrambled ? run_in_any_order(cycle, 1) : run_in_order(cycle, 1);
      results[is_scrambled].assign(views[0].x, views[0].x + levels.tiles.value_count());
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_GT(*std::max_element(results[0].begin(), results[0].end()), 0);
  }
}
