#pragma once
/// Velocities and cell values at any point of the fluid.

#include <cmath>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// A point of the fluid: the position of a cell in storage, and where in the cell the point is, from 0 to 1 on each
/// axis.
template <class T, int Dim>
struct Place {
  Index position;
  Vec<T, Dim> at;
};

/// 2^Dim values around a point: bit a of a value's number says whether it is the second one along axis a.
template <class T, int Dim>
struct Corners {
  T value[1 << Dim];
  Vec<T, Dim> share;  ///< of the second ones, 0 to 1

  /// The multilinear mean; exactly the value of all corners where they agree.
  KOKKOS_FORCEINLINE_FUNCTION T mean() const {
    T v[1 << Dim];
    SPARSE_UNROLL
    for (int i = 0; i < 1 << Dim; ++i) v[i] = value[i];
    SPARSE_UNROLL
    for (int axis = Dim - 1; axis >= 0; --axis) {
      SPARSE_UNROLL
      for (int i = 0; i < 1 << axis; ++i) v[i] += share[axis] * (v[i + (1 << axis)] - v[i]);
    }
    return v[0];
  }
  KOKKOS_FORCEINLINE_FUNCTION T least() const {
    T result = value[0];
    SPARSE_UNROLL
    for (int i = 1; i < 1 << Dim; ++i) result = value[i] < result ? value[i] : result;
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION T greatest() const {
    T result = value[0];
    SPARSE_UNROLL
    for (int i = 1; i < 1 << Dim; ++i) result = value[i] > result ? value[i] : result;
    return result;
  }
};

namespace detail {

/// Component `component` of velocity around a place, or cell values for component Dim. `values` are those of the
/// component alone.
///
/// Along its own axis a component has values on both sides of the cell. Along the others the value beyond half a cell
/// is that of the next face, or where there is none, because a wall is in between, the wall's mirror image. Of cell
/// values, the mirror image is the value inside.
template <class T, int Dim>
KOKKOS_FUNCTION Corners<T, Dim> corners_at(GridView<Dim> const& grid, T const* values, int component,
                                           Place<T, Dim> const& place) {
  Corners<T, Dim> corners{};
  bool is_upper[Dim];  // whether the second corner along an axis lies above the first
  Mirror mirror[Dim];
  int walls = 0;  // bit b: a boundary face lies in between
  for (int b = 0; b < Dim; ++b) {
    is_upper[b] = true;
    corners.share[b] = place.at[b];
    if (b == component) continue;
    T const from_middle = place.at[b] - T(0.5);
    is_upper[b] = from_middle >= 0;
    corners.share[b] = is_upper[b] ? from_middle : -from_middle;
    int const kind = grid.kind(b, is_upper[b] ? grid.beside(place.position, b, true) : place.position);
    if (kind < FaceKind::boundary) continue;
    walls |= 1 << b;
    mirror[b] = component < Dim ? mirror_of(grid.condition(kind), component) : Mirror{1, 0};
  }
  int const own = component < Dim ? 1 << component : 0;
  Index position[1 << Dim] = {place.position};
  corners.value[0] = values[place.position];
  for (int corner = 1; corner < 1 << Dim; ++corner) {
    position[corner] = -1;  // unless it lies beside one that is there
    for (int b = 0; b < Dim && position[corner] < 0; ++b) {
      Index const before = (corner >> b) & 1 ? position[corner & ~(1 << b)] : -1;
      if (before >= 0) position[corner] = grid.beside(before, b, is_upper[b]);
    }
    int const across = corner & ~own, behind_walls = across & walls;
    if (grid.kind(component, position[corner]) != FaceKind::absent) {
      corners.value[corner] = values[position[corner]];
    } else if (behind_walls != 0) {
      T value = corners.value[corner & ~behind_walls];
      for (int b = 0; b < Dim; ++b)
        if ((behind_walls >> b) & 1) value = static_cast<T>(mirror[b].slope) * value + static_cast<T>(mirror[b].offset);
      corners.value[corner] = value;
    } else {  // only the corner itself is missing, not what lies beside it
      T sum = 0;
      int count = 0;
      for (int b = 0; b < Dim; ++b)
        if ((across >> b) & 1) {
          sum += corners.value[corner & ~(1 << b)];
          ++count;
        }
      corners.value[corner] = sum / static_cast<T>(count);
    }
  }
  return corners;
}

template <class T, int Dim>
KOKKOS_FUNCTION Vec<T, Dim> velocity_at(GridView<Dim> const& grid, FieldView<T const> velocity,
                                        Place<T, Dim> const& place) {
  Vec<T, Dim> result;
  for (int a = 0; a < Dim; ++a) result[a] = corners_at(grid, velocity.data + a * velocity.stride, a, place).mean();
  return result;
}

/// The same for places near a deep cell, by constant distances in memory.
template <class T, int Dim>
struct DeepPoint {
  using Grid = StaggeredGrid<Dim>;
  RunPoint<Dim, 1 + Grid::reach_rows> const& point;

  /// @param at  seen from the lower corner of the cell, in cells; between -3/2 and 5/2
  KOKKOS_FORCEINLINE_FUNCTION Corners<T, Dim> corners_at(T const* values, int component, Vec<T, Dim> const& at) const {
    Corners<T, Dim> corners;
    int first[Dim];
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const x = b == component ? at[b] : at[b] - T(0.5), base = std::floor(x);
      corners.share[b] = x - base;
      first[b] = static_cast<int>(base);
    }
    int row = 1 + Grid::reach + first[1];
    if constexpr (Dim == 3) row += Grid::reach_width * (Grid::reach + first[2]);
    SPARSE_UNROLL
    for (int corner = 0; corner < 1 << Dim; ++corner) {
      int const up = ((corner >> 1) & 1) + (Dim == 3 ? Grid::reach_width * ((corner >> 2) & 1) : 0);
      corners.value[corner] = values[point.operand(row + up) + first[0] + (corner & 1)];
    }
    return corners;
  }
  KOKKOS_FORCEINLINE_FUNCTION Vec<T, Dim> velocity_at(FieldView<T const> velocity, Vec<T, Dim> const& at) const {
    Vec<T, Dim> result;
    SPARSE_UNROLL
    for (int a = 0; a < Dim; ++a) result[a] = corners_at(velocity.data + a * velocity.stride, a, at).mean();
    return result;
  }
};

}  // namespace detail

/// Velocity at points in space, multilinear between the faces of each component, in host memory; beside walls it goes
/// to what the wall says (no-slip, moving), or does not change (free slip, outflow).
/// @param points  in the units of the grid's spacing
/// @throws std::invalid_argument  naming the first point that is in no cell of the fluid, or if the field does not fit
template <class T, int Dim>
std::vector<Vec<T, Dim>> sample_velocity(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                                         std::vector<Vec<double, Dim>> const& points);

/// Values of the cells at points, likewise. @param values  one component on the grid's storage
template <class T, int Dim>
std::vector<T> sample_cells(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values,
                            std::vector<Vec<double, Dim>> const& points);

}  // namespace sparse::incompressible
