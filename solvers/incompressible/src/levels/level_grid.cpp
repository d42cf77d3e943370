#include "level_grid.hpp"

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::incompressible::detail {
namespace {

/// Convection needs the cells behind the neighbours.
constexpr Coord ring_width = 2;

/// Adds the part of `faces` that is still free.
template <int Dim>
void add_part(FlowDomain<Dim>& flow, FaceSets<Dim>& free, BoundaryKind kind, FaceSets<Dim> const& faces,
              Vec<double, Dim> const& velocity, std::function<double(Vec<double, Dim> const&)> const& profile = {}) {
  BoundaryPart<Dim> part;
  part.kind = kind;
  part.velocity = velocity;
  part.profile = profile;
  for (int axis = 0; axis < Dim; ++axis) {
    part.faces[axis] = faces[axis] & free[axis];
    free[axis] = free[axis] - part.faces[axis];
  }
  if (part.faces.face_count() > 0) flow.parts.push_back(std::move(part));
}

/// The faces of cells at one side of the box.
template <int Dim>
IntervalSet<Dim> faces_at(IntervalSet<Dim> const& cells, Box<Dim> const& box, int axis, FaceSide side) {
  Box<Dim> layer = box;
  if (side == FaceSide::lower)
    layer.end[axis] = box.begin[axis] + 1;
  else
    layer.begin[axis] = box.end[axis] - 1;
  auto const at = amr::inside(cells, layer);
  return side == FaceSide::lower ? at : shift(at, axis, 1);
}

}  // namespace

template <int Dim>
IntervalSet<Dim> LevelCells<Dim>::with_ring() const {
  if (leaves.is_empty()) return cells;
  if (covered_ring.is_empty() && ghosts.is_empty()) return leaves;
  return leaves | covered_ring | ghosts;
}

template <int Dim>
LevelCells<Dim> level_cells(amr::Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells, int level) {
  auto const l = static_cast<std::size_t>(level);
  LevelCells<Dim> made;
  made.leaves = made.cells = cells[l];
  if (l + 1 < cells.size()) {
    made.covered = coarsen(cells[l + 1]);
    made.leaves = made.cells - made.covered;
    made.covered_ring = made.covered & domain.wrapped(expand(made.leaves, ring_width), level);
  }
  if (l > 0) {
    auto const refined = coarsen(cells[l]);
    made.parents = (domain.wrapped(expand(refined, ring_width / 2), level - 1) & cells[l - 1]) - refined;
    made.ghosts = refine(made.parents);
  }
  return made;
}

template <int Dim>
StaggeredGrid<Dim> level_grid(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                              IntervalSet<Dim> const& fluid, int level) {
  FlowDomain<Dim> flow;
  flow.fluid = fluid;
  flow.grid = domain.grid(level);
  flow.period = periodicity_of(domain, level).period;
  auto const periodicity = flow.periodicity();
  FaceSets<Dim> free;
  for (int axis = 0; axis < Dim; ++axis) free[axis] = fluid ^ periodicity.stored(shift(fluid, axis, 1));
  for (int axis = 0; axis < Dim; ++axis)
    for (FaceSide const side : {FaceSide::lower, FaceSide::upper}) {
      if (domain.is_periodic(axis)) continue;
      auto const all = faces_at(fluid, domain.box(level), axis, side);
      if (all.is_empty()) continue;
      for (auto const kind : {BoundaryKind::wall, BoundaryKind::no_slip, BoundaryKind::outflow, BoundaryKind::inflow}) {
        FaceSets<Dim> faces;
        faces[axis] = domain.faces_of(kind, axis, side, all, level);
        bool const is_inflow = kind == BoundaryKind::inflow;
        add_part(flow, free, kind, faces,
                 is_inflow                       ? sides.inflow
                 : kind == BoundaryKind::no_slip ? sides.walls[axis][side == FaceSide::lower ? 0 : 1]
                                                 : Vec<double, Dim>{},
                 is_inflow ? sides.profile : decltype(sides.profile){});
      }
    }
  bool const is_curved = sides.surface && level == domain.level_count() - 1;
  if (is_curved) flow.distance = sides.surface;
  for (int i = 0; i < domain.body_count(); ++i) {
    auto const& solid = domain.body(level, i);
    if (!solid.is_empty())  // curved walls close all faces of these cells
      add_part(flow, free, is_curved ? BoundaryKind::wall : domain.options().bodies[static_cast<std::size_t>(i)].wall,
               faces_between(fluid, solid, flow.period), {});
  }
  add_part(flow, free, BoundaryKind::outflow, free, {});
  return StaggeredGrid<Dim>(flow);
}

template <int Dim>
SideFaces<Dim> side_faces_of(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                             IntervalSet<Dim> const& cells, int level) {
  SideFaces<Dim> result;
  for (int axis = 0; axis < Dim; ++axis)
    for (FaceSide const side : {FaceSide::lower, FaceSide::upper}) {
      if (domain.is_periodic(axis)) continue;
      auto const all = faces_at(cells, domain.box(level), axis, side);
      int const s = side == FaceSide::lower ? 0 : 1;
      auto const of_kind = [&](BoundaryKind kind) { return domain.faces_of(kind, axis, side, all, level); };
      result.slip[axis][s] = of_kind(BoundaryKind::wall);
      result.no_slip[axis][s] = {of_kind(BoundaryKind::no_slip), sides.walls[axis][s]};
      result.inflow[axis][s] = {of_kind(BoundaryKind::inflow), sides.inflow};
    }
  return result;
}

template <int Dim>
FaceSets<Dim> outflow_faces(amr::Domain<Dim> const& domain, IntervalSet<Dim> const& cells, int level) {
  FaceSets<Dim> result;
  for (int axis = 0; axis < Dim; ++axis)
    for (FaceSide const side : {FaceSide::lower, FaceSide::upper})
      if (domain.has(BoundaryKind::outflow, axis, side))
        result[axis] = result[axis] | domain.faces_of(BoundaryKind::outflow, axis, side,
                                                      faces_at(cells, domain.box(level), axis, side), level);
  return result;
}

template <int Dim>
Periodicity<Dim> periodicity_of(amr::Domain<Dim> const& domain, int level) {
  Periodicity<Dim> result;
  for (int axis = 0; axis < Dim; ++axis)
    if (domain.is_periodic(axis)) result.period[axis] = domain.box(level).end[axis];
  return result;
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template struct LevelCells<Dim>;                                                                                     \
  template LevelCells<Dim> level_cells(amr::Domain<Dim> const&, std::vector<IntervalSet<Dim>> const&, int);            \
  template StaggeredGrid<Dim> level_grid(amr::Domain<Dim> const&, LevelBoundary<Dim> const&, IntervalSet<Dim> const&,  \
                                         int);                                                                         \
  template SideFaces<Dim> side_faces_of(amr::Domain<Dim> const&, LevelBoundary<Dim> const&, IntervalSet<Dim> const&,   \
                                        int);                                                                          \
  template FaceSets<Dim> outflow_faces(amr::Domain<Dim> const&, IntervalSet<Dim> const&, int);                         \
  template Periodicity<Dim> periodicity_of(amr::Domain<Dim> const&, int);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::incompressible::detail
