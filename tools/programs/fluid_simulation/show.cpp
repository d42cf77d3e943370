#include "show.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <sparse/io/files/history.hpp>
#include <sparse/io/pictures/arrows.hpp>
#include <sparse/io/pictures/frame.hpp>
#include <sparse/io/pictures/plot.hpp>
#include <sparse/io/pictures/render.hpp>

using namespace sparse;

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr io::Colour black = {0, 0, 0}, red = {200, 30, 30};

/// The nodes as cells around them.
std::vector<io::LevelCells<2>> cells_of(Trials const& trials) {
  io::LevelCells<2> level;
  level.cells = trials.nodes.to_host();
  std::visit(
      [&]<class T>(std::vector<T> const& u) {
        std::vector<T> velocity = u;
        auto const& v = std::get<std::vector<T>>(trials.v);
        velocity.insert(velocity.end(), v.begin(), v.end());
        level.arrays = {{"pressure", 1, std::get<std::vector<T>>(trials.p)}, {"velocity", 2, std::move(velocity)}};
      },
      trials.u);
  return {std::move(level)};
}

/// Ranges of colours spread around 0 and leave out the largest hundredth of all pressures. These are in the corners.
std::array<double, 2> pressure_range(Trials const& trials) {
  std::vector<double> sizes;
  for (int y = 0; y < trials.nx; ++y)
    for (int x = 0; x < trials.nx; ++x) sizes.push_back(std::abs(trials.at(trials.p, x, y)));
  auto const place = sizes.begin() + static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), place, sizes.end());
  return {-std::max(*place, 1e-300), std::max(*place, 1e-300)};
}

/// About 20 arrows along each side. Lengths grow with the root of the speed, so that slow eddies show, too.
std::vector<io::Arrow> arrows_of(Trials const& trials, double pixels_per_node, int height) {
  int const stride = std::max(1, trials.nx / 20);
  double greatest = 0;
  auto const speed_at = [&](int x, int y) { return std::hypot(trials.at(trials.u, x, y), trials.at(trials.v, x, y)); };
  for (int y = 0; y < trials.nx; y += stride)
    for (int x = 0; x < trials.nx; x += stride) greatest = std::max(greatest, speed_at(x, y));
  std::vector<io::Arrow> arrows;
  for (int y = (trials.nx - 1) % stride; y < trials.nx; y += stride)
    for (int x = (trials.nx - 1) % stride / 2; x < trials.nx; x += stride) {
      double const speed = speed_at(x, y);
      if (speed == 0) continue;
      double const length = 1.2 * stride * pixels_per_node * std::sqrt(std::min(1.0, speed / greatest));
      double const right = length * trials.at(trials.u, x, y) / speed, up = length * trials.at(trials.v, x, y) / speed;
      double const px = (x + 0.5) * pixels_per_node, py = height - (y + 0.5) * pixels_per_node;
      arrows.push_back({{px - 0.5 * right, py + 0.5 * up}, {px + 0.5 * right, py - 0.5 * up}});
    }
  return arrows;
}

io::Image quiver(Trials const& trials, Grid<2> const& grid, std::vector<io::LevelCells<2>> const& cells,
                 std::string const& title, int size) {
  auto const range = pressure_range(trials);
  auto const pressure = io::render<2>(grid, cells, "pressure",
                                      {.size = size,
                                       .colours = io::ColourMap::coolwarm,
                                       .range = range,
                                       .outlines = false,
                                       .colour_bar = false,
                                       .axes = false});
  double const pixels = static_cast<double>(pressure.width) / trials.nx;
  auto const drawn = io::with_arrows(pressure, arrows_of(trials, pixels, pressure.height), {20, 20, 20},
                                     std::max(1.0, pressure.width / 600.0));
  double const end = grid.origin[0] + trials.nx * grid.spacing[0];
  return io::framed(drawn, {.title = title,
                            .axes = io::Axes{{grid.origin[0], grid.origin[1]}, {end, end}},
                            .bar = io::ColourBar{io::ColourMap::coolwarm, range, "pressure"}});
}

