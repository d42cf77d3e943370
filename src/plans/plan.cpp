#include <sparse/plans/plan.hpp>

namespace sparse {
namespace {

/// Writes the storage positions of the first cells of all intervals. Returns the number of intervals that storage
/// lacks, in whole or in part.
template <int Dim>
Index embed(Context const& context, SetView const& cells, SetView const& storage, Index* offsets) {
  return parallel_reduce<Kokkos::Sum, Index>(
      context, "sparse::plan::embed", cells.row_count, KOKKOS_LAMBDA(Index r, Index & lost) {
        Index const s = storage.find_row(cells.key(r));
        for (Index i = cells.row_ptr[r]; i < cells.row_ptr[r + 1]; ++i) {
          Interval const interval = cells.intervals[i];
          Index const first = storage.find_in_row(s, interval.begin), last = storage.find_in_row(s, interval.end - 1);
          offsets[i] = first;
          if (first < 0 || last - first != Index{interval.end} - 1 - interval.begin) ++lost;
        }
      });
}

}  // namespace

template <int Dim>
Embedding<Dim>::Embedding(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage)
    : cells_(cells), offsets_(cells.context(), cells.interval_count()) {
  Index const lost = embed<Dim>(cells.context(), cells.view(), storage.view(), offsets_.data());
  if (lost > 0)
    fail("embedding: " + std::to_string(lost) + " of " + std::to_string(cells.interval_count()) +
         " intervals are not in the storage");
}

template <int Dim>
SetView Embedding<Dim>::view() const {
  SetView view = cells_.view();
  view.cell_offsets = offsets_.data();
  return view;
}

template class Embedding<2>;
template class Embedding<3>;
template class Plan<2, 1>;
template class Plan<2, 2>;
template class Plan<2, 3>;
template class Plan<2, 5>;
template class Plan<2, 9>;
template class Plan<3, 1>;
template class Plan<3, 2>;
template class Plan<3, 3>;
template class Plan<3, 7>;
template class Plan<3, 9>;

}  // namespace sparse
