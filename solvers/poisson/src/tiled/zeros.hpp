#pragma once
/// Arrays of zeros, for the places of tiles that are no cells.

#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {

template <class T>
struct ClearValues {
  T* values;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = 0; }
};

template <class T>
Buffer<T> zeros(Context const& context, Index count) {
  Buffer<T> buffer(context, count);
  parallel_for(context, "sparse::poisson::tiled_zeros", count, ClearValues<T>{buffer.data()});
  return buffer;
}

}  // namespace sparse::poisson::detail
