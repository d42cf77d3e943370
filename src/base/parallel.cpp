#include <sparse/base/compat.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse::detail {

RangeParts::RangeParts(Context const&, Index count) : count_(count) {
  Index const threads = compat::concurrency(), line = 64, share = (count + threads - 1) / threads;
  step_ = share < 16 * line ? share : (share + line - 1) / line * line;
}

void run_ranges(Context const& context, std::string const& label, Index count, RangeFunction range, Index limit) {
  if (count == 0) return;
  RangeParts const parts(context, count);
  if (is_done_at_once(count, limit)) {
    AnnouncedKernel const kernel(label);
    range(0, 0, count);
    return;
  }
  Kokkos::parallel_for(label, IndexPolicy(context.execution(), 0, parts.size()),
                       [=](Index part) { range(static_cast<int>(part), parts.begin(part), parts.begin(part + 1)); });
}

Buffer<Index> select_counted(Context const& context, Buffer<Count> const& places) {
  Count const* const place = places.data();
  Index const count = places.size() - 1;
  Buffer<Index> chosen(context, read_back(context, place + count).value);
  Index* const out = chosen.data();
  parallel_for(
      context, "sparse::parallel::select", count, KOKKOS_LAMBDA(Index i) {
        if (place[i].value != place[i + 1].value) out[place[i].value] = i;
      });
  return chosen;
}

}  // namespace sparse::detail
