#pragma once
/// Names of the numerical fluxes for gases.

namespace sparse::compressible {

/// The choice between `Rusanov`, `Hll` and `Hllc`: from the most diffusive to the sharpest.
enum class FluxKind { rusanov, hll, hllc };

}  // namespace sparse::compressible
