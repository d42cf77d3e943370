#pragma once
/// Values of a flow on levels at points and along lines. If ranks share the flow, all is collective: they give the same
/// points and get the same values.

#include <vector>

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/incompressible/measure/profiles.hpp>

namespace sparse::incompressible {

/// The number of the level whose leaf has each point, and -1 for points outside of the fluid.
/// @throws std::invalid_argument  if a point is not finite
template <class T, int Dim>
std::vector<int> levels_at(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points);

/// Velocity at the points that lie in the fluid, as `sample_velocity` gives it on the level there. Other points are
/// left out.
/// @throws std::invalid_argument  if a point is not finite
template <class T, int Dim>
Profile<Dim> velocity_along(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points);

/// Velocity along the centre line of the box parallel to an axis. There is a point at the centre of each leaf along it.
/// @throws std::invalid_argument  if there is no such axis
template <class T, int Dim>
Profile<Dim> centre_line(AdaptiveFlow<T, Dim> const& flow, int axis);

/// The pressure of the cells that have these points.
/// @throws std::invalid_argument  if a point is in no cell of the fluid (names the first)
template <class T, int Dim>
std::vector<double> pressure_at(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points);
/// An ink at these points, as `sample_cells` gives it on the level there.
/// @throws std::invalid_argument  as above, and if there is no such ink
template <class T, int Dim>
std::vector<double> ink_at(AdaptiveFlow<T, Dim> const& flow, std::size_t ink,
                           std::vector<Vec<double, Dim>> const& points);

}  // namespace sparse::incompressible
