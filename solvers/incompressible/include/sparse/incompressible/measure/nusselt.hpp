#pragma once
/// Heat transfer from walls to a flow.

#include <functional>
#include <memory>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// The mean Nusselt number of a part of the boundary that has a temperature. It is the mean derivative of temperature
/// from the fluid to the wall, times `length`, over `difference`. With a positive difference, it is positive where the
/// wall is warmer than the fluid. The derivative is the scheme's difference over half a cell. So it gives exactly the
/// heat that the fluid has received from the wall.
///
/// @param temperature  one component on the grid's storage
/// @param part         number in the domain's parts
/// @param length, difference  reference length and temperature difference; not 0
/// Cost: a pass over the part's faces.
/// @throws std::invalid_argument  if the field does not fit, there is no such part, or it has no faces or no
///                                temperature
template <class T, int Dim>
double mean_nusselt(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part, double length,
                    double difference);

/// What a part of the boundary gives to the fluid and how warm it is, as means over its faces.
struct WallState {
  double temperature = 0;  ///< on the faces; of a part that conducts nothing, that of the cells beside it
  double heat_flux = 0;    ///< into the fluid, per area [temperature length / time]
};

/// Both follow the scheme: temperature is linear over half a cell, so the flux is exactly what the fluid receives. The
/// Nusselt number of a wall with a given flux is flux length / (diffusivity (temperature - reference temperature)).
///
/// @param temperature  one component on the grid's storage
/// @param part         number in the domain's parts
/// @param diffusivity  that of the temperature, > 0
/// Cost: a pass over the part's faces.
/// @throws std::invalid_argument  if the field does not fit, there is no such part, it has no faces or is no wall, or
///                                the diffusivity is not positive
template <class T, int Dim>
WallState wall_state(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& temperature, std::size_t part,
                     double diffusivity);

/// The same for curved walls, or for some of them.
template <int Dim>
class CurvedWallHeat {
public:
  /// @param is_counted  whether the wall counts at a position on it; without it, all walls count
  /// Cost: some dozens of distances per cut cell, on the host.
  /// @throws std::invalid_argument  if there is no such wall
  explicit CurvedWallHeat(StaggeredGrid<Dim> const& grid,
                          std::function<bool(Vec<double, Dim> const& position)> const& is_counted = {});

  /// Of the walls that are counted [m^(Dim - 1)].
  double area() const;
  /// Means over the area. Cost: a pass over the cut cells.
  /// @throws std::invalid_argument  if the field does not fit, or the diffusivity is not positive
  template <class T>
  WallState operator()(Field<T, Dim> const& temperature, double diffusivity) const;

private:
  struct Body;
  std::shared_ptr<Body const> body_;
};

}  // namespace sparse::incompressible
