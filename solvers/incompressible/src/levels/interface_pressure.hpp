#pragma once
/// The gradient of pressure at the fine faces of interfaces between levels.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/poisson/composite_problem.hpp>

#include "level_grid.hpp"

namespace sparse::incompressible::detail {

/// A face between a leaf and a ghost, in the grid's storage.
struct InterfaceFace {
  std::int32_t axis;
  StoredAt in_storage;
};
/// The cells around it in the grid's fluid, and its position among the faces of interfaces normal to the same axis.
struct AroundInterfaceFace {
  StoredAt below, above, in_gradient;
};

/// The faces between leaves and ghosts of a level, and the gradient of a pressure there.
///
/// Kernels for a single level take the difference of pressures, also at these faces, where one cell is a ghost. What
/// they do is corrected afterwards, by what the gradient is more than that.
template <class T, int Dim>
class InterfacePressure {
public:
  InterfacePressure() = default;
  /// Cost: some searches per face.
  InterfacePressure(StaggeredGrid<Dim> const& grid, LevelCells<Dim> const& cells,
                    std::array<Field<T, Dim>, Dim> const& gradient);

  /// Whether it was made for a gradient on the same sets. No cost.
  bool fits(std::array<Field<T, Dim>, Dim> const& gradient) const;
  /// Takes over the gradient of a pressure from that on the faces of interfaces.
  /// @param pressure  on the grid's fluid
  void set(std::array<Field<T, Dim>, Dim> const& gradient, Field<T, Dim> const& pressure,
           Vec<double, Dim> const& spacing);
  /// Replaces what a kernel has subtracted, time (above - below) / spacing of that pressure, by time gradient.
  void correct(Field<T, Dim>& velocity, double time) const;

private:
  std::array<IntervalSet<Dim>, Dim> of_gradient_;
  Buffer<InterfaceFace> faces_;
  Buffer<AroundInterfaceFace> around_;
  Buffer<T> excess_;  // of the gradient over the difference of pressures
};

}  // namespace sparse::incompressible::detail
