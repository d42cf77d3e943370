#include <sparse/sets/interval_set.hpp>

#include <algorithm>
#include <ostream>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/assemble.hpp>

#include "range.hpp"

namespace sparse {
namespace {

struct HostRow {
  Interval const* intervals;
  Index const* row_ptr;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    for (Index i = row_ptr[r]; i < row_ptr[r + 1]; ++i) emit(intervals[i].begin, intervals[i].end);
  }
};

/// Numbers the cells: the offset of an interval is the sum of the lengths before it.
struct OffsetScan {
  using value_type = Index;
  Interval const* intervals;
  Index* offsets;
  KOKKOS_FUNCTION void operator()(Index i, Index& before, bool is_final) const {
    if (is_final) offsets[i] = before;
    before += Index{intervals[i].end} - intervals[i].begin;
  }
};

Buffer<Index> offsets_of(Context const& context, Buffer<Interval> const& intervals) {
  Buffer<Index> offsets(context, intervals.size());
  OffsetScan const scan{intervals.data(), offsets.data()};
  if (detail::is_done_at_once(intervals.size(), detail::light_loop_limit)) {
    Index before = 0;
    for (Index i = 0; i < intervals.size(); ++i) scan(i, before, true);
  } else {
    Kokkos::parallel_scan("sparse::interval_set::number_cells", IndexPolicy(context.execution(), 0, intervals.size()),
                          scan);
  }
  return offsets;
}

template <class T>
bool same_values(Context const& context, char const* label, T const* a, T const* b, Index count) {
  return parallel_reduce<Kokkos::Sum, Index>(
             context, label, count, KOKKOS_LAMBDA(Index i, Index & differing) {
               if (!(a[i] == b[i])) ++differing;
             }) == 0;
}

}  // namespace

template <int Dim>
Index IntervalSet<Dim>::byte_count() const {
  if (!body_) return 0;
  return row_count() * sizeof(RowKey) + (row_count() + 1) * sizeof(Index) + interval_count() * sizeof(Interval) +
         body_->cell_offsets.size() * sizeof(Index);
}

template <int Dim>
SetView IntervalSet<Dim>::rows() const {
  if (!body_) return {};
  return {body_->row_keys.data(), body_->row_ptr.data(), body_->intervals.data(), nullptr, row_count(),
          interval_count(),       body_->cell_count};
}

template <int Dim>
SetView IntervalSet<Dim>::view() const {
  if (!body_) return {};
  std::call_once(body_->has_offsets, [this] {
    if (body_->cell_offsets.size() == 0) body_->cell_offsets = offsets_of(body_->context, body_->intervals);
  });
  SetView view = rows();
  view.cell_offsets = body_->cell_offsets.data();
  return view;
}

