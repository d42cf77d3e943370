#pragma once
/// What sources and given heat fluxes bring to cells.

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/incompressible/method/shared.hpp>

namespace sparse::incompressible {

/// The gain per time of each cell that has one. It does not depend on values or on time.
template <int Dim>
class CellGains {
public:
  struct Gain {
    Index position;  // in storage
    double rate;     // [value / time]
  };

  /// Cost: a call of each profile per cell of its source, on the host.
  /// @throws std::invalid_argument  if a source has no cells in the fluid, or a strength is not finite
  CellGains(StaggeredGrid<Dim> const& grid, Transport<Dim> const& transport);

  /// values += time gain. @param values  one component on the grid's storage
  /// @throws std::invalid_argument  if the field does not fit
  template <class T>
  void add(double time, Field<T, Dim>& values) const;

private:
  StaggeredGrid<Dim> grid_;
  Buffer<Gain> gains_;
};

}  // namespace sparse::incompressible
