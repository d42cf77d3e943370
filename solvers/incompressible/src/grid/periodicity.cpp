#include <sparse/incompressible/grid/periodicity.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::incompressible {

template <int Dim>
IntervalSet<Dim> Periodicity<Dim>::stored(IntervalSet<Dim> set) const {
  for (int axis = 0; axis < Dim; ++axis) {
    if (period[axis] == 0 || set.is_empty()) continue;
    auto where = set.bounds();
    Coord const first = begin[axis], end = first + period[axis];
    bool const is_below = where.begin[axis] < first;
    bool const is_above = where.end[axis] > end;
    if (!is_below && !is_above) continue;
    where.begin[axis] = first;
    where.end[axis] = end;
    auto const inside = box<Dim>(where.begin, where.end, set.context());
    auto const image = [&](bool is_moved, Coord step) {
      return is_moved ? moved(set.rows(), Vec<Coord, Dim>::along(axis, step)) : SetView{};
    };
    constexpr sparse::detail::TruthTable any_of_three_inside = 0b1111'1110'0000'0000;
    set = sparse::detail::combine<Dim, 4>(
        set.context(), {set.rows(), image(is_below, period[axis]), image(is_above, -period[axis]), inside.rows()},
        any_of_three_inside, "sparse::incompressible::stored");
  }
  return set;
}

template struct Periodicity<2>;
template struct Periodicity<3>;

}  // namespace sparse::incompressible
