#include <sparse/io/pictures/bitmap.hpp>
#include <sparse/shapes/shapes.hpp>

#include "geometry_functions.hpp"

namespace sparse::io {
namespace {

IntervalSet<2> image(Arguments<2> const& a) {
  Bitmap const bitmap = read_bitmap(a.path(0));
  return from_bitmap<2>({{0, 0}, {bitmap.width, bitmap.height}}, dark_pixels(bitmap, a.integer(1)),
                        a.options().context);
}

IntervalSet<3> solid_of_triangles(Arguments<3> const& a) {
  expects(bool(a.options().readers.triangles), "this program has no reader of STL files (see sparse::io_vtk)");
  TriangleMesh mesh = a.options().readers.triangles(a.path(0));
  auto low = a.number(1) * mesh.vertices.at(0), high = low;
  for (auto& vertex : mesh.vertices) {
    vertex *= a.number(1);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], vertex[axis]);
      high[axis] = std::max(high[axis], vertex[axis]);
    }
  }
  a.expect_rows((high[1] - low[1]) * (high[2] - low[2]));
  return triangle_mesh(mesh, a.options().context);
}

CellImage values(Arguments<3> const& a) {
  expects(bool(a.options().readers.image), "this program has no reader of VTK image data (see sparse::io_vtk)");
  return a.options().readers.image(a.path(0), a.text(2));
}
IntervalSet<3> above(Arguments<3> const& a) { return cells_above<3>(values(a), a.number(1), a.options().context); }
IntervalSet<3> below(Arguments<3> const& a) { return cells_below<3>(values(a), a.number(1), a.options().context); }

}  // namespace

template <int Dim>
GeometryFunctions<Dim> file_functions() {
  if constexpr (Dim == 2)
    return {{"image", image}};
  else
    return {{"stl", solid_of_triangles}, {"above", above}, {"below", below}};
}

template GeometryFunctions<2> file_functions();
template GeometryFunctions<3> file_functions();

}  // namespace sparse::io
