#include "convection_faces.hpp"

#include <utility>

#include <sparse/sets/algebra.hpp>

#include "grid/body.hpp"

namespace sparse::incompressible::detail {
namespace {

/// A set, seen from a number of steps below along an axis.
template <int Dim>
SetView above(IntervalSet<Dim> const& set, int axis, Coord steps) {
  return moved(set.rows(), Vec<Coord, Dim>::along(axis, -steps));
}

/// Where all of the sets are.
template <int Dim, int K>
IntervalSet<Dim> common(Context const& context, std::array<SetView, K> const& sets) {
  return sparse::detail::combine<Dim, K>(context, sets, sparse::detail::TruthTable{1} << ((1 << K) - 1),
                                         "sparse::incompressible::common");
}

/// The period along an axis if a few steps from a set cross the seam, else 0.
template <int Dim>
Coord period_across(Periodicity<Dim> const& periodicity, IntervalSet<Dim> const& set, int axis, Coord steps) {
  Coord const period = periodicity.period[axis];
  if (period == 0 || set.is_empty()) return 0;
  auto const bounds = set.bounds();
  bool const is_far = bounds.begin[axis] - steps >= periodicity.begin[axis] &&
                      bounds.end[axis] + steps <= periodicity.begin[axis] + period;
  return is_far ? 0 : period;
}

/// A set, seen from a number of steps below along a periodic axis: as it is, and a period away.
template <int Dim>
std::array<SetView, 2> above(IntervalSet<Dim> const& set, int axis, Coord steps, Coord period) {
  Coord const shorter = (steps % period + period) % period;
  return {above(set, axis, shorter), above(set, axis, shorter - period)};
}

/// Where a set and one of each pair are.
template <int Dim>
IntervalSet<Dim> common(IntervalSet<Dim> const& set, std::array<SetView, 2> const& a, std::array<SetView, 2> const& b) {
  auto const table = sparse::detail::table_of(
      [](bool in_set, bool a0, bool a1, bool b0, bool b1) { return in_set && (a0 || a1) && (b0 || b1); },
      std::make_index_sequence<5>());
  return sparse::detail::combine<Dim, 5>(set.context(), {set.rows(), a[0], a[1], b[0], b[1]}, table,
                                         "sparse::incompressible::common");
}

}  // namespace

template <int Dim>
std::array<IntervalSet<Dim>, 2> ends_of_four(StaggeredGrid<Dim> const& grid, int axis, int b) {
  auto const periodicity = grid.domain().periodicity();
  auto const& cut = grid.body().cut.cut[axis];
  auto const whole = grid.faces(axis) - cut, open = grid.open_faces(axis) - cut;
  if (Coord const period = period_across(periodicity, whole, b, 3); period > 0) {
    auto const three = common(whole, above(open, b, 1, period), above(open, b, 2, period));
    auto const last = above(whole, b, 3, period);
    auto const fours = common(three, last, last);
    return {fours, periodicity.stored(shift(fours, b, 3 % period))};
  }
  auto const fours =
      common<Dim, 4>(grid.context(), {whole.rows(), above(open, b, 1), above(open, b, 2), above(whole, b, 3)});
  return {fours, shift(fours, b, 3)};
}

template <int Dim>
IntervalSet<Dim> with_all_beside(StaggeredGrid<Dim> const& grid, int axis, IntervalSet<Dim> const& some) {
  auto const& all = grid.faces(axis);
  auto const periodicity = grid.domain().periodicity();
  auto complete = some;
  for (int b = 0; b < Dim; ++b) {
    if (b == axis) continue;
    Coord const period = period_across(periodicity, all, b, 1);
    complete = period > 0 ? common(complete, above(all, b, 1, period), above(all, b, -1, period))
                          : common<Dim, 3>(grid.context(), {complete.rows(), above(all, b, 1), above(all, b, -1)});
  }
  return complete;
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template std::array<IntervalSet<Dim>, 2> ends_of_four(StaggeredGrid<Dim> const&, int, int);                          \
  template IntervalSet<Dim> with_all_beside(StaggeredGrid<Dim> const&, int, IntervalSet<Dim> const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)
#undef SPARSE_DEFINE

}  // namespace sparse::incompressible::detail
