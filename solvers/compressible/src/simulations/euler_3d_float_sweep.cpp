#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SWEEP(, float, 3, sparse::compressible::Euler<float, 3>)
