#pragma once
/// How examples compute an incompressible flow: the choice of the method, and its options.

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/method/smac.hpp>

#include <sparse/app/options.hpp>

namespace sparse::app {

/// The methods of sparse/solvers/incompressible, by the names of their classes.
enum class FlowMethod { smac, leapfrog_flow_map, semi_lagrangian };

/// How to compute an incompressible flow, and what to show of it.
struct FlowOptions {
  RunOptions run;
  FlowMethod method = FlowMethod::semi_lagrangian;

  sparse::poisson::Method solver = {};  ///< of the pressure
  double tolerance = 1e-6;
  int iteration_limit = 0;

  std::string gamma = "auto";  ///< of SMAC: the part from upstream, a number, or what each step needs
  double safety = 0.5;         ///< of SMAC: the part of the longest stable time step
  double cfl = 1;              ///< of the others: cells that nothing crosses more of in a step
  sparse::incompressible::Advection advection = sparse::incompressible::Advection::maccormack;  ///< of `SemiLagrangian`
  /// Of leapfrog flow maps, as in `FlowMapOptions`.
  int cycle = 5;
  sparse::Interpolation interpolation = sparse::Interpolation::quadratic;
  sparse::incompressible::Clamping limiter = sparse::incompressible::Clamping::near_bodies;
  bool has_compensation = true;

  bool has_curved_walls = false;  ///< of SMAC: bodies cut cells, see `FlowDomain::distance`

  double steady_tolerance = 0, output_interval = 0;
  double film_interval = 0;  ///< between the frames of films if nothing else is asked for; 0: a 200th of the run
  bool writes_fields = true, writes_video = false;
  int frame_rate = 25;