namespace {

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> first_cell(SetView const& set, Index r) {
  return cell_at<Dim>(set.key(r), set.row(r)[0].begin);
}
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> last_cell(SetView const& set, Index r) {
  Row const row = set.row(r);
  return cell_at<Dim>(set.key(r), row[row.interval_count() - 1].end - 1);
}

/// Widens a box so that it contains the rows of a part.
template <int Dim>
struct WidenBox {
  static constexpr Index length = 64;
  SetView set;
  Box<Dim>* box;
  KOKKOS_FUNCTION void operator()(Index part) const {
    Index const begin = part * length, end = begin + length < set.row_count ? begin + length : set.row_count;
    Vec<Coord, Dim> least = first_cell<Dim>(set, begin), greatest = last_cell<Dim>(set, begin);
    for (Index r = begin + 1; r < end; ++r) {
      Vec<Coord, Dim> const first = first_cell<Dim>(set, r), last = last_cell<Dim>(set, r);
      for (int axis = 0; axis < Dim; ++axis) {
        if (first[axis] < least[axis]) least[axis] = first[axis];
        if (last[axis] > greatest[axis]) greatest[axis] = last[axis];
      }
    }
    for (int axis = 0; axis < Dim; ++axis) {
      Kokkos::atomic_fetch_min(&box->begin[axis], least[axis]);
      Kokkos::atomic_fetch_max(&box->end[axis], greatest[axis] + 1);
    }
  }
};

/// Finds the bounds with one read-back.
template <int Dim>
Box<Dim> bounds_by_many(Context const& context, SetView const& set) {
  Buffer<Box<Dim>> const buffer(context, 1);
  Box<Dim>* const box = buffer.data();
  parallel_for(
      context, "sparse::interval_set::no_bounds", 1, KOKKOS_LAMBDA(Index) {
        box->begin = Vec<Coord, Dim>::filled(coord_limit);
        box->end = Vec<Coord, Dim>::filled(-coord_limit);
      });
  Index const parts = (set.row_count + WidenBox<Dim>::length - 1) / WidenBox<Dim>::length;
  parallel_for(context, "sparse::interval_set::bounds", parts, WidenBox<Dim>{set, box});
  return read_back(context, static_cast<Box<Dim> const*>(box));
}

template <int Dim>
Box<Dim> bounds_of(Context const& context, SetView const& set) {
  if (!has_many_threads && detail::is_done_at_once(set.row_count, detail::light_loop_limit)) {
    context.fence();
    Box<Dim> box{first_cell<Dim>(set, 0), last_cell<Dim>(set, 0)};
    for (Index r = 0; r < set.row_count; ++r)
      for (int axis = 0; axis < Dim; ++axis) {
        box.begin[axis] = std::min(box.begin[axis], first_cell<Dim>(set, r)[axis]);
        box.end[axis] = std::max(box.end[axis], last_cell<Dim>(set, r)[axis]);
      }
    for (int axis = 0; axis < Dim; ++axis) ++box.end[axis];
    return box;
  }
  return bounds_by_many<Dim>(context, set);
}

/// The number of the first broken invariant of row r, as listed below; 0 if there is none.
template <int Dim>
struct RowFault {
  SetView set;
  KOKKOS_FUNCTION int operator()(Index r) const {
    Index const first = set.row_ptr[r], last = set.row_ptr[r + 1];
    bool const is_first = r == 0, is_last = r + 1 == set.row_count;
    if (first < 0 || last > set.interval_count || (is_first && first != 0) || (is_last && last != set.interval_count))
      return 1;
    if (r > 0 && set.row_keys[r - 1] >= set.row_keys[r]) return 2;
    if (last <= first) return 3;
    for (Index i = first; i < last; ++i) {
      Interval const interval = set.intervals[i];
      if (interval.end <= interval.begin) return 4;
      if (i > first && interval.begin <= set.intervals[i - 1].end) return 5;
      if (set.cell_offsets[i] != (i == 0 ? 0 : cells_before_end(i - 1))) return 6;
      Vec<Coord, Dim> const cell = cell_at<Dim>(set.row_keys[r], interval.begin);
      for (int axis = 0; axis < Dim; ++axis)
        if (cell[axis] <= -coord_limit || cell[axis] >= coord_limit) return 7;
      if (interval.end > coord_limit || row_key(cell) != set.row_keys[r]) return 7;
    }
    return is_last && cells_before_end(last - 1) != set.cell_count ? 8 : 0;
  }
  KOKKOS_FUNCTION Index cells_before_end(Index i) const {
    return set.cell_offsets[i] + (Index{set.intervals[i].end} - set.intervals[i].begin);
  }
};

char const* const row_faults[] = {"",
                                  "row pointers do not span the intervals",
                                  "row keys do not increase",
                                  "a row is empty",
                                  "an interval is empty",
                                  "intervals overlap, touch or are out of order",
                                  "cell offsets are not the sums of the lengths",
                                  "a coordinate is out of range",
                                  "the number of cells is not the sum of the lengths"};

template <int Dim>
Index first_faulty_row(Context const& context, SetView const& view) {
  RowFault<Dim> const fault{view};
  return parallel_reduce<Kokkos::Min, Index>(
      context, "sparse::interval_set::validate", view.row_count, KOKKOS_LAMBDA(Index r, Index & first) {
        if (r < first && fault(r) != 0) first = r;
      });
}

template <int Dim>
int fault_of_row(Context const& context, SetView const& view, Index row) {
  RowFault<Dim> const fault{view};
  return parallel_reduce<Kokkos::Sum, int>(
      context, "sparse::interval_set::name_fault", 1, KOKKOS_LAMBDA(Index, int& sum) { sum += fault(row); });
}

Index find_cell(Context const& context, SetView const& view, RowKey key, Coord x) {
  return parallel_reduce<Kokkos::Sum, Index>(
      context, "sparse::interval_set::contains", 1,
      KOKKOS_LAMBDA(Index, Index & sum) { sum += view.find_in_row(view.find_row(key), x); });
}

}  // namespace

