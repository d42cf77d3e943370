#pragma once
/// Count, scan, fill: how every set is made.
///
/// A row operation produces the intervals of candidate row r. It has one of two forms:
///
/// - `operator()(Index r, Emit& emit)` emits intervals in increasing order of `begin`. Intervals that overlap or touch
///   are joined. It runs twice: once to count, once to write.
/// - `Index bound(Index r)` and `Interval* operator()(Index r, Interval* out)`. `bound` is an upper bound of the number
///   of intervals, found in a few instructions. The operator writes the intervals, which must not overlap or touch, and
///   returns their end. It runs once, into scratch memory that is then compacted. `bound` may be too large. The
///   operator may write to the memory that `bound` asks for in any order.
///
/// A third member is optional: `Index capacity()`, at least the sum of all bounds and known to the host. With it,
/// devices need not report that sum. On the host there may also be `for_part(Index part)`. It returns the operation for
/// one part of the rows; one thread then calls it for these rows in order. `part` is less than the number of threads.

#include <algorithm>
#include <concepts>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse {
namespace detail {

/// The rows, intervals and cells of one row's result, and sums of these.
struct RowCounts {
  Index rows = 0, intervals = 0, cells = 0;

  KOKKOS_FORCEINLINE_FUNCTION void add(RowCounts const& b) {
    rows += b.rows;
    intervals += b.intervals;
    cells += b.cells;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(RowCounts volatile& a, RowCounts const volatile& b) {
    a.rows = a.rows + b.rows;
    a.intervals = a.intervals + b.intervals;
    a.cells = a.cells + b.cells;
  }
};

/// Joins emitted intervals that overlap or touch and drops empty ones. Passes each resulting interval to `Sink`.
template <class Sink>
class Emitter {
public:
  KOKKOS_FORCEINLINE_FUNCTION explicit Emitter(Sink sink) : sink_(sink) {}

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Coord begin, Coord end) {
    if (begin >= end) return;
    if (is_open_ && begin <= open_.end) {
      if (end > open_.end) open_.end = end;
      return;
    }
    if (is_open_) sink_(open_);
    open_ = {begin, end};
    is_open_ = true;
  }
  KOKKOS_FORCEINLINE_FUNCTION Sink finish() {
    if (is_open_) sink_(open_);
    return sink_;
  }

private:
  Sink sink_;
  Interval open_{0, 0};
  bool is_open_ = false;
};

struct CountSink {
  RowCounts counts;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Interval interval) {
    counts.rows = 1;
    counts.intervals += 1;
    counts.cells += Index{interval.end} - interval.begin;
  }
};

struct FillSink {
  Interval* interval;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Interval value) { *interval++ = value; }
};

/// The arrays of a set while it is being made.
struct SetArrays {
  RowKey* row_keys;
  Index* row_ptr;
  Interval* intervals;
};

template <class RowOperation>
struct CountRow {
  RowOperation operation;
  KOKKOS_FUNCTION RowCounts operator()(Index r) const {
    Emitter<CountSink> emit(CountSink{});
    operation(r, emit);
    return emit.finish().counts;
  }
};

template <class RowOperation>
struct FillRow {
  RowOperation operation;
  RowKey const* candidate_keys;
  RowCounts const* starts;
  SetArrays arrays;
  KOKKOS_FUNCTION void operator()(Index r) const {
    RowCounts const start = starts[r];
    if (starts[r + 1].rows == start.rows) return;
    arrays.row_keys[start.rows] = candidate_keys[r];
    arrays.row_ptr[start.rows + 1] = starts[r + 1].intervals;
    Emitter<FillSink> emit(FillSink{arrays.intervals + start.intervals});
    operation(r, emit);
    emit.finish();
  }
};

template <class RowOperation>
struct BoundRow {
  RowOperation operation;
  KOKKOS_FUNCTION Count operator()(Index r) const { return {operation.bound(r)}; }
};

/// A range of candidate rows, cut into parts of about the same bound. The rows of a part are written one behind the
/// other.
struct Stretch {
  Count const* bounds;  // of all candidates
  Index first, last;
  Index part_count;

