#pragma once
/// Names of the numerical fluxes for gases.

namespace sparse::compressible {

enum class FluxKind { rusanov, hll, hllc };

}  // namespace sparse::compressible
