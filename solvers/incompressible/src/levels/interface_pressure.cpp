#include "interface_pressure.hpp"

#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/cells_in_order.hpp>
#include <sparse/sets/nearby_search.hpp>

namespace sparse::incompressible::detail {
namespace {

template <int Dim>
struct FindInterfaceFaces {
  SetView storage, fluid, with_gradient;
  Periodicity<Dim> periodicity;
  int axis;
  InterfaceFace* found;

  struct Searches {
    sparse::detail::NearbySearch storage, above, below, with_gradient;
  };
  KOKKOS_FUNCTION Searches searches() const {
    using sparse::detail::NearbySearch;
    return {NearbySearch(storage), NearbySearch(fluid), NearbySearch(fluid), NearbySearch(with_gradient)};
  }
  KOKKOS_FUNCTION void operator()(Searches& in, Index i, Vec<Coord, Dim> const& face) const {
    InterfaceFace one{axis, in.storage.find(face), 0, in.above.find(face), in.with_gradient.find(face)};
    one.below = in.below.find(periodicity.stored(face - Vec<Coord, Dim>::along(axis, 1)));
    // Faces of leaves have the coordinates that the leaf gives them, at either end of a period.
    for (Coord const step : {-1, 1})
      if (one.in_gradient < 0 && periodicity.period[axis] > 0)
        one.in_gradient = in.with_gradient.find(face + Vec<Coord, Dim>::along(axis, step * periodicity.period[axis]));
    found[i] = one;
  }
};

template <class T, int Dim>
struct GradientViews {
  T const* of_axis[Dim];
};

template <class T, int Dim>
void gather_gradient(Context const& context, Buffer<InterfaceFace> const& list, GradientViews<T, Dim> const& from,
                     T* to) {
  InterfaceFace const* const faces = list.data();
  parallel_for(
      context, "sparse::incompressible::gather_gradient", list.size(),
      KOKKOS_LAMBDA(Index i) { to[i] = from.of_axis[faces[i].axis][faces[i].in_gradient]; });
}

template <class T, int Dim>
void correct_faces(Context const& context, Buffer<InterfaceFace> const& list, T const* gradient, FieldView<T> velocity,
                   T const* pressure, T time, Vec<T, Dim> const& over_spacing) {
  InterfaceFace const* const faces = list.data();
  parallel_for(
      context, "sparse::incompressible::correct_interface", list.size(), KOKKOS_LAMBDA(Index i) {
        InterfaceFace const& face = faces[i];
        velocity(face.axis, face.in_storage) +=
            over_spacing[face.axis] * (pressure[face.above] - pressure[face.below]) - time * gradient[i];
      });
}

}  // namespace

template <class T, int Dim>
InterfacePressure<T, Dim>::InterfacePressure(StaggeredGrid<Dim> const& grid, LevelCells<Dim> const& cells,
                                             std::array<Field<T, Dim>, Dim> const& gradient) {
  auto const periodicity = grid.domain().periodicity();
  FaceSets<Dim> between;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const above = [&](IntervalSet<Dim> const& set) { return periodicity.stored(shift(set, axis, 1)); };
    between[axis] = (above(cells.leaves) & cells.ghosts) | (above(cells.ghosts) & cells.leaves);
  }
  auto const context = grid.context();
  faces_ = Buffer<InterfaceFace>(context, between.face_count());
  gradient_ = Buffer<T>(context, between.face_count());
  Index first = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& of_gradient = gradient[static_cast<std::size_t>(axis)].domain();
    of_gradient_[static_cast<std::size_t>(axis)] = of_gradient;
    sparse::detail::for_cells_in_order("sparse::incompressible::interface_faces", between[axis],
                                       FindInterfaceFaces<Dim>{grid.storage().view(), grid.fluid().view(),
                                                               of_gradient.view(), periodicity, axis,
                                                               faces_.data() + first});
    first += between[axis].cell_count();
  }
}

template <class T, int Dim>
bool InterfacePressure<T, Dim>::fits(std::array<Field<T, Dim>, Dim> const& gradient) const {
  if (faces_.size() == 0) return false;
  for (std::size_t axis = 0; axis < Dim; ++axis)
    if (of_gradient_[axis].identity() != gradient[axis].domain().identity()) return false;
  return true;
}

template <class T, int Dim>
void InterfacePressure<T, Dim>::set(std::array<Field<T, Dim>, Dim> const& gradient) {
  GradientViews<T, Dim> views;
  for (std::size_t axis = 0; axis < Dim; ++axis) views.of_axis[axis] = gradient[axis].component(0);
  gather_gradient<T, Dim>(gradient[0].context(), faces_, views, gradient_.data());
}

template <class T, int Dim>
void InterfacePressure<T, Dim>::correct(Field<T, Dim>& velocity, Field<T, Dim> const& pressure, double time,
                                        Vec<double, Dim> const& spacing) const {
  Vec<T, Dim> over;
  for (int axis = 0; axis < Dim; ++axis) over[axis] = static_cast<T>(time / spacing[axis]);
  correct_faces<T, Dim>(velocity.context(), faces_, gradient_.data(), velocity.view(), pressure.component(0),
                        static_cast<T>(time), over);
}

template class InterfacePressure<float, 2>;
template class InterfacePressure<float, 3>;
template class InterfacePressure<double, 2>;
template class InterfacePressure<double, 3>;

}  // namespace sparse::incompressible::detail
