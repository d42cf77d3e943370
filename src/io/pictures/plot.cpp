#include <sparse/io/pictures/plot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <sparse/base/error.hpp>

#include "axis.hpp"
#include "canvas.hpp"

namespace sparse::io {
namespace {

constexpr int least_width = 150;  // least width of a plot [pixels]
constexpr Colour ink = {40, 40, 40}, grey = {225, 225, 225};

/// The range of values, or of their logarithms, along an axis.
struct Range {
  double least, greatest;

  double part(double value) const { return (value - least) / (greatest - least); }
};

template <class Values>
Range range_of(Plot const& plot, Values const& values_of, double margin) {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (Curve const& curve : plot.curves)
    for (double const value : values_of(curve)) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  if (!(least <= greatest)) least = 0, greatest = 1;
  // Values that differ only by rounding are shown as constant.
  double const size = std::max({std::abs(least), std::abs(greatest), 1e-300}), span = greatest - least;
  double const room = span > 1e-9 * size ? margin * span : 0.5 * size;
  return {least - room, greatest + room};
}

/// The same plot for linear axes: logarithms replace values, NaN replaces values that are not positive.
Plot with_linear_axes(Plot plot) {
  auto const take_logarithms = [](std::vector<double>& values) {
    for (double& value : values) value = value > 0 ? std::log10(value) : std::numeric_limits<double>::quiet_NaN();
  };
  for (Curve& curve : plot.curves) {
    if (plot.is_log_x) take_logarithms(curve.x);
    if (plot.is_log_y) take_logarithms(curve.y);
  }
  return plot;
}

Ticks ticks_of(Range const& range, bool is_log, double most) {
  int const count = std::clamp(static_cast<int>(most), 2, 9);
  return is_log ? logarithmic_ticks_between(range.least, range.greatest, count)
                : ticks_between(range.least, range.greatest, count);
}

/// The rectangle for the curves [pixels], and the values at its edges.
struct Area {
  double left, right, top, bottom;
  Range x, y;

  Place place(double px, double py) const {
    return {left + x.part(px) * (right - left), bottom - y.part(py) * (bottom - top)};
  }
};

/// The area of one of several plots in a picture, without its margins. The plot begins at `left`, is `width` wide, and
/// reaches from `top` to `bottom`.
Area area_of(Plot const& plot, double left, double width, double top, double bottom, double font, Ticks& x, Ticks& y) {
  auto const xs = [](Curve const& curve) -> auto const& { return curve.x; };
  auto const ys = [](Curve const& curve) -> auto const& { return curve.y; };
  Area area{left, left + width, top, bottom, range_of(plot, xs, 0), range_of(plot, ys, 0.05)};
  area.top += plot.title.empty() ? 0.8 * font : 2.2 * font;
  area.bottom -= 3.4 * font;
  y = ticks_of(area.y, plot.is_log_y, (area.bottom - area.top) / (2.5 * font));
  double widest = 0;
  for (Tick const& tick : y.ticks) widest = std::max(widest, text_width(tick.text, font));
  area.left += widest + (y.label(plot.y_label).empty() ? 1.2 : 2.6) * font;
  area.right -= 1.5 * font;
  x = ticks_of(area.x, plot.is_log_x, (area.right - area.left) / (5 * font));
  if (x.ticks.empty()) return area;
  double const half = 0.5 * text_width(x.ticks.back().text, font), last = area.place(x.ticks.back().value, 0)[0];
  area.right -= std::max(0.0, last + half + 0.3 * font - (left + width));
  return area;
}

void draw_axes(Canvas& canvas, Plot const& plot, Area const& area, Ticks const& x, Ticks const& y, double font,
               double left, double end) {
  auto const sharp = [](double place) { return std::floor(place) + 0.5; };
  double const bottom = sharp(area.bottom), top = sharp(area.top), first = sharp(area.left), last = sharp(area.right);
  for (Tick const& tick : x.ticks) {
    double const at = sharp(area.place(tick.value, 0)[0]);
    canvas.line({{at, bottom}, {at, top}}, 1, grey);
    canvas.text({at, bottom + 0.5 * font}, tick.text, {0.5, 0}, font, ink);
  }
  for (Tick const& tick : y.ticks) {
    double const at = sharp(area.place(0, tick.value)[1]);
    canvas.line({{first, at}, {last, at}}, 1, grey);
    canvas.text({first - 0.5 * font, at}, tick.text, {1, 0.5}, font, ink);
  }
  canvas.line({{first, top}, {first, bottom}, {last, bottom}}, 1, ink);
  std::string const across = x.label(plot.x_label), up = y.label(plot.y_label);
  canvas.text({0.5 * (first + last), bottom + 1.9 * font}, across, {0.5, 0}, fitting_size(across, font, last - first),
              ink);
  canvas.upward_text({left + 0.8 * font, 0.5 * (top + bottom)}, up, fitting_size(up, font, bottom - top), ink);
  double const middle = 0.5 * (first + last), room = 2 * std::min(middle - left, end - middle) - font;
  canvas.text({middle, top - 0.7 * font}, plot.title, {0.5, 1}, fitting_size(plot.title, 1.1 * font, room), ink);
}

void draw_curve(Canvas& canvas, Curve const& curve, Area const& area, double font) {
  Canvas::Clip const clip(canvas, {area.left, area.top}, {area.right, area.bottom});
  std::vector<Place> places;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    bool const is_there = std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]);
    if (is_there && curve.is_dotted) canvas.dot(area.place(curve.x[i], curve.y[i]), 0.17 * font, curve.colour);
    if (is_there && !curve.is_dotted) places.push_back(area.place(curve.x[i], curve.y[i]));
    if (!is_there || i + 1 == curve.x.size()) {
      canvas.line(places, 0.11 * font, curve.colour);
      places.clear();
    }
  }
}

