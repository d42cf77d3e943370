/// Chebyshev's iteration.

#include "stepping_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 12.1.
template <class T, int Dim>
class ChebyshevSolver : public SteppingSolver<T, Dim> {
public:
  ChebyshevSolver(AnyMatrixPtr<T, Dim> const& matrix, Chebyshev const& method, StopRule const& stop)
      : SteppingSolver<T, Dim>(matrix, stop), greatest_(method.greatest_eigenvalue),
        least_(method.least_eigenvalue.value()), change_(this->cell_values()) {}

protected:
  void start() override { is_first_ = true; }
  double step(T const* b, T* x, T*) override {
    double const middle = 0.5 * (greatest_ + least_), half = 0.5 * (greatest_ - least_), sigma = middle / half;
    double const last = ratio_;
    ratio_ = is_first_ ? 1 / sigma : 1 / (2 * sigma - last);
    double const share = is_first_ ? 1 / middle : 2 * ratio_ / half;
    auto const& a = this->matrix();
    GroupSums sums(a.chain());
    Pipeline pipeline;
    a.add(pipeline,
          ChebyshevStep<T>{b, x, change_.data(), static_cast<T>(ratio_ * last), static_cast<T>(share), is_first_});
    a.add(pipeline, AddCell<T>{change_.data(), x});
    a.add(pipeline, sums, ResidualSquare<T>{b, x});
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
SolverPtr<T, Dim> make_solver(AnyMatrixPtr<T, Dim> const& matrix, Chebyshev const& method, StopRule const& stop) {
  return std::make_unique<ChebyshevSolver<T, Dim>>(matrix, method, stop);
}
SPARSE_DEFINE_SOLVERS(Chebyshev, AnyMatrixPtr)

}  // namespace sparse::poisson::detail
