#pragma once
/// Levels of a multigrid hierarchy on tiles of 8 cells per axis, as kernels see them.

#include <cstdint>

#include <sparse/base/compat.hpp>
#include <sparse/base/config.hpp>

namespace sparse::poisson::detail {

inline constexpr int tile_width = 8;
constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
template <int Dim>
inline constexpr int tile_cells = power(tile_width, Dim);
/// Tiles around a tile and itself: those of direction d, with entries of -1, 0 and 1, are at sum (d[axis] + 1) 3^axis.
template <int Dim>
inline constexpr int direction_count = power(3, Dim);

/// A cell of a tile or beside it, counted from the tile's first one.
template <int Dim>
struct Place {
  int at[Dim];

  /// Steps from cell to cell that lead out of the tile.
  KOKKOS_FORCEINLINE_FUNCTION int distance() const {
    int sum = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis)
      sum += at[axis] < 0 ? -at[axis] : at[axis] >= tile_width ? at[axis] - (tile_width - 1) : 0;
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION int colour() const {
    int sum = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) sum += at[axis];
    return sum & 1;
  }
  KOKKOS_FORCEINLINE_FUNCTION int direction() const {
    int sum = 0;
    SPARSE_UNROLL
    for (int axis = Dim - 1; axis >= 0; --axis) sum = 3 * sum + (at[axis] < 0 ? 0 : at[axis] >= tile_width ? 2 : 1);
    return sum;
  }
  /// Position among the values of the tile that has the cell. Bricks of 2 cells per axis follow each other, x first, as
  /// do the cells in them: what lies two cells deep around a tile then fills sectors of memory (32 bytes), as a rule.
  KOKKOS_FORCEINLINE_FUNCTION int local() const {
    int brick = 0, within = 0;
    SPARSE_UNROLL
    for (int axis = Dim - 1; axis >= 0; --axis) {
      brick = (tile_width / 2) * brick + ((at[axis] & (tile_width - 1)) >> 1);
      within = 2 * within + (at[axis] & 1);
    }
    return (brick << Dim) + within;
  }
  /// Position of the parent, counted from that of the tile's first cell.
  KOKKOS_FORCEINLINE_FUNCTION int parent() const {
    Place half;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) half.at[axis] = (at[axis] & (tile_width - 1)) >> 1;
    return half.local();
  }
};

/// A tile and what is up to `reach` cells away from it, as a box: its first place is (-reach, ..., -reach).
template <int Dim, int reach>
struct Halo {
  static constexpr int width = tile_width + 2 * reach;
  static constexpr int count = power(width, Dim), half_count = count / 2;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int stride(int axis) {
    return axis == 0 ? 1 : axis == 1 ? width : width * width;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int index(Place<Dim> const& place) {
    int sum = 0;
    SPARSE_UNROLL
    for (int axis = Dim - 1; axis >= 0; --axis) sum = width * sum + place.at[axis] + reach;
    return sum;
  }
  /// The i-th place: brick by brick, if bricks fit; for the tile itself the inverse of `local`.
  KOKKOS_FORCEINLINE_FUNCTION static Place<Dim> place(int i) {
    constexpr int step = reach % 2 == 0 ? 2 : 1;
    int within = 0;
    if constexpr (step == 2) {
      within = i & ((1 << Dim) - 1);
      i >>= Dim;
    }
    Place<Dim> found;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      found.at[axis] = i % (width / step) * step + ((within >> axis) & 1) - reach;
      i /= width / step;
    }
    return found;
  }
  /// The i-th place of a colour.
  KOKKOS_FORCEINLINE_FUNCTION static Place<Dim> place(int i, int colour) {
    Place<Dim> found;
    found.at[0] = 2 * (i % (width / 2));
    i /= width / 2;
    int sum = colour + reach;
    SPARSE_UNROLL
    for (int axis = 1; axis < Dim; ++axis) {
      found.at[axis] = i % width - reach;
      sum += found.at[axis];
      i /= width;
    }
    found.at[0] += (sum & 1) - reach;
    return found;
  }
};

/// Which tiles a level has. Values are stored tile by tile, those of cells that it does not have as 0.
template <int Dim>
struct TileGrid {
  std::int32_t tile_count;
  std::int32_t const* neighbour;  ///< [tile][direction] the tile there, or -1; none for levels that are not tiled
  std::int32_t const* parent;     ///< [tile] position of the parent of its first cell; none on the coarsest level

  /// The tile that has a place in or near `tile`, or -1.
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION int tile_at(Memory const& memory, int tile, Place<Dim> const& place, int distance) const {
    if (distance == 0) return tile;
    return memory.at(neighbour, tile * direction_count<Dim> + place.direction());
  }
  /// Position of the parent of a cell.
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION int parent_of(Memory const& memory, int tile, Place<Dim> const& place) const {
    return memory.at(parent, tile) + place.parent();
  }
};

/// Bits of a cell's code, which stands for its matrix row where that is as on a uniform grid but for missing faces: for
/// each arm whether it has a neighbour, then whether p is given there.
template <int Dim>
inline constexpr unsigned all_neighbours = (1u << (2 * Dim)) - 1;
inline constexpr unsigned is_cell = 1u << 14, is_unusual = 1u << 15;  ///< the latter: a row that no code stands for
template <int Dim>
inline constexpr unsigned usual_code = is_cell | all_neighbours<Dim>;

template <class T, int Dim>
struct TileRow {
  T weight[2 * Dim], extra, inverse;  ///< couplings, rest of the diagonal, one over the diagonal

