#pragma once
/// Multigrid cycles on tiles. With the kernels of `directions.hpp`, only sums that must be known separate passes over
/// memory.
///
/// What these kernels and `Direct` read and write in 3D, in counted bytes per cell of a level, with t = sizeof(T) and p
/// = sizeof(P), on tiles without rows of their own. Not counted: halos, which come from the cache, and tables, 0.2 per
/// kernel.
///
/// | kernel    | reads                       | writes             | T = P = float | double, float | double |
/// |-----------|-----------------------------|--------------------|---------------|---------------|--------|
/// | Direct    | z p, last p t, x t          | p t, x t, A p t    | 24            | 44            | 48     |
/// | Descend   | r t, A p t                  | r t, coarse b p/8  | 12.5          | 24.5          | 25     |
/// | Ascend    | r t, coarse x p/8           | z p                | 8.5           | 12.5          | 17     |
/// | coarser   | (2 b p, 2 p/8), 1/7 of that | (x p, p/8)         | 1.9           | 1.9           | 3.7    |
/// | all                                                              | 46.9          | 82.9          | 93.7   |
///
/// Pre-smoothed values are not stored. Red ones are b / diagonal; black ones follow from the red ones beside them. The
/// residual, which is 0 on black cells, follows from both. So all is a function of b up to two cells away, and the two
/// kernels that need these values make them anew.
///
/// Halos come from the cache in sectors of 32 bytes. With bricks (see `Place::local`) a tile of 512 floats and what is
/// two cells around it lie in 13 bytes of sectors per cell (with rows of 8 in 20), and one cell around it in 10 (14);
/// of doubles in 24 (28.5) and 18 (20).

#include "block.hpp"
#include "scalars.hpp"
#include "view.hpp"

namespace sparse::poisson::detail {

/// The right-hand side of a coarse level.
template <class P>
struct GivenRight {
  P const* b;
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION P value(Memory const& memory, int position) const {
    return memory.at(b, position);
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION double keep(Memory const&, int, P) const {
    return 0;
  }
};
/// The residual after a step, r - alpha A p. It is stored, and its square is added up.
template <class T>
struct SteppedResidual {
  T const *r, *q;
  T* next;
  TiledScalars const* scalars;
  double* squares;  ///< [tile]
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION T value(Memory const& memory, int position) const {
    return static_cast<T>(memory.at(r, position)) -
           static_cast<T>(scalars->alpha) * static_cast<T>(memory.at(q, position));
  }
  template <class Memory>
  KOKKOS_FORCEINLINE_FUNCTION double keep(Memory const& memory, int position, T value) const {
    memory.at(next, position) = value;
    return static_cast<double>(value) * static_cast<double>(value);
  }
};

/// Of the i-th parent of a tile's cells, in the order of their positions.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION int coarse_coordinate(int i, int axis) {
  return ((i >> axis) & 1) + 2 * ((i >> (Dim + axis)) & 1);
}

template <class P, int Dim>
struct WideHalo {
  P x[Halo<Dim, 2>::count];
};
template <class P, int Dim>
struct WideHaloAndRight {
  P x[Halo<Dim, 2>::count], b[tile_cells<Dim>];
};

/// Replaces the right-hand sides of the black cells in and beside a tile by their values.
template <bool fast, int Dim, class Block, class Matrix, class P>
KOKKOS_FORCEINLINE_FUNCTION void smooth_black(Block const& block, Matrix const& matrix, int tile, P* x) {
  using Near = Halo<Dim, 1>;
  using Wide = Halo<Dim, 2>;
  block.each(Near::half_count, [&](int i) {
    auto const place = Near::place(i, 1);
    int const distance = place.distance();
    int const there = distance > 1 ? -1 : matrix.grid.tile_at(block, tile, place, distance);
    if (there < 0) return;
    auto const row = matrix.template row<fast>(block, there, place.local());
    P* const here = x + Wide::index(place);
    *here = (*here + row.template from_neighbours<Wide>(here)) * row.inverse;
  });
}

/// Smooths x = 0 once and restricts the residual. `Right` is one of the above.
template <class Right, class P, int Dim, class Matrix = TileMatrixView<P, Dim>>
struct Descend {
  using Shared = WideHalo<P, Dim>;
  using Wide = Halo<Dim, 2>;
  using Own = Halo<Dim, 0>;
  Matrix matrix;
  Right right;
  P* coarse;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    if (matrix.is_fast(block, tile))
      run<true>(block, shared.x, tile);
    else
      run<false>(block, shared.x, tile);
  }

