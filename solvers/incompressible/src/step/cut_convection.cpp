#include "cut_convection.hpp"

#include <sparse/base/parallel.hpp>

#include "grid/body.hpp"

namespace sparse::incompressible::detail {
namespace {

/// The rates beyond those of the open grid, times the time step.
/// @param over  time step over open share
KOKKOS_FORCEINLINE_FUNCTION double excess_of(CutBalance const& balance, double over, double open) {
  double const viscous = over * balance.viscous_rate - open, carried = over * balance.carried_rate - 1;
  return (viscous > 0 ? viscous : 0) + (carried > 0 ? carried : 0);
}

/// The decay by viscosity in the open grid [1 / time].
template <int Dim>
double open_rate_of(double viscosity, Vec<double, Dim> const& spacing) {
  double rate = 0;
  for (int b = 0; b < Dim; ++b) rate += 2 * viscosity / (spacing[b] * spacing[b]);
  return rate;
}

template <class T, int Dim>
struct ConvectAtCuts {
  CutFace<Dim> const* faces;
  FieldView<T const> velocity;
  T const* pressure;
  FieldView<T> to;
  FieldView<T const> start;
  double of_start, pressure_time;
  int axis;
  double time_step, viscosity, acceleration;
  CutStep how;
  double open_rate;  // of viscosity, in the open grid [1 / time]
  Vec<double, Dim> spacing;

  KOKKOS_FUNCTION void operator()(Index i) const {
    CutFace<Dim> const& face = faces[i];
    auto const balance = balance_of<T, Dim>(face, velocity, axis, spacing, viscosity, how.upstream);
    double const over = time_step / face.share, excess = excess_of(balance, over, time_step * open_rate);
    double const slope = gradient_at(face, pressure, spacing[axis]), by_pressure = time_step * slope;
    auto const here = static_cast<double>(velocity(axis, face.position)),
               before = static_cast<double>(start(axis, face.position));
    double const change =
        over * balance.gain + time_step * acceleration - by_pressure + how.of_change * excess * (here - before);
    double const value = here + change / (1 + how.damping * excess) + by_pressure;
    to(axis, face.position) = static_cast<T>(of_start * before + (1 - of_start) * value - pressure_time * slope);
  }
};

/// Takes back the part of a gain by buoyancy by which it must be divided.
template <class T, int Dim>
struct DampBuoyancy {
  CutFace<Dim> const* faces;
  GridView<Dim> grid;
  FieldView<T const> velocity;
  T const* values;
  T* to;
  int axis;
  double time_step, gain, viscosity, open_rate;  // gain: acceleration time
  CutStep how;
  Vec<double, Dim> spacing;

  KOKKOS_FUNCTION void operator()(Index i) const {
    CutFace<Dim> const& face = faces[i];
    auto const balance = balance_of<T, Dim>(face, velocity, axis, spacing, viscosity, how.upstream);
    double const excess = excess_of(balance, time_step / face.share, time_step * open_rate);
    double const value = 0.5 * (static_cast<double>(values[face.position]) +
                                static_cast<double>(values[grid.beside(face.position, axis, false)]));
    to[face.position] -= static_cast<T>(gain * value * (1 - 1 / (1 + how.damping * excess)));
  }
};

}  // namespace

template <class T, int Dim>
void damp_buoyancy_at_cuts(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values,
                           Vec<double, Dim> const& acceleration, Field<T, Dim> const& from, double time_step,
                           double part, VelocityTerms<Dim> const& terms, CutStep const& how, Field<T, Dim>& to) {
  if (!grid.has_curved_walls()) return;
  for (int axis = 0; axis < Dim; ++axis) {
    if (acceleration[axis] == 0) continue;
    auto const& faces = grid.body().cut.faces[static_cast<std::size_t>(axis)];
    parallel_for(grid.context(), "sparse::incompressible::damp_buoyancy_at_cuts", faces.size(),
                 DampBuoyancy<T, Dim>{faces.data(), grid.body().view(), from.view(), values.component(0),
                                      to.component(axis), axis, time_step, part * time_step * acceleration[axis],
                                      terms.viscosity, open_rate_of(terms.viscosity, grid.spacing()), how,
                                      grid.spacing()});
  }
}

template <class T, int Dim>
void convect_at_cuts(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double time_step,
                     VelocityTerms<Dim> const& terms, CutStep const& how, Stage<T, Dim> const& stage,
                     Field<T, Dim>& to) {
  if (!grid.has_curved_walls()) return;
  auto const& spacing = grid.spacing();
  double const open_rate = open_rate_of(terms.viscosity, spacing);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = grid.body().cut.faces[static_cast<std::size_t>(axis)];
    parallel_for(grid.context(), "sparse::incompressible::convect_at_cuts", faces.size(),
                 ConvectAtCuts<T, Dim>{faces.data(), velocity.view(), stage.pressure.component(0), to.view(),
                                       stage.start.view(), stage.of_start, stage.pressure_time, axis, time_step,
                                       terms.viscosity, terms.acceleration[axis], how, open_rate, spacing});
  }
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void convect_at_cuts(StaggeredGrid<Dim> const&, Field<T, Dim> const&, double, VelocityTerms<Dim> const&,    \
                                CutStep const&, Stage<T, Dim> const&, Field<T, Dim>&);                                 \
  template void damp_buoyancy_at_cuts(StaggeredGrid<Dim> const&, Field<T, Dim> const&, Vec<double, Dim> const&,        \
                                      Field<T, Dim> const&, double, double, VelocityTerms<Dim> const&, CutStep const&, \
                                      Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
