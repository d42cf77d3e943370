#include <sparse/app/cases/flow_levels.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/shapes/bodies.hpp>

#include <sparse/app/cases/flow_scene.hpp>

#include "case_inks.hpp"
#include "case_results.hpp"
#include "domain_sides.hpp"

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;

bool is_wall_kind(BoundaryKind kind) { return kind == BoundaryKind::wall || kind == BoundaryKind::no_slip; }

/// @throws std::runtime_error  naming what levels cannot do yet
void expect_possible(FlowCase const& c) {
  auto const refuse = [](bool is_there, std::string const& what) {
    if (is_there) throw std::runtime_error("--amr-levels: " + what);
  };
  refuse(c.flow.has_fine_ink(), "ink-supersampling and ink-speed are for one level");
  refuse(!c.measured_walls.empty(), "the shear rate along walls is measured on one level only");
  refuse(c.pads_thin, "pad_thin is for one level");
  for (std::size_t i = 0; i < c.obstacles.size(); ++i)
    refuse(c.obstacles[i].velocity != Triple{}, fmt::format("the surface of obstacle {} must be at rest", i + 1));
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    auto const& b = c.boundaries[i];
    bool const gives_heat = b.temperature || b.heat_flux, is_wall = is_wall_kind(b.kind);
    refuse(gives_heat && !is_wall, fmt::format("boundary {} gives heat, so it must be a wall", i + 1));
    bool const is_moving_part = b.kind == BoundaryKind::no_slip && !b.range.empty() && b.velocity != Triple{};
    refuse(is_moving_part, fmt::format("boundary {} is a part of a side, which must be at rest", i + 1));
    for (std::size_t k = 0; is_wall && !b.range.empty() && k < i; ++k) {  // a side has one velocity
      auto const& side = c.boundaries[k];
      if (side.axis == b.axis && side.side == b.side && side.range.empty())
        refuse(side.velocity != Triple{}, fmt::format("boundary {} is a wall in a part of a side that moves", i + 1));
    }
    auto along = b.velocity;
    along[static_cast<std::size_t>(b.axis)] = 0;
    refuse(b.kind == BoundaryKind::inflow && along != Triple{},
           fmt::format("boundary {} must have a velocity normal to its side", i + 1));
  }
}

/// The velocity normal to a side at a point of an inflow. Where boundaries share faces, the last one counts.
template <int Dim>
std::function<double(Vec<double, Dim> const&)> inflow_of(FlowCase const& c) {
  struct Part {
    int axis;
    double place, velocity, rounding;
    std::array<std::array<double, 2>, Dim> ranges, of_faces;  // of the boundary, and of its faces of level 0
    bool is_parabola;
  };
  std::vector<Part> parts;
  for (auto const& b : c.boundaries) {
    if (b.kind != BoundaryKind::inflow) continue;
    auto const normal = static_cast<std::size_t>(b.axis);
    double const place = b.side == FaceSide::lower ? 0 : c.size[normal];
    Part part{b.axis, place, b.velocity[normal], 1e-9 * c.size[normal], {}, {}, b.is_parabola};
    auto const faces = faces_of<Dim>(c, b);
    auto const spacing = grid_of<Dim>(c).spacing;
    for (int axis = 0; axis < Dim; ++axis) {
      if (axis == b.axis) continue;
      auto const k = static_cast<std::size_t>(axis);
      part.ranges[k] = range_along(c, b, axis);
      part.of_faces[k] = {faces.begin[axis] * spacing[axis], faces.end[axis] * spacing[axis]};
    }
    parts.push_back(part);
  }
  return [parts](Vec<double, Dim> const& x) {
    double velocity = 0;
    for (auto const& part : parts) {
      bool has = std::abs(x[part.axis] - part.place) <= part.rounding;
      double product = part.velocity;
      for (int axis = 0; axis < Dim; ++axis) {
        if (axis == part.axis) continue;
        auto const [first, end] = part.of_faces[static_cast<std::size_t>(axis)];
        has = has && x[axis] > first && x[axis] < end;
        auto const [from, to] = part.ranges[static_cast<std::size_t>(axis)];
        double const along = std::clamp((x[axis] - from) / (to - from), 0.0, 1.0);
        if (part.is_parabola) product *= 4 * along * (1 - along);
      }
      if (has) velocity = product;
    }
    return velocity;
  };
}

}  // namespace

