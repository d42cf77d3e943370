#include "padded_ghosts.hpp"

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "grid/beside_boundary.hpp"

namespace sparse::incompressible::detail {
namespace {

/// Sums the factors, or the offsets, of the mirror images at the cells beside a face.
struct AddImage {
  double* sum;
  template <class Place>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(double share, Mirror const&, double image, Place const&) const {
    *sum += share * image;
  }
};

struct CountSources {
  Index count = 0;
  double offset = 0;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index, double, double) { ++count; }
};

struct WriteSources {
  GhostSource* next;
  double scale, offset = 0;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Index position, double mirrored, double extended) {
    *next++ = {position, scale * mirrored, scale * extended};
  }
};

/// The rule for ghosts that lie one step from known values along each of `level` axes. Along each of these axes, the
/// ghost is the image of the value or ghost before it, across the boundary. The ghost's value is the mean of all such
/// images.
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
  /// Returns false if a source lies outside of the padded storage, behind periodic images.
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
      visit_images(grid, inside, position, component, axis, step, 0.0, AddImage{&offset});
      visit_images(grid, inside, position, component, axis, step, 1.0, AddImage{&both});
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
void write_sources(GhostPlan<Dim> const& ghosts, GhostRule<Dim> const& rule, Count const* first, GhostSource* sources,
                   double* offset) {
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

/// A set, grown by one cell along up to `axes` axes at once.
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

/// Lists the ghosts that lie `rule.level` axes away from known values.
template <int Dim>
GhostList list_level(GhostRule<Dim> const& rule, IntervalSet<Dim> const& ghosts, IntervalSet<Dim> const& storage) {
  Operand const both[2] = {operand<Dim>(ghosts.view()), operand<Dim>(storage.view())};
  GhostPlan<Dim> const plan(ghosts, both, 0b11);
  auto const context = storage.context();
  Index const count = ghosts.cell_count();
  GhostList list;
  list.target = positions_of(ghosts, storage);
  list.first_source = Buffer<Count>(context, count + 1);
  Count* const first = list.first_source.data();
  count_sources(plan, rule, first);
  exclusive_scan(context, "sparse::incompressible::scan_ghost_sources", first, count);
  list.sources = Buffer<GhostSource>(context, read_back(context, static_cast<Count const*>(first + count)).value);
  list.offset = Buffer<double>(context, count);
  write_sources(plan, rule, first, list.sources.data(), list.offset.data());
  return list;
}

}  // namespace

template <int Dim>
std::array<GhostList, Dim> list_ghosts(GridView<Dim> const& grid, IntervalSet<Dim> const& storage,
                                       IntervalSet<Dim> const& known, int component) {
  std::array<GhostList, Dim> lists;
  auto done = known;
  for (int level = 1; level <= Dim; ++level) {
    auto const ghosts = (grown_by_axes(known, level) & storage) - done;
    done = done | ghosts;
    GhostRule<Dim> const rule{grid, storage.view(), component, level};
    lists[static_cast<std::size_t>(level - 1)] = list_level(rule, ghosts, storage);
  }
  return lists;
}

template std::array<GhostList, 2> list_ghosts<2>(GridView<2> const&, IntervalSet<2> const&, IntervalSet<2> const&, int);
template std::array<GhostList, 3> list_ghosts<3>(GridView<3> const&, IntervalSet<3> const&, IntervalSet<3> const&, int);

}  // namespace sparse::incompressible::detail
