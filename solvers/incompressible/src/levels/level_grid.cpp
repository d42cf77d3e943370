#include "level_grid.hpp"

#include <memory>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

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
LevelCells<Dim> level_cells(amr::Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> const& cells, int level) {
  auto const l = static_cast<std::size_t>(level);
  LevelCells<Dim> made;
  made.all_leaves = made.own = made.cells = cells[l];
  if (l + 1 < cells.size()) {
    made.covered = coarsen(cells[l + 1]);
    made.all_leaves = made.cells - made.covered;
    made.covered_ring = made.covered & domain.wrapped(expand(made.all_leaves, ring_width), level);
  }
  if (l > 0) {
    auto const refined = coarsen(cells[l]);
    made.parents = (domain.wrapped(expand(refined, ring_width / 2), level - 1) & cells[l - 1]) - refined;
    made.ghosts = refine(made.parents);
  }
  made.leaves = made.all_leaves;
  made.stored = made.leaves.is_empty() ? made.cells : made.leaves;
  if (!made.leaves.is_empty() && !(made.covered_ring.is_empty() && made.ghosts.is_empty()))
    made.stored = made.leaves | made.covered_ring | made.ghosts;
  made.all_stored = made.stored;
  return made;
}

template <int Dim>
std::vector<LevelCells<Dim>> part_of(amr::Domain<Dim> const& domain, std::vector<LevelCells<Dim>> const& all,
                                     std::vector<IntervalSet<Dim>> const& own, Coord reach) {
  auto const around = [&](IntervalSet<Dim> const& set, Coord steps, std::size_t l) {
    return set.is_empty() ? set : domain.wrapped(expand(set, steps), static_cast<int>(l)) & all[l].stored;
  };
  auto part = all;
  std::vector<IntervalSet<Dim>> stored(all.size());
  for (std::size_t l = 0; l < all.size(); ++l) {
    part[l].own = own[l];
    part[l].leaves = all[l].all_leaves & own[l];
    stored[l] |= around(part[l].leaves, l + 1 < all.size() ? ring_width : reach, l);
    // At interfaces the fluxes of a leaf are those of its children's faces.
    if (l + 1 < all.size()) stored[l + 1] = refine(part[l].leaves & all[l + 1].parents);
  }
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    auto const add = [&](std::size_t l, IntervalSet<Dim> const& set) {
      if ((set - stored[l]).is_empty()) return;
      stored[l] |= set;
      has_grown = true;
    };
    for (std::size_t l = all.size(); l-- > 0;) {
      if (auto const ghosts = stored[l] & all[l].ghosts; !ghosts.is_empty()) {
        auto const parents = coarsen(ghosts), children = refine(parents);
        add(l, children | (around(children, 1, l) & all[l].cells));  // faces that have velocities stay
        add(l - 1, around(parents, 1, l - 1));
      }
      // Faces of leaves at an interface get their means after leaves have those of their owners.
      add(l, around(stored[l] & all[l].all_leaves, 1, l) & all[l].covered_ring);
      if (auto const covered = stored[l] & all[l].covered_ring; !covered.is_empty())
        add(l + 1, refine(covered) & all[l + 1].stored);
    }
  }
  for (std::size_t l = 0; l < all.size(); ++l) {
    auto& level = part[l];
    level.stored = stored[l];
    if (level.stored.is_empty()) {  // a grid has cells
      auto const first = cell_of(all[l].all_leaves.is_empty() ? all[l].cells : all[l].all_leaves, 0);
      level.stored = box<Dim>(first, first + Vec<Coord, Dim>::filled(1));
    }
    level.covered_ring = all[l].covered_ring & level.stored;
    level.ghosts = all[l].ghosts & level.stored;
    level.parents = level.ghosts.is_empty() ? level.ghosts : coarsen(level.ghosts);
  }
  return part;
}

template <int Dim>
StaggeredGrid<Dim> level_grid(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                              IntervalSet<Dim> const& fluid, int level, LevelRanks<Dim> const* ranks,
                              Vec<Coord, Dim> const& period_begin) {
  FlowDomain<Dim> flow;
  flow.fluid = fluid;
  flow.grid = domain.grid(level);
  flow.period = periodicity_of(domain, level).period;
  if (ranks) flow.period_begin = period_begin;
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
  return ranks ? StaggeredGrid<Dim>(std::make_shared<GridRanks<Dim>>(*ranks, flow)) : StaggeredGrid<Dim>(flow);
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
  template LevelCells<Dim> level_cells(amr::Domain<Dim> const&, std::vector<IntervalSet<Dim>> const&, int);            \
  template std::vector<LevelCells<Dim>> part_of(amr::Domain<Dim> const&, std::vector<LevelCells<Dim>> const&,          \
                                                std::vector<IntervalSet<Dim>> const&, Coord);                          \
  template StaggeredGrid<Dim> level_grid(amr::Domain<Dim> const&, LevelBoundary<Dim> const&, IntervalSet<Dim> const&,  \
                                         int, LevelRanks<Dim> const*, Vec<Coord, Dim> const&);                         \
  template SideFaces<Dim> side_faces_of(amr::Domain<Dim> const&, LevelBoundary<Dim> const&, IntervalSet<Dim> const&,   \
                                        int);                                                                          \
  template FaceSets<Dim> outflow_faces(amr::Domain<Dim> const&, IntervalSet<Dim> const&, int);                         \
  template Periodicity<Dim> periodicity_of(amr::Domain<Dim> const&, int);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::incompressible::detail
