/// Half-sweeps as passes of their own.

#include "cycle.hpp"
#include "sweeps.hpp"

namespace sparse::poisson::detail {

template <class P, int Dim>
template <class B>
void TiledCycle<P, Dim>::half_sweep(std::size_t l, B const* right, int colour) const {
  with_kernels(l, [&]<template <class, int> class Around, class Matrix>(Matrix const& matrix) {
    launcher_.tiles("sparse::poisson::tiled_half_sweep", tiles_of(l),
                    HalfSweep<B, P, Dim, Around, Matrix>{matrix, right, x_of(l), colour});
  });
}

template <class P, int Dim>
template <class B>
void TiledCycle<P, Dim>::first_sweeps(std::size_t l, B const* right) const {
  if (optimisations_.starts_from_zero)
    with_kernels(l, [&]<template <class, int> class Around, class Matrix>(Matrix const& matrix) {
      launcher_.tiles("sparse::poisson::tiled_first_sweep", tiles_of(l),
                      FirstSweep<B, P, Dim, Around, Matrix>{matrix, right, x_of(l)});
    });
  else
    launcher_.zero(x_of(l), levels_.tiled[l].tiles.value_count(), !optimisations_.memory_set);
  for (int half = optimisations_.starts_from_zero ? 2 : 0; half < 2 * sweeps_.count; ++half)
    half_sweep(l, right, half % 2);
}

template void TiledCycle<float, 2>::first_sweeps(std::size_t, float const*) const;
template void TiledCycle<float, 2>::half_sweep(std::size_t, float const*, int) const;
template void TiledCycle<float, 2>::first_sweeps(std::size_t, double const*) const;
template void TiledCycle<float, 2>::half_sweep(std::size_t, double const*, int) const;
template void TiledCycle<float, 3>::first_sweeps(std::size_t, float const*) const;
template void TiledCycle<float, 3>::half_sweep(std::size_t, float const*, int) const;
template void TiledCycle<float, 3>::first_sweeps(std::size_t, double const*) const;
template void TiledCycle<float, 3>::half_sweep(std::size_t, double const*, int) const;
template void TiledCycle<double, 2>::first_sweeps(std::size_t, double const*) const;
template void TiledCycle<double, 2>::half_sweep(std::size_t, double const*, int) const;
template void TiledCycle<double, 3>::first_sweeps(std::size_t, double const*) const;
template void TiledCycle<double, 3>::half_sweep(std::size_t, double const*, int) const;

}  // namespace sparse::poisson::detail
