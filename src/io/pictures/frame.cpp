#include <sparse/io/pictures/frame.hpp>

#include <algorithm>
#include <cmath>

#include "axis.hpp"
#include "canvas.hpp"

namespace sparse::io {
namespace {

constexpr Colour ink = {40, 40, 40};

int rounded(double length) { return static_cast<int>(std::lround(length)); }

/// The positions of all parts [pixels]. Lengths are multiples of the font size.
struct Layout {
  int left = 0, top = 0, right = 0, bottom = 0;  // margins around the picture
  double font, pad;
  Ticks x, y;

  Layout(Image const& picture, Frame const& frame)
      : font(std::clamp(6 + std::max(picture.width, picture.height) / 110.0, 9.0, 40.0)), pad(0.7 * font) {
    if (frame.title.empty() && !frame.axes && !frame.bar) return;
    left = right = bottom = rounded(pad);
    top = rounded(frame.title.empty() ? pad : 2.2 * font);
    if (frame.axes) add_axes(picture, *frame.axes);
    if (frame.bar) right = rounded(bar_label_at() + 0.5 * font + pad);
    int const least_width = frame.title.empty() ? 0 : rounded(17 * font);
    right = std::max(right, least_width - left - picture.width);
  }

  void add_axes(Image const& picture, Axes const& axes) {
    x = ticks_between(axes.begin[0], axes.end[0], std::clamp(rounded(picture.width / (5 * font)), 1, 9));
    y = ticks_between(axes.begin[1], axes.end[1], std::clamp(rounded(picture.height / (3 * font)), 1, 9));
    double widest = 0;
    for (Tick const& tick : y.ticks) widest = std::max(widest, text_width(tick.text, font));
    left = rounded(pad + 1.7 * font + widest + 0.6 * font);
    bottom = rounded(0.6 * font + 0.75 * font + 0.7 * font + font + pad);
    double const half = x.ticks.empty() ? 0 : 0.5 * text_width(x.ticks.back().text, font);
    right = std::max(right, rounded(half + 0.3 * font));
  }

  // Distances from the picture's right edge.
  double bar_begin() const { return 1.2 * font; }
  double bar_end() const { return 2.4 * font; }
  double bar_number_room() const { return 4 * font; }
  double bar_label_at() const { return bar_end() + 0.5 * font + bar_number_room() + 0.5 * font; }
};

/// The centre of the pixel at this position; thin lines are sharp there.
double sharp(double place) { return std::floor(place) + 0.5; }

void draw_box(Canvas& canvas, double left, double top, double right, double bottom) {
  canvas.line({{left - 0.5, top - 0.5},
               {right + 0.5, top - 0.5},
               {right + 0.5, bottom + 0.5},
               {left - 0.5, bottom + 0.5},
               {left - 0.5, top - 1.0}},
              1, ink);
}

void draw_axes(Canvas& canvas, Image const& picture, Axes const& axes, Layout const& at) {
  double const left = at.left, top = at.top, right = left + picture.width, bottom = top + picture.height;
  double const font = at.font, mark = 0.35 * font;
  draw_box(canvas, left, top, right, bottom);
  for (Tick const& tick : at.x.ticks) {
    double const part = (tick.value - axes.begin[0]) / (axes.end[0] - axes.begin[0]);
    double const x = sharp(left + std::min(part * picture.width, picture.width - 0.5));
    canvas.line({{x, bottom + 1}, {x, bottom + 1 + mark}}, 1, ink);
    canvas.text({x, bottom + 0.6 * font}, tick.text, {0.5, 0}, font, ink);
  }
  for (Tick const& tick : at.y.ticks) {
    double const part = (tick.value - axes.begin[1]) / (axes.end[1] - axes.begin[1]);
    double const y = sharp(bottom - std::max(part * picture.height, 0.5));
    canvas.line({{left - 1, y}, {left - 1 - mark, y}}, 1, ink);
    canvas.text({left - 0.6 * font, y}, tick.text, {1, 0.5}, font, ink);
  }
  std::string const across = at.x.label(axes.labels[0]), up = at.y.label(axes.labels[1]);
  canvas.text({0.5 * (left + right), bottom + 2.05 * font}, across, {0.5, 0}, fitting_size(across, font, picture.width),
              ink);
  canvas.upward_text({at.pad + 0.5 * font, 0.5 * (top + bottom)}, up, fitting_size(up, font, picture.height), ink);
}

void draw_bar(Canvas& canvas, Image const& picture, ColourBar const& bar, Layout const& at) {
  double const right = at.left + picture.width, top = at.top, bottom = top + picture.height, font = at.font;
  int const left = rounded(right + at.bar_begin()), width = rounded(at.bar_end() - at.bar_begin());
  Image colours(width, picture.height, {});
  for (int y = 0; y < colours.height; ++y)
    for (int x = 0; x < width; ++x) colours.at(x, y) = colour_of(bar.colours, 1 - (y + 0.5) / colours.height);
  canvas.paste(colours, left, at.top);
  draw_box(canvas, left, top, left + width, bottom);

  auto const [low, high] = bar.range;
  auto const ticks = ticks_between(low, high, std::clamp(rounded(picture.height / (2.5 * font)), 1, 11));
  for (Tick const& tick : ticks.ticks) {
    double const part = high > low ? (tick.value - low) / (high - low) : 0.5;
    double const y = sharp(bottom - std::max(part * picture.height, 0.5));
    canvas.line({{left + width + 1.0, y}, {left + width + 1 + 0.35 * font, y}}, 1, ink);
    canvas.text({right + at.bar_end() + 0.6 * font, y}, tick.text, {0, 0.5},
                fitting_size(tick.text, font, at.bar_number_room()), ink);
  }
  std::string const label = ticks.label(bar.label);
  canvas.upward_text({right + at.bar_label_at(), 0.5 * (top + bottom)}, label,
                     fitting_size(label, font, picture.height), ink);
}

}  // namespace

Image framed(Image const& picture, Frame const& frame) {
  Layout const at(picture, frame);
  Canvas canvas(at.left + picture.width + at.right, at.top + picture.height + at.bottom);
  canvas.paste(picture, at.left, at.top);
  if (frame.axes) draw_axes(canvas, picture, *frame.axes, at);
  if (frame.bar) draw_bar(canvas, picture, *frame.bar, at);
  double const room = picture.width + at.right - at.pad;
  double const size = fitting_size(frame.title, 1.1 * at.font, room);
  canvas.text({at.left + 0.0, at.top - 0.7 * at.font}, frame.title, {0, 1}, size, ink);
  return canvas.image();
}

}  // namespace sparse::io
