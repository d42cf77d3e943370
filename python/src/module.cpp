// The module sparsecells._core.

#include <stdexcept>
#include <string>

#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/language/expression.hpp>

#include "field.hpp"
#include "files.hpp"
#include "runtime.hpp"
#include "set.hpp"

namespace sparse::python {
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
}
