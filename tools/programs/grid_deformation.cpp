// A grid whose nodes gather along a curve: a potential from a line source moves them.
//
// Source: Becerra-Sagredo, Mandujano, Malaga (2017), A GPU-based multi-level algorithm for boundary value problems,
// arXiv:1703.07206, section 3.2.

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <sparse/poisson/single_grid.hpp>

#include <sparse/io/pictures/scene.hpp>

#include <sparse/app/nodes/curve.hpp>
#include <sparse/app/nodes/node_box.hpp>
#include <sparse/app/options/command_line.hpp>
#include <sparse/app/run/folder.hpp>

using namespace sparse;
using app::PlanePoint;

namespace {

struct Options {
  app::RunOptions run;
  std::string outline;
  app::CurveOptions curve;
  int n = 0, steps = 100;
  double size = 0.5, zeroth_order = 0.1, shrink = 5;
};

using Nodes = app::NodeBox<2>;
using Values = std::vector<double>;

/// The points of the curve, one node distance apart.
std::vector<PlanePoint> curve_of(Options const& o) {
  std::vector<PlanePoint> points;
  if (o.outline.empty()) {
    for (int i = 0; i < 64; ++i) {
      double const angle = 2 * std::numbers::pi * i / 64;
      points.push_back({0.5 + 0.5 * o.size * std::cos(angle), 0.5 + 0.5 * o.size * std::sin(angle)});
    }
  } else {
    points = app::fitted(app::read_outline(o.outline), o.size);
  }
  auto const curve = app::resampled(points, 1.0 / o.n, o.curve);
  for (PlanePoint const& x : curve)
    if (!(x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1))
      throw std::runtime_error("the curve leaves the unit square: choose a smaller --size");
  return curve;
}

/// A delta function along the curve, of integral 1 per length.
Values source_of(Nodes const& nodes, std::vector<PlanePoint> const& curve) {
  Values source(static_cast<std::size_t>(nodes.count()), 0.0);
  double const each = app::perimeter(curve) / static_cast<double>(curve.size());
  for (PlanePoint const& x : curve) nodes.add_delta(source, x, each);
  return source;
}

/// laplacian(u) + a u = f - mean of f, without flux through the sides.
Values potential_of(Options const& o, Nodes const& nodes, Values f, double mean, app::RunFolder& folder) {
  for (double& value : f) value -= mean;
  poisson::SingleGridOptions<2> options;
  options.sides.fill(poisson::NodeSide::neumann);
  options.stop = {1e-14, 60};
  options.accumulates_residual = true;
  poisson::SingleGrid<double, 2> solver(nodes.set(), nodes.spacing(), options, 1, o.zeroth_order);
  auto u = app::field_of(nodes, "potential", Values(f.size(), 0.0));
  auto const report = solver.solve(app::field_of(nodes, "source", f), u);
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("the potential did not converge: {} with a residual of {:.3g}",
                                         poisson::name_of(report.reason), report.residuals.back()));
  folder.report("cycles of the solver", report.iterations);
  return to_host(u);
}

/// The nodes while they move, and what theory says of the areas around them.
///
/// Velocity -grad u / (t f + F), F being the integral of f, makes areas J obey D ln(J rho) / Dt = (F + a u) / rho with
/// rho = t f + F: where the source is strong, areas shrink like 1 / rho.
class MovingGrid {
public:
  MovingGrid(Options const& o, Nodes const& nodes, Values const& f, Values const& u, double mean)
      : nodes_(nodes), f_(f), u_(u), mean_(mean), zeroth_order_(o.zeroth_order) {
    for (int axis = 0; axis < 2; ++axis) slope_.push_back(nodes.derivative(u, axis, app::Beyond::even));
    for (Index node = 0; node < nodes.count(); ++node) x_.push_back(nodes.position(node));
    growth_.assign(x_.size(), 0);
  }

  std::vector<PlanePoint> const& positions() const { return x_; }

  void step(double time, double dt) {
    for (std::size_t i = 0; i < x_.size(); ++i) {
      double const rho = density(x_[i], time);
      growth_[i] += dt * (mean_ + zeroth_order_ * *nodes_.at(u_, x_[i])) / rho;
      PlanePoint const slope = *app::vector_at(nodes_, slope_, x_[i]);
      for (int axis = 0; axis < 2; ++axis) x_[i][axis] = std::clamp(x_[i][axis] - dt / rho * slope[axis], 0.0, 1.0);
    }
  }

