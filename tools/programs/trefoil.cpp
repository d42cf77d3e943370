// A vortex line in the form of a knot: its vector potential, its velocity, and where that carries particles.
//
// Source: Becerra-Sagredo, Mandujano, Malaga (2017), A GPU-based multi-level algorithm for boundary value problems,
// arXiv:1703.07206, section 3.3. Their r = 0.2 is in units of half of the box: in the unit box such a knot would leave
// it.

#include <chrono>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <sparse/fields/streamline.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/frame.hpp>
#include <sparse/io/pictures/scene.hpp>
#include <sparse/io/vtk/isosurface.hpp>
#include <sparse/poisson/single_grid.hpp>

#include <sparse/app/nodes/node_box.hpp>
#include <sparse/app/options/command_line.hpp>
#include <sparse/app/run/folder.hpp>

using namespace sparse;

namespace {

struct Options {
  app::RunOptions run;
  int n = 128, turns = 12;
  double radius = 0.1, strength = 1, iso = 0.02;
};

using Nodes = app::NodeBox<3>;
using Point = Vec<double, 3>;
using Values = std::vector<double>;

Point knot(double r, double t) {
  return Point{0.5, 0.5, 0.5} +
         r * Point{std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), -2 * std::sin(3 * t)};
}

/// Closed line of chords along the knot, none longer than `longest`.
std::vector<Point> line_of_knot(double r, double longest) {
  int const fine = 20000;
  double const pi = std::numbers::pi;
  Values passed = {0};
  for (int i = 1; i <= fine; ++i)
    passed.push_back(passed.back() + length(knot(r, 2 * pi * i / fine) - knot(r, 2 * pi * (i - 1) / fine)));
  auto const count = static_cast<int>(std::ceil(passed.back() / longest));
  std::vector<Point> line;
  for (int i = 0, k = 0; i < count; ++i) {
    double const at = passed.back() * i / count;
    while (passed[static_cast<std::size_t>(k) + 1] < at) ++k;
    auto const here = static_cast<std::size_t>(k);
    line.push_back(knot(r, 2 * pi * (k + (at - passed[here]) / (passed[here + 1] - passed[here])) / fine));
  }
  return line;
}

/// Vorticity of a line: each chord is a delta function in its middle.
std::vector<Values> vorticity_of(Nodes const& nodes, std::vector<Point> const& line, double strength) {
  std::vector<Values> vorticity(3, Values(static_cast<std::size_t>(nodes.count()), 0.0));
  for (std::size_t i = 0; i < line.size(); ++i) {
    Point const a = line[i], b = line[(i + 1) % line.size()];
    for (int axis = 0; axis < 3; ++axis)
      nodes.add_delta(vorticity[static_cast<std::size_t>(axis)], 0.5 * (a + b), strength * (b[axis] - a[axis]));
  }
  return vorticity;
}

/// laplacian(psi) = -vorticity. Nothing flows through the sides: there psi is normal to them, with no slope.
Values potential_of(Nodes const& nodes, Values vorticity, int axis, app::RunFolder& folder) {
  for (double& value : vorticity) value = -value;
  poisson::SingleGridOptions<3> options;
  for (std::size_t side : {0, 1}) options.sides[2 * static_cast<std::size_t>(axis) + side] = poisson::NodeSide::neumann;
  options.stop = {1e-14, 60};
  options.accumulates_residual = true;
  poisson::SingleGrid<double, 3> solver(nodes.set(), nodes.spacing(), options);
  auto psi = app::field_of(nodes, "psi", Values(vorticity.size(), 0.0));
  auto const report = solver.solve(app::field_of(nodes, "source", vorticity), psi);
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("potential {} did not converge: {} with a residual of {:.3g}", axis,
                                         poisson::name_of(report.reason), report.residuals.back()));
  folder.report(fmt::format("cycles for potential {}", "xyz"[axis]), report.iterations);
  return to_host(psi);
}

/// The curl of the potential. On each side that a difference crosses, the potential changes its sign.
std::vector<Values> curl_of(Nodes const& nodes, std::vector<Values> const& psi) {
  std::vector<Values> velocity;
  for (int axis = 0; axis < 3; ++axis) {
    int const next = (axis + 1) % 3, last = (axis + 2) % 3;
    auto v = nodes.derivative(psi[static_cast<std::size_t>(last)], next, app::Beyond::odd);
    auto const other = nodes.derivative(psi[static_cast<std::size_t>(next)], last, app::Beyond::odd);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= other[i];
    velocity.push_back(std::move(v));
  }
  return velocity;
}

double greatest_divergence(Nodes const& nodes, std::vector<Values> const& velocity) {
  Values sum(velocity[0].size(), 0.0);
  for (int axis = 0; axis < 3; ++axis) {
    auto const part = nodes.derivative(velocity[static_cast<std::size_t>(axis)], axis, app::Beyond::odd);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  double greatest = 0;
  for (double const value : sum) greatest = std::max(greatest, std::abs(value));
  return greatest;
}

/// The integral of velocity along a circle around the knot at parameter t.
double circulation(Nodes const& nodes, std::vector<Values> const& velocity, double r, double t, double loop_radius) {
  Point const at = knot(r, t), ahead = knot(r, t + 1e-5) - knot(r, t - 1e-5);
  Point const tangent = (1 / length(ahead)) * ahead;
  Point across = cross(tangent, std::abs(tangent[2]) < 0.7 ? Point{0, 0, 1} : Point{1, 0, 0});
  across *= 1 / length(across);
  Point const other = cross(tangent, across);
  int const count = 400;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    double const angle = 2 * std::numbers::pi * i / count;
    Point const out = std::cos(angle) * across + std::sin(angle) * other;
    Point const along = std::cos(angle) * other - std::sin(angle) * across;
    sum += dot(*app::vector_at(nodes, velocity, at + loop_radius * out), along);
  }
  return sum * 2 * std::numbers::pi * loop_radius / count;
}

