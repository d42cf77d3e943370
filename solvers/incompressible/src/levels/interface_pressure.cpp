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
  AroundInterfaceFace* around;

  struct Searches {
    sparse::detail::NearbySearch storage, above, below, with_gradient;
  };
  KOKKOS_FUNCTION Searches searches() const {
    using sparse::detail::NearbySearch;
    return {NearbySearch(storage), NearbySearch(fluid), NearbySearch(fluid), NearbySearch(with_gradient)};
  }
  KOKKOS_FUNCTION void operator()(Searches& in, Index i, Vec<Coord, Dim> const& face) const {
    auto const place = [](Index position) { return static_cast<StoredAt>(position); };
    found[i] = {axis, place(in.storage.find(face))};
    AroundInterfaceFace one{0, place(in.above.find(face)), place(in.with_gradient.find(face))};
    one.below = place(in.below.find(periodicity.stored(face - Vec<Coord, Dim>::along(axis, 1))));
    // Faces of leaves have the coordinates that the leaf gives them, at either end of a period.
    for (Coord const step : {-1, 1})
      if (one.in_gradient < 0 && periodicity.period[axis] > 0)
        one.in_gradient =
            place(in.with_gradient.find(face + Vec<Coord, Dim>::along(axis, step * periodicity.period[axis])));
    around[i] = one;
  }
};

template <class T, int Dim>
struct GradientViews {
  T const* of_axis[Dim];
};

template <class T, int Dim>
void find_excess(Context const& context, Buffer<InterfaceFace> const& list, Buffer<AroundInterfaceFace> const& of_list,
                 GradientViews<T, Dim> const& gradient, T const* pressure, Vec<T, Dim> const& inverse_spacing,
                 T* excess) {
  InterfaceFace const* const faces = list.data();
  AroundInterfaceFace const* const around = of_list.data();
  parallel_for(
      context, "sparse::incompressible::interface_excess", list.size(), KOKKOS_LAMBDA(Index i) {
        int const axis = faces[i].axis;
        AroundInterfaceFace const at = around[i];
        excess[i] =
            gradient.of_axis[axis][at.in_gradient] - inverse_spacing[axis] * (pressure[at.above] - pressure[at.below]);
      });
}

template <class T, int Dim>
void correct_faces(Context const& context, Buffer<InterfaceFace> const& list, T const* excess, FieldView<T> velocity,
                   T time) {
  InterfaceFace const* const faces = list.data();
  parallel_for(
      context, "sparse::incompressible::correct_interface", list.size(),
      KOKKOS_LAMBDA(Index i) { velocity(faces[i].axis, faces[i].in_storage) -= time * excess[i]; });
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
  around_ = Buffer<AroundInterfaceFace>(context, between.face_count());
  excess_ = Buffer<T>(context, between.face_count());
  Index first = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& of_gradient = gradient[static_cast<std::size_t>(axis)].domain();
    of_gradient_[static_cast<std::size_t>(axis)] = of_gradient;
    sparse::detail::for_cells_in_order("sparse::incompressible::interface_faces", between[axis],
                                       FindInterfaceFaces<Dim>{grid.storage().view(), grid.fluid().view(),
                                                               of_gradient.view(), periodicity, axis,
                                                               faces_.data() + first, around_.data() + first});
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
void InterfacePressure<T, Dim>::set(std::array<Field<T, Dim>, Dim> const& gradient, Field<T, Dim> const& pressure,
                                    Vec<double, Dim> const& spacing) {
  GradientViews<T, Dim> views;
  Vec<T, Dim> inverse;
  for (std::size_t axis = 0; axis < Dim; ++axis) {
    views.of_axis[axis] = gradient[axis].component(0);
    inverse[static_cast<int>(axis)] = static_cast<T>(1 / spacing[static_cast<int>(axis)]);
  }
  find_excess<T, Dim>(pressure.context(), faces_, around_, views, pressure.component(0), inverse, excess_.data());
}

template <class T, int Dim>
void InterfacePressure<T, Dim>::correct(Field<T, Dim>& velocity, double time) const {
  correct_faces<T, Dim>(velocity.context(), faces_, excess_.data(), velocity.view(), static_cast<T>(time));
}

template class InterfacePressure<float, 2>;
template class InterfacePressure<float, 3>;
template class InterfacePressure<double, 2>;
template class InterfacePressure<double, 3>;

}  // namespace sparse::incompressible::detail
