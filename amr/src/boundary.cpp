#include <sparse/amr/boundary.hpp>

#include <sparse/set_algebra.hpp>

namespace sparse::amr {
namespace {

/// Finds what the cells of a row outside the box depend on. Their sources lie side by side as they do, unless the row
/// leaves the box itself.
template <int Dim>
struct FindSources {
  SetView cells, storage, solid;
  detail::Fold<Dim> fold;
  int axis;
  SideCell<Dim>* out;

  KOKKOS_FUNCTION Index source_row(RowKey key, bool wants_image) const {
    Vec<Coord, Dim> row = cell_at<Dim>(key, 0);
    if (axis > 0) row[axis] = wants_image ? fold.mirrored(row[axis], axis) : fold.nearest(row[axis], axis);
    return storage.find_row(row_key(row));
  }
  KOKKOS_FUNCTION void operator()(Index r) const {
    RowKey const key = cells.key(r);
    Index const own_row = storage.find_row(key), inside_row = source_row(key, false), image_row = source_row(key, true);
    for (Index i = cells.row_ptr[r]; i < cells.row_ptr[r + 1]; ++i) {
      Interval const interval = cells.intervals[i];
      Index const own = storage.find_in_row(own_row, interval.begin);
      Index inside = storage.find_in_row(inside_row, interval.begin);
      Index image = storage.find_in_row(image_row, interval.begin);
      for (Coord x = interval.begin; x < interval.end; ++x, ++inside, ++image) {
        if (axis == 0) {
          inside = storage.find_in_row(inside_row, fold.nearest(x, 0));
          image = storage.find_in_row(image_row, fold.mirrored(x, 0));
        }
        Index const step = x - interval.begin;
        Vec<Coord, Dim> const at = cell_at<Dim>(key, x);
        out[cells.cell_offsets[i] + step] = {
            own + step, inside, image, at, at[axis] < 0 ? std::int8_t(0) : std::int8_t(1), fold.is_behind(solid, at)};
      }
    }
  }
};

/// Whether the set has cells from which cells outside the box take their values.
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
  for (int axis = 0; axis < Dim; ++axis) {
    IntervalSet<Dim> const& outside = sets.outside[axis];
    kinds_[axis] = domain.options().sides[axis];
    cells_[axis] = Buffer<SideCell<Dim>>(context_, outside.cell_count());
    if (outside.is_empty()) continue;
    SetView const cells = outside.view();
    parallel_for(context_, "sparse::amr::find_side_sources", cells.row_count,
                 FindSources<Dim>{cells, sets.storage.view(), reach_solid_ ? solid.view() : SetView{},
                                  detail::Fold<Dim>(domain, level), axis, cells_[axis].data()});
  }
}

template class Sides<2>;
template class Sides<3>;

}  // namespace sparse::amr
