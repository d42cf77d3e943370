#pragma once
/// Union, intersection, difference, symmetric difference, any boolean function of sets, and moving a set.

#include <array>
#include <concepts>
#include <utility>
#include <vector>

#include <sparse/base/error.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// Cells of a or b. Cost of all four: one pass over the intervals, two over the row keys; no allocation once the arena
/// is warm. Where one row has far fewer intervals than the other, the cost is that of the shorter row and a copy of the
/// longer one.
template <int Dim>
IntervalSet<Dim> operator|(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);
/// Cells of a and b.
template <int Dim>
IntervalSet<Dim> operator&(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);
/// Cells of a that are not in b.
template <int Dim>
IntervalSet<Dim> operator-(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);
/// Cells of exactly one of a and b.
template <int Dim>
IntervalSet<Dim> operator^(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);

/// The cells where a boolean function of sets is true, in one pass and without temporaries:
///
///     auto wet = fuse([](bool box, bool ball, bool pipe) { return (box && !ball) || pipe; }, box, ball, pipe);
///
/// The function is called once for each of the 2^n combinations of its arguments, on the host.
/// @param function  takes a bool for each set and returns a bool
/// @throws std::invalid_argument  if the function is true outside of all sets: such a result would be infinite
template <int Dim, class Function, std::same_as<IntervalSet<Dim>>... Rest>
IntervalSet<Dim> fuse(Function const& function, IntervalSet<Dim> const& first, Rest const&... rest);

/// The union of any number of sets. Cost: that of sorting the intervals by row, and within each row.
template <int Dim>
IntervalSet<Dim> unite(std::vector<IntervalSet<Dim>> const& sets);
/// The intersection of any number of sets. Cost: passes over groups of sets, small sets first.
/// @throws std::invalid_argument  if there are no sets
template <int Dim>
IntervalSet<Dim> intersect(std::vector<IntervalSet<Dim>> const& sets);

/// `a = a | b`, and so on. Copies of the old `a` keep its cells.
template <int Dim>
IntervalSet<Dim>& operator|=(IntervalSet<Dim>& a, IntervalSet<Dim> const& b) {
  return a = a | b;
}
template <int Dim>
IntervalSet<Dim>& operator&=(IntervalSet<Dim>& a, IntervalSet<Dim> const& b) {
  return a = a & b;
}
template <int Dim>
IntervalSet<Dim>& operator^=(IntervalSet<Dim>& a, IntervalSet<Dim> const& b) {
  return a = a ^ b;
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

/// A boolean function as a table: bit s is its value when each argument k is bit k of s.
using TruthTable = std::uint64_t;
inline constexpr int max_arguments = 6;
inline constexpr TruthTable in_either = 0b1110, in_both = 0b1000, in_first_only = 0b0010, in_exactly_one = 0b0110;

/// The cells where the function of `table` is true. The views may be moved. The range of coordinates is not checked.
template <int Dim, int K>
IntervalSet<Dim> combine(Context const& context, std::array<SetView, K> const& sets, TruthTable table,
                         char const* label);

/// The same for two views.
template <int Dim>
IntervalSet<Dim> combine(Context const& context, SetView const& a, SetView const& b, TruthTable table) {
  return combine<Dim, 2>(context, {a, b}, table, "sparse::set_algebra::combine");
}

/// The union of views. The views may be moved.
template <int Dim>
IntervalSet<Dim> unite(Context const& context, std::vector<SetView> const& sets);

template <class Function, std::size_t... Argument>
TruthTable table_of(Function const& function, std::index_sequence<Argument...>) {
  TruthTable table = 0;
  for (TruthTable state = 0; state < TruthTable{1} << sizeof...(Argument); ++state)
    if (function(((state >> Argument) & 1u) != 0 ...)) table |= TruthTable{1} << state;
  return table;
}

}  // namespace detail

template <int Dim, class Function, std::same_as<IntervalSet<Dim>>... Rest>
IntervalSet<Dim> fuse(Function const& function, IntervalSet<Dim> const& first, Rest const&... rest) {
  constexpr int count = 1 + sizeof...(rest);
  static_assert(count <= detail::max_arguments,
                "fuse takes up to six sets; for more use unite, intersect or two steps");
  auto const table = detail::table_of(function, std::make_index_sequence<count>());
  expects((table & 1u) == 0, "fuse: the function is true where no set is");
  if constexpr (count == 1)
    return table == 0 ? IntervalSet<Dim>() : first;
  else
    return detail::combine<Dim, count>(first.context(), {first.rows(), rest.rows()...}, table,
                                       "sparse::set_algebra::fuse");
}

}  // namespace sparse
