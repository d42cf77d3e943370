#include <sparse/incompressible/grid/periodicity.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::incompressible {

namespace {

/// The cells of a set with coordinates in [begin, end) along an axis.
template <int Dim>
IntervalSet<Dim> slab(IntervalSet<Dim> const& set, int axis, Coord begin, Coord end) {
  if (begin >= end) return {};
  auto where = set.bounds();
  where.begin[axis] = begin;
  where.end[axis] = end;
  return set & box<Dim>(where.begin, where.end, set.context());
}

}  // namespace

template <int Dim>
IntervalSet<Dim> Periodicity<Dim>::stored(IntervalSet<Dim> set) const {
  for (int axis = 0; axis < Dim; ++axis) {
    if (period[axis] == 0 || set.is_empty()) continue;
    Coord const end = begin[axis] + period[axis];
    auto const below = slab(set, axis, set.bounds().begin[axis], begin[axis]);
    auto const above = slab(set, axis, end, set.bounds().end[axis]);
    set = (set - below - above) | shift(below, axis, period[axis]) | shift(above, axis, -period[axis]);
  }
  return set;
}

template struct Periodicity<2>;
template struct Periodicity<3>;

}  // namespace sparse::incompressible
