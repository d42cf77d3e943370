#include "gas_run.hpp"

#include <sparse/compressible/laws/navier_stokes.hpp>

template void sparse::app::run_gas(GasCase const&, compressible::NavierStokes<double, 3> const&, RunFolder&);
