#include <sparse/sets/locate.hpp>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse {

template <int Dim>
Vec<Coord, Dim> cell_of(IntervalSet<Dim> const& set, Index index) {
  if (index < 0 || index >= set.cell_count())
    fail("cell_of: a set of " + std::to_string(set.cell_count()) + " cells has none of number " +
         std::to_string(index));
  Context const context = set.context();
  SetView const view = set.view();
  Buffer<Vec<Coord, Dim>> const cell(context, 1);
  Vec<Coord, Dim>* const out = cell.data();
  parallel_for(
      context, "sparse::locate::cell_of", 1, KOKKOS_LAMBDA(Index) { *out = cell_of<Dim>(view, index); });
  return read_back(context, static_cast<Vec<Coord, Dim> const*>(out));
}

template <int Dim>
Buffer<Index> find(IntervalSet<Dim> const& set, Buffer<Vec<Coord, Dim>> const& cells) {
  Context const context = set.context();
  SetView const view = set.view();
  Vec<Coord, Dim> const* const wanted = cells.data();
  Buffer<Index> positions(context, cells.size());
  Index* const out = positions.data();
  parallel_for(
      context, "sparse::locate::find", cells.size(), KOKKOS_LAMBDA(Index i) { out[i] = view.find(wanted[i]); });
  return positions;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template Vec<Coord, Dim> cell_of(IntervalSet<Dim> const&, Index);                                                    \
  template Buffer<Index> find(IntervalSet<Dim> const&, Buffer<Vec<Coord, Dim>> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
