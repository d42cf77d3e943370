#include "options.hpp"

#include <algorithm>

#include <sparse/app/options/command_line.hpp>

namespace {

/// "ball:x,y[,z],r"; nothing if it is something else.
std::optional<Ball> ball_of(std::string const& text) {
  std::string const kind = "ball:";
  if (!text.starts_with(kind)) return {};
  Ball ball{text, sparse::app::numbers_of(text.substr(kind.size()))};
  if (ball.center.size() != 3 && ball.center.size() != 4) return {};
  ball.radius = ball.center.back();
  ball.center.pop_back();
  return ball.radius > 0 ? std::optional(ball) : std::nullopt;
}

/// "ball", or a positive number.
std::optional<Conductivity> conductivity_of(std::string const& text) {
  if (text == "ball") return Conductivity{true, 1};
  auto const numbers = sparse::app::numbers_of(text);
  if (numbers.size() != 1 || !(numbers[0] > 0)) return {};
  return Conductivity{false, numbers[0]};
}

char const* const sgml_options[] = {"--stencil", "--relaxations", "--s", "--a", "--residual", "--saw"};

void add_sgml_options(CLI::App& app, SgmlOptions& o) {
  using sparse::poisson::NodeStencil;
  app.option_defaults()->group("sgml");
  sparse::app::add_choice<NodeStencil>(
      app, "--stencil", o.stencil, {{"radial", NodeStencil::radial}, {"axes", NodeStencil::axes}},
      "neighbours of a node: all around it (9 points, 3D 27), or along the axes (5, 3D 7)");
  app.add_option("--relaxations", o.relaxation_count, "per visit of a level, at most")
      ->check(sparse::app::at_least(1))
      ->capture_default_str();
  auto const check = [](std::string& text) {
    return conductivity_of(text) ? std::string() : text + " is not ball or a positive number";
  };
  app.add_option_function<std::string>(
         "--s", [&o](std::string const& text) { o.s = conductivity_of(text).value(); },
         "coefficient: -div(s grad u) - a u = f; ball: 0.55 + 0.45 tanh((r - 0.2) / 0.1) around the middle")
      ->check(CLI::Validator(check, ""))
      ->type_name("NUMBER|ball")
      ->default_str("1");
  sparse::app::add_number(app, "--a", o.a, -1e9, 1e9,
                          "factor of u; waves grow if it is more than the least eigenvalue");
  sparse::app::add_choice<bool>(
      app, "--residual", o.accumulates_residual, {{"computed", false}, {"accumulated", true}},
      "computed from u after each cycle, or what the changes have left of it, which sinks below rounding");
  app.add_flag("--saw", o.draws_saw,
               "also draws residuals within cycles and the error after each, with accumulated residuals")
      ->default_str("false");
  app.option_defaults()->group("Options");
}

/// Cells along each side of the finest level, at most.
constexpr int finest_n(int dim) { return dim == 3 ? 1 << 10 : 1 << 17; }

char const* const level_options[] = {"--refine", "--error", "--passes"};

void add_level_options(CLI::App& app, LevelOptions& o) {
  app.option_defaults()->group("levels");
  app.add_option("--amr-levels", o.finer_count, "finer levels beyond the grid of --n; 0: a uniform grid")
      ->check(CLI::Range(0, 12))
      ->capture_default_str();
  app.add_option(
         "--refine", o.refine,
         "error: cells where the gradient changes by more than a quarter of its greatest change times their width, "
         "pass by pass; or a set of cells of level 0 in the language of tools/run geometry, as 'ball(32, 32, 8)', "
         "which gets all levels")
      ->type_name("error|EXPRESSION")
      ->capture_default_str();
  app.add_option("--error", o.error, "refining ends when the greatest error is at most this [after the last pass]")
      ->check(sparse::app::positive());
  app.add_option("--passes", o.pass_limit, "of refining, at most")->check(CLI::Range(0, 100))->capture_default_str();
  app.option_defaults()->group("Options");
}

void add_options(CLI::App& app, Options& o) {
  sparse::app::add_choice<Method>(
      app, "--solver", o.method, methods(),
      "rbgs: red-black Gauss-Seidel; with multigrid: vcycle, wcycle, fmg (full), pcg and fcg "
      "(conjugate gradients, flexible ones); hypre: its algebraic multigrid; sgml: single-grid multi-level, on n + 1 "
      "nodes");
  app.add_flag("--compare", o.compares_all, "all solvers that can be used, one after the other")->default_str("false");
  app.add_flag("--orders", o.finds_orders, "solves with half of --n, too, and tells the orders of the errors")
      ->default_str("false");
  app.add_flag("--ladder", o.climbs_ladder,
               "tiled with more and more of its optimisations, and with all but one: launches and bytes per iteration")
      ->default_str("false");
  app.add_option("--dim", o.dim, "2: a square; 3: a cube")->check(CLI::IsMember({2, 3}))->capture_default_str();
  app.add_option("--n", o.n, "cells along each side")->check(CLI::Range(4, 1 << 14))->capture_default_str();
  sparse::app::add_choice<Precision>(
      app, "--precision", o.precision,
      {{"float", Precision::all_float}, {"double", Precision::all_double}, {"mixed", Precision::mixed}},
      "of all values; mixed: double with float inside multigrid cycles");
  app.add_option("--tolerance", o.tolerance,
                 "of |b - A u| / |b| [1e-10, or n^2 round-offs if that is more: 6e-8 n^2 in float]")
      ->check(sparse::app::positive());
  app.add_option("--max-iterations", o.iteration_limit,
                 "after which a solver gives up [100 with multigrid, hypre and sgml, else 100000]")
      ->check(sparse::app::at_least(1));
  sparse::app::add_choice<Source>(
      app, "--problem", o.source,
      {{"sine", Source::sine},
       {"polynomial", Source::polynomial},
       {"quartic", Source::quartic},
       {"exponential", Source::exponential},
       {"charges", Source::charges},
       {"constant", Source::constant},
       {"random", Source::random}},
      "sine: product of sines, or cosines, that fit the boundary; polynomial: x (1 - x) y (1 - "
      "y); quartic: x^2 (1 - x^2) y^2 (1 - y^2); exponential: exp(x + y), given on all sides; charges: those of "
      "--charges, in free space; without an exact solution: a constant or random source");
  app.add_option("--charges", o.charge_count, "charges of 1 and -1 in turns, at random places")
      ->check(CLI::Range(1, most_charges))
      ->capture_default_str();
  app.add_option("--softening", o.softening,
                 "e: a charge is spread by Plummer's law, so that u = 1 / (4 pi sqrt(r^2 + e^2)), in 2D "
                 "-log(r^2 + e^2) / 4 pi")
      ->check(sparse::app::positive())
      ->capture_default_str();
  sparse::app::add_choice<Boundary>(app, "--boundary", o.boundary,
                                    {{"dirichlet", Boundary::dirichlet},
                                     {"neumann", Boundary::neumann},
                                     {"one-side", Boundary::one_side},
                                     {"periodic", Boundary::periodic}},
                                    "u given, no flux (u then has the mean 0), u given at x = 0 and no flux elsewhere");
  sparse::app::add_repeated<Ball>(app, "--solid", o.solids, ball_of, "ball:x,y[,z],r",
                                  "ball that is removed from the domain, no flux through it; may be repeated");
  app.add_option("--seed", o.seed, "of the random source, or of the places of charges")->capture_default_str();
  app.add_option("--slice", o.slice, "z of the plane that pictures of 3D show [with solids 0.5, else 0.25]")
      ->check(CLI::Range(0.0, 1.0));
  add_level_options(app, o.levels);
  add_sgml_options(app, o.sgml);
  sparse::app::add_output_options(app, o.run);
}

/// Fills in what follows from other options.
void complete(CLI::App& app, Options& o) {
  bool const has_solids = !o.solids.empty(),
             is_singular = o.boundary == Boundary::neumann || o.boundary == Boundary::periodic;
  CLI::Option* const problem = app.get_option("--problem");
  if (has_solids && problem->count() == 0) {
    o.source = is_singular ? Source::random : Source::constant;
    problem->default_str(is_singular ? "random" : "constant");
  }
  if (o.method != Method::sgml || o.compares_all)
    for (char const* const name : sgml_options) sparse::app::refuse_useless(app, {name}, "without --solver sgml");
  if (o.levels.finer_count == 0) {
    for (char const* const name : level_options) sparse::app::refuse_useless(app, {name}, "without --amr-levels");
  } else {
    sparse::app::refuse_useless(app, {"--solver", "--compare", "--ladder"}, "with --amr-levels");
    if (o.levels.is_adaptive())
      sparse::app::refuse_useless(app, {"--orders"}, "with --refine error");
    else
      sparse::app::refuse_useless(app, {"--error", "--passes"}, "with a set to --refine");
    if (app.get_option("--precision")->count() == 0) {
      o.precision = Precision::mixed;
      app.get_option("--precision")->default_str("mixed");
    }
  }
  if (o.sgml.draws_saw) {
    sparse::app::refuse_useless(app, {"--residual"}, "with --saw");
    sparse::app::set_default(app.get_option("--tolerance"), o.tolerance, 1e-14);
    o.sgml.accumulates_residual = true;
  }
  if (o.climbs_ladder) {
    sparse::app::refuse_useless(
        app, {"--compare", "--orders", "--precision", "--max-iterations", "--slice", "--format"}, "with --ladder");
    o.precision = Precision::all_float;  // of one of the solvers, which the tolerance must suit
    if (app.get_option("--solver")->count() == 0) {
      o.method = Method::tiled;
      app.get_option("--solver")->default_str("tiled");
    }
  }
  // Where b is smooth, terms of A u are n^2 times as large as b, and so are their rounding errors.
  double const round_off = o.precision == Precision::all_float ? 0x1p-24 : 0x1p-53,
               size = std::ldexp(o.n, o.levels.finer_count);
  if (o.tolerance == 0)
    sparse::app::set_default(app.get_option("--tolerance"), o.tolerance, std::max(1e-10, round_off * size * size));
  if (o.source != Source::random && o.source != Source::charges)
    sparse::app::refuse_useless(app, {"--seed"}, "without --problem random or charges");
  if (o.source != Source::charges)
    sparse::app::refuse_useless(app, {"--charges", "--softening"}, "without --problem charges");
  if (o.dim == 2)
    sparse::app::refuse_useless(app, {"--slice"}, "in 2D");
  else if (!o.climbs_ladder)
    sparse::app::set_default(app.get_option("--slice"), o.slice, has_solids ? 0.5 : 0.25);
}

/// @throws CLI::ValidationError  for what does not make sense
void check(CLI::App& app, Options const& o) {
  auto const refuse = [](std::string const& option, std::string const& reason) {
    throw CLI::ValidationError(option, reason);
  };
  if (o.dim == 3 && o.n > 1024) refuse("--n", "at most 1024 in 3D");
  if (o.n << o.levels.finer_count > finest_n(o.dim))
    refuse("--amr-levels", fmt::format("the finest level has at most {} cells along each side", finest_n(o.dim)));
  if (o.levels.finer_count > 0 && o.precision == Precision::all_double)
    refuse("--precision", "cycles on levels have single precision: mixed or float");
  if (o.levels.error > 0 && !o.has_exact_solution()) refuse("--error", "needs a --problem with an exact solution");
  for (Ball const& ball : o.solids)
    if (static_cast<int>(ball.center.size()) != o.dim)
      refuse("--solid " + ball.text, fmt::format("centres have {} coordinates", o.dim));
  if (o.has_exact_solution() && !o.solids.empty())
    refuse("--problem", "around solids only constant and random, since no exact solution is known");
  if (o.has_exact_solution() && o.source != Source::sine && o.boundary != Boundary::dirichlet)
    refuse("--problem", "polynomial, quartic, exponential and charges need --boundary dirichlet");
  if (o.source == Source::charges && (o.sgml.s.is_ball || o.sgml.s.value != 1 || o.sgml.a != 0))
    refuse("--problem", "charges have no --s and --a");
  if (o.source == Source::constant && (o.boundary == Boundary::neumann || o.boundary == Boundary::periodic))
    refuse("--problem", "with this --boundary a constant source has no solution, since nothing can flow out");
  if (o.finds_orders && !o.has_exact_solution()) refuse("--orders", "needs a --problem with an exact solution");
  if (o.sgml.draws_saw && o.finds_orders) refuse("--saw", "draws one run: no --orders with it");
  if (o.sgml.draws_saw && !o.has_exact_solution()) refuse("--saw", "needs a --problem with an exact solution");
  if (o.finds_orders && o.n % 2 != 0) refuse("--orders", "needs an even --n");
  if (o.climbs_ladder && o.method != Method::tiled) refuse("--ladder", "is for --solver tiled");
  if (o.compares_all && app.get_option("--solver")->count() > 0) refuse("--compare", "runs all: no --solver with it");
  if (o.compares_all) return;
  std::string const reason = reason_against(o.method, o);
  if (!reason.empty()) refuse("--solver " + name_of(o.method), reason);
}

}  // namespace

