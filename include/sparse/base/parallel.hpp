#pragma once
/// The parallel primitives that everything else is made of: loops, reductions, scans, selection, sorting.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include <sparse/base/buffer.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#endif

namespace sparse {

/// Groups the kernels started during its life under one name in profilers.
class ProfilingRegion {
public:
  /// Begins a region with this name. It ends with the object.
  explicit ProfilingRegion(std::string const& name) { Kokkos::Profiling::pushRegion(name); }
  ~ProfilingRegion() { Kokkos::Profiling::popRegion(); }
  ProfilingRegion(ProfilingRegion const&) = delete;
  ProfilingRegion& operator=(ProfilingRegion const&) = delete;
};

/// A range of indices for kernels.
using IndexPolicy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

namespace detail {

/// True when the calling thread makes all `count` calls itself. Waking other threads costs as much as `limit` calls,
/// and levels have many sets of only a few hundred cells.
inline bool is_done_at_once(Index count, Index limit) {
  return is_host_backend && std::is_same_v<ExecutionSpace, Kokkos::DefaultHostExecutionSpace> && count > 0 &&
         count <= limit;
}
constexpr Index light_loop_limit = 4096;  // for bodies of few instructions

/// Tells profilers of a loop that Kokkos does not see.
class AnnouncedKernel {
public:
  explicit AnnouncedKernel(std::string const& label) { Kokkos::Tools::beginParallelFor(label, 0, &id_); }
  ~AnnouncedKernel() { Kokkos::Tools::endParallelFor(id_); }
  AnnouncedKernel(AnnouncedKernel const&) = delete;
  AnnouncedKernel& operator=(AnnouncedKernel const&) = delete;

private:
  std::uint64_t id_ = 0;
};

/// What a thread does for the indices [begin, end), which are part number `part` of a loop. It forgets its type and
/// does not own its function. Kokkos compiles the body of a loop once for every way to start it; so it is compiled
/// once.
class RangeFunction {
public:
  template <class Function>
  explicit RangeFunction(Function const& function) : function_(&function), call_(&call<Function>) {}
  void operator()(int part, Index begin, Index end) const { call_(function_, part, begin, end); }

private:
  template <class Function>
  static void call(void const* function, int part, Index begin, Index end) {
    (*static_cast<Function const*>(function))(part, begin, end);
  }
  void const* function_;
  void (*call_)(void const*, int, Index, Index);
};

/// The parts of a loop over `count` indices: some for each thread, since work may differ along the loop. Those of long
/// loops begin at multiples of 64, so that no two threads write to the same line of the cache.
class RangeParts {
public:
  RangeParts(Context const& context, Index count);
  /// How many there are, and where one begins. The last one ends at begin(size()).
  int size() const { return static_cast<int>((count_ + step_ - 1) / step_); }
  Index begin(Index part) const { return std::min(part * step_, count_); }
  Index count() const { return count_; }

private:
  Index count_, step_;
};

/// Calls `range` for all parts on the host, and waits. Up to `limit` indices are left to the calling thread, as part 0.
void run_ranges(Context const& context, std::string const& label, RangeParts const& parts, RangeFunction range,
                Index limit = 1);

}  // namespace detail

/// Calls `body(i)` for 0 <= i < count, in any order. `label` reads `sparse::<topic>::<step>`. Does not wait.
template <class Body>
void parallel_for(Context const& context, std::string const& label, Index count, Body const& body) {
  if constexpr (is_host_backend) {
    auto const range = [&body](int, Index begin, Index end) {
      Body const own = body;  // nothing else refers to it, so what it holds stays in registers
      for (Index i = begin; i < end; ++i) own(i);
    };
    detail::run_ranges(context, label, {context, count}, detail::RangeFunction(range));
  } else if (count > 0) {
    Kokkos::parallel_for(label, IndexPolicy(context.execution(), 0, count), body);
  }
}

namespace detail {

/// Reduces `body(i, partial)` over 0 <= i < count on the host. `init` and `join` of the reducer make and join partial
/// values, in the order of the indices.
template <class T, class Reducer, class Body>
T reduce_ranges(Context const& context, std::string const& label, Index count, Reducer const& reducer,
                Body const& body) {
  T value;
  reducer.init(value);
  if (count == 0) return value;
  RangeParts const parts(context, count);
  auto const partials = std::make_unique<T[]>(static_cast<std::size_t>(parts.size()));
  auto const range = [&](int part, Index begin, Index end) {
    Body const own = body;
    T partial;
    reducer.init(partial);
    for (Index i = begin; i < end; ++i) own(i, partial);
    partials[part] = partial;
  };
  run_ranges(context, label, parts, RangeFunction(range));
  value = partials[0];
  for (int part = 1; part < parts.size(); ++part) reducer.join(value, partials[part]);
  return value;
}

/// The same on any backend, with a body that is the reducer, too; waits for the value.
template <class T, class Body>
T reduce_by_itself(Context const& context, std::string const& label, Index count, Body const& body) {
  T value;
  if constexpr (is_host_backend) {
    value = reduce_ranges<T>(context, label, count, body, body);
  } else {
    body.init(value);
    if (count > 0) Kokkos::parallel_reduce(label, IndexPolicy(context.execution(), 0, count), body, value);
  }
  context.fence();
  return value;
}

}  // namespace detail

/// Reduces `body(i, partial)` over 0 <= i < count with a Kokkos reducer such as `Kokkos::Sum`; waits for the value.
template <template <class...> class Reducer, class T, class Body>
T parallel_reduce(Context const& context, std::string const& label, Index count, Body const& body) {
  T value = Kokkos::reduction_identity<T>::sum();
  Reducer<T> const reducer(value);
  if constexpr (is_host_backend) {
    value = detail::reduce_ranges<T>(context, label, count, reducer, body);
  } else {
    reducer.init(value);
    if (count > 0) Kokkos::parallel_reduce(label, IndexPolicy(context.execution(), 0, count), body, reducer);
  }
  context.fence();
  return value;
}

/// A number that `exclusive_scan` can add up.
struct Count {
  /// The sum so far.
  Index value = 0;
  /// Adds another count. `add_volatile` is for Kokkos before 4.0.
  KOKKOS_FORCEINLINE_FUNCTION void add(Count const& b) { value += b.value; }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(Count volatile& a, Count const volatile& b) {
    a.value = a.value + b.value;
  }
};

namespace detail {

#if defined(KOKKOS_ENABLE_CUDA)
/// Calls `step(scratch, bytes)`, a device-wide function of CUB, twice: first to learn the size of its scratch memory,
/// then with that much memory from the arena.
template <class Step>
void with_scratch(Context const& context, Step const& step) {
  auto const check = [](cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(std::string("CUB: ") + cudaGetErrorString(error));
  };
  std::size_t bytes = 0;
  check(step(nullptr, bytes));
  Buffer<unsigned char> const scratch(context, static_cast<Index>(bytes) + 1);
  check(step(scratch.data(), bytes));
}

struct Less {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

struct Add {
  template <class T>
  KOKKOS_FUNCTION T operator()(T sum, T const& part) const {
    sum.add(part);
    return sum;
  }
};
#endif

template <class T>
struct ExclusiveScan {
  using value_type = T;
  T* values;
  Index count;

