#include <sparse/sets/morphology.hpp>

#include <cmath>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/assemble.hpp>

#include "bit_window.hpp"
#include "join_writer.hpp"
#include "range.hpp"

namespace sparse {
namespace {

/// A number of cells along each axis.
template <int Dim>
using Reach = Vec<Coord, Dim>;

/// Intervals that begin `radius` earlier and end `radius` later; negative radii shrink.
struct WidenRow {
  SetView set;
  Coord radius;

  Index capacity() const { return set.interval_count + set.row_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return set.row(r).interval_count() + 1; }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Row const row = set.row(r);
    if (radius >= 0) {
      detail::JoinWriter writer(out);
      for (Index i = 0; i < row.interval_count(); ++i) writer({row[i].begin - radius, row[i].end + radius});
      return writer.finish();
    }
    for (Index i = 0; i < row.interval_count(); ++i) {
      Interval const interval = row[i];
      *out = {interval.begin - radius, interval.end + radius};
      out += std::int64_t{interval.end} - interval.begin > -2 * std::int64_t{radius};
    }
    return out;
  }
};

template <int Dim>
IntervalSet<Dim> widen(IntervalSet<Dim> const& set, Coord radius) {
  SetView const view = set.rows();
  return assemble<Dim>(set.context(), "sparse::morphology::widen", view.row_keys, view.row_count,
                       WidenRow{view, radius});
}

/// Combines the copies of a set moved by -radius, ..., radius along an axis other than x. The window is doubled until
/// it covers all 2 radius + 1 positions. It stays around 0, so that no intermediate set leaves the range of
/// coordinates.
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

/// Dilation or erosion by the box of half-width `reach`. Nothing leaves the range of coordinates.
template <bool is_dilation, int Dim>
IntervalSet<Dim> change(IntervalSet<Dim> set, Reach<Dim> reach) {
  if constexpr (!has_many_threads) {
    while (reach[1] > 0 && !set.is_empty()) {
      Coord const radius = detail::bit_window_radius(set, reach[1]);
      if (radius == 0) break;
      Coord const growth = std::min(reach[0], radius);
      set = detail::combine_bit_window<is_dilation>(set, growth, radius);
      reach[0] -= growth;
      reach[1] -= radius;
    }
  }
  if (reach[0] > 0 && !set.is_empty()) set = widen(set, is_dilation ? reach[0] : -reach[0]);
  for (int axis = 1; axis < Dim; ++axis)
    set = combine_window(set, axis, reach[axis], is_dilation ? detail::in_either : detail::in_both);
  return set;
}

template <int Dim>
void expect_in_reach(IntervalSet<Dim> const& set, Reach<Dim> const& reach) {
  Box<Dim> const bounds = set.bounds();
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = std::int64_t{bounds.begin[axis]} - reach[axis];
    end[axis] = std::int64_t{bounds.end[axis]} + reach[axis];
  }
  detail::expect_in_range<Dim>(begin, end, "expand");
}

/// The reach of an element along x at a position off the x axis; negative outside of the element.
template <int Dim>
Coord reach_along_x(Reach<Dim> const& place, Coord radius, Element element) {
  std::int64_t steps = 0, square = 0;
  for (int axis = 1; axis < Dim; ++axis) {
    steps += place[axis];
    square += std::int64_t{place[axis]} * place[axis];
  }
  if (element == Element::diamond) return static_cast<Coord>(std::max<std::int64_t>(radius - steps, -1));
  std::int64_t const left = std::int64_t{radius} * radius - square;
  if (left < 0) return -1;
  auto x = static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
  while (x * x > left) --x;
  while ((x + 1) * (x + 1) <= left) ++x;
  return static_cast<Coord>(x);
}

/// The largest boxes around the origin inside an element. The element is their union.
template <int Dim>
std::vector<Reach<Dim>> boxes_of(Coord radius, Element element) {
  if (element == Element::box) return {Reach<Dim>::filled(radius)};
  std::vector<Reach<Dim>> boxes;
  Reach<Dim> place{};
  for (Coord z = 0; z <= (Dim == 3 ? radius : 0); ++z)
    for (Coord y = 0; y <= radius; ++y) {
      place[1] = y;
      if (Dim == 3) place[Dim - 1] = z;
      place[0] = reach_along_x(place, radius, element);
      if (place[0] < 0) break;
      bool is_largest = true;
      for (int axis = 1; axis < Dim; ++axis) {
        Reach<Dim> further = place;
        further[axis] += 1;
        is_largest = is_largest && reach_along_x(further, radius, element) < place[0];
      }
      if (is_largest) boxes.push_back(place);
    }
  return boxes;
}

}  // namespace

