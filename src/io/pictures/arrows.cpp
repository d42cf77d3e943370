#include <sparse/io/pictures/arrows.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/base/error.hpp>

#include "canvas.hpp"

namespace sparse::io {

Image with_arrows(Image const& picture, std::vector<Arrow> const& arrows, Colour colour, double width) {
  expects(std::isfinite(width) && width > 0, "arrows: the width must be positive");
  Canvas canvas(picture.width, picture.height);
  canvas.paste(picture, 0, 0);
  for (Arrow const& arrow : arrows) {
    double const along = arrow.to[0] - arrow.from[0], down = arrow.to[1] - arrow.from[1];
    double const length = std::hypot(along, down);
    expects(std::isfinite(length) && std::isfinite(arrow.from[0]) && std::isfinite(arrow.from[1]),
            "arrows: a position is not finite");
    if (length < width) {
      canvas.dot(arrow.from, width / 2, colour);
      continue;
    }
    double const head = std::min(length / 3, 6 * width), x = head * along / length, y = head * down / length;
    canvas.line({arrow.from, arrow.to}, width, colour);
    canvas.line({{arrow.to[0] - x - 0.5 * y, arrow.to[1] - y + 0.5 * x},
                 arrow.to,
                 {arrow.to[0] - x + 0.5 * y, arrow.to[1] - y - 0.5 * x}},
                width, colour);
  }
  return canvas.image();
}

}  // namespace sparse::io