  KOKKOS_FUNCTION void init(T& value) const { value = T{}; }
  KOKKOS_FUNCTION void join(T& sum, T const& part) const { sum.add(part); }
  // Kokkos 3 joins volatile partial sums.
  KOKKOS_FUNCTION void join(T volatile& sum, T const volatile& part) const { T::add_volatile(sum, part); }
  KOKKOS_FUNCTION void operator()(Index i, T& partial, bool is_final) const {
    T const value = i < count ? values[i] : T{};
    if (is_final) values[i] = partial;
    partial.add(value);
  }
};

template <class Counts, class Count>
struct StoreCounts {
  Count count;
  Counts* counts;
  KOKKOS_FUNCTION void operator()(Index i) const { counts[i] = count(i); }
};

}  // namespace detail

/// Replaces `values[i]` by the sum of the entries before it. `values` has `count + 1` entries. The last one becomes the
/// total; its old content is ignored. T has `add(T)` and `add_volatile(T volatile&, T const volatile&)`.
/// Cost: one pass over the entries, on the host a second one; nothing is read back.
template <class T>
void exclusive_scan(Context const& context, std::string const& label, T* values, Index count) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!is_host_backend) {
    detail::AnnouncedKernel const kernel(label);
    detail::with_scratch(context, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(scratch, bytes, values, values, detail::Add{}, T{}, count + 1,
                                            context.execution().cuda_stream());
    });
    return;
  }
#endif
  detail::ExclusiveScan<T> const scan{values, count};
  if (detail::is_done_at_once(count + 1, detail::light_loop_limit)) {
    detail::AnnouncedKernel const kernel(label);
    T sum{};
    for (Index i = 0; i <= count; ++i) scan(i, sum, true);
  } else {
    Kokkos::parallel_scan(label, IndexPolicy(context.execution(), 0, count + 1), scan);
  }
}

