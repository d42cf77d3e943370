#include <sparse/app/cases/flow_scene.hpp>

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/fields/pad_thin.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/shapes/shapes.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/curved_body.hpp>

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;

/// A profile of the inflow: 1 in the middle of a part of a side, 0 at its ends.
template <int Dim>
std::function<double(Vec<double, Dim> const&)> parabola(FlowCase const& c, CaseBoundary const& boundary) {
  double const speed = boundary.velocity[static_cast<std::size_t>(boundary.axis)];
  std::array<std::array<double, 2>, Dim> ranges = {};
  for (int axis = 0; axis < Dim; ++axis)
    if (axis != boundary.axis) ranges[static_cast<std::size_t>(axis)] = range_along(c, boundary, axis);
  return [ranges, speed, normal = boundary.axis](Vec<double, Dim> const& x) {
    double product = speed;
    for (int axis = 0; axis < Dim; ++axis) {
      if (axis == normal) continue;
      auto const [from, to] = ranges[static_cast<std::size_t>(axis)];
      double const part = (x[axis] - from) / (to - from);
      product *= 4 * part * (1 - part);
    }
    return product;
  };
}

template <int Dim>
void add_boundaries(FlowCase const& c, FlowDomain<Dim>& domain) {
  FaceSets<Dim> taken;
  auto& parts = domain.parts;
  for (std::size_t i = c.boundaries.size(); i-- > 0;) {
    CaseBoundary const& boundary = c.boundaries[i];
    BoundaryPart<Dim> part;
    if (boundary.kind != BoundaryKind::periodic) {
      part.kind = boundary.kind;
      part.velocity = vec_of<Dim>(boundary.velocity);
      part.temperature = boundary.temperature;
      part.heat_flux = boundary.heat_flux;
      if (boundary.is_parabola) part.profile = parabola<Dim>(c, boundary);
      auto const side = faces_of<Dim>(c, boundary);
      auto const faces =
          boundary_faces(domain.fluid, boundary.axis, boundary.side) & sparse::box<Dim>(side.begin, side.end);
      if (faces.is_empty()) throw std::runtime_error(fmt::format("boundary {} has no faces beside fluid", i + 1));
      part.faces[boundary.axis] = faces - taken[boundary.axis];
      taken[boundary.axis] = taken[boundary.axis] | faces;
    } else {
      domain.period[boundary.axis] = c.cells[static_cast<std::size_t>(boundary.axis)];
    }
    parts.insert(parts.begin(), std::move(part));
  }
}

}  // namespace

template <int Dim>
std::vector<Body<Dim>> curved_bodies(FlowCase const& c) {
  if (c.obstacles.empty()) throw std::runtime_error("--surfaces curved: there is no obstacle");
  if (c.pads_thin) throw std::runtime_error("--surfaces curved: pad_thin is for obstacles made of cells");
  std::vector<Body<Dim>> bodies;
  for (auto const& obstacle : c.obstacles) {
    std::string const which = fmt::format("--surfaces curved: obstacle {}", bodies.size() + 1);
    auto const body = curved_body<Dim>(obstacle.shape, c.folder, obstacle.kind);
    if (!body) throw std::runtime_error(which + " must be a box, ball, ellipsoid, capsule, polygon or STL file");
    if (obstacle.kind != BoundaryKind::no_slip || obstacle.velocity != Triple{})
      throw std::runtime_error(which + " must be a wall at rest that fluid sticks to");
    bodies.push_back(*body);
    bodies.back().name = fmt::format("obstacle {}", bodies.size());
  }
  return bodies;
}

namespace {

/// Removes the obstacles from the fluid along their true surfaces, not by cells.
template <int Dim>
void cut_fluid(FlowCase const& c, IntervalSet<Dim> const& all, FlowDomain<Dim>& domain, BodyNumber<Dim>& nearest) {
  auto const bodies = curved_bodies<Dim>(c);
  Vec<Coord, Dim> period{};
  Vec<double, Dim> length{};
  for (auto const& boundary : c.boundaries) {
    if (boundary.kind != BoundaryKind::periodic) continue;
    auto const axis = static_cast<std::size_t>(boundary.axis);
    period[boundary.axis] = c.cells[axis];
    length[boundary.axis] = c.size[axis];
  }
  domain.distance = distance_to(bodies, length);
  nearest = nearest_of(bodies, length);
  std::vector<WallHeat> heats;
  for (auto const& obstacle : c.obstacles) heats.push_back({obstacle.temperature, obstacle.heat_flux});
  domain.wall_heat = [heats, of = nearest](Vec<double, Dim> const& x) { return heats[of(x)]; };
  domain.fluid = open_cells(all, domain.grid, domain.distance, period);
}

}  // namespace

template <int Dim>
std::vector<IntervalSet<Dim>> bodies_of(FlowCase const& c) {
  return bodies_of<Dim>(c, c);
}

