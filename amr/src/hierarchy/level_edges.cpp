#include "level_edges.hpp"

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/assemble.hpp>

namespace sparse::amr {
namespace {

/// The faces normal to `axis` between a cell of `here` and a cell of `there`. With `is_above`, `there` lies above, and
/// these are upper faces of `here`.
template <int Dim>
IntervalSet<Dim> faces_between(IntervalSet<Dim> const& here, IntervalSet<Dim> const& there, int axis, bool is_above) {
  if (here.is_empty() || there.is_empty()) return {};
  SetView const up = moved((is_above ? here : there).rows(), Vec<Coord, Dim>::along(axis, 1));
  return sparse::detail::combine<Dim>(here.context(), up, (is_above ? there : here).rows(), sparse::detail::in_both);
}

/// The part of a row that lies outside of a box along `count` axes.
template <int Dim>
struct OutsideRow {
  SetView set;
  Box<Dim> box;
  int count;

  KOKKOS_FUNCTION Index bound(Index r) const { return 2 * (set.row_ptr[r + 1] - set.row_ptr[r]); }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Vec<Coord, Dim> const row = cell_at<Dim>(set.key(r), 0);
    int row_count = 0;
    for (int axis = 1; axis < Dim; ++axis) row_count += row[axis] < box.begin[axis] || row[axis] >= box.end[axis];
    auto const add = [&](Coord begin, Coord end) {
      if (begin < end) *out++ = {begin, end};
    };
    for (Index i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i) {
      Interval const whole = set.intervals[i];
      Coord const first = whole.begin > box.begin[0] ? whole.begin : box.begin[0];
      Coord const last = whole.end < box.end[0] ? whole.end : box.end[0];
      if (count == row_count) add(first, last);
      if (count != row_count + 1) continue;
      add(whole.begin, whole.end < box.begin[0] ? whole.end : box.begin[0]);
      add(whole.begin > box.end[0] ? whole.begin : box.end[0], whole.end);
    }
    return out;
  }
};

template <int Dim>
IntervalSet<Dim> outside_along(IntervalSet<Dim> const& set, Box<Dim> const& box, int count) {
  SetView const view = set.rows();
  return assemble<Dim>(set.context(), "sparse::amr::outside_along", view.row_keys, view.row_count,
                       OutsideRow<Dim>{view, box, count});
}

}  // namespace

template <int Dim>
IntervalSet<Dim> faces_between(IntervalSet<Dim> const& here, IntervalSet<Dim> const& there, int axis) {
  if (here.is_empty() || there.is_empty()) return {};
  return faces_between(here, there, axis, false) | faces_between(here, there, axis, true);
}

template <int Dim>
void add_edges(Domain<Dim> const& domain, LevelSets<Dim>& level, IntervalSet<Dim> const& covered_beside, int l) {
  if (IntervalSet<Dim> const beyond = outside(level.storage, domain.box(l)); !beyond.is_empty())
    for (int count = 1; count <= Dim; ++count) level.outside[count - 1] = outside_along(beyond, domain.box(l), count);
  IntervalSet<Dim> const walls = domain.with_images(level.face_ghosts, l, 1);
  IntervalSet<Dim> const sticking = level.face_ghosts.is_empty()
                                        ? level.face_ghosts
                                        : domain.with_images(level.face_ghosts & domain.sticking(l), l, 1);
  IntervalSet<Dim> const coarse = domain.with_images(level.coarse_ghosts, l, 1);
  IntervalSet<Dim> const covered = domain.with_images(covered_beside, l, 1);
  for (int axis = 0; axis < Dim; ++axis) {
    for (int side = 0; side < 2; ++side) {
      level.wall_faces[axis][side] = faces_between(level.update, walls, axis, side == 1);
      level.sticking_faces[axis][side] = faces_between(level.update, sticking, axis, side == 1);
    }
    level.fine_interface[axis] = faces_between(level.cells, coarse, axis);
    level.coarse_interface[axis] = faces_between(level.leaves, covered, axis);
  }
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> faces_between(IntervalSet<Dim> const&, IntervalSet<Dim> const&, int);                      \
  template void add_edges(Domain<Dim> const&, LevelSets<Dim>&, IntervalSet<Dim> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
