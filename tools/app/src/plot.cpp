#include <sparse/app/plot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace io = sparse::io;

namespace sparse::app {
namespace {

constexpr io::Colour black = {0, 0, 0}, grey = {225, 225, 225}, white = {255, 255, 255};

/// Values along one axis, or their decadic logarithms, and the pixels they get.
struct Axis {
  double least, greatest;
  int first, last;  // pixels of the ends
  bool is_log;

  double pixel(double value) const { return first + (value - least) / (greatest - least) * (last - first); }
  /// The distance of ticks: 1, 2 or 5 times a power of 10, about five of them.
  double tick() const {
    double const rough = (greatest - least) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    double const digit = rough / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
  }
  std::string text(double value) const {
    if (is_log && value == std::floor(value) && std::abs(value) > 3) return fmt::format("1e{:.0f}", value);
    return fmt::format("{:.4g}", is_log ? std::pow(10, value) : value);
  }
};

template <class Values>
Axis axis_of(Plot const& plot, Values const& values_of, double margin, int first, int last, bool is_log) {
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (Curve const& curve : plot.curves)
    for (double const value : values_of(curve)) {
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  if (!(least <= greatest)) least = 0, greatest = 1;
  // What changes by rounding alone is shown as constant.
  double const size = std::max({std::abs(least), std::abs(greatest), 1e-300}), span = greatest - least;
  double const room = span > 1e-9 * size ? margin * span : 0.5 * size;
  return {least - room, greatest + room, first, last, is_log};
}

class Canvas {
public:
  explicit Canvas(io::Image& image) : image_(image) {}

  void dot(double x, double y, int width, io::Colour colour) {
    int const left = static_cast<int>(std::lround(x - 0.5 * (width - 1)));
    int const top = static_cast<int>(std::lround(y - 0.5 * (width - 1)));
    for (int j = std::max(top, 0); j < std::min(top + width, image_.height); ++j)
      for (int i = std::max(left, 0); i < std::min(left + width, image_.width); ++i) image_.at(i, j) = colour;
  }
  void line(double x0, double y0, double x1, double y1, int width, io::Colour colour) {
    int const steps = 1 + static_cast<int>(std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    for (int i = 0; i <= steps; ++i) dot(x0 + (x1 - x0) * i / steps, y0 + (y1 - y0) * i / steps, width, colour);
  }
  void text(double x, double y, std::string const& words, io::Colour colour) {
    io::draw_text(image_, static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)), words, colour);
  }

private:
  io::Image& image_;
};

/// The plot as it looks on linear axes: logarithms for values, NaN for those of what is not positive.
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

void draw_axes(Canvas& canvas, Axis const& x, Axis const& y) {
  auto const values = [](Axis const& axis, auto const& visit) {
    double const tick = axis.tick();
    for (double i = std::ceil(axis.least / tick); i * tick <= axis.greatest; ++i)
      visit(i * tick + 0.0);  // + 0: not "-0"
  };
  values(x, [&](double value) {
    std::string const number = x.text(value);
    canvas.line(x.pixel(value), y.first, x.pixel(value), y.last, 1, grey);
    canvas.text(x.pixel(value) - 0.5 * io::text_width * static_cast<double>(number.size()), y.first + 5, number, black);
  });
  values(y, [&](double value) {
    std::string const number = y.text(value);
    canvas.line(x.first, y.pixel(value), x.last, y.pixel(value), 1, grey);
    canvas.text(x.first - 4 - io::text_width * static_cast<double>(number.size()), y.pixel(value) - 3, number, black);
  });
  canvas.line(x.first, y.first, x.last, y.first, 1, black);
  canvas.line(x.first, y.first, x.first, y.last, 1, black);
}

void draw_curve(Canvas& canvas, Curve const& curve, Axis const& x, Axis const& y) {
  auto const is_there = [&](std::size_t i) { return std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]); };
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!is_there(i)) continue;
    double const px = x.pixel(curve.x[i]), py = y.pixel(curve.y[i]);
    if (curve.is_dotted)
      canvas.dot(px, py, 3, curve.colour);
    else if (i > 0 && is_there(i - 1))
      canvas.line(x.pixel(curve.x[i - 1]), y.pixel(curve.y[i - 1]), px, py, 1, curve.colour);
  }
}

}  // namespace

io::Image draw(std::vector<Plot> const& plots, int width) {
  constexpr int left = 54, right = 12, top = 30, bottom = 20;
  int const each = width / static_cast<int>(std::max<std::size_t>(plots.size(), 1)),
            height = std::max(each * 5 / 6, 80);
  io::Image image(width, height, white);
  Canvas canvas(image);
  int corner = 0;
  for (Plot const& given : plots) {
    Plot const plot = with_linear_axes(given);
    auto const xs = [](Curve const& curve) -> auto const& { return curve.x; };
    auto const ys = [](Curve const& curve) -> auto const& { return curve.y; };
    Axis const x = axis_of(plot, xs, 0, corner + left, corner + each - right, plot.is_log_x);
    Axis const y = axis_of(plot, ys, 0.05, height - bottom, top, plot.is_log_y);
    draw_axes(canvas, x, y);
    canvas.text(x.first, 4, plot.title, black);
    for (Curve const& curve : plot.curves) draw_curve(canvas, curve, x, y);
    corner += each;
  }
  double next = left;
  for (Curve const& curve : plots.empty() ? std::vector<Curve>() : plots.front().curves) {
    canvas.text(next, 4 + io::text_height + 2, curve.name, curve.colour);
    next += io::text_width * static_cast<double>(curve.name.size() + 3);
  }
  return image;
}

}  // namespace sparse::app