  KOKKOS_FORCEINLINE_FUNCTION T one_over_diagonal() const {
    T diagonal = extra;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) diagonal += weight[arm];
    return diagonal > 0 ? T(1) / diagonal : T(0);
  }
  template <class Shape>
  KOKKOS_FORCEINLINE_FUNCTION T from_neighbours(T const* x) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis)
      sum += weight[2 * axis] * x[-Shape::stride(axis)] + weight[2 * axis + 1] * x[Shape::stride(axis)];
    return sum;
  }
  template <class Shape>
  KOKKOS_FORCEINLINE_FUNCTION T applied(T const* x) const {
    T sum = extra * x[0];
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis)
      sum +=
          weight[2 * axis] * (x[0] - x[-Shape::stride(axis)]) + weight[2 * axis + 1] * (x[0] - x[Shape::stride(axis)]);
    return sum;
  }
};

/// Components of stored rows, behind the weights.
template <int Dim>
inline constexpr int extra_component = 2 * Dim;
template <int Dim>
inline constexpr int inverse_component = 2 * Dim + 1;
template <int Dim>
inline constexpr int row_components = 2 * Dim + 2;

/// The matrix of a level on tiles.
template <class T, int Dim>
struct TileMatrixView {
  // what `storage` has for tiles without stored rows: all cells have usual ones, and in and near fast ones, too
  static constexpr std::int32_t usual = -1, fast = -2;

  TileGrid<Dim> grid;
  TileRow<T, Dim> usual_row;
  std::int32_t const* storage;  ///< [tile] 2 k: the k-th tile with codes; 2 k + 1: the k-th one with rows
  std::uint16_t const* codes;   ///< [k][cell]
  T const* rows;                ///< [k][component][cell]

  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION bool is_fast(Memory const& memory, int tile) const {
    return memory.at(storage, tile) == fast;
  }

  /// The row of a cell of a tile; rows of cells that the level does not have are 0.
  template <bool fast_path, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION TileRow<T, Dim> row(Memory const& memory, int tile, int local) const {
    if constexpr (fast_path) return usual_row;
    int const slot = memory.at(storage, tile);
    if (slot < 0) return usual_row;
    if (slot % 2 == 0) return with_inverse(memory, decoded(memory, slot / 2, local));
    auto row = stored_row(memory, slot / 2, local);
    row.inverse = stored(memory, slot / 2, inverse_component<Dim>, local);
    return row;
  }
  template <bool fast_path, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION T inverse_diagonal(Memory const& memory, int tile, int local) const {
    if constexpr (fast_path) return usual_row.inverse;
    int const slot = memory.at(storage, tile);
    if (slot < 0) return usual_row.inverse;
    if (slot % 2 == 0) return with_inverse(memory, decoded(memory, slot / 2, local)).inverse;
    return stored(memory, slot / 2, inverse_component<Dim>, local);
  }
  /// A row whose inverse diagonal is not known yet.
  template <bool fast_path, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION TileRow<T, Dim> row_without_inverse(Memory const& memory, int tile, int local) const {
    if constexpr (fast_path) return usual_row;
    int const slot = memory.at(storage, tile);
    if (slot < 0) return usual_row;
    return slot % 2 == 0 ? decoded(memory, slot / 2, local).row : stored_row(memory, slot / 2, local);
  }

private:
  struct Decoded {
    TileRow<T, Dim> row;
    bool is_usual;
  };
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION T stored(Memory const& memory, int slot, int component, int local) const {
    return memory.at(rows,
                     (static_cast<std::int64_t>(slot) * row_components<Dim> + component) * tile_cells<Dim> + local);
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION TileRow<T, Dim> stored_row(Memory const& memory, int slot, int local) const {
    TileRow<T, Dim> row;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) row.weight[arm] = stored(memory, slot, arm, local);
    row.extra = stored(memory, slot, extra_component<Dim>, local);
    row.inverse = 0;
    return row;
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION Decoded decoded(Memory const& memory, int slot, int local) const {
    unsigned const code = memory.at(codes, slot * tile_cells<Dim> + local);
    TileRow<T, Dim> row;
    row.inverse = 0;
    row.extra = (code & is_cell) != 0 ? usual_row.extra : T(0);
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      row.weight[arm] = ((code >> arm) & 1u) != 0 ? usual_row.weight[arm] : T(0);
      row.extra += ((code >> (2 * Dim + arm)) & 1u) != 0 ? 2 * usual_row.weight[arm] : T(0);
    }
    return {row, code == usual_code<Dim>};
  }
  /// Most cells need no division.
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION TileRow<T, Dim> with_inverse(Memory const& memory, Decoded const& from) const {
    auto row = from.row;
    if (!from.is_usual) memory.note_division();
    row.inverse = from.is_usual ? usual_row.inverse : row.one_over_diagonal();
    return row;
  }
};

/// The same matrix without stored inverses: rows divide each time that they are asked for.
template <class T, int Dim>
struct DividingMatrixView : TileMatrixView<T, Dim> {
  template <bool fast_path, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION TileRow<T, Dim> row(Memory const& memory, int tile, int local) const {
    auto row = this->template row_without_inverse<fast_path>(memory, tile, local);
    memory.note_division();
    row.inverse = row.one_over_diagonal();
    return row;
  }
  template <bool fast_path, class Memory>
  KOKKOS_FORCEINLINE_FUNCTION T inverse_diagonal(Memory const& memory, int tile, int local) const {
    memory.note_division();
    return this->template row_without_inverse<fast_path>(memory, tile, local).one_over_diagonal();
  }
};

}  // namespace sparse::poisson::detail
