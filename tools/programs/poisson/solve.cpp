#include "solve.hpp"

#include <chrono>
#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/poisson/single_grid.hpp>
#include <sparse/poisson/solver.hpp>
#ifdef SPARSE_HAS_HYPRE
#include <sparse/distributed/hypre.hpp>
#endif

#include "cases.hpp"

using namespace sparse;

namespace {

class Stopwatch {
public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

poisson::StopRule stop_rule(Options const& o, Method method) {
  bool const needs_few = has_multigrid(method) || method == Method::hypre || method == Method::sgml;
  return {o.tolerance, o.iteration_limit > 0 ? o.iteration_limit : needs_few ? 100 : 100000};
}

/// @param method  one on cells
poisson::Method method_of(Options const& o, Method method) {
  auto const precision = o.precision == Precision::mixed ? poisson::Precision::single : poisson::Precision::same;
  poisson::Multigrid const multigrid{.precision = precision};
  switch (method) {
  case Method::jacobi:
    return poisson::Jacobi{};
  case Method::rbgs:
    return poisson::GaussSeidel{};
  case Method::sor:
    return poisson::Sor{};
  case Method::chebyshev:
    return poisson::Chebyshev{};
  case Method::cg:
    return poisson::ConjugateGradients{};
  case Method::vcycle:
    return multigrid;
  case Method::wcycle:
    return poisson::Multigrid{.cycle = poisson::Cycle::w, .precision = precision};
  case Method::fmg:
    return poisson::FullMultigrid{.multigrid = multigrid};
  case Method::fcg:
    return poisson::FlexibleCg{multigrid};
  case Method::tiled:
    return poisson::TiledMultigridCg{.precision = precision};
#ifdef SPARSE_HAS_HYPRE
  case Method::hypre:
    return poisson::Assembled{distributed::hypre};
#endif
  default:
    return poisson::MultigridCg{multigrid};
  }
}

template <class T>
Errors errors_of(std::vector<T> const& is, std::vector<T> const& should_be) {
  Errors errors;
  for (std::size_t i = 0; i < is.size(); ++i) {
    double const error = std::abs(static_cast<double>(is[i]) - static_cast<double>(should_be[i]));
    errors.greatest = std::max(errors.greatest, error);
    errors.mean += error;
    errors.root_mean_square += error * error;
  }
  auto const count = static_cast<double>(is.size());
  errors.mean /= count;
  errors.root_mean_square = std::sqrt(errors.root_mean_square / count);
  return errors;
}

/// Completes the outcome and gathers what is to be shown.
template <class T, int Dim>
Solution<Dim> solution_of(Options const& o, Outcome outcome, Grid<Dim> const& grid, Field<T, Dim> const& u,
                          Field<T, Dim> const& exact) {
  io::LevelCells<Dim> level;
  level.cells = u.domain().to_host();
  level.arrays.push_back(io::array_of<float>(u));
  outcome.residual = outcome.report.true_residual;
  Solution<Dim> solution{std::move(outcome), grid, {std::move(level)}};
  if (!o.has_exact_solution()) return solution;
  solution.outcome.errors = errors_of(to_host(u), to_host(exact));
  auto error = clone(u);
  add(error, -1, exact);
  solution.cells[0].arrays.push_back(io::array_of<float>(error, "error"));
  return solution;
}

template <class T, int Dim>
Solution<Dim> solve_on_cells(Options const& o, Method method, int n) {
  auto const middle = Vec<double, Dim>::filled(0.5);
  Case<Dim> const the_case(o, n);
  auto const problem = problem_of<Dim>(o, n);
  auto const source = field_of<T>(the_case, What::source, problem.cells, middle);
  Field<T, Dim> u("solution", problem.cells);
  fill(u, 0);

  Outcome outcome{method, n};
  Stopwatch const setup;
  poisson::Solver<T, Dim> solver(problem, method_of(o, method), stop_rule(o, method));
  outcome.setup_seconds = setup.seconds();

  Field<T, Dim> boundary("boundary", problem.cells);
  fill(boundary, 0);
  add_boundary_values(solver.matrix(), the_case, boundary);
  Stopwatch const solving;
  outcome.report = solver.solve(source, boundary, u);
  outcome.seconds = solving.seconds();
  return solution_of(o, std::move(outcome), problem.grid, u,
                     field_of<T>(the_case, What::solution, problem.cells, middle));
}

/// The options of sgml.
template <int Dim>
poisson::SingleGridOptions<Dim> sgml_options(Options const& o) {
  poisson::SingleGridOptions<Dim> options;
  options.stop = stop_rule(o, Method::sgml);
  options.stencil = o.sgml.stencil;
  options.relaxation_count = o.sgml.relaxation_count;
  options.accumulates_residual = o.sgml.accumulates_residual;
  for (int side = 0; side < 2 * Dim; ++side) {
    bool const is_given = o.boundary == Boundary::dirichlet || (o.boundary == Boundary::one_side && side == 0);
    options.sides[static_cast<std::size_t>(side)] =
        is_given ? poisson::NodeSide::dirichlet : poisson::NodeSide::neumann;
  }
  return options;
}

/// Nodes are cells that are moved by half of their width.
template <class T, int Dim>
Solution<Dim> solve_on_nodes(Options const& o, int n) {
  Case<Dim> const the_case(o, n);
  double const h = the_case.spacing;
  auto const nodes = box<Dim>(Vec<Coord, Dim>::filled(0), Vec<Coord, Dim>::filled(n + 1));
  auto const at_nodes = Vec<double, Dim>::filled(0);
  auto f = field_of<T>(the_case, What::source, nodes, at_nodes);  // div(s grad u) + a u = f
  scale(f, -1);
  auto const exact = field_of<T>(the_case, What::solution, nodes, at_nodes);
  auto const s = field_of<T>(the_case, What::conductivity, nodes, at_nodes);
  auto const coefficient =
      o.sgml.s.is_ball ? poisson::NodalCoefficient<T, Dim>(s) : poisson::NodalCoefficient<T, Dim>(o.sgml.s.value);
  // The boundary has the values of the exact solution. Inside, the guess is 0, as for the other methods.
  auto const guess = [&] {
    auto u = clone(exact);
    auto const values = u.view();
    auto const inside = box<Dim>(Vec<Coord, Dim>::filled(1), Vec<Coord, Dim>::filled(n));
    for_each(
        "sparse::poisson::guess", Subset<Dim>(inside, nodes),
        KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { values(p.cell) = 0; });
    return u;
  };
  auto u = guess();
  auto options = sgml_options<Dim>(o);
  Outcome outcome{Method::sgml, n};
  std::vector<T> const zeros(static_cast<std::size_t>(nodes.cell_count()));
  double const greatest_source = errors_of(to_host(f), zeros).greatest;
  if (o.sgml.draws_saw)
    options.observe = [&](poisson::SingleGridVisit const& visit) {
      outcome.saw.push_back({visit.work, visit.cycle, visit.level, visit.residual / greatest_source});
    };
  Stopwatch const setup;
  poisson::SingleGrid<T, Dim> solver(nodes, h, options, coefficient, o.sgml.a);
  outcome.setup_seconds = setup.seconds();
  Stopwatch const solving;
  outcome.report = solver.solve(f, u);
  outcome.seconds = solving.seconds();
  if (o.sgml.draws_saw) {  // once more, with a look at u after each cycle
    options.stop.iteration_limit = 1;
    options.observe = {};
    poisson::SingleGrid<T, Dim> by_cycle(nodes, h, options, coefficient, o.sgml.a);
    auto v = guess();
    double const size = errors_of(to_host(exact), zeros).mean;
    for (int cycle = 0; cycle < outcome.report.iterations; ++cycle) {
      by_cycle.solve(f, v);
      outcome.cycle_errors.push_back(errors_of(to_host(v), to_host(exact)).mean / size);
    }
  }
  Grid<Dim> const grid{Vec<double, Dim>::filled(-h / 2), Vec<double, Dim>::filled(h)};
  auto solution = solution_of(o, std::move(outcome), grid, u, exact);
  if (o.sgml.accumulates_residual) solution.outcome.residual = solution.outcome.report.residuals.back();
  return solution;
}

template <class T, int Dim>
Solution<Dim> solve_in(Options const& o, Method method, int n) {
  return method == Method::sgml ? solve_on_nodes<T, Dim>(o, n) : solve_on_cells<T, Dim>(o, method, n);
}

}  // namespace

template <int Dim>
Solution<Dim> solve(Options const& o, Method method, int n) {
  return o.precision == Precision::all_float ? solve_in<float, Dim>(o, method, n) : solve_in<double, Dim>(o, method, n);
}

template Solution<2> solve<2>(Options const&, Method, int);
template Solution<3> solve<3>(Options const&, Method, int);
