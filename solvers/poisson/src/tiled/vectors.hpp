#pragma once
/// What a solver on tiles does to whole vectors of values, and to the numbers of conjugate gradients.

#include "kernels.hpp"
#include "operator/zeros.hpp"

namespace sparse::poisson::detail {

template <class T>
struct ToTiles {
  std::int32_t const* positions;
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(Index cell) const { to[positions[cell]] = from[cell]; }
};
template <class T>
struct FromTiles {
  std::int32_t const* positions;
  T const* from;
  T* to;
  KOKKOS_FUNCTION void operator()(Index cell) const { to[cell] = from[positions[cell]]; }
};
template <class T>
struct AddStep {
  T* x;
  T const* p;
  TiledScalars const* scalars;
  KOKKOS_FUNCTION void operator()(Index i) const { x[i] += static_cast<T>(scalars->alpha) * p[i]; }
};
struct StartScalars {
  TiledScalars* scalars;
  double square_limit;
  bool is_first;
  KOKKOS_FUNCTION void operator()(Index) const {
    scalars->alpha = scalars->pq = 0;
    if (is_first) scalars->rz = scalars->beta = 0;
    scalars->square_limit = square_limit;
    scalars->is_done = scalars->step = 0;
  }
};
struct RestartHistory {
  TiledScalars* scalars;
  KOKKOS_FUNCTION void operator()(Index) const { scalars->step = 0; }
};

}  // namespace sparse::poisson::detail
