#include <string>

#include "body.hpp"

namespace sparse::incompressible {
namespace {

template <class T>
void write_given(Context const& context, Buffer<detail::GivenVelocity> const& given, FieldView<T> const& velocity) {
  detail::GivenVelocity const* const list = given.data();
  parallel_for(
      context, "sparse::incompressible::set_boundary", given.size(),
      KOKKOS_LAMBDA(Index i) { velocity(list[i].axis, list[i].position) = static_cast<T>(list[i].value); });
}

}  // namespace

template <int Dim>
StaggeredGrid<Dim>::StaggeredGrid(FlowDomain<Dim> const& domain)
    : body_(std::make_shared<detail::GridBody<Dim> const>(domain)) {}

template <int Dim>
FlowDomain<Dim> const& StaggeredGrid<Dim>::domain() const {
  return body_->domain;
}
template <int Dim>
double StaggeredGrid<Dim>::cell_volume() const {
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= spacing()[axis];
  return volume;
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::storage() const {
  return body_->storage;
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::faces(int axis) const {
  return body_->faces[axis];
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::open_faces(int axis) const {
  return body_->open[axis];
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::faces_of(BoundaryKind kind, int axis) const {
  expects(static_cast<std::size_t>(kind) < detail::kind_count, "incompressible: no faces are of this kind");
  return body_->of_kind[static_cast<std::size_t>(kind)][axis];
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::computed_faces(int axis) const {
  return body_->computed[axis];
}
template <int Dim>
bool StaggeredGrid<Dim>::has_outflow() const {
  return body_->of_kind[static_cast<std::size_t>(BoundaryKind::outflow)].face_count() > 0;
}

template <int Dim>
template <class T>
void StaggeredGrid<Dim>::expect_stored(Field<T, Dim> const& field, int component_count, char const* what) const {
  if (field.component_count() != component_count || !(field.domain() == storage()))
    fail("incompressible: the " + std::string(what) + ", field '" + field.name() + "', must have " +
         std::to_string(component_count) + " component(s) on the grid's storage");
}

template <int Dim>
template <class T>
void StaggeredGrid<Dim>::set_boundary(Field<T, Dim>& velocity) const {
  expect_stored(velocity, Dim, "velocity");
  write_given(context(), body_->given, velocity.view());
}

template class StaggeredGrid<2>;
template class StaggeredGrid<3>;
template void StaggeredGrid<2>::expect_stored(Field<float, 2> const&, int, char const*) const;
template void StaggeredGrid<2>::expect_stored(Field<double, 2> const&, int, char const*) const;
template void StaggeredGrid<3>::expect_stored(Field<float, 3> const&, int, char const*) const;
template void StaggeredGrid<3>::expect_stored(Field<double, 3> const&, int, char const*) const;
template void StaggeredGrid<2>::set_boundary(Field<float, 2>&) const;
template void StaggeredGrid<2>::set_boundary(Field<double, 2>&) const;
template void StaggeredGrid<3>::set_boundary(Field<float, 3>&) const;
template void StaggeredGrid<3>::set_boundary(Field<double, 3>&) const;

}  // namespace sparse::incompressible
