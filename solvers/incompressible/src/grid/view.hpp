#pragma once
/// What kernels see of a staggered grid: the places of values, and the kinds of faces.

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/grid/boundary.hpp>

namespace sparse::incompressible {

/// What a face, or a cell, is.
struct FaceKind {
  static constexpr int absent = 0;    ///< of no cell of the fluid
  static constexpr int open = 1;      ///< between two cells of the fluid; a cell: of the fluid
  static constexpr int boundary = 2;  ///< on the boundary, in no part; + 1, + 2, ... in the parts
};

/// What holds in one part of the boundary.
template <int Dim>
struct Condition {
  BoundaryKind kind;
  Vec<double, Dim> velocity;
  bool has_temperature = false;
  double temperature = 0;
};

/// A cell's values are at the position of the cell in storage. Component a of velocity there belongs to the lower face
/// normal to axis a. That of the upper face is at the position of the next cell.
template <int Dim>
struct GridView {
  SetView storage;
  FieldView<std::uint8_t const> kinds;  ///< component a: of faces normal to axis a; component Dim: of cells
  /// Component 2 a, 2 a + 1: distance in storage to the cells before and behind along axis a, 0 if they are not there.
  FieldView<std::int32_t const> steps;
  Condition<Dim> const* conditions;  ///< [kind - FaceKind::boundary]
  Vec<double, Dim> origin, spacing;
  Index const* row_table;  ///< [y, z] the row of storage or -1; none if rows lie too far apart
  Vec<Coord, Dim> table_begin, table_size;
  Periodicity<Dim> periodicity;

  /// The position of a cell in storage, or of the same cell across a period; -1 if there is none. Cost: a search in one
  /// row, which mostly has one interval.
  KOKKOS_FORCEINLINE_FUNCTION Index find(Vec<Coord, Dim> cell) const {
    cell = periodicity.stored(cell);
    if (row_table == nullptr) return storage.find(cell);
    Index at = 0;
    SPARSE_UNROLL
    for (int axis = Dim - 1; axis > 0; --axis) {
      Coord const step = cell[axis] - table_begin[axis];
      if (step < 0 || step >= table_size[axis]) return -1;
      at = at * table_size[axis] + step;
    }
    return storage.find_in_row(row_table[at], cell[0]);
  }
  /// The position of the cell beside the one at a position, or -1.
  KOKKOS_FORCEINLINE_FUNCTION Index beside(Index position, int axis, bool is_upper) const {
    std::int32_t const step = steps(2 * axis + (is_upper ? 1 : 0), position);
    return step == 0 ? -1 : position + step;
  }
  KOKKOS_FORCEINLINE_FUNCTION int kind(int axis, Index position) const {
    return position < 0 ? FaceKind::absent : static_cast<int>(kinds(axis, position));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_fluid(Index position) const { return kind(Dim, position) == FaceKind::open; }
  /// Of a boundary face.
  KOKKOS_FORCEINLINE_FUNCTION Condition<Dim> const& condition(int kind) const {
    return conditions[kind - FaceKind::boundary];
  }
};

/// The mirror image of a velocity component along a boundary face: `slope` times the value inside, plus `offset`. So on
/// the face it is that of the wall, or it does not change across the face.
struct Mirror {
  double slope, offset;
};
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Mirror mirror_of(Condition<Dim> const& condition, int component) {
  bool const is_given = condition.kind == BoundaryKind::no_slip || condition.kind == BoundaryKind::inflow;
  return {is_given ? -1.0 : 1.0, is_given ? 2 * condition.velocity[component] : 0.0};
}

}  // namespace sparse::incompressible
