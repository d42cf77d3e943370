#include "bind_flow.hpp"

template void sparse::python::bind_flow<float, 3>(nanobind::module_&, char const*);
