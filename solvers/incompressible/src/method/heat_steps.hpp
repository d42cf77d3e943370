#pragma once
/// Transport of values over a time in which the velocity stays as it is.

#include <vector>

#include <sparse/incompressible/method/shared.hpp>

#include "gains.hpp"
#include "step/transport.hpp"

namespace sparse::incompressible::detail {

/// Takes equal steps of Runge and Kutta, as few as are stable. Memory: 2 values per cell if anything is transported.
template <class T, int Dim>
class HeatSteps {
public:
  /// @throws std::invalid_argument  if transport makes no sense
  HeatSteps(StaggeredGrid<Dim> const& grid, std::vector<Transport<Dim>> const& transported);

  std::size_t count() const { return transported_.size(); }
  Transport<Dim> const& transport(std::size_t i) const { return transported_[i]; }

  /// to = what becomes of a transported field in a time. @param to  may be `from`
  /// @param velocity  without divergence, boundary values included
  /// Cost: 3 passes over the cells per step, and one over the faces.
  void operator()(std::size_t i, Field<T, Dim> const& from, Field<T, Dim> const& velocity, double time,
                  Field<T, Dim>& to);

private:
  double longest_step(Field<T, Dim> const& velocity, double diffusivity) const;

  StaggeredGrid<Dim> grid_;
  std::vector<Transport<Dim>> transported_;
  CellTransport<Dim> transport_;
  std::vector<CellGains<Dim>> gains_;
  Field<T, Dim> after_[2];  // [stage]
};

}  // namespace sparse::incompressible::detail
