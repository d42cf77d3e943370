#include <sparse/incompressible/grid/periodicity.hpp>

#include <algorithm>

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
    auto const bounds = set.bounds();
    Coord const low = bounds.begin[axis], high = bounds.end[axis], end = begin[axis] + period[axis];
    if (low >= begin[axis] && high <= end) continue;
    auto inside = slab(set, axis, std::max(low, begin[axis]), std::min(high, end));
    if (low < begin[axis]) inside = inside | shift(slab(set, axis, low, begin[axis]), axis, period[axis]);
    if (high > end) inside = inside | shift(slab(set, axis, end, high), axis, -period[axis]);
    set = inside;
  }
  return set;
}

template struct Periodicity<2>;
template struct Periodicity<3>;

}  // namespace sparse::incompressible
