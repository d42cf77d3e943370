#include "padded_grid.hpp"

#include <limits>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "padded_ghosts.hpp"

namespace sparse::incompressible {

using detail::positions_of;

namespace {

template <int Dim>
IntervalSet<Dim> padded(StaggeredGrid<Dim> const& grid) {
  IntervalSet<Dim> near;
  for (int axis = 0; axis < Dim; ++axis) near = near | faces(grid.fluid(), axis);
  return expand(near, 2);
}

template <int Dim>
void find_stored(GridView<Dim> const& grid, IntervalSet<Dim> const& storage, Index* stored) {
  for_each(
      "sparse::incompressible::find_stored", Subset<Dim>(storage, storage),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { stored[p.cell] = grid.find(p.coordinates()); });
}

template <int Dim>
void find_padded(IntervalSet<Dim> const& stored, IntervalSet<Dim> const& storage, Index* position) {
  Operand const both[2] = {operand<Dim>(stored.view()), operand<Dim>(storage.view())};
  using Point = RunPoint<Dim, 2>;
  for_each(
      "sparse::incompressible::find_padded", Plan<Dim, 2>(stored, both, 0b11),
      KOKKOS_LAMBDA(Point const& p) { position[p.operand(0)] = p.operand(1); });
}

/// Finds the distances in storage to the neighbours along all axes but x.
template <int Dim>
void find_steps(IntervalSet<Dim> const& storage, FieldView<std::int32_t> const& steps) {
  for_each(
      "sparse::incompressible::padded_steps", Stencil<Dim>(storage, storage),
      KOKKOS_LAMBDA(StencilPoint<Dim> const& p) {
        for (int arm = 2; arm < 2 * Dim; ++arm)
          steps(arm - 2, p.cell) = static_cast<std::int32_t>(p.neighbour(arm) - p.cell);
      });
}

template <int Dim>
void mark_room(Subset<Dim> const& cells, std::uint8_t* room, std::uint8_t value) {
  for_each(
      "sparse::incompressible::room", cells, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { room[p.cell] = value; });
}

/// Selects the cells of the fluid (component Dim), or its faces. Periodic images count, too.
template <int Dim>
struct IsKnown {
  GridView<Dim> grid;
  Index const* stored;
  int component;
  KOKKOS_FUNCTION bool operator()(Index padded) const {
    return grid.kind(component, stored[padded]) != FaceKind::absent;
  }
};

template <int Dim>
struct IsImage {
  Index const *stored, *padded;
  KOKKOS_FUNCTION bool operator()(Index i) const { return stored[i] >= 0 && padded[stored[i]] != i; }
};

template <int Dim>
struct IsGiven {
  detail::PaddedView<Dim> view;
  int axis;
  KOKKOS_FUNCTION bool operator()(Index i) const {
    Index const position = view.stored[i];
    return position >= 0 && view.padded[position] == i && view.is_given(axis, position);
  }
};

template <class T>
void copy_to(Context const& context, Buffer<Index> const& to, Buffer<Index> const& from, T* values) {
  Index const *const target = to.data(), *const source = from.data();
  parallel_for(
      context, "sparse::incompressible::behind_boundary", to.size(),
      KOKKOS_LAMBDA(Index i) { values[target[i]] = values[source[i]]; });
}

template <class T, int Dim>
void copy_images(Context const& context, Buffer<Index> const& images, detail::PaddedView<Dim> const& view, T* values) {
  Index const* const image = images.data();
  parallel_for(
      context, "sparse::incompressible::images", images.size(),
      KOKKOS_LAMBDA(Index i) { values[image[i]] = values[view.padded[view.stored[image[i]]]]; });
}

template <class T>
void copy_stored(Context const& context, Index count, Index const* stored, T const* from, T* to) {
  parallel_for(
      context, "sparse::incompressible::load", count,
      KOKKOS_LAMBDA(Index i) { to[i] = stored[i] >= 0 ? from[stored[i]] : T(0); });
}

}  // namespace

template <int Dim>
PaddedGrid<Dim>::PaddedGrid(StaggeredGrid<Dim> const& grid)
    : grid_(grid), storage_(padded(grid)), stored_("stored", storage_), padded_("padded", grid.storage()),
      room_("room", storage_), steps_("steps", storage_, 2 * (Dim - 1)) {
  expects(storage_.cell_count() < std::numeric_limits<std::int32_t>::max(),
          "incompressible: the grid has too many cells for flow maps");
  find_stored(grid.body().view(), storage_, stored_.component(0));
  find_padded(grid.storage(), storage_, padded_.component(0));
  find_steps(storage_, steps_.view());
  find_images();
  find_room();
  for (int component = 0; component <= Dim; ++component) {
    auto const known = select(storage_, IsKnown<Dim>{grid.body().view(), stored_.component(0), component});
    ghosts_[static_cast<std::size_t>(component)] =
        detail::list_ghosts<Dim>(grid.body().view(), storage_, known, component);
  }
}

template <int Dim>
void PaddedGrid<Dim>::find_images() {
  images_ = positions_of(select(storage_, IsImage<Dim>{stored_.component(0), padded_.component(0)}), storage_);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    auto const given = select(storage_, IsGiven<Dim>{view(), axis});
    auto const lower = given & grid_.fluid(), upper = given - lower;
    std::vector<Index> behind, targets;
    for (auto const& [set, step] : {std::pair(lower, Coord{1}), std::pair(upper, Coord{-1})}) {
      auto const at = positions_of(set, storage_), inside = positions_of(set, storage_, axis, step);
      auto const context = storage_.context();
      auto const at_host = to_host(context, static_cast<Index const*>(at.data()), at.size());
      auto const inside_host = to_host(context, static_cast<Index const*>(inside.data()), inside.size());
      targets.insert(targets.end(), at_host.begin(), at_host.end());
      behind.insert(behind.end(), inside_host.begin(), inside_host.end());
    }
    boundary_[a] = to_device(storage_.context(), targets);
    behind_boundary_[a] = to_device(storage_.context(), behind);
  }
}

