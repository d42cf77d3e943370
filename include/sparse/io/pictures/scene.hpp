#pragma once
/// Pictures of lines and surfaces in space.

#include <array>
#include <string>
#include <vector>

#include <sparse/io/pictures/image.hpp>
#include <sparse/io/pictures/poly_data.hpp>

namespace sparse::io {

/// Lines and polygons with the way they look.
struct SceneObject {
  /// What is drawn, and its colour where it has no values.
  PolyData data;
  Colour colour = {40, 40, 40};
  double opacity = 1;      ///< of polygons, in (0, 1]
  double line_width = 2;   ///< per 1000 pixels of the picture's size
  std::string array = {};  ///< its values give the colours instead, if there is a name
  /// The colours of values.
  ColourMap colours = ColourMap::viridis;
  std::array<double, 2> range = {0, 1};  ///< values of the first and last colour
};

/// A view from far away, without perspective.
struct Camera {
  Vec<double, 3> towards = {0, 0, 1};  ///< direction from the scene to the viewer
  Vec<double, 3> up = {0, 1, 0};       ///< what points up in the picture
};

/// Draws the objects on white, one square for each camera, side by side, and scaled to fit all of them. What is nearer
/// covers what is farther, as judged by the middles of polygons and of parts of lines. Polygons are darker the more
/// they are seen from the side.
/// @param size  of a square [pixels], 16 to 16384
/// @throws std::invalid_argument  for another size, no camera or more than 8, a camera whose directions are parallel or
/// 0, an opacity or a range out of
///                                bounds, an array that is not there, or data that `check_poly_data` refuses
/// Cost: a sort of all polygons and parts of lines, and Cairo's time to draw them, about 2 us each.
Image draw(std::vector<SceneObject> const& objects, std::vector<Camera> const& cameras, int size);

/// The edges of a box.
PolyData box_edges(Vec<double, 3> const& begin, Vec<double, 3> const& end);

}  // namespace sparse::io
