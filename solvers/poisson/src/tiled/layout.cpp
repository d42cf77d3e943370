#include "layout.hpp"

#include <limits>
#include <string>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/scaling.hpp>

#include "memory.hpp"
#include "operator/stages.hpp"
#include "operator/zeros.hpp"

namespace sparse::poisson::detail {
namespace {

/// What must have usual rows around a tile for the fast kernels: two cells.
template <int Dim>
using Around = Halo<Dim, 2>;

template <int Dim>
KOKKOS_FUNCTION Place<Dim> place_in_tile(Vec<Coord, Dim> const& cell) {
  Place<Dim> place;
  for (int axis = 0; axis < Dim; ++axis) place.at[axis] = cell[axis] & (tile_width - 1);
  return place;
}

/// For each cell where its value is.
template <int Dim>
struct FindPositions {
  SetView tiles;
  std::int32_t* positions;
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    auto const cell = cell_at<Dim>(rows.run.key, rows.run.x + step);
    Vec<Coord, Dim> tile = cell;
    for (int axis = 0; axis < Dim; ++axis) tile[axis] >>= 3;
    positions[rows.run.first + step] =
        static_cast<std::int32_t>(tiles.find(tile) * tile_cells<Dim> + place_in_tile(cell).local());
  }
};

template <int Dim>
struct FindNeighbours {
  SetView tiles;
  Vec<Coord, Dim> period;  // in tiles
  std::int32_t* neighbours;
  KOKKOS_FUNCTION void operator()(Index i) const {
    Index const tile = i / direction_count<Dim>;
    auto cell = cell_of<Dim>(tiles, tile);
    auto direction = static_cast<int>(i % direction_count<Dim>);
    for (int axis = 0; axis < Dim; ++axis) {
      cell[axis] += direction % 3 - 1;
      direction /= 3;
      if (period[axis] > 0) cell[axis] = (cell[axis] + period[axis]) % period[axis];
    }
    neighbours[i] = static_cast<std::int32_t>(tiles.find(cell));
  }
};

template <int Dim>
struct FindTileParents {
  SetView tiles, coarser;
  std::int32_t* parents;
  KOKKOS_FUNCTION void operator()(Index tile) const {
    auto cell = cell_of<Dim>(tiles, tile);
    Place<Dim> first;
    for (int axis = 0; axis < Dim; ++axis) {
      first.at[axis] = (cell[axis] & 1) * (tile_width / 2);
      cell[axis] >>= 1;
    }
    parents[tile] = static_cast<std::int32_t>(coarser.find(cell) * tile_cells<Dim> + first.local());
  }
};

/// Codes of all cells.
template <class T, int Dim>
struct Encode {
  TileRow<T, Dim> usual;
  std::int32_t const* positions;
  std::uint16_t* codes;  // [position]

  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    unsigned code = is_cell;
    bool is_usual = true;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      T const weight = rows.weight(arm, step);
      if (weight > 0) code |= 1u << arm;
      is_usual = is_usual && (!(weight > 0) || are_equal(weight, usual.weight[arm], usual.weight[arm]));
    }
    T const given = rows.extra(step) - usual.extra;
    if (!are_equal(given, 0, usual.extra)) is_usual = is_usual && find_faces(given, code);
    codes[positions[rows.run.first + step]] = static_cast<std::uint16_t>(is_usual ? code : code | is_unusual);
  }

  /// Whether two values are equal but for rounding errors in values of this size.
  KOKKOS_FUNCTION static bool are_equal(T a, T b, T size) {
    constexpr T rounding = 4 * (sizeof(T) == 4 ? T(1.2e-7) : T(2.3e-16));
    T const error = a < b ? b - a : a - b;
    return error <= rounding * size;
  }
  /// Finds Dirichlet faces that add up to this part of the diagonal, if there are such, and adds them to the code.
  KOKKOS_FUNCTION bool find_faces(T given, unsigned& code) const {
    for (unsigned faces = 1; faces <= all_neighbours<Dim>; ++faces) {
      if ((faces & code) != 0) continue;
      T sum = 0;
      for (int arm = 0; arm < 2 * Dim; ++arm)
        if (((faces >> arm) & 1u) != 0) sum += 2 * usual.weight[arm];
      if (!are_equal(given, sum, sum + usual.extra)) continue;
      code |= faces << (2 * Dim);
      return true;
    }
    return false;
  }
};