  template <bool fast, class Block>
  KOKKOS_FORCEINLINE_FUNCTION void run(Block const& block, P* x, int tile) const {
    double const part = block.each_sum(Wide::count, [&](int i) -> double {
      auto const place = Wide::place(i);
      int const distance = place.distance();
      if (distance > 2) return 0;
      int const there = matrix.grid.tile_at(block, tile, place, distance);
      P& here = x[Wide::index(place)];
      if (!fast && there < 0) {
        here = 0;
        return 0;
      }
      int const local = place.local(), position = there * tile_cells<Dim> + local;
      auto const value = right.value(block, position);
      bool const is_red = place.colour() == 0;
      auto const b = static_cast<P>(value);
      here = is_red ? b * matrix.template inverse_diagonal<fast>(block, there, local) : b;
      return distance == 0 ? right.keep(block, position, value) : 0;
    });
    if constexpr (requires { right.squares; }) {
      double const square = block.total(part);
      if (block.is_first()) block.at(right.squares, tile) = square;
    }
    smooth_black<fast, Dim>(block, matrix, tile, x);
    // Red values solve their rows with black values of 0, so this is their residual.
    block.each(Own::half_count, [&](int i) {
      auto const place = Own::place(i, 0);
      P* const here = x + Wide::index(place);
      *here = matrix.template row<fast>(block, tile, place.local()).template from_neighbours<Wide>(here);
    });
    block.each(tile_cells<Dim> >> Dim, [&](int i) {
      Place<Dim> place;
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis) place.at[axis] = coarse_coordinate<Dim>(i, axis) * 2;
      P const* const first = x + Wide::index(place);
      P sum = 0;
      SPARSE_UNROLL
      for (int child = 0; child < (1 << Dim); ++child) {
        int offset = 0, colour = 0;
        SPARSE_UNROLL
        for (int axis = 0; axis < Dim; ++axis) {
          int const step = (child >> axis) & 1;
          offset += step * Wide::stride(axis);
          colour ^= step;
        }
        if (colour == 0) sum += first[offset];
      }
      constexpr P mean = P(1) / (1 << Dim);
      block.at(coarse, matrix.grid.parent_of(block, tile, place)) = mean * sum;
    });
  }
};

/// Smooths x = 0 once, adds the coarse correction, and smooths once more, black cells first. B is the type of the
/// right-hand side.
template <class B, class P, int Dim, class Matrix = TileMatrixView<P, Dim>>
struct Ascend {
  using Shared = WideHaloAndRight<P, Dim>;
  using Wide = Halo<Dim, 2>;
  using Own = Halo<Dim, 0>;
  Matrix matrix;
  B const* b;
  P const* coarse;
  P* result;
  double* products;  ///< [tile] of b and the result; or none

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    if (matrix.is_fast(block, tile))
      run<true>(block, shared, tile);
    else
      run<false>(block, shared, tile);
  }

  template <bool fast, class Block>
  KOKKOS_FORCEINLINE_FUNCTION void run(Block const& block, Shared& shared, int tile) const {
    P* const x = shared.x;
    block.each(Wide::count, [&](int i) {
      auto const place = Wide::place(i);
      int const distance = place.distance();
      if (distance > 2) return;
      int const there = matrix.grid.tile_at(block, tile, place, distance);
      P& here = x[Wide::index(place)];
      if (!fast && there < 0) {
        here = 0;
        return;
      }
      int const local = place.local();
      auto const wanted = static_cast<P>(block.at(b, there * tile_cells<Dim> + local));
      if (distance == 0) shared.b[local] = wanted;
      here = place.colour() != 0 ? wanted  // black ones are not needed as they were
                                 : wanted * matrix.template inverse_diagonal<fast>(block, there, local) +
                                       static_cast<P>(block.at(coarse, matrix.grid.parent_of(block, there, place)));
    });
    smooth_black<fast, Dim>(block, matrix, tile, x);
    block.each(Own::half_count, [&](int i) {
      auto const place = Own::place(i, 0);
      int const local = place.local();
      auto const row = matrix.template row<fast>(block, tile, local);
      P* const here = x + Wide::index(place);
      *here = (shared.b[local] + row.template from_neighbours<Wide>(here)) * row.inverse;
    });
    double const part = block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      P const value = x[Wide::index(Own::place(i))];
      int const position = tile * tile_cells<Dim> + i;
      block.at(result, position) = value;
      return products == nullptr ? 0 : static_cast<double>(block.at(b, position)) * static_cast<double>(value);
    });
    if (products == nullptr) return;
    double const product = block.total(part);
    if (block.is_first()) block.at(products, tile) = product;
  }
};

}  // namespace sparse::poisson::detail
