#pragma once
/// Binds `Flow` for a type and a dimension.

#include <cstring>

#include <nanobind/stl/vector.h>

#include "flow.hpp"

namespace sparse::python {
namespace detail {

/// The speed in colours, on noise that the flow stretches to streaks. White where no fluid is.
template <class T>
io::Image streaks(incompressible::StaggeredGrid<2> const& grid, Field<T, 2> const& velocity, int size, int frames) {
  auto const bounds = grid.fluid().bounds();
  Vec<double, 2> lower, length;
  for (int a = 0; a < 2; ++a) {
    lower[a] = grid.space().origin[a] + bounds.begin[a] * grid.spacing()[a];
    length[a] = (bounds.end[a] - bounds.begin[a]) * grid.spacing()[a];
  }
  double const pixel = std::max(length[0], length[1]) / size;
  int const width = std::max(1, static_cast<int>(std::lround(length[0] / pixel))),
            height = std::max(1, static_cast<int>(std::lround(length[1] / pixel)));
  std::vector<Vec<double, 2>> points;
  std::vector<std::size_t> place;
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i) {
      Vec<double, 2> const x{lower[0] + (i + 0.5) * length[0] / width, lower[1] + (j + 0.5) * length[1] / height};
      if (grid.fluid().view().find(grid.space().cell_of(x)) < 0) continue;
      points.push_back(x);
      place.push_back(static_cast<std::size_t>(j) * static_cast<std::size_t>(width) + static_cast<std::size_t>(i));
    }
  auto const found = incompressible::sample_velocity(grid, velocity, points);
  double fastest = 0;
  for (auto const& v : found)
    fastest = std::max(fastest, std::hypot(static_cast<double>(v[0]), static_cast<double>(v[1])));
  float const nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<Vec<float, 2>> moves(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                                   Vec<float, 2>{nan, nan});
  double const step = fastest > 0 ? 2 / fastest : 0;
  for (std::size_t k = 0; k < found.size(); ++k)
    moves[place[k]] = {static_cast<float>(step * static_cast<double>(found[k][0])),
                       static_cast<float>(step * static_cast<double>(found[k][1]))};
  incompressible::FlowTexture texture(width, height);
  texture.advance(moves, frames);
  auto const grain = texture.values();
  io::Image image(width, height, {255, 255, 255});
  for (std::size_t k = 0; k < found.size(); ++k) {
    double const speed = std::hypot(static_cast<double>(found[k][0]), static_cast<double>(found[k][1]));
    io::Colour colour = io::colour_of(io::ColourMap::viridis, fastest > 0 ? speed / fastest : 0);
    double const light = std::clamp(0.4 + 1.2 * static_cast<double>(grain[place[k]]), 0.0, 1.6);
    for (auto& part : colour) part = static_cast<std::uint8_t>(std::clamp(std::lround(light * part), 0L, 255L));
    auto const row = static_cast<int>(place[k] / static_cast<std::size_t>(width)),
               column = static_cast<int>(place[k] % static_cast<std::size_t>(width));
    image.at(column, height - 1 - row) = colour;
  }
  return image;
}

template <class T, int Dim>
Field<T, Dim> measured(Flow<T, Dim>& flow, std::string const& name) {
  if (name == "velocity") return incompressible::cell_velocity(flow.grid(), flow.state().velocity);
  if (name == "vorticity") return incompressible::vorticity(flow.grid(), flow.state().velocity);
  if (name == "pressure") return clone(flow.state().pressure);
  return incompressible::on_fluid(flow.grid(), flow.carried(name));
}

}  // namespace detail

