#pragma once
/// What kernels see of a staggered grid: positions of values, and kinds of faces.

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/grid/boundary.hpp>

namespace sparse::incompressible {

/// The kind of a face or of a cell.
struct FaceKind {
  static constexpr int absent = 0;    ///< beside no cell of the fluid; a cell: not of the fluid
  static constexpr int open = 1;      ///< between two cells of the fluid; a cell: of the fluid
  static constexpr int boundary = 2;  ///< on the boundary, in no part; + 1, + 2, ... in the domain's parts
};

/// The boundary condition of one part.
template <int Dim>
struct Condition {
  BoundaryKind kind;
  Vec<double, Dim> velocity;
  bool has_temperature = false;
  double temperature = 0;
};

/// The values of a cell are at its position in storage. Component a of velocity at this position belongs to the cell's
/// lower face normal to axis a. The upper face is stored at the position of the next cell.
template <int Dim>
struct GridView {
  SetView storage;
  FieldView<std::uint8_t const> kinds;  ///< component a: of faces normal to axis a; component Dim: of cells
  /// Component 2 a: distance in storage to the cell before along axis a. Component 2 a + 1: to the cell behind. 0 if
  /// there is no such cell.
  FieldView<std::int32_t const> steps;
  Condition<Dim> const* conditions;  ///< [kind - FaceKind::boundary]
  Vec<double, Dim> origin, spacing;
  Index const* row_table;  ///< [y, z] the row of storage or -1; nullptr if rows lie too far apart
  Vec<Coord, Dim> table_begin, table_size;
  Periodicity<Dim> periodicity;

  /// The position of a cell in storage; a periodic image has the position of its original. -1 if there is none. Cost: a
  /// search in one row, which mostly has one interval.
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
  /// The position of the neighbour of the cell at a position, or -1.
  KOKKOS_FORCEINLINE_FUNCTION Index beside(Index position, int axis, bool is_upper) const {
    std::int32_t const step = steps(2 * axis + (is_upper ? 1 : 0), position);
    return step == 0 ? -1 : position + step;
  }
  KOKKOS_FORCEINLINE_FUNCTION int kind(int axis, Index position) const {
    return position < 0 ? FaceKind::absent : static_cast<int>(kinds(axis, position));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_fluid(Index position) const { return kind(Dim, position) == FaceKind::open; }
  /// The condition of a boundary face of this kind.
  KOKKOS_FORCEINLINE_FUNCTION Condition<Dim> const& condition(int kind) const {
    return conditions[kind - FaceKind::boundary];
  }
};

/// The mirror image of a velocity component along a boundary face: `slope` times the value inside, plus `offset`. The
/// mean of both is the velocity of the wall, or both are equal.
struct Mirror {
  double slope, offset;
};
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Mirror mirror_of(Condition<Dim> const& condition, int component) {
  bool const is_given = condition.kind == BoundaryKind::no_slip || condition.kind == BoundaryKind::inflow;
  return {is_given ? -1.0 : 1.0, is_given ? 2 * condition.velocity[component] : 0.0};
}

}  // namespace sparse::incompressible
