#pragma once
/// What the command line of taylor_green sets, and what uniform grids and levels share.

#include <cmath>
#include <numbers>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/run/folder.hpp>

struct Options {
  sparse::app::FlowOptions flow;
  int dim = 2, n = 64;
  double viscosity = 0;
};

/// A cell of the flow of Taylor and Green in the unit box, with velocities up to 1.
/// Source: Taylor and Green, Mechanism of the production of small eddies from large ones, Proc. R. Soc. A 158 (1937).
template <int Dim>
KOKKOS_INLINE_FUNCTION double velocity_at(sparse::Vec<double, Dim> const& x, int axis) {
  using std::numbers::pi;
  if (axis > 1) return 0;
  double value = axis == 0 ? 1 : -1;
  for (int b = 0; b < Dim; ++b) value *= b == axis ? std::sin(pi * x[b]) : std::cos(pi * x[b]);
  return value;
}

/// Columns of history.csv.
inline std::vector<std::string> const columns = {"energy_kept", "enstrophy"};

/// The flow on levels that follow its vortices.
template <int Dim>
void compute_on_levels(Options const& o, sparse::app::RunFolder& folder);
