#include "matrix.hpp"

#include <utility>

#include <sparse/plans/for_each.hpp>

#include "kernels.hpp"
#include "passes/null_space.hpp"

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
Matrix<T, Dim>::Matrix(Problem<Dim> const& problem) : Matrix(problem, Couplings<T, Dim>(problem)) {}
template <class T, int Dim>
Matrix<T, Dim>::Matrix(Problem<Dim> const& problem, Couplings<T, Dim> couplings)
    : AnyMatrix<T, Dim>(problem.cells, std::make_shared<NullSpace<Dim> const>(problem)), problem_(problem),
      couplings_(std::move(couplings)) {}

template <class T, int Dim>
void Matrix<T, Dim>::add(Pipeline& to, CellPass<T> const& pass) const {
  std::visit([&](auto const& body) { to.add(cell_stage(couplings_, body)); }, pass);
}
template <class T, int Dim>
void Matrix<T, Dim>::add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const {
  std::visit([&](auto const& body) { to.add(sum_stage(couplings_, sums, body)); }, pass);
}

template <class T, int Dim>
void Matrix<T, Dim>::add_boundary(Field<T, Dim>& b, int axis, double value, Field<double, Dim> const* values) const {
  this->expect_field(b, "right-hand side");
  expects(axis >= 0 && axis < Dim, "poisson: there is no such axis");
  detail::add_boundary(problem_, b, axis, value, values);
}

template <class T, int Dim>
void add_boundary(Problem<Dim> const& problem, Field<T, Dim>& b, int axis, double value,
                  Field<double, Dim> const* values) {
  auto const& faces = problem.dirichlet[axis];
  auto const& coefficient = problem.face_coefficient[axis];
  SetView const all = problem.cells.view();
  Plan<Dim, 5> const plan(faces,
                          {operand<Dim>(faces.view()), operand<Dim>(all, Vec<Coord, Dim>::along(axis, -1)),
                           operand<Dim>(all), operand<Dim>((coefficient ? coefficient->domain() : faces).view()),
                           operand<Dim>((values != nullptr ? values->domain() : faces).view())},
                          0b11001);
  double const h = problem.grid.spacing[axis];
  for_each("sparse::poisson::boundary_values", plan,
           AddBoundary<T, Dim>{b.view().data, (coefficient ? 1 : problem.coefficient) / (h * h), value,
                               coefficient ? coefficient->component(0) : nullptr,
                               values != nullptr ? values->component(0) : nullptr});
}

template void add_boundary(Problem<2> const&, Field<float, 2>&, int, double, Field<double, 2> const*);
template void add_boundary(Problem<3> const&, Field<float, 3>&, int, double, Field<double, 3> const*);
template void add_boundary(Problem<2> const&, Field<double, 2>&, int, double, Field<double, 2> const*);
template void add_boundary(Problem<3> const&, Field<double, 3>&, int, double, Field<double, 3> const*);
template class Matrix<float, 2>;
template class Matrix<float, 3>;
template class Matrix<double, 2>;
template class Matrix<double, 3>;

}  // namespace sparse::poisson::detail
