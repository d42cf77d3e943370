#pragma once
/// The problems of poisson_cases.hpp as sparse has them.

#include <cmath>

#include <sparse/poisson/problem.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "poisson_cases.hpp"

namespace poisson_cases {

template <int Dim>
sparse::poisson::Problem<Dim> problem_of(Problem const& given) {
  sparse::Vec<sparse::Coord, Dim> size, origin{};
  sparse::Vec<double, Dim> center;
  sparse::poisson::Problem<Dim> problem;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    size[axis] = given.cells[a];
    center[axis] = given.solid_center[a];
    problem.grid.spacing[axis] = 1 / std::sqrt(given.coupling[a]);
  }
  problem.cells = sparse::box<Dim>(origin, size);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& is_dirichlet = given.is_dirichlet[static_cast<std::size_t>(axis)];
    for (int const side : {0, 1}) {
      sparse::Vec<sparse::Coord, Dim> begin{}, end = size;
      begin[axis] = side * size[axis];
      end[axis] = begin[axis] + 1;
      auto& faces = problem.dirichlet[static_cast<std::size_t>(axis)];
      if (is_dirichlet[static_cast<std::size_t>(side)]) faces = faces | sparse::box<Dim>(begin, end);
    }
  }
  if (given.solid_radius > 0) problem.cells -= sparse::ball<Dim>(center, given.solid_radius);
  return problem;
}

}  // namespace poisson_cases
