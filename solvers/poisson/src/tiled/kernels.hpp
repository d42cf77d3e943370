#pragma once
/// Multigrid cycles and conjugate gradients on tiles. Only sums that must be known separate passes over memory.
///
/// What these kernels read and write in 3D, in bytes per cell of a level, with t = sizeof(T) and p = sizeof(P), on
/// tiles without rows of their own. Not counted: halos, which come from the cache, and tables, 0.2 per kernel.
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

#include <sparse/poisson/method.hpp>

#include "block.hpp"
#include "view.hpp"

namespace sparse::poisson::detail {

/// The numbers of conjugate gradients; they stay on the device.
struct TiledScalars {
  static constexpr int history_limit = TileLaunches::longest_interval;
  double rz, beta, pq, alpha;
  double square_limit;            ///< of r^2; below it steps change nothing until the host has looked
  int is_done, step;              ///< `step` counts the steps since the host has looked
  double history[history_limit];  ///< [step] r^2, or a product that is not finite
};

// ---- the preconditioner

/// The right-hand side of a coarse level.
template <class P>
struct GivenRight {
  P const* b;
  KOKKOS_FORCEINLINE_FUNCTION P value(int position) const { return b[position]; }
  KOKKOS_FORCEINLINE_FUNCTION double keep(int, P) const { return 0; }
};
/// The residual after a step, r - alpha A p. It is stored, and its square is added up.
template <class T>
struct SteppedResidual {
  T const *r, *q;
  T* next;
  TiledScalars const* scalars;
  double* squares;  ///< [tile]
  KOKKOS_FORCEINLINE_FUNCTION T value(int position) const {
    return r[position] - static_cast<T>(scalars->alpha) * q[position];
  }
  KOKKOS_FORCEINLINE_FUNCTION double keep(int position, T value) const {
    next[position] = value;
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
template <bool fast, class Block, class P, int Dim>
KOKKOS_FORCEINLINE_FUNCTION void smooth_black(Block const& block, TileMatrixView<P, Dim> const& matrix, int tile,
                                              P* x) {
  using Near = Halo<Dim, 1>;
  using Wide = Halo<Dim, 2>;
  block.each(Near::half_count, [&](int i) {
    auto const place = Near::place(i, 1);
    int const distance = place.distance();
    int const there = distance > 1 ? -1 : matrix.grid.tile_at(tile, place, distance);
    if (there < 0) return;
    auto const row = matrix.template row<fast>(there, place.local());
    P* const here = x + Wide::index(place);
    *here = (*here + row.template from_neighbours<Wide>(here)) * row.inverse;
  });
}

/// Smooths x = 0 once and restricts the residual. `Right` is one of the above.
template <class Right, class P, int Dim>
struct Descend {
  using Shared = WideHalo<P, Dim>;
  using Wide = Halo<Dim, 2>;
  using Own = Halo<Dim, 0>;
  TileMatrixView<P, Dim> matrix;
  Right right;
  P* coarse;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    if (matrix.is_fast(tile))
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
      int const there = matrix.grid.tile_at(tile, place, distance);
      P& here = x[Wide::index(place)];
      if (!fast && there < 0) {
        here = 0;
        return 0;
      }
      int const local = place.local(), position = there * tile_cells<Dim> + local;
      auto const value = right.value(position);
      bool const is_red = place.colour() == 0;
      auto const b = static_cast<P>(value);
      here = is_red ? b * matrix.template inverse_diagonal<fast>(there, local) : b;
      return distance == 0 ? right.keep(position, value) : 0;
    });
    if constexpr (requires { right.squares; }) {
      double const square = block.total(part);
      if (block.is_first()) right.squares[tile] = square;
    }
    smooth_black<fast>(block, matrix, tile, x);
    // Red values solve their rows with black values of 0, so this is their residual.
    block.each(Own::half_count, [&](int i) {
      auto const place = Own::place(i, 0);
      P* const here = x + Wide::index(place);
      *here = matrix.template row<fast>(tile, place.local()).template from_neighbours<Wide>(here);
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
      coarse[matrix.grid.parent[tile] + place.parent()] = mean * sum;
    });
  }
};

