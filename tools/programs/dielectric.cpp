// The electric potential between two plates with a ball of another conductivity between them.
//
// Source: Becerra-Sagredo, Mandujano, Malaga (2017), A GPU-based multi-level algorithm for boundary value problems,
// arXiv:1703.07206, section 3.4.

#include <cmath>
#include <stdexcept>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/streamline.hpp>
#include <sparse/fields/subview.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/frame.hpp>
#include <sparse/io/pictures/scene.hpp>
#include <sparse/io/vtk/isosurface.hpp>
#include <sparse/poisson/single_grid.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/sets/faces.hpp>

#include <sparse/app/nodes/node_box.hpp>
#include <sparse/app/options/command_line.hpp>
#include <sparse/app/run/folder.hpp>

using namespace sparse;

namespace {

struct Options {
  app::RunOptions run;
  int n = 128, lines = 9;
  bool is_ball_higher = false;
};

using Nodes = app::NodeBox<3>;
using Point = Vec<double, 3>;
using Values = std::vector<double>;

/// The conductivity, eq. 16 of the paper.
double conductivity(Options const& o, Point const& x) {
  double const r = length(x - Point{0.5, 0.5, 0.5});
  return 0.55 + (o.is_ball_higher ? -0.45 : 0.45) * std::tanh((r - 0.2) / 0.1);
}

/// The potential by the single-grid method, -1 at the lower plate and 1 at the upper one.
Values solve_on_single_grid(Nodes const& nodes, Values const& s, poisson::NodeStencil stencil, io::History* history,
                            app::RunFolder& folder) {
  poisson::SingleGridOptions<3> options;
  options.stencil = stencil;
  options.stop = {1e-14, 200};
  options.accumulates_residual = true;
  for (std::size_t side = 0; side < 4; ++side) options.sides[side] = poisson::NodeSide::neumann;
  auto const conductivity = app::field_of(nodes, "conductivity", s);
  poisson::SingleGrid<double, 3> solver(nodes.set(), nodes.spacing(), options, conductivity);
  auto const zero = app::field_of(nodes, "source", Values(s.size(), 0.0));
  auto u = app::field_of(nodes, "potential", nodes.values_of([](Point const& x) { return 2 * x[2] - 1; }));
  auto const report = solver.solve(zero, u);
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("the potential did not converge: {} with a residual of {:.3g}",
                                         poisson::name_of(report.reason), report.residuals.back()));
  if (history != nullptr) {
    for (std::size_t i = 0; i < report.residuals.size(); ++i)
      history->add({static_cast<double>(i), report.residuals[i]});
    folder.report("cycles", report.iterations);
  }
  return to_host(u);
}

/// The part of the area around the middle of the edge from a node along `axis` that is in the box, in squares of the
/// spacing.
double part_of_area(Nodes const& nodes, Index node, int axis) {
  double part = 1;
  for (int other = 0; other < 3; ++other) {
    Coord const i = nodes.coordinate(node, other);
    if (other != axis && (i == 0 || i == nodes.n)) part *= 0.5;
  }
  return part;
}

