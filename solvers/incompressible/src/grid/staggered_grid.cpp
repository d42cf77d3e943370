#include <string>

#include <sparse/fields/algebra.hpp>

#include "body.hpp"
#include "ranks.hpp"

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
    : body_(domain.team == nullptr
                ? std::make_shared<detail::GridBody<Dim> const>(domain)
                : std::make_shared<detail::GridBody<Dim> const>(std::make_shared<detail::GridRanks<Dim>>(domain))) {}

template <int Dim>
StaggeredGrid<Dim>::StaggeredGrid(std::shared_ptr<detail::GridRanks<Dim>> const& ranks)
    : body_(std::make_shared<detail::GridBody<Dim> const>(ranks)) {}

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
  auto const& ranks = body_->ranks;  // whose windows end at outflows
  if (!ranks) return body_->of_kind[static_cast<std::size_t>(BoundaryKind::outflow)].face_count() > 0;
  for (auto const& faces : ranks->pressure().dirichlet)
    if (!faces.is_empty()) return true;
  return false;
}

template <int Dim>
bool StaggeredGrid<Dim>::is_shared() const {
  return body_->ranks != nullptr;
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::own_cells() const {
  return body_->own();
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::whole_fluid() const {
  return body_->ranks ? body_->ranks->pressure().cells : fluid();
}
template <int Dim>
IntervalSet<Dim> const& StaggeredGrid<Dim>::whole_storage() const {
  return body_->ranks ? body_->ranks->whole_storage() : storage();
}
template <int Dim>
template <class T>
void StaggeredGrid<Dim>::exchange(Field<T, Dim>& field) const {
  expect_stored(field, field.component_count(), "field of which ranks exchange values");
  if (body_->ranks) body_->ranks->fill(field);
}
template <int Dim>
template <class T>
Field<T, Dim> StaggeredGrid<Dim>::gather(Field<T, Dim> const& field) const {
  return body_->ranks ? body_->ranks->gather(field) : clone(field);
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
#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void StaggeredGrid<Dim>::expect_stored(Field<T, Dim> const&, int, char const*) const;                       \
  template void StaggeredGrid<Dim>::set_boundary(Field<T, Dim>&) const;                                                \
  template void StaggeredGrid<Dim>::exchange(Field<T, Dim>&) const;                                                    \
  template Field<T, Dim> StaggeredGrid<Dim>::gather(Field<T, Dim> const&) const;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
