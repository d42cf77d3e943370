#pragma once
/// Plans: lists of runs, the form in which kernels visit sparse sets at dense speed.
///
/// A run is a range of consecutive cells of one row. On it, every operand of a kernel lies at a constant memory offset
/// from the first operand. Plans are built once per set and rebuilt when it changes.

#include <limits>
#include <string>
#include <vector>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/sets/interval_set.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse {

/// The set `cells`, where the number of a cell is its position in the larger set `storage`.
template <int Dim>
class Embedding {
public:
  /// Cost: a search in storage for each interval; 8 bytes per interval.
  /// @throws std::invalid_argument  if a cell is not in storage
  Embedding(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage);
  /// The cells, numbered as in storage. The embedding must outlive it.
  SetView view() const;

private:
  IntervalSet<Dim> cells_;
  Buffer<Index> offsets_;
};

/// One operand of a plan. For each cell c it is the cell `scale * c + offset` of `set`.
struct Operand {
  /// The set, and how positions in it follow from a cell.
  SetView set;
  RowKey key_offset = 0;
  Coord x_offset = 0;
  Coord scale = 1;
};

/// The operand of `set` at `offset` cells from `scale` times each cell.
template <int Dim>
Operand operand(SetView const& set, Vec<Coord, Dim> const& offset = {}, Coord scale = 1) {
  return {set, row_key(offset), offset[0], scale};
}

/// Consecutive cells of a row, and the memory positions of the K operands of the first cell.
template <int K>
struct Run {
  /// The row, and the x of the first cell.
  RowKey key;
  Coord x;
  std::uint32_t present;  ///< bit k: operand k has these cells; otherwise `index[k]` is `index[0]`
  /// The position of the first cell in each operand.
  Index index[K];
};

/// One cell of a run, as kernels see it.
template <int Dim, int K>
struct RunPoint {
  /// The run that the cell belongs to.
  Run<K> const& run;
  Index step;  ///< position in the run

  /// Memory position of operand k. `operand` is for scale 1, `child_operand` for scale 2.
  KOKKOS_FORCEINLINE_FUNCTION Index operand(int k) const { return run.index[k] + step; }
  KOKKOS_FORCEINLINE_FUNCTION Index child_operand(int k) const { return run.index[k] + 2 * step; }
  /// Whether operand k has this cell, and its coordinates.
  KOKKOS_FORCEINLINE_FUNCTION bool has(int k) const { return (run.present >> k) & 1u; }
  KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> coordinates() const {
    return cell_at<Dim>(run.key, run.x + static_cast<Coord>(step));
  }
};

namespace detail {
/// Number of cells per task on the host. A task is long enough to pay for the search for its first run, and short
/// enough to share work evenly. On a device each cell has a thread, which searches its run among the runs of one chunk.
inline constexpr Index chunk_cells = has_many_threads ? 32 : 2048;
template <int K>
struct RunArrays;
}  // namespace detail

/// What kernels see of a plan.
template <int K>
struct PlanView {
  /// Arrays in device memory, and their lengths.
  Index const* starts;      // [run_count + 1] cells before each run
  Run<K> const* runs;       // [run_count]
  Index const* first_runs;  // [chunk_count + 1] the run of the first cell of each chunk, and the last run
  Index run_count, cell_count;
};

/// Runs over a set with K operands. The base of `Subset`, `Stencil` and the transfer plans.
template <int Dim, int K>
class Plan {
public:
  static_assert(K <= 32);
  /// Axes, and operands per cell.
  static constexpr int dimension = Dim;
  static constexpr int operand_count = K;
  /// What kernels get per cell.
  using Point = RunPoint<Dim, K>;

  /// The plan that visits nothing.
  Plan() = default;
  /// Runs over `cells`. Operand 0 must have all of them. Where another operand lacks a cell, operand 0 stands in.
  /// Cost: two passes over the intervals of all operands, and one read-back. Memory: 24 + 8 K bytes per run.
  /// @param required  bit k: operand k must have all cells, too
  /// @throws std::invalid_argument  if a required operand lacks a cell
  Plan(IntervalSet<Dim> const& cells, Operand const (&operands)[K], std::uint32_t required = 1);
  /// Visits the cells of all `parts`, one part after the other. Cost: a copy of their runs.
  explicit Plan(std::vector<Plan> const& parts);

