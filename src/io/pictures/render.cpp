#include <sparse/io/pictures/render.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <sparse/base/error.hpp>
#include <sparse/io/pictures/frame.hpp>

#include "io/levels/leaves.hpp"

namespace sparse::io {
namespace {

constexpr Colour no_cell = {150, 150, 150};
constexpr double least_mesh_width = 3;  // of cells with lines around them [pixels]

/// The value and level at each pixel of the plot, row 0 at the bottom.
struct Plot {
  int width, height;
  std::vector<double> values;
  std::vector<signed char> levels;  ///< -1 where there is no cell
  std::vector<bool> ends;           ///< whether the next pixel to the right or above lies beyond the cell

  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

/// The box of all leaves in widths of level-0 cells.
template <int Dim>
struct Extent {
  Vec<double, Dim> begin = Vec<double, Dim>::filled(std::numeric_limits<double>::infinity()), end = -1.0 * begin;

  void add(Run const& run, int level) {
    auto const first = cell_at<Dim>(run.row, run.x.begin), last = cell_at<Dim>(run.row, run.x.end - 1);
    for (int axis = 0; axis < Dim; ++axis) {
      begin[axis] = std::min(begin[axis], std::ldexp(first[axis], -level));
      end[axis] = std::max(end[axis], std::ldexp(last[axis] + 1.0, -level));
    }
  }
  /// Cuts it to a window in coordinates.
  void cut(std::array<std::array<double, 2>, 2> const& window, Grid<Dim> const& grid) {
    for (int axis = 0; axis < 2; ++axis) {
      auto const [lower, upper] = window[static_cast<std::size_t>(axis)];
      expects(std::isfinite(lower) && std::isfinite(upper) && lower < upper, "a window must be increasing and finite");
      begin[axis] = std::max(begin[axis], (lower - grid.origin[axis]) / grid.spacing[axis]);
      end[axis] = std::min(end[axis], (upper - grid.origin[axis]) / grid.spacing[axis]);
    }
  }
};

/// For each pixel along a side, the coordinate of the cell of `level` under the pixel's centre.
std::vector<Coord> cells_under_pixels(double begin, double end, int pixels, int level) {
  std::vector<Coord> cells(static_cast<std::size_t>(pixels));
  for (int p = 0; p < pixels; ++p)
    cells[static_cast<std::size_t>(p)] =
        static_cast<Coord>(std::floor(std::ldexp(begin + (p + 0.5) / pixels * (end - begin), level)));
  return cells;
}

/// The number of the array of this name, or nothing for "level".
template <int Dim>
std::optional<std::size_t> number_of(std::string const& name, LevelCells<Dim> const& level) {
  if (name == "level") return {};
  auto const found =
      std::find_if(level.arrays.begin(), level.arrays.end(), [&](auto const& array) { return array.name == name; });
  if (found == level.arrays.end()) fail(fmt::format("there is no array '{}' to draw", name));
  return static_cast<std::size_t>(found - level.arrays.begin());
}

/// Magnitude of the value of each cell.
std::vector<double> magnitudes(CellArray const& array) {
  return std::visit(
      [&](auto const& values) {
        auto const components = static_cast<std::size_t>(array.components);
        std::size_t const cells = values.size() / components;
        std::vector<double> magnitude(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(cells));
        if (components == 1) return magnitude;
        for (std::size_t i = 0; i < cells; ++i) {
          double squares = 0;
          for (std::size_t c = 0; c < components; ++c)
            squares += std::pow(static_cast<double>(values[c * cells + i]), 2);
          magnitude[i] = std::sqrt(squares);
        }
        return magnitude;
      },
      array.values);
}

/// Fills the pixels whose centres lie in leaves of one level.
/// @param array  its number; nothing: draws the level
template <int Dim>
void paint(Plot& plot, LevelCells<Dim> const& level, std::vector<Run> const& leaves, std::optional<std::size_t> array,
           Extent<Dim> const& extent, double slice) {
  auto const columns = cells_under_pixels(extent.begin[0], extent.end[0], plot.width, level.level);
  auto const rows = cells_under_pixels(extent.begin[1], extent.end[1], plot.height, level.level);
  Coord layer = 0;
  if constexpr (Dim == 3) {
    // Just below the top, and never on the border between two layers of any level.
    double const z = extent.begin[2] + slice * (extent.end[2] - extent.begin[2]);
    double const inside = std::clamp(z + 1e-9, extent.begin[2], std::nextafter(extent.end[2], extent.begin[2]));
    layer = static_cast<Coord>(std::floor(std::ldexp(inside, level.level)));
  }

  auto const values = array ? magnitudes(level.arrays[*array])
                            : std::vector<double>(static_cast<std::size_t>(level.cells.cell_count()), level.level);
  bool const has_lines =
      plot.width * std::ldexp(1.0, -level.level) >= least_mesh_width * (extent.end[0] - extent.begin[0]);
  auto const is_end = [&](std::vector<Coord> const& cells, auto at) {
    return has_lines && at + 1 != cells.end() && *(at + 1) != *at;
  };
  for (Run const& run : leaves) {
    auto const cell = cell_at<Dim>(run.row, run.x.begin);
    if (Dim == 3 && cell[Dim - 1] != layer) continue;
    auto const [row_begin, row_end] = std::equal_range(rows.begin(), rows.end(), cell[1]);
    if (row_begin == row_end) continue;
    auto const begin = std::lower_bound(columns.begin(), columns.end(), run.x.begin);
    auto const end = std::lower_bound(begin, columns.end(), run.x.end);
    for (auto row = row_begin; row != row_end; ++row) {
      auto pixel = plot.at(static_cast<int>(begin - columns.begin()), static_cast<int>(row - rows.begin()));
      for (auto column = begin; column != end; ++column, ++pixel) {
        plot.values[pixel] = values[static_cast<std::size_t>(run.first + (*column - run.x.begin))];
        plot.levels[pixel] = static_cast<signed char>(level.level);
        plot.ends[pixel] = is_end(columns, column) || is_end(rows, row);
      }
    }
  }
}

std::array<double, 2> range_of(Plot const& plot) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < plot.values.size(); ++i)
    if (plot.levels[i] >= 0 && std::isfinite(plot.values[i])) {
      low = std::min(low, plot.values[i]);
      high = std::max(high, plot.values[i]);
    }
  if (low > high) return {0, 0};
  return {low, high};
}

/// Whether a leaf of another level begins right of or above this pixel.
bool on_outline(Plot const& plot, int x, int y) {
  int const here = plot.levels[plot.at(x, y)];
  auto const differs = [&](int there) { return there >= 0 && there != here; };
  return here >= 0 && ((x + 1 < plot.width && differs(plot.levels[plot.at(x + 1, y)])) ||
                       (y + 1 < plot.height && differs(plot.levels[plot.at(x, y + 1)])));
}

/// Halfway to white for dark colours, to black for light ones.
Colour contrasting(Colour c) {
  int const lightness = 299 * c[0] + 587 * c[1] + 114 * c[2];
  for (auto& channel : c) channel = static_cast<std::uint8_t>(lightness < 128000 ? (channel + 255) / 2 : channel / 2);
  return c;
}

/// The plot in colours, without its frame.
Image picture_of(Plot const& plot, std::array<double, 2> const& range, RenderOptions const& options) {
  Image image(plot.width, plot.height, no_cell);
  for (int y = 0; y < plot.height; ++y)
    for (int x = 0; x < plot.width; ++x) {
      auto const i = plot.at(x, y);
      if (plot.levels[i] < 0) continue;
      double const value = plot.values[i];
      double const part = range[1] > range[0] ? (value - range[0]) / (range[1] - range[0]) : 0.5;
      Colour& pixel = image.at(x, plot.height - 1 - y);
      pixel = colour_of(options.colours, std::isfinite(value) ? part : std::numeric_limits<double>::quiet_NaN());
      if ((options.outlines && on_outline(plot, x, y)) || (options.mesh && plot.ends[i])) pixel = contrasting(pixel);
    }
  return image;
}

}  // namespace

