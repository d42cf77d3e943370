#include "bind_flow.hpp"

template void sparse::python::bind_flow<double, 3>(nanobind::module_&, char const*);
