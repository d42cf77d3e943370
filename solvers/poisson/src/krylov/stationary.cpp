/// Jacobi, Gauss-Seidel and successive over-relaxation.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

#include "stepping_solver.hpp"

namespace sparse::poisson::detail {
namespace {

template <class T, int Dim>
class JacobiSolver : public SteppingSolver<T, Dim> {
public:
  JacobiSolver(AnyMatrixPtr<T, Dim> const& matrix, Jacobi const& method, StopRule const& stop)
      : SteppingSolver<T, Dim>(matrix, stop), factor_(static_cast<T>(method.factor)), guess_(method.guess),
        next_(this->cell_values()) {}

protected:
  double step(T const* b, T* x, T*) override {
    auto const& a = this->matrix();
    GroupSums sums(a.chain());
    Pipeline pipeline;
    a.add(pipeline, JacobiStep<T, T>{x, next_.data(), b, factor_});
    a.add(pipeline, CopyCell<T>{next_.data(), x});
    a.add(pipeline, sums, ResidualSquare<T>{b, x});
    this->run(pipeline);
    return std::sqrt(sums.total(0));
  }

  void iterate(Iteration<T, Dim>& iteration, T const* b, T* x) override {
    if (guess_)
      back_off(iteration, b, x);
    else
      SteppingSolver<T, Dim>::iterate(iteration, b, x);
  }

private:
  /// Looks at the residual after n, n + 1, n + 2, n + 4, ... sweeps. Then guesses how many would have been enough.
  void back_off(Iteration<T, Dim>& iteration, T const* b, T* x) {
    if (iteration.is_over()) return;
    int const limit = this->stop().iteration_limit, least = std::max(this->stop().least_iterations, 1);
    int const first = std::max(guess_->sweeps, 0);
    std::int64_t next = std::max(first > 0 ? first : 1, least), ahead = 1;
    int before = 0;
    while (!iteration.is_over()) {
      int const count = static_cast<int>(std::min<std::int64_t>(next, limit)) - before;
      sweep(count, b, x);
      iteration.look_after(count);
      auto const& residuals = iteration.report().residuals;
      guess_->sweeps = before + needed(count, residuals[residuals.size() - 2], residuals.back());
      before += count;
      while (next <= before) {
        next = first + ahead;
        ahead *= 2;
      }
    }
  }

  /// How many of `count` sweeps were needed if each took the same share of the residual.
  int needed(int count, double from, double to) const {
    double const tolerance = this->stop().tolerance;
    if (!(to < from) || !(to < tolerance) || !(tolerance < from)) return to <= tolerance ? 1 : count;
    double const part = to > 0 ? std::log(from / tolerance) / std::log(from / to) : 0;
    return std::clamp(static_cast<int>(std::ceil(part * count)), 1, count);
  }

  /// Sweeps in turn from x to `next_` and back. Several go over the level at once.
  void sweep(int count, T const* b, T* x) {
    constexpr int at_once = 8;
    auto const& a = this->matrix();
    T* const next = next_.data();
    while (count > 0) {
      Pipeline pipeline;
      int const part = std::min(count, at_once);
      for (int i = 0; i + 1 < part; i += 2) {
        a.add(pipeline, JacobiStep<T, T>{x, next, b, factor_});
        a.add(pipeline, JacobiStep<T, T>{next, x, b, factor_});
      }
      if (part % 2 == 1) {
        a.add(pipeline, JacobiStep<T, T>{x, next, b, factor_});
        a.add(pipeline, CopyCell<T>{next, x});
      }
      this->run(pipeline);
      count -= part;
    }
  }

  T factor_;
  std::shared_ptr<SweepGuess> guess_;
  Buffer<T> next_;
};

template <class T, int Dim>
class RedBlackSolver : public CouplingSolver<T, Dim> {
public:
  RedBlackSolver(MatrixPtr<T, Dim> const& matrix, double factor, StopRule const& stop)
      : CouplingSolver<T, Dim>(matrix, stop), factor_(static_cast<T>(factor)) {}

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
SolverPtr<T, Dim> make_solver(AnyMatrixPtr<T, Dim> const& matrix, Jacobi const& method, StopRule const& stop) {
  return std::make_unique<JacobiSolver<T, Dim>>(matrix, method, stop);
}
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, GaussSeidel const&, StopRule const& stop) {
  return std::make_unique<RedBlackSolver<T, Dim>>(matrix, 1, stop);
}
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Sor const& method, StopRule const& stop) {
  return std::make_unique<RedBlackSolver<T, Dim>>(matrix, method.factor.value(), stop);
}

SPARSE_DEFINE_SOLVERS(Jacobi, AnyMatrixPtr)
SPARSE_DEFINE_SOLVERS(GaussSeidel, MatrixPtr)
SPARSE_DEFINE_SOLVERS(Sor, MatrixPtr)

}  // namespace sparse::poisson::detail