/// The same equations as those of the single-grid method with neighbours along the axes, by multigrid: the cells are
/// the nodes between the plates. Faces have the conductivity in their middle, and at the sides the part of their area
/// in the box. The plates are half a cell nearer for this solver, so their faces have half the conductivity.
Values solve_by_multigrid(Nodes const& nodes, Values const& s, app::RunFolder& folder) {
  poisson::Problem<3> problem;
  problem.cells = box<3>({0, 0, 1}, {nodes.n + 1, nodes.n + 1, nodes.n});
  problem.grid = nodes.cell_grid();
  auto const plate = [&](FaceSide side) { return boundary_faces(problem.cells, 2, side); };
  auto const lower = plate(FaceSide::lower), upper = plate(FaceSide::upper);
  problem.dirichlet[2] = lower | upper;
  for (int axis = 0; axis < 3; ++axis) {
    auto end = Vec<Coord, 3>::filled(nodes.n + 1);
    auto begin = Vec<Coord, 3>::filled(0);
    begin[2] = 1;  // face i lies between nodes i - 1 and i
    if (axis != 2) begin[axis] = 1, end[2] = nodes.n;
    auto const faces = box<3>(begin, end);
    Values coefficients;
    faces.to_host().for_each_cell([&](Vec<Coord, 3> const& face, Index) {
      Index node = 0;
      for (int a = 0; a < 3; ++a) node += face[a] * nodes.stride(a);
      auto const below = static_cast<std::size_t>(node - nodes.stride(axis));
      bool const is_plate = axis == 2 && (face[2] == 1 || face[2] == nodes.n);
      coefficients.push_back(0.5 * (s[below] + s[static_cast<std::size_t>(node)]) * part_of_area(nodes, node, axis) *
                             (is_plate ? 0.5 : 1));
    });
    problem.face_coefficient[static_cast<std::size_t>(axis)] =
        std::make_shared<Field<double, 3> const>(app::field_on(faces, "conductivity", coefficients));
  }
  poisson::Solver<double, 3> solver(problem, poisson::MultigridCg{}, {1e-12, 100});
  Field<double, 3> source("source", problem.cells, 0.0), u("potential", problem.cells, 0.0);
  Field<double, 3> given("given", problem.dirichlet[2], -1.0);
  fill(view(given, upper), 1);
  solver.matrix().add_boundary_values(source, 2, given);
  auto const report = solver.solve(source, u);
  if (!report.has_converged())
    throw std::runtime_error(std::string("multigrid did not converge: ") + poisson::name_of(report.reason));
  folder.report("iterations of multigrid-PCG", report.iterations);

  auto values = nodes.values_of([](Point const& x) { return x[2] < 0.5 ? -1.0 : 1.0; });
  auto const inside = to_host(u);
  std::copy(inside.begin(), inside.end(), values.begin() + static_cast<std::ptrdiff_t>(nodes.stride(2)));
  return values;
}

/// What flows between the layers of nodes k and k + 1, by differences along the axes.
double flux_between(Nodes const& nodes, Values const& s, Values const& u, Index k) {
  double sum = 0;
  for (Index i = 0; i < nodes.stride(2); ++i) {
    Index const node = k * nodes.stride(2) + i;
    auto const below = static_cast<std::size_t>(node), above = static_cast<std::size_t>(node + nodes.stride(2));
    sum += 0.5 * (s[below] + s[above]) * (u[above] - u[below]) * part_of_area(nodes, node, 2);
  }
  return sum * nodes.spacing();
}

/// The same by radial differences: node (x, y, k) and the nine nodes above, mirrored at the sides.
double radial_flux_between(Nodes const& nodes, Values const& s, Values const& u, Index k) {
  double sum = 0;
  for (Index i = 0; i < nodes.stride(2); ++i) {
    Index const node = k * nodes.stride(2) + i;
    double part = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        Index const x = std::abs(nodes.coordinate(node, 0) + dx), y = std::abs(nodes.coordinate(node, 1) + dy);
        Index const last = nodes.n, mirrored_x = x > last ? 2 * last - x : x, mirrored_y = y > last ? 2 * last - y : y;
        auto const here = static_cast<std::size_t>(node);
        auto const other =
            static_cast<std::size_t>(mirrored_x + mirrored_y * nodes.stride(1) + (k + 1) * nodes.stride(2));
        part += 0.5 * (s[here] + s[other]) * (u[other] - u[here]) / (1 + std::abs(dx) + std::abs(dy));
      }
    sum += 3.0 / 13 * part * part_of_area(nodes, node, 2);
  }
  return sum * nodes.spacing();
}

/// Field lines from points of a plate, evenly spaced, with the strength of the field along them.
io::PolyData field_lines(Options const& o, Nodes const& nodes, Values const& u) {
  std::vector<Values> field;
  for (int axis = 0; axis < 3; ++axis)
    field.push_back(nodes.derivative(u, axis, axis == 2 ? app::Beyond::one_side : app::Beyond::even));
  auto const at = [&](Point const& x) { return app::vector_at(nodes, field, x); };
  io::PolyData lines;
  for (int j = 0; j < o.lines; ++j)
    for (int i = 0; i < o.lines; ++i) {
      Point const start = {(i + 0.5) / o.lines, (j + 0.5) / o.lines, 0};
      lines.add_line(streamline<3>(at, start, 0.5 * nodes.spacing(), 8 * nodes.n));
    }
  Values strength;
  for (Point const& x : lines.points) strength.push_back(length(*at(x)));
  lines.arrays = {{"field", std::move(strength)}};
  return lines;
}

