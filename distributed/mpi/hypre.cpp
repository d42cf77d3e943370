#include <sparse/distributed/hypre.hpp>

#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>

#include <mpi.h>

#include <HYPRE_krylov.h>

#include <sparse/base/error.hpp>

#include "boomer_amg.hpp"

namespace sparse::distributed {
namespace {

void start() {
  int has_started = 0;
  MPI_Initialized(&has_started);
  if (has_started == 0) {
    MPI_Init(nullptr, nullptr);
    std::atexit([] { MPI_Finalize(); });
  }
  [[maybe_unused]] static int const once = HYPRE_Init();
}

/// A solution that does not converge is not an error of hypre's: residuals tell.
void expect_no_error() {
  HYPRE_Int const error = HYPRE_GetError() & ~HYPRE_ERROR_CONV;
  HYPRE_ClearAllErrors();
  if (error == 0) return;
  char text[256];
  HYPRE_DescribeError(error, text);
  throw std::runtime_error("hypre: " + std::string(text));
}

class BoomerAmgCg : public AssembledSolver {
public:
  BoomerAmgCg(MPI_Comm ranks, MatrixRows const& rows) : rows_(static_cast<std::size_t>(rows.count())) {
    auto const first = static_cast<HYPRE_BigInt>(rows.first),
               last = first + static_cast<HYPRE_BigInt>(rows_.size()) - 1;
    std::vector<HYPRE_Int> sizes(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i] = first + static_cast<HYPRE_BigInt>(i);
      sizes[i] = static_cast<HYPRE_Int>(rows.starts[i + 1] - rows.starts[i]);
    }
    HYPRE_IJMatrixCreate(ranks, first, last, first, last, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(matrix_, sizes.data());
    HYPRE_IJMatrixInitialize(matrix_);
    std::vector<HYPRE_BigInt> const columns(rows.columns.begin(), rows.columns.end());
    HYPRE_IJMatrixSetValues(matrix_, count(), sizes.data(), rows_.data(), columns.data(), rows.values.data());
    HYPRE_IJMatrixAssemble(matrix_);
    HYPRE_IJMatrixGetObject(matrix_, reinterpret_cast<void**>(&a_));
    for (HYPRE_IJVector* const vector : {&b_, &x_}) {
      HYPRE_IJVectorCreate(ranks, first, last, vector);
      HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR);
      HYPRE_IJVectorInitialize(*vector);
      HYPRE_IJVectorAssemble(*vector);
    }
    HYPRE_IJVectorGetObject(b_, reinterpret_cast<void**>(&b_values_));
    HYPRE_IJVectorGetObject(x_, reinterpret_cast<void**>(&x_values_));

    multigrid_ = boomer_amg();
    HYPRE_ParCSRPCGCreate(ranks, &cg_);
    HYPRE_PCGSetTwoNorm(cg_, 1);
    HYPRE_PCGSetPrecond(cg_, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), multigrid_);
    HYPRE_ParCSRPCGSetup(cg_, a_, b_values_, x_values_);
    expect_no_error();
  }
  ~BoomerAmgCg() override {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (is_over != 0) return;
    if (cg_ != nullptr) HYPRE_ParCSRPCGDestroy(cg_);
    if (multigrid_ != nullptr) HYPRE_BoomerAMGDestroy(multigrid_);
    for (HYPRE_IJVector const vector : {b_, x_})
      if (vector != nullptr) HYPRE_IJVectorDestroy(vector);
    if (matrix_ != nullptr) HYPRE_IJMatrixDestroy(matrix_);
  }

  int solve(std::vector<double> const& b, std::vector<double>& x, double tolerance, int iteration_limit) override {
    HYPRE_IJVectorSetValues(b_, count(), rows_.data(), b.data());
    HYPRE_IJVectorSetValues(x_, count(), rows_.data(), x.data());
    HYPRE_PCGSetTol(cg_, tolerance);
    HYPRE_PCGSetMaxIter(cg_, iteration_limit);
    HYPRE_ParCSRPCGSolve(cg_, a_, b_values_, x_values_);
    HYPRE_IJVectorGetValues(x_, count(), rows_.data(), x.data());
    HYPRE_Int iterations = 0;
    HYPRE_PCGGetNumIterations(cg_, &iterations);
    expect_no_error();
    return iterations;
  }

private:
  HYPRE_Int count() const { return static_cast<HYPRE_Int>(rows_.size()); }

  std::vector<HYPRE_BigInt> rows_;
  HYPRE_IJMatrix matrix_ = nullptr;
  HYPRE_IJVector b_ = nullptr, x_ = nullptr;
  HYPRE_ParCSRMatrix a_ = nullptr;
  HYPRE_ParVector b_values_ = nullptr, x_values_ = nullptr;
  HYPRE_Solver multigrid_ = nullptr, cg_ = nullptr;
};

}  // namespace

std::unique_ptr<AssembledSolver> hypre(Team* team, MatrixRows const& rows) {
  start();
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool const is_alone = team == nullptr || team->size() == 1;
  expects(is_alone || team->size() == ranks, "hypre: the rows must be those of one rank, or of all ranks of MPI");
  constexpr auto most = std::numeric_limits<HYPRE_Int>::max();
  bool const fits = static_cast<std::int64_t>(rows.values.size()) <= most && rows.first + rows.count() <= most;
  expects(team == nullptr ? fits : team->all(fits), "hypre: the matrix has more rows or entries than hypre can count");
  return std::make_unique<BoomerAmgCg>(is_alone ? MPI_COMM_SELF : MPI_COMM_WORLD, rows);
}

}  // namespace sparse::distributed
