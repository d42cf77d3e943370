#pragma once
/// Graphs of connected parts of cells, and their coarsening.

#include <sparse/base/buffer.hpp>
#include <sparse/base/parallel.hpp>

#include "aggregates.hpp"
#include "operator/couplings.hpp"
#include "parts.hpp"

namespace sparse::poisson::detail {

/// Parts of cells, and what flows between them. The place of a cell interleaves the bits of its coordinates. So the
/// parts of all cells with the same parent follow each other, on every level.
template <class T, int Dim>
struct PartGraph {
  Index count = 0;
  Seams<Dim> seams;
  Buffer<std::uint64_t> place;           ///< ascending
  Buffer<Aggregate<T, Dim>> aggregates;  ///< without the lower faces' fluxes
  Buffer<Index> starts;                  ///< [count + 1] entries before those of a part
  Buffer<std::int32_t> to;               ///< [entry] the neighbour
  Buffer<T> flux;                        ///< [entry] coupling times distance
  Buffer<std::uint8_t> arm;              ///< [entry] on which side it is, plus `across_seam` if it is a period away
};
inline constexpr std::uint8_t across_seam = 8;

/// Whether the cells of a level fit: at most 2^31 cells, in 3D in a box of at most 2^21 along each axis.
template <class T, int Dim>
bool has_places(Couplings<T, Dim> const& level);

/// Whether parts are to take the place of the level `coarse` below `fine`. They are worth their cost if many cells of
/// that level are split, or if the level is small.
template <class T, int Dim>
bool want_parts(Couplings<T, Dim> const& finest, Couplings<T, Dim> const& fine, Couplings<T, Dim> const& coarse) {
  constexpr Index few = 1000, cheap = 12;
  Index const split = coarse.split_cells(), count = coarse.cell_count();
  return split > 0 && (split > count / few || count < finest.cell_count() / cheap) && has_places(fine);
}

/// Each cell as a part.
template <class T, int Dim>
struct CellGraph {
  PartGraph<T, Dim> graph;
  Buffer<std::int32_t> cell;  ///< [part] its position among the cells
};
template <class T, int Dim>
CellGraph<T, Dim> graph_of_cells(Couplings<T, Dim> const& level);

/// The graph of the next coarser level. Parts that are coupled to nothing are solved already and have no parent.
/// @param children  set to which parts of the finer level make one of this
template <class T, int Dim>
PartGraph<T, Dim> coarser(Context const& context, PartGraph<T, Dim> const& fine, PartChildren& children);

/// Couplings, the rest of the diagonal, and one over the diagonal.
template <class T, int Dim>
void make_matrix(Context const& context, PartGraph<T, Dim> const& graph, Buffer<T>& weight, Buffer<T>& extra,
                 Buffer<T>& inverse);

/// Sets `order` to the parts of even cells, then those of odd ones. @return  the number of the former
template <class T, int Dim>
Index order_by_colour(Context const& context, PartGraph<T, Dim> const& graph, Buffer<std::int32_t>& order);

/// The distance between the centres of two neighbours.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T distance(Aggregate<T, Dim> const& a, Aggregate<T, Dim> const& b, Seams<Dim> const& seams,
                                       std::uint8_t arm) {
  int const axis = arm % across_seam / 2;
  T const shift = b.centre[axis] - a.centre[axis], steps = arm % 2 == 0 ? 1 - shift : 1 + shift;
  return arm < across_seam ? steps : steps - static_cast<T>(seams.excess[axis]);
}

struct CopyCounts {
  Count const* from;
  Index* to;
  KOKKOS_FUNCTION void operator()(Index i) const { to[i] = from[i].value; }
};

/// The exclusive sums of what `count(i)` gives, n + 1 of them.
template <class Body>
Buffer<Index> scanned(Context const& context, Index n, Body const& count) {
  auto const sums = count_and_scan<Count>(context, "sparse::poisson::count_parts", n, count);
  Buffer<Index> result(context, n + 1);
  parallel_for(context, "sparse::poisson::copy_counts", n + 1, CopyCounts{sums.data(), result.data()});
  return result;
}

}  // namespace sparse::poisson::detail
