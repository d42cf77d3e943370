#pragma once
/// What a method has to be made of to become a solver.

#include <memory>

#include <sparse/poisson/iteration.hpp>
#include <sparse/poisson/solver.hpp>

namespace sparse::poisson::detail {

template <class T, int Dim>
class AnySolver {
public:
  virtual ~AnySolver() = default;
  virtual Operator<T, Dim> const& matrix() const = 0;
  virtual Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) = 0;
  /// @param sum  b + boundary
  virtual Report solve(Field<T, Dim> const&, Field<T, Dim> const&, Field<T, Dim> const& sum, Field<T, Dim>& x) {
    return solve(sum, x);
  }
  /// What the method was told or has found out.
  virtual double parameter() const { return 0; }
};

/// A method that makes x better step by step.
template <class T, int Dim>
class SteppingSolver : public AnySolver<T, Dim> {
public:
  /// @param patience  see `Iteration`
  SteppingSolver(Problem<Dim> const& problem, StopRule const& stop, int patience = std::numeric_limits<int>::max())
      : matrix_(problem), stop_(stop), patience_(patience), r_("residual", problem.cells) {}

  using AnySolver<T, Dim>::solve;
  Operator<T, Dim> const& matrix() const override { return matrix_; }
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) override {
    Iteration<T, Dim> iteration(matrix_, stop_, b, x, r_, patience_);
    if (double const factor = has_single_cycles() ? iteration.template scale_for_cycles<float>() : 1; factor != 1)
      return iteration.solve_scaled(factor,
                                    [&](auto const& of_b, auto& of_x) { return solve_again(factor, of_b, of_x); });
    Field<T, Dim> compatible;
    if (matrix_.singular_count() > 0 && !iteration.is_over()) {
      compatible = clone(b);
      matrix_.remove_means(compatible);
    }
    T const* const right = matrix_.singular_count() > 0 ? std::as_const(compatible).view().data : b.view().data;
    for (bool must_start = true; !iteration.is_over();) {
      if (must_start) start();
      must_start = iteration.must_check(step(right, x.view().data, r_.view().data));
      if (must_start) iteration.check();
    }
    return iteration.finish();
  }

protected:
  /// Whether steps are made of cycles in single precision.
  virtual bool has_single_cycles() const { return false; }
  /// Solves the problem with all of it multiplied by a factor.
  virtual Report solve_again(double, Field<T, Dim> const& b, Field<T, Dim>& x) { return SteppingSolver::solve(b, x); }
  /// Before the first step, and whenever r has been made anew.
  virtual void start() {}
  /// Makes x better. @param b  of mean 0 on singular components
  /// @param r  b - A x, at the start; a method that needs it later keeps it up to date
  /// @return   the Euclidean norm of the residual afterwards
  virtual double step(T const* b, T* x, T* r) = 0;

  Couplings<T, Dim> const& level() const { return matrix_.couplings(); }
  void run(Pipeline const& pipeline) const { pipeline.run(level().context(), level().chain()); }
  Buffer<T> cell_values() const { return Buffer<T>(level().context(), level().cell_count()); }

private:
  Operator<T, Dim> matrix_;
  StopRule stop_;
  int patience_;
  Field<T, Dim> r_;
};

// ---- all there are; options have been checked

template <class T, int Dim>
using SolverPtr = std::unique_ptr<AnySolver<T, Dim>>;

template <class T, int Dim>
SolverPtr<T, Dim> make_stationary(Problem<Dim> const& problem, SolverOptions const& options);
template <class T, int Dim>
SolverPtr<T, Dim> make_chebyshev(Problem<Dim> const& problem, SolverOptions const& options);
template <class T, int Dim>
SolverPtr<T, Dim> make_conjugate_gradients(Problem<Dim> const& problem, SolverOptions const& options);
template <class T, int Dim>
SolverPtr<T, Dim> make_multigrid_solver(Problem<Dim> const& problem, SolverOptions const& options);

/// About the least eigenvalue of D^-1 A but for the 0 of singular components, from below, by Lanczos' method: Ritz
/// values come from the coefficients of conjugate gradients with the preconditioner D, whose residual has to fall to
/// 1e-5 for the least one to be found. Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed.,
/// section 6.7.3.
template <class T, int Dim>
double estimate_least_eigenvalue(Operator<T, Dim> const& matrix);

// ---- stages that several methods have

/// p = z + beta p; z is the residual, over the diagonal if need be.
template <class T, bool is_scaled>
struct Direction {
  T const* r;
  T* p;
  T beta;
  bool is_first;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T z = r[cell];
    if constexpr (is_scaled) z *= rows.inverse_diagonal(step);
    p[cell] = is_first ? z : z + beta * p[cell];
  }
};

/// Adds up p A p.
template <class T>
struct Curvature {
  static constexpr int sum_count = 1;
  T const* p;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    sum += static_cast<double>(p[rows.run.first + step]) * static_cast<double>(rows.applied(p + rows.run.first, step));
  }
};

/// x += alpha p, r -= alpha A p
template <class T>
struct Advance {
  T const* p;
  T *x, *r;
  T alpha;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    x[cell] += alpha * p[cell];
    r[cell] -= alpha * rows.applied(p + rows.run.first, step);
  }
};

/// Adds up r z and r^2 with the z of `Direction`.
template <class T, bool is_scaled>
struct ResidualSums {
  static constexpr int sum_count = 2;
  T const* r;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& rz, double& rr, double&) const {
    auto const value = static_cast<double>(r[rows.run.first + step]);
    double const square = value * value;
    rz += is_scaled ? square * static_cast<double>(rows.inverse_diagonal(step)) : square;
    rr += square;
  }
};

/// Adds up (b - A x)^2.
template <class T>
struct ResidualSquare {
  static constexpr int sum_count = 1;
  T const *b, *x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& sum, double&, double&) const {
    auto const r = static_cast<double>(b[rows.run.first + step] - rows.applied(x + rows.run.first, step));
    sum += r * r;
  }
};

}  // namespace sparse::poisson::detail

/// Defines a function template for all types of values and dimensions.
#define SPARSE_FOR_ALL_CASES(DEFINE) DEFINE(float, 2) DEFINE(float, 3) DEFINE(double, 2) DEFINE(double, 3)
