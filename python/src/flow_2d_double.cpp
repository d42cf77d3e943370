#include "bind_flow.hpp"

template void sparse::python::bind_flow<double, 2>(nanobind::module_&, char const*);
