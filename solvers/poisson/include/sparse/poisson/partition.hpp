#pragma once
/// How ranks share a Poisson problem.

#include <vector>

#include <sparse/poisson/composite_problem.hpp>

namespace sparse::poisson {

/// The cut of a problem's cells, and of those of its coarser levels, that all solvers of the problem use. Its cell 0
/// is at the lowest coordinates of the problem's cells.
/// Cost: that of a partition.
/// @throws std::invalid_argument  if no ranks share the problem, or it has no cells
template <int Dim>
distributed::Partition<Dim> partition_of(Problem<Dim> const& problem);
/// The cut of each level of a composite problem. Children of a cell have one owner. Cell 0 of level 0 is at the lowest
/// coordinates of that level; cells of other levels have their own coordinates.
/// @throws std::invalid_argument  if no ranks share the problem, or a level has no cells
template <int Dim>
std::vector<distributed::Partition<Dim>> partitions_of(CompositeProblem<Dim> const& problem);

}  // namespace sparse::poisson
