// Poisson problems on the leaves of several levels, by CompositeSolver and by hypre with the same matrix, in turns.
// Both have one thread: hypre's processes would all be given the whole matrix. hypre takes GMRES with BoomerAMG.
//
// The matrix comes from products with vectors that are 1 on cells so far apart that no row has two of them. It is then
// tried on another vector. hypre gets rows times volumes, which are almost symmetric, and stops by their norm. Its
// tolerance is halved until the norm of `Report`, with volumes as weights, is small enough, too.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include <mpi.h>

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include <sparse/base/runtime.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/composite_solver.hpp>
#include <sparse/sets/locate.hpp>

#include "../distributed/mpi/boomer_amg.hpp"
#include "composite_case.hpp"
#include "table.hpp"

using namespace composite_case;

namespace {

/// Leaves of all levels, numbered level by level.
template <int Dim>
struct Leaves {
  struct Leaf {
    int level;
    Vec<Coord, Dim> cell;
  };
  poisson::CompositeOperator<double, Dim> const& matrix;
  std::vector<HYPRE_Int> first;  ///< [level] number of the first leaf
  std::vector<Leaf> all;

  explicit Leaves(poisson::CompositeOperator<double, Dim> const& m) : matrix(m) {
    for (int l = 0; l < m.level_count(); ++l) {
      first.push_back(static_cast<HYPRE_Int>(all.size()));
      auto const view = m.leaves(l).view();
      for (Index i = 0; i < m.leaves(l).cell_count(); ++i) all.push_back({l, cell_of<Dim>(view, i)});
    }
  }
  HYPRE_Int count() const { return static_cast<HYPRE_Int>(all.size()); }
  HYPRE_Int number(int level, Vec<Coord, Dim> const& cell) const {
    Index const found = matrix.leaves(level).view().find(cell);
    if (found < 0) fail("hypre_composite: a row has a cell that is no leaf");
    return first[static_cast<std::size_t>(level)] + static_cast<HYPRE_Int>(found);
  }
  double volume(int level) const { return std::pow(0.5, Dim * level); }
  std::vector<double> values(poisson::LevelFields<double, Dim> const& fields) const {
    std::vector<double> result;
    for (auto const& field : fields) {
      double const* const data = field.view().data;
      result.insert(result.end(), data, data + field.cell_count());
    }
    return result;
  }
  void set(poisson::LevelFields<double, Dim>& fields, std::vector<double> const& values) const {
    auto from = values.begin();
    for (auto& field : fields) {
      std::copy(from, from + field.cell_count(), field.view().data);
      from += field.cell_count();
    }
  }
};

/// The matrix, row by row.
struct Rows {
  std::vector<std::vector<HYPRE_BigInt>> columns;
  std::vector<std::vector<double>> values;
};

template <int Dim>
Rows rows_of(Leaves<Dim> const& leaves) {
  constexpr Coord apart = 8;  // a row reaches less than half as far, in cells of the column's level
  auto const& matrix = leaves.matrix;
  Rows rows;
  rows.columns.resize(leaves.all.size());
  rows.values.resize(leaves.all.size());
  auto x = matrix.fields("x"), product = matrix.fields("product");
  Coord colours = 1;
  for (int axis = 0; axis < Dim; ++axis) colours *= apart;
  for (int level = 0; level < matrix.level_count(); ++level)
    for (Coord colour = 0; colour < colours; ++colour) {
      Vec<Coord, Dim> at{};
      for (Coord axis = 0, rest = colour; axis < Dim; ++axis, rest /= apart) at[axis] = rest % apart;
      auto& field = x[static_cast<std::size_t>(level)];
      auto const first = static_cast<std::size_t>(leaves.first[static_cast<std::size_t>(level)]);
      for (Index i = 0; i < field.cell_count(); ++i) {
        auto const& cell = leaves.all[first + static_cast<std::size_t>(i)].cell;
        bool is_one = true;
        for (int axis = 0; axis < Dim; ++axis) is_one = is_one && (cell[axis] - at[axis]) % apart == 0;
        field.view().data[i] = is_one ? 1 : 0;
      }
      matrix.apply(product, x);
      auto const found = leaves.values(product);
      for (std::size_t row = 0; row < found.size(); ++row) {
        if (found[row] == 0) continue;
        auto const& leaf = leaves.all[row];
        double const scale = std::exp2(level - leaf.level);
        Vec<Coord, Dim> column{};
        for (int axis = 0; axis < Dim; ++axis) {
          double const centre = (leaf.cell[axis] + 0.5) * scale - 0.5;
          column[axis] = at[axis] + apart * static_cast<Coord>(std::lround((centre - at[axis]) / apart));
        }
        rows.columns[row].push_back(leaves.number(level, column));
        rows.values[row].push_back(found[row]);
      }
      fill(field, 0);
    }
  return rows;
}

/// Fails if the rows are not those of the operator.
template <int Dim>
void expect_same(Rows const& rows, Leaves<Dim> const& leaves) {
  auto x = leaves.matrix.fields("x"), product = leaves.matrix.fields("product");
  for (auto& field : x) set_source(field);
  leaves.matrix.apply(product, x);
  auto const from = leaves.values(x), wanted = leaves.values(product);
  for (std::size_t row = 0; row < wanted.size(); ++row) {
    double sum = 0, size = 0;
    for (std::size_t k = 0; k < rows.columns[row].size(); ++k) {
      double const term = rows.values[row][k] * from[static_cast<std::size_t>(rows.columns[row][k])];
      sum += term;
      size += std::abs(term);
    }
    if (std::abs(sum - wanted[row]) > 1e-12 * size) fail("hypre_composite: the rows are not those of the operator");
  }
}

/// hypre's side. Vectors are [leaf].
class Peer {
public:
  template <int Dim>
  Peer(Rows const& rows, Leaves<Dim> const& leaves, std::vector<double> const& b) : count_(leaves.count()) {
    HYPRE_IJMatrixCreate(MPI_COMM_SELF, 0, count_ - 1, 0, count_ - 1, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    HYPRE_IJMatrixInitialize(matrix_);
    std::vector<double> b_scaled;
    for (HYPRE_BigInt row = 0; row < count_; ++row) {
      auto const r = static_cast<std::size_t>(row);
      double const volume = leaves.volume(leaves.all[r].level);
      auto values = rows.values[r];
      for (double& value : values) value *= volume;
      auto size = static_cast<HYPRE_Int>(values.size());
      HYPRE_IJMatrixSetValues(matrix_, 1, &size, &row, rows.columns[r].data(), values.data());
      numbers_.push_back(row);
      b_scaled.push_back(volume * b[r]);
    }
    HYPRE_IJMatrixAssemble(matrix_);
    HYPRE_IJMatrixGetObject(matrix_, reinterpret_cast<void**>(&a_));
    b_ = vector(b_scaled);
    x_ = vector(std::vector<double>(b.size(), 0.0));
    HYPRE_IJVectorGetObject(b_, reinterpret_cast<void**>(&b_values_));
    HYPRE_IJVectorGetObject(x_, reinterpret_cast<void**>(&x_values_));
  }
  ~Peer() {
    free_solvers();
    HYPRE_IJVectorDestroy(x_);
    HYPRE_IJVectorDestroy(b_);
    HYPRE_IJMatrixDestroy(matrix_);
  }
  Peer(Peer const&) = delete;
  Peer& operator=(Peer const&) = delete;

  void set_up(bool is_3d) {
    free_solvers();
    multigrid_ = distributed::boomer_amg();
    HYPRE_BoomerAMGSetAggNumLevels(multigrid_, is_3d ? 1 : 0);
    HYPRE_ParCSRGMRESCreate(MPI_COMM_SELF, &gmres_);
    HYPRE_GMRESSetKDim(gmres_, 30);
    HYPRE_GMRESSetMaxIter(gmres_, 500);
    HYPRE_GMRESSetPrecond(gmres_, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                          reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), multigrid_);
    HYPRE_ParCSRGMRESSetup(gmres_, a_, b_values_, x_values_);
  }
  int solve(double tolerance) {
    HYPRE_ParVectorSetConstantValues(x_values_, 0);
    HYPRE_GMRESSetTol(gmres_, tolerance);
    HYPRE_ParCSRGMRESSolve(gmres_, a_, b_values_, x_values_);
    HYPRE_Int iterations = 0;
    HYPRE_GMRESGetNumIterations(gmres_, &iterations);
    return iterations;
  }
  std::vector<double> solution() const {
    std::vector<double> values(numbers_.size());
    HYPRE_IJVectorGetValues(x_, count_, numbers_.data(), values.data());
    return values;
  }

private:
  HYPRE_IJVector vector(std::vector<double> const& values) const {
    HYPRE_IJVector result = nullptr;
    HYPRE_IJVectorCreate(MPI_COMM_SELF, 0, count_ - 1, &result);
    HYPRE_IJVectorSetObjectType(result, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(result);
    HYPRE_IJVectorSetValues(result, count_, numbers_.data(), values.data());
    HYPRE_IJVectorAssemble(result);
    return result;
  }
  void free_solvers() {
    if (gmres_ != nullptr) HYPRE_ParCSRGMRESDestroy(gmres_);
    if (multigrid_ != nullptr) HYPRE_BoomerAMGDestroy(multigrid_);
  }

  HYPRE_Int count_;
  std::vector<HYPRE_BigInt> numbers_;
  HYPRE_IJMatrix matrix_ = nullptr;
  HYPRE_IJVector b_ = nullptr, x_ = nullptr;
  HYPRE_ParCSRMatrix a_ = nullptr;
  HYPRE_ParVector b_values_ = nullptr, x_values_ = nullptr;
  HYPRE_Solver multigrid_ = nullptr, gmres_ = nullptr;
};

/// The shortest times of a solver.
struct Times {
  double set_up = 1e300, solve = 1e300;
  int iterations = 0;
};

template <class Work>
void shorten(double& seconds, Work const& work) {
  double const start = now();
  work();
  seconds = std::min(seconds, now() - start);
}

template <int Dim>
void compare(Coord width, int finer, double tolerance, int rounds) {
  auto const problem = levels_problem<Dim>(width, finer);
  poisson::CompositeOperator<double, Dim> const matrix(problem);
  Leaves<Dim> const leaves(matrix);
  auto const rows = rows_of(leaves);
  expect_same(rows, leaves);
  auto b = matrix.fields("b"), x = matrix.fields("x"), residual = matrix.fields("residual");
  for (auto& field : b) set_source(field);
  Peer peer(rows, leaves, leaves.values(b));

  Times ours, theirs;
  double their_tolerance = tolerance, their_residual = 0, difference = 0;
  for (int round = 0; round < rounds; ++round) {
    std::optional<poisson::CompositeSolver<double, Dim>> solver;
    shorten(ours.set_up, [&] { solver.emplace(problem, poisson::StopRule{tolerance}); });
    for (auto& field : x) fill(field, 0);
    shorten(ours.solve, [&] { ours.iterations = solver->solve(b, x).iterations; });
    auto const found = leaves.values(x);

    shorten(theirs.set_up, [&] { peer.set_up(Dim == 3); });
    for (bool is_done = false; !is_done;) {
      double seconds = 1e300;
      shorten(seconds, [&] { theirs.iterations = peer.solve(their_tolerance); });
      auto const other = peer.solution();
      leaves.set(x, other);
      their_residual = matrix.residual(residual, b, x) / matrix.norm(b);
      is_done = their_residual <= tolerance;
      if (is_done) {
        theirs.solve = std::min(theirs.solve, seconds);
      } else if (their_tolerance < 1e-3 * tolerance) {
        fail("hypre_composite: hypre does not get there");
      } else {
        their_tolerance /= 2;
      }
      double square = 0, change = 0;
      for (std::size_t i = 0; i < found.size(); ++i) {
        square += found[i] * found[i];
        change += (found[i] - other[i]) * (found[i] - other[i]);
      }
      difference = std::sqrt(change / square);
    }
  }
  std::printf("| %d | %g | %lld | %d | %d | %.1f | %.1f | %d | %.1f | %.1f | %.1f | %.1e |\n", Dim, tolerance,
              static_cast<long long>(matrix.leaf_count()), matrix.level_count(), ours.iterations, 1e3 * ours.set_up,
              1e3 * ours.solve, theirs.iterations, 1e3 * theirs.set_up, 1e3 * theirs.solve, theirs.solve / ours.solve,
              difference);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  {
    TableOptions const options(argc, argv, 3);
    Runtime const runtime(1);
    std::printf("One thread and one process; the shortest of %d rounds, in turns\n\n", options.rounds);
    std::printf("| dim | tolerance | leaves | levels | iterations | set-up [ms] | solve [ms] | hypre: iterations | "
                "set-up [ms] | solve [ms] | over sparse | difference of solutions |\n"
                "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (double const tolerance : {1e-6, 1e-9}) {
      compare<2>(56, 2, tolerance, options.rounds);
      compare<2>(180, 2, tolerance, options.rounds);
      compare<2>(180, 6, tolerance, options.rounds);
      compare<3>(14, 2, tolerance, options.rounds);
      compare<3>(32, 2, tolerance, options.rounds);
    }
  }
  HYPRE_Finalize();
  MPI_Finalize();
}
