#pragma once
/// Crossings of rows with edges and triangles, from which polygons and meshes become sets.
///
/// All decisions are exact. A centre on the boundary counts as moved by (e, e^2, e^3) for an infinitely small e > 0: to
/// the right first, then up. So rays along x hit no vertex and no edge, and every centre lies strictly on one side.

#include <algorithm>
#include <cmath>

#include <sparse/sets/assemble.hpp>

#include "bins.hpp"
#include "exact.hpp"

namespace sparse {

/// A place where a row enters or leaves. Cells from x on lie beyond it; there the winding number changes by `turn`.
struct Crossing {
  Coord x;
  Coord turn;
  KOKKOS_FORCEINLINE_FUNCTION friend bool operator<(Crossing const& a, Crossing const& b) {
    return a.x != b.x ? a.x < b.x : a.turn < b.turn;
  }
};

/// The first cell whose centre is at or after x.
KOKKOS_FORCEINLINE_FUNCTION Coord first_centre(double x) {
  auto i = static_cast<Coord>(std::ceil(x - 0.5));
  if (i + 0.5 < x) ++i;  // the difference was rounded
  return i;
}

/// The first i in [low, high] with `is_beyond(i)`; `high` if there is none before. `is_beyond` stays true once it is
/// true.
template <class IsBeyond>
KOKKOS_FUNCTION Coord first_beyond(Coord low, Coord high, double guess, IsBeyond const& is_beyond) {
  if (low == high) return low;
  Coord const i = guess > low ? (guess < high ? static_cast<Coord>(guess) : high) : low;
  // The guess is hardly ever wrong. Otherwise bisect.
  if (is_beyond(i)) {
    if (i == low || !is_beyond(i - 1)) return i;
    high = i - 1;
  } else {
    low = i + 1;
    if (low == high || is_beyond(low)) return low;
    ++low;
  }
  while (low < high) {
    Coord const middle = low + (high - low) / 2;
    if (is_beyond(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/// In a row, the first cell right of the line from `lower` to `upper`. The row's centres have height y, between both
/// ends.
KOKKOS_FUNCTION inline Coord edge_crossing(exact::Point2 const& lower, exact::Point2 const& upper, double y) {
  double const x = lower[0] + (y - lower[1]) / (upper[1] - lower[1]) * (upper[0] - lower[0]);
  Coord const low = first_centre(std::fmin(lower[0], upper[0])), high = first_centre(std::fmax(lower[0], upper[0]));
  auto const is_right = [&](Coord i) { return exact::side(lower, upper, exact::Point2{i + 0.5, y}) <= 0; };
  return first_beyond(low, high, std::ceil(x - 0.5), is_right);
}

/// Fill rules: which winding numbers are inside.
struct NonZero {
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(Coord winding) const { return winding != 0; }
};
struct Odd {
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(Coord winding) const { return winding % 2 != 0; }
};

/// Bin r holds the crossings of row r.
template <class IsInside>
struct CrossingRow {
  Count const* starts;
  Crossing const* crossings;
  IsInside is_inside;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Coord winding = 0, begin = 0;
    for (Index i = starts[r].value; i < starts[r + 1].value; ++i) {
      Crossing const crossing = crossings[i];
      bool const was_inside = is_inside(winding);
      winding += crossing.turn;
      if (is_inside(winding) == was_inside) continue;
      if (was_inside)
        emit(begin, crossing.x);
      else
        begin = crossing.x;
    }
  }
};

/// The set of lattice points whose coordinates lie in one of the ranges.
inline IntervalSet<2> union_of(std::vector<Interval> ranges, Context const& context) {
  HostSet<2> host{{0}, {0, static_cast<Index>(ranges.size())}, std::move(ranges), {}};
  return from_host(host, context);
}

/// The keys of the rows along x through the cells (y, z) of a set. In 2D, z is 0 and the rows are those of y.
Buffer<RowKey> rows_behind(Context const& context, SetView const& shadow);

/// Rounds coordinates between -least and least to 0 (see exact.hpp), and refuses coordinates out of range.
template <int Dim>
Vec<double, Dim> checked_vertex(Vec<double, Dim> vertex, char const* operation) {
  for (int axis = 0; axis < Dim; ++axis) {
    double const x = vertex[axis];
    if (!(x >= -coord_limit + 1 && x <= coord_limit))
      fail(std::string(operation) + ": coordinate " + std::to_string(axis) + " of a vertex, " + std::to_string(x) +
           ", is not between -2^30 + 1 and 2^30");
    if (std::abs(x) < exact::least) vertex[axis] = 0;
  }
  return vertex;
}

}  // namespace sparse
