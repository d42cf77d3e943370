#pragma once
/// The passes of `kernels.hpp` one at a time, for any number of sweeps: values of x are kept between them.

#include "kernels.hpp"

namespace sparse::poisson::detail {

/// The residual after a step, and its square. @param copy  the same as P; or none
template <class T, class P, int Dim>
struct StepResidual {
  using Shared = NoMemory;
  SteppedResidual<T> residual;
  P* copy;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, NoMemory&, int tile) const {
    double const square = block.total(block.each_sum(tile_cells<Dim>, [&](int i) -> double {
      int const position = tile * tile_cells<Dim> + i;
      T const value = residual.value(position);
      if (copy != nullptr) copy[position] = static_cast<P>(value);
      return residual.keep(position, value);
    }));
    if (block.is_first()) residual.squares[tile] = square;
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
      return static_cast<double>(r[position]) * static_cast<double>(z[position]);
    }));
    if (block.is_first()) products[tile] = product;
  }
};

template <class P, int Dim>
struct NearValues {
  P x[Halo<Dim, 1>::count];
};

/// Loads what kernels on a tile and the cells beside it need; 0 where there is no cell.
template <class P, int Dim, class Block, class Value>
KOKKOS_FORCEINLINE_FUNCTION void load_near(Block const& block, TileGrid<Dim> const& grid, int tile, P* x,
                                           Value const& value) {
  using Near = Halo<Dim, 1>;
  block.each(Near::count, [&](int i) {
    auto const place = Near::place(i);
    int const distance = place.distance();
    int const there = distance > 1 ? -1 : grid.tile_at(tile, place, distance);
    x[i] = there < 0 ? P(0) : value(place, there, place.local());
  });
}

/// A sweep that begins with x = 0.
template <class B, class P, int Dim>
struct FirstSweep {
  using Shared = NearValues<P, Dim>;
  using Near = Halo<Dim, 1>;
  TileMatrixView<P, Dim> matrix;
  B const* b;
  P* x;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    load_near<P, Dim>(block, matrix.grid, tile, shared.x, [&](Place<Dim> const& place, int there, int local) -> P {
      auto const wanted = static_cast<P>(b[there * tile_cells<Dim> + local]);
      return place.colour() == 0 ? wanted * matrix.template inverse_diagonal<false>(there, local) : wanted;
    });
    block.each(tile_cells<Dim>, [&](int i) {
      auto const place = Halo<Dim, 0>::place(i);
      P const* const here = shared.x + Near::index(place);
      auto const row = matrix.template row<false>(tile, i);
      x[tile * tile_cells<Dim> + i] =
          place.colour() == 0 ? *here : (*here + row.template from_neighbours<Near>(here)) * row.inverse;
    });
  }
};

/// Half a sweep.
template <class B, class P, int Dim>
struct HalfSweep {
  using Shared = NearValues<P, Dim>;
  using Near = Halo<Dim, 1>;
  TileMatrixView<P, Dim> matrix;
  B const* b;
  P* x;
  int colour;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    load_near<P, Dim>(block, matrix.grid, tile, shared.x, [&](Place<Dim> const& place, int there, int local) -> P {
      return place.colour() == colour ? P(0) : x[there * tile_cells<Dim> + local];  // others write those of `colour`
    });
    block.each(tile_cells<Dim> / 2, [&](int i) {
      auto const place = Halo<Dim, 0>::place(i, colour);
      int const local = place.local(), position = tile * tile_cells<Dim> + local;
      auto const row = matrix.template row<false>(tile, local);
      P const sum = row.template from_neighbours<Near>(shared.x + Near::index(place));
      x[position] = (static_cast<P>(b[position]) + sum) * row.inverse;
    });
  }
};

template <class P, int Dim>
struct NearValuesAndResidual {
  P x[Halo<Dim, 1>::count], residual[tile_cells<Dim>];
};

/// Restricts the residual.
template <class B, class P, int Dim>
struct RestrictTile {
  using Shared = NearValuesAndResidual<P, Dim>;
  using Near = Halo<Dim, 1>;
  TileMatrixView<P, Dim> matrix;
  B const* b;
  P const* x;
  P* coarse;

  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int tile) const {
    load_near<P, Dim>(block, matrix.grid, tile, shared.x,
                      [&](Place<Dim> const&, int there, int local) -> P { return x[there * tile_cells<Dim> + local]; });
    block.each(tile_cells<Dim>, [&](int i) {
      auto const row = matrix.template row<false>(tile, i);
      P const* const here = shared.x + Near::index(Halo<Dim, 0>::place(i));
      shared.residual[i] = static_cast<P>(b[tile * tile_cells<Dim> + i]) - row.template applied<Near>(here);
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
      coarse[matrix.grid.parent[tile] + first.parent()] = mean * sum;
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
      x[tile * tile_cells<Dim> + i] += coarse[grid.parent[tile] + Halo<Dim, 0>::place(i).parent()];
    });
  }
};

}  // namespace sparse::poisson::detail
