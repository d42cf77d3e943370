// Solves one of the Poisson problems with hypre, for bench_poisson, which runs it under mpirun:
//
//   mpirun -n RANKS hypre_poisson PROBLEM SOLVER      SOLVER: pfmg, smg or boomeramg, each preconditioning CG
//
// Prints a line for each tolerance: tolerance, iterations, seconds of set-up, seconds of the solve (the shorter one of
// two, unless it is long), true relative residual, bytes per fluid cell. Set-up is that of the preconditioner; filling
// the matrix is not timed. Memory is the greatest growth of the resident memory of all ranks, from before the matrix is
// made to after the first solves.
//
// PFMG and SMG need boxes of cells: solid cells have rows of the identity. BoomerAMG's matrix has fluid cells only.
// Ranks have slabs of the last axis. The settings are the fastest of those tried.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include <mpi.h>

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>

#include "../distributed/mpi/boomer_amg.hpp"
#include "poisson_cases.hpp"

namespace {

using namespace poisson_cases;

constexpr int iteration_limit = 500;
MPI_Comm const world = MPI_COMM_WORLD;

/// This rank's part of a problem: a slab of the box, and the fluid cells [first, last).
struct Part {
  Numbering const& numbering;
  std::vector<double> b;  ///< of all cells
  std::array<int, 3> begin{}, end;
  int first = 0, last = 0;

  Part(Numbering const& all, int rank, int rank_count) : numbering(all), b(right_hand_side(all)), end(problem().cells) {
    auto const axis = static_cast<std::size_t>(problem().dim - 1);
    begin[axis] = problem().cells[axis] * rank / rank_count;
    end[axis] = problem().cells[axis] * (rank + 1) / rank_count;
    all.for_each_fluid_cell([&](std::array<int, 3> const& cell, int) {
      first += cell[axis] < begin[axis];
      last += cell[axis] < end[axis];
    });
  }
  Problem const& problem() const { return numbering.problem(); }
  /// Calls `body(cell, number, index in the slab)` for all cells of the slab, solid ones too (number -1).
  template <class Body>
  void for_each_cell(Body&& body) const {
    std::array<int, 3> cell;
    int index = 0;
    for (cell[2] = begin[2]; cell[2] < end[2]; ++cell[2])
      for (cell[1] = begin[1]; cell[1] < end[1]; ++cell[1])
        for (cell[0] = begin[0]; cell[0] < end[0]; ++cell[0], ++index)
          body(cell, numbering[numbering.box_index(cell)], index);
  }
  std::size_t box_count() const {
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) count *= static_cast<std::size_t>(end[axis] - begin[axis]);
    return count;
  }
};

/// A matrix and a preconditioner for CG. `solution` has the values of this rank's fluid cells.
class Peer {
public:
  virtual ~Peer() = default;
  virtual void set_up() = 0;
  virtual int solve(double tolerance) = 0;
  virtual std::vector<double> solution() const = 0;
};

// ---- matrices on boxes