CaseBox finest_box(FlowCase const& c) { return finest_box(c, c.flow.run.level_count); }

namespace {

/// @throws std::runtime_error  naming a boundary behind obstacles
template <int Dim>
void expect_faces(FlowCase const& c, amr::Domain<Dim> const& domain) {
  int const finest = domain.level_count() - 1;
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    auto const& b = c.boundaries[i];
    if (b.kind == BoundaryKind::periodic) continue;
    auto faces = faces_of<Dim>(c, b);
    for (int axis = 0; axis < Dim; ++axis) {
      faces.begin[axis] <<= finest;
      faces.end[axis] = axis == b.axis ? faces.begin[axis] + 1 : faces.end[axis] << finest;
    }
    auto const beside_fluid = boundary_faces(domain.fluid(finest), b.axis, b.side);
    if ((beside_fluid & sparse::box<Dim>(faces.begin, faces.end)).is_empty())
      throw std::runtime_error(fmt::format("boundary {} has no faces beside fluid", i + 1));
  }
}

template <int Dim>
amr::Domain<Dim> domain_with(FlowCase const& c, std::vector<Body<Dim>> bodies) {
  expect_possible(c);
  amr::DomainOptions<Dim> options;
  options.cells = box_of<Dim>(c).end;
  options.grid = grid_of<Dim>(c);
  options.level_count = c.flow.run.level_count;
  add_sides(
      c, [](CaseBoundary const& b) { return b.kind; }, options);
  options.bodies = std::move(bodies);
  amr::Domain<Dim> domain(options);
  expect_faces(c, domain);
  return domain;
}

}  // namespace

template <int Dim>
amr::Domain<Dim> domain_on_levels(FlowCase const& c, std::vector<IntervalSet<Dim>> const& cells) {
  expects(cells.size() == c.obstacles.size(), "domain_on_levels: there must be cells for each obstacle");
  std::vector<Body<Dim>> bodies;
  for (std::size_t i = 0; i < cells.size(); ++i)
    bodies.push_back(body_from_cells<Dim>(fmt::format("obstacle {}", i + 1), cells[i], c.obstacles[i].kind));
  return domain_with<Dim>(c, std::move(bodies));
}

template <int Dim>
amr::Domain<Dim> domain_on_levels(FlowCase const& c) {
  expect_possible(c);
  if (!c.flow.has_curved_walls) return domain_on_levels<Dim>(c, bodies_of<Dim>(c, finest_box(c)));
  auto const domain = domain_with<Dim>(c, curved_bodies<Dim>(c));
  IntervalSet<Dim> taken;
  for (int i = 0; i < domain.body_count(); ++i) {
    auto const own = domain.body(domain.body_level(), i) - taken;
    if (own.is_empty())
      throw std::runtime_error(fmt::format("obstacle {} has no cells in the box that are its own", i + 1));
    taken = taken | own;
  }
  return domain;
}

