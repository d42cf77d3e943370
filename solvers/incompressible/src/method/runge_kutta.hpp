#pragma once
/// The explicit part of a SMAC step, by a method of Runge and Kutta.

#include <vector>

#include <sparse/incompressible/method/smac.hpp>

#include "gains.hpp"
#include "step/convection.hpp"
#include "step/transport.hpp"

namespace sparse::incompressible::detail {

/// Three stages of Shu and Osher, of third order by themselves. In each acts the gradient of the last pressure, so with
/// one projection at the end the order is two.
///
/// Transported values go along with velocities that have no divergence, so constants stay constant, and nothing is
/// lost: those of this and the last step, extrapolated to the times of the stages. Memory: Dim values per cell, and 2
/// for each transported field.
/// Source: Shu, Osher, Efficient implementation of essentially non-oscillatory shock-capturing schemes, J. Comput.
/// Phys. 77 (1988).
template <class T, int Dim>
class RungeKutta {
public:
  RungeKutta(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options);

  /// Makes the velocity before the projection, without the pressure's part, and transports values.
  /// @param gains          [transported]
  /// @param ratio          of this time step to the last one, 0 if there is none
  /// @param[out] carried   as in the state; the transported ones are written
  /// @param[in,out] other  the last velocity, then the new one
  void operator()(Convection<Dim> const& convection, CellTransport<Dim> const& transport,
                  std::vector<CellGains<Dim>> const& gains, State<T, Dim> const& state, double time_step, double ratio,
                  std::vector<Field<T, Dim>>& carried, Field<T, Dim>& other);

private:
  struct Values {
    Field<T, Dim> after[2];  // [stage]
  };
  void carry(CellTransport<Dim> const& transport, std::vector<CellGains<Dim>> const& gains, State<T, Dim> const& state,
             double time_step, double ratio, Field<T, Dim> const& last_velocity, std::vector<Field<T, Dim>>& to);
  /// What has buoyancy in a stage.
  Field<T, Dim> const& values_in(State<T, Dim> const& state, std::size_t carried, int stage) const;

  StaggeredGrid<Dim> grid_;
  SmacOptions<Dim> options_;
  Field<T, Dim> between_;       // velocity
  std::vector<Values> values_;  // [transported]
};

}  // namespace sparse::incompressible::detail
