#pragma once
/// What a solver on tiles does to whole vectors of values, and to the numbers of conjugate gradients.

#include "memory.hpp"
#include "scalars.hpp"

namespace sparse::poisson::detail {

template <class T>
struct ToTiles {
  std::int32_t const* positions;
  T const* from;
  T* to;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index cell) const {
    int const at = memory.at(positions, cell);
    memory.at(to, at) = static_cast<T>(memory.at(from, cell));
  }
};
template <class T>
struct FromTiles {
  std::int32_t const* positions;
  T const* from;
  T* to;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index cell) const {
    int const at = memory.at(positions, cell);
    memory.at(to, cell) = static_cast<T>(memory.at(from, at));
  }
};
/// x += alpha p
template <class T>
struct AddStep {
  T* x;
  T const* p;
  TiledScalars const* scalars;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    memory.at(x, i) += static_cast<T>(scalars->alpha) * static_cast<T>(memory.at(p, i));
  }
};
/// p = z + beta p with the last direction p
template <class T, class P>
struct NextTiledDirection {
  P const* z;
  T const* last;
  T* p;
  TiledScalars const* scalars;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    memory.at(p, i) =
        static_cast<T>(memory.at(z, i)) + static_cast<T>(scalars->beta) * static_cast<T>(memory.at(last, i));
  }
};
struct StartScalars {
  TiledScalars* scalars;
  double square_limit;
  bool is_first;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const&, Index) const {
    scalars->alpha = scalars->pq = 0;
    if (is_first) scalars->rz = scalars->beta = 0;
    scalars->square_limit = square_limit;
    scalars->is_done = scalars->step = 0;
  }
};
struct RestartHistory {
  TiledScalars* scalars;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const&, Index) const {
    scalars->step = 0;
  }
};

}  // namespace sparse::poisson::detail
