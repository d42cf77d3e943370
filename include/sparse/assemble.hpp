#pragma once
/// Count, scan, fill: how every set is made.
///
/// A row operation is a struct with `operator()(Index r, Emit& emit)` that emits the intervals of candidate row r in
/// increasing order of `begin`. It runs twice: once to count, once to write; empty rows vanish in between.

#include <algorithm>

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
  Index* cell_offset;
  Index next_offset;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Interval value) {
    *interval++ = value;
    *cell_offset++ = next_offset;
    next_offset += Index{value.end} - value.begin;
  }
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
  Index candidate_count;
  RowKey* row_keys;
  Index* row_ptr;
  Interval* intervals;
  Index* cell_offsets;
  KOKKOS_FUNCTION void operator()(Index r) const {
    RowCounts const start = starts[r];
    if (r + 1 == candidate_count) row_ptr[starts[r + 1].rows] = starts[r + 1].intervals;
    if (starts[r + 1].rows == start.rows) return;
    row_keys[start.rows] = candidate_keys[r];
    row_ptr[start.rows] = start.intervals;
    Emitter<FillSink> emit(FillSink{intervals + start.intervals, cell_offsets + start.intervals, start.cells});
    operation(r, emit);
    emit.finish();
  }
};

/// Passes a result on; debug builds check its invariants first.
template <int Dim>
IntervalSet<Dim> checked(IntervalSet<Dim> set) {
#if defined(SPARSE_VALIDATE)
  validate(set);
#endif
  return set;
}

}  // namespace detail

/// The set whose row `candidate_keys[r]` holds what `operation(r, emit)` emits.
///
/// @param candidate_keys  increasing, on the device, in `context`
/// @param label           names the kernels: `sparse::<topic>::<step>`
/// Cost: two runs of the operation, one scan over the candidates, one read-back of three numbers.
template <int Dim, class RowOperation>
IntervalSet<Dim> assemble(Context const& context, std::string const& label, RowKey const* candidate_keys,
                          Index candidate_count, RowOperation const& operation) {
  if (candidate_count == 0) return {};
  auto const counts = count_and_scan<detail::RowCounts>(context, label + "_count", candidate_count,
                                                        detail::CountRow<RowOperation>{operation});
  auto const total = read_back(context, counts.data() + candidate_count);
  if (total.intervals == 0) return {};

  auto body = std::make_shared<detail::SetBody>();
  body->context = context;
  body->row_keys = Buffer<RowKey>(context, total.rows);
  body->row_ptr = Buffer<Index>(context, total.rows + 1);
  body->intervals = Buffer<Interval>(context, total.intervals);
  body->cell_offsets = Buffer<Index>(context, total.intervals);
  body->cell_count = total.cells;
  parallel_for(context, label + "_fill", candidate_count,
               detail::FillRow<RowOperation>{operation, candidate_keys, counts.data(), candidate_count,
                                             body->row_keys.data(), body->row_ptr.data(), body->intervals.data(),
                                             body->cell_offsets.data()});
  return detail::checked(IntervalSet<Dim>(std::move(body)));
}

}  // namespace sparse
