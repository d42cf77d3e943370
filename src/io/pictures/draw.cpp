#include <sparse/io/pictures/draw.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/base/error.hpp>

namespace sparse::io {
namespace {

constexpr Index wanted_size = 1000;  // pixels of the longer side
constexpr Index largest_square = 32;

/// The number of cells in each pixel, row 0 at the bottom.
class Canvas {
public:
  Canvas(Index x_begin, Index x_end, Index y_begin, Index y_end)
      : x_begin_(x_begin), y_begin_(y_begin),
        cells_per_pixel_(
            std::max<Index>(1, (std::max(x_end - x_begin, y_end - y_begin) + wanted_size - 1) / wanted_size)),
        width_((x_end - x_begin + cells_per_pixel_ - 1) / cells_per_pixel_),
        height_((y_end - y_begin + cells_per_pixel_ - 1) / cells_per_pixel_),
        hits_(static_cast<std::size_t>(width_ * height_)) {}

  /// Adds `weight` for each of the cells from (x, y) to before (end, y).
  void add(Index x, Index end, Index y, double weight = 1) {
    double* const row = hits_.data() + (y - y_begin_) / cells_per_pixel_ * width_;
    for (x -= x_begin_, end -= x_begin_; x < end;) {
      Index const pixel = x / cells_per_pixel_, next = std::min(end, (pixel + 1) * cells_per_pixel_);
      row[pixel] += weight * static_cast<double>(next - x);
      x = next;
    }
  }

  double most() const { return *std::max_element(hits_.begin(), hits_.end()); }
  double cells_of_pixel() const { return static_cast<double>(cells_per_pixel_ * cells_per_pixel_); }

  /// White for no hits, black for `black` hits or more.
  Image image(double black) const {
    Index const square = std::clamp<Index>(wanted_size / std::max(width_, height_), 1, largest_square);
    Image image(static_cast<int>(width_ * square), static_cast<int>(height_ * square), {255, 255, 255});
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        double const hits = hits_[static_cast<std::size_t>(y / square * width_ + x / square)];
        auto const shade = static_cast<std::uint8_t>(std::lround(255 * (1 - std::min(1.0, hits / black))));
        image.at(x, image.height - 1 - y) = {shade, shade, shade};
      }
    return image;
  }

private:
  Index x_begin_, y_begin_, cells_per_pixel_, width_, height_;
  std::vector<double> hits_;
};

}  // namespace

Image draw(IntervalSet<2> const& set) {
  if (set.is_empty()) return Image(1, 1, {255, 255, 255});
  auto const [begin, end] = set.bounds();
  Canvas canvas(begin[0], end[0], begin[1], end[1]);
  set.to_host().for_each_interval([&](RowKey y, Interval x, Index) { canvas.add(x.begin, x.end, y); });
  return canvas.image(canvas.cells_of_pixel());
}

Image draw(IntervalSet<3> const& set, int axis) {
  expects(axis >= 0 && axis < 3, "draw: no such axis");
  if (set.is_empty()) return Image(1, 1, {255, 255, 255});
  auto const [begin, end] = set.bounds();
  int const right = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
  Canvas canvas(begin[right], end[right], begin[up], end[up]);
  set.to_host().for_each_interval([&](RowKey key, Interval x, Index) {
    auto const cell = cell_at<3>(key, x.begin);
    if (axis == 0)
      canvas.add(cell[1], cell[1] + Index{1}, cell[2], static_cast<double>(Index{x.end} - x.begin));
    else
      canvas.add(x.begin, x.end, cell[up]);
  });
  return canvas.image(canvas.most());
}

}  // namespace sparse::io
