#pragma once
/// The surroundings of an incompressible flow: kinds of boundary on sets of faces.

#include <functional>
#include <optional>
#include <vector>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/grid.hpp>
#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>
#include <sparse/incompressible/grid/curved_walls.hpp>
#include <sparse/incompressible/grid/periodicity.hpp>
#include <sparse/sets/faces.hpp>

namespace sparse::incompressible {

/// [axis] sets of faces normal to the axis; face i lies between cells i - 1 and i.
template <int Dim>
struct FaceSets {
  /// By the axis of the faces' normals.
  IntervalSet<Dim> sets[Dim];

  /// The faces normal to an axis.
  IntervalSet<Dim>& operator[](int axis) { return sets[axis]; }
  IntervalSet<Dim> const& operator[](int axis) const { return sets[axis]; }
  /// Number of faces of all axes.
  Index face_count() const {
    Index count = 0;
    for (auto const& set : sets) count += set.cell_count();
    return count;
  }
};

/// Boundary faces of one kind: `wall`, `no_slip`, `inflow` or `outflow`. A body is a part, and so is a side of a box.
/// Other kinds are refused. For a periodic axis, set `FlowDomain::period`; for an inflow that varies, set `profile`.
template <int Dim>
struct BoundaryPart {
  /// What the faces are, and which ones.
  BoundaryKind kind = BoundaryKind::no_slip;
  FaceSets<Dim> faces = {};
  Vec<double, Dim> velocity = {};  ///< of the wall or of the inflow [length / time]
  /// The velocity normal to a face, at the middle of the face. It replaces that component of `velocity`. May be empty.
  std::function<double(Vec<double, Dim> const& position)> profile = {};
  /// The transported value on the faces (see `Transport`). Without a value, the faces conduct nothing.
  std::optional<double> temperature = {};
  /// Of walls, instead of a temperature: what comes through the faces into the fluid, per area and time [temperature
  /// length / time]. In other words, the heat flux over density and heat capacity.
  std::optional<double> heat_flux = {};
};

/// How many cells more than fluid crosses in a cycle of `LeapfrogFlowMap` a rank must store beyond its own.
constexpr Coord flow_map_margin = 6;

/// The fluid and its surroundings. Solid cells are not in the set.
template <int Dim>
struct FlowDomain {
  /// The cells with fluid.
  IntervalSet<Dim> fluid;
  Grid<Dim> grid = {};                          ///< where the cells are
  std::vector<BoundaryPart<Dim>> parts = {};    ///< no two of them share a face
  BoundaryKind others = BoundaryKind::no_slip;  ///< kind of all boundary faces in no part; these are walls at rest
  /// [axis] length of the period; 0 along axes that are not periodic. Cells c and c + period are the same, so there is
  /// no boundary between them. The fluid must fit into one period.
  Vec<Coord, Dim> period = {};
  /// Curved walls lie where this distance is 0. They are at rest and no-slip, and they cut cells and faces. The fluid
  /// must then be the `open_cells` of all cells. Only `Smac` supports curved walls. May be empty.
  SignedDistance<Dim> distance = {};
  /// What curved walls do to transported values, at a position on them. Without it, they conduct nothing.
  std::function<WallHeat(Vec<double, Dim> const& position)> wall_heat = {};
  /// Where periods begin. If it is not given, at the lowest cells of the fluid.
  std::optional<Vec<Coord, Dim>> period_begin = {};

  /// The ranks that share the fluid; nullptr: this process has all. All ranks give the same domain, with the fluid of
  /// all. `Smac` and `LeapfrogFlowMap` can be shared. It must outlive the grid.
  distributed::Team* team = nullptr;
  /// How many cells a rank stores beyond its own, in all directions; at least 10. Ink that is traced may come from half
  /// as far, and the fluid of a flow map from `flow_map_margin` cells less.
  Coord reach = 10;
  /// As in `poisson::Problem`: whether results are the same bits for any number of ranks.
  bool has_exact_sums = false;
  /// How cells are dealt out to ranks.
  distributed::PartitionOptions partition = {};

  /// Where the domain repeats, for cells.
  Periodicity<Dim> periodicity() const { return {period_begin.value_or(fluid.bounds().begin), period}; }
};

/// The boundary faces of a set at one side of its bounding box. Cost: a set operation.
/// @throws std::invalid_argument  if there is no such axis
template <int Dim>
FaceSets<Dim> side_faces(IntervalSet<Dim> const& fluid, int axis, FaceSide side);

/// The faces between fluid and a body. The two sets share no cell. Cost: some set operations for each axis.
/// @param period  that of the domain
template <int Dim>
FaceSets<Dim> faces_between(IntervalSet<Dim> const& fluid, IntervalSet<Dim> const& solid,
                            Vec<Coord, Dim> const& period = {});

}  // namespace sparse::incompressible
