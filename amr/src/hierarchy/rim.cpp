#include <sparse/amr/hierarchy/rim.hpp>

#include <algorithm>

#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>

namespace sparse::amr {
namespace {

/// Cells, and places up to `width` beyond the sides of the box that they touch, unless these are periodic.
template <int Dim>
IntervalSet<Dim> with_places_beyond(Domain<Dim> const& domain, IntervalSet<Dim> cells, int level, Coord width) {
  Box<Dim> const box = domain.box(level);
  for (int axis = 0; axis < Dim; ++axis) {
    if (domain.is_periodic(axis)) continue;
    for (bool const is_upper : {false, true}) {
      Box<Dim> layer{Vec<Coord, Dim>::filled(-coord_limit), Vec<Coord, Dim>::filled(coord_limit)}, beyond = layer;
      (is_upper ? layer.begin : layer.end)[axis] = is_upper ? box.end[axis] - 1 : box.begin[axis] + 1;
      (is_upper ? beyond.begin : beyond.end)[axis] = is_upper ? box.end[axis] : box.begin[axis];
      cells |= inside(expand(inside(cells, layer), axis, width), beyond);
    }
  }
  return cells;
}

}  // namespace

template <int Dim>
Rim<Dim> rim_of(Domain<Dim> const& domain, int level, IntervalSet<Dim> const& own, IntervalSet<Dim> const& all,
                Rim<Dim> const& finer, Coord reach) {
  if (own.is_empty()) return {};
  Box<Dim> const box = domain.box(level), bounds = all.bounds();
  Coord beyond = 0;  // how far `all` goes, so that places there are deep if those inside are
  for (int axis = 0; axis < Dim; ++axis)
    beyond = std::max({beyond, box.begin[axis] - bounds.begin[axis], bounds.end[axis] - box.end[axis]});
  Rim<Dim> rim;
  rim.deep = shrink(with_places_beyond(domain, inside(own, box), level, beyond + 2 * reach), reach);
  rim.near = all - shrink(rim.deep, reach);
  if (level + 1 == domain.level_count()) return rim;
  // Where the parent of a place that is one step deep lies, all children are deep. Two steps further are cells beside
  // parents, and those beside them.
  IntervalSet<Dim> const over_deep = shrink(rim.deep & coarsen(shrink(finer.deep, 1)), 2);
  rim.under = all - over_deep;
  rim.over = refine(expand(rim.near | rim.under, 1));
  rim.deep_children = refine(expand(over_deep, 1));
  return rim;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template Rim<Dim> rim_of(Domain<Dim> const&, int, IntervalSet<Dim> const&, IntervalSet<Dim> const&, Rim<Dim> const&, \
                           Coord);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
