#pragma once
/// What happens to a step whose values are not finite.

#include <vector>

#include <sparse/incompressible/grid/state.hpp>

#include "step/projection.hpp"

namespace sparse::incompressible::detail {

/// Reports a step that cannot be taken. A face or cell that was not finite before the step comes first, then one of
/// the values that the step has made so far; of these the first in storage. If all are finite, the pressure is not.
/// @param velocity, carried  of the step; on the grid's storage
/// @throws std::runtime_error  always
template <class T, int Dim>
[[noreturn]] void fail_not_finite(StaggeredGrid<Dim> const& grid, State<T, Dim> const& before,
                                  Field<T, Dim> const& velocity, std::vector<Field<T, Dim>> const& carried);

/// Throws as `fail_not_finite` unless the carried values of a step are finite in the fluid. Cost: a pass over each.
template <class T, int Dim>
void expect_finite(StaggeredGrid<Dim> const& grid, State<T, Dim> const& before, Field<T, Dim> const& velocity,
                   std::vector<Field<T, Dim>> const& carried);

/// Projects the velocity of a step. Throws as `fail_not_finite` if that cannot be done, and has changed no velocity
/// then.
template <class T, int Dim>
poisson::Report project(Projection<T, Dim>& projection, Field<T, Dim>& velocity, Field<T, Dim>& pressure,
                        double time_step, StaggeredGrid<Dim> const& grid, State<T, Dim> const& before,
                        std::vector<Field<T, Dim>> const& carried) {
  try {
    return projection.project(velocity, pressure, time_step);
  } catch (NotFinite const&) {
    fail_not_finite(grid, before, velocity, carried);
  }
}

}  // namespace sparse::incompressible::detail