  KOKKOS_FUNCTION Index part_begin(Index part) const {
    if (part == part_count) return last;
    if (part_count == last - first) return first + part;  // a row each
    Index const wanted = bounds[first].value + (bounds[last].value - bounds[first].value) / part_count * part;
    Index low = first, high = last;
    while (low < high) {
      Index const middle = (low + high) / 2;
      if (bounds[middle].value < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
  /// Where the memory of the part begins whose first row is `begin`.
  KOKKOS_FUNCTION Index offset(Index begin) const { return bounds[begin].value - bounds[first].value; }
};

/// Runs the operation for the rows of a part. `into.row_ptr` gets the end of each row, counted from the part's first
/// interval. When there is one part, `into` may be the result itself.
template <class RowOperation>
struct WritePart {
  RowOperation operation;
  RowKey const* candidate_keys;
  Stretch stretch;
  SetArrays into;
  RowCounts before;  // size of the result so far, if `into` is the result
  KOKKOS_FUNCTION RowCounts operator()(Index part) const {
    Index const begin = stretch.part_begin(part), end = stretch.part_begin(part + 1);
    Interval* const first = into.intervals + stretch.offset(begin);
    Index const row = begin - stretch.first;
    Interval* out = first;
    RowCounts counts;
    auto&& write = for_part(part);
    for (Index r = begin; r < end; ++r) {
      Interval const* const row_begin = out;
      out = write(r, out);
      if (out == row_begin) continue;
      into.row_keys[row + counts.rows] = candidate_keys[r];
      into.row_ptr[row + counts.rows] = before.intervals + (out - first);
      counts.rows += 1;
      for (Interval const* interval = row_begin; interval != out; ++interval)
        counts.cells += Index{interval->end} - interval->begin;
    }
    counts.intervals = out - first;
    return counts;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) for_part([[maybe_unused]] Index part) const {
    if constexpr (requires { operation.for_part(part); })
      return operation.for_part(part);
    else
      return (operation);
  }
};

/// Moves the rows that WritePart wrote to scratch memory into the result, behind the rows already there.
void place_parts(Context const& context, std::string const& label, Stretch const& stretch, RowCounts const* starts,
                 RowCounts const& before, SetArrays const& from, SetArrays const& to);

template <class RowOperation>
concept WritesOnce = requires(RowOperation const& operation) {
  { operation.bound(Index{}) } -> std::same_as<Index>;
};

template <class RowOperation>
concept KnowsCapacity = requires(RowOperation const& operation) {
  { operation.capacity() } -> std::same_as<Index>;
};

/// The sum of all bounds. Uses the operation's capacity where the host would have to wait for the sum.
template <class RowOperation>
Index total_bound(Context const& context, RowOperation const& operation, Buffer<Count> const& bounds) {
  if constexpr (has_many_threads && KnowsCapacity<RowOperation>)
    return operation.capacity();
  else
    return read_back(context, bounds.data() + bounds.size() - 1).value;
}

/// The stretch of rows that begins with `first`, cut into parts. On a host its intervals and their operands fit into
/// the cache of a core, and each thread gets a part. On a device it covers all rows, with a part per row.
Stretch stretch_from(Context const& context, Buffer<Count> const& bounds, Index first);

/// Passes a result on; debug builds check its invariants first.
template <int Dim>
IntervalSet<Dim> checked(std::shared_ptr<SetBody const> body) {
  IntervalSet<Dim> set(std::move(body));
#if defined(SPARSE_VALIDATE)
  validate(set);
#endif
  return set;
}

/// A set whose arrays grow stretch by stretch.
class GrowingSet {
public:
  GrowingSet(Context const& context, Index candidate_count);
  RowCounts const& size() const { return size_; }
  /// Reserves memory for `more` intervals. `hint` is the number of intervals that may still follow.
  SetArrays reserve(Index more, Index hint);
  void add(RowCounts const& more) { size_.add(more); }
  /// nullptr when there are no cells.
  std::shared_ptr<SetBody const> finish();

private:
  std::shared_ptr<SetBody> body_;
  RowCounts size_;
};

/// Appends the rows of a stretch to the result.
template <class RowOperation>
void append(Context const& context, std::string const& label, RowKey const* candidate_keys, Stretch const& stretch,
            RowOperation const& operation, Index bound, Index hint, GrowingSet& result) {
  RowCounts const before = result.size();
  if (stretch.part_count == 1) {
    auto const arrays = result.reserve(bound, 0);
    SetArrays const behind{arrays.row_keys + before.rows, arrays.row_ptr + before.rows + 1,
                           arrays.intervals + before.intervals};
    Buffer<RowCounts> const counts(context, 1);
    parallel_for(context, label, 1,
                 StoreCounts<RowCounts, WritePart<RowOperation>>{{operation, candidate_keys, stretch, behind, before},
                                                                 counts.data()});
    result.add(read_back(context, counts.data()));
    return;
  }
  Index const row_count = stretch.last - stretch.first;
  Buffer<RowKey> const keys(context, row_count);
  Buffer<Index> const row_ptr(context, row_count);
  Buffer<Interval> const intervals(context, bound);
  SetArrays const scratch{keys.data(), row_ptr.data(), intervals.data()};
  auto const starts = count_and_scan<RowCounts>(
      context, label, stretch.part_count, WritePart<RowOperation>{operation, candidate_keys, stretch, scratch, {}});
  auto const counts = read_back(context, starts.data() + stretch.part_count);
  auto const arrays = result.reserve(counts.intervals, hint);
  place_parts(context, label + "_place", stretch, starts.data(), before, scratch, arrays);
  result.add(counts);
}

/// Throws unless begin <= end on every axis and all cells are in the range of coordinates.
template <int Dim>
void expect_valid(Box<Dim> const& domain, char const* operation);

/// Keys of all rows of a box, in order.
template <int Dim>
Buffer<RowKey> keys_of(Context const& context, Box<Dim> const& domain);

}  // namespace detail

/// The set whose row `candidate_keys[r]` holds the intervals that `operation` produces.
///
/// @param candidate_keys  in device memory of `context`; the keys of rows with intervals increase
/// @param label           names the kernels: `sparse::<topic>::<step>`
/// Cost: one or two runs of the operation (see above), a scan over the candidates, a read-back of three numbers.
/// Operations with a bound need memory for the result and for one stretch.
template <int Dim, class RowOperation>
IntervalSet<Dim> assemble(Context const& context, std::string const& label, RowKey const* candidate_keys,
                          Index candidate_count, RowOperation const& operation) {
  if (candidate_count == 0) return {};
  detail::GrowingSet result(context, candidate_count);
  if constexpr (detail::WritesOnce<RowOperation>) {
    auto const bounds = count_and_scan<Count>(context, label + "_bound", candidate_count,
                                              detail::BoundRow<RowOperation>{operation}, true);
    Index const all = detail::total_bound(context, operation, bounds);
    for (Index first = 0, used = 0; first < candidate_count && used < all;) {
      auto const stretch = detail::stretch_from(context, bounds, first);
      Index const end = stretch.last == candidate_count ? all : read_back(context, bounds.data() + stretch.last).value;
      detail::append(context, label, candidate_keys, stretch, operation, end - used, all - end, result);
      first = stretch.last;
      used = end;
    }
  } else {
    auto const starts = count_and_scan<detail::RowCounts>(context, label + "_count", candidate_count,
                                                          detail::CountRow<RowOperation>{operation});
    auto const counts = read_back(context, starts.data() + candidate_count);
    auto const arrays = result.reserve(counts.intervals, 0);
    parallel_for(context, label + "_fill", candidate_count,
                 detail::FillRow<RowOperation>{operation, candidate_keys, starts.data(), arrays});
    result.add(counts);
  }
  auto body = result.finish();
  return body == nullptr ? IntervalSet<Dim>() : detail::checked<Dim>(std::move(body));
}

}  // namespace sparse
