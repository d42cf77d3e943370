#pragma once
/// Searches in a set for cells that lie close to each other.

#include <sparse/sets/interval_set.hpp>

namespace sparse::detail {

/// A set that is searched for one cell after the other. Rows beside those of the last cells are found at once: in 3D of
/// the last one in each of four planes.
class NearbySearch {
public:
  NearbySearch() = default;
  explicit KOKKOS_FUNCTION NearbySearch(SetView const& set) : set_(&set) {}
  /// The index of `cell`, or -1.
  template <int Dim>
  KOKKOS_FUNCTION Index find(Vec<Coord, Dim> const& cell) {
    RowKey const wanted = row_key(cell);
    Index& row = rows_[Dim == 3 ? cell[Dim - 1] & 3 : 0];
    row = first_row(row, wanted);
    return row < set_->row_count && set_->key(row) == wanted ? set_->find_in_row(row, cell[0]) : -1;
  }

private:
  static constexpr Index none = -8;

  /// SetView::lower_row
  KOKKOS_FUNCTION Index first_row(Index last, RowKey wanted) const {
    for (int step = 0; step <= 2; ++step) {
      if (is_first(last + step, wanted)) return last + step;
      if (is_first(last - step, wanted)) return last - step;
    }
    return set_->lower_row(wanted);
  }
  /// Whether `row` is the first one whose key is not smaller than `wanted`.
  KOKKOS_FUNCTION bool is_first(Index row, RowKey wanted) const {
    return row >= 0 && row <= set_->row_count && (row == 0 || set_->key(row - 1) < wanted) &&
           (row == set_->row_count || set_->key(row) >= wanted);
  }
  SetView const* set_ = nullptr;
  Index rows_[4] = {none, none, none, none};
};

}  // namespace sparse::detail
