#pragma once
/// How kernels reach the values in a tile and of the cells beside it.
///
/// `Around<P, Dim>::of<fast>(block, grid, tile, shared, value)` gives an object with the values of `value(place, tile,
/// local, is_own)`. It is called for places in `tile` or beside it, with the tile that has the place, the position in
/// that, and whether the block is asked for the value of a cell of its own, which happens once per cell. There is 0
/// where there is no tile. The object has `own(place)`, `from_neighbours(row, place)` and `applied(row, own value,
/// place)`.

#include "block.hpp"
#include "view.hpp"

namespace sparse::poisson::detail {

/// Each value is made once, and kept in the memory of the block.
template <class P, int Dim>
struct CopiedAround {
  using Near = Halo<Dim, 1>;
  struct Shared {
    P x[Near::count];
  };
  P const* x;

  template <bool fast, class Block, class Value>
  KOKKOS_FORCEINLINE_FUNCTION static CopiedAround of(Block const& block, TileGrid<Dim> const& grid, int tile,
                                                     Shared& shared, Value const& value) {
    block.each(Near::count, [&](int i) {
      auto const place = Near::place(i);
      int const distance = place.distance();
      if (distance > 1) return;
      int const there = grid.tile_at(block, tile, place, distance);
      shared.x[i] = !fast && there < 0 ? P(0) : value(place, there, place.local(), distance == 0);
    });
    return {shared.x};
  }
  KOKKOS_FORCEINLINE_FUNCTION P own(Place<Dim> const& place) const { return x[Near::index(place)]; }
  KOKKOS_FORCEINLINE_FUNCTION P from_neighbours(TileRow<P, Dim> const& row, Place<Dim> const& place) const {
    return row.template from_neighbours<Near>(x + Near::index(place));
  }
  KOKKOS_FORCEINLINE_FUNCTION P applied(TileRow<P, Dim> const& row, P, Place<Dim> const& place) const {
    return row.template applied<Near>(x + Near::index(place));
  }
};

/// Each value is made when it is asked for, from memory.
template <class P, int Dim>
struct MemoryAround {
  using Shared = NoMemory;

  template <bool fast, class Block, class Value>
  struct Values {
    Block const& block;
    TileGrid<Dim> const& grid;
    int tile;
    Value value;

    KOKKOS_FORCEINLINE_FUNCTION P beside(Place<Dim> const& place) const {
      int const there = grid.tile_at(block, tile, place, place.distance());
      return !fast && there < 0 ? P(0) : value(place, there, place.local(), false);
    }
    KOKKOS_FORCEINLINE_FUNCTION P own(Place<Dim> const& place) const { return value(place, tile, place.local(), true); }
    KOKKOS_FORCEINLINE_FUNCTION P from_neighbours(TileRow<P, Dim> const& row, Place<Dim> place) const {
      P sum = 0;
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis) {
        --place.at[axis];
        P const lower = beside(place);
        place.at[axis] += 2;
        sum += row.weight[2 * axis] * lower + row.weight[2 * axis + 1] * beside(place);
        --place.at[axis];
      }
      return sum;
    }
    KOKKOS_FORCEINLINE_FUNCTION P applied(TileRow<P, Dim> const& row, P here, Place<Dim> place) const {
      P sum = row.extra * here;
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis) {
        --place.at[axis];
        P const lower = beside(place);
        place.at[axis] += 2;
        sum += row.weight[2 * axis] * (here - lower) + row.weight[2 * axis + 1] * (here - beside(place));
        --place.at[axis];
      }
      return sum;
    }
  };
  template <bool fast, class Block, class Value>
  KOKKOS_FORCEINLINE_FUNCTION static Values<fast, Block, Value> of(Block const& block, TileGrid<Dim> const& grid,
                                                                   int tile, Shared&, Value const& value) {
    return {block, grid, tile, value};
  }
};

}  // namespace sparse::poisson::detail
