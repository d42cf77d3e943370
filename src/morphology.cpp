#include <sparse/morphology.hpp>

#include <sparse/assemble.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse {
namespace {

/// Intervals that begin `radius` earlier and end `radius` later; negative radii shrink.
struct WidenRow {
  SetView set;
  Coord radius;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Row const row = set.row(r);
    for (Index i = 0; i < row.interval_count(); ++i) {
      Interval const interval = row[i];
      if (std::int64_t{interval.end} - interval.begin > -2 * std::int64_t{radius})
        emit(interval.begin - radius, interval.end + radius);
    }
  }
};

template <int Dim>
IntervalSet<Dim> widen(IntervalSet<Dim> const& set, Coord radius) {
  SetView const view = set.rows();
  return assemble<Dim>(set.context(), "sparse::morphology::widen", view.row_keys, view.row_count,
                       WidenRow{view, radius});
}

/// Combines the copies of a set moved by -radius, ..., radius along an axis other than x: a window of places is doubled
/// until it has all 2 radius + 1, and kept around 0 so that no intermediate leaves the range of coordinates.
template <int Dim>
IntervalSet<Dim> combine_window(IntervalSet<Dim> set, int axis, Coord radius, detail::TruthTable op) {
  std::int64_t const target = 2 * std::int64_t{radius} + 1;
  std::int64_t lowest = 0;
  for (std::int64_t width = 1; width < target && !set.is_empty();) {
    std::int64_t const step = std::min(width, target - width);
    std::int64_t const down = width + step == target ? -radius - lowest : -(step / 2);
    auto const first = Vec<Coord, Dim>::along(axis, static_cast<Coord>(down));
    auto const second = Vec<Coord, Dim>::along(axis, static_cast<Coord>(down + step));
    set = detail::combine<Dim>(set.context(), moved(set.rows(), first), moved(set.rows(), second), op);
    lowest += down;
    width += step;
  }
  return set;
}

template <int Dim>
void expect_room(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radius) {
  Box<Dim> const bounds = set.bounds();
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = std::int64_t{bounds.begin[axis]} - radius[axis];
    end[axis] = std::int64_t{bounds.end[axis]} + radius[axis];
  }
  detail::expect_in_range<Dim>(begin, end, "expand");
}

}  // namespace

template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, int axis, Coord radius) {
  expects(radius >= 0, "expand: the radius must not be negative");
  expects(axis >= 0 && axis < Dim, "expand: no such axis");
  if (set.is_empty() || radius == 0) return set;
  expect_room(set, Vec<Coord, Dim>::along(axis, radius));
  return axis == 0 ? widen(set, radius) : combine_window(set, axis, radius, detail::in_either);
}

template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Coord radius) {
  IntervalSet<Dim> result = expand(set, 0, radius);
  for (int axis = 1; axis < Dim; ++axis) result = expand(result, axis, radius);
  return result;
}

template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Coord radius) {
  expects(radius >= 0, "shrink: the radius must not be negative");
  if (set.is_empty() || radius == 0) return set;
  if (radius >= coord_limit) return {};  // wider than any set
  IntervalSet<Dim> result = widen(set, -radius);
  for (int axis = 1; axis < Dim; ++axis) result = combine_window(result, axis, radius, detail::in_both);
  return result;
}

template <int Dim>
IntervalSet<Dim> faces(IntervalSet<Dim> const& set, int axis) {
  expects(axis >= 0 && axis < Dim, "faces: no such axis");
  return set | shift(set, axis, 1);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> expand(IntervalSet<Dim> const&, int, Coord);                                               \
  template IntervalSet<Dim> expand(IntervalSet<Dim> const&, Coord);                                                    \
  template IntervalSet<Dim> shrink(IntervalSet<Dim> const&, Coord);                                                    \
  template IntervalSet<Dim> faces(IntervalSet<Dim> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
