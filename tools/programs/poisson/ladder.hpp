#pragma once
/// The optimisations of the solver on tiles, one after the other.

#include <sparse/app/run/folder.hpp>

#include "options.hpp"

/// Solves the problem with none of the optimisations, then with more and more of them, then with all but one. Prints
/// what an iteration launches, reads and writes (counted, on a host), or launches and how long it takes (on a GPU).
/// Writes history.csv, a line per solver, and poisson.png.
/// @throws std::runtime_error  if a solver does not converge
template <int Dim>
void climb_ladder(Options const& o, sparse::app::RunFolder& folder);
