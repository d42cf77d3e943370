#pragma once
/// What the command line of poisson sets.

#include <cstdint>

#include <sparse/app/options/options.hpp>
#include <sparse/poisson/single_grid.hpp>

enum class Method { jacobi, rbgs, sor, chebyshev, cg, vcycle, wcycle, fmg, pcg, fcg, tiled, hypre, sgml };
enum class Source { sine, polynomial, quartic, exponential, charges, constant, random };

/// At most, since kernels take all of them.
constexpr int most_charges = 64;
enum class Boundary { dirichlet, neumann, one_side, periodic };
/// The type of values; mixed: double, but float inside multigrid cycles.
enum class Precision { all_float, all_double, mixed };

using Names = std::vector<std::pair<std::string, Method>>;
/// All methods in the order in which they are compared.
Names const& methods();
std::string const& name_of(Method method);

/// A ball that is removed from the domain.
struct Ball {
  std::string text;
  std::vector<double> center;
  double radius = 0;
};

/// The coefficient s of sgml: the same everywhere, or that of a ball of other conductivity.
struct Conductivity {
  bool is_ball = false;
  double value = 1;
};

/// What only sgml takes.
struct SgmlOptions {
  sparse::poisson::NodeStencil stencil = sparse::poisson::NodeStencil::radial;
  int relaxation_count = 2;
  Conductivity s;
  double a = 0;
  bool accumulates_residual = false, draws_saw = false;
};

/// What only the solver on levels takes.
struct LevelOptions {
  int finer_count = 0;           ///< levels beyond that of --n; 0: a uniform grid
  std::string refine = "error";  ///< or a set of cells of level 0, as an expression
  double error = 0;              ///< greatest error at which refining ends; 0: none
  int pass_limit = 6;

  bool is_adaptive() const { return refine == "error"; }
};

struct Options {
  sparse::app::RunOptions run;
  SgmlOptions sgml;
  LevelOptions levels;
  Method method = Method::pcg;
  bool compares_all = false, finds_orders = false, climbs_ladder = false;
  int dim = 2, n = 64;
  Precision precision = Precision::all_double;
  double tolerance = 0;
  int iteration_limit = 0;
  Source source = Source::sine;
  Boundary boundary = Boundary::dirichlet;
  std::uint64_t seed = 1;
  int charge_count = 12;
  double softening = 0.01;  ///< radius of a charge
  std::vector<Ball> solids;
  double slice = 0.25;

  bool has_exact_solution() const { return source != Source::constant && source != Source::random; }
};

/// Whether it is a method on cells with multigrid; `sgml` works on nodes.
bool has_multigrid(Method method);
/// Why a method cannot be used with the other options; empty if it can.
std::string reason_against(Method method, Options const& o);

/// Adds all options to `app` and parses the command line; prints the message and exits where it is wrong.
Options parse_options(CLI::App& app, int argc, char** argv);
