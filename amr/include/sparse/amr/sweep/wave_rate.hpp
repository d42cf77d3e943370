#pragma once
/// How fast waves and diffusion cross cells. This bounds the time step.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <sparse/amr/law.hpp>

namespace sparse::amr {

/// Floating-point numbers >= 0 as integers in the same order, with NaN above infinity. Their maximum keeps a NaN and
/// needs no branch, so it vectorises.
template <class T>
using OrderedBits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// Whether a law has fluxes that depend on gradients: `diffusive_flux(w, gradients, axis)` of the conserved variables,
/// and `diffusivity(w)` [length^2 / time].
template <class Law>
inline constexpr bool is_diffusive = requires(Law const& law, typename Law::State const& w) {
  law.diffusivity(w);
};

/// The wave rate of a primitive state [1/s]: the sum over the axes of wave speed / width + 2 diffusivity / width^2. It
/// is returned as an integer that orders NaN last. It is NaN if the law calls the state impossible. (The speed of sound
/// alone does not show this: it is a number if density and pressure are both negative.)
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION OrderedBits<typename Law::Scalar>
wave_rate_bits(Law const& law, typename Law::State const& w,
               Vec<typename Law::Scalar, Law::dimension> const& inverse_spacing) {
  using T = typename Law::Scalar;
  T rate = 0;
  SPARSE_UNROLL
  for (int axis = 0; axis < Law::dimension; ++axis) {
    rate += law.max_speed(w, axis) * inverse_spacing[axis];
    if constexpr (is_diffusive<Law>) rate += 2 * law.diffusivity(w) * inverse_spacing[axis] * inverse_spacing[axis];
  }
  rate = law.is_admissible(w) ? rate : std::numeric_limits<T>::quiet_NaN();
  return std::bit_cast<OrderedBits<T>>(rate) & std::numeric_limits<OrderedBits<T>>::max();
}

}  // namespace sparse::amr
