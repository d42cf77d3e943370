#pragma once
/// One problem solved by one method.

#include <optional>

#include <sparse/base/grid.hpp>
#include <sparse/io/levels/cells.hpp>
#include <sparse/poisson/report.hpp>

#include "options.hpp"

/// Norms of the difference to the exact solution, over all cells or nodes.
struct Errors {
  double greatest = 0, mean = 0, root_mean_square = 0;
};

/// The residual before a relaxation of sgml, in a norm that is 1 for the source.
struct SawTooth {
  sparse::Index work;
  int cycle, level;
  double residual;
};

/// What a solver did.
struct Outcome {
  Method method;
  int n;
  sparse::poisson::Report report = {};
  double setup_seconds = 0, seconds = 0;
  std::optional<Errors> errors = {};  ///< none if no exact solution is known
  std::optional<Errors> orders =
      {};  ///< of these, if the problem was also solved on half as many cells along each side
  /// The residual by which it stopped, which `accumulates_residual` tells from the true one.
  double residual = 0;
  std::vector<SawTooth> saw = {};         ///< if it was asked for
  std::vector<double> cycle_errors = {};  ///< with the saw: mean |error| over mean |u| after each cycle
};

/// The solution, for files and pictures.
template <int Dim>
struct Solution {
  Outcome outcome;
  sparse::Grid<Dim> grid;
  std::vector<sparse::io::LevelCells<Dim>> cells;
};

/// @param n  cells along each side, whatever the options say
/// @throws std::runtime_error  for solids that remove nothing or all
template <int Dim>
Solution<Dim> solve(Options const& o, Method method, int n);
