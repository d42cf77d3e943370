#include <sparse/app/cases/gas_domain.hpp>

#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <sparse/shapes/bodies.hpp>
#include <sparse/shapes/shapes.hpp>

#include <sparse/app/cases/curved_body.hpp>

#include "domain_sides.hpp"

namespace sparse::app {
namespace {

using namespace sparse;

/// Whether the state beyond a boundary differs from the default of its kind.
bool is_given(GasBoundary const& b) { return b.state.has_value() || b.pressure.has_value(); }

template <int Dim>
Body<Dim> body_of(GasCase const& c, GasObstacle const& obstacle) {
  if (c.has_curved_walls)
    if (auto const body = curved_body<Dim>(obstacle.shape, c.folder, obstacle.kind)) return *body;
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
