#include "bind_flow.hpp"

template void sparse::python::bind_flow<float, 2>(nanobind::module_&, char const*);
