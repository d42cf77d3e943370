#pragma once
/// A gas on levels for Python: one template for both types and dimensions. The file _compressible.py makes a class of
/// it.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/amr/measure/diagnostics.hpp>
#include <sparse/amr/measure/forces.hpp>
#include <sparse/amr/measure/probes.hpp>
#include <sparse/amr/measure/snapshot.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/fields/algebra.hpp>

#include <sparse/app/compressible/gas.hpp>

#include "bodies.hpp"
#include "field.hpp"
#include "files.hpp"
#include "gas_functions.hpp"
#include "in_use.hpp"
#include "pictures.hpp"

namespace sparse::python {

template <class T, int Dim>
class Gas {
public:
  using Law = compressible::Euler<T, Dim>;
  using Flow = amr::Simulation<compressible::AnyFlux<Law>>;
  static constexpr int N = Law::component_count;

  /// What `_compressible.py` passes.
  explicit Gas(nb::dict told) : functions_(std::make_shared<Functions>()) {
    auto const domain = domain_of(told);
    Law const law{static_cast<T>(number(told["gamma"], "Euler: gamma"))};
    compressible::AnyFlux<Law> const flux{
        law, static_cast<compressible::FluxKind>(
                 choice(text_of(told["flux"]), {"rusanov", "hll", "hllc"}, "Compressible: flux"))};
    auto const options = options_of(told);
    amr::Outside<Law> const outside{state_of(told["inflow"]), boundary_of(nb::cast<nb::list>(told["given"]))};
    nb::object const saved = told["saved"], path = told["restart"], initial = told["initial"];
    if (!path.is_none()) {
      auto const file = path_of(path);
      std::string const fingerprint = text_of(told["fingerprint"]);
      with_files([&] {
        flow_.emplace(amr::Domain<Dim>(domain), flux, amr::read_checkpoint<T, Dim>(file, fingerprint), outside,
                      options);
      });
    } else if (!saved.is_none()) {
      auto state = saved_of(nb::cast<nb::dict>(saved));
      with_kernels([&] { flow_.emplace(amr::Domain<Dim>(domain), flux, state, outside, options); });
    } else {
      auto const start = initial_of(initial);
      with_kernels([&] { flow_.emplace(amr::Domain<Dim>(domain), flux, start, outside, options); });
    }
  }

  Gas(Gas const&) = delete;
  Gas& operator=(Gas const&) = delete;
  ~Gas() { *link_ = nullptr; }

  double advance(double max_dt) {
    InUse const use(busy_);
    return with_kernels([&] { return flow_->advance(max_dt); });
  }
  bool regrid() {
    InUse const use(busy_);
    return with_kernels([&] { return flow_->regrid(); });
  }
  Flow& flow() { return *flow_; }
  Flow const& flow() const { return *flow_; }
  std::atomic<bool>& busy() { return busy_; }
  Functions& functions() { return *functions_; }
  FieldView<T const> state_view(int level) const { return flow_->state(level).view(); }
  /// Empty once the simulation is gone.
  std::shared_ptr<Gas*> const& link() const { return link_; }

  /// Solves du/dt = f(x, t, w) on all leaves for a time dt by the midpoint method, from the time `time` on.
  void add_change(nb::object function, double time, double dt) {
    InUse const use(busy_);
    for (int l = 0; l < flow_->level_count(); ++l) {
      if (flow_->sets(l).leaves.is_empty()) continue;
      nb::object const first = change_of(function, l, time);
      add(first, l, 0.5 * dt);
      nb::object const middle = change_of(function, l, time + 0.5 * dt);
      add(middle, l, dt);
      add(first, l, -0.5 * dt);
    }
    with_kernels([&] { flow_->synchronise(); });
  }

  typename Law::State state_of(nb::handle told) const {
    nb::object const array = numpy_array(told, dtype_of<T>, {N}, "a state of the gas");
    typename Law::State w;
    for (int c = 0; c < N; ++c) w[c] = static_cast<T const*>(address_of(array))[c];
    return w;
  }

private:
  nb::object change_of(nb::object const& function, int level, double time) {
    auto const& sets = flow_->sets(level);
    nb::object const w = nb::cast(with_kernels([&] {
      return AnyField(
          primitive_on<Law>(flow_->flux().law, state_view(level), sets.leaves, sets.storage, "state", 0, N));
    }));
    auto const n = static_cast<std::size_t>(sets.leaves.cell_count());
    auto const grid = flow_->domain().grid(level);
    return states_of<T>(function(positions_of(sets.leaves, grid.origin, grid.spacing), time, w.attr("values")), N, n,
                        "a source");
  }

