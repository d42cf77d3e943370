#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SWEEP(, double, 3, sparse::compressible::NavierStokes<double, 3>)
