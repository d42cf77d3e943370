#pragma once
/// The faces, edges and nodes of the cells of a set, as sets. Staggered (MAC) fields and boundary conditions live
/// there.
///
/// Face i along an axis lies between cells i - 1 and i (see `faces` in morphology.hpp). Edges and nodes are numbered in
/// the same way along each axis on which they have no extent: node (i, j) is the lower corner of cell (i, j).

#include <sparse/base/boundary_kind.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// The edges parallel to `axis` of the cells: in 3D four per cell. In 2D these are the faces normal to the other axis.
/// Cost: a union of the set with a moved copy, in 3D two.
/// @throws std::invalid_argument  if there is no such axis, or a cell ends at the end of the range of coordinates
template <int Dim>
IntervalSet<Dim> edges(IntervalSet<Dim> const& set, int axis);

/// The corners of the cells. @throws std::invalid_argument  if a cell ends at the end of the range of coordinates
template <int Dim>
IntervalSet<Dim> nodes(IntervalSet<Dim> const& set);

/// The faces normal to `axis` with a cell of the set on both sides. Cost: one set operation.
/// @throws std::invalid_argument  if there is no such axis
template <int Dim>
IntervalSet<Dim> interior_faces(IntervalSet<Dim> const& set, int axis);

/// The outward direction of a face at this side of a cell: -1 or 1.
KOKKOS_FORCEINLINE_FUNCTION constexpr int outward(FaceSide side) { return side == FaceSide::lower ? -1 : 1; }

/// The faces normal to `axis` with a cell of the set on one side only. That cell has the face on its side `side`. A
/// lower face has the coordinates of its cell c, an upper one the coordinates of c + 1.
/// @throws std::invalid_argument  if there is no such axis, or an upper face leaves the range of coordinates
template <int Dim>
IntervalSet<Dim> boundary_faces(IntervalSet<Dim> const& set, int axis, FaceSide side);

/// All boundary faces of a set, by direction.
template <int Dim>
struct BoundaryFaces {
  IntervalSet<Dim> lower[Dim], upper[Dim];  ///< [axis]

  /// The faces normal to an axis on one side.
  IntervalSet<Dim> const& operator()(int axis, FaceSide side) const {
    return side == FaceSide::lower ? lower[axis] : upper[axis];
  }
  /// Number of faces. It is the area of the boundary in units of a face, or its length in 2D.
  Index face_count() const;
};

/// All boundary faces. Cost: 2 Dim set operations.
/// @throws std::invalid_argument  if a cell ends at the end of the range of coordinates
template <int Dim>
BoundaryFaces<Dim> boundary(IntervalSet<Dim> const& set);

}  // namespace sparse
