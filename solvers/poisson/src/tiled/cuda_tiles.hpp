#pragma once
/// Native CUDA kernels on tiles, with a block of threads for each tile. The steps of an iteration become a graph.

#include <cub/block/block_reduce.cuh>

#include <stdexcept>
#include <string>
#include <utility>

#include <sparse/base/context.hpp>

#include "block.hpp"

// Kernels are compiled for the host, too, where CudaBlock has no functions. Nobody calls them there.
#pragma nv_diag_suppress 20011
#pragma nv_diag_suppress 20014

namespace sparse::poisson::detail {

inline void expect_cuda(cudaError_t error, char const* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("poisson: ") + what + ": " + cudaGetErrorString(error));
}

template <int threads>
struct CudaBlock : PlainMemory {
  template <class Body>
  __device__ __forceinline__ void each(int count, Body const& body) const {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) body(i);
    __syncthreads();
  }
  template <class Body>
  __device__ __forceinline__ double each_sum(int count, Body const& body) const {
    double sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) sum += body(i);
    __syncthreads();
    return sum;
  }
  __device__ __forceinline__ double total(double part) const {
    using Reduce = cub::BlockReduce<double, threads>;
    __shared__ typename Reduce::TempStorage storage;
    __syncthreads();
    return Reduce(storage).Sum(part);
  }
  __device__ __forceinline__ bool is_first() const { return threadIdx.x == 0; }
};

/// Threads of a block for a tile: one for each cell in 2D, for every other one in 3D. The second bound keeps
/// registers at 64 and thus 1024 threads on a multiprocessor.
template <int Dim>
inline constexpr int tile_threads = Dim == 2 ? 64 : 256;
inline constexpr int single_block_threads = 1024;

template <int threads, class Kernel>
__global__ void __launch_bounds__(threads, 1024 / threads) run_tiles(Kernel const kernel) {
  __shared__ typename Kernel::Shared shared;
  kernel(CudaBlock<threads>{}, shared, static_cast<int>(blockIdx.x));
}

template <class Body>
__global__ void __launch_bounds__(256) run_each(Body const body, Index count) {
  Index const i = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x;
  if (i < count) body(PlainMemory{}, i);
}

template <class T>
struct ClearOnDevice {
  T* values;
  KOKKOS_FUNCTION void operator()(PlainMemory const&, Index i) const { values[i] = 0; }
};

/// Starts kernels on the context's stream.
template <int Dim>
class CudaTiles {
public:
  /// @param counts  If it is given, launches are counted, and graphs are not used.
  explicit CudaTiles(Context const& context, std::shared_ptr<TileCounts> counts = {})
      : context_(context), counts_(std::move(counts)) {
    stream_ = context.execution().cuda_stream();
    // A context may have the default stream, which cannot be captured.
    expect_cuda(cudaStreamCreateWithFlags(&capture_, cudaStreamNonBlocking), "no stream");
  }
  ~CudaTiles() {
    for (auto* graph : graphs_)
      if (graph != nullptr) cudaGraphExecDestroy(graph);
    cudaStreamDestroy(capture_);
  }
  CudaTiles(CudaTiles const&) = delete;
  CudaTiles& operator=(CudaTiles const&) = delete;

  template <class Kernel>
  void tiles(char const* label, Index count, Kernel const& kernel) const {
    if (count == 0) return;
    note(label);
    constexpr int threads = tile_threads<Dim>;
    run_tiles<threads, Kernel><<<static_cast<unsigned>(count), threads, 0, stream_>>>(kernel);
    expect_cuda(cudaGetLastError(), label);
  }
  template <class Kernel>
  void block(char const* label, Kernel const& kernel) const {
    note(label);
    run_tiles<single_block_threads, Kernel><<<1, single_block_threads, 0, stream_>>>(kernel);
    expect_cuda(cudaGetLastError(), label);
  }
  template <class Body>
  void each(char const* label, Index count, Body const& body) const {
    if (count == 0) return;
    note(label);
    run_each<Body><<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream_>>>(body, count);
    expect_cuda(cudaGetLastError(), label);
  }

  /// Sets values to 0, by a kernel or without one.
  template <class T>
  void zero(T* values, Index count, bool by_kernel) const {
    char const* const label = "sparse::poisson::tiled_zeros";
    if (by_kernel) {
      each(label, count, ClearOnDevice<T>{values});
      return;
    }
    if (counts_ != nullptr) ++counts_->kernels[label].memory_sets;
    expect_cuda(cudaMemsetAsync(values, 0, static_cast<std::size_t>(count) * sizeof(T), stream_), label);
  }

  /// Does what `step` starts, which must be the same at each call with the same number. The very first call starts it
  /// directly, because kernels should not be loaded during a capture; later calls run a graph.
  template <class Step>
  void repeat(int number, Step const& step) {
    if (!are_kernels_loaded_ || counts_ != nullptr) {
      step();
      are_kernels_loaded_ = true;
      return;
    }
    if (graphs_[number] == nullptr) graphs_[number] = captured(step);
    expect_cuda(cudaGraphLaunch(graphs_[number], stream_), "an iteration does not start");
  }

private:
  void note(char const* label) const {
    if (counts_ != nullptr) ++counts_->kernels[label].launches;
  }
  template <class Step>
  cudaGraphExec_t captured(Step const& step) {
    cudaStream_t const own = std::exchange(stream_, capture_);
    expect_cuda(cudaStreamBeginCapture(capture_, cudaStreamCaptureModeThreadLocal), "no capture");
    cudaGraph_t graph = nullptr;
    try {
      step();
    } catch (...) {
      cudaStreamEndCapture(capture_, &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      stream_ = own;
      throw;
    }
    stream_ = own;
    expect_cuda(cudaStreamEndCapture(capture_, &graph), "no graph of an iteration");
    cudaGraphExec_t executable = nullptr;
    cudaError_t const error = cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphDestroy(graph);
    expect_cuda(error, "no executable graph of an iteration");
    return executable;
  }

  Context context_;
  std::shared_ptr<TileCounts> counts_;
  cudaStream_t stream_ = nullptr, capture_ = nullptr;
  cudaGraphExec_t graphs_[2] = {};
  bool are_kernels_loaded_ = false;
};

}  // namespace sparse::poisson::detail
