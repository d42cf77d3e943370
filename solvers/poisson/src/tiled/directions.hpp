#pragma once
/// Conjugate gradients on tiles: directions and their products, and what sums lead to.

#include "around.hpp"
#include "scalars.hpp"

namespace sparse::poisson::detail {

/// x += alpha p with the last direction p, p = z + beta p, q = A p. `Around` says how neighbours are reached.
template <class T, class P, int Dim, template <class, int> class Around = CopiedAround>
struct Direct {
  using Shared = typename Around<T, Dim>::Shared;
  TileMatrixView<T, Dim> matrix;
  P const* z;
  T const* last;
  T *p, *x, *q;
  TiledScalars const* scalars;
  double* products;  ///< [tile] of p and q

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    if (matrix.is_fast(block, tile))
      run<true>(block, shared, tile);
    else
      run<false>(block, shared, tile);
  }

  template <bool fast, class Block>
  KOKKOS_FORCEINLINE_FUNCTION void run(Block const& block, Shared& shared, int tile) const {
    auto const alpha = static_cast<T>(scalars->alpha), beta = static_cast<T>(scalars->beta);
    // Those that load a value of the tile also store it.
    auto const around = Around<T, Dim>::template of<fast>(
        block, matrix.grid, tile, shared, [&](Place<Dim> const&, int there, int local, bool is_own) -> T {
          int const position = there * tile_cells<Dim> + local;
          T const before = block.at(last, position), next = static_cast<T>(block.at(z, position)) + beta * before;
          if (is_own) {
            block.at(p, position) = next;
            block.at(x, position) += alpha * before;
          }
          return next;
        });
    double const part = block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      auto const place = Halo<Dim, 0>::place(i);
      T const here = around.own(place),
              product = around.applied(matrix.template row<fast>(block, tile, i), here, place);
      block.at(q, tile * tile_cells<Dim> + i) = product;
      return static_cast<double>(here) * static_cast<double>(product);
    });
    double const product = block.total(part);
    if (block.is_first()) block.at(products, tile) = product;
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
    double const rz = block.total(block.each_sum(tile_count, [&](int i) -> double { return block.at(products, i); }));
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
    double const pq = block.total(block.each_sum(tile_count, [&](int i) -> double { return block.at(products, i); }));
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
    double const square =
        block.total(block.each_sum(tile_count, [&](int i) -> double { return block.at(squares, i); }));
    if (!block.is_first() || scalars->is_done != 0) return;
    double const pq = scalars->pq;
    scalars->history[scalars->step++ % TiledScalars::history_limit] = pq - pq == 0 ? square : pq;
    scalars->is_done = square > scalars->square_limit && scalars->alpha != 0 ? 0 : 1;
  }
};

}  // namespace sparse::poisson::detail
