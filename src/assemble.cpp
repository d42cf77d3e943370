#include <sparse/assemble.hpp>

namespace sparse::detail {

Index end_of_stretch(Context const& context, Count const* bounds, Index first, Index count) {
  if constexpr (!is_host_backend) return count;
  context.fence();
  Index const limit = bounds[first].value + stretch_intervals;
  auto const* const beyond =
      std::partition_point(bounds + first + 1, bounds + count + 1, [&](Count const& b) { return b.value <= limit; });
  return std::max(first + 1, static_cast<Index>(beyond - bounds) - 1);
}

GrowingSet::GrowingSet(Context const& context, Index candidate_count) : body_(std::make_shared<SetBody>()) {
  body_->context = context;
  body_->row_keys = Buffer<RowKey>(context, candidate_count);
  body_->row_ptr = Buffer<Index>(context, candidate_count + 1);
}

SetArrays GrowingSet::make_room(RowCounts const& more, Index hint) {
  Index const needed = size_.intervals + more.intervals;
  auto& intervals = body_->intervals;
  if (needed > intervals.size()) {
    // The first stretch foretells the others; later guesses are small, so that little is unused in the end.
    Index const slack = std::min(hint, needed / 8);
    grow(body_->context, intervals, size_.intervals, needed + slack);
  }
  return {body_->row_keys.data(), body_->row_ptr.data(), intervals.data()};
}

std::shared_ptr<SetBody const> GrowingSet::finish() {
  if (size_.intervals == 0) return nullptr;
  body_->row_keys.resize(size_.rows);
  body_->row_ptr.resize(size_.rows + 1);
  if (size_.intervals < body_->intervals.size()) body_->intervals.resize(size_.intervals);
  body_->cell_count = size_.cells;
  return std::move(body_);
}

}  // namespace sparse::detail
