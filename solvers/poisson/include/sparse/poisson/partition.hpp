#pragma once
/// How ranks share a Poisson problem.

#include <sparse/poisson/problem.hpp>

namespace sparse::poisson {

/// The cut of a problem's cells, and of those of its coarser levels, that all solvers of the problem use. Its cell 0
/// is at the lowest coordinates of the problem's cells.
/// Cost: that of a partition.
/// @throws std::invalid_argument  if no ranks share the problem, or it has no cells
template <int Dim>
distributed::Partition<Dim> partition_of(Problem<Dim> const& problem);

}  // namespace sparse::poisson