/// A streamline with the speed along it.
io::PolyData path_from(Nodes const& nodes, std::vector<Values> const& velocity, Point const& start, double path_length,
                       double scale) {
  auto const at = [&](Point const& x) { return app::vector_at(nodes, velocity, x); };
  double const step = 0.25 * nodes.spacing();
  io::PolyData path;
  path.add_line(streamline<3>(at, start, step, static_cast<int>(path_length / step)));
  Values speed;
  for (Point const& x : path.points) speed.push_back(length(*at(x)) / scale);
  path.arrays = {{"speed", std::move(speed)}};
  return path;
}

void compute(Options const& o, app::RunFolder& folder) {
  Nodes const nodes{o.n};
  double const h = nodes.spacing();
  auto const line = line_of_knot(o.radius, 0.5 * h);
  auto vorticity = vorticity_of(nodes, line, o.strength);
  std::vector<Values> psi;
  auto const begin = std::chrono::steady_clock::now();
  for (int axis = 0; axis < 3; ++axis) {
    if (folder.stop_requested()) return folder.end_interrupted(false);
    psi.push_back(potential_of(nodes, std::move(vorticity[static_cast<std::size_t>(axis)]), axis, folder));
  }
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  auto const velocity = curl_of(nodes, psi);
  psi.clear();

  Values speed(velocity[0].size());
  double greatest = 0;
  for (std::size_t i = 0; i < speed.size(); ++i) {
    speed[i] = length(Point{velocity[0][i], velocity[1][i], velocity[2][i]});
    greatest = std::max(greatest, speed[i]);
  }
  folder.report("seconds for the potentials", seconds);
  folder.report("divergence x spacing / speed", greatest_divergence(nodes, velocity) * h / greatest, 0);
  // Loops that are wide against the spacing, and narrow against the distance of the knot's strands, 1.4 radii.
  int const loops = 48;
  double mean = 0, worst = 0;
  io::History history(folder.path("history.csv"), {"parameter", "circulation"});
  for (int i = 0; i < loops; ++i) {
    double const t = 2 * std::numbers::pi * i / loops;
    double const found = circulation(nodes, velocity, o.radius, t, 0.6 * o.radius) / o.strength;
    history.add({t, found});
    mean += found / loops;
    worst = std::max(worst, std::abs(found - 1));
  }
  folder.report("circulation / strength, mean", mean, 1);
  folder.report("greatest deviation from 1", worst, 0);

  for (double& value : speed) value /= greatest;
  Point const beside{0, 0, 3 * h};
  double const knot_length = length(line[1] - line[0]) * static_cast<double>(line.size());
  auto trapped = path_from(nodes, velocity, knot(o.radius, 0) + beside, o.turns * knot_length, greatest);
  auto orbit = path_from(nodes, velocity, {0.5, 0.5, 0.5 + 2 * o.radius}, o.turns * knot_length, greatest);
  auto surface = io::isosurface({o.n + 1, o.n + 1, o.n + 1}, {Point::filled(0), Point::filled(h)}, speed, o.iso);
  folder.write_poly_data("trapped", trapped);
  folder.write_poly_data("orbit", orbit);
  folder.write_poly_data("surface", surface);

  std::array<double, 2> const range = {0, 0.3};
  std::vector<io::SceneObject> const objects = {
      {.data = io::box_edges(Point::filled(0), Point::filled(1)), .colour = {170, 170, 170}, .line_width = 1},
      {.data = std::move(surface), .colour = {150, 150, 150}, .opacity = 0.18},
      {.data = std::move(orbit), .line_width = 1.6, .array = "speed", .range = range},
      {.data = std::move(trapped), .line_width = 1.6, .array = "speed", .range = range}};
  int const size = std::max(64, o.run.picture_size / 2);
  auto const picture = io::draw(objects, {{{0.2, -1, 0.25}, {0, 0, 1}}, {{0.05, 0.1, 1}, {0, 1, 0}}}, size);
  folder.write_picture(
      0, "trefoil",
      io::framed(picture, {.title = "Streamlines around a vortex knot",
                           .bar = io::ColourBar{io::ColourMap::viridis, range, "speed / greatest speed"}}),
      true);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The flow around a vortex line in the form of a trefoil knot, in the unit cube.\n"
               "Prints the circulation around the line, and draws one streamline that is trapped and one that orbits.");
  Options o;
  o.run.output_dir = "trefoil_output";
  app.add_option("--n", o.n, "cells along each side, a power of two; 256 takes about 2 GB")
      ->check(CLI::Range(32, 512))
      ->capture_default_str();
  app.add_option("--radius", o.radius, "of the knot: it is 6 of them wide")
      ->check(CLI::Range(0.05, 0.16))
      ->capture_default_str();
  app.add_option("--strength", o.strength, "circulation around the line")
      ->check(app::positive())
      ->capture_default_str();
  app.add_option("--iso", o.iso, "speed on the surface, over the greatest speed")
      ->check(CLI::Range(1e-4, 0.999))
      ->capture_default_str();
  app.add_option("--turns", o.turns, "length of the streamlines, over the knot's")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app::add_output_options(app, o.run);
  app.remove_option(app.get_option("--format"));
  app::parse(app, argc, argv, [&] {
    if ((o.n & (o.n - 1)) != 0) throw CLI::ValidationError("--n", "must be a power of two");
  });
  return app::run_program("trefoil", app, o.run, [&](app::RunFolder& folder) { compute(o, folder); });
}
