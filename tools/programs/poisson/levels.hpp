#pragma once
/// The problem on the leaves of several levels.

#include <sparse/app/run/folder.hpp>

#include "options.hpp"

/// Solves the problem on levels: those of a set, or with cells refined where the solution bends most. Prints the error
/// after each pass, then uniform grids until one is as exact. Writes history.csv, a line per pass, and files and
/// pictures of the levels.
/// @throws std::runtime_error  if a solver does not converge or an error is not met, or for a set without cells in the
///                             domain
template <int Dim>
void solve_on_levels(Options const& o, sparse::app::RunFolder& folder);
