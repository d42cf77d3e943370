#pragma once
/// Binds `Gas` for a type and a dimension.

#include <limits>

#include <nanobind/stl/shared_ptr.h>

#include "gas.hpp"

namespace sparse::python {
namespace detail {

template <class T, int Dim>
int visit_functions(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    for (nb::object const& function : nb::inst_ptr<Gas<T, Dim>>(self)->functions()) Py_VISIT(function.ptr());
  return 0;
}

template <class T, int Dim>
int clear_functions(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<Gas<T, Dim>>(self)->functions().clear();
  return 0;
}

template <class T, int Dim>
struct GasBinding {
  using G = Gas<T, Dim>;
  using Flow = typename G::Flow;
  using Law = typename G::Law;
  static constexpr int N = G::N;

  static int level_of(G const& gas, nb::handle level) {
    long long const l = whole_number(level, "level: number");
    if (l < 0 || l >= gas.flow().level_count())
      throw nb::index_error(("there are " + std::to_string(gas.flow().level_count()) + " levels now").c_str());
    return static_cast<int>(l);
  }

  static nb::dict saved(G& gas) {
    InUse const use(gas.busy());
    auto state = with_kernels([&] { return gas.flow().save(); });
    nb::list states;
    for (auto& field : state.states) states.append(nb::cast(AnyField(std::move(field))));
    nb::dict told;
    told["time"] = state.time;
    told["step_count"] = state.step_count;
    told["repeated_step_count"] = state.repeated_step_count;
    told["update_count"] = state.update_count;
    told["rate"] = static_cast<double>(state.rate);
    told["states"] = states;
    return told;
  }

  static nb::tuple force(G& gas, nb::handle body, nb::handle about) {
    InUse const use(gas.busy());
    int const i = static_cast<int>(whole_number(body, "force: body"));
    auto const center = to_vec<double, Dim>(point(about, Dim, "force: about"));
    auto const on_body = with_kernels([&] { return amr::force_on_body(gas.flow(), i, center); });
    nb::list force, moment;
    for (double const f : on_body.force.data) force.append(f);
    for (double const m : on_body.moment.data) moment.append(m);
    return nb::make_tuple(nb::tuple(force), nb::tuple(moment));
  }

  static nb::object primitive_at(G& gas, nb::handle points) {
    nb::object const list = numpy_array(points, "float64", {-1, Dim}, "the points");
    auto const* const from = static_cast<double const*>(address_of(list));
    std::vector<Vec<double, Dim>> places(length_of(list));
    for (std::size_t i = 0; i < places.size(); ++i)
      for (int axis = 0; axis < Dim; ++axis) places[i][axis] = from[Dim * i + static_cast<std::size_t>(axis)];
    InUse const use(gas.busy());
    auto const found = with_kernels([&] { return amr::primitive_at(gas.flow(), places); });
    double* out = nullptr;
    nb::object const array = new_array<double>({N, found.size()}, out);
    for (std::size_t i = 0; i < found.size(); ++i)
      for (int c = 0; c < N; ++c) out[static_cast<std::size_t>(c) * found.size() + i] = found[i][c];
    return array;
  }

  static nb::object plot(G& gas, std::string const& array, nb::kwargs options) {
    auto const render = render_options(options);
    using Fields = app::GasFields<Law>;
    InUse const use(gas.busy());
    auto const image = with_kernels([&] {
      auto const levels = amr::snapshot(gas.flow(), Fields{gas.flow().flux().law}, Fields::arrays());
      return io::render<Dim>(gas.flow().domain().grid(0), levels, array, render);
    });
    return picture_of(image);
  }

  static nb::tuple extrema(G& gas) {
    InUse const use(gas.busy());
    auto const found = with_kernels([&] { return amr::extrema(gas.flow()); });
    nb::list least, greatest;
    for (int c = 0; c < N; ++c) {
      least.append(static_cast<double>(found.least[c]));
      greatest.append(static_cast<double>(found.greatest[c]));
    }
    return nb::make_tuple(nb::tuple(least), nb::tuple(greatest));
  }

