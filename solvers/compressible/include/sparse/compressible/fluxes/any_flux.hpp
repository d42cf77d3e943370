#pragma once
/// A numerical flux that is chosen when the program runs.

#include <sparse/compressible/fluxes/hll.hpp>
#include <sparse/compressible/fluxes/hllc.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>

namespace sparse::compressible {

enum class FluxKind { rusanov, hll, hllc };

/// One of the fluxes for gases. `visit` hands the flux itself to whoever has a whole loop to run with it.
template <class ConservationLaw>
struct AnyFlux {
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  Law law;
  FluxKind kind = FluxKind::hllc;

  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Body const& body) const {
    switch (kind) {
    case FluxKind::rusanov:
      body(Rusanov<Law>{law});
      break;
    case FluxKind::hll:
      body(Hll<Law>{law});
      break;
    case FluxKind::hllc:
      body(Hllc<Law>{law});
      break;
    }
  }
  KOKKOS_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    State flux{};
    visit([&](auto const& chosen) { flux = chosen(left, right, axis); });
    return flux;
  }
};

}  // namespace sparse::compressible
