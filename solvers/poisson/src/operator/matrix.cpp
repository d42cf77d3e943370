#include "matrix.hpp"

#include <cmath>
#include <string>

#include <sparse/plans/for_each.hpp>

#include "kernels.hpp"

namespace sparse::poisson::detail {
namespace {

/// Operands: the face; the cells below and above it; its coefficient and value.
template <class T, int Dim>
struct AddBoundary {
  T* b;
  double weight, value;
  double const *coefficient, *values;

  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 5> const& p) const {
    double const c = coefficient == nullptr ? 1 : coefficient[p.operand(3)];
    double const v = values == nullptr ? value : values[p.operand(4)];
    Index const cell = p.operand(p.has(1) ? 1 : 2);
    Kokkos::atomic_add(b + cell, static_cast<T>(2 * weight * c * v));  // a cell may have two such faces
  }
};

}  // namespace

template <class T, int Dim>
Matrix<T, Dim>::Matrix(Problem<Dim> const& problem) : problem_(problem), couplings_(problem), null_space_(problem) {}

template <class T, int Dim>
void Matrix<T, Dim>::expect_field(Field<T, Dim> const& field, char const* what) const {
  if (field.component_count() != 1 || !(field.domain() == cells()))
    fail("poisson: the " + std::string(what) + ", field '" + field.name() +
         "', must have one component on the cells of the problem");
}

template <class T, int Dim>
void Matrix<T, Dim>::apply(Field<T, Dim>& result, Field<T, Dim> const& x) const {
  expect_field(x, "operand");
  expect_field(result, "result");
  expects(x.view().data != result.view().data, "poisson: the result must be another field than the operand");
  Pipeline pipeline;
  pipeline.add(cell_stage(couplings_, Apply<T>{x.view().data, result.view().data}));
  pipeline.run(couplings_.context(), couplings_.chain());
}

template <class T, int Dim>
double Matrix<T, Dim>::residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const {
  expect_field(b, "right-hand side");
  expect_field(x, "solution");
  expect_field(r, "residual");
  expects(x.view().data != r.view().data, "poisson: the residual must be another field than the solution");
  GroupSums sums(couplings_.chain());
  Pipeline pipeline;
  pipeline.add(sum_stage(couplings_, sums, Residual<T>{b.view().data, x.view().data, r.view().data}));
  pipeline.run(couplings_.context(), couplings_.chain());
  if (singular_count() == 0) return std::sqrt(sums.total(0));
  null_space_.project(r.view().data);
  return norm(couplings_, r.view().data);
}

template <class T, int Dim>
ResidualMoments Matrix<T, Dim>::residual_moments(Field<T, Dim> const& b, Field<T, Dim> const& x, Field<T, Dim>& r,
                                                 bool has_b, Pipeline first) const {
  GroupSums of_b(couplings_.chain()), of_x(couplings_.chain()), of_r(couplings_.chain());
  first.add(sum_stage(couplings_, of_r, Residual<T, 2>{b.view().data, x.view().data, r.view().data}));
  if (has_b) first.add(sum_stage(couplings_, of_b, SquareAndSum<T>{b.view().data}));
  if (null_space_.is_whole()) first.add(sum_stage(couplings_, of_x, SquareAndSum<T>{x.view().data}));
  first.run(couplings_.context(), couplings_.chain());
  return {{of_b.total(0), of_b.total(1)}, {of_x.total(0), of_x.total(1)}, {of_r.total(0), of_r.total(1)}};
}

template <class T, int Dim>
void Matrix<T, Dim>::subtract(double constant, Field<T, Dim>& x) const {
  Pipeline pipeline;
  pipeline.add(cell_stage(couplings_, SubtractConstant<T>{x.view().data, static_cast<T>(constant)}));
  pipeline.run(couplings_.context(), couplings_.chain());
}

template <class T, int Dim>
void Matrix<T, Dim>::add_boundary(Field<T, Dim>& b, int axis, double value, Field<double, Dim> const* values) const {
  expect_field(b, "right-hand side");
  expects(axis >= 0 && axis < Dim, "poisson: there is no such axis");
  auto const& faces = problem_.dirichlet[axis];
  auto const& coefficient = problem_.face_coefficient[axis];
  SetView const all = cells().view();
  Plan<Dim, 5> const plan(faces,
                          {operand<Dim>(faces.view()), operand<Dim>(all, Vec<Coord, Dim>::along(axis, -1)),
                           operand<Dim>(all), operand<Dim>((coefficient ? coefficient->domain() : faces).view()),
                           operand<Dim>((values != nullptr ? values->domain() : faces).view())},
                          0b11001);
  double const h = problem_.grid.spacing[axis];
  for_each("sparse::poisson::boundary_values", plan,
           AddBoundary<T, Dim>{b.view().data, (coefficient ? 1 : problem_.coefficient) / (h * h), value,
                               coefficient ? coefficient->component(0) : nullptr,
                               values != nullptr ? values->component(0) : nullptr});
}

template <class T, int Dim>
double Matrix<T, Dim>::remove_means(Field<T, Dim>& x) const {
  expect_field(x, "field");
  return null_space_.project(x.view().data);
}

template class Matrix<float, 2>;
template class Matrix<float, 3>;
template class Matrix<double, 2>;
template class Matrix<double, 3>;

}  // namespace sparse::poisson::detail
