// The module sparsecells._core.

#include <stdexcept>
#include <string>

#include <sparse/amr/simulation.hpp>
#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/language/expression.hpp>

#include "field.hpp"
#include "files.hpp"
#include "in_use.hpp"
#include "runtime.hpp"
#include "set.hpp"

namespace sparse::python {

template <class T, int Dim>
void bind_gas(nb::module_& m, char const* suffix);  // gas_2d_double.cpp and others
template <class T, int Dim>
void bind_flow(nb::module_& m, char const* suffix);  // flow_2d_double.cpp and others

namespace {

nb::object error_type(char const* name) { return nb::module_::import_("sparsecells._errors").attr(name); }

void translate(std::exception_ptr const& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (io::ExpressionError const& error) {
    nb::object const type = error_type("ExpressionError");
    PyErr_SetObject(type.ptr(), type(error.what(), error.reason(), error.begin(), error.end()).ptr());
  } catch (FileError const& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  } catch (amr::NonFiniteState const& error) {
    PyErr_SetString(error_type("NonFiniteState").ptr(), error.what());
  } catch (FlowError const& error) {
    PyErr_SetString(error_type("NonFiniteState").ptr(), error.what());
  } catch (std::invalid_argument const& error) {
    PyErr_SetString(PyExc_ValueError, io::reason_of(error).c_str());
  }
}

}  // namespace
}  // namespace sparse::python

NB_MODULE(_core, m) {
  using namespace sparse::python;
  nb::set_leak_warnings(false);  // globals may live until the process ends
  nb::register_exception_translator(translate);
  m.doc() = "What sparsecells is made of; use the module sparsecells.";
  bind_runtime(m);
  bind_set(m);
  bind_fuse(m);
  bind_shapes(m);
  bind_field(m);
  bind_poisson(m);
  bind_nodes(m);
  bind_gas<double, 2>(m, "f8_2d");
  bind_gas<double, 3>(m, "f8_3d");
  bind_gas<float, 2>(m, "f4_2d");
  bind_gas<float, 3>(m, "f4_3d");
  bind_flow<double, 2>(m, "f8_2d");
  bind_flow<double, 3>(m, "f8_3d");
  bind_flow<float, 2>(m, "f4_2d");
  bind_flow<float, 3>(m, "f4_3d");
}
