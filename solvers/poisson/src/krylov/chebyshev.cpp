/// Chebyshev's iteration.

#include "stepping_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// step = keep * step + share * D^-1 (b - A x)
template <class T>
struct ChebyshevStep {
  T const *b, *x;
  T* change;
  T keep, share;
  bool is_first;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const part = share * (b[cell] - rows.applied(x + rows.run.first, step)) * rows.inverse_diagonal(step);
    change[cell] = is_first ? part : keep * change[cell] + part;
  }
};

template <class T>
struct AddCell {
  T const* change;
  T* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] += change[rows.run.first + step];
  }
};

/// Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 12.1.
template <class T, int Dim>
class ChebyshevSolver : public SteppingSolver<T, Dim> {
public:
  ChebyshevSolver(MatrixPtr<T, Dim> const& matrix, Chebyshev const& method, StopRule const& stop)
      : SteppingSolver<T, Dim>(matrix, stop), greatest_(method.greatest_eigenvalue),
        least_(method.least_eigenvalue.value()), change_(this->cell_values()) {}

protected:
  void start() override { is_first_ = true; }
  double step(T const* b, T* x, T*) override {
    double const middle = 0.5 * (greatest_ + least_), half = 0.5 * (greatest_ - least_), sigma = middle / half;
    double const last = ratio_;
    ratio_ = is_first_ ? 1 / sigma : 1 / (2 * sigma - last);
    double const share = is_first_ ? 1 / middle : 2 * ratio_ / half;
    auto const& level = this->level();
    GroupSums sums(level.chain());
    Pipeline pipeline;
    pipeline.add(cell_stage(level, ChebyshevStep<T>{b, x, change_.data(), static_cast<T>(ratio_ * last),
                                                    static_cast<T>(share), is_first_}));
    pipeline.add(cell_stage(level, AddCell<T>{change_.data(), x}));
    pipeline.add(sum_stage(level, sums, ResidualSquare<T>{b, x}));
    this->run(pipeline);
    is_first_ = false;
    return std::sqrt(sums.total(0));
  }

private:
  double greatest_, least_, ratio_ = 0;
  bool is_first_ = true;
  Buffer<T> change_;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Chebyshev const& method, StopRule const& stop) {
  return std::make_unique<ChebyshevSolver<T, Dim>>(matrix, method, stop);
}
SPARSE_DEFINE_SOLVERS(Chebyshev)

}  // namespace sparse::poisson::detail
