#include <sparse/shapes/distance.hpp>

namespace sparse::detail {
namespace {

/// The blocks of a row whose place is `wanted`.
struct BlockRow {
  SetView blocks;
  BlockPlace const* places;
  BlockPlace wanted;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    for (Index i = blocks.row_ptr[r]; i < blocks.row_ptr[r + 1]; ++i) {
      Interval const interval = blocks.intervals[i];
      BlockPlace const* const first = places + blocks.cell_offsets[i];
      for (Coord x = interval.begin; x < interval.end; ++x)
        if (first[x - interval.begin] == wanted) emit(x, x + 1);
    }
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> blocks_at(IntervalSet<Dim> const& blocks, BlockPlace const* places, BlockPlace wanted) {
  SetView const view = blocks.view();
  return assemble<Dim>(blocks.context(), "sparse::shapes::choose_blocks", view.row_keys, view.row_count,
                       BlockRow{view, places, wanted});
}

template IntervalSet<2> blocks_at(IntervalSet<2> const&, BlockPlace const*, BlockPlace);
template IntervalSet<3> blocks_at(IntervalSet<3> const&, BlockPlace const*, BlockPlace);

}  // namespace sparse::detail
