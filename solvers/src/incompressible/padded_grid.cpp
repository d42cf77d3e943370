#include <sparse/solvers/incompressible/padded_grid.hpp>

#include <limits>

#include <sparse/field_algebra.hpp>
#include <sparse/for_each.hpp>
#include <sparse/morphology.hpp>
#include <sparse/select.hpp>
#include <sparse/set_algebra.hpp>

#include "beside_boundary.hpp"

namespace sparse::incompressible {
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

/// Along all axes but the first.
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

/// Cells that are of the fluid (component Dim), or faces of it; those that repeat others, too.
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

template <int Dim>
Buffer<Index> positions_of(IntervalSet<Dim> const& set, IntervalSet<Dim> const& storage, int axis = 0, Coord step = 0) {
  Buffer<Index> positions(storage.context(), set.cell_count());
  Operand const both[2] = {operand<Dim>(set.view()), operand<Dim>(storage.view(), Vec<Coord, Dim>::along(axis, step))};
  using Point = RunPoint<Dim, 2>;
  Index* const out = positions.data();
  for_each(
      "sparse::incompressible::positions", Plan<Dim, 2>(set, both, 0b11),
      KOKKOS_LAMBDA(Point const& p) { out[p.operand(0)] = p.operand(1); });
  return positions;
}

/// Sums up the mirror images of a value on both sides of a face, as a factor or an offset of it.
struct AddImage {
  double* sum;
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(double share, double image, Place const&) const {
    *sum += share * image;
  }
};

struct CountSources {
  Index count = 0;
  double offset = 0;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index, double, double) { ++count; }
};

struct WriteSources {
  detail::GhostSource* next;
  double scale, offset = 0;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index position, double mirrored, double extended) {
    *next++ = {position, scale * mirrored, scale * extended};
  }
};

/// What a ghost's value is made of: the mean of its images in the boundaries between it and the values that lie before
/// it along `level` axes at once. Along each of these, that is the image of the ghost, or value, one step before.
template <int Dim>
struct GhostRule {
  GridView<Dim> grid;
  SetView storage;
  int component, level;

  /// @return the number of images
  template <class Sink>
  KOKKOS_FUNCTION int visit(Vec<Coord, Dim> const& ghost, Sink& sink) const {
    int images = 0, codes = 1;
    for (int axis = 0; axis < Dim; ++axis) codes *= 3;
    for (int code = 0; code < codes; ++code) {
      Vec<Coord, Dim> away{};
      int axes = 0, rest = code;
      for (int axis = 0; axis < Dim; ++axis, rest /= 3) {
        away[axis] = rest % 3 - 1;
        axes += away[axis] != 0;
      }
      if (axes != level) continue;
      auto const inside = ghost - away;
      Index const position = grid.find(inside);
      if (grid.kind(component, position) == FaceKind::absent) continue;
      for (int axis = 0; axis < Dim; ++axis) {
        if (away[axis] != 0 && add_image(ghost, inside, position, axis, away[axis], sink)) ++images;
      }
    }
    return images;
  }
  /// False where what it would be made of lies outside of the padded storage, behind cells that repeat others.
  template <class Sink>
  KOKKOS_FUNCTION bool add_image(Vec<Coord, Dim> const& ghost, Vec<Coord, Dim> const& inside, Index position, int axis,
                                 Coord step, Sink& sink) const {
    auto const one = Vec<Coord, Dim>::along(axis, step);
    Index const before = storage.find(ghost - one), farther = storage.find(ghost - one - one);
    if (before < 0 || farther < 0) return false;
    if (component == Dim) {
      sink(before, 1, 1);
    } else if (axis != component) {
      double offset = 0, both = 0;
      detail::visit_images(grid, inside, position, component, axis, step, 0.0, AddImage{&offset});
      detail::visit_images(grid, inside, position, component, axis, step, 1.0, AddImage{&both});
      sink(before, both - offset, 1);
      sink.offset += offset;
    } else if (grid.condition(grid.kind(component, position)).kind == BoundaryKind::outflow) {
      sink(before, 1, 1);
    } else {
      sink(before, 2, 1);
      sink(farther, -1, 0);
    }
    return true;
  }
};

template <int Dim>
using GhostPlan = Plan<Dim, 2>;

template <int Dim>
void count_sources(GhostPlan<Dim> const& ghosts, GhostRule<Dim> const& rule, Count* counts) {
  using Point = RunPoint<Dim, 2>;
  for_each(
      "sparse::incompressible::count_ghost_sources", ghosts, KOKKOS_LAMBDA(Point const& p) {
        CountSources sink;
        rule.visit(p.coordinates(), sink);
        counts[p.operand(0)].value = sink.count;
      });
}

