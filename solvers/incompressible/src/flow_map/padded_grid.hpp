#pragma once
/// The storage of a staggered grid with cells around it for values beyond the boundary.

#include <array>

#include "grid/body.hpp"

namespace sparse::incompressible {
namespace detail {

/// [z + 1][y + 1] the positions in storage of the cells with the same x in neighbouring rows. In 2D, z is -1.
template <int Dim>
struct NearRows {
  Index position[Dim == 3 ? 4 : 1][4];
};

/// What kernels see of a padded grid.
template <int Dim>
struct PaddedView {
  GridView<Dim> grid;
  Index const* stored;       ///< [padded position] position in the grid of the cell, or of the cell it repeats; or -1
  Index const* padded;       ///< [position in the grid] the padded position
  std::uint8_t const* room;  ///< all cells within this distance (box) are fluid; at most `PaddedGrid::greatest_room`
  /// Component 2 (axis - 1): distance in storage to the cell before along an axis other than x. The next component:
  /// distance to the cell behind. 0 where there is no cell.
  FieldView<std::int32_t const> steps;
  bool has_images;  ///< whether some cells repeat others, across a period

  /// Whether the velocity on a face of the grid is given. @param position  in the grid
  KOKKOS_FORCEINLINE_FUNCTION bool is_given(int axis, Index position) const {
    int const kind = grid.kind(axis, position);
    return axis < Dim && kind >= FaceKind::boundary && grid.condition(kind).kind != BoundaryKind::outflow;
  }
  /// Rows -1 to 2 along each axis; in 3D without row (2, 2). Where a row has no such cell, the position is meaningless.
  KOKKOS_FORCEINLINE_FUNCTION NearRows<Dim> rows_near(Index position) const {
    NearRows<Dim> rows;
    constexpr int middle = Dim == 3 ? 1 : 0;
    auto& here = rows.position[middle];
    here[1] = position;
    here[0] = position + steps(0, position);
    here[2] = position + steps(1, position);
    here[3] = here[2] + steps(1, here[2]);
    if constexpr (Dim == 3) {
      SPARSE_UNROLL
      for (int y = 0; y < 4; ++y) {
        rows.position[0][y] = here[y] + steps(2, here[y]);
        rows.position[2][y] = here[y] + steps(3, here[y]);
      }
      SPARSE_UNROLL
      for (int y = 0; y < 3; ++y) rows.position[3][y] = rows.position[2][y] + steps(3, rows.position[2][y]);
      rows.position[3][3] = rows.position[2][3];
    }
    return rows;
  }
  /// The position of the cell at `offset`, if all cells on the way are fluid. For a periodic image, it is the position
  /// of the original cell.
  KOKKOS_FORCEINLINE_FUNCTION Index beside(Index position, Vec<int, Dim> const& offset) const {
    position += offset[0];
    SPARSE_UNROLL
    for (int axis = 1; axis < Dim; ++axis) {
      int const size = offset[axis] < 0 ? -offset[axis] : offset[axis], side = 2 * (axis - 1) + (offset[axis] > 0);
      std::int32_t const step = steps(side, position);  // read even if not needed: a branch would be slower
      position += size > 0 ? step : 0;
      for (int i = 1; i < size; ++i) position += steps(side, position);
    }
    return has_images ? padded[stored[position]] : position;
  }
};

/// One of the values whose weighted sum is a ghost value.
struct GhostSource {
  Index position;
  double mirrored, extended;  ///< weights: for mirror images, and for values that continue unchanged
};

/// The positions of ghosts, the sources of each ghost, and an offset that is added.
struct GhostList {
  Buffer<Index> target;
  Buffer<Count> first_source;
  Buffer<GhostSource> sources;
  Buffer<double> offset;
};

}  // namespace detail

/// How values continue beyond the boundary.
enum class Beyond {
  velocity,  ///< mirror images of the velocity inside at walls and inflows; it continues unchanged at outflows
  error,     ///< the same for the difference of two velocities: all walls are at rest
  force,     ///< the value inside continues unchanged, also on boundary faces
};

/// The storage of a staggered grid with two layers of cells around it. The layers hold ghost values, which are computed
/// from the values inside after each change. So samples of up to three values per axis need no other cells, and no
/// branches at boundaries.
template <int Dim>
class PaddedGrid {
public:
  static constexpr int greatest_room = 4;

  /// Cost: some passes over the cells, and one over the boundary with searches. Memory: 8 bytes per cell of the grid's
  /// storage, and 9 (3D: 17) + 8 per padded one.
  explicit PaddedGrid(StaggeredGrid<Dim> const& grid);

  StaggeredGrid<Dim> const& grid() const { return grid_; }
  IntervalSet<Dim> const& storage() const { return storage_; }
  detail::PaddedView<Dim> view() const;

  /// Copies velocities to components `first` to first + Dim - 1 of a padded field, and computes the ghost values.
  /// @param from  Dim components on the grid's storage, boundary values included
  /// @throws std::invalid_argument  if a field does not fit
  template <class T>
  void load_velocity(Field<T, Dim> const& from, Beyond beyond, Field<T, Dim>& to, int first = 0) const;
  /// The same for cell values. The values inside continue unchanged.
  template <class T>
  void load_cells(Field<T, Dim> const& from, Field<T, Dim>& to, int first = 0) const;
  /// Computes the ghost values of a padded velocity, or of padded cell values, from the values inside.
  template <class T>
  void extend_velocity(Beyond beyond, Field<T, Dim>& velocity, int first = 0) const;
  template <class T>
  void extend_cells(Field<T, Dim>& values, int first = 0) const;

private:
  template <class T>
  void extend(int component, Beyond beyond, T* values) const;
  void find_images();
  void find_room();

  StaggeredGrid<Dim> grid_;
  IntervalSet<Dim> storage_;
  Field<Index, Dim> stored_, padded_;
  Field<std::uint8_t, Dim> room_;
  Field<std::int32_t, Dim> steps_;
  Buffer<Index> images_;                                            // padded positions of periodic images
  std::array<std::array<detail::GhostList, Dim>, Dim + 1> ghosts_;  // [component, Dim: cells][axes away - 1]
  std::array<Buffer<Index>, Dim> boundary_, behind_boundary_;       // given faces, and the face inside of each
};

}  // namespace sparse::incompressible
