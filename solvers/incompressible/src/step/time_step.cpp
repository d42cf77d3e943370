#include <sparse/incompressible/step/time_step.hpp>

#include <cmath>
#include <limits>

#include "greatest_size.hpp"
#include "grid/body.hpp"

namespace sparse::incompressible {

template <class T, int Dim>
Vec<double, Dim> greatest_speeds(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Vec<double, Dim> speeds;
  for (int axis = 0; axis < Dim; ++axis)
    speeds[axis] = grid.body().greatest(detail::greatest_size(grid.body().all_faces(axis), velocity.component(axis)));
  return speeds;
}

template <class T, int Dim>
double greatest_value(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& values) {
  grid.expect_stored(values, 1, "cell field");
  return grid.body().greatest(detail::greatest_size(grid.body().computed_plan(Dim), values.component(0)));
}

template <class T, int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double cells,
                     Vec<double, Dim> const& acceleration) {
  return crossing_time(grid, greatest_speeds(grid, velocity), cells, acceleration);
}

template <int Dim>
double crossing_time(StaggeredGrid<Dim> const& grid, Vec<double, Dim> const& speeds, double cells,
                     Vec<double, Dim> const& acceleration) {
  double time = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < Dim; ++axis) {
    // Solves (speed + acceleration time) time = way.
    double const way = cells * grid.spacing()[axis], speed = speeds[axis];
    time = std::fmin(time, 2 * way / (speed + std::sqrt(speed * speed + 4 * acceleration[axis] * way)));
  }
  return time;
}

template <int Dim>
double diffusive_time_step(StaggeredGrid<Dim> const& grid, double viscosity) {
  expects(std::isfinite(viscosity) && viscosity >= 0, "incompressible: the viscosity must not be negative");
  if (viscosity == 0) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (int b = 0; b < Dim; ++b) sum += 1 / (grid.spacing()[b] * grid.spacing()[b]);
  return 1 / (2 * viscosity * sum);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template Vec<double, Dim> greatest_speeds(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                          \
  template double greatest_value(StaggeredGrid<Dim> const&, Field<T, Dim> const&);                                     \
  template double crossing_time(StaggeredGrid<Dim> const&, Field<T, Dim> const&, double, Vec<double, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
template double crossing_time(StaggeredGrid<2> const&, Vec<double, 2> const&, double, Vec<double, 2> const&);
template double crossing_time(StaggeredGrid<3> const&, Vec<double, 3> const&, double, Vec<double, 3> const&);
template double diffusive_time_step(StaggeredGrid<2> const&, double);
template double diffusive_time_step(StaggeredGrid<3> const&, double);

}  // namespace sparse::incompressible