class StructPeer : public Peer {
public:
  StructPeer(Part const& part, bool is_pfmg) : part_(part), is_pfmg_(is_pfmg) {
    int const dim = part.problem().dim;
    auto begin = part.begin, last = part.end;
    for (int& coordinate : last) --coordinate;
    HYPRE_StructGridCreate(world, dim, &grid_);
    HYPRE_StructGridSetExtents(grid_, begin.data(), last.data());
    HYPRE_StructGridAssemble(grid_);
    // Symmetric storage: the diagonal and the upper neighbours.
    HYPRE_StructStencilCreate(dim, dim + 1, &stencil_);
    for (int entry = 0; entry <= dim; ++entry) {
      std::array<HYPRE_Int, 3> offset{};
      if (entry > 0) offset[static_cast<std::size_t>(entry - 1)] = 1;
      HYPRE_StructStencilSetElement(stencil_, entry, offset.data());
    }
    HYPRE_StructMatrixCreate(world, grid_, stencil_, &matrix_);
    HYPRE_StructMatrixSetSymmetric(matrix_, 1);
    HYPRE_StructMatrixInitialize(matrix_);
    HYPRE_StructVectorCreate(world, grid_, &b_);
    HYPRE_StructVectorInitialize(b_);
    HYPRE_StructVectorCreate(world, grid_, &x_);
    HYPRE_StructVectorInitialize(x_);
    std::vector<double> values(part.box_count());
    for (int entry = 0; entry <= dim; ++entry) {
      part.for_each_cell([&](std::array<int, 3> const& cell, int number, int index) {
        double value = entry == 0;  // of a solid cell
        if (number >= 0) {
          auto const row = part.numbering.row(cell);
          auto const axis = static_cast<std::size_t>(entry - 1);
          value = entry == 0 ? row.diagonal : row.neighbours[axis][1] >= 0 ? -part.problem().coupling[axis] : 0;
        }
        values[static_cast<std::size_t>(index)] = value;
      });
      HYPRE_StructMatrixSetBoxValues(matrix_, begin.data(), last.data(), 1, &entry, values.data());
    }
    HYPRE_StructMatrixAssemble(matrix_);
    part.for_each_cell([&](std::array<int, 3> const&, int number, int index) {
      values[static_cast<std::size_t>(index)] = number < 0 ? 0 : part.b[static_cast<std::size_t>(number)];
    });
    HYPRE_StructVectorSetBoxValues(b_, begin.data(), last.data(), values.data());
    HYPRE_StructVectorAssemble(b_);
    HYPRE_StructVectorAssemble(x_);
  }

  void set_up() override {
    if (is_pfmg_) {
      HYPRE_StructPFMGCreate(world, &multigrid_);
      HYPRE_StructPFMGSetMaxIter(multigrid_, 1);
      HYPRE_StructPFMGSetTol(multigrid_, 0);
      HYPRE_StructPFMGSetZeroGuess(multigrid_);
      HYPRE_StructPFMGSetRAPType(multigrid_, 0);
      HYPRE_StructPFMGSetRelaxType(multigrid_, 2);  // red-black Gauss-Seidel, symmetric
      HYPRE_StructPFMGSetNumPreRelax(multigrid_, 1);
      HYPRE_StructPFMGSetNumPostRelax(multigrid_, 1);
      HYPRE_StructPFMGSetSkipRelax(multigrid_, 1);
      // On a single cell a singular matrix is nothing but rounding errors. That would take three times the iterations.
      if (part_.problem().is_singular()) HYPRE_StructPFMGSetMaxLevels(multigrid_, 16);
      // Semicoarsening goes by the cell widths.
      std::array<double, 3> widths;
      for (std::size_t axis = 0; axis < 3; ++axis) widths[axis] = 1 / std::sqrt(part_.problem().coupling[axis]);
      HYPRE_StructPFMGSetDxyz(multigrid_, widths.data());
    } else {
      HYPRE_StructSMGCreate(world, &multigrid_);
      HYPRE_StructSMGSetMemoryUse(multigrid_, 0);
      HYPRE_StructSMGSetMaxIter(multigrid_, 1);
      HYPRE_StructSMGSetTol(multigrid_, 0);
      HYPRE_StructSMGSetZeroGuess(multigrid_);
      HYPRE_StructSMGSetNumPreRelax(multigrid_, 1);
      HYPRE_StructSMGSetNumPostRelax(multigrid_, 1);
    }
    HYPRE_StructPCGCreate(world, &cg_);
    HYPRE_StructPCGSetMaxIter(cg_, iteration_limit);
    HYPRE_StructPCGSetTwoNorm(cg_, 1);
    if (is_pfmg_)
      HYPRE_StructPCGSetPrecond(cg_, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, multigrid_);
    else
      HYPRE_StructPCGSetPrecond(cg_, HYPRE_StructSMGSolve, HYPRE_StructSMGSetup, multigrid_);
    HYPRE_StructPCGSetup(cg_, matrix_, b_, x_);
  }

  int solve(double tolerance) override {
    HYPRE_StructVectorSetConstantValues(x_, 0);
    HYPRE_StructPCGSetTol(cg_, tolerance);
    HYPRE_StructPCGSolve(cg_, matrix_, b_, x_);
    HYPRE_Int iterations = 0;
    HYPRE_StructPCGGetNumIterations(cg_, &iterations);
    return iterations;
  }

