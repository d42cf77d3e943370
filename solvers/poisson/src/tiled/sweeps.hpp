#pragma once
/// The passes of `kernels.hpp` and `directions.hpp` one at a time, for any number of sweeps. Values of x are stored
/// between them. `Around` says how neighbours are reached.

#include "around.hpp"
#include "kernels.hpp"

namespace sparse::poisson::detail {

/// The residual after a step, and its square if there is a place for it. `copy` gets the residual as P, unless it is
/// null.
template <class T, class P, int Dim>
struct StepResidual {
  using Shared = NoMemory;
  SteppedResidual<T> residual;
  P* copy;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int tile) const {
    double const part = block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      int const position = tile * tile_cells<Dim> + i;
      T const value = residual.value(block, position);
      if (copy != nullptr) block.at(copy, position) = static_cast<P>(value);
      return residual.keep(block, position, value);
    });
    if (residual.squares == nullptr) return;
    double const square = block.total(part);
    if (block.is_first()) block.at(residual.squares, tile) = square;
  }
};

template <class T, class P, int Dim>
struct TileProducts {
  using Shared = NoMemory;
  T const* r;
  P const* z;
  double* products;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int tile) const {
    double const product = block.total(block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      int const position = tile * tile_cells<Dim> + i;
      return static_cast<double>(block.at(r, position)) * static_cast<double>(block.at(z, position));
    }));
    if (block.is_first()) block.at(products, tile) = product;
  }
};

/// q = A p
template <class T, int Dim, template <class, int> class Around = CopiedAround>
struct ApplyTile {
  using Shared = typename Around<T, Dim>::Shared;
  TileMatrixView<T, Dim> matrix;
  T const* p;
  T* q;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    auto const around = Around<T, Dim>::template of<false>(block, matrix.grid, tile, shared,
                                                           [&](Place<Dim> const&, int there, int local, bool) -> T {
                                                             return block.at(p, there * tile_cells<Dim> + local);
                                                           });
    block.each(tile_cells<Dim>, [&](int i) {
      auto const place = Halo<Dim, 0>::place(i);
      auto const row = matrix.template row<false>(block, tile, i);
      block.at(q, tile * tile_cells<Dim> + i) = around.applied(row, around.own(place), place);
    });
  }
};

/// A sweep that begins with x = 0.
template <class B, class P, int Dim, template <class, int> class Around = CopiedAround,
          class Matrix = TileMatrixView<P, Dim>>
struct FirstSweep {
  using Shared = typename Around<P, Dim>::Shared;
  Matrix matrix;
  B const* b;
  P* x;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    auto const around = Around<P, Dim>::template of<false>(
        block, matrix.grid, tile, shared, [&](Place<Dim> const& place, int there, int local, bool) -> P {
          auto const wanted = static_cast<P>(block.at(b, there * tile_cells<Dim> + local));
          return place.colour() == 0 ? wanted * matrix.template inverse_diagonal<false>(block, there, local) : wanted;
        });
    block.each(tile_cells<Dim>, [&](int i) {
      auto const place = Halo<Dim, 0>::place(i);
      P value = around.own(place);
      if (place.colour() != 0) {
        auto const row = matrix.template row<false>(block, tile, i);
        value = (value + around.from_neighbours(row, place)) * row.inverse;
      }
      block.at(x, tile * tile_cells<Dim> + i) = value;
    });
  }
};

/// Half a sweep.
template <class B, class P, int Dim, template <class, int> class Around = CopiedAround,
          class Matrix = TileMatrixView<P, Dim>>
struct HalfSweep {
  using Shared = typename Around<P, Dim>::Shared;
  Matrix matrix;
  B const* b;
  P* x;
  int colour;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    auto const around = Around<P, Dim>::template of<false>(
        block, matrix.grid, tile, shared, [&](Place<Dim> const& place, int there, int local, bool) -> P {
          if (place.colour() == colour) return P(0);  // others write those
          return block.at(x, there * tile_cells<Dim> + local);
        });
    block.each(tile_cells<Dim> / 2, [&](int i) {
      auto const place = Halo<Dim, 0>::place(i, colour);
      int const local = place.local(), position = tile * tile_cells<Dim> + local;
      auto const row = matrix.template row<false>(block, tile, local);
      block.at(x, position) =
          (static_cast<P>(block.at(b, position)) + around.from_neighbours(row, place)) * row.inverse;
    });
  }
};

/// Restricts the residual.
template <class B, class P, int Dim, template <class, int> class Around = CopiedAround>
struct RestrictTile {
  struct Shared {
    typename Around<P, Dim>::Shared around;
    P residual[tile_cells<Dim>];
  };
  TileMatrixView<P, Dim> matrix;
  B const* b;
  P const* x;
  P* coarse;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    auto const around = Around<P, Dim>::template of<false>(block, matrix.grid, tile, shared.around,
                                                           [&](Place<Dim> const&, int there, int local, bool) -> P {
                                                             return block.at(x, there * tile_cells<Dim> + local);
                                                           });
    block.each(tile_cells<Dim>, [&](int i) {
      auto const place = Halo<Dim, 0>::place(i);
      auto const row = matrix.template row<false>(block, tile, i);
      shared.residual[i] =
          static_cast<P>(block.at(b, tile * tile_cells<Dim> + i)) - around.applied(row, around.own(place), place);
    });
    block.each(tile_cells<Dim> >> Dim, [&](int i) {
      Place<Dim> first;
      for (int axis = 0; axis < Dim; ++axis) first.at[axis] = coarse_coordinate<Dim>(i, axis) * 2;
      P sum = 0;
      for (int child = 0; child < (1 << Dim); ++child) {
        auto place = first;
        for (int axis = 0; axis < Dim; ++axis) place.at[axis] += (child >> axis) & 1;
        sum += shared.residual[place.local()];
      }
      constexpr P mean = P(1) / (1 << Dim);
      block.at(coarse, matrix.grid.parent_of(block, tile, first)) = mean * sum;
    });
  }
};

/// Adds the coarse correction.
template <class P, int Dim>
struct ProlongTile {
  using Shared = NoMemory;
  TileGrid<Dim> grid;
  P* x;
  P const* coarse;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int tile) const {
    block.each(tile_cells<Dim>, [&](int i) {
      block.at(x, tile * tile_cells<Dim> + i) +=
          static_cast<P>(block.at(coarse, grid.parent_of(block, tile, Halo<Dim, 0>::place(i))));
    });
  }
};

}  // namespace sparse::poisson::detail
