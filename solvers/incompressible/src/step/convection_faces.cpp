#include "convection_faces.hpp"

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

/// Whether a few steps along an axis do not cross the seam.
template <int Dim>
bool is_far_from_seam(Periodicity<Dim> const& periodicity, IntervalSet<Dim> const& set, int axis, Coord steps) {
  if (periodicity.period[axis] == 0 || set.is_empty()) return true;
  Coord const begin = periodicity.begin[axis], end = begin + periodicity.period[axis];
  auto const bounds = set.bounds();
  return bounds.begin[axis] - steps >= begin && bounds.end[axis] + steps <= end;
}

}  // namespace

template <int Dim>
std::array<IntervalSet<Dim>, 2> ends_of_four(StaggeredGrid<Dim> const& grid, int axis, int b) {
  auto const periodicity = grid.domain().periodicity();
  auto const& cut = grid.body().cut.cut[axis];
  auto const whole = grid.faces(axis) - cut, open = grid.open_faces(axis) - cut;
  if (is_far_from_seam(periodicity, whole, b, 3)) {
    auto const fours =
        common<Dim, 4>(grid.context(), {whole.rows(), above(open, b, 1), above(open, b, 2), above(whole, b, 3)});
    return {fours, shift(fours, b, 3)};
  }
  auto const moved = [&](IntervalSet<Dim> const& set, Coord step) { return periodicity.stored(shift(set, b, step)); };
  auto const pairs = open & moved(open, -1);  // at the lower one
  auto const fours = whole & moved(pairs & moved(whole, -2), -1);
  return {fours, moved(moved(fours, 1), 2)};
}

template <int Dim>
IntervalSet<Dim> with_all_beside(StaggeredGrid<Dim> const& grid, int axis, IntervalSet<Dim> const& some) {
  auto const& all = grid.faces(axis);
  auto const periodicity = grid.domain().periodicity();
  auto complete = some;
  for (int b = 0; b < Dim; ++b) {
    if (b == axis) continue;
    complete = is_far_from_seam(periodicity, all, b, 1)
                   ? common<Dim, 3>(grid.context(), {complete.rows(), above(all, b, 1), above(all, b, -1)})
                   : complete & periodicity.stored(shift(all, b, 1)) & periodicity.stored(shift(all, b, -1));
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