  void add(nb::object const& change, int level, double dt) {
    auto const& sets = flow_->sets(level);
    Index const n = sets.leaves.cell_count();
    auto const* const from = static_cast<T const*>(address_of(change));
    with_kernels([&] {
      for_each("sparse::python::add_change", CopyPlan<Dim>(sets.leaves, sets.storage, sets.leaves),
               AddChange<Law>{flow_->edit_state(level).view(), FieldView<T const>{from, n}, static_cast<T>(dt)});
    });
  }

  static amr::DomainOptions<Dim> domain_of(nb::dict const& told) {
    amr::DomainOptions<Dim> options;
    options.cells = to_vec<Coord, Dim>(cell(told["cells"], Dim, "Domain: cells"));
    options.level_count = static_cast<int>(whole_number(told["levels"], "Domain: levels"));
    options.grid.origin = to_vec<double, Dim>(point(told["origin"], Dim, "Domain: origin"));
    options.grid.spacing = to_vec<double, Dim>(point(told["spacing"], Dim, "Domain: spacing"));
    options.body_level = static_cast<int>(whole_number(told["body_level"], "Domain: body_level"));
    int place = 0;
    for (nb::handle const kind : nb::cast<nb::list>(told["sides"])) {
      options.sides[place / 2][place % 2] = static_cast<BoundaryKind>(nb::cast<int>(kind));
      ++place;
    }
    for (nb::handle const body : nb::cast<nb::list>(told["bodies"]))
      options.bodies.push_back(body_of<Dim>(nb::cast<nb::dict>(body)));
    return options;
  }

  amr::SimulationOptions<Law> options_of(nb::dict const& told) {
    amr::SimulationOptions<Law> options;
    options.scheme = static_cast<amr::Scheme>(
        choice(text_of(told["scheme"]), {"godunov", "hancock", "muscl_rk2", "muscl_rk3"}, "Compressible: scheme"));
    options.limiter = static_cast<amr::Limiter>(
        choice(text_of(told["limiter"]), {"minmod", "van_leer", "mc"}, "Compressible: limiter"));
    options.cfl = number(told["cfl"], "Compressible: cfl");
    options.subcycle = nb::cast<bool>(told["subcycle"]);
    options.regrid_stride = static_cast<int>(whole_number(told["regrid_stride"], "Compressible: regrid_stride"));
    options.longest_stride = static_cast<int>(whole_number(told["longest_stride"], "Compressible: longest_stride"));
    if (!nb::object(told["buffer"]).is_none()) options.buffer = coordinate(told["buffer"], "Compressible: buffer");
    for (nb::handle const criterion : nb::cast<nb::list>(told["refine"]))
      options.criteria.push_back(criterion_of(nb::borrow<nb::object>(criterion)));
    return options;
  }

  amr::Criterion<Law> criterion_of(nb::object const& told) {
    if (!nb::isinstance<nb::dict>(told)) {
      std::size_t const number = keep(told);
      return [functions = functions_, number](amr::LevelView<Law> const& view) {
        return call_criterion((*functions)[number], view);
      };
    }
    std::string const kind = text_of(told["kind"]);
    auto const real = [&](char const* key) { return number(told[key], (kind + ": " + key).c_str()); };
    amr::Criterion<Law> criterion;
    if (kind == "relative_gradient") {
      criterion =
          amr::relative_gradient<Law>(static_cast<int>(whole_number(told["component"], "relative_gradient: variable")),
                                      real("threshold"), real("release"));
    } else if (kind == "vorticity") {
      criterion = amr::vorticity<Law>(real("threshold"), real("release"));
    } else {
      criterion = amr::region<Law>(set_of(told["cells"], "region: cells").in<Dim>("region: cells"),
                                   static_cast<int>(whole_number(told["level"], "region: level")),
                                   static_cast<int>(whole_number(told["up_to"], "region: up_to")));
    }
    return criterion;
  }

  static IntervalSet<Dim> call_criterion(nb::object const& function, amr::LevelView<Law> const& view) {
    WithGil const gil;
    auto const seen = std::make_shared<SeenLevel<Law>>(SeenLevel<Law>{&view});
    struct Close {
      SeenLevel<Law>& level;
      ~Close() { level.view = nullptr; }
    } const close{*seen};
    nb::object const level = nb::module_::import_("sparsecells._compressible").attr("Level")(nb::cast(seen));
    nb::object const chosen = function(level);
    Set const* set = nullptr;
    if (nb::try_cast(chosen, set) && set != nullptr) return set->in<Dim>("the set of a function for refinement");
    nb::object const marked = nb::cast(Set(view.cells)).attr("__getitem__")(chosen);
    return nb::cast<Set const&>(marked).in<Dim>("the set of a function for refinement");
  }