  /// What the method's `longest_step` wants.
  double step_size() const { return method == FlowMethod::smac ? safety : cfl; }
  /// Cells that nothing crosses more of in one call of the method's `advance`.
  double longest_way() const {
    return method == FlowMethod::smac ? safety : method == FlowMethod::leapfrog_flow_map ? cycle * cfl : cfl;
  }
};

namespace detail {

inline void add_pressure_options(CLI::App& app, FlowOptions& o) {
  using namespace sparse::poisson;
  add_choice<Method>(app, "--solver", o.solver,
                     {{"jacobi", Jacobi{}},
                      {"rbgs", GaussSeidel{}},
                      {"sor", Sor{}},
                      {"chebyshev", Chebyshev{}},
                      {"cg", ConjugateGradients{}},
                      {"jcg", ConjugateGradients{Preconditioner::diagonal}},
                      {"mg", Multigrid{}},
                      {"wcycle", Multigrid{.cycle = Cycle::w}},
                      {"fmg", FullMultigrid{}},
                      {"fcg", FlexibleCg{}},
                      {"pcg", MultigridCg{}},
                      {"tiled", TiledMultigridCg{}}},
                     "of the pressure: rbgs: red-black Gauss-Seidel; jcg: cg with the diagonal; mg, wcycle, fmg: "
                     "multigrid; pcg, fcg: conjugate gradients with it; tiled: the same, made for a GPU");
  app.add_option("--tolerance", o.tolerance,
                 "of the divergence that is left, relative to that before; with lfm, in which errors last, [1e-9]")
      ->check(positive())
      ->capture_default_str();
  app.add_option("--max-iterations", o.iteration_limit,
                 "after which the pressure solver gives up [100 with multigrid, else 1000000]")
      ->check(at_least(1));
}

inline void add_flow_map_options(CLI::App& app, FlowOptions& o) {
  using sparse::Interpolation;
  using sparse::incompressible::Clamping;
  app.add_option("--cycle", o.cycle, "lfm: steps through which a flow map goes")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  add_choice<Interpolation>(app, "--interpolation", o.interpolation,
                            {{"linear", Interpolation::linear}, {"quadratic", Interpolation::quadratic}},
                            "lfm: splines between values");
  add_choice<Clamping>(
      app, "--limiter", o.limiter,
      {{"none", Clamping::none}, {"bodies", Clamping::near_bodies}, {"everywhere", Clamping::everywhere}},
      "lfm: where corrected velocities stay within those around");
  app.add_flag("--compensation,!--no-compensation", o.has_compensation, "lfm: back and forth errors are given back")
      ->default_str(o.has_compensation ? "true" : "false");
}

inline void add_steady_option(CLI::App& app, FlowOptions& o) {
  app.option_defaults()->group("Run");
  add_number(app, "--steady-tolerance", o.steady_tolerance, 0.0, 1e9,
             "smac: ends the run when no velocity and no temperature changes more per time, 0: never");
  app.option_defaults()->group("Options");
}

inline void add_show_options(CLI::App& app, FlowOptions& o) {
  app.option_defaults()->group("Run");
  add_number(app, "--output-interval", o.output_interval, 0.0, 1e9,
             "time between outputs, instead of steps; 0: steps [with --video as many as make a film]");
  app.add_flag("--fields,!--no-fields", o.writes_fields, "files for ParaView with each output; else pictures alone")
      ->default_str(o.writes_fields ? "true" : "false");
  app.add_flag("--video", o.writes_video, "each picture also as a film, NAME.webp, with one frame for each output")
      ->default_str("false");
  app.add_option("--video-fps", o.frame_rate, "frames per second of films")
      ->check(CLI::Range(1, 60))
      ->capture_default_str();
  app.option_defaults()->group("Options");
}

/// Whether a method heeds an option; those that are not here all of them do.
inline bool heeds(FlowMethod method, std::string const& option) {
  auto const is_one_of = [&](std::initializer_list<char const*> names) {
    return std::find(names.begin(), names.end(), option) != names.end();
  };
  if (is_one_of({"--gamma", "--dt-safety", "--surfaces"})) return method == FlowMethod::smac;
  if (is_one_of({"--cycle", "--interpolation", "--limiter", "--compensation"}))
    return method == FlowMethod::leapfrog_flow_map;
  if (is_one_of({"--advection"})) return method == FlowMethod::semi_lagrangian;
  if (is_one_of({"--cfl"})) return method != FlowMethod::smac;
  return true;
}

/// Throws for an option that was given and that the method does not heed. The others of these have no value then.
/// @param kept  options that were given elsewhere
inline void expect_options_of_method(CLI::App& app, FlowMethod method, std::set<std::string> const& kept) {
  for (CLI::Option* const option : app.get_options({})) {
    std::string const name = option->get_name();
    if (heeds(method, name)) continue;
    if (option->count() > 0 || kept.contains(name))
      throw CLI::ValidationError(name, "is of no use with this --method");
    option->default_str("");
  }
}

}  // namespace detail

/// From now on parsing fails for an option that is given, but of no use with the method, and gives others the values
/// that suit the method.
/// @param kept  options with values that stay unless they make no sense with the method
inline void complete_flow_options(CLI::App& app, FlowOptions& o, std::set<std::string> const& kept = {}) {
  app.final_callback([&app, &o, kept] {
    auto const suit = [&](char const* name, double& value, double suitable) {
      if (!kept.contains(name)) set_default(app.get_option(name), value, suitable);
    };
    detail::expect_options_of_method(app, o.method, kept);
    if (o.method == FlowMethod::leapfrog_flow_map) suit("--tolerance", o.tolerance, 1e-9);
    if (o.method != FlowMethod::smac) {
      CLI::Option* const steady = app.get_option("--steady-tolerance");
      if (steady->count() > 0 && o.steady_tolerance > 0)
        throw CLI::ValidationError("--steady-tolerance", "is of no use with this --method");
      set_default(steady, o.steady_tolerance, 0.0);
    }
    bool const has_stride = app.get_option("--output-stride")->count() > 0 ||
                            (kept.contains("--video") && kept.contains("--output-stride"));
    if (o.writes_video && !has_stride)
      suit("--output-interval", o.output_interval, o.film_interval > 0 ? o.film_interval : o.run.t_end / 200);
  });
}

/// Adds the choice of the method and all that belongs to one, and those of `RunOptions` that make sense without levels
/// and checkpoints. What only some methods heed says which, and is refused with the others.
inline void add_flow_options(CLI::App& app, FlowOptions& o) {
  using sparse::incompressible::Advection;
  add_options(app, o.run);
  for (char const* const name :
       {"--scheme", "--flux", "--limiter", "--cfl", "--amr-levels", "--subcycle", "--regrid-stride", "--longest-stride",
        "--refine-threshold", "--checkpoint-stride", "--probe", "--probe-interval", "--line", "--restart"})
    app.remove_option(app.get_option(name));
  app.get_option("--format")->description("of the fields: vtu in a .pvd series, or hdf (VTKHDF)");
  app.option_defaults()->group("Method");
  add_choice<FlowMethod>(
      app, "--method", o.method,
      {{"smac", FlowMethod::smac}, {"lfm", FlowMethod::leapfrog_flow_map}, {"projection", FlowMethod::semi_lagrangian}},
      "smac: explicit, central and donor-cell differences; lfm: leapfrog flow maps; projection: semi-Lagrangian");
  detail::add_pressure_options(app, o);
  add_number(app, "--cfl", o.cfl, 1e-3, 100.0,
             "lfm, projection: cells that nothing crosses more of in a step; more than 1.5 is slower");
  add_choice<Advection>(app, "--advection", o.advection,
                        {{"linear", Advection::linear}, {"maccormack", Advection::maccormack}},
                        "projection: with linear interpolation; maccormack: and a correction to second order");
  app.add_option("--gamma", o.gamma, "smac: part of convection from upstream, 0 to 1, or auto: what a step needs")
      ->check(CLI::Range(0.0, 1.0) | CLI::IsMember({"auto"}))
      ->type_name("NUMBER|auto")
      ->capture_default_str();
  add_number(app, "--dt-safety", o.safety, 1e-3, 1.0, "smac: time step over the longest stable one");
  detail::add_flow_map_options(app, o);
  detail::add_steady_option(app, o);
  detail::add_show_options(app, o);
  app.option_defaults()->group("Options");
  complete_flow_options(app, o);
}

/// For programs with bodies whose distance is known. Call it after `add_flow_options`.
inline void add_surface_option(CLI::App& app, FlowOptions& o) {
  app.option_defaults()->group("Method");
  add_choice<bool>(app, "--surfaces", o.has_curved_walls, {{"staircase", false}, {"curved", true}},
                   "smac: of bodies: faces of cells, or where they are, so that they cut cells");
  app.option_defaults()->group("Options");
}

/// What makes a fluid move, whatever the method.
template <int Dim>
struct FlowPhysics {
  double viscosity = 0;
  sparse::Vec<double, Dim> acceleration = {};
  /// Of what is not only carried; see `SmacOptions`.
  std::vector<typename sparse::incompressible::SmacOptions<Dim>::Transport> transported = {};
  std::vector<sparse::incompressible::Buoyancy<Dim>> buoyancy = {};
};

namespace detail {

inline sparse::poisson::SolverOptions pressure_options(FlowOptions const& o) {
  int const usual_limit = sparse::poisson::has_multigrid(o.solver) ? 100 : 1000000;
  int const limit = o.iteration_limit > 0 ? o.iteration_limit : usual_limit;
  sparse::poisson::SolverOptions options{o.solver, {o.tolerance, limit}};
  // The few iterations of SMAC, which starts from the last pressure, are cheaper with one sweep.
  auto* const pcg = std::get_if<sparse::poisson::MultigridCg>(&options.method);
  if (pcg != nullptr && o.method == FlowMethod::smac) pcg->preconditioner.sweeps = 1;
  return options;
}

template <int Dim>
sparse::incompressible::SmacOptions<Dim> smac_options(FlowOptions const& o, FlowPhysics<Dim> const& physics) {
  sparse::incompressible::SmacOptions<Dim> options;
  options.viscosity = physics.viscosity;
  if (o.gamma != "auto") options.donor_cell = std::stod(o.gamma);
  options.acceleration = physics.acceleration;
  options.transported = physics.transported;
  options.buoyancy = physics.buoyancy;
  options.pressure = pressure_options(o);
  return options;
}

template <int Dim>
sparse::incompressible::FlowMapOptions<Dim> flow_map_options(FlowOptions const& o, FlowPhysics<Dim> const& physics) {
  sparse::incompressible::FlowMapOptions<Dim> options;
  options.cycle = o.cycle;
  options.interpolation = o.interpolation;
  options.error_compensation = o.has_compensation;
  options.limiter = o.limiter;
  options.viscosity = physics.viscosity;
  options.buoyancy = physics.buoyancy;
  options.pressure = pressure_options(o);
  return options;
}

}  // namespace detail

/// Makes the method of the options and calls `body(method)`.
/// @throws std::runtime_error  if the method has no way to do what physics asks for
template <class T, int Dim, class Body>
void with_method(FlowOptions const& o, sparse::incompressible::StaggeredGrid<Dim> const& grid,
                 FlowPhysics<Dim> const& physics, Body const& body) {
  using namespace sparse::incompressible;
  if (o.method == FlowMethod::smac) {
    Smac<T, Dim> method(grid, detail::smac_options(o, physics));
    body(method);
    return;
  }
  bool const is_map = o.method == FlowMethod::leapfrog_flow_map;
  if (!physics.transported.empty() || !(physics.acceleration == sparse::Vec<double, Dim>{}))
    throw std::runtime_error(fmt::format("--method {} knows neither conduction of heat nor gravity; smac does",
                                         is_map ? "lfm" : "projection"));
  if (is_map) {
    LeapfrogFlowMap<T, Dim> method(grid, detail::flow_map_options(o, physics));
    body(method);
  } else {
    SemiLagrangian<T, Dim> method(grid,
                                  {o.advection, physics.viscosity, physics.buoyancy, detail::pressure_options(o)});
    body(method);
  }
}

}  // namespace sparse::app