  static void save(G& gas, nb::handle path, std::string const& fingerprint) {
    auto const file = path_of(path);
    InUse const use(gas.busy());
    with_files([&] { amr::write_checkpoint(file, gas.flow().save(), fingerprint); });
  }
};

}  // namespace detail

template <class T, int Dim>
void bind_gas(nb::module_& m, char const* suffix) {
  using B = detail::GasBinding<T, Dim>;
  using G = Gas<T, Dim>;
  using Seen = SeenLevel<typename G::Law>;
  using Lent = LentState<T, Dim>;
  auto const name = [&](char const* kind) { return std::string("_") + kind + "_" + suffix; };
  static std::string const names[] = {name("Seen"), name("Lent"), name("Gas")};

  nb::class_<Seen> seen(m, names[0].c_str());
  seen.def_prop_ro("number", [](Seen const& s) { return s.open().level; });
  seen.def_prop_ro("time", [](Seen const& s) { return s.open().time; });
  seen.def_prop_ro("cells", [](Seen const& s) { return Set(s.open().cells); });
  seen.def_prop_ro("leaves",
                   [](Seen const& s) { return with_kernels([&] { return Set(s.open().cells - s.open().covered); }); });
  seen.def("positions", [](Seen const& s) { return positions_of(s.open().cells, s.open().origin, s.open().spacing); });
  seen.def_prop_ro("spacing", [](Seen const& s) {
    nb::list spacing;
    for (double const h : s.open().spacing.data) spacing.append(h);
    return nb::tuple(spacing);
  });
  seen.def("primitive", [](Seen const& s, std::string const& array, int first, int count) {
    auto const& view = s.open();
    return with_kernels(
        [&] { return AnyField(primitive_on(view.law, view.state, view.cells, view.storage, array, first, count)); });
  });

  nb::class_<Lent> lent(m, names[1].c_str());
  lent.def_prop_ro("domain", [](Lent const& s) { return s.storage; });
  lent.def_prop_ro("is_current", &Lent::is_current);
  lent.def_prop_ro("values", [](nb::handle_t<Lent> self) {
    Lent const& s = nb::cast<Lent const&>(self);
    return values_array(s.view, s.storage.cell_count(), G::N, self);
  });

  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(detail::visit_functions<T, Dim>)},
                                {Py_tp_clear, reinterpret_cast<void*>(detail::clear_functions<T, Dim>)},
                                {0, nullptr}};
  nb::class_<G> c(m, names[2].c_str(), nb::type_slots(slots));
  c.def(nb::init<nb::dict>());
  c.def("advance", &G::advance, nb::arg("max_dt") = std::numeric_limits<double>::infinity());
  c.def("regrid", &G::regrid);
  c.def("add_change", &G::add_change);
  c.def_prop_ro("time", [](G const& g) { return g.flow().time(); });
  c.def_prop_ro("next_step", [](G const& g) { return g.flow().next_step(); });
  c.def_prop_ro("step_count", [](G const& g) { return g.flow().step_count(); });
  c.def_prop_ro("repeated_step_count", [](G const& g) { return g.flow().repeated_step_count(); });
  c.def_prop_ro("update_count", [](G const& g) { return g.flow().update_count(); });
  c.def_prop_ro("level_count", [](G const& g) { return g.flow().level_count(); });
  c.def_prop_ro("leaf_count", [](G const& g) { return g.flow().leaf_count(); });
  c.def("totals", [](G& g) {
    InUse const use(g.busy());
    auto const sums = with_kernels([&] { return g.flow().totals(); });
    nb::list all;
    for (double const sum : sums.data) all.append(sum);
    return nb::tuple(all);
  });
  c.def("extrema", B::extrema);
  c.def("force", B::force);
  c.def("primitive_at", B::primitive_at);
  c.def("plot", B::plot);
  c.def("saved", B::saved);
  c.def("save", B::save);
  c.def("spacing", [](G const& g, nb::handle level) {
    nb::list spacing;
    for (double const h : g.flow().domain().spacing(B::level_of(g, level)).data) spacing.append(h);
    return nb::tuple(spacing);
  });
  c.def("cells", [](G const& g, nb::handle level) { return Set(g.flow().sets(B::level_of(g, level)).cells); });
  c.def("leaves", [](G const& g, nb::handle level) { return Set(g.flow().sets(B::level_of(g, level)).leaves); });
  c.def("solid", [](G const& g) {
    return with_kernels([&] { return Set(g.flow().domain().solid(g.flow().domain().level_count() - 1)); });
  });
  c.def("positions", [](G const& g, nb::handle level) {
    int const l = B::level_of(g, level);
    auto const grid = g.flow().domain().grid(l);
    return positions_of(g.flow().sets(l).cells, grid.origin, grid.spacing);
  });
  c.def("primitive", [](G& g, nb::handle level, std::string const& array, int first, int count) {
    int const l = B::level_of(g, level);
    InUse const use(g.busy());
    return with_kernels([&] {
      g.flow().synchronise();
      auto const& sets = g.flow().sets(l);
      return AnyField(
          primitive_on(g.flow().flux().law, g.state_view(l), sets.cells, sets.storage, array, first, count));
    });
  });
  c.def("state", [](G& g, nb::handle level) {
    int const l = B::level_of(g, level);
    InUse const use(g.busy());
    return with_kernels([&] {
      g.flow().synchronise();
      auto& state = g.flow().edit_state(l);
      return Lent{state.memory(), state.view(), Set(state.domain()), g.link(), l};
    });
  });
}

}  // namespace sparse::python
