/// Jacobi, Gauss-Seidel and successive over-relaxation: sweeps that look at nothing but the residual.

#include "any_solver.hpp"

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
class Jacobi : public SteppingSolver<T, Dim> {
public:
  Jacobi(Problem<Dim> const& problem, SolverOptions const& options)
      : SteppingSolver<T, Dim>(problem, options.stop), factor_(static_cast<T>(options.jacobi_factor)),
        next_(this->cell_values()) {}

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
class RedBlack : public SteppingSolver<T, Dim> {
public:
  RedBlack(Problem<Dim> const& problem, SolverOptions const& options) : SteppingSolver<T, Dim>(problem, options.stop) {
    expects(this->level().has_two_colours(),
            "poisson: red-black relaxation needs even periods: across an odd one neighbours have the same colour");
    if (options.method == Method::sor)
      factor_ = options.sor_factor ? *options.sor_factor : best_factor(estimate_least_eigenvalue(this->matrix()));
  }
  double parameter() const override { return factor_; }

protected:
  double step(T const* b, T* x, T*) override {
    auto const& level = this->level();
    GroupSums sums(level.chain());
    Pipeline pipeline;
    for (int colour : {0, 1}) pipeline.add(cell_stage(level, Relax<T, T>{x, b, colour, static_cast<T>(factor_)}));
    pipeline.add(sum_stage(level, sums, ResidualSquare<T>{b, x}));
    this->run(pipeline);
    return std::sqrt(sums.total(0));
  }

private:
  /// Eigenvalues of Jacobi's method come in pairs +-mu, with the greatest mu = 1 - least.
  static double best_factor(double least) { return 2 / (1 + std::sqrt(least * (2 - least))); }
  double factor_ = 1;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_stationary(Problem<Dim> const& problem, SolverOptions const& options) {
  if (options.method == Method::jacobi) return std::make_unique<Jacobi<T, Dim>>(problem, options);
  return std::make_unique<RedBlack<T, Dim>>(problem, options);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template SolverPtr<T, Dim> make_stationary<T, Dim>(Problem<Dim> const&, SolverOptions const&);
SPARSE_FOR_ALL_CASES(SPARSE_DEFINE)
#undef SPARSE_DEFINE

}  // namespace sparse::poisson::detail
