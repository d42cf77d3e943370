#include <sparse/incompressible/grid/boundary.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::incompressible {

template <int Dim>
FaceSets<Dim> side_faces(IntervalSet<Dim> const& fluid, int axis, FaceSide side) {
  expects(axis >= 0 && axis < Dim, "incompressible: there is no such axis");
  FaceSets<Dim> result;
  if (fluid.is_empty()) return result;
  auto slab = fluid.bounds();
  if (side == FaceSide::lower)
    slab.end[axis] = slab.begin[axis] + 1;
  else
    slab.begin[axis] = slab.end[axis]++;
  result[axis] = boundary_faces(fluid, axis, side) & box<Dim>(slab.begin, slab.end, fluid.context());
  return result;
}

template <int Dim>
FaceSets<Dim> faces_between(IntervalSet<Dim> const& fluid, IntervalSet<Dim> const& solid,
                            Vec<Coord, Dim> const& period) {
  FaceSets<Dim> result;
  if (fluid.is_empty()) return result;
  Periodicity<Dim> const periodicity{fluid.bounds().begin, period};
  for (int axis = 0; axis < Dim; ++axis)
    result[axis] = periodicity.stored(faces(fluid, axis)) & periodicity.stored(faces(solid, axis));
  return result;
}

template FaceSets<2> side_faces(IntervalSet<2> const&, int, FaceSide);
template FaceSets<3> side_faces(IntervalSet<3> const&, int, FaceSide);
template FaceSets<2> faces_between(IntervalSet<2> const&, IntervalSet<2> const&, Vec<Coord, 2> const&);
template FaceSets<3> faces_between(IntervalSet<3> const&, IntervalSet<3> const&, Vec<Coord, 3> const&);

}  // namespace sparse::incompressible
