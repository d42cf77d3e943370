#include "cut_convection.hpp"

#include <sparse/base/parallel.hpp>

#include "grid/body.hpp"

namespace sparse::incompressible::detail {
namespace {

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
    double const over = time_step / face.share;
    double excess = over * balance.viscous_rate - time_step * open_rate;
    if (excess < 0) excess = 0;
    double const carried = over * balance.carried_rate - 1;
    if (carried > 0) excess += carried;
    double const slope = gradient_at(face, pressure, spacing[axis]), by_pressure = time_step * slope;
    auto const here = static_cast<double>(velocity(axis, face.position)),
               before = static_cast<double>(start(axis, face.position));
    double const change =
        over * balance.gain + time_step * acceleration - by_pressure + how.of_change * excess * (here - before);
    double const value = here + change / (1 + how.damping * excess) + by_pressure;
    to(axis, face.position) = static_cast<T>(of_start * before + (1 - of_start) * value - pressure_time * slope);
  }
};

}  // namespace

template <class T, int Dim>
void convect_at_cuts(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double time_step,
                     VelocityTerms<Dim> const& terms, CutStep const& how, Stage<T, Dim> const& stage,
                     Field<T, Dim>& to) {
  if (!grid.has_curved_walls()) return;
  auto const& spacing = grid.spacing();
  double open_rate = 0;
  for (int b = 0; b < Dim; ++b) open_rate += 2 * terms.viscosity / (spacing[b] * spacing[b]);
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
                                CutStep const&, Stage<T, Dim> const&, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
