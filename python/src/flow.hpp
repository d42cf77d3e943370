#pragma once
/// An incompressible flow for Python: one template for both types and dimensions. _incompressible.py makes a class of
/// it.

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/measure/stream_function.hpp>
#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/incompressible/picture/flow_texture.hpp>
#include <sparse/io/levels/field_array.hpp>

#include "field.hpp"
#include "in_use.hpp"
#include "pictures.hpp"

namespace sparse::python {

/// Centres of the faces normal to `axis`, (n, Dim); with axis -1, of cells.
template <int Dim>
nb::object middles_of(IntervalSet<Dim> const& set, Grid<Dim> const& grid, int axis) {
  double* out = nullptr;
  auto const n = static_cast<std::size_t>(set.cell_count());
  nb::object const array = new_array<double>({n, Dim}, out);
  SetView const view = set.rows();
  for (Index r = 0; r < view.row_count; ++r)
    for (Index i = view.row_ptr[r]; i < view.row_ptr[r + 1]; ++i) {
      auto at = cell_at<Dim>(view.row_keys[r], view.intervals[i].begin);
      for (; at[0] < view.intervals[i].end; ++at[0])
        for (int a = 0; a < Dim; ++a) *out++ = grid.origin[a] + (at[a] + (a == axis ? 0.0 : 0.5)) * grid.spacing[a];
    }
  return array;
}

/// (n,) or one value: what a function gave for n points.
inline std::vector<double> values_of(nb::handle given, std::size_t n, char const* what) {
  nb::object const numpy = nb::module_::import_("numpy");
  nb::object array = numpy.attr("asarray")(given, nb::arg("dtype") = "float64");
  try {
    array = numpy.attr("ascontiguousarray")(numpy.attr("broadcast_to")(array, nb::make_tuple(n)));
  } catch (nb::python_error&) {
    throw std::invalid_argument(std::string(what) + " must return one value or " + std::to_string(n) +
                                " values, not the shape " + text_of(array.attr("shape")));
  }
  auto const* const from = static_cast<double const*>(address_of(array));
  return std::vector<double>(from, from + n);
}

template <int Dim>
nb::object call_at(nb::handle function, nb::handle positions) {
  nb::object const columns = positions.attr("T");
  nb::list arguments;
  for (int axis = 0; axis < Dim; ++axis) arguments.append(nb::object(columns[axis]));
  return nb::borrow(function)(*nb::tuple(arguments));
}

template <class T, int Dim>
class Flow {
public:
  using State = incompressible::State<T, Dim>;
  using Method = std::variant<incompressible::Smac<T, Dim>, incompressible::SemiLagrangian<T, Dim>,
                              incompressible::LeapfrogFlowMap<T, Dim>>;

  /// What `_incompressible.py` passes.
  explicit Flow(nb::dict told) {
    auto domain = domain_of(told);
    std::vector<std::string> names;
    for (nb::handle const name : nb::cast<nb::list>(told["carried"])) names.push_back(text_of(name));
    with_kernels([&] { grid_.emplace(domain); });
    make_method(told);
    with_kernels([&] { state_.emplace(*grid_, names); });
    nb::object const initial = told["initial"], saved = told["saved"];
    if (!saved.is_none())
      restore(nb::cast<nb::dict>(saved));
    else if (!initial.is_none())
      set_velocity(initial);
  }
  Flow(Flow const&) = delete;
  Flow& operator=(Flow const&) = delete;

  std::atomic<bool>& busy() { return busy_; }
  incompressible::StaggeredGrid<Dim> const& grid() const { return *grid_; }
  State& state() { return *state_; }
  double viscosity() const { return viscosity_; }
  Vec<double, Dim> const& acceleration() const { return acceleration_; }

  /// A step of at most `longest`; `size` is a safety factor or a number of cells, as the method takes it.
  std::pair<double, poisson::Report> advance(double longest, double size) {
    InUse const use(busy_);
    return with_kernels([&] {
      return std::visit(
          [&](auto& method) {
            double const dt = std::min(longest, method.longest_step(*state_, size));
            if (!std::isfinite(dt))
              throw std::invalid_argument("nothing moves and nothing limits the step; give dt or until");
            try {
              auto const report = method.advance(*state_, dt);
              return std::pair<double, poisson::Report>(dt, report);
            } catch (std::invalid_argument const&) {
              throw;
            } catch (std::runtime_error const& error) {
              throw FlowError(error.what());
            }
          },
          *method_);
    });
  }

  double greatest_change() {
    auto const* const smac = std::get_if<incompressible::Smac<T, Dim>>(&*method_);
    if (smac == nullptr) throw std::invalid_argument("only the method \"smac\" knows how much a step changed");
    return with_kernels([&] { return smac->greatest_change(*state_); });
  }

