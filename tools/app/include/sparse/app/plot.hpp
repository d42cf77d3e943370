#pragma once
/// Curves in a picture.

#include <string>
#include <vector>

#include <sparse/io/pictures/image.hpp>

namespace sparse::app {

/// A line through points, or dots there; points that are not finite are left out.
struct Curve {
  std::string name;
  sparse::io::Colour colour;
  std::vector<double> x, y;
  bool is_dotted = false;
};

/// Curves on common axes, which span all of them. On logarithmic ones only what is positive is drawn.
struct Plot {
  std::string title;
  std::vector<Curve> curves;
  bool is_log_x = false, is_log_y = false;
};

/// Draws plots side by side, black on white, with numbers at the axes and the curves' names above the first one.
/// @param width  of the picture [pixels]; its height is that of plots of 6 to 5
sparse::io::Image draw(std::vector<Plot> const& plots, int width);

}  // namespace sparse::app
