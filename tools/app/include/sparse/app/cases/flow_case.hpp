#pragma once
/// An incompressible flow in a box as data: domain, boundary, fluid and outputs.

#include <limits>
#include <optional>

#include <sparse/io/pictures/image.hpp>

#include <sparse/app/cases/case.hpp>
#include <sparse/app/incompressible/method.hpp>

namespace sparse::app {

struct CaseBoundary : CaseSide {
  sparse::BoundaryKind kind = sparse::BoundaryKind::no_slip;  ///< if periodic, the other side is, too
  Triple velocity = {};
  bool is_parabola = false;  ///< whether `velocity` is the peak of a parabola that is 0 at the ends
  std::optional<double> temperature = {}, heat_flux = {};
};

struct CaseObstacle {
  CaseShape shape;
  sparse::BoundaryKind kind = sparse::BoundaryKind::no_slip;
  Triple velocity = {};  ///< of the surface
  std::optional<double> temperature = {}, heat_flux = {};
};

/// A source of heat: what the temperature of its cells gains per time.
struct CaseHeat {
  CaseShape shape;
  double strength = 0;
};

/// A source of ink.
struct CaseInk {
  CaseShape shape;
  sparse::io::Colour colour = {};
  double until = std::numeric_limits<double>::infinity();
  std::optional<Triple> jet = {};  ///< if given, fluid leaves the source with this velocity, as long as it lasts
};

/// A piece of a wall along which the shear rate is measured.
struct CaseWall {
  std::string name = {};  ///< begins the names of its results
  int normal = 1;
  sparse::FaceSide side = sparse::FaceSide::lower;  ///< lower: the wall lies below the fluid
  Triple from = {}, to = {};                        ///< they differ along one axis, not the normal one
};

/// The defaults: SMAC, and smaller pictures, because they need more than one value per pixel.
inline FlowOptions smac_options() {
  FlowOptions options;
  options.method = FlowMethod::smac;
  options.run.picture_size = 800;
  return options;
}

/// All data to compute and show a flow, in units in which the viscosity is 1 / re. Pictures: velocity, vorticity,
/// pressure, stream_function, temperature, ink, streaks, streaked_ink.
struct FlowCase : Case {
  FlowOptions flow = smac_options();

  sparse::BoundaryKind walls = sparse::BoundaryKind::no_slip;  ///< kind of sides without a boundary
  std::vector<CaseBoundary> boundaries = {};                   ///< if two share faces, the later one counts
  std::vector<CaseObstacle> obstacles = {};
  bool pads_thin = false;  ///< whether obstacles thinner than two cells are thickened

  double re = 100;
  std::optional<double> pr = {};  ///< if given, the fluid has a temperature with diffusivity 1 / (re pr)
  /// If given, re is sqrt(ra / pr), and buoyancy accelerates fluid of temperature 1 upwards by 1.
  std::optional<double> ra = {};
  double beta = 0;      ///< thermal expansion per temperature
  Triple gravity = {};  ///< acceleration of fluid with temperature 0
  Triple start_velocity = {};
  double start_temperature = 0;

  double velocity = 1, length = 1;  ///< reference values of force coefficients, Strouhal and Nusselt numbers
  std::vector<CaseHeat> heats = {};
  std::vector<CaseInk> inks = {};
  std::vector<CaseWall> measured_walls = {};
  sparse::io::Colour background = {255, 255, 255};  ///< of pictures of ink

  double viscosity() const;
  double diffusivity() const;
  bool has_temperature() const { return pr.has_value(); }
  /// The numbers that references can require.
  std::map<std::string, double> numbers() const;
};

}  // namespace sparse::app
