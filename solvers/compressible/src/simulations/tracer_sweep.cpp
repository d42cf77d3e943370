#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SWEEP(, double, 2, sparse::compressible::WithTracer<sparse::compressible::Euler<double, 2>>)