Names const& methods() {
  static Names const names = {{"jacobi", Method::jacobi}, {"rbgs", Method::rbgs},
                              {"sor", Method::sor},       {"chebyshev", Method::chebyshev},
                              {"cg", Method::cg},         {"vcycle", Method::vcycle},
                              {"wcycle", Method::wcycle}, {"fmg", Method::fmg},
                              {"fcg", Method::fcg},       {"pcg", Method::pcg},
                              {"tiled", Method::tiled},   {"hypre", Method::hypre},
                              {"sgml", Method::sgml}};
  return names;
}

std::string const& name_of(Method method) {
  return std::find_if(methods().begin(), methods().end(), [&](auto const& entry) { return entry.second == method; })
      ->first;
}

bool has_multigrid(Method method) {
  return method == Method::vcycle || method == Method::wcycle || method == Method::fmg || method == Method::pcg ||
         method == Method::fcg || method == Method::tiled;
}

std::string reason_against(Method method, Options const& o) {
  if (o.precision == Precision::mixed && !has_multigrid(method))
    return "--precision mixed is for solvers with multigrid";
  if ((method == Method::rbgs || method == Method::sor) && o.boundary == Boundary::periodic && o.n % 2 != 0)
    return "colours of cells alternate in a periodic domain only if --n is even";
  if (method == Method::tiled && o.boundary == Boundary::periodic && o.n % 8 != 0)
    return "in a periodic domain tiles need an --n that is a multiple of 8";
#ifndef SPARSE_HAS_HYPRE
  if (method == Method::hypre)
    return "this program was built without hypre; tools/setup --bench installs it, cmake -DSPARSE_HYPRE=ON builds with "
           "it";
#endif
  if (method != Method::sgml) return {};
  if ((o.n & (o.n - 1)) != 0) return "needs 2^k + 1 nodes along each side: choose a power of two for --n";
  if (!o.solids.empty()) return "works on whole boxes, without --solid";
  if (o.boundary == Boundary::periodic) return "has no periodic sides";
  return {};
}

Options parse_options(CLI::App& app, int argc, char** argv) {
  Options o;
  o.run.output_dir = "poisson_output";
  add_options(app, o);
  sparse::app::parse(app, argc, argv, [&] {
    complete(app, o);
    check(app, o);
  });
  return o;
}