template <int Dim>
std::vector<IntervalSet<Dim>> bodies_of(FlowCase const& c, CaseBox const& cells) {
  auto const box = box_of<Dim>(cells);
  auto fluid = sparse::box<Dim>(box.begin, box.end);
  std::vector<IntervalSet<Dim>> bodies;
  for (auto const& obstacle : c.obstacles) {
    bodies.push_back(cells_of<Dim>(cells, obstacle.shape) & fluid);
    if (bodies.back().is_empty())
      throw std::runtime_error(fmt::format("obstacle {} has no cells in the box that are its own", bodies.size()));
    fluid = fluid - bodies.back();
  }
  return bodies;
}

template <int Dim>
FlowScene<Dim> scene_of(FlowCase const& c) {
  return scene_of<Dim>(c, bodies_of<Dim>(c));
}

template <int Dim>
FlowScene<Dim> scene_of(FlowCase const& c, std::vector<IntervalSet<Dim>> bodies) {
  expects(bodies.size() == c.obstacles.size(), "scene_of: there must be cells for each obstacle");
  FlowScene<Dim> scene;
  scene.grid = grid_of<Dim>(c);
  auto const box = box_of<Dim>(c);
  auto& fluid = scene.domain.fluid;
  fluid = sparse::box<Dim>(box.begin, box.end);
  scene.domain.grid = scene.grid;
  for (auto const& body : bodies) fluid = fluid - body;
  for (auto& body : bodies) {
    if (c.pads_thin) {
      auto const padded = pad_thin(body, fluid);
      body = padded.solid;
      scene.padded_count += padded.added_count;
      fluid = fluid - body;
    }
    scene.solid = scene.solid | body;
  }
  if (c.flow.has_curved_walls) cut_fluid(c, sparse::box<Dim>(box.begin, box.end), scene.domain, scene.nearest_obstacle);
  scene.domain.others = c.walls;
  add_boundaries(c, scene.domain);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    CaseObstacle const& obstacle = c.obstacles[i];
    FaceSets<Dim> faces;  // none for walls that cut cells
    if (!c.flow.has_curved_walls) faces = faces_between(fluid, bodies[i], scene.domain.period);
    BoundaryPart<Dim> part{obstacle.kind, faces, vec_of<Dim>(obstacle.velocity)};
    part.temperature = obstacle.temperature;
    part.heat_flux = obstacle.heat_flux;
    scene.domain.parts.push_back(std::move(part));
  }
  return scene;
}

template <int Dim>
FlowPhysics<Dim> physics_of(FlowCase const& c, IntervalSet<Dim> const& fluid, std::size_t temperature) {
  FlowPhysics<Dim> physics;
  physics.viscosity = c.viscosity();
  physics.acceleration = vec_of<Dim>(c.gravity);
  if (!c.has_temperature()) return physics;
  std::vector<Source<Dim>> sources;
  for (CaseHeat const& heat : c.heats) {
    sources.push_back({cells_of<Dim>(c, heat.shape) & fluid, heat.strength});
    if (sources.back().cells.is_empty())
      throw std::runtime_error(fmt::format("heat {} has no cells in the fluid", sources.size()));
  }
  physics.transported.push_back({temperature, c.diffusivity(), sources});
  auto const up = c.ra ? Vec<double, Dim>::along(1, 1) : -c.beta * vec_of<Dim>(c.gravity);
  physics.buoyancy.push_back({temperature, up});
  return physics;
}

template <int Dim>
void set_start(FlowCase const& c, StaggeredGrid<Dim> const& grid, State<double, Dim>& state, std::size_t temperature) {
  set_velocity(grid, state, [&](auto const&) { return vec_of<Dim>(c.start_velocity); });
  if (c.has_temperature())
    set_cells(grid, state.carried[temperature], [&](auto const&) { return c.start_temperature; });
}

template <int Dim>
IntervalSet<Dim> cells_beside_inflow(StaggeredGrid<Dim> const& grid) {
  IntervalSet<Dim> cells;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = grid.faces_of(BoundaryKind::inflow, axis);
    cells = cells | (grid.fluid() & (faces | grid.domain().periodicity().stored(shift(faces, axis, -1))));
  }
  return cells;
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template std::vector<Body<Dim>> curved_bodies(FlowCase const&);                                                      \
  template std::vector<IntervalSet<Dim>> bodies_of(FlowCase const&);                                                   \
  template std::vector<IntervalSet<Dim>> bodies_of(FlowCase const&, CaseBox const&);                                   \
  template FlowScene<Dim> scene_of(FlowCase const&);                                                                   \
  template FlowScene<Dim> scene_of(FlowCase const&, std::vector<IntervalSet<Dim>>);                                    \
  template FlowPhysics<Dim> physics_of(FlowCase const&, IntervalSet<Dim> const&, std::size_t);                         \
  template void set_start(FlowCase const&, StaggeredGrid<Dim> const&, State<double, Dim>&, std::size_t);               \
  template IntervalSet<Dim> cells_beside_inflow(StaggeredGrid<Dim> const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::app
