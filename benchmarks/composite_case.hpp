#pragma once
/// The problem on several levels that bench_composite and hypre_composite solve.

#include <array>
#include <cmath>

#include <sparse/base/parallel.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/poisson/composite_problem.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

namespace composite_case {

using namespace sparse;

/// p = 0 on all sides of a square or cube.
template <int Dim>
std::array<IntervalSet<Dim>, Dim> sides_of(IntervalSet<Dim> const& leaves, Coord width) {
  std::array<IntervalSet<Dim>, Dim> sides;
  for (int axis = 0; axis < Dim; ++axis) {
    auto end = Vec<Coord, Dim>::filled(width);
    end[axis] = 1;
    auto const lower = box<Dim>(Vec<Coord, Dim>::filled(0), end);
    sides[static_cast<std::size_t>(axis)] = (lower & leaves) | shift(shift(lower, axis, width - 1) & leaves, axis, 1);
  }
  return sides;
}

/// Finer levels around a ball in the middle, each in 0.6 times the radius of the one before.
/// @param offset  of the finest level along each axis [cells of the one before]
template <int Dim>
poisson::CompositeProblem<Dim> levels_problem(Coord width, int finer, double offset = 0) {
  poisson::CompositeProblem<Dim> problem;
  problem.grid.spacing = Vec<double, Dim>::filled(1.0 / width);
  auto const count = static_cast<std::size_t>(finer);
  std::vector<IntervalSet<Dim>> refined(count);
  for (std::size_t l = count; l-- > 0;) {
    double const n = static_cast<double>(width) * std::pow(2.0, static_cast<double>(l));
    double const middle = 0.5 * n + (l + 1 == count ? offset : 0);
    refined[l] = ball<Dim>(Vec<double, Dim>::filled(middle), 0.3 * std::pow(0.6, static_cast<double>(l)) * n);
    if (l + 1 < count) refined[l] = refined[l] | coarsen(expand(refined[l + 1], 2));
  }
  problem.cells = {box<Dim>(Vec<Coord, Dim>::filled(0), Vec<Coord, Dim>::filled(width))};
  for (auto const& set : refined) problem.cells.push_back(refine(set));
  auto const leaves = poisson::leaves_of(problem.cells);
  for (std::size_t l = 0; l < leaves.size(); ++l) problem.dirichlet.push_back(sides_of(leaves[l], width << l));
  return problem;
}

/// A source that changes sign within some cells.
template <int Dim>
void set_source(Field<double, Dim>& field) {
  double* const values = field.view().data;
  parallel_for(
      field.context(), "sparse::bench::source", field.cell_count(),
      KOKKOS_LAMBDA(Index i) { values[i] = static_cast<double>((i * 2654435761) % 1024) / 512 - 1; });
}

}  // namespace composite_case