template <int Dim>
Box<Dim> IntervalSet<Dim>::bounds() const {
  if (is_empty()) return {};
  auto& known = body_->bounds;
  std::call_once(body_->has_bounds, [&] {
    auto const box = bounds_of<Dim>(context(), rows());
    for (int axis = 0; axis < Dim; ++axis) {
      known[axis][0] = box.begin[axis];
      known[axis][1] = box.end[axis];
    }
  });
  Box<Dim> box;
  for (int axis = 0; axis < Dim; ++axis) {
    box.begin[axis] = known[axis][0];
    box.end[axis] = known[axis][1];
  }
  return box;
}

template <int Dim>
bool IntervalSet<Dim>::contains(Vec<Coord, Dim> const& cell) const {
  if (is_empty()) return false;
  for (int axis = 0; axis < Dim; ++axis)
    if (cell[axis] <= -coord_limit || cell[axis] >= coord_limit) return false;
  return find_cell(context(), view(), row_key(cell), cell[0]) >= 0;
}

template <int Dim>
HostSet<Dim> IntervalSet<Dim>::to_host() const {
  if (!body_) return {{}, {0}, {}, {}};
  Context const& context = body_->context;
  SetView const arrays = view();
  return {sparse::to_host(context, body_->row_keys.data(), row_count()),
          sparse::to_host(context, body_->row_ptr.data(), row_count() + 1),
          sparse::to_host(context, body_->intervals.data(), interval_count()),
          sparse::to_host(context, arrays.cell_offsets, interval_count())};
}

template <int Dim>
bool operator==(IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  if (a.identity() == b.identity()) return true;
  if (a.row_count() != b.row_count() || a.interval_count() != b.interval_count() || a.cell_count() != b.cell_count())
    return false;
  Context const context = a.context();
  SetView const u = a.rows(), v = b.rows();
  return same_values(context, "sparse::interval_set::compare_keys", u.row_keys, v.row_keys, u.row_count) &&
         same_values(context, "sparse::interval_set::compare_rows", u.row_ptr, v.row_ptr, u.row_count + 1) &&
         same_values(context, "sparse::interval_set::compare_intervals", u.intervals, v.intervals, u.interval_count);
}

template <int Dim>
void validate(IntervalSet<Dim> const& set) {
  if (set.identity() == nullptr) return;
  SetView const view = set.view();
  Index const row = first_faulty_row<Dim>(set.context(), view);
  if (row < view.row_count)
    throw std::logic_error(std::string("interval set, row ") + std::to_string(row) + ": " +
                           row_faults[fault_of_row<Dim>(set.context(), view, row)]);
}

