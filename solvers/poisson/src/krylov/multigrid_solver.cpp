/// Multigrid as an iteration of its own, from the coarsest level up, and inside conjugate gradients.

#include <sparse/poisson/tiled_multigrid_cg.hpp>

#include "any_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// x += z, or x = z
template <class T, class P>
struct AddCorrection {
  P const* z;
  T* x;
  bool is_added;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const z_here = static_cast<T>(z[cell]);
    x[cell] = is_added ? x[cell] + z_here : z_here;
  }
};

/// x += M (b - A x), for `full_multigrid` after a first x that is made from the coarsest level up.
template <class T, class P, int Dim>
class MultigridIteration : public SteppingSolver<T, Dim> {
public:
  MultigridIteration(Problem<Dim> const& problem, SolverOptions const& options)
      : SteppingSolver<T, Dim>(problem, options.stop, multigrid_patience),
        multigrid_(this->matrix(), options.multigrid), z_(this->level().context(), this->level().cell_count()),
        is_full_(options.method == Method::full_multigrid), full_cycles_(options.full_multigrid_cycles) {}

  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) override { return solve_in_parts(b, nullptr, b, x); }
  Report solve(Field<T, Dim> const& b, Field<T, Dim> const& boundary, Field<T, Dim> const& sum,
               Field<T, Dim>& x) override {
    return solve_in_parts(b, &boundary, sum, x);
  }

protected:
  bool has_single_cycles() const override { return std::is_same_v<P, float>; }
  Report solve_again(double factor, Field<T, Dim> const& b, Field<T, Dim>& x) override {
    auto source = clone(*source_);
    scale(source, static_cast<T>(factor));
    if (boundary_ == nullptr) return solve_in_parts(source, nullptr, b, x);
    auto boundary = clone(*boundary_);
    scale(boundary, static_cast<T>(factor));
    return solve_in_parts(source, &boundary, b, x);
  }
  double step(T const* b, T* x, T* r) override {
    auto const& level = this->level();
    GroupSums sums(level.chain());
    Pipeline last;
    last.add(cell_stage(level, AddCorrection<T, P>{z_.data(), x, !is_next_full_}));
    last.add(sum_stage(level, sums, Residual<T>{b, x, r}));
    if (is_next_full_) {
      // Where there are singular components, only the sum has lost its means.
      bool const is_sum = boundary_ == nullptr || this->matrix().singular_count() > 0;
      T const* const boundary = is_sum ? nullptr : boundary_->view().data;
      multigrid_.full_multigrid(is_sum ? b : source_->view().data, boundary, z_.data(), full_cycles_);
      this->run(last);
    } else {
      multigrid_.cycle(static_cast<T const*>(r), z_.data(), {}, std::move(last));
    }
    is_next_full_ = false;
    return std::sqrt(sums.total(0));
  }

private:
  Report solve_in_parts(Field<T, Dim> const& source, Field<T, Dim> const* boundary, Field<T, Dim> const& sum,
                        Field<T, Dim>& x) {
    source_ = &source;
    boundary_ = boundary;
    is_next_full_ = is_full_;
    return SteppingSolver<T, Dim>::solve(sum, x);
  }

  Multigrid<P, Dim> multigrid_;
  Buffer<P> z_;
  bool is_full_, is_next_full_ = false;
  int full_cycles_;
  Field<T, Dim> const *source_ = nullptr, *boundary_ = nullptr;
};

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

/// With beta = (z, r - last r) / (last z, last r), in which r - last r = -alpha A p.
/// Source: Notay, Flexible conjugate gradients, SIAM J. Sci. Comput. 22 (2000).
template <class T, class P, int Dim>
class FlexibleCg : public SteppingSolver<T, Dim> {
public:
  FlexibleCg(Problem<Dim> const& problem, SolverOptions const& options)
      : SteppingSolver<T, Dim>(problem, options.stop, multigrid_patience),
        multigrid_(this->matrix(), options.multigrid), p_(this->cell_values()),
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
  Multigrid<P, Dim> multigrid_;
  Buffer<T> p_;
  Buffer<P> z_;
  double alpha_ = 0, rz_ = 1;
};

/// A solver that is a class of its own.
template <class Of, class T, int Dim>
class WithSolver : public AnySolver<T, Dim> {
public:
  template <class Options>
  WithSolver(Problem<Dim> const& problem, Options const& options) : solver_(problem, options) {}
  Operator<T, Dim> const& matrix() const override { return solver_.matrix(); }
  using AnySolver<T, Dim>::solve;
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) override { return solver_.solve(b, x); }

private:
  Of solver_;
};

template <class T, class P, int Dim>
SolverPtr<T, Dim> make_tiled(Problem<Dim> const& problem, SolverOptions const& options) {
  TiledMultigridCgOptions tiled;
  tiled.stop = options.stop;
  tiled.multigrid = options.multigrid;
  return std::make_unique<WithSolver<TiledMultigridCg<T, P, Dim>, T, Dim>>(problem, tiled);
}

template <class T, class P, int Dim>
SolverPtr<T, Dim> make_with(Problem<Dim> const& problem, SolverOptions const& options) {
  switch (options.method) {
  case Method::multigrid_cg:
    return std::make_unique<WithSolver<MultigridCg<T, P, Dim>, T, Dim>>(
        problem, MultigridCgOptions{options.stop, options.multigrid});
  case Method::tiled_multigrid_cg:
    return make_tiled<T, P>(problem, options);
  case Method::flexible_cg:
    return std::make_unique<FlexibleCg<T, P, Dim>>(problem, options);
  default:
    return std::make_unique<MultigridIteration<T, P, Dim>>(problem, options);
  }
}

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_multigrid_solver(Problem<Dim> const& problem, SolverOptions const& options) {
  return options.cycle_precision == Precision::same ? make_with<T, T, Dim>(problem, options)
                                                    : make_with<T, float, Dim>(problem, options);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template SolverPtr<T, Dim> make_multigrid_solver<T, Dim>(Problem<Dim> const&, SolverOptions const&);
SPARSE_FOR_ALL_CASES(SPARSE_DEFINE)
#undef SPARSE_DEFINE

}  // namespace sparse::poisson::detail
