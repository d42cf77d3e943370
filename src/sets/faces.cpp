#include <sparse/sets/faces.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "range.hpp"

namespace sparse {
namespace {

/// Throws unless the upper faces of the last cells are in the range of coordinates.
template <int Dim>
void expect_range_above(IntervalSet<Dim> const& set, int axis, char const* operation) {
  Box<Dim> const bounds = set.bounds();
  Vec<std::int64_t, Dim> begin, end;
  for (int a = 0; a < Dim; ++a) {
    begin[a] = bounds.begin[a];
    end[a] = std::int64_t{bounds.end[a]} + (a == axis ? 1 : 0);
  }
  detail::expect_in_range<Dim>(begin, end, operation);
}

}  // namespace

template <int Dim>
IntervalSet<Dim> edges(IntervalSet<Dim> const& set, int axis) {
  expects(axis >= 0 && axis < Dim, "edges: no such axis");
  IntervalSet<Dim> result = set;
  for (int other = 0; other < Dim; ++other)
    if (other != axis) result = faces(result, other);
  return result;
}

template <int Dim>
IntervalSet<Dim> nodes(IntervalSet<Dim> const& set) {
  IntervalSet<Dim> result = set;
  for (int axis = 0; axis < Dim; ++axis) result = faces(result, axis);
  return result;
}

template <int Dim>
IntervalSet<Dim> interior_faces(IntervalSet<Dim> const& set, int axis) {
  expects(axis >= 0 && axis < Dim, "interior_faces: no such axis");
  if (set.is_empty()) return set;
  return detail::combine<Dim>(set.context(), set.rows(), moved(set.rows(), Vec<Coord, Dim>::along(axis, 1)),
                              detail::in_both);
}

template <int Dim>
IntervalSet<Dim> boundary_faces(IntervalSet<Dim> const& set, int axis, FaceSide side) {
  expects(axis >= 0 && axis < Dim, "boundary_faces: no such axis");
  if (set.is_empty()) return set;
  SetView const cells = set.rows(), next = moved(cells, Vec<Coord, Dim>::along(axis, 1));
  if (side == FaceSide::lower) return detail::combine<Dim>(set.context(), cells, next, detail::in_first_only);
  expect_range_above(set, axis, "boundary_faces");
  return detail::combine<Dim>(set.context(), next, cells, detail::in_first_only);
}

template <int Dim>
Index BoundaryFaces<Dim>::face_count() const {
  Index count = 0;
  for (int axis = 0; axis < Dim; ++axis) count += lower[axis].cell_count() + upper[axis].cell_count();
  return count;
}

template <int Dim>
BoundaryFaces<Dim> boundary(IntervalSet<Dim> const& set) {
  BoundaryFaces<Dim> result;
  for (int axis = 0; axis < Dim; ++axis) {
    result.lower[axis] = boundary_faces(set, axis, FaceSide::lower);
    result.upper[axis] = boundary_faces(set, axis, FaceSide::upper);
  }
  return result;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> edges(IntervalSet<Dim> const&, int);                                                       \
  template IntervalSet<Dim> nodes(IntervalSet<Dim> const&);                                                            \
  template IntervalSet<Dim> interior_faces(IntervalSet<Dim> const&, int);                                              \
  template IntervalSet<Dim> boundary_faces(IntervalSet<Dim> const&, int, FaceSide);                                    \
  template struct BoundaryFaces<Dim>;                                                                                  \
  template BoundaryFaces<Dim> boundary(IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
