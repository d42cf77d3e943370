#include <sparse/poisson/operator.hpp>

#include "matrix.hpp"

namespace sparse::poisson {

template <class T, int Dim>
Operator<T, Dim>::Operator(Problem<Dim> const& problem)
    : matrix_(std::make_shared<detail::Matrix<T, Dim> const>(problem)) {}

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
  matrix_->apply(result, x);
}
template <class T, int Dim>
double Operator<T, Dim>::residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const {
  return matrix_->residual(r, b, x);
}
template <class T, int Dim>
double Operator<T, Dim>::norm(Field<T, Dim> const& x) const {
  matrix_->expect_field(x, "field");
  return matrix_->norm(x.view().data);
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
  return matrix_->remove_means(x);
}

template class Operator<float, 2>;
template class Operator<float, 3>;
template class Operator<double, 2>;
template class Operator<double, 3>;

}  // namespace sparse::poisson
