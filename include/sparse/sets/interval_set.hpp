#pragma once
/// Sparse sets of cells.

#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>

#include <sparse/base/buffer.hpp>
#include <sparse/base/interval.hpp>
#include <sparse/sets/host_set.hpp>

namespace sparse {

/// The intervals of one row, moved by `shift` along x.
struct Row {
  /// The intervals of the row, and how far they are moved along x.
  Interval const* first;
  Interval const* last;
  Coord shift;

  /// How many intervals the row has, and the i-th of them.
  KOKKOS_FORCEINLINE_FUNCTION Index interval_count() const { return last - first; }
  KOKKOS_FORCEINLINE_FUNCTION Interval operator[](Index i) const {
    return {first[i].begin + shift, first[i].end + shift};
  }
};

/// What kernels see of a set: rows of intervals in compressed form (CSR), possibly moved as a whole.
///
/// Row r has the key `key(r)` and the intervals `row(r)`. The cells of its intervals are numbered from
/// `cell_offsets[row_ptr[r]]` on. Only the keys depend on the dimension.
struct SetView {
  /// The arrays of a set, in device memory.
  RowKey const* row_keys = nullptr;     // [row_count]
  Index const* row_ptr = nullptr;       // [row_count + 1]
  Interval const* intervals = nullptr;  // [interval_count]
  Index const* cell_offsets = nullptr;  // [interval_count]
  Index row_count = 0, interval_count = 0, cell_count = 0;
  RowKey key_shift = 0;  // the view shows the stored set moved by these
  Coord x_shift = 0;

  /// The key of row r, and its intervals.
  KOKKOS_FORCEINLINE_FUNCTION RowKey key(Index r) const { return row_keys[r] + key_shift; }
  KOKKOS_FORCEINLINE_FUNCTION Row row(Index r) const {
    return r < 0 ? Row{nullptr, nullptr, 0} : Row{intervals + row_ptr[r], intervals + row_ptr[r + 1], x_shift};
  }

  /// Number of rows whose key is smaller than `wanted`. Cost: logarithmic in the rows.
  KOKKOS_FUNCTION Index lower_row(RowKey wanted) const {
    wanted -= key_shift;
    Index first = 0, count = row_count;
    while (count > 0) {
      Index const half = count / 2;
      bool const right = row_keys[first + half] < wanted;
      first += right ? half + 1 : 0;
      count = right ? count - half - 1 : half;
    }
    return first;
  }
  /// The row of `wanted`, or -1.
  KOKKOS_FUNCTION Index find_row(RowKey wanted) const {
    Index const r = lower_row(wanted);
    return r < row_count && key(r) == wanted ? r : -1;
  }
  /// The index of the cell at `x` in row `r`, or -1. Cost: logarithmic in the row's intervals.
  KOKKOS_FUNCTION Index find_in_row(Index r, Coord x) const {
    if (r < 0) return -1;
    x -= x_shift;
    Index low = row_ptr[r], high = row_ptr[r + 1];
    while (low < high) {  // first interval that ends after x
      Index const middle = low + (high - low) / 2;
      if (intervals[middle].end <= x)
        low = middle + 1;
      else
        high = middle;
    }
    return low < row_ptr[r + 1] && intervals[low].begin <= x ? cell_offsets[low] + (x - intervals[low].begin) : -1;
  }
  /// The index of `cell`, or -1.
  template <int Dim>
  KOKKOS_FUNCTION Index find(Vec<Coord, Dim> const& cell) const {
    return find_in_row(find_row(row_key(cell)), cell[0]);
  }
};

/// `view` moved by a number of cells.
template <int Dim>
SetView moved(SetView view, Vec<Coord, Dim> const& offset) {
  view.key_shift += row_key(offset);
  view.x_shift += offset[0];
  return view;
}

namespace detail {

/// The arrays of a set; immutable once built and shared by all copies of the set.
struct SetBody {
  Context context;
  Buffer<RowKey> row_keys;
  Buffer<Index> row_ptr;
  Buffer<Interval> intervals;
  Index cell_count = 0;
  /// Made on first use, because set algebra does not need it.
  mutable Buffer<Index> cell_offsets;
  mutable std::once_flag has_offsets;
  /// The least and one past the greatest coordinate along each axis. Found on first use, too.
  mutable Coord bounds[3][2] = {};
  mutable std::once_flag has_bounds;
};

}  // namespace detail

/// A set of cells of the integer lattice, stored as rows of intervals. An immutable value: copies share memory.
///
/// The form is canonical: keys increase, no row is empty, and the intervals of a row are sorted and neither overlap nor
/// touch. So equal sets have equal arrays. Coordinates lie strictly between -2^30 and 2^30; numbers of cells are
/// 64-bit.
template <int Dim>
class IntervalSet {
public:
  /// The empty set.
  IntervalSet() = default;
  /// For the library's own use: takes arrays that fulfil the invariants (see `validate`).
  explicit IntervalSet(std::shared_ptr<detail::SetBody const> body) : body_(std::move(body)) {}

