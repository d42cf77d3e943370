#include "ink_interface.hpp"

#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::incompressible::detail {
namespace {

/// Where a level has values.
template <int Dim>
struct InkPlaces {
  SetView storage, fluid;
  Periodicity<Dim> periodicity;

  explicit InkPlaces(StaggeredGrid<Dim> const& grid)
      : storage(grid.storage().view()), fluid(grid.fluid().view()), periodicity(grid.domain().periodicity()) {}

  KOKKOS_FUNCTION Index find(Vec<Coord, Dim> const& cell) const {
    auto const at = periodicity.stored(cell);
    return fluid.find(at) < 0 ? -1 : storage.find(at);
  }
  /// @param face  normal to `axis`
  KOKKOS_FUNCTION InkFace at(int axis, Vec<Coord, Dim> const& face) const {
    auto const step = Vec<Coord, Dim>::along(axis, 1);
    return {storage.find(periodicity.stored(face)), find(face - step), find(face), find(face - 2 * step),
            find(face + step)};
  }
};

template <int Dim>
struct FindInkLeaves {
  SetView leaves, covered;
  InkPlaces<Dim> coarse, fine;
  InkLeaf<Dim>* found;

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const leaf = cell_of<Dim>(leaves, i);
    InkLeaf<Dim>& one = found[i];
    one.leaf = coarse.storage.find(leaf);
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const axis = arm / 2;
      one.coarse[arm].face = -1;
      auto const beside = coarse.periodicity.stored(leaf + Vec<Coord, Dim>::along(axis, arm % 2 == 0 ? -1 : 1));
      if (covered.find(beside) < 0) continue;
      auto const face = arm % 2 == 0 ? leaf : leaf + Vec<Coord, Dim>::along(axis, 1);
      one.coarse[arm] = coarse.at(axis, face);
      for (int part = 0; part < face_parts<Dim>; ++part)
        one.fine[arm][part] = fine.at(axis, part_of<Dim>(axis, face, part));
    }
  }
};

template <int Dim>
void find_leaves(FindInkLeaves<Dim> const& body, Context const& context, Index count) {
  parallel_for(context, "sparse::incompressible::find_ink_leaves", count, body);
}

template <class T, int Dim>
KOKKOS_FUNCTION T flux_at(InkStage<T, Dim> const& stage, int axis, InkFace const& at, T const* values, T conductance) {
  T const below = values[at.below], above = values[at.above];
  return stage.diffusive_flux(conductance, below, above) +
         stage.flux(stage.speed(axis, at.face), below, above, at.far_below < 0 ? T(0) : below - values[at.far_below],
                    at.far_above < 0 ? T(0) : values[at.far_above] - above);
}

template <class T, int Dim>
void correct_leaves(Context const& context, Buffer<InkLeaf<Dim>> const& list, InkStage<T, Dim> const& coarse,
                    T const* coarse_values, InkStage<T, Dim> const& fine, T const* fine_values,
                    Vec<T, Dim> const& conductance, T* to) {
  InkLeaf<Dim> const* const leaves = list.data();
  parallel_for(
      context, "sparse::incompressible::correct_ink", list.size(), KOKKOS_LAMBDA(Index i) {
        InkLeaf<Dim> const& one = leaves[i];
        T sum = 0;
        for (int arm = 0; arm < 2 * Dim; ++arm) {
          if (one.coarse[arm].face < 0) continue;
          int const axis = arm / 2;
          T mean = 0;
          for (int part = 0; part < face_parts<Dim>; ++part)
            mean += flux_at(fine, axis, one.fine[arm][part], fine_values, 2 * conductance[axis]) / face_parts<Dim>;
          T const more =
              coarse.factor[axis] * (mean - flux_at(coarse, axis, one.coarse[arm], coarse_values, conductance[axis]));
          sum += arm % 2 == 0 ? more : -more;
        }
        to[one.leaf] += (1 - coarse.of_start) * sum;
      });
}

}  // namespace

template <int Dim>
InkInterface<Dim>::InkInterface(StaggeredGrid<Dim> const& coarse, LevelCells<Dim> const& cells,
                                StaggeredGrid<Dim> const& fine)
    : context_(coarse.context()) {
  auto const periodicity = coarse.domain().periodicity();
  IntervalSet<Dim> beside;
  for (int axis = 0; axis < Dim; ++axis)
    for (Coord const step : {-1, 1}) beside = beside | periodicity.stored(shift(cells.covered, axis, step));
  auto const leaves = cells.leaves & beside;
  leaves_ = Buffer<InkLeaf<Dim>>(context_, leaves.cell_count());
  find_leaves<Dim>({leaves.view(), cells.covered.view(), InkPlaces<Dim>(coarse), InkPlaces<Dim>(fine), leaves_.data()},
                   context_, leaves.cell_count());
}

template <int Dim>
template <class T>
void InkInterface<Dim>::correct(InkStage<T, Dim> const& coarse, T const* coarse_values, InkStage<T, Dim> const& fine,
                                T const* fine_values, Vec<T, Dim> const& conductance, T* to) const {
  correct_leaves<T, Dim>(context_, leaves_, coarse, coarse_values, fine, fine_values, conductance, to);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void InkInterface<Dim>::correct(InkStage<T, Dim> const&, T const*, InkStage<T, Dim> const&, T const*,       \
                                           Vec<T, Dim> const&, T*) const;
template class InkInterface<2>;
template class InkInterface<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
