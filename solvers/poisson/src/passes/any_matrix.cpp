#include "passes/any_matrix.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "passes/null_space.hpp"

namespace sparse::poisson::detail {

template <class T, int Dim>
Index AnyMatrix<T, Dim>::component_count() const {
  return null_space_->component_count();
}
template <class T, int Dim>
Index AnyMatrix<T, Dim>::singular_count() const {
  return null_space_->singular_count();
}

template <class T, int Dim>
void AnyMatrix<T, Dim>::expect_field(Field<T, Dim> const& field, char const* what) const {
  if (field.component_count() != 1 || !(field.domain() == cells()))
    fail("poisson: the " + std::string(what) + ", field '" + field.name() +
         "', must have one component on the cells of the problem");
}

template <class T, int Dim>
void AnyMatrix<T, Dim>::apply(Field<T, Dim>& result, Field<T, Dim> const& x) const {
  expect_field(x, "operand");
  expect_field(result, "result");
  expects(x.view().data != result.view().data, "poisson: the result must be another field than the operand");
  Pipeline pipeline;
  add(pipeline, Apply<T>{x.view().data, result.view().data});
  run(pipeline);
}

template <class T, int Dim>
double AnyMatrix<T, Dim>::residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const {
  expect_field(b, "right-hand side");
  expect_field(x, "solution");
  expect_field(r, "residual");
  expects(x.view().data != r.view().data, "poisson: the residual must be another field than the solution");
  GroupSums sums = this->sums();
  Pipeline pipeline;
  add(pipeline, sums, Residual<T, 1>{b.view().data, x.view().data, r.view().data});
  run(pipeline);
  if (singular_count() == 0) return std::sqrt(sums.total(0));
  null_space_->project(r.view().data);
  return norm(r.view().data);
}

template <class T, int Dim>
ResidualMoments AnyMatrix<T, Dim>::residual_moments(Field<T, Dim> const& b, Field<T, Dim> const& x, Field<T, Dim>& r,
                                                    bool has_b, Pipeline first) const {
  GroupSums of_b = sums(), of_x = sums(), of_r = sums();
  add(first, of_r, Residual<T, 2>{b.view().data, x.view().data, r.view().data});
  if (has_b) add(first, of_b, SquareAndSum<T>{b.view().data});
  if (null_space_->is_whole()) add(first, of_x, SquareAndSum<T>{x.view().data});
  run(first);
  return {{of_b.total(0), of_b.total(1)}, {of_x.total(0), of_x.total(1)}, {of_r.total(0), of_r.total(1)}};
}

template <class T, int Dim>
void AnyMatrix<T, Dim>::subtract(double constant, Field<T, Dim>& x) const {
  Pipeline pipeline;
  add(pipeline, SubtractConstant<T>{x.view().data, static_cast<T>(constant)});
  run(pipeline);
}

template <class T, int Dim>
double AnyMatrix<T, Dim>::remove_means(Field<T, Dim>& x) const {
  expect_field(x, "field");
  return null_space_->project(x.view().data);
}

template <class T, int Dim>
double AnyMatrix<T, Dim>::norm(T const* x) const {
  GroupSums sums = this->sums();
  Pipeline pipeline;
  add(pipeline, sums, Dot<T, T>{x, x});
  run(pipeline);
  return std::sqrt(sums.total(0));
}

template <int Dim>
std::shared_ptr<NullSpace<Dim> const> null_space_of(IntervalSet<Dim> const& cells, bool has_constants) {
  if (!has_constants) return std::make_shared<NullSpace<Dim> const>();
  Problem<Dim> closed;
  closed.cells = cells;
  return std::make_shared<NullSpace<Dim> const>(closed);
}

template class AnyMatrix<float, 2>;
template class AnyMatrix<float, 3>;
template class AnyMatrix<double, 2>;
template class AnyMatrix<double, 3>;
template std::shared_ptr<NullSpace<2> const> null_space_of(IntervalSet<2> const&, bool);
template std::shared_ptr<NullSpace<3> const> null_space_of(IntervalSet<3> const&, bool);

}  // namespace sparse::poisson::detail
