#pragma once
/// Count, scan, fill: how every set is made.
///
/// A row operation says what the candidate row r holds. It has either
///
/// - `operator()(Index r, Emit& emit)`, which emits intervals in increasing order of `begin`; those that overlap or touch
///   are joined. It runs twice: once to count, once to write. Or
/// - `Index bound(Index r)`, at most so many intervals, and `Interval* operator()(Index r, Interval* out)`, which writes
///   them, disjoint and apart, and returns their end. It runs once, into scratch memory that is then compacted. `bound`
///   may ask for more than it needs, and what it asks for may be overwritten in any order.

#include <algorithm>
#include <concepts>

#include <sparse/error.hpp>
#include <sparse/interval_set.hpp>
#include <sparse/parallel.hpp>

namespace sparse {
namespace detail {

/// What a row contributes, and the sums of it.
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

/// Joins the emitted intervals that overlap or touch and drops empty ones; `Sink` gets each interval that results.
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
    if (start.rows == 0) arrays.row_ptr[0] = 0;
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

/// Runs the operation into row r's part of the scratch memory, which has room for `bounds[first]`, ... intervals.
template <class RowOperation>
struct WriteRow {
  RowOperation operation;
  Index first;
  Count const* bounds;
  Interval* scratch;
  KOKKOS_FUNCTION RowCounts operator()(Index i) const {
    Interval const* const begin = scratch + (bounds[first + i].value - bounds[first].value);
    Interval const* const end = operation(first + i, scratch + (bounds[first + i].value - bounds[first].value));
    Index cells = 0;
    for (Interval const* interval = begin; interval != end; ++interval)
      cells += Index{interval->end} - interval->begin;
    return {end == begin ? 0 : 1, end - begin, cells};
  }
};

/// Moves what WriteRow wrote to its place behind the `before` rows that are there already.
struct PlaceRow {
  RowKey const* candidate_keys;
  RowCounts before;
  Index first;
  Count const* bounds;
  RowCounts const* starts;
  Interval const* scratch;
  SetArrays arrays;
  KOKKOS_FUNCTION void operator()(Index i) const {
    Index const count = starts[i + 1].intervals - starts[i].intervals;
    if (count == 0) return;
    Index const row = before.rows + starts[i].rows, start = before.intervals + starts[i].intervals;
    arrays.row_keys[row] = candidate_keys[first + i];
    arrays.row_ptr[row + 1] = start + count;
    if (row == 0) arrays.row_ptr[0] = 0;
    Interval const* const from = scratch + (bounds[first + i].value - bounds[first].value);
    Interval* const to = arrays.intervals + start;
    SPARSE_INDEPENDENT_ITERATIONS
    for (Index k = 0; k < count; ++k) to[k] = from[k];
  }
};

template <class RowOperation>
concept WritesOnce = requires(RowOperation const& operation) {
  { operation.bound(Index{}) } -> std::same_as<Index>;
};

/// Intervals in one stretch of rows: as many as a core's cache holds next to their operands.
inline constexpr Index stretch_intervals = is_host_backend ? Index{1} << 17 : Index{1} << 26;

/// The end of the stretch of rows that begins with `first`.
Index end_of_stretch(Context const& context, Count const* bounds, Index first, Index count);

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
  /// Makes room for `more`; `hint` is how many intervals may still follow.
  SetArrays make_room(RowCounts const& more, Index hint);
  void add(RowCounts const& more) { size_.add(more); }
  /// nullptr when there are no cells.
  std::shared_ptr<SetBody const> finish();

private:
  std::shared_ptr<SetBody> body_;
  RowCounts size_;
};

}  // namespace detail

/// The set whose row `candidate_keys[r]` holds what `operation` says.
///
/// @param candidate_keys  increasing, on the device, in `context`
/// @param label           names the kernels: `sparse::<topic>::<step>`
/// Cost: one run of the operation, or two (see above), a scan over the candidates, a read-back of three numbers.
/// Operations with a bound need no more than the result and a small part of the bounds as memory.
template <int Dim, class RowOperation>
IntervalSet<Dim> assemble(Context const& context, std::string const& label, RowKey const* candidate_keys,
                          Index candidate_count, RowOperation const& operation) {
  if (candidate_count == 0) return {};
  detail::GrowingSet result(context, candidate_count);
  if constexpr (detail::WritesOnce<RowOperation>) {
    auto const bounds = count_and_scan<Count>(context, label + "_bound", candidate_count,
                                              detail::BoundRow<RowOperation>{operation});
    Index const all = read_back(context, bounds.data() + candidate_count).value;
    for (Index first = 0, used = 0; first < candidate_count && used < all;) {
      Index const last = detail::end_of_stretch(context, bounds.data(), first, candidate_count);
      Index const end = last == candidate_count ? all : read_back(context, bounds.data() + last).value;
      Buffer<Interval> const scratch(context, end - used);
      auto const starts = count_and_scan<detail::RowCounts>(
          context, label, last - first,
          detail::WriteRow<RowOperation>{operation, first, bounds.data(), scratch.data()});
      auto const counts = read_back(context, starts.data() + (last - first));
      auto const arrays = result.make_room(counts, all - end);
      parallel_for(context, label + "_place", last - first,
                   detail::PlaceRow{candidate_keys, result.size(), first, bounds.data(), starts.data(), scratch.data(),
                                    arrays});
      result.add(counts);
      first = last;
      used = end;
    }
  } else {
    auto const starts = count_and_scan<detail::RowCounts>(context, label + "_count", candidate_count,
                                                          detail::CountRow<RowOperation>{operation});
    auto const counts = read_back(context, starts.data() + candidate_count);
    auto const arrays = result.make_room(counts, 0);
    parallel_for(context, label + "_fill", candidate_count,
                 detail::FillRow<RowOperation>{operation, candidate_keys, starts.data(), arrays});
    result.add(counts);
  }
  auto body = result.finish();
  return body == nullptr ? IntervalSet<Dim>() : detail::checked<Dim>(std::move(body));
}

}  // namespace sparse
