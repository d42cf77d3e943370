#pragma once
/// An incompressible flow in a box as data: domain, boundary, fluid and outputs.

#include <limits>
#include <optional>

#include <sparse/io/pictures/image.hpp>

#include <sparse/app/cases/case.hpp>
#include <sparse/app/incompressible/method.hpp>

namespace sparse::app {

/// A side, or a part of it, with what happens there.
struct CaseBoundary : CaseSide {
  sparse::BoundaryKind kind = sparse::BoundaryKind::no_slip;  ///< if periodic, the other side is, too
  /// Of the fluid or the wall there.
  Triple velocity = {};
  bool is_parabola = false;  ///< whether `velocity` is the peak of a parabola that is 0 at the ends
  /// If the fluid has a temperature: of the wall, or the flux through it; neither: no heat goes through it.
  std::optional<double> temperature = {}, heat_flux = {};
};

/// A body, and what its surface does.
struct CaseObstacle {
  /// Where it is, and what its surface is.
  CaseShape shape;
  sparse::BoundaryKind kind = sparse::BoundaryKind::no_slip;
  Triple velocity = {};  ///< of the surface
  /// If the fluid has a temperature: of the surface, or the flux through it; neither: no heat goes through it.
  std::optional<double> temperature = {}, heat_flux = {};
};

/// A source of heat: what the temperature of its cells gains per time.
struct CaseHeat {
  /// Where it is, and how strong [temperature / time].
  CaseShape shape;
  double strength = 0;
};

/// A source of ink.
struct CaseInk {
  /// Where it is, its colour, and until when it flows.
  CaseShape shape;
  sparse::io::Colour colour = {};
  double until = std::numeric_limits<double>::infinity();
  std::optional<Triple> jet = {};  ///< if given, fluid leaves the source with this velocity, as long as it lasts
};

/// A piece of a wall along which the shear rate is measured.
struct CaseWall {
  std::string name = {};  ///< begins the names of its results
  /// The axis of the wall's normal.
  int normal = 1;
  sparse::FaceSide side = sparse::FaceSide::lower;  ///< lower: the wall lies below the fluid
  Triple from = {}, to = {};                        ///< they differ along one axis, not the normal one
};

/// The defaults: SMAC on one level, and smaller pictures, because they need more than one value per pixel.
inline FlowOptions smac_options() {
  FlowOptions options;
  options.run.level_count = 1;
  options.run.regrid_stride = 5;
  options.run.refine_threshold = 0.07;
  options.method = FlowMethod::smac;
  options.run.picture_size = 800;
  return options;
}

/// All data to compute and show a flow, in units in which the viscosity is 1 / re. Pictures: velocity, vorticity,
/// pressure, stream_function, temperature, ink, streaks, streaked_ink.
struct FlowCase : Case {
  /// How it is computed.
  FlowOptions flow = smac_options();

  sparse::BoundaryKind walls = sparse::BoundaryKind::no_slip;  ///< kind of sides without a boundary
  std::vector<CaseBoundary> boundaries = {};                   ///< if two share faces, the later one counts
  /// Bodies in the flow.
  std::vector<CaseObstacle> obstacles = {};
  bool pads_thin = false;  ///< whether obstacles thinner than two cells are thickened

  /// Reynolds number: 1 / viscosity.
  double re = 100;
  std::optional<double> pr = {};  ///< if given, the fluid has a temperature with diffusivity 1 / (re pr)
  /// If given, re is sqrt(ra / pr), and buoyancy accelerates fluid of temperature 1 upwards by 1.
  std::optional<double> ra = {};
  double beta = 0;      ///< thermal expansion per temperature
  Triple gravity = {};  ///< acceleration of fluid with temperature 0
  /// Velocity and temperature at the start.
  Triple start_velocity = {};
  double start_temperature = 0;

  double velocity = 1, length = 1;  ///< reference values of force coefficients, Strouhal and Nusselt numbers
  /// Sources of heat and of ink, and walls that are measured.
  std::vector<CaseHeat> heats = {};
  std::vector<CaseInk> inks = {};
  std::vector<CaseWall> measured_walls = {};
  sparse::io::Colour background = {255, 255, 255};  ///< of pictures of ink

  /// What follows from the numbers of the case.
  double viscosity() const;
  double diffusivity() const;
  bool has_temperature() const { return pr.has_value(); }
  /// The numbers that references can require.
  std::map<std::string, double> numbers() const;
};

}  // namespace sparse::app