template <int Dim>
void PaddedGrid<Dim>::find_room() {
  fill(room_, 0);
  auto fluid = select(storage_, IsKnown<Dim>{grid_.body().view(), stored_.component(0), Dim});
  for (std::uint8_t distance = 1; distance <= greatest_room; ++distance) {
    fluid = shrink(fluid, 1);
    mark_room(Subset<Dim>(fluid, storage_), room_.component(0), distance);
  }
}

template <int Dim>
detail::PaddedView<Dim> PaddedGrid<Dim>::view() const {
  return {grid_.body().view(), stored_.component(0), padded_.component(0),
          room_.component(0),  steps_.view(),        images_.size() > 0};
}

template <int Dim>
template <class T>
void PaddedGrid<Dim>::extend(int component, Beyond beyond, T* values) const {
  auto const context = storage_.context();
  if (beyond == Beyond::force && component < Dim) {
    auto const a = static_cast<std::size_t>(component);
    copy_to(context, boundary_[a], behind_boundary_[a], values);
  }
  copy_images(context, images_, view(), values);
  for (auto const& list : ghosts_[static_cast<std::size_t>(component)])
    detail::write_ghosts(context, list, beyond, values);
}

template <int Dim>
template <class T>
void PaddedGrid<Dim>::extend_velocity(Beyond beyond, Field<T, Dim>& velocity, int first) const {
  expects(velocity.domain() == storage_, "incompressible: a padded velocity must live on the padded storage");
  for (int axis = 0; axis < Dim; ++axis) extend(axis, beyond, velocity.component(first + axis));
}
template <int Dim>
template <class T>
void PaddedGrid<Dim>::extend_cells(Field<T, Dim>& values, int first) const {
  expects(values.domain() == storage_, "incompressible: padded cell values must live on the padded storage");
  extend(Dim, Beyond::error, values.component(first));
}

template <int Dim>
template <class T>
void PaddedGrid<Dim>::load_velocity(Field<T, Dim> const& from, Beyond beyond, Field<T, Dim>& to, int first) const {
  grid_.expect_stored(from, Dim, "velocity");
  expects(to.domain() == storage_, "incompressible: a padded velocity must live on the padded storage");
  for (int axis = 0; axis < Dim; ++axis)
    copy_stored(storage_.context(), storage_.cell_count(), stored_.component(0), from.component(axis),
                to.component(first + axis));
  extend_velocity(beyond, to, first);
}
template <int Dim>
template <class T>
void PaddedGrid<Dim>::load_cells(Field<T, Dim> const& from, Field<T, Dim>& to, int first) const {
  grid_.expect_stored(from, 1, "cell field");
  expects(to.domain() == storage_, "incompressible: padded cell values must live on the padded storage");
  copy_stored(storage_.context(), storage_.cell_count(), stored_.component(0), from.component(0), to.component(first));
  extend_cells(to, first);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void PaddedGrid<Dim>::load_velocity(Field<T, Dim> const&, Beyond, Field<T, Dim>&, int) const;               \
  template void PaddedGrid<Dim>::load_cells(Field<T, Dim> const&, Field<T, Dim>&, int) const;                          \
  template void PaddedGrid<Dim>::extend_velocity(Beyond, Field<T, Dim>&, int) const;                                   \
  template void PaddedGrid<Dim>::extend_cells(Field<T, Dim>&, int) const;
template class PaddedGrid<2>;
template class PaddedGrid<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
