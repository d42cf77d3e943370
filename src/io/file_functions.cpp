#include <sparse/io/bitmap.hpp>
#include <sparse/shapes.hpp>

#include "geometry_functions.hpp"

namespace sparse::io {
namespace {

IntervalSet<2> image(Arguments<2> const& a) {
  Bitmap const bitmap = read_bitmap(a.path(0));
  return from_bitmap<2>({{0, 0}, {bitmap.width, bitmap.height}}, dark_pixels(bitmap, a.integer(1)),
                        a.options().context);
}

}  // namespace

template <int Dim>
GeometryFunctions<Dim> file_functions() {
  if constexpr (Dim == 2)
    return {{"image", image}};
  else
    return {};
}

template GeometryFunctions<2> file_functions();
template GeometryFunctions<3> file_functions();

}  // namespace sparse::io
