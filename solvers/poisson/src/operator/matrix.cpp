#include "matrix.hpp"

#include <string>
#include <utility>

#include <sparse/fields/transfer.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

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
Matrix<T, Dim>::Matrix(Problem<Dim> const& problem, int reach) : Matrix(problem, rows_of(problem, reach)) {}
template <class T, int Dim>
Matrix<T, Dim>::Matrix(Problem<Dim> const& problem, Rows rows)
    : AnyMatrix<T, Dim>(problem, rows.cells,
                        std::make_shared<NullSpace<Dim> const>(problem, rows.cells, rows.own_cells)),
      problem_(problem), couplings_(std::move(rows.couplings)), ranks_(std::move(rows.ranks)),
      own_cells_(std::move(rows.own_cells)) {}

template <class T, int Dim>
auto Matrix<T, Dim>::rows_of(Problem<Dim> const& problem, int reach) -> Rows {
  Couplings<T, Dim> all(problem);
  if (problem.team == nullptr) return {std::move(all), nullptr, problem.cells, problem.cells};
  expects(is_host_backend, "poisson: ranks cannot share a problem on devices yet");
  auto const origin = problem.cells.bounds().begin;
  auto ranks = std::make_shared<Ranks<Dim> const>(problem, all.cells(), reach);
  auto const& window = ranks->finest();
  auto rows = all.within({window.cells, window.own});
  return {std::move(rows), std::move(ranks), shift(window.cells, origin), shift(window.own, origin)};
}

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
  ranks_ ? expects(b.component_count() == 1 && b.domain() == own_cells_,
                   "poisson: the right-hand side must have one component on the cells of the rank")
         : this->expect_field(b, "right-hand side");
  expects(axis >= 0 && axis < Dim, "poisson: there is no such axis");
  if (!ranks_) return detail::add_boundary(problem_, b, axis, value, values);
  Problem<Dim> own = problem_;
  own.cells = own_cells_;
  own.dirichlet[axis] = problem_.dirichlet[axis] & faces(own_cells_, axis);
  detail::add_boundary(own, b, axis, value, values);
}

template <class T, int Dim>
void Matrix<T, Dim>::expect_own_field(Field<T, Dim> const& field, char const* what) const {
  if (!ranks_) return this->expect_field(field, what);
  bool const fits = field.component_count() == 1 && field.domain() == own_cells_;
  if (!ranks_->team().all(fits))
    fail("poisson: the " + std::string(what) + ", field '" + field.name() +
         "', must have one component on the cells of the rank");
}

template <class T, int Dim>
Field<T, Dim> Matrix<T, Dim>::spread(Field<T, Dim> const& own) const {
  Field<T, Dim> field(own.name(), this->cells());
  copy<T, Dim>(field.view(), CopyPlan<Dim>(own_cells_, this->cells(), own_cells_), own.view());
  ranks_->fill(ranks_->finest(), field.view().data);
  return field;
}
template <class T, int Dim>
void Matrix<T, Dim>::take(Field<T, Dim>& own, Field<T, Dim> const& from) const {
  copy<T, Dim>(own.view(), CopyPlan<Dim>(own_cells_, own_cells_, this->cells()), from.view());
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