/// Calls `count(i)`, which returns a `Counts`, for 0 <= i < n. Returns the exclusive sums: n + 1 entries, the last one
/// being the total. This is the first half of the pattern count, scan, fill.
/// @param is_light  whether `count` takes only a few instructions; then few calls run without a kernel
template <class Counts, class Count>
Buffer<Counts> count_and_scan(Context const& context, std::string const& label, Index n, Count const& count,
                              bool is_light = false) {
  Buffer<Counts> starts(context, n + 1);
  if constexpr (is_host_backend) {
    auto const range = [&count, counts = starts.data()](int, Index begin, Index end) {
      Count const own = count;
      for (Index i = begin; i < end; ++i) counts[i] = own(i);
    };
    detail::run_ranges(context, label, {context, n}, detail::RangeFunction(range),
                       is_light ? detail::light_loop_limit : 1);
  } else {
    parallel_for(context, label, n, detail::StoreCounts<Counts, Count>{count, starts.data()});
  }
  exclusive_scan(context, "sparse::parallel::scan", starts.data(), n);
  return starts;
}

namespace detail {

/// Counts 1 for each wanted index. So the exclusive sums are positions in the output.
template <class IsWanted>
struct CountWanted {
  IsWanted is_wanted;
  KOKKOS_FUNCTION Count operator()(Index i) const { return {is_wanted(i) ? 1 : 0}; }
};

/// The indices whose place differs from the next one's.
Buffer<Index> select_counted(Context const& context, Buffer<Count> const& places);

}  // namespace detail

/// The indices i in [0, count) with `is_wanted(i)`, in increasing order. `is_wanted` is a device function.
/// Cost: on the host `is_wanted` is called once per index and 8 bytes per index are borrowed; one number read back.
template <class IsWanted>
Buffer<Index> select_indices(Context const& context, std::string const& label, Index count, IsWanted const& is_wanted) {
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!is_host_backend) {
    if (count == 0) return {};
    detail::AnnouncedKernel const kernel(label);
    Buffer<Index> chosen(context, count);
    Buffer<Index> const total(context, 1);
    detail::with_scratch(context, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceSelect::If(scratch, bytes, thrust::counting_iterator<Index>(0), chosen.data(), total.data(),
                                   count, is_wanted, context.execution().cuda_stream());
    });
    Index const left = read_back(context, static_cast<Index const*>(total.data()));
    if (left == 0) return {};
    chosen.resize(left);
    return chosen;
  }
#endif
  return detail::select_counted(
      context, count_and_scan<Count>(context, label, count, detail::CountWanted<IsWanted>{is_wanted}, true));
}

/// Sorts `values`; equivalent values keep their order.
/// Cost: one fence. On the host the sort is serial, and linear when the values are already in order.
template <class T, class Less>
void stable_sort(Context const& context, T* values, Index count, Less const& less) {
  if (count == 0) return;
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!is_host_backend) {
    detail::with_scratch(context, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceMergeSort::StableSortKeys(scratch, bytes, values, count, less,
                                                  context.execution().cuda_stream());
    });
    return;
  }
#endif
  context.fence();
  detail::AnnouncedKernel const kernel("sparse::parallel::sort");
  if (!std::is_sorted(values, values + count, less)) std::stable_sort(values, values + count, less);
}

/// Sorts `values`, drops repetitions and returns the number of values left.
/// Cost: one fence. On the host the sort is serial, and linear when the values are already in order.
template <class T>
Index sort_unique(Context const& context, T* values, Index count) {
  if (count == 0) return 0;
#if defined(KOKKOS_ENABLE_CUDA)
  if constexpr (!is_host_backend) {
    auto const stream = context.execution().cuda_stream();
    Buffer<T> const sorted(context, count);
    Buffer<Index> const left(context, 1);
    detail::with_scratch(context, [&](void* scratch, std::size_t& bytes) {
      if constexpr (std::is_integral_v<T>)
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, values, sorted.data(), count, 0, 8 * sizeof(T), stream);
      else
        return cub::DeviceMergeSort::SortKeysCopy(scratch, bytes, values, sorted.data(), count, detail::Less{}, stream);
    });
    detail::with_scratch(context, [&](void* scratch, std::size_t& bytes) {
      return cub::DeviceSelect::Unique(scratch, bytes, sorted.data(), values, left.data(), count, stream);
    });
    return read_back(context, static_cast<Index const*>(left.data()));
  }
#endif
  context.fence();
  detail::AnnouncedKernel const kernel("sparse::parallel::sort");
  if (!std::is_sorted(values, values + count)) std::sort(values, values + count);
  return std::unique(values, values + count) - values;
}

}  // namespace sparse
