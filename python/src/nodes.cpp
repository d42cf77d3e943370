// The scheme that teaches: velocity and pressure at the same nodes.

#include <cmath>

#include <sparse/incompressible/method/collocated.hpp>
#include <sparse/shapes/shapes.hpp>

#include "field.hpp"
#include "in_use.hpp"

namespace sparse::python {
namespace {

using incompressible::Collocated;
using incompressible::CollocatedOptions;

/// A rectangle of nodes. _nodes.py makes the class NavierStokes of it.
template <class T>
struct Nodes {
  Nodes(int nx, int ny, double width, double height)
      : flow(with_kernels([&] {
          return Collocated<T>(box({0, 0}, {nx, ny}), {width / (nx - 1), height / (ny - 1)});
        })) {}

  /// Fixes the values of one component at the nodes where `values` is a number.
  void fix(int component, nb::handle values) {
    auto const bounds = flow.nodes().bounds();
    nb::object const array = numpy_array(values, "float64", {bounds.end[1], bounds.end[0]}, "the given values");
    auto const* const from = static_cast<double const*>(address_of(array));
    std::vector<std::uint8_t> marks(static_cast<std::size_t>(flow.nodes().cell_count()));
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = !std::isnan(from[i]);
    InUse const use(busy);
    with_kernels([&] {
      Field<T, 2> given("given", from_bitmap(bounds, marks));
      T* out = given.component(0);
      for (std::size_t i = 0; i < marks.size(); ++i)
        if (marks[i] != 0) *out++ = static_cast<T>(from[i]);
      if (given.cell_count() == 0) return;
      component == 0 ? flow.fix_u(given) : component == 1 ? flow.fix_v(given) : flow.fix_p(given);
    });
  }

  void set_options(nb::kwargs told) {
    CollocatedOptions options = flow.options();
    for (auto const& [key, value] : told) {
      std::string const name = text_of(key);
      if (name == "density")
        options.density = number(value, "density");
      else if (name == "viscosity")
        options.viscosity = number(value, "viscosity");
      else if (name == "time_step")
        options.time_step = number(value, "time_step");
      else if (name == "sweep_count")
        options.sweep_count = static_cast<int>(whole_number(value, "sweep_count"));
      else if (name == "stability_factor")
        options.stability_factor = number(value, "stability_factor");
      else
        options.allow_unstable = nb::cast<bool>(value);
    }
    flow.set_options(options);
  }

  void advance(nb::handle step_count) {
    long long const steps = whole_number(step_count, "step_count");
    InUse const use(busy);
    with_kernels([&] {
      try {
        flow.advance(steps);
      } catch (std::invalid_argument const&) {
        throw;
      } catch (std::runtime_error const& error) {
        throw FlowError(error.what());
      }
    });
  }

  /// (ny, nx) a copy of one component.
  nb::object values(int component) {
    InUse const use(busy);
    auto const field = with_kernels([&] { return component == 0 ? flow.u() : component == 1 ? flow.v() : flow.p(); });
    auto const end = flow.nodes().bounds().end;
    T* out = nullptr;
    nb::object const array = new_array<T>({static_cast<std::size_t>(end[1]), static_cast<std::size_t>(end[0])}, out);
    std::copy(field.component(0), field.component(0) + field.cell_count(), out);
    return array;
  }

  Collocated<T> flow;
  std::atomic<bool> busy = false;
  Alive alive;
};

template <class T>
void bind(nb::module_& m, char const* name) {
  using N = Nodes<T>;
  nb::class_<N> c(m, name);
  c.def(nb::init<int, int, double, double>());
  c.def("fix", &N::fix);
  c.def("set_options", &N::set_options);
  c.def("advance", &N::advance);
  c.def("values", &N::values);
  c.def_prop_ro("longest_step", [](N const& n) { return n.flow.longest_step(); });
  c.def_prop_ro("time", [](N const& n) { return n.flow.time(); });
  c.def_prop_ro("step_count", [](N const& n) { return n.flow.step_count(); });
}

}  // namespace

void bind_nodes(nb::module_& m) {
  bind<double>(m, "_Nodes_f8");
  bind<float>(m, "_Nodes_f4");
}

}  // namespace sparse::python
