#pragma once
/// Arrows on a picture, for vectors.

#include <array>
#include <vector>

#include <sparse/io/pictures/image.hpp>

namespace sparse::io {

/// Positions are in pixels to the right and down from the upper left corner.
struct Arrow {
  /// Its ends [pixels].
  std::array<double, 2> from, to;
};

/// The picture with arrows on it. Heads are open, and a third as long as their arrow, but at most 6 widths. An arrow
/// shorter than its width is a dot.
/// @param width  of the lines [pixels], > 0
/// @throws std::invalid_argument  for another width, or a position that is not finite
Image with_arrows(Image const& picture, std::vector<Arrow> const& arrows, Colour colour, double width);

}  // namespace sparse::io