/// Smooths x = 0 once, adds the coarse correction, and smooths once more, black cells first. B is the type of the
/// right-hand side.
template <class B, class P, int Dim>
struct Ascend {
  using Shared = WideHaloAndRight<P, Dim>;
  using Wide = Halo<Dim, 2>;
  using Own = Halo<Dim, 0>;
  TileMatrixView<P, Dim> matrix;
  B const* b;
  P const* coarse;
  P* result;
  double* products;  ///< [tile] of b and the result; or none

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    if (matrix.is_fast(tile))
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
      int const there = matrix.grid.tile_at(tile, place, distance);
      P& here = x[Wide::index(place)];
      if (!fast && there < 0) {
        here = 0;
        return;
      }
      int const local = place.local();
      auto const wanted = static_cast<P>(b[there * tile_cells<Dim> + local]);
      if (distance == 0) shared.b[local] = wanted;
      here = place.colour() != 0 ? wanted  // black ones are not needed as they were
                                 : wanted * matrix.template inverse_diagonal<fast>(there, local) +
                                       coarse[matrix.grid.parent[there] + place.parent()];
    });
    smooth_black<fast>(block, matrix, tile, x);
    block.each(Own::half_count, [&](int i) {
      auto const place = Own::place(i, 0);
      int const local = place.local();
      auto const row = matrix.template row<fast>(tile, local);
      P* const here = x + Wide::index(place);
      *here = (shared.b[local] + row.template from_neighbours<Wide>(here)) * row.inverse;
    });
    double const part = block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      P const value = x[Wide::index(Own::place(i))];
      int const position = tile * tile_cells<Dim> + i;
      result[position] = value;
      return products == nullptr ? 0 : static_cast<double>(b[position]) * static_cast<double>(value);
    });
    if (products == nullptr) return;
    double const product = block.total(part);
    if (block.is_first()) products[tile] = product;
  }
};

// ---- conjugate gradients

template <class T, int Dim>
struct NearHalo {
  T x[Halo<Dim, 1>::count];
};

/// x += alpha p with the last direction p, p = z + beta p, q = A p.
template <class T, class P, int Dim>
struct Direct {
  using Shared = NearHalo<T, Dim>;
  using Near = Halo<Dim, 1>;
  using Own = Halo<Dim, 0>;
  TileMatrixView<T, Dim> matrix;
  P const* z;
  T const* last;
  T *p, *x, *q;
  TiledScalars const* scalars;
  double* products;  ///< [tile] of p and q

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    if (matrix.is_fast(tile))
      run<true>(block, shared.x, tile);
    else
      run<false>(block, shared.x, tile);
  }

  template <bool fast, class Block>
  KOKKOS_FORCEINLINE_FUNCTION void run(Block const& block, T* values, int tile) const {
    auto const alpha = static_cast<T>(scalars->alpha), beta = static_cast<T>(scalars->beta);
    block.each(Near::count, [&](int i) {
      auto const place = Near::place(i);
      int const distance = place.distance();
      if (distance > 1) return;
      int const there = matrix.grid.tile_at(tile, place, distance);
      if (!fast && there < 0) {
        values[i] = 0;
        return;
      }
      int const position = there * tile_cells<Dim> + place.local();
      T const before = last[position], next = static_cast<T>(z[position]) + beta * before;
      values[i] = next;
      if (distance > 0) return;
      p[position] = next;
      x[position] += alpha * before;
    });
    double const part = block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      T const* const here = values + Near::index(Own::place(i));
      T const product = matrix.template row<fast>(tile, i).template applied<Near>(here);
      q[tile * tile_cells<Dim> + i] = product;
      return static_cast<double>(*here) * static_cast<double>(product);
    });
    double const product = block.total(part);
    if (block.is_first()) products[tile] = product;
  }
};

// ---- what sums over tiles lead to; one block

/// After the preconditioner: beta.
struct FinishProduct {
  using Shared = NoMemory;
  double const* products;
  int tile_count;
  TiledScalars* scalars;
  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int) const {
    double const rz = block.total(block.each_sum(tile_count, [&](int i) -> double { return products[i]; }));
    if (!block.is_first()) return;
    scalars->beta = scalars->rz != 0 ? rz / scalars->rz : 0;
    scalars->rz = rz;
  }
};
/// After the direction: alpha.
struct FinishDirection {
  using Shared = NoMemory;
  double const* products;
  int tile_count;
  TiledScalars* scalars;
  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int) const {
    double const pq = block.total(block.each_sum(tile_count, [&](int i) -> double { return products[i]; }));
    if (!block.is_first()) return;
    scalars->pq = pq;
    scalars->alpha = pq > 0 && scalars->is_done == 0 ? scalars->rz / pq : 0;
  }
};
/// After the step: r^2.
struct FinishStep {
  using Shared = NoMemory;
  double const* squares;
  int tile_count;
  TiledScalars* scalars;
  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int) const {
    double const square = block.total(block.each_sum(tile_count, [&](int i) -> double { return squares[i]; }));
    if (!block.is_first() || scalars->is_done != 0) return;
    double const pq = scalars->pq;
    scalars->history[scalars->step++ % TiledScalars::history_limit] = pq - pq == 0 ? square : pq;
    scalars->is_done = square > scalars->square_limit && scalars->alpha != 0 ? 0 : 1;
  }
};

}  // namespace sparse::poisson::detail
