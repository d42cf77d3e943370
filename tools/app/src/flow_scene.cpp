#include <sparse/app/flow_scene.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/fields/pad_thin.hpp>
#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/pictures/bitmap.hpp>
#include <sparse/io/vtk/stl.hpp>
#include <sparse/io/vtk/vtk_readers.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/distance.hpp>
#include <sparse/shapes/physical.hpp>

#include <sparse/app/shape_distance.hpp>

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;
using Kind = CaseShape::Kind;

template <int Dim>
Grid<Dim> grid_of(FlowCase const& c) {
  Grid<Dim> grid;
  for (std::size_t axis = 0; axis < Dim; ++axis) grid.spacing[static_cast<int>(axis)] = c.size[axis] / c.cells[axis];
  return grid;
}

template <int Dim>
Box<Dim> box_of(FlowCase const& c) {
  Box<Dim> box{};
  for (std::size_t axis = 0; axis < Dim; ++axis) box.end[static_cast<int>(axis)] = c.cells[axis];
  return box;
}

/// Dim of a shape's numbers, from the first-th on.
template <int Dim>
Vec<double, Dim> numbers_from(CaseShape const& shape, std::size_t first) {
  Vec<double, Dim> v;
  for (std::size_t axis = 0; axis < Dim; ++axis) v[static_cast<int>(axis)] = shape.numbers[first + axis];
  return v;
}

/// The cells under the dark pixels of a picture in a rectangle.
IntervalSet<2> picture_cells(CaseShape const& shape, Grid<2> const& grid, std::filesystem::path const& path) {
  auto const picture = io::read_bitmap(path);
  auto const dark = io::dark_pixels(picture);
  auto const lower = numbers_from<2>(shape, 0), upper = numbers_from<2>(shape, 2);
  auto const cells = sparse::box<2>(grid, lower, upper);
  if (cells.is_empty()) return cells;
  auto const bounds = cells.bounds();
  std::vector<std::uint8_t> bytes;
  for (Coord y = bounds.begin[1]; y < bounds.end[1]; ++y)
    for (Coord x = bounds.begin[0]; x < bounds.end[0]; ++x) {
      auto const at = grid.center({x, y});
      auto const pixel = [&](int axis, int count) {
        double const part = (at[axis] - lower[axis]) / (upper[axis] - lower[axis]);
        return static_cast<std::size_t>(std::clamp(static_cast<int>(part * count), 0, count - 1));
      };
      bytes.push_back(
          dark[pixel(1, picture.height) * static_cast<std::size_t>(picture.width) + pixel(0, picture.width)]);
    }
  return from_bitmap(bounds, bytes);
}

IntervalSet<2> flat_shape(CaseShape const& shape, Grid<2> const& grid, std::filesystem::path const& folder) {
  if (shape.kind == Kind::bitmap) return picture_cells(shape, grid, folder / shape.text);
  if (shape.kind != Kind::polygon) throw std::runtime_error("STL files are for three dimensions");
  return polygon(to_cells(grid, loop_of(shape)));
}

IntervalSet<3> flat_shape(CaseShape const& shape, Grid<3> const& grid, std::filesystem::path const& folder) {
  if (shape.kind != Kind::stl) throw std::runtime_error("polygons and bitmaps are for two dimensions");
  return triangle_mesh(to_cells(grid, mesh_of(shape, folder)));
}

/// In widths of the widest cells, at a position in cells.
template <int Dim>
struct CapsuleDistance {
  Vec<double, Dim> a, b;
  Grid<Dim> grid;
  double radius, widest;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> x) const {
    for (int axis = 0; axis < Dim; ++axis) x[axis] = grid.origin[axis] + grid.spacing[axis] * x[axis];
    return (distance_to_segment(x, a, b) - radius) / widest;
  }
};

