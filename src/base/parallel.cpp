#include <sparse/base/parallel.hpp>

namespace sparse::detail {
namespace {

/// A template, so that compilers for devices do not compile a kernel that calls functions of the host.
template <bool is_host>
void run_on_threads(Context const& context, std::string const& label, RangeParts const& parts, RangeFunction range) {
  if constexpr (is_host)
    Kokkos::parallel_for(label, IndexPolicy(context.execution(), 0, parts.size()),
                         [=](Index part) { range(static_cast<int>(part), parts.begin(part), parts.begin(part + 1)); });
}

}  // namespace

RangeParts::RangeParts(Context const& context, Index count) : count_(count) {
  constexpr Index line = 64, least = 16 * line;  // a part of fewer indices begins anywhere
  Index const threads = context.execution().concurrency();
  Index const parts = count < 4 * least * threads ? threads : 4 * threads;
  step_ = std::max<Index>(1, (count + parts - 1) / parts);
  if (step_ >= least) step_ = (step_ + line - 1) / line * line;
}

void run_ranges(Context const& context, std::string const& label, RangeParts const& parts, RangeFunction range,
                Index limit) {
  if (is_done_at_once(parts.count(), limit)) {
    AnnouncedKernel const kernel(label);
    range(0, 0, parts.count());
  } else if (parts.count() > 0) {
    run_on_threads<is_host_backend>(context, label, parts, range);
  }
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