template <int Dim>
Image render(Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels, std::string const& array,
             RenderOptions const& options) {
  check_levels(levels);
  expects(options.size >= 16 && options.size <= 16384, "the size of a plot must lie in [16, 16384]");
  expects(options.slice >= 0 && options.slice <= 1, "the height of the slice must lie in [0, 1]");
  expects(!options.range || (std::isfinite((*options.range)[0]) && std::isfinite((*options.range)[1]) &&
                             (*options.range)[0] <= (*options.range)[1]),
          "the range of colours must be increasing and finite");
  for (int axis = 0; axis < Dim; ++axis) expects(grid.spacing[axis] > 0, "spacing must be positive");

  Extent<Dim> extent;
  std::vector<std::vector<Run>> leaves;
  for (auto const& level : levels) {
    leaves.push_back(leaf_runs(level));
    for (Run const& run : leaves.back()) extent.add(run, level.level);
  }
  if (options.window) extent.cut(*options.window, grid);
  expects(extent.begin[0] < extent.end[0] && extent.begin[1] < extent.end[1], "there is no cell to draw");
  auto const number = number_of(array, levels[0]);

  double const across = (extent.end[0] - extent.begin[0]) * grid.spacing[0];
  double const up = (extent.end[1] - extent.begin[1]) * grid.spacing[1];
  auto const pixels = [&](double length) {
    return std::max(1, static_cast<int>(std::lround(length / std::max(across, up) * options.size)));
  };
  Plot plot{pixels(across), pixels(up), {}, {}, {}};
  plot.values.assign(plot.at(0, plot.height), 0);
  plot.levels.assign(plot.values.size(), -1);
  plot.ends.assign(plot.values.size(), false);
  for (std::size_t l = 0; l < levels.size(); ++l) paint(plot, levels[l], leaves[l], number, extent, options.slice);

  auto const range = options.range ? *options.range : range_of(plot);
  Frame frame{options.title, {}, {}};
  std::string const unit = options.length_unit.empty() ? "" : " [" + options.length_unit + "]";
  if (options.axes) {
    frame.axes = Axes{{}, {}, {"x" + unit, "y" + unit}};
    for (int axis = 0; axis < 2; ++axis) {
      auto const a = static_cast<std::size_t>(axis);
      frame.axes->begin[a] = grid.origin[axis] + extent.begin[axis] * grid.spacing[axis];
      frame.axes->end[a] = grid.origin[axis] + extent.end[axis] * grid.spacing[axis];
    }
  }
  if (options.colour_bar) frame.bar = ColourBar{options.colours, range, options.label.empty() ? array : options.label};
  return framed(picture_of(plot, range, options), frame);
}

template Image render<2>(Grid<2> const&, std::vector<LevelCells<2>> const&, std::string const&, RenderOptions const&);
template Image render<3>(Grid<3> const&, std::vector<LevelCells<3>> const&, std::string const&, RenderOptions const&);

}  // namespace sparse::io
