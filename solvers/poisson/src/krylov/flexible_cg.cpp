/// Conjugate gradients with a preconditioner that may change.

#include "multigrid/hierarchy.hpp"
#include "stepping_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// Adds up r z and z A p.
template <class T, class P>
struct FlexibleSums {
  static constexpr int sum_count = 2;
  T const *r, *p;
  P const* z;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step, double& rz, double& zq, double&) const {
    Index const cell = rows.run.first + step;
    auto const z_here = static_cast<double>(z[cell]);
    rz += static_cast<double>(r[cell]) * z_here;
    zq += z_here * static_cast<double>(rows.applied(p + rows.run.first, step));
  }
};
template <class T, class P>
struct FlexibleDirection {
  P const* z;
  T* p;
  T beta;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    p[cell] = static_cast<T>(z[cell]) + beta * p[cell];
  }
};

/// beta = (z, r - last r) / (last z, last r), where r - last r = -alpha A p.
/// Source: Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000).
template <class T, class P, int Dim>
class FlexibleCgSolver : public CouplingSolver<T, Dim> {
public:
  FlexibleCgSolver(MatrixPtr<T, Dim> const& matrix, FlexibleCg const& method, StopRule const& stop)
      : CouplingSolver<T, Dim>(matrix, stop, multigrid_patience),
        multigrid_(Couplings<P, Dim>::converted(this->level()), method.preconditioner), p_(this->cell_values()),
        z_(this->level().context(), this->level().cell_count()) {}

protected:
  bool has_single_cycles() const override { return std::is_same_v<P, float>; }
  void start() override {
    T* const p = p_.data();
    parallel_for(this->level().context(), "sparse::poisson::no_direction", p_.size(), Clear<T>{p});
    alpha_ = 0;
    rz_ = 1;
  }
  double step(T const*, T* x, T* r) override {
    auto const& level = this->level();
    GroupSums products(level.chain()), curvature(level.chain()), square(level.chain());
    Pipeline last, direct, advance;
    last.add(sum_stage(level, products, FlexibleSums<T, P>{r, p_.data(), z_.data()}));
    multigrid_.cycle(static_cast<T const*>(r), z_.data(), {}, std::move(last));
    double const beta = -alpha_ * products.total(1) / rz_;
    rz_ = products.total(0);
    direct.add(cell_stage(level, FlexibleDirection<T, P>{z_.data(), p_.data(), static_cast<T>(beta)}));
    direct.add(sum_stage(level, curvature, Curvature<T>{p_.data()}));
    this->run(direct);
    double const pq = curvature.total(0);
    alpha_ = pq == 0 ? 0 : rz_ / pq;
    advance.add(cell_stage(level, Advance<T>{p_.data(), x, r, static_cast<T>(alpha_)}));
    advance.add(sum_stage(level, square, Dot<T, T>{r, r}));
    this->run(advance);
    return std::sqrt(square.total(0));
  }

private:
  Hierarchy<P, Dim> multigrid_;
  Buffer<T> p_;
  Buffer<P> z_;
  double alpha_ = 0, rz_ = 1;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, FlexibleCg const& method, StopRule const& stop) {
  if (method.preconditioner.precision == Precision::same)
    return std::make_unique<FlexibleCgSolver<T, T, Dim>>(matrix, method, stop);
  return std::make_unique<FlexibleCgSolver<T, float, Dim>>(matrix, method, stop);
}
SPARSE_DEFINE_SOLVERS(FlexibleCg, MatrixPtr)

}  // namespace sparse::poisson::detail
