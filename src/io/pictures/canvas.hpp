#pragma once
/// Lines and text on pixels, drawn by Cairo.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sparse/io/pictures/image.hpp>

struct _cairo;

namespace sparse::io {

/// A place on a canvas [pixels]: right of its left edge, below its upper edge. Pixel (0, 0) has its centre at 0.5, 0.5.
using Place = std::array<double, 2>;

/// A white picture to draw on. Text is UTF-8; its size is that of the font [pixels], of which capitals take three
/// quarters.
class Canvas {
public:
  Canvas(int width, int height);

  /// Puts the pixels there as they are.
  void paste(Image const& image, int left, int top);
  void line(std::vector<Place> const& places, double width, Colour colour);
  void dot(Place centre, double radius, Colour colour);

  /// Which point of the text lies at the place: 0 is its left end and the top of capitals, 1 its right end and the
  /// baseline.
  struct Anchor {
    double along, down;
  };
  void text(Place place, std::string const& words, Anchor anchor, double size, Colour colour);
  /// The same, read from below, around the place.
  void upward_text(Place place, std::string const& words, double size, Colour colour);

  /// While it lives, nothing is drawn outside of a rectangle.
  class Clip {
  public:
    Clip(Canvas& canvas, Place begin, Place end);
    ~Clip();
    Clip(Clip const&) = delete;
    Clip& operator=(Clip const&) = delete;

  private:
    Canvas& canvas_;
  };

  Image image() const;

private:
  struct Destroy {
    void operator()(_cairo* context) const;
  };
  std::unique_ptr<_cairo, Destroy> context_;
};

/// How long a text is [pixels].
double text_width(std::string const& words, double size);

/// `size`, or less where a text would be longer than `room`.
double fitting_size(std::string const& words, double size, double room);

}  // namespace sparse::io
