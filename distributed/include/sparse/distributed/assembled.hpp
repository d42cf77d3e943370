#pragma once
/// Matrices whose rows are dealt out to ranks, for solvers of other libraries.

#include <cstdint>
#include <memory>
#include <vector>

#include <sparse/distributed/team.hpp>

namespace sparse::distributed {

/// The rows of a square matrix that a rank has. Ranks have consecutive ones, in their order.
struct MatrixRows {
  /// The number of this rank's first row among those of all ranks.
  std::int64_t first = 0;
  std::vector<std::int64_t> starts = {0};  ///< [rows + 1] of the entries of each row
  std::vector<std::int64_t> columns;       ///< [entries] among those of all ranks, each once in a row
  std::vector<double> values;              ///< [entries]

  /// How many rows the rank has.
  Index count() const { return static_cast<Index>(starts.size()) - 1; }
};

/// Solves A x = b, for one matrix. Vectors have a value for each row of the rank.
class AssembledSolver {
public:
  virtual ~AssembledSolver() = default;
  /// Makes x better until the Euclidean norm of the residual is at most `tolerance` times that of b, as the solver
  /// finds it, or until the last iteration. Collective.
  /// @param x  on entry a guess
  /// @return   how many iterations were made; a direct solver makes one
  virtual int solve(std::vector<double> const& b, std::vector<double>& x, double tolerance, int iteration_limit) = 0;

protected:
  AssembledSolver() = default;
  AssembledSolver(AssembledSolver const&) = delete;
  AssembledSolver& operator=(AssembledSolver const&) = delete;
};

/// Makes a solver for a matrix. Collective. @param team  the ranks that have the rows; nullptr: this process alone
using MakeAssembledSolver = std::unique_ptr<AssembledSolver> (*)(Team* team, MatrixRows const& rows);

}  // namespace sparse::distributed
