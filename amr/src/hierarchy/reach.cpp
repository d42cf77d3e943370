#include <sparse/amr/hierarchy/reach.hpp>

#include <bit>

#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>

namespace sparse::amr {

template <int Dim>
Reach<Dim>::Reach(Domain<Dim> const& domain, distributed::Partition<Dim> const& partition, int rank) {
  // Stencils reach two cells, and the images of ghosts, where one may need another, as far as this.
  Coord const reach = image_reach(domain) + 12;
  levels_.resize(static_cast<std::size_t>(partition.level_count()));
  for (int l = partition.level_count() - 1; l >= 0; --l) {
    Level& level = levels_[static_cast<std::size_t>(l)];
    level.shift = std::countr_zero(static_cast<unsigned>(partition.unit_edge(l)));
    double unit_count = 1;
    Box<Dim> const box = domain.box(l);
    for (int axis = 0; axis < Dim; ++axis) unit_count *= ((box.end[axis] - box.begin[axis]) >> level.shift) + 2;
    Level const* const finer = l + 1 < partition.level_count() ? &level + 1 : nullptr;
    level.is_everywhere = unit_count > 1e6 || (finer != nullptr && finer->is_everywhere);
    if (level.is_everywhere) continue;
    level.units = partition.units(l, rank);
    if (finer != nullptr) level.units |= rescale(finer->units, finer->shift - 1 - level.shift);
    if (level.units.is_empty()) continue;
    level.units = expand(level.units, (reach >> level.shift) + 1);
    for (int axis = 0; axis < Dim; ++axis) {
      if (!domain.is_periodic(axis)) continue;
      Coord const period = domain.box(l).end[axis], units = period >> level.shift;
      // A period need not be a number of units.
      for (Coord const by : {units, units + (units << level.shift < period ? 1 : 0)})
        level.units = level.units | shift(level.units, axis, by) | shift(level.units, axis, -by);
    }
  }
}

template <int Dim>
IntervalSet<Dim> Reach<Dim>::part(int l, IntervalSet<Dim> const& set) const {
  Level const& level = levels_[static_cast<std::size_t>(l)];
  if (level.is_everywhere) return set;
  if (set.is_empty() || level.units.is_empty()) return {};
  return rescale(rescale(set, -level.shift) & level.units, level.shift) & set;
}

template class Reach<2>;
template class Reach<3>;

}  // namespace sparse::amr
