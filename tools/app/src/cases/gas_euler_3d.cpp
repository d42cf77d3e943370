#include "gas_run.hpp"

#include <sparse/compressible/laws/euler.hpp>

template void sparse::app::run_gas(GasCase const&, compressible::Euler<double, 3> const&, RunFolder&);
