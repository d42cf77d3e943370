/// Multigrid as an iteration, with or without a first pass of full multigrid.

#include "multigrid/hierarchy.hpp"
#include "stepping_solver.hpp"

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

/// x += M (b - A x). Full multigrid makes the first x if `full_cycles` says so.
template <class T, class P, int Dim>
class MultigridIteration : public CouplingSolver<T, Dim> {
public:
  /// @param full_cycles  of the first pass on each level; 0: there is none
  MultigridIteration(MatrixPtr<T, Dim> const& matrix, Multigrid const& method, int full_cycles, StopRule const& stop)
      : CouplingSolver<T, Dim>(matrix, stop, multigrid_patience),
        multigrid_(Couplings<P, Dim>::converted(this->level()), method),
        z_(this->level().context(), this->level().cell_count()), full_cycles_(full_cycles) {}

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
      // On singular components, means have been taken from the sum only.
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
    is_next_full_ = full_cycles_ > 0;
    return SteppingSolver<T, Dim>::solve(sum, x);
  }

  Hierarchy<P, Dim> multigrid_;
  Buffer<P> z_;
  bool is_next_full_ = false;
  int full_cycles_;
  Field<T, Dim> const *source_ = nullptr, *boundary_ = nullptr;
};

template <class T, int Dim>
SolverPtr<T, Dim> make(MatrixPtr<T, Dim> const& matrix, Multigrid const& method, int full_cycles,
                       StopRule const& stop) {
  if (method.precision == Precision::same)
    return std::make_unique<MultigridIteration<T, T, Dim>>(matrix, method, full_cycles, stop);
  return std::make_unique<MultigridIteration<T, float, Dim>>(matrix, method, full_cycles, stop);
}

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Multigrid const& method, StopRule const& stop) {
  return make(matrix, method, 0, stop);
}
template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, FullMultigrid const& method, StopRule const& stop) {
  return make(matrix, method.multigrid, method.cycles, stop);
}

SPARSE_DEFINE_SOLVERS(Multigrid, MatrixPtr)
SPARSE_DEFINE_SOLVERS(FullMultigrid, MatrixPtr)

}  // namespace sparse::poisson::detail