template <int Dim>
IntervalSet<Dim> capsule_cells(CaseShape const& shape, Grid<Dim> const& grid, Box<Dim> const& box) {
  auto const a = numbers_from<Dim>(shape, 0), b = numbers_from<Dim>(shape, Dim);
  double const radius = shape.numbers[2 * Dim], width = grid.spacing[0];
  double widest = width;
  bool are_cubes = true;
  for (int axis = 1; axis < Dim; ++axis) {
    widest = std::max(widest, grid.spacing[axis]);
    are_cubes = are_cubes && std::abs(grid.spacing[axis] / width - 1) <= 1e-9;
  }
  if (are_cubes) return capsule<Dim>(grid.to_cells(a), grid.to_cells(b), radius / width);
  return from_signed_distance<Dim>(box, CapsuleDistance<Dim>{a, b, grid, radius, widest});
}

template <int Dim>
IntervalSet<Dim> expressed(FlowCase const& c, std::string const& text) {
  std::string names;
  for (std::size_t axis = 0; axis < Dim; ++axis) names += fmt::format("n{} = {}; ", "xyz"[axis], c.cells[axis]);
  return io::evaluate<Dim>(names + text, {.folder = c.folder, .readers = io::vtk_readers()});
}

/// What a boundary takes of its side along another axis.
std::array<double, 2> range_along(FlowCase const& c, CaseBoundary const& boundary, int axis) {
  auto const a = static_cast<std::size_t>(axis);
  return boundary.range.empty() ? std::array<double, 2>{0, c.size[a]}
                                : boundary.range[axis > boundary.axis ? a - 1 : a];
}

/// The faces at a side of the box, or those whose middles lie in a part of it.
template <int Dim>
IntervalSet<Dim> faces_at(FlowCase const& c, CaseBoundary const& boundary, IntervalSet<Dim> const& fluid) {
  auto slab = box_of<Dim>(c);
  int const axis = boundary.axis;
  slab.begin[axis] = boundary.side == FaceSide::lower ? 0 : slab.end[axis];
  slab.end[axis] = slab.begin[axis] + 1;
  for (int along = 0; along < Dim; ++along) {
    if (along == axis) continue;
    auto const [from, to] = range_along(c, boundary, along);
    double const width = grid_of<Dim>(c).spacing[along], margin = 1e-9;  // of rounding, in cells
    auto const first_from = [&](double x) {
      return static_cast<Coord>(std::clamp(std::ceil(x / width - 0.5 - margin), 0.0, 1.0 * slab.end[along]));
    };
    slab.begin[along] = first_from(from);
    slab.end[along] = std::max(slab.begin[along], first_from(to));
  }
  return boundary_faces(fluid, axis, boundary.side) & sparse::box<Dim>(slab.begin, slab.end);
}

/// 1 in the middle of a part of a side, 0 at its ends.
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
    if (boundary.kind) {
      part.kind = *boundary.kind;
      part.velocity = vec_of<Dim>(boundary.velocity);
      part.temperature = boundary.temperature;
      if (boundary.is_parabola) part.profile = parabola<Dim>(c, boundary);
      auto const faces = faces_at<Dim>(c, boundary, domain.fluid);
      if (faces.is_empty()) throw std::runtime_error(fmt::format("boundary {} has no faces beside fluid", i + 1));
      part.faces[boundary.axis] = faces - taken[boundary.axis];
      taken[boundary.axis] = taken[boundary.axis] | faces;
    } else {
      domain.period[boundary.axis] = c.cells[static_cast<std::size_t>(boundary.axis)];
    }
    parts.insert(parts.begin(), std::move(part));
  }
}

