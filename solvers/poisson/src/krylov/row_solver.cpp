#include <sparse/poisson/row_solver.hpp>

#include "completion.hpp"
#include "passes/row_matrix.hpp"

namespace sparse::poisson {

template <class T, int Dim>
RowSolver<T, Dim>::RowSolver(IntervalSet<Dim> const& cells, std::unique_ptr<detail::AnyRows<T> const> rows,
                             RowMethod const& method, StopRule const& stop, Uniqueness uniqueness)
    : matrix_(std::make_shared<detail::RowMatrix<T, Dim> const>(cells, std::move(rows),
                                                                uniqueness == Uniqueness::up_to_constants)),
      method_(method) {
  stop.expect_valid("poisson");
  std::visit(
      [&](auto& one) {
        one.expect_valid();
        detail::estimate(*matrix_, one);
        solver_ = detail::make_solver<T, Dim>(matrix_, one, stop);
      },
      method_);
}
template <class T, int Dim>
RowSolver<T, Dim>::~RowSolver() = default;
template <class T, int Dim>
RowSolver<T, Dim>::RowSolver(RowSolver&&) noexcept = default;
template <class T, int Dim>
RowSolver<T, Dim>& RowSolver<T, Dim>::operator=(RowSolver&&) noexcept = default;

template <class T, int Dim>
Report RowSolver<T, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& x) {
  return solver_->solve(b, x);
}
template <class T, int Dim>
void RowSolver<T, Dim>::apply(Field<T, Dim>& result, Field<T, Dim> const& x) const {
  matrix_->apply(result, x);
}

template class RowSolver<float, 2>;
template class RowSolver<float, 3>;
template class RowSolver<double, 2>;
template class RowSolver<double, 3>;

}  // namespace sparse::poisson
