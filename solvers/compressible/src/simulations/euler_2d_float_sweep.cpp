#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SWEEP(, float, 2, sparse::compressible::Euler<float, 2>)