  amr::Boundary<Law> boundary_of(nb::list const& told) {
    GivenSides<Law> fixed;
    std::vector<std::pair<int, std::size_t>> called;
    bool is_empty = true;
    int place = 0;
    for (nb::handle const side : told) {
      auto& chosen = fixed.sides[place / 2][place % 2];
      if (nb::isinstance<nb::float_>(side)) {
        chosen.kind = GivenSides<Law>::Kind::against;
        chosen.pressure = static_cast<T>(nb::cast<double>(side));
      } else if (PyCallable_Check(side.ptr())) {
        called.emplace_back(place, keep(nb::borrow<nb::object>(side)));
      } else if (!side.is_none()) {
        chosen.kind = GivenSides<Law>::Kind::state;
        chosen.state = state_of(side);
      }
      is_empty = is_empty && side.is_none();
      ++place;
    }
    if (is_empty) return {};
    return [functions = functions_, fixed, called](Context const& context, amr::detail::SideTask<Law> const& task) {
      amr::detail::fill_side(context, task, fixed);
      for (auto const& [at, number] : called)
        call_side(task, at / 2, at % 2 == 0 ? FaceSide::lower : FaceSide::upper, (*functions)[number]);
    };
  }

  amr::InitialState<Law> initial_of(nb::object const& told) {
    if (!PyCallable_Check(told.ptr())) return app::Uniform<Law>{state_of(told)};
    std::size_t const number = keep(told);
    return [functions = functions_, number](Field<T, Dim>& primitive, IntervalSet<Dim> const& cells,
                                            Grid<Dim> const& grid) {
      auto const n = static_cast<std::size_t>(cells.cell_count());
      if (n == 0) return;
      WithGil const gil;
      nb::object const x = positions_of(cells, grid.origin, grid.spacing), columns = x.attr("T");
      nb::list arguments;
      for (int axis = 0; axis < Dim; ++axis) arguments.append(nb::object(columns[axis]));
      nb::object const states = states_of<T>((*functions)[number](*nb::tuple(arguments)), N, n, "the initial state");
      auto const* const from = static_cast<T const*>(address_of(states));
      for (int c = 0; c < N; ++c)
        std::copy(from + static_cast<std::size_t>(c) * n, from + static_cast<std::size_t>(c + 1) * n,
                  primitive.component(c));
    };
  }

  static amr::SavedState<T, Dim> saved_of(nb::dict const& told) {
    amr::SavedState<T, Dim> saved;
    saved.time = nb::cast<double>(told["time"]);
    saved.step_count = nb::cast<Index>(told["step_count"]);
    saved.repeated_step_count = nb::cast<Index>(told["repeated_step_count"]);
    saved.update_count = nb::cast<Index>(told["update_count"]);
    saved.rate = static_cast<T>(nb::cast<double>(told["rate"]));
    for (nb::handle const field : nb::cast<nb::list>(told["states"])) {
      auto const& any = nb::cast<AnyField const&>(field);
      auto const* const state = std::get_if<Field<T, Dim>>(&any.any);
      if (state == nullptr || state->component_count() != N)
        throw std::invalid_argument("the saved state belongs to another kind of simulation");
      saved.cells.push_back(state->domain());
      saved.states.push_back(with_kernels([&] { return clone(*state); }));
    }
    return saved;
  }

  std::size_t keep(nb::object const& function) {
    functions_->push_back(function);
    return functions_->size() - 1;
  }

  std::shared_ptr<Functions> functions_;
  std::optional<Flow> flow_;
  std::atomic<bool> busy_ = false;
  std::shared_ptr<Gas*> link_ = std::make_shared<Gas*>(this);
  Alive alive_;
};

/// The state of a level, lent: an array that keeps its memory and knows whether the simulation has moved on.
template <class T, int Dim>
struct LentState {
  Buffer<T> memory;
  FieldView<T> view;
  Set storage;
  std::shared_ptr<Gas<T, Dim>*> of;
  int level;
  Alive alive = {};

  bool is_current() const {
    Gas<T, Dim> const* const gas = *of;
    return gas != nullptr && level < gas->flow().level_count() && gas->state_view(level).data == view.data;
  }
};

template <class T, int Dim>
void bind_gas(nb::module_& m, char const* suffix);

}  // namespace sparse::python
