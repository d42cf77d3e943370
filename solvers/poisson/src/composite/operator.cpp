#include <sparse/poisson/composite_operator.hpp>

#include <sparse/fields/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "matrix.hpp"

namespace sparse::poisson {

template <class T, int Dim>
CompositeOperator<T, Dim>::CompositeOperator(CompositeProblem<Dim> const& problem)
    : matrix_(std::make_shared<detail::CompositeMatrix<T, Dim> const>(problem)) {}

template <class T, int Dim>
CompositeProblem<Dim> const& CompositeOperator<T, Dim>::problem() const {
  return matrix_->problem();
}
template <class T, int Dim>
int CompositeOperator<T, Dim>::level_count() const {
  return static_cast<int>(matrix_->level_count());
}
template <class T, int Dim>
IntervalSet<Dim> const& CompositeOperator<T, Dim>::leaves(int level) const {
  expects(level >= 0 && level < level_count(), "poisson: there is no such level");
  return matrix_->levels()[static_cast<std::size_t>(level)].leaves;
}
template <class T, int Dim>
Index CompositeOperator<T, Dim>::leaf_count() const {
  return matrix_->leaf_count();
}
template <class T, int Dim>
Index CompositeOperator<T, Dim>::component_count() const {
  return matrix_->null_space().component_count();
}
template <class T, int Dim>
Index CompositeOperator<T, Dim>::singular_count() const {
  return matrix_->singular_count();
}

template <class T, int Dim>
LevelFields<T, Dim> CompositeOperator<T, Dim>::fields(std::string const& name, T value) const {
  auto made = matrix_->fields(name);
  for (auto& field : made) fill(field, value);
  return made;
}
template <class T, int Dim>
LevelFaceFields<T, Dim> CompositeOperator<T, Dim>::face_fields(std::string const& name) const {
  LevelFaceFields<T, Dim> made(matrix_->level_count());
  for (std::size_t l = 0; l < made.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      made[l][axis] = Field<T, Dim>(name, faces(matrix_->levels()[l].leaves, axis));
  return made;
}

template <class T, int Dim>
LevelFaceFields<T, Dim> CompositeOperator<T, Dim>::interface_fields(std::string const& name) const {
  LevelFaceFields<T, Dim> made(matrix_->level_count());
  for (std::size_t l = 0; l < made.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis) made[l][axis] = Field<T, Dim>(name, matrix_->interface_faces(l, axis));
  return made;
}

template <class T, int Dim>
void CompositeOperator<T, Dim>::apply(LevelFields<T, Dim>& result, LevelFields<T, Dim> const& x) const {
  matrix_->apply(result, x);
}
template <class T, int Dim>
double CompositeOperator<T, Dim>::residual(LevelFields<T, Dim>& r, LevelFields<T, Dim> const& b,
                                           LevelFields<T, Dim> const& x) const {
  return matrix_->residual(r, b, x);
}
template <class T, int Dim>
double CompositeOperator<T, Dim>::norm(LevelFields<T, Dim> const& x) const {
  return matrix_->norm(x);
}
template <class T, int Dim>
double CompositeOperator<T, Dim>::remove_means(LevelFields<T, Dim>& x) const {
  return matrix_->remove_means(x);
}
template <class T, int Dim>
void CompositeOperator<T, Dim>::add_boundary_values(LevelFields<T, Dim>& b,
                                                    LevelFaceFields<double, Dim> const& values) const {
  matrix_->add_boundary_values(b, values);
}
template <class T, int Dim>
void CompositeOperator<T, Dim>::gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x,
                                         LevelFaceFields<double, Dim> const& values) const {
  matrix_->gradient(result, x, values);
}
template <class T, int Dim>
void CompositeOperator<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x,
                                                   LevelFaceFields<double, Dim> const& values) const {
  matrix_->interface_gradient(result, x, values);
}

template class CompositeOperator<float, 2>;
template class CompositeOperator<float, 3>;
template class CompositeOperator<double, 2>;
template class CompositeOperator<double, 3>;

}  // namespace sparse::poisson
