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

/// The pixels of the plot. Row 0 of the image is its top, row 0 of the plot its bottom.
struct Plot {
  Image image;
  std::vector<signed char> levels;  ///< of the leaf at each pixel, -1 where there is none; empty without outlines
  std::vector<char> ends;           ///< whether the next pixel to the right or above lies beyond the cell; with a mesh

  Plot(int width, int height, RenderOptions const& options)
      : image(width, height, no_cell), levels(options.outlines ? image.pixels.size() : 0, -1),
        ends(options.mesh ? image.pixels.size() : 0, 0) {}
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(image.height - 1 - y) * static_cast<std::size_t>(image.width) +
           static_cast<std::size_t>(x);
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

/// What a plot shows of one level: a value for each cell, and the cell of this level under each column and row of
/// pixels.
template <int Dim>
struct PlotLevel {
  int level;
  std::vector<Run> leaves;  ///< those in the slice
  std::vector<double> values;
  std::vector<Coord> columns, rows;

  PlotLevel(LevelCells<Dim> const& cells, std::vector<Run> leaves_, std::optional<std::size_t> array,
            Extent<Dim> const& extent, int width, int height, double slice)
      : level(cells.level), leaves(std::move(leaves_)),
        values(array ? magnitudes(cells.arrays[*array])
                     : std::vector<double>(static_cast<std::size_t>(cells.cells.cell_count()), level)),
        columns(cells_under_pixels(extent.begin[0], extent.end[0], width, level)),
        rows(cells_under_pixels(extent.begin[1], extent.end[1], height, level)) {
    if constexpr (Dim == 3) {
      // Just below the top, and never on the border between two layers of any level.
      double const z = extent.begin[2] + slice * (extent.end[2] - extent.begin[2]);
      double const inside = std::clamp(z + 1e-9, extent.begin[2], std::nextafter(extent.end[2], extent.begin[2]));
      auto const layer = static_cast<Coord>(std::floor(std::ldexp(inside, level)));
      std::erase_if(leaves, [&](Run const& run) { return cell_at<Dim>(run.row, run.x.begin)[2] != layer; });
    }
  }

  double value(Run const& run, Coord x) const {
    return values[static_cast<std::size_t>(run.first + (x - run.x.begin))];
  }