  std::vector<double> solution() const override {
    auto begin = part_.begin, last = part_.end;
    for (int& coordinate : last) --coordinate;
    std::vector<double> values(part_.box_count()), fluid;
    HYPRE_StructVectorGetBoxValues(x_, begin.data(), last.data(), values.data());
    part_.for_each_cell([&](std::array<int, 3> const&, int number, int index) {
      if (number >= 0) fluid.push_back(values[static_cast<std::size_t>(index)]);
    });
    return fluid;
  }

private:
  Part const& part_;
  bool is_pfmg_;
  HYPRE_StructGrid grid_ = nullptr;
  HYPRE_StructStencil stencil_ = nullptr;
  HYPRE_StructMatrix matrix_ = nullptr;
  HYPRE_StructVector b_ = nullptr, x_ = nullptr;
  HYPRE_StructSolver multigrid_ = nullptr, cg_ = nullptr;
};

// ---- a matrix of fluid cells

class BoomerPeer : public Peer {
public:
  explicit BoomerPeer(Part const& part) : part_(part) {
    HYPRE_IJMatrixCreate(world, part.first, part.last - 1, part.first, part.last - 1, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    std::vector<HYPRE_Int> const row_sizes(static_cast<std::size_t>(part.last - part.first),
                                           2 * part.problem().dim + 1);
    HYPRE_IJMatrixSetRowSizes(matrix_, row_sizes.data());
    HYPRE_IJMatrixInitialize(matrix_);
    b_ = vector();
    x_ = vector();
    part.for_each_cell([&](std::array<int, 3> const& cell, int number, int) {
      if (number < 0) return;
      auto const row = part.numbering.row(cell);
      std::array<HYPRE_BigInt, 7> columns{number};
      std::array<double, 7> values{row.diagonal};
      HYPRE_Int count = 1;
      for (std::size_t axis = 0; axis < 3; ++axis)
        for (int const neighbour : row.neighbours[axis]) {
          if (neighbour < 0) continue;
          columns[static_cast<std::size_t>(count)] = neighbour;
          values[static_cast<std::size_t>(count++)] = -part.problem().coupling[axis];
        }
      HYPRE_BigInt const here = number;
      HYPRE_IJMatrixSetValues(matrix_, 1, &count, &here, columns.data(), values.data());
      HYPRE_IJVectorSetValues(b_, 1, &here, &part.b[static_cast<std::size_t>(number)]);
    });
    HYPRE_IJMatrixAssemble(matrix_);
    HYPRE_IJVectorAssemble(b_);
    HYPRE_IJVectorAssemble(x_);
    HYPRE_IJMatrixGetObject(matrix_, reinterpret_cast<void**>(&a_));
    HYPRE_IJVectorGetObject(b_, reinterpret_cast<void**>(&b_values_));
    HYPRE_IJVectorGetObject(x_, reinterpret_cast<void**>(&x_values_));
  }

  void set_up() override {
    bool const is_3d = part_.problem().dim == 3;
    multigrid_ = sparse::distributed::boomer_amg();
    HYPRE_BoomerAMGSetAggNumLevels(multigrid_, is_3d ? 1 : 0);
    // The default on the coarsest level, elimination, does not get far with a singular matrix.
    if (part_.problem().is_singular()) HYPRE_BoomerAMGSetCycleRelaxType(multigrid_, 6, 3);
    HYPRE_ParCSRPCGCreate(world, &cg_);
    HYPRE_PCGSetMaxIter(cg_, iteration_limit);
    HYPRE_PCGSetTwoNorm(cg_, 1);
    HYPRE_PCGSetPrecond(cg_, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), multigrid_);
    HYPRE_ParCSRPCGSetup(cg_, a_, b_values_, x_values_);
  }

  int solve(double tolerance) override {
    HYPRE_ParVectorSetConstantValues(x_values_, 0);
    HYPRE_PCGSetTol(cg_, tolerance);
    HYPRE_ParCSRPCGSolve(cg_, a_, b_values_, x_values_);
    HYPRE_Int iterations = 0;
    HYPRE_PCGGetNumIterations(cg_, &iterations);
    return iterations;
  }

