#include <initializer_list>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/options/command_line.hpp>

namespace sparse::app {
namespace {

void add_pressure_options(CLI::App& app, FlowOptions& o) {
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

void add_flow_map_options(CLI::App& app, FlowOptions& o) {
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

void add_steady_option(CLI::App& app, FlowOptions& o) {
  app.option_defaults()->group("Run");
  add_number(app, "--steady-tolerance", o.steady_tolerance, 0.0, 1e9,
             "smac: ends the run when no velocity and no temperature changes more per time, 0: never");
  app.option_defaults()->group("Options");
}

/// Refuses options that were given, on the command line or in a file.
void refuse(CLI::App& app, std::set<std::string> const& of_file, std::initializer_list<char const*> names,
            std::string const& why) {
  for (char const* const name : names)
    if (of_file.contains(name)) throw CLI::ValidationError(name, "is of no use " + why);
  refuse_useless(app, names, why);
}

/// Refuses options that the method has no use for.
void expect_options_of_method(CLI::App& app, FlowOptions const& o, std::set<std::string> const& of_file) {
  FlowMethod const method = o.method;
  auto const refuse_unless = [&](bool is_of_use, std::initializer_list<char const*> names,
                                 std::string const& why = "with this --method") {
    if (!is_of_use) refuse(app, of_file, names, why);
  };
  refuse_unless(method == FlowMethod::smac, {"--integrator", "--gamma", "--upstream", "--dt-safety", "--surfaces"});
  refuse_unless(method != FlowMethod::semi_lagrangian, {"--exact-sums"});
  refuse_unless(o.integrator == sparse::incompressible::Integrator::paper, {"--gamma"}, "without --integrator paper");
  refuse_unless(o.integrator != sparse::incompressible::Integrator::paper, {"--upstream"}, "with --integrator paper");
  refuse_unless(method == FlowMethod::leapfrog_flow_map, {"--cycle", "--interpolation", "--limiter", "--compensation"});
  refuse_unless(method == FlowMethod::semi_lagrangian, {"--advection"});
  refuse_unless(method != FlowMethod::smac, {"--cfl"});
  refuse_unless(o.ink == sparse::incompressible::InkMethod::fluxes, {"--ink-supersampling", "--ink-speed"},
                "with --ink-method traced");
  refuse_unless(!o.has_curved_walls, {"--ink-supersampling", "--ink-speed"}, "with --surfaces curved");
}

}  // namespace

void settle(CLI::App& app, FlowOptions& o, std::set<std::string> const& of_file) {
  expect_options_of_method(app, o, of_file);
  if (o.method == FlowMethod::leapfrog_flow_map && !of_file.contains("--tolerance"))
    set_default(app.get_option("--tolerance"), o.tolerance, 1e-9);
  if (o.method != FlowMethod::smac) {
    CLI::Option* const steady = app.get_option("--steady-tolerance");
    if (steady->count() > 0 && o.steady_tolerance > 0)
      throw CLI::ValidationError("--steady-tolerance", "is of no use with this --method");
    set_default(steady, o.steady_tolerance, 0.0);
  }
  settle(app, o.run, of_file);
}

void expect_levels(CLI::App& app, FlowOptions const& o, std::set<std::string> const& of_file) {
  char const* const why = "with --amr-levels";
  if (o.method != FlowMethod::smac) refuse(app, of_file, {"--method"}, why);
  refuse(app, of_file, {"--solver", "--max-iterations", "--integrator", "--gamma", "--ink-method"}, why);
}

void add_flow_options(CLI::App& app, FlowOptions& o) {
  using sparse::incompressible::Advection;
  using sparse::incompressible::Integrator;
  add_run_options(app, o.run);
  app.get_option("--format")->description("of the fields: vtu in a .pvd series, or hdf (VTKHDF)");
  app.option_defaults()->group("Method");
  add_choice<FlowMethod>(
      app, "--method", o.method,
      {{"smac", FlowMethod::smac}, {"lfm", FlowMethod::leapfrog_flow_map}, {"projection", FlowMethod::semi_lagrangian}},
      "smac: explicit, on a staggered grid; lfm: leapfrog flow maps; projection: semi-Lagrangian");
  add_pressure_options(app, o);
  add_number(app, "--cfl", o.cfl, 1e-3, 100.0,
             "lfm, projection: cells that nothing crosses more of in a step; more than 1.5 is slower");
  add_choice<Advection>(app, "--advection", o.advection,
                        {{"linear", Advection::linear}, {"maccormack", Advection::maccormack}},
                        "projection: with linear interpolation; maccormack: and a correction to second order");
  add_choice<Integrator>(
      app, "--integrator", o.integrator, {{"rk3", Integrator::runge_kutta}, {"paper", Integrator::paper}},
      "smac: rk3: three stages of Runge and Kutta, of second order with one projection; paper: Euler's "
      "method and donor cells, as Scheidegger, Comba and da Cunha (2005) have it");
  app.add_option("--gamma", o.gamma,
                 "--integrator paper: part of convection from upstream, 0 to 1, or auto: what a step needs")
      ->check(CLI::Range(0.0, 1.0) | CLI::IsMember({"auto"}))
      ->type_name("NUMBER|auto")
      ->capture_default_str();
  add_number(app, "--upstream", o.upstream, 0.0, 1.0,
             "--integrator rk3: from 0, central differences, to 1, parabolas from upstream where cells are coarse");
  add_number(app, "--dt-safety", o.safety, 1e-3, 1.0, "smac: time step over the longest stable one");
  add_flow_map_options(app, o);
  add_steady_option(app, o);
  app.option_defaults()->group("Options");
}

void add_ink_option(CLI::App& app, FlowOptions& o) {
  using sparse::incompressible::InkMethod;
  app.option_defaults()->group("Method");
  add_choice<InkMethod>(
      app, "--ink-method", o.ink, {{"fluxes", InkMethod::fluxes}, {"traced", InkMethod::traced}},
      "of what the flow carries: by fluxes, so that nothing is lost; traced back to where it comes from, with smac as "
      "Scheidegger, Comba and da Cunha (2005) do it, with the others as velocity");
  app.option_defaults()->group("Options");
}

void add_fine_ink_options(CLI::App& app, FlowOptions& o) {
  app.option_defaults()->group("Method");
  app.add_option("--ink-supersampling", o.ink_supersampling,
                 "cells of ink in a cell of the flow, along each axis, for sharper pictures of ink")
      ->check(CLI::Range(1, 16))
      ->capture_default_str();
  add_number(app, "--ink-speed", o.ink_speed, 1e-3, 1e3, "velocity of ink over that of the flow");
  app.option_defaults()->group("Options");
}

void add_surface_option(CLI::App& app, FlowOptions& o) {
  app.option_defaults()->group("Method");
  add_choice<bool>(app, "--surfaces", o.has_curved_walls, {{"staircase", false}, {"curved", true}},
                   "smac: of bodies: faces of cells, or where they are, so that they cut cells");
  app.option_defaults()->group("Options");
}

}  // namespace sparse::app