  /// Calls `visit(run, x, x_end, y, y_end)` for the pixels whose centres lie in a run of leaves, if there are any.
  template <class Visit>
  void for_each_run(Visit const& visit) const {
    for (Run const& run : leaves) {
      auto const [y, y_end] = std::equal_range(rows.begin(), rows.end(), cell_at<Dim>(run.row, run.x.begin)[1]);
      if (y == y_end) continue;
      auto const x = std::lower_bound(columns.begin(), columns.end(), run.x.begin);
      auto const x_end = std::lower_bound(x, columns.end(), run.x.end);
      visit(run, static_cast<int>(x - columns.begin()), static_cast<int>(x_end - columns.begin()),
            static_cast<int>(y - rows.begin()), static_cast<int>(y_end - rows.begin()));
    }
  }
};

/// The least and the greatest finite value at a pixel; zeros without any.
template <int Dim>
std::array<double, 2> range_of(std::vector<PlotLevel<Dim>> const& levels) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (auto const& level : levels)
    level.for_each_run([&](Run const& run, int x_begin, int x_end, int, int) {
      for (int x = x_begin; x < x_end; ++x) {
        double const value = level.value(run, level.columns[static_cast<std::size_t>(x)]);
        if (!std::isfinite(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
    });
  if (low > high) return {0, 0};
  return {low, high};
}

/// Colours the pixels of one level. A cell's colour is found once: the first row of pixels is copied to the others.
template <int Dim>
void paint(Plot& plot, PlotLevel<Dim> const& level, std::array<double, 2> const& range, ColourMap colours) {
  auto const colour = [&](double value) {
    double const part = range[1] > range[0] ? (value - range[0]) / (range[1] - range[0]) : 0.5;
    return colour_of(colours, std::isfinite(value) ? part : std::numeric_limits<double>::quiet_NaN());
  };
  level.for_each_run([&](Run const& run, int x_begin, int x_end, int y_begin, int y_end) {
    Colour* const first = &plot.image.pixels[plot.at(0, y_begin)];
    for (int x = x_begin; x < x_end; ++x) {
      Coord const cell = level.columns[static_cast<std::size_t>(x)];
      bool const is_same = x > x_begin && cell == level.columns[static_cast<std::size_t>(x) - 1];
      first[x] = is_same ? first[x - 1] : colour(level.value(run, cell));
    }
    for (int y = y_begin + 1; y < y_end; ++y)
      std::copy(first + x_begin, first + x_end, &plot.image.pixels[plot.at(x_begin, y)]);
    if (!plot.levels.empty())
      for (int y = y_begin; y < y_end; ++y)
        std::fill_n(&plot.levels[plot.at(x_begin, y)], x_end - x_begin, static_cast<signed char>(level.level));
  });
}

/// Notes the pixels at the right and upper sides of the level's cells.
template <int Dim>
void note_ends(Plot& plot, PlotLevel<Dim> const& level) {
  auto const is_end = [](std::vector<Coord> const& cells, int pixel) {
    auto const i = static_cast<std::size_t>(pixel);
    return i + 1 < cells.size() && cells[i + 1] != cells[i];
  };
  level.for_each_run([&](Run const&, int x_begin, int x_end, int y_begin, int y_end) {
    for (int y = y_begin; y < y_end; ++y)
      for (int x = x_begin; x < x_end; ++x)
        plot.ends[plot.at(x, y)] = is_end(level.columns, x) || is_end(level.rows, y);
  });
}

/// Whether a leaf of another level begins right of or above this pixel.
bool on_outline(Plot const& plot, int x, int y) {
  int const here = plot.levels[plot.at(x, y)];
  auto const differs = [&](int there) { return there >= 0 && there != here; };
  return here >= 0 && ((x + 1 < plot.image.width && differs(plot.levels[plot.at(x + 1, y)])) ||
                       (y + 1 < plot.image.height && differs(plot.levels[plot.at(x, y + 1)])));
}

/// Halfway to white for dark colours, to black for light ones.
Colour contrasting(Colour c) {
  int const lightness = 299 * c[0] + 587 * c[1] + 114 * c[2];
  for (auto& channel : c) channel = static_cast<std::uint8_t>(lightness < 128000 ? (channel + 255) / 2 : channel / 2);
  return c;
}

void draw_lines(Plot& plot) {
  for (int y = 0; y < plot.image.height; ++y)
    for (int x = 0; x < plot.image.width; ++x) {
      auto const i = plot.at(x, y);
      if ((!plot.levels.empty() && on_outline(plot, x, y)) || (!plot.ends.empty() && plot.ends[i] != 0))
        plot.image.pixels[i] = contrasting(plot.image.pixels[i]);
    }
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
  Plot plot(pixels(across), pixels(up), options);
  std::vector<PlotLevel<Dim>> shown;
  for (std::size_t l = 0; l < levels.size(); ++l)
    shown.emplace_back(levels[l], std::move(leaves[l]), number, extent, plot.image.width, plot.image.height,
                       options.slice);
  auto const range = options.range ? *options.range : range_of(shown);
  for (auto const& level : shown) {
    paint(plot, level, range, options.colours);
    double const cell_width = std::ldexp(1.0, -level.level);
    if (options.mesh && plot.image.width * cell_width >= least_mesh_width * (extent.end[0] - extent.begin[0]))
      note_ends(plot, level);
  }
  if (options.outlines || options.mesh) draw_lines(plot);

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
  return framed(plot.image, frame);
}

template Image render<2>(Grid<2> const&, std::vector<LevelCells<2>> const&, std::string const&, RenderOptions const&);
template Image render<3>(Grid<3> const&, std::vector<LevelCells<3>> const&, std::string const&, RenderOptions const&);

}  // namespace sparse::io
