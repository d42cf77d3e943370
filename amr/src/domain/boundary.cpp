#include <sparse/amr/domain/boundary.hpp>

#include "domain/faces_on_side.hpp"
#include "domain/fold.hpp"

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::amr {
namespace {

/// Finds the sources of the cells of a row outside the box. Like the cells, their sources are neighbours in memory. The
/// exception is a row whose end lies beyond the side that gives the state.
template <int Dim>
struct FindSources {
  SetView cells, storage, solid;
  Fold<Dim> fold;
  Vec<Vec<BoundaryKind, 2>, Dim> kinds;
  SidePartView<Dim> const* parts;
  Index part_count;
  int level;
  SideCell<Dim>* out;

  KOKKOS_FUNCTION BoundaryKind kind_at(Vec<Coord, Dim> const& cell, int axis) const {
    int const side = side_of(cell, axis);
    BoundaryKind kind = kinds[axis][side];
    if (part_count == 0) return kind;
    Vec<Coord, Dim> face;
    for (int a = 0; a < Dim; ++a) face[a] = fold.nearest(cell[a], a) >> level;
    face[axis] = side == 0 ? 0 : fold.size[axis] >> level;
    for (Index i = 0; i < part_count; ++i)
      if (parts[i].axis == axis && static_cast<int>(parts[i].side) == side && parts[i].faces.find(face) >= 0)
        kind = parts[i].kind;
    return kind;
  }
  KOKKOS_FUNCTION int side_of(Vec<Coord, Dim> const& cell, int axis) const { return cell[axis] < 0 ? 0 : 1; }
  KOKKOS_FUNCTION int deciding_axis(Vec<Coord, Dim> const& cell) const {
    int result = 0, greatest = -1;
    for (int axis = 0; axis < Dim; ++axis) {
      if (cell[axis] >= 0 && cell[axis] < fold.size[axis]) continue;
      int const rank = precedence(kind_at(cell, axis));
      if (rank < greatest) continue;
      greatest = rank;
      result = axis;
    }
    return result;
  }
  KOKKOS_FUNCTION Index position(Vec<Coord, Dim> const& cell) const {
    return storage.find_in_row(storage.find_row(row_key(cell)), cell[0]);
  }
  KOKKOS_FUNCTION void operator()(Index r) const {
    for (Index i = cells.row_ptr[r]; i < cells.row_ptr[r + 1]; ++i) {
      Interval const interval = cells.intervals[i];
      Vec<Coord, Dim> at = cell_at<Dim>(cells.key(r), interval.begin);
      int axis = deciding_axis(at);
      Index const own = position(at);
      Index inside = 0, image = 0;
      for (Index step = 0; at[0] < interval.end; ++at[0], ++step, ++inside, ++image) {
        // All cells of an interval lie beyond the same sides, but perhaps beyond different parts of them.
        int const before = axis;
        if (part_count > 0) axis = deciding_axis(at);
        if (step == 0 || axis == 0 || axis != before) {
          Vec<Coord, Dim> source = at;
          source[axis] = fold.nearest(at[axis], axis);
          inside = position(source);
          source[axis] = fold.mirrored(at[axis], axis);
          image = position(source);
        }
        out[cells.cell_offsets[i] + step] = {own + step,
                                             inside,
                                             image,
                                             at,
                                             static_cast<std::int8_t>(axis),
                                             static_cast<std::int8_t>(side_of(at, axis)),
                                             kind_at(at, axis),
                                             fold.is_behind(solid, at)};
      }
    }
  }
};

/// Whether the set has cells that give their values to cells outside the box.
template <int Dim>
bool is_near_side(IntervalSet<Dim> const& set, Box<Dim> const& box) {
  if (set.is_empty()) return false;
  Box<Dim> const bounds = set.bounds();
  for (int axis = 0; axis < Dim; ++axis)
    if (bounds.begin[axis] < box.begin[axis] + 2 || bounds.end[axis] > box.end[axis] - 2) return true;
  return false;
}

}  // namespace

template <int Dim>
Sides<Dim>::Sides(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level)
    : grid_(domain.grid(level)), context_(sets.storage.context()) {
  IntervalSet<Dim> const solid = sets.curved_ghosts | sets.face_ghosts;
  reach_solid_ = is_near_side(solid, domain.box(level));
  have_given_ = domain.has(BoundaryKind::given);
  Box<Dim> const stored = sets.storage.bounds(), box = domain.box(level);
  for (int axis = 0; axis < Dim; ++axis) {
    for (FaceSide const side : {FaceSide::lower, FaceSide::upper}) {
      bool const is_lower = side == FaceSide::lower;
      bool const is_beyond = is_lower ? stored.begin[axis] < box.begin[axis] : stored.end[axis] > box.end[axis];
      if (have_inflow_ || !is_beyond || !domain.has(BoundaryKind::inflow, axis, side)) continue;
      have_inflow_ =
          !domain.has_parts(axis, side) ||
          !domain.faces_of(BoundaryKind::inflow, axis, side, faces_on_side(sets.storage, box, axis, side), level)
               .is_empty();
    }
  }
  for (int count = 0; count < Dim; ++count) {
    IntervalSet<Dim> const& outside = sets.outside[count];
    cells_[count] = Buffer<SideCell<Dim>>(context_, outside.cell_count());
    if (outside.is_empty()) continue;
    SetView const cells = outside.view();
    parallel_for(context_, "sparse::amr::find_side_sources", cells.row_count,
                 FindSources<Dim>{cells, sets.storage.view(), reach_solid_ ? solid.view() : SetView{},
                                  Fold<Dim>(domain, level), domain.options().sides, domain.parts().data(),
                                  domain.parts().size(), level, cells_[count].data()});
  }
}

template class Sides<2>;
template class Sides<3>;

}  // namespace sparse::amr
