#pragma once
/// A flow in a box as data: what is where, what surrounds it, what it is made of, and what to look at.

#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sparse/incompressible/grid/boundary.hpp>
#include <sparse/io/pictures/image.hpp>
#include <sparse/sets/faces.hpp>

#include <sparse/app/flow_method.hpp>

namespace sparse::app {

/// x, y and, in 3D, z.
using Triple = std::array<double, 3>;

/// A shape in lengths of the case. A cell belongs when its centre does.
struct CaseShape {
  /// What `numbers` are:
  enum class Kind {
    box,        ///< the lower corner, the upper corner
    ball,       ///< the centre, the radius
    ellipsoid,  ///< the centre, a radius for each axis
    capsule,    ///< the ends of its middle line, the radius
    polygon,    ///< in 2D: x and y of its corners
    bitmap,  ///< in 2D: the lower and the upper corner of the rectangle that the picture fills; its dark pixels count
    stl,     ///< in 3D: where the file's origin is, and the length of its unit
    cells,   ///< none: an expression of io/language/expression.hpp in cells, which may use nx, ny, nz
  };
  Kind kind = Kind::box;
  std::vector<double> numbers = {};
  std::string text = {};  ///< the file, or the expression
};

/// A side of the box, or a part of it.
struct CaseBoundary {
  int axis = 0;
  sparse::FaceSide side = sparse::FaceSide::lower;
  /// Along the side, one for each other axis in order: faces whose middles lie in it. None: the whole side.
  std::vector<std::array<double, 2>> range = {};
  /// None: the box repeats itself along the axis, and the other side is this one.
  std::optional<sparse::BoundaryKind> kind = sparse::BoundaryKind::no_slip;
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

/// A line along which velocity is written.
struct CaseProfile {
  Triple from = {}, to = {};
  int count = 101;
};

/// SMAC, and smaller pictures, as these have more than a value per pixel.
inline FlowOptions smac_options() {
  FlowOptions options;
  options.method = FlowMethod::smac;
  options.run.picture_size = 800;
  return options;
}

/// Everything that a program needs to compute and show a flow. Lengths, velocities and times in one system of units,
/// in which the viscosity is 1 / re.
struct FlowCase {
  FlowOptions flow = smac_options();
  std::filesystem::path folder = {};  ///< where relative names of files begin; empty for the working folder

  int dim = 2;
  Triple size = {1, 1, 1};
  std::array<int, 3> cells = {64, 64, 64};
  sparse::BoundaryKind walls = sparse::BoundaryKind::no_slip;  ///< sides not named
  std::vector<CaseBoundary> boundaries = {};  ///< of two that share faces, the later one has them
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
  std::vector<Triple> probes = {};
  std::vector<CaseProfile> profiles = {};
  /// velocity, vorticity, pressure, stream_function, temperature, ink, streaks; the first one is also NAME.png
  std::vector<std::string> pictures = {"velocity", "vorticity"};

  /// Numbers that results should be, by the names of results, for the case as the command line has made it.
  std::function<std::map<std::string, double>(FlowCase const&)> references = {};

  double viscosity() const;
  double diffusivity() const;
  bool has_temperature() const { return pr.has_value(); }
};

/// A case from a file, and the command line options in it.
struct CaseFile {
  FlowCase flow_case;
  std::vector<std::pair<std::string, std::string>> options;  ///< name without "--", value
  std::vector<int> option_lines;                             ///< of the file
};

/// Reads a TOML file; docs/cases.md describes it.
/// @throws std::runtime_error  "FILE:LINE: reason" for what is no TOML, unknown keys, values of the wrong type or out
/// of
///                             range, and what is missing
CaseFile read_case(std::filesystem::path const& path);

}  // namespace sparse::app
