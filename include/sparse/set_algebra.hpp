#pragma once
/// Union, intersection, difference, symmetric difference, and moving a set.

#include <sparse/error.hpp>
#include <sparse/interval_set.hpp>

namespace sparse {

/// Cells of a or b. Cost of all four: two passes over the intervals, a binary search per row; no allocation once warm.
template <int Dim>
IntervalSet<Dim> operator|(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);
/// Cells of both.
template <int Dim>
IntervalSet<Dim> operator&(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);
/// Cells of a that are not in b.
template <int Dim>
IntervalSet<Dim> operator-(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);
/// Cells of exactly one of them.
template <int Dim>
IntervalSet<Dim> operator^(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);

template <int Dim>
IntervalSet<Dim>& operator|=(IntervalSet<Dim>& a, IntervalSet<Dim> const& b) {
  return a = a | b;
}
template <int Dim>
IntervalSet<Dim>& operator&=(IntervalSet<Dim>& a, IntervalSet<Dim> const& b) {
  return a = a & b;
}
template <int Dim>
IntervalSet<Dim>& operator-=(IntervalSet<Dim>& a, IntervalSet<Dim> const& b) {
  return a = a - b;
}

/// The set moved by `offset` cells.
/// @throws std::invalid_argument  if a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> shift(IntervalSet<Dim> const& set, Vec<Coord, Dim> const& offset);
/// The set moved by `distance` cells along `axis`.
/// @throws std::invalid_argument  if there is no such axis, or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> shift(IntervalSet<Dim> const& set, int axis, Coord distance) {
  expects(axis >= 0 && axis < Dim, "shift: no such axis");
  return shift(set, Vec<Coord, Dim>::along(axis, distance));
}

namespace detail {

enum class Boolean { either, both, first_only, exactly_one };

/// `a op b` for views, which may be moved; no check of the range of coordinates.
template <int Dim>
IntervalSet<Dim> combine(Context const& context, SetView const& a, SetView const& b, Boolean op);

/// Throws unless a box of cells lies in the range of coordinates. 64-bit, so that callers can add before they ask.
template <int Dim>
void expect_in_range(Vec<std::int64_t, Dim> const& begin, Vec<std::int64_t, Dim> const& end, char const* operation);

}  // namespace detail
}  // namespace sparse