/// How a tile's rows are stored: 0 not at all, 1 as codes, 2 as rows.
template <int Dim>
struct Classify {
  std::uint16_t const* codes;
  std::int32_t* kind;
  std::int32_t least;
  KOKKOS_FUNCTION void operator()(Index tile) const {
    std::int32_t worst = least;
    for (int local = 0; local < tile_cells<Dim>; ++local) {
      unsigned const code = codes[tile * tile_cells<Dim> + local];
      std::int32_t const found = (code & is_unusual) != 0 ? 2 : code != usual_code<Dim> ? 1 : 0;
      worst = worst < found ? found : worst;
    }
    kind[tile] = worst;
  }
};
struct IsOfKind {
  std::int32_t const* kind;
  std::int32_t wanted;
  KOKKOS_FUNCTION Count operator()(Index tile) const { return {kind[tile] == wanted ? 1 : 0}; }
};

template <int Dim>
struct FillStorage {
  TileGrid<Dim> grid;
  std::uint16_t const* codes;
  std::int32_t const* kind;
  Count const *coded, *stored;  // [tile + 1] tiles of these kinds before each
  std::int32_t *storage, usual, fast;
  std::uint16_t* kept;

  KOKKOS_FUNCTION void operator()(Index tile) const {
    if (kind[tile] == 1) {
      storage[tile] = static_cast<std::int32_t>(2 * coded[tile].value);
      for (int local = 0; local < tile_cells<Dim>; ++local)
        kept[coded[tile].value * tile_cells<Dim> + local] = codes[tile * tile_cells<Dim> + local];
    } else if (kind[tile] == 2) {
      storage[tile] = static_cast<std::int32_t>(2 * stored[tile].value + 1);
    } else {
      storage[tile] = is_usual_around(static_cast<int>(tile)) ? fast : usual;
    }
  }
  KOKKOS_FUNCTION bool is_usual_around(int tile) const {
    for (int i = 0; i < Around<Dim>::count; ++i) {
      auto const place = Around<Dim>::place(i);
      int const distance = place.distance();
      if (distance > 2) continue;
      int const there = grid.tile_at(PlainMemory{}, tile, place, distance);
      if (there < 0 || codes[static_cast<Index>(there) * tile_cells<Dim> + place.local()] != usual_code<Dim>)
        return false;
    }
    return true;
  }
};
struct IsFast {
  std::int32_t const* storage;
  std::int32_t fast;
  KOKKOS_FUNCTION void operator()(Index tile, Index& sum) const { sum += storage[tile] == fast ? 1 : 0; }
};

template <class T, int Dim>
struct FillTileRows {
  std::int32_t const *positions, *storage;
  T* rows;
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& from, int step) const {
    std::int32_t const position = positions[from.run.first + step];
    std::int32_t const slot = storage[position / tile_cells<Dim>];
    if (slot < 0 || slot % 2 == 0) return;
    T* const row = rows + (slot / 2) * Index{row_components<Dim> * tile_cells<Dim>} + position % tile_cells<Dim>;
    for (int arm = 0; arm < 2 * Dim; ++arm) row[arm * tile_cells<Dim>] = from.weight(arm, step);
    row[extra_component<Dim> * tile_cells<Dim>] = from.extra(step);
    row[inverse_component<Dim> * tile_cells<Dim>] = from.inverse_diagonal(step);
  }
};

/// Calls `body(rows, step)` for each cell.
template <class Body, class T, int Dim>
void for_cells(Couplings<T, Dim> const& level, Body const& body) {
  Pipeline pipeline;
  pipeline.add(cell_stage(level, body));
  pipeline.run(level.context(), level.chain());
}

}  // namespace

// ---- places

template <int Dim>
template <class T>
Tiles<Dim>::Tiles(Couplings<T, Dim> const& level) : set_(coarsen(coarsen(coarsen(level.cells())))) {
  if (value_count() > std::numeric_limits<std::int32_t>::max())
    fail("poisson: " + std::to_string(tile_count()) + " tiles are too many for 32-bit positions");
  positions_ = Buffer<std::int32_t>(level.context(), level.cell_count());
  for_cells(level, FindPositions<Dim>{set_.view(), positions_.data()});
}

template <int Dim>
bool Tiles<Dim>::are_whole(Vec<Coord, Dim> const& period) {
  for (int axis = 0; axis < Dim; ++axis)
    if (period[axis] % tile_width != 0) return false;
  return true;
}

