/// Jacobi, Gauss-Seidel and successive over-relaxation.

#include "stepping_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// x = y
template <class T>
struct CopyCell {
  T const* y;
  T* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] = y[rows.run.first + step];
  }
};

template <class T, int Dim>
class JacobiSolver : public SteppingSolver<T, Dim> {
public:
  JacobiSolver(MatrixPtr<T, Dim> const& matrix, double factor, StopRule const& stop)
      : SteppingSolver<T, Dim>(matrix, stop), factor_(static_cast<T>(factor)), next_(this->cell_values()) {}

protected:
  double step(T const* b, T* x, T*) override {
    auto const& level = this->level();
    GroupSums sums(level.chain());
    Pipeline pipeline;
    pipeline.add(cell_stage(level, JacobiStep<T, T>{x, next_.data(), b, factor_}));
    pipeline.add(cell_stage(level, CopyCell<T>{next_.data(), x}));
    pipeline.add(sum_stage(level, sums, ResidualSquare<T>{b, x}));
    this->run(pipeline);
    return std::sqrt(sums.total(0));
  }

private:
  T factor_;
  Buffer<T> next_;
};

template <class T, int Dim>
class RedBlackSolver : public SteppingSolver<T, Dim> {
public:
  RedBlackSolver(MatrixPtr<T, Dim> const& matrix, double factor, StopRule const& stop)
      : SteppingSolver<T, Dim>(matrix, stop), factor_(static_cast<T>(factor)) {}

protected:
  double step(T const* b, T* x, T*) override {
    auto const& level = this->level();
    GroupSums sums(level.chain());
    Pipeline pipeline;
    for (int colour : {0, 1}) pipeline.add(cell_stage(level, Relax<T, T>{x, b, colour, factor_}));
    pipeline.add(sum_stage(level, sums, ResidualSquare<T>{b, x}));
    this->run(pipeline);
    return std::sqrt(sums.total(0));
  }

private:
  T factor_;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Jacobi const& method, StopRule const& stop) {
  return std::make_unique<JacobiSolver<T, Dim>>(matrix, method.factor, stop);
}
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, GaussSeidel const&, StopRule const& stop) {
  return std::make_unique<RedBlackSolver<T, Dim>>(matrix, 1, stop);
}
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Sor const& method, StopRule const& stop) {
  return std::make_unique<RedBlackSolver<T, Dim>>(matrix, method.factor.value(), stop);
}

SPARSE_DEFINE_SOLVERS(Jacobi)
SPARSE_DEFINE_SOLVERS(GaussSeidel)
SPARSE_DEFINE_SOLVERS(Sor)

}  // namespace sparse::poisson::detail