  std::vector<double> solution() const override {
    std::vector<double> values(static_cast<std::size_t>(part_.last - part_.first));
    std::vector<HYPRE_BigInt> rows;
    for (int row = part_.first; row < part_.last; ++row) rows.push_back(row);
    HYPRE_IJVectorGetValues(x_, part_.last - part_.first, rows.data(), values.data());
    return values;
  }

private:
  HYPRE_IJVector vector() const {
    HYPRE_IJVector result;
    HYPRE_IJVectorCreate(world, part_.first, part_.last - 1, &result);
    HYPRE_IJVectorSetObjectType(result, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(result);
    return result;
  }

  Part const& part_;
  HYPRE_IJMatrix matrix_ = nullptr;
  HYPRE_IJVector b_ = nullptr, x_ = nullptr;
  HYPRE_ParCSRMatrix a_ = nullptr;
  HYPRE_ParVector b_values_ = nullptr, x_values_ = nullptr;
  HYPRE_Solver multigrid_ = nullptr, cg_ = nullptr;
};

// ---- measuring

/// A line of /proc/self/status, in bytes.
double memory(std::string const& what) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kilobytes; word == what && status >> kilobytes) return kilobytes * 1024;
  return 0;
}

template <class Work>
double seconds_of(Work&& work) {
  MPI_Barrier(world);
  double const start = MPI_Wtime();
  work();
  MPI_Barrier(world);
  return MPI_Wtime() - start;
}

double sum_of_ranks(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, world);
  return value;
}

double residual(Part const& part, Peer const& peer, int rank, int rank_count) {
  std::vector<double> const mine = peer.solution();
  std::vector<double> all(rank == 0 ? part.b.size() : 0);
  int const count = part.last - part.first;
  std::vector<int> counts(static_cast<std::size_t>(rank_count)), firsts(counts.size());
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, world);
  MPI_Gather(&part.first, 1, MPI_INT, firsts.data(), 1, MPI_INT, 0, world);
  MPI_Gatherv(mine.data(), count, MPI_DOUBLE, all.data(), counts.data(), firsts.data(), MPI_DOUBLE, 0, world);
  return rank == 0 ? relative_residual(part.numbering, part.b, all) : 0;
}

void run(Problem const& problem, std::string const& solver, int rank, int rank_count) {
  Numbering const numbering(problem);
  Part const part(numbering, rank, rank_count);
  std::ofstream("/proc/self/clear_refs") << 5;  // forgets the greatest resident size so far
  double const memory_before = memory("VmRSS:");
  std::unique_ptr<Peer> peer;
  if (solver == "boomeramg")
    peer = std::make_unique<BoomerPeer>(part);
  else
    peer = std::make_unique<StructPeer>(part, solver == "pfmg");
  double const set_up_seconds = seconds_of([&] { peer->set_up(); });
  double bytes = 0;
  for (double const tolerance : tolerances) {
    int iterations = 0;
    double seconds = 1e30;
    for (int i = 0; i < 2 && (i == 0 || seconds < 5); ++i)
      seconds = std::min(seconds, seconds_of([&] { iterations = peer->solve(tolerance); }));
    if (bytes == 0) bytes = sum_of_ranks(memory("VmHWM:") - memory_before) / numbering.fluid_count();
    double const true_residual = residual(part, *peer, rank, rank_count);
    if (rank == 0) {
      std::printf("%g %d %g %g %g %g\n", tolerance, iterations, set_up_seconds, seconds, true_residual, bytes);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string const solver = argc == 3 ? argv[2] : "";
  auto const problem =
      std::find_if(problems.begin(), problems.end(), [&](Problem const& p) { return argc == 3 && p.name == argv[1]; });
  if (problem == problems.end() || (solver != "pfmg" && solver != "smg" && solver != "boomeramg")) {
    std::fprintf(stderr, "hypre_poisson: expects a problem and pfmg, smg or boomeramg\n");
    return 2;
  }
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  int rank = 0, rank_count = 1;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &rank_count);
  run(*problem, solver, rank, rank_count);
  HYPRE_Finalize();
  MPI_Finalize();
}
