#pragma once
/// Fluid that is driven inside the flow, as by a fan.

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::incompressible {

/// Cells whose fluid gets a velocity between steps. The next step's projection takes the divergence out again: fluid is
/// drawn in behind the cells and leaves them in front.
template <int Dim>
class Jet {
public:
  /// @param cells  part of the fluid; faces between two of them are driven, and faces between one and other fluid
  /// @param edges  faces at the edge of the grid with fluid beyond that the grid does not have
  Jet(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& cells, FaceSets<Dim> const& edges = {});

  /// Sets the velocity on the faces of the cells. Cost: a pass over them. Does not wait.
  /// @param field     Dim components on the grid's storage; its domain is not checked
  /// @param velocity  [length / time]
  /// @throws std::invalid_argument  if the field has less components
  template <class T>
  void drive(Field<T, Dim>& field, Vec<double, Dim> const& velocity) const;

private:
  Subset<Dim> faces_[Dim];
};

}  // namespace sparse::incompressible