void compute(Options const& o, app::RunFolder& folder) {
  Nodes const nodes{o.n};
  auto const s = nodes.values_of([&](Point const& x) { return conductivity(o, x); });
  io::History history(folder.path("history.csv"), {"cycle", "residual"});
  auto const u = solve_on_single_grid(nodes, s, poisson::NodeStencil::radial, &history, folder);
  if (folder.stop_requested()) return folder.end_interrupted(false);
  double const in = radial_flux_between(nodes, s, u, 0), out = radial_flux_between(nodes, s, u, nodes.n - 1);
  folder.report("flux at the lower plate", in);
  folder.report("flux at the upper plate", out, in);
  folder.report("their difference over the flux", std::abs(out - in) / in, 0);

  auto const by_axes = solve_on_single_grid(nodes, s, poisson::NodeStencil::axes, nullptr, folder);
  auto const by_multigrid = solve_by_multigrid(nodes, s, folder);
  double apart = 0, stencils_apart = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    apart = std::max(apart, std::abs(by_axes[i] - by_multigrid[i]));
    stencils_apart = std::max(stencils_apart, std::abs(by_axes[i] - u[i]));
  }
  folder.report("flux with 7 points", flux_between(nodes, s, by_axes, 0), in);
  folder.report("single grid less multigrid-PCG", apart, 0);
  folder.report("27 points less 7 points", stencils_apart, 0);

  auto lines = field_lines(o, nodes, u);
  folder.write_poly_data("field_lines", lines);
  Point const zero = Point::filled(0), one = Point::filled(1);
  auto const [least, greatest] = std::minmax_element(lines.arrays[0].values.begin(), lines.arrays[0].values.end());
  std::array<double, 2> const range = {*least, *greatest};
  std::vector<io::SceneObject> objects = {
      {.data = io::box_edges(zero, one), .colour = {170, 170, 170}, .line_width = 1},
      {.data = std::move(lines), .line_width = 2, .array = "field", .colours = io::ColourMap::inferno, .range = range}};
  for (int i = 1; i <= 4; ++i) {
    auto surface = io::isosurface({o.n + 1, o.n + 1, o.n + 1}, {zero, Point::filled(nodes.spacing())}, s, 0.2 * i);
    folder.write_poly_data(fmt::format("conductivity_0.{}", 2 * i), surface);
    objects.push_back({.data = std::move(surface), .colour = {90, 130, 190}, .opacity = 0.15});
  }
  auto const picture = io::draw(objects, {{{0.4, -1, 0.3}, {0, 0, 1}}}, o.run.picture_size);
  folder.write_picture(0, "dielectric",
                       io::framed(picture, {.title = fmt::format("Field lines, conductivity 0.2 to 0.8 {} in the ball",
                                                                 o.is_ball_higher ? "higher" : "lower"),
                                            .bar = io::ColourBar{io::ColourMap::inferno, range, "|grad u|"}}),
                       true);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "The potential between a plate at -1 and one at 1, around a ball of other conductivity, in the unit cube:\n"
      "div(s grad u) = 0 with s = 0.55 +- 0.45 tanh((r - 0.2) / 0.1). Nothing flows through the other sides.");
  Options o;
  o.run.output_dir = "dielectric_output";
  app.add_option("--n", o.n, "cells along each side, a power of two")
      ->check(CLI::Range(16, 512))
      ->capture_default_str();
  app::add_choice<bool>(app, "--ball", o.is_ball_higher, {{"higher", true}, {"lower", false}},
                        "its conductivity, against the rest");
  app.add_option("--lines", o.lines, "field lines along each side of the lower plate")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app::add_output_options(app, o.run);
  app.remove_option(app.get_option("--format"));
  app::parse(app, argc, argv, [&] {
    if ((o.n & (o.n - 1)) != 0) throw CLI::ValidationError("--n", "must be a power of two");
  });
  return app::run_program("dielectric", app, o.run, [&](app::RunFolder& folder) { compute(o, folder); });
}
