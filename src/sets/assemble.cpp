#include <sparse/sets/assemble.hpp>

#include <sparse/base/compat.hpp>

#include "place_part.hpp"
#include "range.hpp"

namespace sparse::detail {

Stretch stretch_from(Context const& context, Buffer<Count> const& bounds, Index first) {
  Index const count = bounds.size() - 1;
  if constexpr (has_many_threads) return {bounds.data(), first, count, count - first};

  constexpr Index intervals = Index{1} << 17, least_part = Index{1} << 11;
  context.fence();
  Count const* const bound = bounds.data();
  auto const* const beyond = std::partition_point(
      bound + first + 1, bound + count + 1, [&](Count const& b) { return b.value <= bound[first].value + intervals; });
  Index const last = std::max(first + 1, static_cast<Index>(beyond - bound) - 1);
  Index const parts = (bound[last].value - bound[first].value) / least_part;
  return {bound, first, last, std::clamp<Index>(parts, 1, compat::concurrency())};
}

namespace {

// A function of its own, since nvcc accepts no kernels in constructors.
void begin_rows(Context const& context, Index* row_ptr) {
  parallel_for(
      context, "sparse::assemble::first_row", 1, KOKKOS_LAMBDA(Index) { row_ptr[0] = 0; });
}

}  // namespace

void place_parts(Context const& context, std::string const& label, Stretch const& stretch, RowCounts const* starts,
                 RowCounts const& before, SetArrays const& from, SetArrays const& to) {
  parallel_for(context, label, stretch.part_count, PlacePart{stretch, starts, before, from, to});
}

GrowingSet::GrowingSet(Context const& context, Index candidate_count) : body_(std::make_shared<SetBody>()) {
  body_->context = context;
  body_->row_keys = Buffer<RowKey>(context, candidate_count);
  body_->row_ptr = Buffer<Index>(context, candidate_count + 1);
  begin_rows(context, body_->row_ptr.data());
}

SetArrays GrowingSet::reserve(Index more, Index hint) {
  Index const needed = size_.intervals + more;
  auto& intervals = body_->intervals;
  // Grows by at most an eighth of the result, so little memory is unused in the end.
  if (needed > intervals.size()) grow(body_->context, intervals, size_.intervals, needed + std::min(hint, needed / 8));
  return {body_->row_keys.data(), body_->row_ptr.data(), intervals.data()};
}

std::shared_ptr<SetBody const> GrowingSet::finish() {
  if (size_.intervals == 0) return nullptr;
  body_->row_keys.resize(size_.rows);
  body_->row_ptr.resize(size_.rows + 1);
  body_->intervals.resize(size_.intervals);
  body_->cell_count = size_.cells;
  return std::move(body_);
}

template <int Dim>
void expect_valid(Box<Dim> const& domain, char const* operation) {
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    if (domain.end[axis] < domain.begin[axis])
      fail(std::string(operation) + ": the end " + std::to_string(domain.end[axis]) + " on axis " +
           std::to_string(axis) + " lies before the begin " + std::to_string(domain.begin[axis]));
    begin[axis] = domain.begin[axis];
    end[axis] = domain.end[axis];
  }
  expect_in_range<Dim>(begin, end, operation);
}

template <int Dim>
Buffer<RowKey> keys_of(Context const& context, Box<Dim> const& domain) {
  Index const height = domain.end[1] - domain.begin[1];
  Index const depth = Dim == 3 ? domain.end[Dim - 1] - domain.begin[Dim - 1] : 1;
  Buffer<RowKey> keys(context, height * depth);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::assemble::row_keys", keys.size(), KOKKOS_LAMBDA(Index r) {
        Vec<Coord, Dim> cell = domain.begin;
        cell[1] += static_cast<Coord>(Dim == 3 ? r % height : r);
        if (Dim == 3) cell[Dim - 1] += static_cast<Coord>(r / height);
        out[r] = row_key(cell);
      });
  return keys;
}

template void expect_valid(Box<2> const&, char const*);
template void expect_valid(Box<3> const&, char const*);
template Buffer<RowKey> keys_of(Context const&, Box<2> const&);
template Buffer<RowKey> keys_of(Context const&, Box<3> const&);

}  // namespace sparse::detail
