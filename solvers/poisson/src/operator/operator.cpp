#include <sparse/poisson/operator.hpp>

#include "matrix.hpp"

namespace sparse::poisson {

template <class T, int Dim>
Operator<T, Dim>::Operator(Problem<Dim> const& problem)
    : matrix_(std::make_shared<detail::Matrix<T, Dim> const>(problem)) {}

template <class T, int Dim>
Operator<T, Dim>::Operator(Problem<Dim> const& problem, int reach)
    : matrix_(std::make_shared<detail::Matrix<T, Dim> const>(problem, reach)) {}

template <class T, int Dim>
IntervalSet<Dim> const& Operator<T, Dim>::cells() const {
  return matrix_->own_cells();
}
template <class T, int Dim>
Problem<Dim> const& Operator<T, Dim>::problem() const {
  return matrix_->problem();
}
template <class T, int Dim>
Index Operator<T, Dim>::component_count() const {
  return matrix_->component_count();
}
template <class T, int Dim>
Index Operator<T, Dim>::singular_count() const {
  return matrix_->singular_count();
}

template <class T, int Dim>
void Operator<T, Dim>::apply(Field<T, Dim>& result, Field<T, Dim> const& x) const {
  if (!matrix_->ranks()) return matrix_->apply(result, x);
  matrix_->expect_own_field(x, "operand");
  matrix_->expect_own_field(result, "result");
  Field<T, Dim> product("product", matrix_->cells());
  matrix_->apply(product, matrix_->spread(x));
  matrix_->take(result, product);
}
template <class T, int Dim>
double Operator<T, Dim>::residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const {
  if (!matrix_->ranks()) return matrix_->residual(r, b, x);
  matrix_->expect_own_field(b, "right-hand side");
  matrix_->expect_own_field(x, "solution");
  matrix_->expect_own_field(r, "residual");
  Field<T, Dim> difference("residual", matrix_->cells());
  double const norm = matrix_->residual(difference, matrix_->spread(b), matrix_->spread(x));
  matrix_->take(r, difference);
  return norm;
}
template <class T, int Dim>
double Operator<T, Dim>::norm(Field<T, Dim> const& x) const {
  matrix_->expect_own_field(x, "field");
  return matrix_->ranks() ? matrix_->norm(matrix_->spread(x)) : matrix_->norm(x.view().data);
}
template <class T, int Dim>
void Operator<T, Dim>::add_boundary_values(Field<T, Dim>& b, int axis, double value) const {
  matrix_->add_boundary(b, axis, value, nullptr);
}
template <class T, int Dim>
void Operator<T, Dim>::add_boundary_values(Field<T, Dim>& b, int axis, Field<double, Dim> const& values) const {
  matrix_->add_boundary(b, axis, 0, &values);
}
template <class T, int Dim>
double Operator<T, Dim>::remove_means(Field<T, Dim>& x) const {
  if (!matrix_->ranks()) return matrix_->remove_means(x);
  matrix_->expect_own_field(x, "field");
  auto on_window = matrix_->spread(x);
  double const greatest = matrix_->remove_means(on_window);
  matrix_->take(x, on_window);
  return greatest;
}

template class Operator<float, 2>;
template class Operator<float, 3>;
template class Operator<double, 2>;
template class Operator<double, 3>;

}  // namespace sparse::poisson
