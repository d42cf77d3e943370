#include "curved_bodies.hpp"

#include <sparse/incompressible/grid/curved_walls.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::incompressible::detail {

template <int Dim>
void set_surfaces(LevelBoundary<Dim>& sides, amr::Domain<Dim> const& domain) {
  auto const& bodies = domain.options().bodies;
  expects(!bodies.empty(), "incompressible: there is no body whose walls could be curved");
  for (auto const& body : bodies) {
    if (!body.distance) fail("incompressible: body '" + body.name + "' knows no distance for curved walls");
    if (body.wall != BoundaryKind::no_slip)
      fail("incompressible: curved walls have friction, so body '" + body.name + "' must be no_slip");
  }
  Vec<double, Dim> period{};
  for (int axis = 0; axis < Dim; ++axis)
    if (domain.is_periodic(axis)) period[axis] = domain.options().cells[axis] * domain.options().grid.spacing[axis];
  sides.surface = distance_to(bodies, period);
  sides.nearest_body = nearest_of(bodies, period);
}

template <int Dim>
amr::Domain<Dim> with_closed_cells(amr::Domain<Dim> const& domain, SignedDistance<Dim> const& surface) {
  constexpr Coord cut_width = 2;  // cut cells lie that near to cells whose centres are in the body
  int const finest = domain.level_count() - 1;
  auto const all = box<Dim>(domain.box(finest).begin, domain.box(finest).end);
  auto const closed = all - open_cells(all, domain.grid(finest), surface, periodicity_of(domain, finest).period);
  auto options = domain.options();
  for (int i = 0; i < domain.body_count(); ++i) {
    auto const near = domain.wrapped(expand(domain.body(finest, i), cut_width), finest);
    auto& body = options.bodies[static_cast<std::size_t>(i)];
    auto const inside = closed & near;
    if (inside.is_empty() && !near.is_empty())
      fail("incompressible: curved walls cut all cells of body '" + body.name +
           "', so cells of the finest level are too wide for it");
    body = body_from_cells(body.name, inside, body.wall);
  }
  return amr::Domain<Dim>(options, domain.fluid(0).context());
}

template void set_surfaces(LevelBoundary<2>&, amr::Domain<2> const&);
template void set_surfaces(LevelBoundary<3>&, amr::Domain<3> const&);
template amr::Domain<2> with_closed_cells(amr::Domain<2> const&, SignedDistance<2> const&);
template amr::Domain<3> with_closed_cells(amr::Domain<3> const&, SignedDistance<3> const&);

}  // namespace sparse::incompressible::detail
