#pragma once
/// Graphs of connected parts of cells, and their coarsening.

#include <sparse/buffer.hpp>
#include <sparse/solvers/poisson/couplings.hpp>

#include "aggregates.hpp"
#include "parts.hpp"

namespace sparse::poisson::detail {

/// Parts, and what flows between them. Their cells' places interleave the bits of the coordinates, so that the parts of
/// the cells that have the same parent follow each other, on every level.
template <class T, int Dim>
struct PartGraph {
  Index count = 0;
  Vec<Coord, Dim> period = {};
  Buffer<std::uint64_t> place;           ///< ascending
  Buffer<Aggregate<T, Dim>> aggregates;  ///< without the lower faces' fluxes
  Buffer<Index> starts;                  ///< [count + 1] entries before those of a part
  Buffer<std::int32_t> to;               ///< [entry] the neighbour
  Buffer<T> flux;                        ///< [entry] coupling times distance
  Buffer<std::uint8_t> arm;              ///< [entry] on which side it is

  bool has_two_colours() const {
    for (int axis = 0; axis < Dim; ++axis)
      if (period[axis] % 2 != 0) return false;
    return true;
  }
  bool can_coarsen() const {
    for (int axis = 0; axis < Dim; ++axis)
      if (period[axis] % 2 != 0 || period[axis] == 2) return false;
    return true;
  }
};

/// Whether there are places for the cells of a level: no more than 2^31 cells, in 3D in a box of 2^21 along each axis.
template <class T, int Dim>
bool has_places(Couplings<T, Dim> const& level);

/// Each cell as a part.
template <class T, int Dim>
struct CellGraph {
  PartGraph<T, Dim> graph;
  Buffer<std::int32_t> cell;  ///< [part] its position among the cells
};
template <class T, int Dim>
CellGraph<T, Dim> graph_of_cells(Couplings<T, Dim> const& level);

/// The graph of the connected parts of the cells' parents. Parts that are coupled to nothing have no parent: they are
/// solved as they are.
/// @param children  set to what connects the two
template <class T, int Dim>
PartGraph<T, Dim> coarser(Context const& context, PartGraph<T, Dim> const& fine, PartChildren& children);

/// Couplings, the rest of the diagonal, and one over the diagonal.
template <class T, int Dim>
void make_matrix(Context const& context, PartGraph<T, Dim> const& graph, Buffer<T>& weight, Buffer<T>& extra,
                 Buffer<T>& inverse);

/// Sets `order` to the parts of even cells, then those of odd ones; the number of the former.
template <class T, int Dim>
Index order_by_colour(Context const& context, PartGraph<T, Dim> const& graph, Buffer<std::int32_t>& order);

}  // namespace sparse::poisson::detail
