#pragma once
/// Values for each side of a coarse cell, as linear interpolation needs them.

#include <sparse/base/compat.hpp>
#include <sparse/base/config.hpp>

namespace sparse::poisson::detail {

/// A value per cell and arm.
template <class T>
struct ArmValues {
  T* data = nullptr;  ///< none for constant interpolation
  Index stride = 0;
  KOKKOS_FORCEINLINE_FUNCTION T* of(int arm) const { return data + arm * stride; }
};

}  // namespace sparse::poisson::detail
