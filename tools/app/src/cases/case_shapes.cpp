#include <sparse/app/cases/case_shapes.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/pictures/bitmap.hpp>
#include <sparse/io/vtk/vtk_readers.hpp>
#include <sparse/shapes/distance.hpp>
#include <sparse/shapes/physical.hpp>

#include <sparse/app/cases/curved_body.hpp>

namespace sparse::app {
namespace {

using namespace sparse;
using Kind = CaseShape::Kind;

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

IntervalSet<2> flat_shape(CaseBox const& c, CaseShape const& shape, Grid<2> const& grid) {
  if (shape.kind == Kind::bitmap) return picture_cells(shape, grid, c.folder / shape.text);
  if (shape.kind != Kind::polygon) throw std::runtime_error("STL files are for three dimensions");
  return polygon(to_cells(grid, loop_of(shape)));
}

IntervalSet<3> flat_shape(CaseBox const& c, CaseShape const& shape, Grid<3> const& grid) {
  if (shape.kind != Kind::stl) throw std::runtime_error("polygons and bitmaps are for two dimensions");
  return triangle_mesh(to_cells(grid, mesh_of(shape, c.folder)));
}

/// The distance to a capsule at a position in cells, in units of the widest cell width.
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
IntervalSet<Dim> expressed(CaseBox const& c, std::string const& text) {
  std::string names;
  for (std::size_t axis = 0; axis < Dim; ++axis) names += fmt::format("n{} = {}; ", "xyz"[axis], c.cells[axis]);
  return io::evaluate<Dim>(names + text, {.folder = c.folder, .readers = io::vtk_readers()});
}

}  // namespace

template <int Dim>
IntervalSet<Dim> cells_of(CaseBox const& c, CaseShape const& shape) {
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
    return flat_shape(c, shape, grid);
  }
}

std::array<double, 2> range_along(CaseBox const& c, CaseSide const& side, int axis) {
  auto const a = static_cast<std::size_t>(axis);
  return side.range.empty() ? std::array<double, 2>{0, c.size[a]} : side.range[axis > side.axis ? a - 1 : a];
}

template <int Dim>
Box<Dim> faces_of(CaseBox const& c, CaseSide const& side) {
  auto slab = box_of<Dim>(c);
  int const axis = side.axis;
  slab.begin[axis] = side.side == FaceSide::lower ? 0 : slab.end[axis];
  slab.end[axis] = slab.begin[axis] + 1;
  for (int along = 0; along < Dim; ++along) {
    if (along == axis) continue;
    auto const [from, to] = range_along(c, side, along);
    double const width = grid_of<Dim>(c).spacing[along], margin = 1e-9;  // for rounding, in cells
    auto const first_from = [&](double x) {
      return static_cast<Coord>(std::clamp(std::ceil(x / width - 0.5 - margin), 0.0, 1.0 * slab.end[along]));
    };
    slab.begin[along] = first_from(from);
    slab.end[along] = std::max(slab.begin[along], first_from(to));
  }
  return slab;
}

template IntervalSet<2> cells_of(CaseBox const&, CaseShape const&);
template IntervalSet<3> cells_of(CaseBox const&, CaseShape const&);
template Box<2> faces_of(CaseBox const&, CaseSide const&);
template Box<3> faces_of(CaseBox const&, CaseSide const&);

}  // namespace sparse::app