template <int Dim>
IntervalSet<Dim> from_host(HostSet<Dim> const& rows, Context const& context) {
  std::size_t const row_count = rows.row_keys.size();
  if (row_count == 0 && rows.intervals.empty()) return {};
  expects(rows.row_ptr.size() == row_count + 1, "from_host: row_ptr must have one entry more than row_keys");
  expects(rows.row_ptr.front() == 0 && rows.row_ptr.back() == static_cast<Index>(rows.intervals.size()),
          "from_host: row_ptr must begin with 0 and end with the number of intervals");
  expects(std::is_sorted(rows.row_ptr.begin(), rows.row_ptr.end()), "from_host: row_ptr must not decrease");
  for (std::size_t r = 0; r < row_count; ++r)
    for (Index i = rows.row_ptr[r]; i < rows.row_ptr[r + 1]; ++i) {
      Interval const interval = rows.intervals[i];
      if (interval.end < interval.begin) fail("from_host: interval " + std::to_string(i) + " ends before it begins");
      if (interval.end == interval.begin) continue;
      Vec<std::int64_t, Dim> begin, end;
      Vec<Coord, Dim> const first = cell_at<Dim>(rows.row_keys[r], interval.begin);
      for (int axis = 0; axis < Dim; ++axis) {
        begin[axis] = first[axis];
        end[axis] = axis == 0 ? interval.end : first[axis] + std::int64_t{1};
      }
      detail::expect_in_range<Dim>(begin, end, "from_host");
      expects(Dim == 3 || RowKey{first[1]} == rows.row_keys[r], "from_host: a row key is out of range");
    }

  // Sorts the rows by key, merges rows of equal key, and sorts the intervals of each row by their begin.
  std::vector<std::size_t> order(row_count);
  for (std::size_t r = 0; r < row_count; ++r) order[r] = r;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rows.row_keys[a] < rows.row_keys[b]; });
  HostSet<Dim> sorted;
  sorted.row_ptr.push_back(0);
  for (std::size_t const r : order) {
    if (sorted.row_keys.empty() || sorted.row_keys.back() != rows.row_keys[r]) {
      sorted.row_keys.push_back(rows.row_keys[r]);
      sorted.row_ptr.push_back(sorted.row_ptr.back());
    }
    sorted.intervals.insert(sorted.intervals.end(), rows.intervals.begin() + rows.row_ptr[r],
                            rows.intervals.begin() + rows.row_ptr[r + 1]);
    sorted.row_ptr.back() = static_cast<Index>(sorted.intervals.size());
  }
  for (std::size_t r = 0; r < sorted.row_keys.size(); ++r)
    std::sort(sorted.intervals.begin() + sorted.row_ptr[r], sorted.intervals.begin() + sorted.row_ptr[r + 1],
              [](Interval const& a, Interval const& b) { return a.begin < b.begin; });

  auto const keys = to_device(context, sorted.row_keys);
  auto const row_ptr = to_device(context, sorted.row_ptr);
  auto const intervals = to_device(context, sorted.intervals);
  return assemble<Dim>(context, "sparse::interval_set::from_host", keys.data(), keys.size(),
                       HostRow{intervals.data(), row_ptr.data()});
}

template <int Dim>
std::string to_text(IntervalSet<Dim> const& set) {
  Box<Dim> const bounds = set.bounds();
  Index const width = Index{bounds.end[0]} - bounds.begin[0], height = Index{bounds.end[1]} - bounds.begin[1];
  Coord const z_begin = Dim == 3 ? bounds.begin[Dim - 1] : 0, z_end = Dim == 3 ? bounds.end[Dim - 1] : 1;
  std::string text = std::to_string(set.cell_count()) + " cells in " + std::to_string(set.interval_count()) +
                     " intervals and " + std::to_string(set.row_count()) + " rows";
  if (set.is_empty()) return text + "\n";
  for (int axis = 0; axis < Dim; ++axis)
    text += (axis == 0 ? ", [" : " x [") + std::to_string(bounds.begin[axis]) + ", " +
            std::to_string(bounds.end[axis]) + ")";
  text += "\n";
  if (width > 200 || height > 200 || z_end - z_begin > 200) return text;

  auto const host = set.to_host();
  std::string const blank(static_cast<std::size_t>(width), '.');
  for (Coord z = z_begin; z < z_end; ++z) {
    std::vector<std::string> lines(static_cast<std::size_t>(height), blank);
    host.for_each_cell([&](Vec<Coord, Dim> const& cell, Index) {
      if (Dim == 3 && cell[Dim - 1] != z) return;
      lines[static_cast<std::size_t>(cell[1] - bounds.begin[1])][static_cast<std::size_t>(cell[0] - bounds.begin[0])] =
          '#';
    });
    if (Dim == 3) text += "z = " + std::to_string(z) + "\n";
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) text += *line + "\n";
  }
  return text;
}

template <int Dim>
std::ostream& operator<<(std::ostream& out, IntervalSet<Dim> const& set) {
  return out << to_text(set);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class IntervalSet<Dim>;                                                                                     \
  template bool operator==(IntervalSet<Dim> const&, IntervalSet<Dim> const&);                                          \
  template void validate(IntervalSet<Dim> const&);                                                                     \
  template IntervalSet<Dim> from_host(HostSet<Dim> const&, Context const&);                                            \
  template std::string to_text(IntervalSet<Dim> const&);                                                               \
  template std::ostream& operator<<(std::ostream&, IntervalSet<Dim> const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
