#pragma once
/// The frame around the pixels of a field: a title, axes, a bar of colours.

#include <array>
#include <optional>
#include <string>

#include <sparse/io/pictures/image.hpp>

namespace sparse::io {

/// The bar of colours beside a picture.
struct ColourBar {
  /// The colours, from the least to the greatest value.
  ColourMap colours = ColourMap::viridis;
  std::array<double, 2> range = {0, 1};  ///< values of the first and last colour
  std::string label = {};                ///< the quantity, with its unit
};

/// Coordinates along the edges of a picture.
struct Axes {
  std::array<double, 2> begin, end;                ///< of the lower left and of the upper right corner
  std::array<std::string, 2> labels = {"x", "y"};  ///< with units
};

/// What is drawn around a picture.
struct Frame {
  std::string title = {};  ///< UTF-8; a title wider than the picture gets a smaller font
  /// Axes and bar of colours, if there are any.
  std::optional<Axes> axes = {};
  std::optional<ColourBar> bar = {};
};

/// Draws the frame around `picture`, whose pixels stay as they are. An empty frame adds nothing.
///
/// The font grows with the picture. The size of the result does not depend on the title's words or on the bar's range.
/// So all pictures of a film have one size.
/// @throws std::runtime_error  if Cairo cannot draw, as when memory runs out
Image framed(Image const& picture, Frame const& frame);

}  // namespace sparse::io
