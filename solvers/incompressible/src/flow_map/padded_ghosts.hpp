#pragma once
/// Ghost values: the values of a padded grid beyond the boundary.

#include "padded_grid.hpp"
#include <sparse/plans/for_each.hpp>

namespace sparse::incompressible::detail {

/// The positions in a storage of a set's cells, or of the cells `step` away along an axis.
template <int Dim>
Buffer<Index> positions_of(IntervalSet<Dim> const& set, IntervalSet<Dim> const& storage, int axis = 0, Coord step = 0) {
  Buffer<Index> positions(storage.context(), set.cell_count());
  Operand const both[2] = {operand<Dim>(set.view()), operand<Dim>(storage.view(), Vec<Coord, Dim>::along(axis, step))};
  using Point = RunPoint<Dim, 2>;
  Index* const out = positions.data();
  for_each(
      "sparse::incompressible::positions", Plan<Dim, 2>(set, both, 0b11),
      KOKKOS_LAMBDA(Point const& p) { out[p.operand(0)] = p.operand(1); });
  return positions;
}

/// [axes away - 1] the ghosts of a component of velocity, or of cells for component Dim.
/// @param known  the faces or cells in storage that have values
template <int Dim>
std::array<GhostList, Dim> list_ghosts(GridView<Dim> const& grid, IntervalSet<Dim> const& storage,
                                       IntervalSet<Dim> const& known, int component);

template <class T>
void write_ghosts(Context const& context, GhostList const& list, Beyond beyond, T* values) {
  Index const* const target = list.target.data();
  Count const* const first = list.first_source.data();
  GhostSource const* const sources = list.sources.data();
  double const* const offset = list.offset.data();
  bool const is_extended = beyond == Beyond::force;
  double const offset_share = beyond == Beyond::velocity ? 1 : 0;
  parallel_for(
      context, "sparse::incompressible::ghosts", list.target.size(), KOKKOS_LAMBDA(Index i) {
        double sum = offset_share * offset[i];
        for (Index s = first[i].value; s < first[i + 1].value; ++s)
          sum += (is_extended ? sources[s].extended : sources[s].mirrored) *
                 static_cast<double>(values[sources[s].position]);
        values[target[i]] = static_cast<T>(sum);
      });
}

}  // namespace sparse::incompressible::detail