template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radii) {
  for (Coord const radius : radii.data) expects(radius >= 0, "expand: the radius must not be negative");
  if (set.is_empty() || radii == Reach<Dim>{}) return set;
  expect_in_reach(set, radii);
  return change<true>(set, radii);
}

template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, int axis, Coord radius) {
  expects(axis >= 0 && axis < Dim, "expand: no such axis");
  return expand(set, Reach<Dim>::along(axis, radius));
}

template <int Dim>
IntervalSet<Dim> expand(IntervalSet<Dim> const& set, Coord radius, Element element) {
  expects(radius >= 0, "expand: the radius must not be negative");
  if (set.is_empty() || radius == 0) return set;
  expect_in_reach(set, Reach<Dim>::filled(radius));
  IntervalSet<Dim> result;
  for (auto const& reach : boxes_of<Dim>(radius, element)) result = result | change<true>(set, reach);
  return result;
}

template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& radii) {
  for (Coord const radius : radii.data) expects(radius >= 0, "shrink: the radius must not be negative");
  if (set.is_empty() || radii == Reach<Dim>{}) return set;
  for (Coord const radius : radii.data)
    if (radius >= coord_limit) return {};  // wider than any set
  return change<false>(set, radii);
}

template <int Dim>
IntervalSet<Dim> shrink(IntervalSet<Dim> const& set, Coord radius, Element element) {
  expects(radius >= 0, "shrink: the radius must not be negative");
  if (set.is_empty() || radius == 0) return set;
  if (radius >= coord_limit) return {};  // wider than any set
  auto const boxes = boxes_of<Dim>(radius, element);
  IntervalSet<Dim> result = change<false>(set, boxes.front());
  for (std::size_t i = 1; i < boxes.size() && !result.is_empty(); ++i) result = result & change<false>(set, boxes[i]);
  return result;
}

template <int Dim>
IntervalSet<Dim> inner_layer(IntervalSet<Dim> const& set, Coord width, Element element) {
  return set - shrink(set, width, element);
}

template <int Dim>
IntervalSet<Dim> outer_layer(IntervalSet<Dim> const& set, Coord width, Element element) {
  return expand(set, width, element) - set;
}

template <int Dim>
std::vector<IntervalSet<Dim>> distance_bands(IntervalSet<Dim> const& set, std::vector<Coord> const& distances,
                                             Element element) {
  expects(std::is_sorted(distances.begin(), distances.end()), "distance_bands: the distances must not decrease");
  std::vector<IntervalSet<Dim>> bands;
  IntervalSet<Dim> inside = set;
  for (Coord const distance : distances) {
    IntervalSet<Dim> const wider = expand(set, distance, element);
    bands.push_back(wider - inside);
    inside = wider;
  }
  return bands;
}

template <int Dim>
IntervalSet<Dim> faces(IntervalSet<Dim> const& set, int axis) {
  expects(axis >= 0 && axis < Dim, "faces: no such axis");
  return set | shift(set, axis, 1);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> expand(IntervalSet<Dim> const&, Vec<Coord, Dim> const&);                                   \
  template IntervalSet<Dim> expand(IntervalSet<Dim> const&, int, Coord);                                               \
  template IntervalSet<Dim> expand(IntervalSet<Dim> const&, Coord, Element);                                           \
  template IntervalSet<Dim> shrink(IntervalSet<Dim> const&, Vec<Coord, Dim> const&);                                   \
  template IntervalSet<Dim> shrink(IntervalSet<Dim> const&, Coord, Element);                                           \
  template IntervalSet<Dim> inner_layer(IntervalSet<Dim> const&, Coord, Element);                                      \
  template IntervalSet<Dim> outer_layer(IntervalSet<Dim> const&, Coord, Element);                                      \
  template std::vector<IntervalSet<Dim>> distance_bands(IntervalSet<Dim> const&, std::vector<Coord> const&, Element);  \
  template IntervalSet<Dim> faces(IntervalSet<Dim> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
