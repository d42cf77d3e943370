#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SIMULATION(, sparse::compressible::WithTracer<sparse::compressible::Euler<double, 2>>)