/// How many trials took how long, as the outline of a histogram.
io::Curve outline(Times const& times, io::Colour colour) {
  auto const [least, greatest] = std::minmax_element(times.seconds.begin(), times.seconds.end());
  auto const bin_count = std::clamp<std::size_t>(
      static_cast<std::size_t>(2 * std::sqrt(static_cast<double>(times.seconds.size()))), 4, 60);
  double const width = std::max(*greatest - *least, 1e-6 * *greatest) / static_cast<double>(bin_count);
  std::vector<double> counts(bin_count);
  for (double const s : times.seconds)
    counts[std::min(bin_count - 1, static_cast<std::size_t>((s - *least) / width))] += 1;
  io::Curve curve{times.name, colour, {*least}, {0}};
  for (std::size_t bin = 0; bin < bin_count; ++bin)
    for (std::size_t side = 0; side < 2; ++side) {
      curve.x.push_back(*least + width * static_cast<double>(bin + side));
      curve.y.push_back(counts[bin]);
    }
  curve.x.push_back(curve.x.back());
  curve.y.push_back(0);
  return curve;
}

}  // namespace

void write_flow(app::RunFolder& folder, Trials const& trials) {
  double const spacing = 1.0 / (trials.nx - 1);
  Grid<2> const grid{{-0.5 * spacing, -0.5 * spacing}, {spacing, spacing}};
  auto const cells = cells_of(trials);
  folder.write_fields(trials.step_count, trials.t_end, grid, cells, {});
  auto const title =
      fmt::format("velocity over pressure, {} x {} nodes, t = {:.4g}", trials.nx, trials.nx, trials.t_end);
  io::write_png(folder.path("fluid_simulation.png"), quiver(trials, grid, cells, title, folder.options().picture_size));
}

void write_centre_lines(app::RunFolder& folder, CentreLines const& lines, std::optional<CentreLines> const& smac) {
  std::vector<std::string> columns = {"position", "u", "v"};
  if (smac) columns.insert(columns.end(), {"smac_u", "smac_v"});
  io::History file(folder.path("centre_lines.csv"), columns);
  for (std::size_t i = 0; i < lines.position.size(); ++i) {
    std::vector<double> row = {lines.position[i], lines.u[i], lines.v[i]};
    if (smac) {
      bool const is_inside = i > 0 && i <= smac->u.size();
      row.insert(row.end(), {is_inside ? smac->u[i - 1] : nothing, is_inside ? smac->v[i - 1] : nothing});
    }
    file.add(row);
  }
  std::vector<io::Plot> plots(2);
  plots[0] = {.title = "u at x = 0.5", .curves = {{"nodes", red, lines.position, lines.u}}, .x_label = "y"};
  plots[1] = {.title = "v at y = 0.5", .curves = {{"nodes", red, lines.position, lines.v}}, .x_label = "x"};
  if (smac) {
    plots[0].curves.push_back({"SMAC", black, smac->position, smac->u});
    plots[1].curves.push_back({"SMAC", black, smac->position, smac->v});
  }
  io::write_png(folder.path("centre_lines.png"), io::draw(plots, folder.options().picture_size));
}

void write_times(app::RunFolder& folder, std::vector<Times> const& times, std::string const& title) {
  std::vector<io::Colour> const colours = {{200, 30, 30}, {230, 150, 0}, {0, 110, 220},
                                           {0, 180, 200}, {0, 150, 90},  {120, 190, 40}};
  std::vector<std::string> columns = {"trial"};
  io::Plot plot{.title = title, .curves = {}, .is_log_x = times.size() > 1, .x_label = "time [s]", .y_label = "trials"};
  std::size_t length = 0;
  for (Times const& of : times) {
    columns.push_back(times.size() == 1 ? "seconds" : of.name);
    plot.curves.push_back(outline(of, colours[plot.curves.size() % colours.size()]));
    length = std::max(length, of.seconds.size());
  }
  io::History file(folder.path("history.csv"), columns);
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<double> row = {static_cast<double>(i)};
    for (Times const& of : times) row.push_back(i < of.seconds.size() ? of.seconds[i] : nothing);
    file.add(row);
  }
  io::write_png(folder.path("histogram.png"), io::draw({plot}, folder.options().picture_size));
}
