#pragma once
/// What surrounds an incompressible flow: kinds of boundary on sets of faces.

#include <functional>
#include <optional>
#include <vector>

#include <sparse/base/boundary_kind.hpp>
#include <sparse/base/grid.hpp>
#include <sparse/incompressible/grid/curved_walls.hpp>
#include <sparse/incompressible/grid/periodicity.hpp>
#include <sparse/sets/faces.hpp>

namespace sparse::incompressible {

/// [axis] sets of faces normal to the axis; face i lies between cells i - 1 and i.
template <int Dim>
struct FaceSets {
  IntervalSet<Dim> sets[Dim];

  IntervalSet<Dim>& operator[](int axis) { return sets[axis]; }
  IntervalSet<Dim> const& operator[](int axis) const { return sets[axis]; }
  /// Of all axes.
  Index face_count() const {
    Index count = 0;
    for (auto const& set : sets) count += set.cell_count();
    return count;
  }
};

/// Boundary faces that are all of one kind: `wall`, `no_slip`, `inflow` or `outflow`. Bodies, and the sides of a box,
/// are parts. (Where space repeats itself there is no boundary; see `FlowDomain::period`.)
template <int Dim>
struct BoundaryPart {
  BoundaryKind kind = BoundaryKind::no_slip;
  FaceSets<Dim> faces = {};
  Vec<double, Dim> velocity = {};  ///< of the wall, or of what flows in [length / time]
  /// If there is one: velocity along the normal axis at the middle of a face, instead of that component of `velocity`.
  std::function<double(Vec<double, Dim> const& position)> profile = {};
  /// Of what is transported on the faces (see `CellTransport`); none: nothing is conducted through them.
  std::optional<double> temperature = {};
};

/// Where fluid is, and what surrounds it. Solid cells are not in the set.
template <int Dim>
struct FlowDomain {
  IntervalSet<Dim> fluid;
  Grid<Dim> grid = {};                          ///< where the cells are
  std::vector<BoundaryPart<Dim>> parts = {};    ///< no two share a face
  BoundaryKind others = BoundaryKind::no_slip;  ///< of the boundary faces in no part: walls at rest
  /// [axis] cells c and c + period are the same, so that between them is no boundary; 0 where nothing repeats. The
  /// fluid must fit into one period.
  Vec<Coord, Dim> period = {};
  /// If there is one: where it is 0 are walls at rest that fluid sticks to, which cut cells and faces; the fluid is
  /// `open_cells` of the cells that it would be without them. Of all methods, `Smac` alone knows such walls.
  SignedDistance<Dim> distance = {};

  Periodicity<Dim> periodicity() const { return {fluid.bounds().begin, period}; }
};

/// The boundary faces of a set at one of the six (2D: four) sides of its bounding box.
/// @throws std::invalid_argument  if there is no such axis
template <int Dim>
FaceSets<Dim> side_faces(IntervalSet<Dim> const& fluid, int axis, FaceSide side);

/// The faces between the cells of two sets that share no cell: those of a body, as the fluid sees them.
/// @param period  that of the domain
template <int Dim>
FaceSets<Dim> faces_between(IntervalSet<Dim> const& fluid, IntervalSet<Dim> const& solid,
                            Vec<Coord, Dim> const& period = {});

}  // namespace sparse::incompressible
