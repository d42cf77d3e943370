#include <sparse/compressible/fluxes/any_flux.hpp>

SPARSE_SIMULATION(, sparse::compressible::NavierStokes<double, 2>)
