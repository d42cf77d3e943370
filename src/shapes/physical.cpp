#include <sparse/shapes/physical.hpp>

#include "crossings.hpp"

namespace sparse {

template <int Dim>
IntervalSet<Dim> box(Grid<Dim> const& grid, Vec<double, Dim> const& lower, Vec<double, Dim> const& upper,
                     Context const& context) {
  Vec<double, Dim> const low = checked_vertex(grid.to_cells(lower), "box");
  Vec<double, Dim> const high = checked_vertex(grid.to_cells(upper), "box");
  Vec<Coord, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    expects(low[axis] <= high[axis], "box: a lower bound lies above the upper one");
    begin[axis] = first_centre(low[axis]);
    end[axis] = first_centre(high[axis]);
  }
  return box<Dim>(begin, end, context);
}

Loop to_cells(Grid<2> const& grid, Loop loop) {
  for (auto& point : loop) point = grid.to_cells(point);
  return loop;
}

TriangleMesh to_cells(Grid<3> const& grid, TriangleMesh mesh) {
  for (auto& vertex : mesh.vertices) vertex = grid.to_cells(vertex);
  return mesh;
}

template IntervalSet<2> box(Grid<2> const&, Vec<double, 2> const&, Vec<double, 2> const&, Context const&);
template IntervalSet<3> box(Grid<3> const&, Vec<double, 3> const&, Vec<double, 3> const&, Context const&);

}  // namespace sparse
