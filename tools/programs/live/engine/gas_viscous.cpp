#include <sparse/compressible/laws/navier_stokes.hpp>

#include "gas_flow.hpp"

template std::unique_ptr<sparse::live::LiveFlow>
sparse::live::make_gas_flow(app::GasCase const&, compressible::NavierStokes<double, 2> const&, Bodies const&);
