#include "pressure_problem.hpp"

#include "body.hpp"
#include "cut_shares.hpp"
#include "ranks.hpp"

namespace sparse::incompressible {

template <int Dim>
poisson::Problem<Dim> pressure_problem(StaggeredGrid<Dim> const& grid) {
  if (auto const& ranks = grid.body().ranks) return ranks->pressure();
  poisson::Problem<Dim> problem;
  problem.cells = grid.fluid();
  problem.grid = grid.space();
  problem.period = grid.domain().period;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    problem.dirichlet[a] = grid.faces_of(BoundaryKind::outflow, axis);
    if (grid.has_curved_walls())
      problem.face_coefficient[a] =
          std::make_shared<Field<double, Dim> const>(detail::pressure_coefficients(grid, axis));
  }
  return problem;
}

template poisson::Problem<2> pressure_problem(StaggeredGrid<2> const&);
template poisson::Problem<3> pressure_problem(StaggeredGrid<3> const&);

}  // namespace sparse::incompressible