  /// Area around a node over what it was at first, by theory.
  double expected_area(std::size_t node, double time) const {
    return std::exp(growth_[node]) * mean_ / density(x_[node], time);
  }

private:
  double density(PlanePoint const& x, double time) const { return time * *nodes_.at(f_, x) + mean_; }

  Nodes nodes_;
  Values const &f_, &u_;
  double mean_, zeroth_order_;
  std::vector<Values> slope_;
  std::vector<PlanePoint> x_;
  Values growth_;
};

/// Areas of cells and of the triangles at their corners, over h^2 and h^2 / 2.
struct Areas {
  Values cells;
  double least = 1e300, greatest = 0, least_corner = 1e300;
};

std::array<std::size_t, 4> corners_of(Nodes const& nodes, Index x, Index y) {
  auto const first = static_cast<std::size_t>(x + nodes.stride(1) * y), up = static_cast<std::size_t>(nodes.stride(1));
  return {first, first + 1, first + up + 1, first + up};
}

double twice_area(PlanePoint const& a, PlanePoint const& b, PlanePoint const& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

Areas areas_of(Nodes const& nodes, std::vector<PlanePoint> const& x) {
  Areas areas;
  double const square = nodes.spacing() * nodes.spacing();
  for (Index j = 0; j < nodes.n; ++j)
    for (Index i = 0; i < nodes.n; ++i) {
      auto const c = corners_of(nodes, i, j);
      for (std::size_t k = 0; k < 4; ++k)
        areas.least_corner =
            std::min(areas.least_corner, twice_area(x[c[k]], x[c[(k + 1) % 4]], x[c[(k + 3) % 4]]) / square);
      double const area =
          (twice_area(x[c[0]], x[c[1]], x[c[2]]) + twice_area(x[c[0]], x[c[2]], x[c[3]])) / (2 * square);
      areas.cells.push_back(area);
      areas.least = std::min(areas.least, area);
      areas.greatest = std::max(areas.greatest, area);
    }
  return areas;
}

/// The cells as polygons, with the source at their nodes before they moved.
io::PolyData grid_of(Nodes const& nodes, std::vector<PlanePoint> const& x, Values const& f, Values const& u) {
  io::PolyData grid;
  for (PlanePoint const& at : x) grid.points.push_back({at[0], at[1], 0});
  for (Index j = 0; j < nodes.n; ++j)
    for (Index i = 0; i < nodes.n; ++i) {
      auto const c = corners_of(nodes, i, j);
      grid.polygons.emplace_back(c.begin(), c.end());
    }
  grid.arrays = {{"source", f}, {"potential", u}};
  return grid;
}

io::PolyData closed_line(std::vector<PlanePoint> const& curve) {
  io::PolyData line;
  std::vector<Vec<double, 3>> points;
  for (std::size_t i = 0; i <= curve.size(); ++i)
    points.push_back({curve[i % curve.size()][0], curve[i % curve.size()][1], 0});
  line.add_line(points);
  return line;
}

/// The grid's lines in grey, the curve in red.
io::Image picture_of(Nodes const& nodes, std::vector<PlanePoint> const& x, io::PolyData const& curve, int size) {
  io::PolyData lines;
  for (PlanePoint const& at : x) lines.points.push_back({at[0], at[1], -1});  // behind the curve
  for (int axis = 0; axis < 2; ++axis)
    for (Index line = 0; line <= nodes.n; ++line) {
      lines.lines.emplace_back();
      for (Index i = 0; i <= nodes.n; ++i)
        lines.lines.back().push_back(line * nodes.stride(1 - axis) + i * nodes.stride(axis));
    }
  return io::draw({{.data = std::move(lines), .colour = {90, 90, 90}, .line_width = 0.7},
                   {.data = curve, .colour = {200, 30, 30}, .line_width = 1.2}},
                  {{}}, size);
}

void compute(Options const& o, app::RunFolder& folder) {
  Nodes const nodes{o.n};
  auto const curve = curve_of(o);
  auto const f = source_of(nodes, curve);
  double const mean = nodes.integral(f);
  auto const u = potential_of(o, nodes, f, mean, folder);

  // Areas shrink like F / (t f + F).
  double at_curve = 0;
  for (PlanePoint const& x : curve) at_curve += *nodes.at(f, x) / static_cast<double>(curve.size());
  double const t_end = (o.shrink - 1) * mean / at_curve;
  MovingGrid grid(o, nodes, f, u, mean);
  io::History history(folder.path("history.csv"), {"step", "time", "least_area", "greatest_area", "least_corner"});
  Areas areas;
  for (int step = 0; step <= o.steps; ++step) {
    if (step > 0) grid.step(t_end * (step - 1) / o.steps, t_end / o.steps);
    areas = areas_of(nodes, grid.positions());
    history.add({static_cast<double>(step), t_end * step / o.steps, areas.least, areas.greatest, areas.least_corner});
    if (!(areas.least_corner > 0))
      throw std::runtime_error(
          fmt::format("a cell is turned inside out in step {}: choose more --steps or a smaller --shrink", step));
    if (folder.stop_requested()) return folder.end_interrupted(false);
  }

  double near = 0, expected = 0;  // of the cells that the curve passes through
  Index count = 0;
  for (Index j = 0; j < nodes.n; ++j)
    for (Index i = 0; i < nodes.n; ++i) {
      double source = 0, theory = 0;
      for (std::size_t const node : corners_of(nodes, i, j)) {
        source += *nodes.at(f, grid.positions()[node]) / 4;
        theory += grid.expected_area(node, t_end) / 4;
      }
      if (source < 0.25 / nodes.spacing()) continue;
      near += areas.cells[static_cast<std::size_t>(j * nodes.n + i)];
      expected += theory;
      ++count;
    }
  auto const line = closed_line(curve);
  folder.write_poly_data("grid", grid_of(nodes, grid.positions(), f, u));
  folder.write_poly_data("curve", line);
  folder.write_picture(0, "grid_deformation", picture_of(nodes, grid.positions(), line, o.run.picture_size), true);
  folder.report("pseudo-time", t_end);
  folder.report("length of the curve", app::perimeter(curve),
                o.outline.empty() ? std::optional(std::numbers::pi * o.size) : std::nullopt);
  folder.report("cells near the curve", static_cast<double>(count));
  folder.report("their mean area over the first", near / static_cast<double>(count),
                expected / static_cast<double>(count));
  folder.report("the same by theory", expected / static_cast<double>(count));
  folder.report("least area over the first", areas.least);
  folder.report("greatest area over the first", areas.greatest);
  folder.report("least corner over the first", areas.least_corner);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Moves the nodes of a grid on the unit square towards a closed curve.\n"
               "A potential with a source along the curve drives them: laplacian(u) + a u = f - mean of f.");
  Options o;
  o.run.output_dir = "grid_deformation_output";
  app.add_option("--outline", o.outline, "CSV or SVG file of a closed line; without it a circle")
      ->check(CLI::ExistingFile);
  app.add_option("--size", o.size, "diameter of the circle, or longer side of the outline")
      ->check(CLI::Range(0.05, 0.95))
      ->capture_default_str();
  app.add_option("--degree", o.curve.degree, "of the Z-spline through the points: 1, 3 or 5")
      ->check(CLI::IsMember({1, 3, 5}))
      ->capture_default_str();
  app.add_option("--corner-angle", o.curve.corner_angle, "turns of more degrees than this stay corners")
      ->check(CLI::Range(1.0, 180.0))
      ->capture_default_str();
  app.add_option("--n", o.n, "cells along each side, a power of two [circle: 64, outline: 128]")
      ->check(CLI::Range(8, 4096));
  app::add_number(app, "--a", o.zeroth_order, -100, 9, "factor of u, less than pi^2, the least wave of the square");
  app::add_number(app, "--shrink", o.shrink, 1, 1000,
                  "factor by which areas shrink at the curve [circle: 5, outline: 2.5]");
  app.add_option("--steps", o.steps, "forward Euler steps")->check(app::at_least(1))->capture_default_str();
  app::add_output_options(app, o.run);
  app.remove_option(app.get_option("--format"));
  app::parse(app, argc, argv, [&] {
    app::set_default(app.get_option("--n"), o.n, o.outline.empty() ? 64 : 128);
    app::set_default(app.get_option("--shrink"), o.shrink, o.outline.empty() ? 5.0 : 2.5);
    if ((o.n & (o.n - 1)) != 0) throw CLI::ValidationError("--n", "must be a power of two");
    if (o.curve.degree == 1) app::refuse_useless(app, {"--corner-angle"}, "with --degree 1");
  });
  return app::run_program("grid_deformation", app, o.run, [&](app::RunFolder& folder) { compute(o, folder); });
}
