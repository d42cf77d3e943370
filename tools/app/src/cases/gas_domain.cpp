#include <sparse/app/cases/gas_domain.hpp>

#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <sparse/shapes/bodies.hpp>
#include <sparse/shapes/shapes.hpp>

#include <sparse/app/cases/shape_distance.hpp>

#include "domain_sides.hpp"

namespace sparse::app {
namespace {

using namespace sparse;

/// Whether the state beyond a boundary differs from the default of its kind.
bool is_given(GasBoundary const& b) { return b.state.has_value() || b.pressure.has_value(); }

/// A function that is 0 on the ellipsoid and a distance to first order near it.
template <int Dim>
struct EllipsoidDistance {
  Vec<double, Dim> centre, radii;
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0, slope = 0, least = radii[0];
    for (int axis = 0; axis < Dim; ++axis) {
      double const once = (x[axis] - centre[axis]) / radii[axis], twice = once / radii[axis];
      square += once * once;
      slope += twice * twice;
      least = radii[axis] < least ? radii[axis] : least;
    }
    return slope > 0 ? (std::sqrt(square) - 1) * std::sqrt(square / slope) : -least;
  }
};

/// The body of a shape with a surface of facets; nothing for other shapes.
template <int Dim>
std::optional<Body<Dim>> body_of_facets(CaseBox const& c, CaseShape const& shape, BoundaryKind wall);

template <>
std::optional<Body<2>> body_of_facets(CaseBox const&, CaseShape const& shape, BoundaryKind wall) {
  if (shape.kind != CaseShape::Kind::polygon) return {};
  return body_from_polygon("polygon", {loop_of(shape)}, FillRule::even_odd, wall);
}

template <>
std::optional<Body<3>> body_of_facets(CaseBox const& c, CaseShape const& shape, BoundaryKind wall) {
  if (shape.kind != CaseShape::Kind::stl) return {};
  return body_from_mesh(shape.text, mesh_of(shape, c.folder), wall);
}

/// The body of a shape with a known surface; nothing for other shapes.
template <int Dim>
std::optional<Body<Dim>> curved_body(CaseBox const& c, CaseShape const& shape, BoundaryKind wall) {
  auto const a = [&] { return numbers_from<Dim>(shape, 0); };
  auto const b = [&] { return numbers_from<Dim>(shape, Dim); };
  using Kind = CaseShape::Kind;
  switch (shape.kind) {
  case Kind::ball:
    return body_from_distance<Dim>("ball", BallDistance<Dim>{a(), shape.numbers[Dim]}, wall);
  case Kind::box:
    return body_from_distance<Dim>("box", BoxDistance<Dim>{a(), b()}, wall);
  case Kind::ellipsoid:
    return body_from_distance<Dim>("ellipsoid", EllipsoidDistance<Dim>{a(), b()}, wall);
  case Kind::capsule:
    return body_from_distance<Dim>("capsule", CapsuleDistance<Dim>{a(), b(), shape.numbers[2 * Dim]}, wall);
  default:
    return body_of_facets<Dim>(c, shape, wall);
  }
}

template <int Dim>
Body<Dim> body_of(GasCase const& c, GasObstacle const& obstacle) {
  if (c.has_curved_walls)
    if (auto const body = curved_body<Dim>(c, obstacle.shape, obstacle.kind)) return *body;
  return body_from_cells<Dim>("cells", cells_of<Dim>(finest_box(c), obstacle.shape), obstacle.kind);
}

}  // namespace

CaseBox finest_box(GasCase const& c) { return finest_box(c, c.run.level_count); }

template <int Dim>
std::vector<Body<Dim>> bodies_of(GasCase const& c) {
  std::vector<Body<Dim>> bodies;
  for (auto const& obstacle : c.obstacles) bodies.push_back(body_of<Dim>(c, obstacle));
  return bodies;
}

template <int Dim>
amr::Domain<Dim> domain_of(GasCase const& c, std::vector<Body<Dim>> bodies) {
  amr::DomainOptions<Dim> options;
  options.cells = box_of<Dim>(c).end;
  options.grid = grid_of<Dim>(c);
  options.level_count = c.run.level_count;
  add_sides(
      c, [](GasBoundary const& b) { return is_given(b) ? BoundaryKind::given : b.kind; }, options);
  options.bodies = std::move(bodies);
  return amr::Domain<Dim>(options);
}

template <int Dim>
amr::Domain<Dim> domain_of(GasCase const& c) {
  auto domain = domain_of<Dim>(c, bodies_of<Dim>(c));
  for (int i = 0; i < domain.body_count(); ++i)
    if (domain.body(domain.body_level(), i).is_empty())
      throw std::runtime_error(fmt::format("obstacle {} has no cells in the box", i + 1));
  return domain;
}

template <int Dim>
std::vector<GasOpening<Dim>> openings_of(GasCase const& c) {
  std::vector<GasOpening<Dim>> openings;
  auto const grid = grid_of<Dim>(c);
  for (GasBoundary const& b : c.boundaries) {
    if (!is_given(b)) continue;
    auto const faces = faces_of<Dim>(c, b);
    GasOpening<Dim> opening{b.axis, b.side, {}, {}, b.kind == BoundaryKind::inflow, &b};
    for (int axis = 0; axis < Dim; ++axis) {
      opening.begin[axis] = faces.begin[axis] * grid.spacing[axis];
      opening.end[axis] = faces.end[axis] * grid.spacing[axis];
    }
    openings.push_back(opening);
  }
  return openings;
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template std::vector<Body<Dim>> bodies_of(GasCase const&);                                                           \
  template amr::Domain<Dim> domain_of(GasCase const&);                                                                 \
  template amr::Domain<Dim> domain_of(GasCase const&, std::vector<Body<Dim>>);                                         \
  template std::vector<GasOpening<Dim>> openings_of(GasCase const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::app
