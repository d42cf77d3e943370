#pragma once
/// What changes across a face.

#include <sparse/base/vec.hpp>

namespace sparse::compressible {

/// Conserved variables on the right of a face minus those on the left, of primitive states; a law without
/// `conserved` has only one kind of variables.
template <class Law>
KOKKOS_FORCEINLINE_FUNCTION typename Law::State conserved_jump(Law const& law, typename Law::State const& left,
                                                               typename Law::State const& right) {
  if constexpr (requires { law.conserved(left); })
    return law.conserved(right) - law.conserved(left);
  else
    return right - left;
}

}  // namespace sparse::compressible