  /// The velocity at all faces from `function(x, y) -> (u, v)`; then without divergence.
  void set_velocity(nb::handle function) {
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& faces = grid_->faces(axis);
      auto const n = static_cast<std::size_t>(faces.cell_count());
      nb::object const all = call_at<Dim>(function, middles_of(faces, grid_->space(), axis));
      if (nb::len(all) != static_cast<std::size_t>(Dim))
        throw std::invalid_argument("the initial velocity must return " + std::to_string(Dim) + " components");
      put(faces, values_of(nb::object(all[axis]), n, "the initial velocity"), state_->velocity, axis);
    }
    with_kernels([&] {
      grid_->set_boundary(state_->velocity);
      std::visit([&](auto& method) { method.project(*state_); }, *method_);
    });
  }

  Field<T, Dim>& carried(std::string const& name) {
    for (auto& field : state_->carried)
      if (field.name() == name) return field;
    throw std::invalid_argument("there is no ink named \"" + name + "\"");
  }

  void set_carried(std::string const& name, nb::handle values) {
    auto const n = static_cast<std::size_t>(grid_->fluid().cell_count());
    put(grid_->fluid(), values_of(values, n, "the ink"), carried(name), 0);
  }

  nb::dict saved() {
    InUse const use(busy_);
    nb::dict told, fields, numbers;
    auto const copy = [&](Field<T, Dim> const& field) {
      return nb::cast(with_kernels([&] { return AnyField(clone(field)); }));
    };
    auto memory = with_kernels([&] { return std::visit([](auto& method) { return method.memory(); }, *method_); });
    for (auto& [name, field] : memory.fields) fields[name.c_str()] = copy(field);
    for (auto const& [name, number] : memory.numbers) numbers[name.c_str()] = number;
    nb::list carried;
    for (auto const& field : state_->carried) carried.append(copy(field));
    told["velocity"] = copy(state_->velocity);
    told["pressure"] = copy(state_->pressure);
    told["carried"] = carried;
    told["fields"] = fields;
    told["numbers"] = numbers;
    told["time"] = state_->time;
    told["step_count"] = state_->step_count;
    return told;
  }

private:
  /// Writes values on a set into a component of a field that contains it.
  static void put(IntervalSet<Dim> const& set, std::vector<double> const& values, Field<T, Dim>& field, int component) {
    T* const out = field.component(component);
    SetView const view = set.rows(), storage = field.domain().view();
    std::size_t k = 0;
    for (Index r = 0; r < view.row_count; ++r)
      for (Index i = view.row_ptr[r]; i < view.row_ptr[r + 1]; ++i) {
        auto at = cell_at<Dim>(view.row_keys[r], view.intervals[i].begin);
        for (; at[0] < view.intervals[i].end; ++at[0]) out[storage.find(at)] = static_cast<T>(values[k++]);
      }
  }

  /// A saved field on the set that the grid has for it.
  Field<T, Dim> on_grid(nb::handle told, std::string const& name) const {
    AnyField const& any = nb::cast<AnyField const&>(told);
    auto const* const field = std::get_if<Field<T, Dim>>(&any.any);
    if (field == nullptr) throw std::invalid_argument("the saved state belongs to another kind of flow");
    return with_kernels([&] {
      bool const is_stored = field->domain() == grid_->storage();
      if (!is_stored && !(field->domain() == grid_->fluid()))
        throw std::invalid_argument("the saved state belongs to another grid");
      Field<T, Dim> result(name, is_stored ? grid_->storage() : grid_->fluid(), field->component_count());
      for (int c = 0; c < field->component_count(); ++c)
        std::copy(field->component(c), field->component(c) + field->cell_count(), result.component(c));
      return result;
    });
  }

  void restore(nb::dict const& told) {
    state_->velocity = on_grid(told["velocity"], "velocity");
    state_->pressure = on_grid(told["pressure"], "pressure");
    std::size_t i = 0;
    for (nb::handle const field : nb::cast<nb::list>(told["carried"])) {
      auto& carried = state_->carried.at(i++);
      carried = on_grid(field, carried.name());
    }
    state_->time = nb::cast<double>(told["time"]);
    state_->step_count = nb::cast<Index>(told["step_count"]);
    incompressible::MethodMemory<T, Dim> memory;
    for (auto const& [name, field] : nb::cast<nb::dict>(told["fields"]))
      memory.fields.emplace(text_of(name), on_grid(field, text_of(name)));
    for (auto const& [name, value] : nb::cast<nb::dict>(told["numbers"]))
      memory.numbers.emplace(text_of(name), nb::cast<double>(value));
    with_kernels([&] { std::visit([&](auto& method) { method.restore(memory); }, *method_); });
  }