/// Takes the obstacles out of the fluid where they are, not by cells.
template <int Dim>
void cut_fluid(FlowCase const& c, IntervalSet<Dim> const& all, FlowDomain<Dim>& domain) {
  if (c.obstacles.empty()) throw std::runtime_error("--surfaces curved: there is no obstacle");
  if (c.pads_thin) throw std::runtime_error("--surfaces curved: pad_thin is for obstacles made of cells");
  if (c.has_temperature()) throw std::runtime_error("--surfaces curved: heat knows only obstacles made of cells");
  std::vector<SignedDistance<Dim>> distances;
  for (auto const& obstacle : c.obstacles) {
    std::string const which = fmt::format("--surfaces curved: obstacle {}", distances.size() + 1);
    distances.push_back(distance_of<Dim>(obstacle.shape, c.folder));
    if (!distances.back())
      throw std::runtime_error(which + " must be a box, ball, ellipsoid, capsule, polygon or STL file");
    if (obstacle.kind != BoundaryKind::no_slip || obstacle.velocity != Triple{})
      throw std::runtime_error(which + " must be a wall at rest that fluid sticks to");
  }
  auto const of_all = [distances](Vec<double, Dim> const& x) {
    double least = distances[0](x);
    for (auto const& distance : distances) least = std::fmin(least, distance(x));
    return least;
  };
  domain.distance = of_all;
  Vec<Coord, Dim> period{};
  for (auto const& boundary : c.boundaries) {
    if (boundary.kind) continue;
    int const axis = boundary.axis;
    period[axis] = c.cells[static_cast<std::size_t>(axis)];
    auto const step = Vec<double, Dim>::along(axis, c.size[static_cast<std::size_t>(axis)]);
    domain.distance = [step, of_one = domain.distance](Vec<double, Dim> const& x) {
      return std::fmin(of_one(x), std::fmin(of_one(x - step), of_one(x + step)));
    };
  }
  domain.fluid = open_cells(all, domain.grid, domain.distance, period);
}

}  // namespace

template <int Dim>
IntervalSet<Dim> cells_of(FlowCase const& c, CaseShape const& shape) {
  auto const grid = grid_of<Dim>(c);
  switch (shape.kind) {
  case Kind::box:
    return box<Dim>(grid, numbers_from<Dim>(shape, 0), numbers_from<Dim>(shape, Dim));
  case Kind::ball:
    return ball<Dim>(grid, numbers_from<Dim>(shape, 0), shape.numbers[Dim]);
  case Kind::ellipsoid:
    return ellipsoid<Dim>(grid, numbers_from<Dim>(shape, 0), numbers_from<Dim>(shape, Dim));
  case Kind::capsule:
    return capsule_cells<Dim>(shape, grid, box_of<Dim>(c));
  case Kind::cells:
    return expressed<Dim>(c, shape.text);
  default:
    return flat_shape(shape, grid, c.folder);
  }
}

template <int Dim>
FlowScene<Dim> scene_of(FlowCase const& c) {
  FlowScene<Dim> scene;
  scene.grid = grid_of<Dim>(c);
  auto const box = box_of<Dim>(c);
  auto& fluid = scene.domain.fluid;
  fluid = sparse::box<Dim>(box.begin, box.end);
  std::vector<IntervalSet<Dim>> bodies;
  scene.domain.grid = scene.grid;
  for (auto const& obstacle : c.obstacles) {
    bodies.push_back(cells_of<Dim>(c, obstacle.shape) & fluid);
    if (bodies.back().is_empty())
      throw std::runtime_error(fmt::format("obstacle {} has no cells in the box that are its own", bodies.size()));
    fluid = fluid - bodies.back();
  }
  for (auto& body : bodies) {
    if (c.pads_thin) {
      auto const padded = pad_thin(body, fluid);
      body = padded.solid;
      scene.padded_count += padded.added_count;
      fluid = fluid - body;
    }
    scene.solid = scene.solid | body;
  }
  if (c.flow.has_curved_walls) cut_fluid(c, sparse::box<Dim>(box.begin, box.end), scene.domain);
  scene.domain.others = c.walls;
  add_boundaries(c, scene.domain);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    CaseObstacle const& obstacle = c.obstacles[i];
    FaceSets<Dim> faces;  // none of walls that cut cells
    if (!c.flow.has_curved_walls) faces = faces_between(fluid, bodies[i], scene.domain.period);
    BoundaryPart<Dim> part{obstacle.kind, faces, vec_of<Dim>(obstacle.velocity)};
    part.temperature = obstacle.temperature;
    scene.domain.parts.push_back(std::move(part));
  }
  return scene;
}

template FlowScene<2> scene_of(FlowCase const&);
template FlowScene<3> scene_of(FlowCase const&);
template IntervalSet<2> cells_of(FlowCase const&, CaseShape const&);
template IntervalSet<3> cells_of(FlowCase const&, CaseShape const&);

}  // namespace sparse::app
