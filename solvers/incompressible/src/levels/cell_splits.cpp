#include "cell_splits.hpp"

#include <stdexcept>
#include <string>

#include <sparse/base/parallel.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::incompressible::detail {
namespace {

template <int Dim>
struct FindSplits {
  SetView parents, coarse, coarse_storage, fine_storage;
  Periodicity<Dim> periodicity;
  SplitCell<Dim>* found;

  KOKKOS_FUNCTION void operator()(Index i, Index& lost) const {
    auto const parent = cell_of<Dim>(parents, i);
    SplitCell<Dim>& split = found[i];
    split.cell = coarse_storage.find(parent);
    lost += split.cell < 0 ? 1 : 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      auto const at = periodicity.stored(parent + Vec<Coord, Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
      split.beside[arm] = coarse.find(at) < 0 ? split.cell : coarse_storage.find(at);
    }
    for (int k = 0; k < 1 << Dim; ++k) {
      auto child = 2 * parent;
      for (int axis = 0; axis < Dim; ++axis) child[axis] += (k >> axis) & 1;
      split.children[k] = fine_storage.find(child);
      lost += split.children[k] < 0 ? 1 : 0;
    }
  }
};

template <int Dim>
Index find_splits(FindSplits<Dim> const& body, Context const& context, Index count) {
  return parallel_reduce<Kokkos::Sum, Index>(context, "sparse::incompressible::find_splits_of_cells", count, body);
}

template <class T, int Dim>
void split_cells(Context const& context, Buffer<SplitCell<Dim>> const& list, FieldView<T> fine,
                 FieldView<T const> coarse) {
  SplitCell<Dim> const* const splits = list.data();
  parallel_for(
      context, "sparse::incompressible::split_cells", list.size(), KOKKOS_LAMBDA(Index i) {
        SplitCell<Dim> const& split = splits[i];
        T const here = coarse(split.cell);
        T slope[Dim];
        for (int axis = 0; axis < Dim; ++axis)
          slope[axis] = T(0.25) * sparse::detail::minmod(here - coarse(split.beside[2 * axis]),
                                                         coarse(split.beside[2 * axis + 1]) - here);
        for (int k = 0; k < 1 << Dim; ++k) {
          T value = here;
          for (int axis = 0; axis < Dim; ++axis) value += (k >> axis) & 1 ? slope[axis] : -slope[axis];
          fine(split.children[k]) = value;
        }
      });
}

}  // namespace

template <int Dim>
CellSplits<Dim>::CellSplits(IntervalSet<Dim> const& parents, IntervalSet<Dim> const& coarse,
                            IntervalSet<Dim> const& coarse_storage, IntervalSet<Dim> const& fine_storage,
                            Periodicity<Dim> const& periodicity)
    : context_(parents.context()), cells_(context_, parents.cell_count()) {
  Index const lost = find_splits<Dim>(
      {parents.view(), coarse.view(), coarse_storage.view(), fine_storage.view(), periodicity, cells_.data()}, context_,
      parents.cell_count());
  if (lost > 0)
    throw std::logic_error("incompressible: " + std::to_string(lost) + " cells beside an interface are not stored");
}

template <int Dim>
template <class T>
void CellSplits<Dim>::operator()(FieldView<T> fine, FieldView<T const> coarse) const {
  split_cells<T, Dim>(context_, cells_, fine, coarse);
}

#define SPARSE_DEFINE(T, Dim) template void CellSplits<Dim>::operator()(FieldView<T>, FieldView<T const>) const;
template class CellSplits<2>;
template class CellSplits<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