  incompressible::FlowDomain<Dim> domain_of(nb::dict const& told) const {
    incompressible::FlowDomain<Dim> domain;
    domain.fluid = set_of(told["fluid"], "Incompressible: fluid").in<Dim>("Incompressible: fluid");
    if (domain.fluid.is_empty()) throw std::invalid_argument("Incompressible: the fluid has no cells");
    domain.grid.origin = to_vec<double, Dim>(point(told["origin"], Dim, "Incompressible: origin"));
    domain.grid.spacing = to_vec<double, Dim>(point(told["spacing"], Dim, "Incompressible: spacing"));
    domain.others = static_cast<BoundaryKind>(nb::cast<int>(told["others"]));
    auto const bounds = with_kernels([&] { return domain.fluid.bounds(); });
    for (nb::handle const axis : nb::cast<nb::list>(told["periodic"])) {
      int const a = nb::cast<int>(axis);
      domain.period[a] = bounds.end[a] - bounds.begin[a];
    }
    for (nb::handle const item : nb::cast<nb::list>(told["parts"]))
      domain.parts.push_back(part_of(nb::cast<nb::dict>(item), domain));
    return domain;
  }

  static incompressible::BoundaryPart<Dim> part_of(nb::dict const& told,
                                                   incompressible::FlowDomain<Dim> const& domain) {
    incompressible::BoundaryPart<Dim> part;
    part.kind = static_cast<BoundaryKind>(nb::cast<int>(told["kind"]));
    nb::object const where = told["where"], velocity = told["velocity"];
    Set const* body = nullptr;
    int axis = -1;
    if (nb::try_cast(where, body) && body != nullptr) {
      auto const& solid = body->in<Dim>("Incompressible: a body");
      part.faces = with_kernels([&] { return incompressible::faces_between(domain.fluid, solid, domain.period); });
    } else {
      BoxSide const at =
          box_side(text_of(where), Dim, "Incompressible: each key of walls, besides \"others\" and sets,");
      axis = at.axis;
      part.faces = with_kernels([&] { return incompressible::side_faces(domain.fluid, at.axis, at.side); });
    }
    if (!PyCallable_Check(velocity.ptr())) {
      part.velocity = to_vec<double, Dim>(point(velocity, Dim, "Incompressible: a velocity"));
      return part;
    }
    if (axis < 0) throw std::invalid_argument("Incompressible: only a side can have a function as its velocity");
    // The function is called once, with all faces. What C++ asks for later is looked up.
    auto const& faces = part.faces[axis];
    auto const n = static_cast<std::size_t>(faces.cell_count());
    auto const speeds =
        values_of(call_at<Dim>(velocity, middles_of(faces, domain.grid, axis)), n, "the velocity of a side");
    part.profile = [faces, speeds, grid = domain.grid, axis](Vec<double, Dim> const& x) {
      Vec<Coord, Dim> face;
      for (int a = 0; a < Dim; ++a)
        face[a] = static_cast<Coord>(std::floor((x[a] - grid.origin[a]) / grid.spacing[a] + (a == axis ? 0.5 : 0.0)));
      return speeds[static_cast<std::size_t>(faces.view().find(face))];
    };
    return part;
  }

  void make_method(nb::dict const& told) {
    viscosity_ = number(told["viscosity"], "Incompressible: viscosity");
    acceleration_ = to_vec<double, Dim>(point(told["acceleration"], Dim, "Incompressible: acceleration"));
    poisson::SolverOptions pressure;
    pressure.stop.tolerance = number(told["tolerance"], "Incompressible: tolerance");
    auto const ink = choice(text_of(told["ink"]), {"fluxes", "traced"}, "Incompressible: ink_method") == 0
                         ? incompressible::InkMethod::fluxes
                         : incompressible::InkMethod::traced;
    int const method =
        choice(text_of(told["method"]), {"smac", "semi-lagrangian", "leapfrog"}, "Incompressible: method");
    bool is_pulled = false;
    for (double const a : acceleration_.data) is_pulled = is_pulled || a != 0;
    if (is_pulled && method != 0)
      throw std::invalid_argument("Incompressible: only the method \"smac\" takes an acceleration");
    with_kernels([&] {
      if (method == 0) {
        incompressible::SmacOptions<Dim> options;
        options.viscosity = viscosity_;
        options.acceleration = acceleration_;
        options.ink = ink;
        options.pressure = pressure;
        method_.emplace(incompressible::Smac<T, Dim>(*grid_, options));
      } else if (method == 1) {
        incompressible::StepOptions<Dim> options;
        options.viscosity = viscosity_;
        options.ink = ink;
        options.pressure = pressure;
        method_.emplace(incompressible::SemiLagrangian<T, Dim>(*grid_, options));
      } else {
        incompressible::FlowMapOptions<Dim> options;
        options.viscosity = viscosity_;
        options.ink = ink;
        options.pressure = pressure;
        method_.emplace(incompressible::LeapfrogFlowMap<T, Dim>(*grid_, options));
      }
    });
  }

  std::optional<incompressible::StaggeredGrid<Dim>> grid_;
  std::optional<Method> method_;
  std::optional<State> state_;
  double viscosity_ = 0;
  Vec<double, Dim> acceleration_ = {};
  std::atomic<bool> busy_ = false;
  Alive alive_;
};

template <class T, int Dim>
void bind_flow(nb::module_& m, char const* suffix);

}  // namespace sparse::python