template <int Dim>
void Tiles<Dim>::find_neighbours(Vec<Coord, Dim> const& period) {
  Vec<Coord, Dim> in_tiles = period;
  for (int axis = 0; axis < Dim; ++axis) in_tiles[axis] /= tile_width;
  neighbours_ = Buffer<std::int32_t>(set_.context(), tile_count() * direction_count<Dim>);
  parallel_for(set_.context(), "sparse::poisson::tile_neighbours", neighbours_.size(),
               FindNeighbours<Dim>{set_.view(), in_tiles, neighbours_.data()});
}

template <int Dim>
void Tiles<Dim>::find_parents(Tiles const& coarser) {
  parents_ = Buffer<std::int32_t>(set_.context(), tile_count());
  parallel_for(set_.context(), "sparse::poisson::tile_parents", tile_count(),
               FindTileParents<Dim>{set_.view(), coarser.set_.view(), parents_.data()});
}

template <int Dim>
TileGrid<Dim> Tiles<Dim>::grid() const {
  return {static_cast<std::int32_t>(tile_count()), neighbours_.data(), parents_.data()};
}

// ---- matrices

template <class T, int Dim>
TileMatrix<T, Dim>::TileMatrix(Couplings<T, Dim> const& level, Tiles<Dim> const& tiles, Vec<double, Dim> const& weight,
                               double zeroth, bool classifies)
    : grid_(tiles.grid()) {
  auto const context = level.context();
  Index const count = tiles.tile_count();
  usual_row_.extra = static_cast<T>(zeroth);
  for (int arm = 0; arm < 2 * Dim; ++arm) usual_row_.weight[arm] = static_cast<T>(weight[arm / 2]);
  usual_row_.inverse = usual_row_.one_over_diagonal();

  auto const codes = zeros<std::uint16_t>(context, tiles.value_count());
  for_cells(level, Encode<T, Dim>{usual_row_, tiles.positions(), codes.data()});
  Buffer<std::int32_t> const kind(context, count);
  parallel_for(context, "sparse::poisson::tile_kinds", count,
               Classify<Dim>{codes.data(), kind.data(), classifies ? 0 : 1});
  auto const coded = count_and_scan<Count>(context, "sparse::poisson::tile_codes", count, IsOfKind{kind.data(), 1});
  auto const stored = count_and_scan<Count>(context, "sparse::poisson::tile_rows", count, IsOfKind{kind.data(), 2});
  Index const coded_count = read_back(context, coded.data() + count).value;
  row_tile_count_ = read_back(context, stored.data() + count).value;
  usual_count_ = count - coded_count - row_tile_count_;

  codes_ = Buffer<std::uint16_t>(context, coded_count * tile_cells<Dim>);
  rows_ = zeros<T>(context, row_tile_count_ * row_components<Dim> * tile_cells<Dim>);
  storage_ = Buffer<std::int32_t>(context, count);
  using View = TileMatrixView<T, Dim>;
  parallel_for(context, "sparse::poisson::tile_storage", count,
               FillStorage<Dim>{grid_, codes.data(), kind.data(), coded.data(), stored.data(), storage_.data(),
                                View::usual, View::fast, codes_.data()});
  if (row_tile_count_ > 0) for_cells(level, FillTileRows<T, Dim>{tiles.positions(), storage_.data(), rows_.data()});
  fast_count_ = parallel_reduce<Kokkos::Sum, Index>(context, "sparse::poisson::tile_fast", count,
                                                    IsFast{storage_.data(), View::fast});
}

template <class T, int Dim>
TileMatrixView<T, Dim> TileMatrix<T, Dim>::view() const {
  return {grid_, usual_row_, storage_.data(), codes_.data(), rows_.data()};
}

template class Tiles<2>;
template class Tiles<3>;
template Tiles<2>::Tiles(Couplings<float, 2> const&);
template Tiles<2>::Tiles(Couplings<double, 2> const&);
template Tiles<3>::Tiles(Couplings<float, 3> const&);
template Tiles<3>::Tiles(Couplings<double, 3> const&);
template class TileMatrix<float, 2>;
template class TileMatrix<float, 3>;
template class TileMatrix<double, 2>;
template class TileMatrix<double, 3>;

}  // namespace sparse::poisson::detail
