#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SWEEP(, double, 3, sparse::compressible::Euler<double, 3>)
