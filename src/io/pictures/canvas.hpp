#pragma once
/// Lines and text on pixels, drawn by Cairo.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <sparse/io/pictures/image.hpp>

struct _cairo;

namespace sparse::io {

/// A position on a canvas [pixels], to the right and down from the upper left corner. Pixel (0, 0) has its centre at
/// 0.5, 0.5.
using Place = std::array<double, 2>;

/// A white picture to draw on. Text is UTF-8. Its size is the font size [pixels]; capitals have three quarters of it.
class Canvas {
public:
  Canvas(int width, int height);

  /// Copies the pixels of an image.
  void paste(Image const& image, int left, int top);
  void line(std::vector<Place> const& places, double width, Colour colour);
  /// A line with round ends.
  void segment(Place from, Place to, double width, Colour colour);
  /// A filled polygon without smooth edges, so that neighbours neither overlap nor leave a gap.
  void polygon(std::vector<Place> const& corners, Colour colour, double opacity);
  void dot(Place centre, double radius, Colour colour);

  /// The point of the text that lies at the place: 0 is its left end and the top of capitals, 1 its right end and the
  /// baseline.
  struct Anchor {
    double along, down;
  };
  void text(Place place, std::string const& words, Anchor anchor, double size, Colour colour);
  /// The same for text that reads upwards, centred at the place.
  void upward_text(Place place, std::string const& words, double size, Colour colour);

  /// Restricts drawing to a rectangle while it lives.
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

/// The length of a text [pixels].
double text_width(std::string const& words, double size);

/// `size`, or less if the text would be longer than `room`.
double fitting_size(std::string const& words, double size, double room);

}  // namespace sparse::io
