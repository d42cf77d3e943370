#pragma once
/// Solvers of hypre. Needs `sparse::hypre`, which is built with `SPARSE_HYPRE`.

#include <sparse/distributed/assembled.hpp>

namespace sparse::distributed {

/// Conjugate gradients with hypre's algebraic multigrid (BoomerAMG), for symmetric positive semi-definite matrices.
///
/// Ranks are those of `MpiWorld`. A process that has not started MPI starts it here, for one rank; it then cannot make
/// an `MpiWorld` any more. Cost: hypre keeps a copy of the matrix and of some four coarser ones, some hundred bytes per
/// row and entry. Source: Henson, Yang, BoomerAMG, Applied Numerical Mathematics 41 (2002).
/// @throws std::invalid_argument  on all ranks, if the team is not that of all ranks of MPI, or there are more rows or
///                                entries than hypre's integers count
/// @throws std::runtime_error     if hypre reports an error
std::unique_ptr<AssembledSolver> hypre(Team* team, MatrixRows const& rows);

}  // namespace sparse::distributed
