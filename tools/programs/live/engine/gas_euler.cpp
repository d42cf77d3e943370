#include <sparse/compressible/laws/euler.hpp>

#include "gas_flow.hpp"

template std::unique_ptr<sparse::live::LiveFlow>
sparse::live::make_gas_flow(app::GasCase const&, compressible::Euler<double, 2> const&, Bodies const&);
