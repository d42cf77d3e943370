#include "start_stage.hpp"

#include <cmath>

#include "shu_osher.hpp"
#include "step/buoyancy.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
void take_start_stage(StaggeredGrid<Dim> const& grid, Convection<Dim> const& convection, State<T, Dim> const& state,
                      StartForces<Dim> const& forces, double time_step, Field<T, Dim>& to) {
  VelocityTerms<Dim> const terms{forces.viscosity, 0, {}};
  Stage<T, Dim> const how{state.velocity, 0, state.pressure, 0, forces.upstream};
  convection(state.velocity, time_step, terms, how, to);
  convect_at_cuts(grid, state.velocity, time_step, terms, ShuOsher::at_cuts(0, forces.upstream), how, to);
  add_acceleration(grid, forces.acceleration, time_step, to);
  for (auto const& one : forces.buoyancy)
    add_buoyancy(grid, state.carried[one.carried], one.acceleration, time_step, to);
}

double start_time_step(double longest) { return std::isfinite(longest) ? longest : 1; }

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void take_start_stage(StaggeredGrid<Dim> const&, Convection<Dim> const&, State<T, Dim> const&,              \
                                 StartForces<Dim> const&, double, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
#undef SPARSE_DEFINE

}  // namespace sparse::incompressible::detail
