#pragma once
/// hypre's algebraic multigrid with the settings that were fastest of those tried.

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>

namespace sparse::distributed {

/// One V-cycle as a preconditioner.
inline HYPRE_Solver boomer_amg() {
  HYPRE_Solver cycle = nullptr;
  HYPRE_BoomerAMGCreate(&cycle);
  HYPRE_BoomerAMGSetMaxIter(cycle, 1);
  HYPRE_BoomerAMGSetTol(cycle, 0);
  HYPRE_BoomerAMGSetCoarsenType(cycle, 10);  // HMIS
  HYPRE_BoomerAMGSetInterpType(cycle, 6);    // extended + i
  HYPRE_BoomerAMGSetPMaxElmts(cycle, 4);
  HYPRE_BoomerAMGSetStrongThreshold(cycle, 0.25);
  HYPRE_BoomerAMGSetRelaxType(cycle, 6);  // symmetric Gauss-Seidel within a rank, Jacobi between ranks
  HYPRE_BoomerAMGSetRelaxOrder(cycle, 0);
  return cycle;
}

}  // namespace sparse::distributed
