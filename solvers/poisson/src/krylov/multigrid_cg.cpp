/// Conjugate gradients preconditioned by multigrid cycles. Only sums that must be known separate passes over memory.

#include <cmath>

#include "any_solver.hpp"
#include "iteration.hpp"
#include "multigrid/hierarchy.hpp"
#include "operator/kernels.hpp"

namespace sparse::poisson::detail {
namespace {

/// x += alpha p with the last direction p, then p = z + beta p. The first direction stays in z, where the cycle has put
/// it, until the next cycle.
template <class T, class P>
struct NextDirection {
  T *x, *p;
  P const* z;
  T alpha, beta;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const last = p[cell];
    x[cell] += alpha * last;
    p[cell] = static_cast<T>(z[cell]) + beta * last;
  }
};
template <class T, class P>
struct FirstDirection {
  T* p;
  P const* z;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    p[cell] = static_cast<T>(z[cell]);
  }
};
/// x += alpha p, where D is the type of p
template <class T, class D>
struct AddDirection {
  T* x;
  D const* p;
  T alpha;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] += alpha * static_cast<T>(p[rows.run.first + step]);
  }
};

/// Adds up p A p, r A p and (A p)^2. From these follows the square of the next residual.
template <class T, class D>
struct DirectionProducts {
  static constexpr int sum_count = 3;
  D const* p;
  T const* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& pq, double& rq, double& qq) const {
    Index const cell = rows.run.first + step;
    auto const q = static_cast<double>(rows.applied(p + rows.run.first, step));
    pq += static_cast<double>(p[cell]) * q;
    rq += static_cast<double>(r[cell]) * q;
    qq += q * q;
  }
};

/// Adds up r z and r^2.
template <class T, class P>
struct ResidualProducts {
  static constexpr int sum_count = 2;
  T const* r;
  P const* z;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& rz, double& rr, double&) const {
    Index const cell = rows.run.first + step;
    auto const value = static_cast<double>(r[cell]);
    rz += value * static_cast<double>(z[cell]);
    rr += value * value;
  }
};

/// r -= alpha A p. To make the product again is cheaper than to store it.
template <class T>
struct UpdateResidual {
  T* r;
  T const* p;
  T alpha;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    r[rows.run.first + step] -= alpha * rows.applied(p + rows.run.first, step);
  }
};

/// The matrix of all ranks, with values of type P. Levels are made of it, whatever part of it a rank has.
template <class P, class T, int Dim>
Couplings<P, Dim> finest_of(Matrix<T, Dim> const& matrix) {
  return matrix.ranks() ? Couplings<P, Dim>::converted(Couplings<T, Dim>(matrix.problem()))
                        : Couplings<P, Dim>::converted(matrix.couplings());
}

/// `P` is the type of the values inside the cycle.
template <class T, class P, int Dim>
class MultigridCgSolver : public AnySolver<T, Dim> {
public:
  MultigridCgSolver(MatrixPtr<T, Dim> const& matrix, Multigrid const& preconditioner, StopRule const& stop)
      : stop_(stop), matrix_(matrix), multigrid_(finest_of<P>(*matrix), preconditioner, matrix->ranks()),
        p_(matrix->cells().context(), matrix->cells().cell_count()),
        z_(matrix->cells().context(), matrix->cells().cell_count()), r_("residual", matrix->cells()) {}

  using AnySolver<T, Dim>::solve;
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) override;

private:
  StopRule stop_;
  MatrixPtr<T, Dim> matrix_;
  Hierarchy<P, Dim> multigrid_;
  Buffer<T> p_;
  Buffer<P> z_;
  Field<T, Dim> r_;
};

template <class T, class P, int Dim>
Report MultigridCgSolver<T, P, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& x) {
  Iteration<T, Dim> iteration(*matrix_, stop_, b, x, r_, multigrid_patience);
  if (double const factor = iteration.template scale_for_cycles<P>(); factor != 1)
    return iteration.solve_scaled(factor, [&](auto const& of_b, auto& of_x) { return solve(of_b, of_x); });
  auto const& level = matrix_->couplings();
  auto const context = level.context();
  auto const chain = level.chain();
  T *const r = r_.view().data, *const p = p_.data(), *const values = x.view().data;
  P* const z = z_.data();

  bool is_residual_new = true;  // whether r includes the last step
  double alpha = 0, rz = 0;
  for (int count = 0; !iteration.is_over(); ++count) {
    // z = M r, which is the first direction
    GroupSums product = matrix_->sums(), products = matrix_->sums();
    Pipeline first, last;
    if (count == 1) first.add(cell_stage(level, FirstDirection<T, P>{p, z}));
    if (!is_residual_new) first.add(cell_stage(level, UpdateResidual<T>{r, p, static_cast<T>(alpha)}));
    last.add(sum_stage(level, product, ResidualProducts<T, P>{r, z}));
    if (count == 0) last.add(sum_stage(level, products, DirectionProducts<T, P>{z, r}));
    multigrid_.cycle(static_cast<T const*>(r), z, std::move(first), std::move(last));
    double const rz_before = rz;
    rz = product.total(0);

    if (count > 0) {  // x += alpha p; p = z + beta p; A p
      Pipeline direct;
      direct.add(cell_stage(level, NextDirection<T, P>{values, p, z, static_cast<T>(is_residual_new ? 0 : alpha),
                                                       static_cast<T>(rz / rz_before)}));
      direct.add(sum_stage(level, products, DirectionProducts<T, T>{p, r}));
      direct.run(context, chain);
    }
    double const pq = products.total(0), square = product.total(1);
    alpha = pq > 0 ? rz / pq : 0;
    double const next_square = square - 2 * alpha * products.total(1) + alpha * alpha * products.total(2);
    is_residual_new = false;
    if (iteration.must_check(std::isfinite(pq) ? std::sqrt(next_square < 0 ? 0 : next_square) : pq) || alpha == 0) {
      Pipeline complete;
      if (count == 0)
        complete.add(cell_stage(level, AddDirection<T, P>{values, z, static_cast<T>(alpha)}));
      else
        complete.add(cell_stage(level, AddDirection<T, T>{values, p, static_cast<T>(alpha)}));
      iteration.check(std::move(complete));
      is_residual_new = true;
    }
  }
  return iteration.finish();
}

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, MultigridCg const& method, StopRule const& stop) {
  if (method.preconditioner.precision == Precision::same)
    return std::make_unique<MultigridCgSolver<T, T, Dim>>(matrix, method.preconditioner, stop);
  return std::make_unique<MultigridCgSolver<T, float, Dim>>(matrix, method.preconditioner, stop);
}
SPARSE_DEFINE_SOLVERS(MultigridCg, MatrixPtr)

}  // namespace sparse::poisson::detail