template <class T, int Dim>
void bind_flow(nb::module_& m, char const* suffix) {
  using F = Flow<T, Dim>;
  static std::string const name = std::string("_Flow_") + suffix;
  nb::class_<F> c(m, name.c_str());
  c.def(nb::init<nb::dict>());
  c.def("advance", [](F& f, double longest, double size) {
    auto const [dt, report] = f.advance(longest, size);
    return nb::make_tuple(dt, nb::cast(report));
  });
  c.def("greatest_change", [](F& f) {
    InUse const use(f.busy());
    return f.greatest_change();
  });
  c.def("set_velocity", [](F& f, nb::handle function) {
    InUse const use(f.busy());
    f.set_velocity(function);
  });
  c.def("set_carried", &F::set_carried);
  c.def_prop_ro("time", [](F& f) { return f.state().time; });
  c.def_prop_ro("step_count", [](F& f) { return f.state().step_count; });
  c.def("field", [](F& f, std::string const& wanted) {
    InUse const use(f.busy());
    return with_kernels([&] {
      auto field = detail::measured(f, wanted);
      Field<T, Dim> named(wanted, field.domain(), field.component_count());
      for (int component = 0; component < field.component_count(); ++component)
        std::copy(field.component(component), field.component(component) + field.cell_count(),
                  named.component(component));
      return AnyField(std::move(named));
    });
  });
  c.def("velocity_at", [](F& f, nb::handle points) {
    nb::object const list = numpy_array(points, "float64", {-1, Dim}, "velocity_at: points");
    auto const* const from = static_cast<double const*>(address_of(list));
    std::vector<Vec<double, Dim>> places(length_of(list));
    for (std::size_t i = 0; i < places.size(); ++i)
      for (int axis = 0; axis < Dim; ++axis) places[i][axis] = from[Dim * i + static_cast<std::size_t>(axis)];
    InUse const use(f.busy());
    auto const found =
        with_kernels([&] { return incompressible::sample_velocity(f.grid(), f.state().velocity, places); });
    T* out = nullptr;
    nb::object const array = new_array<T>({found.size(), Dim}, out);
    for (auto const& v : found)
      for (int axis = 0; axis < Dim; ++axis) *out++ = v[axis];
    return array;
  });
  c.def("force", [](F& f, Set const& body) {
    auto const& solid = body.in<Dim>("force: body");
    InUse const use(f.busy());
    auto const force = with_kernels([&] {
      return incompressible::BodyForces<Dim>(f.grid(), solid)(f.state().velocity, f.state().pressure, f.viscosity(),
                                                              f.acceleration());
    });
    nb::list parts;
    for (auto const& part : {force.pressure, force.viscous, force.carried}) {
      nb::list along;
      for (double const value : part.data) along.append(value);
      parts.append(nb::tuple(along));
    }
    return nb::tuple(parts);
  });
  c.def("plot", [](F& f, std::string const& wanted, nb::kwargs options) {
    auto const render = render_options(options);
    InUse const use(f.busy());
    auto const image = with_kernels([&] {
      if constexpr (Dim == 2) {
        if (wanted == "streaks") return detail::streaks(f.grid(), f.state().velocity, render.size, 60);
      }
      auto const field = detail::measured(f, wanted);
      io::LevelCells<Dim> level{0, field.domain().to_host(), {}, {}};
      level.arrays.push_back(io::array_of(field, wanted));
      return io::render<Dim>(f.grid().space(), {level}, wanted, render);
    });
    return picture_of(image);
  });
  c.def("saved", &F::saved);
  if constexpr (Dim == 2) {
    c.def("stream_function", [](F& f) {
      InUse const use(f.busy());
      nb::list extrema;
      AnyField psi =
          with_kernels([&] { return AnyField(incompressible::stream_function(f.grid(), f.state().velocity)); });
      auto const& field = std::get<Field<double, 2>>(psi.any);
      auto const found = with_kernels([&] { return incompressible::stream_extrema(f.grid(), field); });
      for (auto const& [value, at] : {found.least, found.greatest})
        extrema.append(nb::make_tuple(value, nb::make_tuple(at[0], at[1])));
      nb::object const of = nb::cast(std::move(psi));
      return nb::make_tuple(of, nb::object(extrema[0]), nb::object(extrema[1]));
    });
  }
}

}  // namespace sparse::python
