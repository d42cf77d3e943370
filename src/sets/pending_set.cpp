#include <sparse/sets/pending_set.hpp>

#include <limits>
#include <stdexcept>

#include <sparse/sets/assemble.hpp>

#include "boolean_row.hpp"
#include "place_part.hpp"

namespace sparse {
namespace detail {

/// The size of a set that has been computed, or the size it would need.
struct PendingSize {
  RowCounts needed;
  bool is_lost;  ///< true if it, or an operand of it, did not fit
};

struct PendingBody {
  Context context;
  SetCapacity capacity;
  Buffer<RowKey> row_keys;
  Buffer<Index> row_ptr;
  Buffer<Interval> intervals;
  Buffer<PendingSize> size;
  std::shared_ptr<SetBody const> set;  ///< set once somebody has waited for it
  bool is_there = false;
  std::mutex mutex;
};

namespace {

/// Checks whether a result fits.
template <int K>
struct Measure {
  RowCounts const* total;
  PendingSize const* operands[K];
  SetCapacity capacity;
  PendingSize* size;
  Index* row_ptr;
  KOKKOS_FUNCTION void operator()(Index) const {
    bool is_lost = total->rows > capacity.rows || total->intervals > capacity.intervals;
    for (PendingSize const* operand : operands) is_lost = is_lost || (operand != nullptr && operand->is_lost);
    *size = {*total, is_lost};
    row_ptr[0] = 0;
  }
};

/// Moves a row to its place, if the result fits.
struct PlaceIfFits {
  PendingSize const* size;
  PlacePart place;
  KOKKOS_FUNCTION void operator()(Index part) const {
    if (!size->is_lost) place(part);
  }
};

/// The rows behind the last one: without intervals, and with keys that no other row has.
struct PadRow {
  PendingSize const* size;
  SetCapacity capacity;
  SetArrays arrays;
  KOKKOS_FUNCTION void operator()(Index r) const {
    if (!size->is_lost && r < size->needed.rows) return;
    arrays.row_keys[r] = std::numeric_limits<RowKey>::max() - capacity.rows + r;
    arrays.row_ptr[r + 1] = size->is_lost ? 0 : size->needed.intervals;
  }
};

}  // namespace

template <int Dim, int K>
PendingSet<Dim> combine_within(SetCapacity const& capacity, std::array<PendingSet<Dim>, K> const& operands,
                               TruthTable table) {
  Context const context = operands[0].context();
  auto body = std::make_shared<PendingBody>();
  body->context = context;
  body->capacity = capacity;
  body->row_keys = Buffer<RowKey>(context, capacity.rows);
  body->row_ptr = Buffer<Index>(context, capacity.rows + 1);
  body->intervals = Buffer<Interval>(context, capacity.intervals);
  body->size = Buffer<PendingSize>(context, 1);
  SetArrays const arrays{body->row_keys.data(), body->row_ptr.data(), body->intervals.data()};

  Sets<K> sets;
  for (int k = 0; k < K; ++k) sets.view[k] = operands[k].rows();
  RowMatch<K> const match = merge_rows(context, sets, can_hold_in_rows<K>(table));
  BooleanRow<K> const operation(sets, match, table);
  auto const bounds =
      count_and_scan<Count>(context, "sparse::pending_set::bound", match.count, BoundRow<BooleanRow<K>>{operation});
  Buffer<RowKey> const keys(context, match.count);
  Buffer<Index> const row_ptr(context, match.count);
  Buffer<Interval> const intervals(context, operation.capacity());
  SetArrays const scratch{keys.data(), row_ptr.data(), intervals.data()};
  Stretch const rows{bounds.data(), 0, match.count, match.count};
  auto const starts =
      count_and_scan<RowCounts>(context, "sparse::pending_set::combine", match.count,
                                WritePart<BooleanRow<K>>{operation, match.keys.data(), rows, scratch, {}});

  PendingSize* const size = body->size.data();
  Measure<K> measure{starts.data() + match.count, {}, capacity, size, arrays.row_ptr};
  for (int k = 0; k < K; ++k)
    measure.operands[k] = operands[k].body() != nullptr ? operands[k].body()->size.data() : nullptr;
  parallel_for(context, "sparse::pending_set::measure", 1, measure);
  parallel_for(context, "sparse::pending_set::place", match.count,
               PlaceIfFits{size, {rows, starts.data(), {}, scratch, arrays}});
  parallel_for(context, "sparse::pending_set::pad", capacity.rows, PadRow{size, capacity, arrays});
  return PendingSet<Dim>(std::move(body));
}

}  // namespace detail

template <int Dim>
Context PendingSet<Dim>::context() const {
  return body_ ? body_->context : set_.context();
}

template <int Dim>
SetView PendingSet<Dim>::rows() const {
  if (!body_) return set_.rows();
  std::lock_guard const lock(body_->mutex);
  if (body_->is_there) return IntervalSet<Dim>(body_->set).rows();
  return {body_->row_keys.data(),
          body_->row_ptr.data(),
          body_->intervals.data(),
          nullptr,
          body_->capacity.rows,
          body_->capacity.intervals,
          0};
}

template <int Dim>
IntervalSet<Dim> PendingSet<Dim>::get() const {
  if (!body_) return set_;
  auto& body = *body_;
  std::lock_guard const lock(body.mutex);
  if (!body.is_there) {
    auto const size = read_back(body.context, static_cast<detail::PendingSize const*>(body.size.data()));
    if (size.is_lost)
      throw std::length_error("set algebra: " + std::to_string(size.needed.rows) + " rows and " +
                              std::to_string(size.needed.intervals) +
                              " intervals, or those of an operand, do not fit "
                              "into " +
                              std::to_string(body.capacity.rows) + " and " + std::to_string(body.capacity.intervals));
    if (size.needed.rows > 0) {
      body.row_keys.resize(size.needed.rows);
      body.row_ptr.resize(size.needed.rows + 1);
      body.intervals.resize(size.needed.intervals);
      auto set = std::make_shared<detail::SetBody>();
      set->context = body.context;
      set->row_keys = body.row_keys;
      set->row_ptr = body.row_ptr;
      set->intervals = body.intervals;
      set->cell_count = size.needed.cells;
      body.set = std::move(set);
    }
    body.is_there = true;
  }
  return body.set == nullptr ? IntervalSet<Dim>() : detail::checked<Dim>(body.set);
}

#define SPARSE_INSTANTIATE_COMBINE(Dim, K)                                                                             \
  template PendingSet<Dim> detail::combine_within<Dim, K>(SetCapacity const&, std::array<PendingSet<Dim>, K> const&,   \
                                                          detail::TruthTable);
#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class PendingSet<Dim>;                                                                                      \
  SPARSE_INSTANTIATE_COMBINE(Dim, 2)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 3)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 4)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 5)                                                                                   \
  SPARSE_INSTANTIATE_COMBINE(Dim, 6)
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
