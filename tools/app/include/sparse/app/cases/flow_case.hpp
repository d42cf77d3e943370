#pragma once
/// An incompressible flow in a box as data: what is where, what surrounds it, what it is made of, what to look at.

#include <limits>
#include <optional>

#include <sparse/io/pictures/image.hpp>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/cases/case.hpp>

namespace sparse::app {

struct CaseBoundary : CaseSide {
  sparse::BoundaryKind kind = sparse::BoundaryKind::no_slip;  ///< if periodic, the other side is, too
  Triple velocity = {};
  bool is_parabola = false;  ///< the velocity along the normal is that of the middle, and 0 at the ends
  std::optional<double> temperature = {};
};

struct CaseObstacle {
  CaseShape shape;
  sparse::BoundaryKind kind = sparse::BoundaryKind::no_slip;
  Triple velocity = {};  ///< of the surface
  std::optional<double> temperature = {};
};

/// Where ink comes from.
struct CaseInk {
  CaseShape shape;
  sparse::io::Colour colour = {};
  double until = std::numeric_limits<double>::infinity();
};

/// SMAC, and smaller pictures, as these have more than a value per pixel.
inline FlowOptions smac_options() {
  FlowOptions options;
  options.method = FlowMethod::smac;
  options.run.picture_size = 800;
  return options;
}

/// Everything that a program needs to compute and show a flow, in units in which the viscosity is 1 / re. Pictures:
/// velocity, vorticity, pressure, stream_function, temperature, ink, streaks.
struct FlowCase : Case {
  FlowOptions flow = smac_options();

  sparse::BoundaryKind walls = sparse::BoundaryKind::no_slip;  ///< sides not named
  std::vector<CaseBoundary> boundaries = {};                   ///< of two that share faces, the later one has them
  std::vector<CaseObstacle> obstacles = {};
  bool pads_thin = false;  ///< whether obstacles thinner than two cells are thickened

  double re = 100;
  std::optional<double> pr = {};  ///< with it, the fluid has a temperature of diffusivity 1 / (re pr)
  /// With it, re is sqrt(ra / pr), and where temperature is 1, buoyancy accelerates upwards by 1.
  std::optional<double> ra = {};
  double beta = 0;      ///< thermal expansion per temperature
  Triple gravity = {};  ///< of the fluid where temperature is 0
  Triple start_velocity = {};
  double start_temperature = 0;

  double velocity = 1, length = 1;  ///< that force coefficients, Strouhal and Nusselt numbers refer to
  std::vector<CaseInk> inks = {};
  sparse::io::Colour background = {255, 255, 255};  ///< of pictures of ink

  double viscosity() const;
  double diffusivity() const;
  bool has_temperature() const { return pr.has_value(); }
  /// Those that references can ask for.
  std::map<std::string, double> numbers() const;
};

}  // namespace sparse::app