/// The curves of all plots, without repetitions of name and colour.
std::vector<Curve> legend_of(std::vector<Plot> const& plots) {
  std::vector<Curve> entries;
  for (Plot const& plot : plots)
    for (Curve const& curve : plot.curves) {
      bool const is_known = std::any_of(entries.begin(), entries.end(), [&](Curve const& entry) {
        return entry.name == curve.name && entry.colour == curve.colour;
      });
      if (!curve.name.empty() && !is_known) entries.push_back({curve.name, curve.colour, {}, {}, curve.is_dotted});
    }
  return entries;
}

/// An entry is a short line or a dot, and the name.
double entry_width(Curve const& entry, double font) { return 4.2 * font + text_width(entry.name, font); }

/// The position at which each entry begins. Entries that do not fit into a row go to the next one.
std::vector<Place> entry_places(std::vector<Curve> const& entries, double width, double font) {
  std::vector<Place> places;
  double x = font, y = 1.5 * font;
  for (Curve const& entry : entries) {
    double const needed = entry_width(entry, font);
    if (x > font && x + needed > width) x = font, y += 1.6 * font;
    places.push_back({x, y});
    x += needed;
  }
  return places;
}

}  // namespace

Image draw(std::vector<Plot> const& plots, int width) {
  expects(!plots.empty(), "there is no plot to draw");
  int const count = static_cast<int>(plots.size());
  expects(width >= 1 && width <= 16384, "a picture of plots is 1 to 16384 pixels wide");
  width = std::max(width, least_width * count);
  double const each = static_cast<double>(width) / count;
  double const font = std::clamp(6 + each / 80, 7.0, 28.0);
  auto const entries = legend_of(plots);
  auto const places = entry_places(entries, width, font);
  double const top = entries.empty() ? 0 : places.back()[1] + font, bottom = top + each * 5 / 6;

  Canvas canvas(width, static_cast<int>(std::lround(bottom)));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto const [x, y] = places[i];
    if (entries[i].is_dotted)
      canvas.dot({x + font, y}, 0.2 * font, entries[i].colour);
    else
      canvas.line({{x, y}, {x + 2 * font, y}}, 0.15 * font, entries[i].colour);
    canvas.text({x + 2.5 * font, y}, entries[i].name, {0, 0.5},
                fitting_size(entries[i].name, font, width - x - 3 * font), ink);
  }
  double left = 0;
  for (Plot const& given : plots) {
    Plot const plot = with_linear_axes(given);
    Ticks x, y;
    Area const area = area_of(plot, left, each, top, bottom, font, x, y);
    draw_axes(canvas, plot, area, x, y, font, left, left + each);
    for (Curve const& curve : plot.curves) draw_curve(canvas, curve, area, font);
    left += each;
  }
  return canvas.image();
}

}  // namespace sparse::io
