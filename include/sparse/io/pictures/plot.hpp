#pragma once
/// Curves in a picture.

#include <string>
#include <vector>

#include <sparse/io/pictures/image.hpp>

namespace sparse::io {

/// A line through points, or dots at the points. Points that are not finite are left out.
struct Curve {
  /// For the legend, and how the curve is drawn.
  std::string name;
  Colour colour;
  /// Coordinates of its points, as many y as x.
  std::vector<double> x, y;
  /// Whether there are dots instead of a line.
  bool is_dotted = false;
};

/// Curves on common axes, which span all curves. Logarithmic axes show positive values only.
struct Plot {
  /// Above the plot, and the curves in it.
  std::string title;
  std::vector<Curve> curves;
  /// Whether an axis is logarithmic.
  bool is_log_x = false, is_log_y = false;
  std::string x_label = {}, y_label = {};  ///< with units
};

/// Draws plots side by side on white, with numbers at the axes. A legend above them names all curves; curves with the
/// same name and colour share an entry.
/// @param width  of the picture [pixels], 1 to 16384; a plot is at least 150 wide. Plots have the aspect 6 to 5; the
///               height adds the legend
/// @throws std::invalid_argument  for another width, or no plots
Image draw(std::vector<Plot> const& plots, int width);

}  // namespace sparse::io