  /// How many cells, intervals and rows there are, and whether there are none. Kept, not counted.
  Index cell_count() const { return body_ ? body_->cell_count : 0; }
  Index interval_count() const { return body_ ? body_->intervals.size() : 0; }
  Index row_count() const { return body_ ? body_->row_keys.size() : 0; }
  bool is_empty() const { return cell_count() == 0; }
  /// Bytes of device memory that the arrays take now: 16 per row and 8 per interval. Numbering cells, as `view` does,
  /// takes 8 more per interval.
  Index byte_count() const;

  /// The smallest box around all cells; an empty box at the origin for the empty set. Cost: one pass over the rows, and
  /// nothing when asked again.
  Box<Dim> bounds() const;
  /// Whether `cell` belongs to the set. For single queries on the host; in kernels use `view().find`.
  /// Cost: a search among the rows and one in the row; waits for the answer.
  bool contains(Vec<Coord, Dim> const& cell) const;

  /// What kernels need. The set must outlive it. The first call for a set numbers its cells: one pass over the
  /// intervals, and 8 bytes for each.
  SetView view() const;
  /// The view without `cell_offsets`. These are made when `view` is first called.
  SetView rows() const;
  /// The arrays on the host, and where those of the set live. Cost: a copy of them; waits.
  HostSet<Dim> to_host() const;
  Context context() const { return body_ ? body_->context : Context(); }
  /// Identifies the value. Sets with equal identity are equal, but equal sets may have different identities.
  void const* identity() const { return body_.get(); }
  /// Expires when the last copy of the set is gone. So plans can be cached for a set without keeping the set alive.
  /// The lifetime of the empty set may have expired from the start.
  std::weak_ptr<void const> lifetime() const { return body_; }

private:
  std::shared_ptr<detail::SetBody const> body_;
};

/// Equality of value. Cost: none for copies and for sets of other sizes; else a comparison of the arrays, which waits.
template <int Dim>
bool operator==(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b);

/// Checks the invariants of a set. Runs on every result in debug builds. Cost: a pass over the intervals.
/// @throws std::logic_error  naming the first broken invariant and its row
template <int Dim>
void validate(IntervalSet<Dim> const& set);

/// The set of the cells in `rows`. Its intervals may come in any order, overlap, touch or be empty.
/// Only `row_keys`, `row_ptr` and `intervals` are read.
/// Cost: a sort of the rows and of each row's intervals on the host, and a copy to the device.
/// @throws std::invalid_argument  if the arrays do not fit together, an interval ends before it begins, or a coordinate
///                                is out of range
template <int Dim>
IntervalSet<Dim> from_host(HostSet<Dim> const& rows, Context const& context = Context());

/// Draws a small set: '#' for its cells, '.' for the others in its bounds, y upwards; 3D as slices along z.
/// Sets with more than 200 cells along an axis are summarised in one line. Cost: a copy of the set to the host; in 3D a
/// pass over its cells for each slice.
template <int Dim>
std::string to_text(IntervalSet<Dim> const& set);
template <int Dim>
std::ostream& operator<<(std::ostream& out, IntervalSet<Dim> const& set);

}  // namespace sparse
