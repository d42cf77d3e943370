/// Conjugate gradients, plain or preconditioned by the diagonal.

#include "stepping_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// Source: Shewchuk, An introduction to the conjugate gradient method without the agonizing pain (1994), B2 and B3.
template <class T, int Dim, bool is_scaled>
class CgSolver : public SteppingSolver<T, Dim> {
public:
  CgSolver(AnyMatrixPtr<T, Dim> const& matrix, StopRule const& stop)
      : SteppingSolver<T, Dim>(matrix, stop), p_(this->cell_values()) {}

protected:
  void start() override { is_first_ = true; }
  double step(T const*, T* x, T* r) override {
    auto const& a = this->matrix();
    if (is_first_) {
      GroupSums sums(a.chain());
      Pipeline pipeline;
      a.add(pipeline, sums, ResidualSums<T, is_scaled>{r});
      this->run(pipeline);
      rz_ = sums.total(0);
    }
    GroupSums curvature(a.chain()), sums(a.chain());
    Pipeline direct, advance;
    a.add(direct, Direction<T, is_scaled>{r, p_.data(), static_cast<T>(beta_), is_first_});
    a.add(direct, curvature, Curvature<T>{p_.data()});
    this->run(direct);
    double const pq = curvature.total(0), alpha = pq == 0 ? 0 : rz_ / pq;
    a.add(advance, Advance<T>{p_.data(), x, r, static_cast<T>(alpha)});
    a.add(advance, sums, ResidualSums<T, is_scaled>{r});
    this->run(advance);
    beta_ = sums.total(0) / rz_;
    rz_ = sums.total(0);
    is_first_ = false;
    return std::sqrt(sums.total(1));
  }

private:
  Buffer<T> p_;
  double rz_ = 0, beta_ = 0;
  bool is_first_ = true;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(AnyMatrixPtr<T, Dim> const& matrix, ConjugateGradients const& method,
                              StopRule const& stop) {
  if (method.preconditioner == Preconditioner::none) return std::make_unique<CgSolver<T, Dim, false>>(matrix, stop);
  return std::make_unique<CgSolver<T, Dim, true>>(matrix, stop);
}
SPARSE_DEFINE_SOLVERS(ConjugateGradients, AnyMatrixPtr)

}  // namespace sparse::poisson::detail
