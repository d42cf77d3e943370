#include "bind_gas.hpp"

template void sparse::python::bind_gas<float, 2>(nanobind::module_&, char const*);