std::vector<HeatWall> heat_walls_of(FlowCase const& c) {
  std::size_t const temperature = colours_of(c).size();
  std::vector<HeatWall> walls;
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    auto const& b = c.boundaries[i];
    auto const is_of_side = [&](HeatWall const& one) {
      return !one.wall.body && one.wall.axis == b.axis && one.wall.side == b.side;
    };
    if (b.range.empty()) std::erase_if(walls, is_of_side);
    bool const gives_heat = b.temperature || b.heat_flux;
    // A wall without heat takes its part of one with heat.
    if (!gives_heat && (!is_wall_kind(b.kind) || std::none_of(walls.begin(), walls.end(), is_of_side))) continue;
    InkWall wall{temperature, b.axis, b.side, b.temperature, b.heat_flux.value_or(0)};
    for (int axis = 0; !b.range.empty() && axis < c.dim; ++axis)
      if (axis != b.axis) wall.part[static_cast<std::size_t>(axis)] = range_along(c, b, axis);
    walls.push_back({wall, gives_heat ? name_of(b, i) : ""});
  }
  for (std::size_t i = 0; i < c.obstacles.size(); ++i)
    if (auto const& o = c.obstacles[i]; o.temperature || o.heat_flux)
      walls.push_back({{temperature, 0, FaceSide::lower, o.temperature, o.heat_flux.value_or(0), static_cast<int>(i)},
                       fmt::format("obstacle_{}", i + 1)});
  return walls;
}

template <int Dim>
AdaptiveOptions<Dim> options_on_levels(FlowCase const& c) {
  expect_possible(c);
  AdaptiveOptions<Dim> options;
  options.viscosity = c.viscosity();
  options.curved_walls = c.flow.has_curved_walls;
  options.upstream = c.flow.upstream;
  options.regrid_stride = c.flow.run.regrid_stride;
  options.safety = c.flow.safety;
  options.stop.tolerance = c.flow.tolerance;
  options.criteria.reserve(3 + c.inks.size());  // g++ 12 sees variants without a value where they would move
  options.criteria.emplace_back(incompressible::vorticity(c.flow.run.refine_threshold * c.velocity));
  if (!c.obstacles.empty()) options.criteria.emplace_back(near_surface(0.2 * c.length));
  options.acceleration = vec_of<Dim>(c.gravity);
  auto const colours = colours_of(c);
  auto const names = names_of_carried(c);
  for (std::size_t k = 0; k < colours.size(); ++k) {
    options.inks.push_back({.name = names[k], .inflow = 0});
    options.criteria.emplace_back(ink_change(k, c.flow.run.refine_threshold));
  }
  auto const finest = finest_box(c);
  for (CaseInk const& ink : c.inks) {
    auto const cells = cells_of<Dim>(finest, ink.shape);
    options.ink_sources.push_back({colour_number(colours, ink.colour), cells, 1, ink.until});
    if (ink.jet) options.jets.push_back({cells, vec_of<Dim>(*ink.jet), ink.until});
  }
  std::size_t const temperature = colours.size();
  if (c.has_temperature()) {
    auto const [least, greatest] = temperatures_of(c);
    double const difference = greatest > least ? greatest - least : 1;
    options.inks.push_back({names.back(), c.diffusivity()});
    options.criteria.emplace_back(ink_change(temperature, c.flow.run.refine_threshold * difference));
    for (CaseHeat const& heat : c.heats)
      options.ink_sources.push_back({temperature, cells_of<Dim>(finest, heat.shape), heat.strength,
                                     std::numeric_limits<double>::infinity(), SourceKind::adds});
    options.buoyancy = {{temperature, c.ra ? Vec<double, Dim>::along(1, 1) : -c.beta * vec_of<Dim>(c.gravity)}};
  }
  for (auto const& b : c.boundaries) {
    if (b.range.empty())  // in place of what an earlier boundary says of the side
      options.walls[b.axis][b.side == FaceSide::lower ? 0 : 1] = {};
    if (b.kind == BoundaryKind::no_slip && b.range.empty())
      options.walls[b.axis][b.side == FaceSide::lower ? 0 : 1] = vec_of<Dim>(b.velocity);
    if (b.kind == BoundaryKind::inflow) options.inflow_profile = inflow_of<Dim>(c);
  }
  for (auto& [wall, name] : heat_walls_of(c)) options.ink_walls.push_back(wall);
  return options;
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template amr::Domain<Dim> domain_on_levels(FlowCase const&);                                                         \
  template amr::Domain<Dim> domain_on_levels(FlowCase const&, std::vector<IntervalSet<Dim>> const&);                   \
  template AdaptiveOptions<Dim> options_on_levels(FlowCase const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::app