  /// What the plan visits, where its memory lives, and its view for kernels. No cost.
  Index cell_count() const { return cell_count_; }
  Index run_count() const { return runs_.size(); }
  Context context() const { return context_ ? *context_ : Context(); }
  PlanView<K> view() const { return {starts_.data(), runs_.data(), first_runs_.data(), runs_.size(), cell_count_}; }

private:
  void reserve(Index run_count, Index cell_count);
  detail::RunArrays<K> arrays() const { return {starts_.data(), runs_.data(), first_runs_.data()}; }

  Buffer<Index> starts_;
  Buffer<Run<K>> runs_;
  Buffer<Index> first_runs_;
  Index cell_count_ = 0;
  std::shared_ptr<Context const> context_;
};

namespace detail {

struct RunCounts {
  Index runs = 0, cells = 0, lost = 0;  // lost: cells that a required operand lacks

  KOKKOS_FORCEINLINE_FUNCTION void add(RunCounts const& b) {
    runs += b.runs;
    cells += b.cells;
    lost += b.lost;
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(RunCounts volatile& a, RunCounts const volatile& b) {
    a.runs = a.runs + b.runs;
    a.cells = a.cells + b.cells;
    a.lost = a.lost + b.lost;
  }
};

/// Walks along a group of consecutive rows with one cursor per operand. Hands each run to `sink(run, length)`.
template <int K>
struct RunSweep {
  // An operand's row is found cheaply right after the row before it. A device needs one row per thread instead.
  static constexpr Index stretch_rows = has_many_threads ? 1 : 16;
  SetView cells;
  Operand operands[K];

  Index stretch_count() const { return (cells.row_count + stretch_rows - 1) / stretch_rows; }

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index c, Sink& sink) const {
    RowCursor rows[K];
    Index const end = (c + 1) * stretch_rows < cells.row_count ? (c + 1) * stretch_rows : cells.row_count;
    for (Index r = c * stretch_rows; r < end; ++r) sweep_row(r, rows, sink);
  }

  template <class Sink>
  KOKKOS_FORCEINLINE_FUNCTION void sweep_row(Index r, RowCursor (&rows)[K], Sink& sink) const {
    RowKey const key = cells.key(r);
    Index cursor[K], last[K];
    for (int k = 0; k < K; ++k) {
      SetView const& set = operands[k].set;
      RowKey const wanted = operands[k].scale * key + operands[k].key_offset;
      Index const found = rows[k].seek(set, wanted);
      bool const has_row = found < set.row_count && set.key(found) == wanted;
      cursor[k] = has_row ? set.row_ptr[found] : 0;
      last[k] = has_row ? set.row_ptr[found + 1] : 0;
    }
    Row const row = cells.row(r);
    for (Index i = 0; i < row.interval_count(); ++i)
      for (std::int64_t x = row[i].begin, end = row[i].end; x < end;) {
        std::int64_t stop = end;
        Run<K> run{key, static_cast<Coord>(x), 0, {}};
        for (int k = 0; k < K; ++k) {
          SetView const& set = operands[k].set;
          std::int64_t const scale = operands[k].scale, offset = operands[k].x_offset - set.x_shift;
          std::int64_t const place = scale * x + offset;
          while (cursor[k] < last[k] && set.intervals[cursor[k]].end <= place) ++cursor[k];
          run.index[k] = run.index[0];
          if (cursor[k] == last[k]) continue;
          Interval const interval = set.intervals[cursor[k]];
          bool const is_present = interval.begin <= place;
          if (is_present) {
            run.present |= 1u << k;
            run.index[k] = set.cell_offsets[cursor[k]] + (place - interval.begin);
          }
          std::int64_t const change = (is_present ? interval.end : interval.begin) - offset;
          std::int64_t const change_x = scale == 1 ? change : floor_half(change + 1);
          if (change_x < stop) stop = change_x;
        }
        sink(run, stop - x);
        x = stop;
      }
  }
};

template <int K>
struct CountRuns {
  RunSweep<K> sweep;
  std::uint32_t required;
  struct Sink {
    std::uint32_t required;
    RunCounts counts;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(Run<K> const& run, Index length) {
      counts.runs += 1;
      counts.cells += length;
      counts.lost += (run.present & required) == required ? 0 : length;
    }
  };
  KOKKOS_FUNCTION RunCounts operator()(Index c) const {
    Sink sink{required, {}};
    sweep(c, sink);
    return sink.counts;
  }
};

/// Chunks of a plan's cells.
inline constexpr Index chunk_count(Index cells) { return (cells + chunk_cells - 1) / chunk_cells; }

/// The arrays that a plan's runs are written to.
template <int K>
struct RunArrays {
  Index* starts;
  Run<K>* runs;
  Index* first_runs;

