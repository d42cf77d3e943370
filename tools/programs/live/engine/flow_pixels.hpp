#pragma once
/// What incompressible flows share: their views, and limits of their steps.

#include <array>
#include <vector>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/poisson/report.hpp>

#include "pixel_kernels.hpp"

namespace sparse::live {

/// The three fields of ink.
inline constexpr std::array<char const*, 3> ink_names = {"red", "green", "blue"};

/// A level of a flow, as pictures see it. If the flow carries a temperature, that is the first of what its state
/// carries.
struct FlowLevel {
  incompressible::StaggeredGrid<2> const* grid;
  incompressible::State<double, 2> const* state;
  std::array<Field<double, 2> const*, 3> ink;  ///< on the grid's storage, or null
};

/// Views of a flow on one level.
std::vector<View> views_of(app::FlowCase const& c);
/// Fills what a view needs. The positions of pixels are those in the fluid of the grids.
void draw_flow(View view, std::vector<FlowLevel> const& levels, io::PixelCells const& cells, PixelFields& pixels);

/// Bodies are sets of cells here, so their walls are faces of cells.
app::FlowCase with_staircase(app::FlowCase c);
/// Whether the boundaries of two cases give the same velocities.
bool have_same_velocities(app::FlowCase const& a, app::FlowCase const& b);
/// Fluid at rest that nothing drives has no limit; this is one.
double longest_step(app::FlowCase const& c);
/// @throws std::runtime_error  if it did not
void expect_converged(poisson::Report const& report, double time);

}  // namespace sparse::live
