#pragma once
/// Arrays of zeros.

#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {

/// value = 0, for loops over all values of a level.
template <class T>
struct Clear {
  T* values;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = 0; }
};

template <class T>
Buffer<T> zeros(Context const& context, Index count) {
  Buffer<T> buffer(context, count);
  parallel_for(context, "sparse::poisson::zeros", count, Clear<T>{buffer.data()});
  return buffer;
}

}  // namespace sparse::poisson::detail