  /// Stores run r, which has the plan's cells from `start` to `end`.
  KOKKOS_FORCEINLINE_FUNCTION void store(Index r, Run<K> const& run, Index start, Index end) const {
    starts[r] = start;
    runs[r] = run;
    for (Index chunk = chunk_count(start); chunk * chunk_cells < end; ++chunk) first_runs[chunk] = r;
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(Index run_count, Index cell_count) const {
    starts[run_count] = cell_count;
    first_runs[chunk_count(cell_count)] = run_count - 1;
  }
};

template <int K>
struct FillRuns {
  RunSweep<K> sweep;
  RunCounts const* counts;
  Index stretch_count;
  RunArrays<K> out;
  struct Sink {
    RunArrays<K> out;
    Index run, cell;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(Run<K> const& value, Index length) {
      out.store(run++, value, cell, cell + length);
      cell += length;
    }
  };
  KOKKOS_FUNCTION void operator()(Index c) const {
    Sink sink{out, counts[c].runs, counts[c].cells};
    sweep(c, sink);
    if (c + 1 == stretch_count) out.finish(sink.run, sink.cell);
  }
};

/// Copies the runs of one plan behind runs that are already there.
template <int K>
struct AppendRuns {
  PlanView<K> from;
  Index runs_before, cells_before;
  RunArrays<K> out;
  KOKKOS_FUNCTION void operator()(Index r) const {
    out.store(runs_before + r, from.runs[r], cells_before + from.starts[r], cells_before + from.starts[r + 1]);
    if (r + 1 == from.run_count) out.finish(runs_before + from.run_count, cells_before + from.cell_count);
  }
};

}  // namespace detail

template <int Dim, int K>
void Plan<Dim, K>::reserve(Index run_count, Index cell_count) {
  starts_ = Buffer<Index>(*context_, run_count + 1);
  runs_ = Buffer<Run<K>>(*context_, run_count);
  first_runs_ = Buffer<Index>(*context_, detail::chunk_count(cell_count) + 1);
}

template <int Dim, int K>
Plan<Dim, K>::Plan(std::vector<Plan> const& parts) {
  Index run_count = 0, cell_count = 0, run = 0;
  for (auto const& part : parts) {
    run_count += part.run_count();
    cell_count += part.cell_count();
  }
  for (auto const& part : parts) {
    if (part.run_count() == 0) continue;
    if (run == 0) {
      context_ = part.context_;
      reserve(run_count, cell_count);
    }
    parallel_for(*context_, "sparse::plan::append", part.run_count(),
                 detail::AppendRuns<K>{part.view(), run, cell_count_, arrays()});
    run += part.run_count();
    cell_count_ += part.cell_count();
  }
}

template <int Dim, int K>
Plan<Dim, K>::Plan(IntervalSet<Dim> const& cells, Operand const (&operands)[K], std::uint32_t required)
    : context_(std::make_shared<Context const>(cells.context())) {
  if (cells.is_empty()) return;
  detail::RunSweep<K> sweep{cells.rows(), {}};
  for (int k = 0; k < K; ++k) sweep.operands[k] = operands[k];
  Index const stretch_count = sweep.stretch_count();
  auto const counts = count_and_scan<detail::RunCounts>(*context_, "sparse::plan::count", stretch_count,
                                                        detail::CountRuns<K>{sweep, required | 1u});
  auto const total = read_back(*context_, counts.data() + stretch_count);
  if (total.lost > 0)
    fail("plan: " + std::to_string(total.lost) + " of " + std::to_string(total.cells) +
         " cells are not in the storage they are to be visited in");
  reserve(total.runs, total.cells);
  cell_count_ = total.cells;
  parallel_for(*context_, "sparse::plan::fill", stretch_count,
               detail::FillRuns<K>{sweep, counts.data(), stretch_count, arrays()});
}

// Those that most programs need are compiled in the library: subsets, copies, stencils of faces, transfers.
extern template class Plan<2, 1>;
extern template class Plan<2, 2>;
extern template class Plan<2, 3>;
extern template class Plan<2, 5>;
extern template class Plan<2, 9>;
extern template class Plan<3, 1>;
extern template class Plan<3, 2>;
extern template class Plan<3, 3>;
extern template class Plan<3, 7>;
extern template class Plan<3, 9>;

}  // namespace sparse
