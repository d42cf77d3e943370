#pragma once
/// Velocities on faces from one level to the next: means, and pieces without divergence.

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible::detail {

/// Where the velocity of a level is stored: component a at the upper cells of faces normal to axis a.
template <int Dim>
struct FaceStore {
  IntervalSet<Dim> storage;
  FaceSets<Dim> faces;
  Periodicity<Dim> periodicity;
};

template <int Dim>
FaceStore<Dim> store_of(StaggeredGrid<Dim> const& grid);
/// The faces of some cells, images merged.
template <int Dim>
FaceSets<Dim> faces_of_cells(IntervalSet<Dim> const& cells, Periodicity<Dim> const& periodicity);
/// Storage for the velocity on all faces of some cells.
template <int Dim>
FaceStore<Dim> store_of_cells(IntervalSet<Dim> const& cells, Periodicity<Dim> const& periodicity);

/// Number of fine faces in a coarse one. Bit k of a part's number is its half along the k-th axis but the normal one.
template <int Dim>
inline constexpr int face_parts = 1 << (Dim - 1);
/// The k-th axis but `axis`.
KOKKOS_FORCEINLINE_FUNCTION constexpr int axis_beside(int axis, int k) { return k < axis ? k : k + 1; }
/// A fine face in a coarse one.
template <int Dim>
KOKKOS_FUNCTION Vec<Coord, Dim> part_of(int axis, Vec<Coord, Dim> const& coarse, int part) {
  auto face = 2 * coarse;
  for (int k = 0; k < Dim - 1; ++k) face[axis_beside(axis, k)] += (part >> k) & 1;
  return face;
}

/// A position in storage. In 32 bits lists take half as much memory, and are read in half the time; levels with more
/// cells are refused.
using StoredAt = std::int32_t;

/// A coarse face and the fine faces in it.
template <int Dim>
struct FaceFamily {
  std::int32_t axis;
  StoredAt coarse, fine[face_parts<Dim>];
};

/// Coarse faces that get the means of the fine faces in them.
template <int Dim>
class FaceMeans {
public:
  FaceMeans() = default;
  /// @param faces  coarse ones; all of them and all fine ones in them must be stored
  /// Cost: some searches per face, and a wait for one number.
  FaceMeans(FaceStore<Dim> const& coarse, FaceStore<Dim> const& fine, FaceSets<Dim> const& faces);

  /// @param coarse, fine  Dim components on the storages
  template <class T>
  void operator()(Field<T, Dim>& coarse, Field<T, Dim> const& fine) const;

private:
  Buffer<FaceFamily<Dim>> families_;
};

/// What is known of a velocity along sides of a level: by axis and side, faces with free slip, and faces where it is
/// given. Elsewhere it is continued linearly.
template <int Dim>
struct SideFaces {
  struct Given {
    IntervalSet<Dim> faces;
    Vec<double, Dim> velocity;
  };
  IntervalSet<Dim> slip[Dim][2];
  Given no_slip[Dim][2], inflow[Dim][2];
};

/// A coarse face, its parts, and the faces beside it along the other axes: negative where there is none.
template <int Dim>
struct SplitFace {
  static constexpr StoredAt open = -1, slip = -2, no_slip = -3, inflow = -4;  ///< what is beyond
  FaceFamily<Dim> family;
  StoredAt beside[2 * (Dim - 1)];
};

/// The faces of the children of a cell: on the cell's own faces, and between the children. By axis and part.
template <int Dim>
struct ChildFaces {
  StoredAt outer[Dim][2][face_parts<Dim>], inner[Dim][face_parts<Dim>];
};

/// Velocities of sides, half a cell beyond faces. By axis and side.
template <int Dim>
struct SideVelocities {
  Vec<double, Dim> no_slip[Dim][2], inflow[Dim][2];
};

/// Coarse cells whose children get velocities. The divergence of each child is that of its parent.
///
/// Parts of a coarse face have its velocity and half the slope along it. Beside a side the slope is that of the mirror
/// image, or of the parabola through the given value. Where fine faces have velocities already,
/// these stay; their mean must be that of the coarse face. Then the faces between children follow. Linear velocities
/// without divergence are exact. Source: Toth, Roe, Divergence- and curl-preserving prolongation and restriction
/// formulas, J. Comput. Phys. 180 (2002).
template <int Dim>
class FaceSplits {
public:
  FaceSplits() = default;
  /// @param parents  the coarse cells
  /// @param kept     coarse faces whose fine faces have velocities
  /// @param sides    of the coarse level
  /// Cost: dozens of searches per cell, and a wait for one number.
  FaceSplits(FaceStore<Dim> const& coarse, FaceStore<Dim> const& fine, IntervalSet<Dim> const& parents,
             FaceSets<Dim> const& kept, SideFaces<Dim> const& sides = {});

  /// @param spacing  of either level
  template <class T>
  void operator()(Field<T, Dim>& fine, Field<T, Dim> const& coarse, Vec<double, Dim> const& spacing) const;

private:
  Buffer<SplitFace<Dim>> faces_;
  Buffer<ChildFaces<Dim>> cells_;
  SideVelocities<Dim> of_sides_;
};

}  // namespace sparse::incompressible::detail