template <int Dim>
void write_sources(GhostPlan<Dim> const& ghosts, GhostRule<Dim> const& rule, Count const* first,
                   detail::GhostSource* sources, double* offset) {
  using Point = RunPoint<Dim, 2>;
  for_each(
      "sparse::incompressible::write_ghost_sources", ghosts, KOKKOS_LAMBDA(Point const& p) {
        Index const i = p.operand(0);
        CountSources ignored;
        int const images = rule.visit(p.coordinates(), ignored);
        WriteSources sink{sources + first[i].value, images > 0 ? 1.0 / images : 0.0};
        rule.visit(p.coordinates(), sink);
        offset[i] = sink.scale * sink.offset;
      });
}

template <class T>
void write_ghosts(Context const& context, detail::GhostList const& list, Beyond beyond, T* values) {
  Index const* const target = list.target.data();
  Count const* const first = list.first_source.data();
  detail::GhostSource const* const sources = list.sources.data();
  double const* const offset = list.offset.data();
  bool const is_extended = beyond == Beyond::force;
  double const offset_share = beyond == Beyond::velocity ? 1 : 0;
  parallel_for(
      context, "sparse::incompressible::ghosts", list.target.size(), KOKKOS_LAMBDA(Index i) {
        double sum = offset_share * offset[i];
        for (Index s = first[i].value; s < first[i + 1].value; ++s)
          sum += (is_extended ? sources[s].extended : sources[s].mirrored) *
                 static_cast<double>(values[sources[s].position]);
        values[target[i]] = static_cast<T>(sum);
      });
}

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

/// The cells that lie `axes` axes away from a set, one cell on each of them.
template <int Dim>
IntervalSet<Dim> grown_by_axes(IntervalSet<Dim> const& set, int axes) {
  if (axes == 1) return expand(set, 1, Element::diamond);
  if (axes == Dim) return expand(set, 1);
  IntervalSet<Dim> result;
  for (int axis = 0; axis < Dim; ++axis) {
    auto plane = set;
    for (int other = 0; other < Dim; ++other)
      if (other != axis) plane = expand(plane, other, 1);
    result = result | plane;
  }
  return result;
}

}  // namespace

template <int Dim>
PaddedGrid<Dim>::PaddedGrid(StaggeredGrid<Dim> const& grid)
    : grid_(grid), storage_(padded(grid)), stored_("stored", storage_), padded_("padded", grid.storage()),
      room_("room", storage_), steps_("steps", storage_, 2 * (Dim - 1)) {
  expects(storage_.cell_count() < std::numeric_limits<std::int32_t>::max(),
          "incompressible: the grid has too many cells for flow maps");
  find_stored(grid.view(), storage_, stored_.component(0));
  find_padded(grid.storage(), storage_, padded_.component(0));
  find_steps(storage_, steps_.view());
  find_images();
  find_room();
  for (int component = 0; component <= Dim; ++component) list_ghosts(component);
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
  auto fluid = select(storage_, IsKnown<Dim>{grid_.view(), stored_.component(0), Dim});
  for (std::uint8_t distance = 1; distance <= greatest_room; ++distance) {
    fluid = shrink(fluid, 1);
    mark_room(Subset<Dim>(fluid, storage_), room_.component(0), distance);
  }
}

template <int Dim>
void PaddedGrid<Dim>::list_ghosts(int component) {
  auto const known = select(storage_, IsKnown<Dim>{grid_.view(), stored_.component(0), component});
  auto done = known;
  for (int level = 1; level <= Dim; ++level) {
    auto const ghosts = (grown_by_axes(known, level) & storage_) - done;
    done = done | ghosts;
    auto& list = ghosts_[static_cast<std::size_t>(component)][static_cast<std::size_t>(level - 1)];
    auto const context = storage_.context();
    GhostRule<Dim> const rule{grid_.view(), storage_.view(), component, level};
    Operand const both[2] = {operand<Dim>(ghosts.view()), operand<Dim>(storage_.view())};
    GhostPlan<Dim> const plan(ghosts, both, 0b11);
    list.target = positions_of(ghosts, storage_);
    list.first_source = Buffer<Count>(context, ghosts.cell_count() + 1);
    count_sources(plan, rule, list.first_source.data());
    exclusive_scan(context, "sparse::incompressible::scan_ghost_sources", list.first_source.data(),
                   ghosts.cell_count());
    Index const total =
        read_back(context, static_cast<Count const*>(list.first_source.data() + ghosts.cell_count())).value;
    list.sources = Buffer<detail::GhostSource>(context, total);
    list.offset = Buffer<double>(context, ghosts.cell_count());
    write_sources(plan, rule, list.first_source.data(), list.sources.data(), list.offset.data());
  }
}

template <int Dim>
detail::PaddedView<Dim> PaddedGrid<Dim>::view() const {
  return {grid_.view(),       stored_.component(0), padded_.component(0),
          room_.component(0), steps_.view(),        images_.size() > 0};
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
  for (auto const& list : ghosts_[static_cast<std::size_t>(component)]) write_ghosts(context, list, beyond, values);
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
