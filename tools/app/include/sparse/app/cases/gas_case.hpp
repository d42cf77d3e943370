#pragma once
/// A compressible flow in a box as data.

#include <optional>

#include <sparse/app/cases/case.hpp>
#include <sparse/app/options/options.hpp>

namespace sparse::app {

/// The state of a gas.
struct CaseGas {
  double density = 1, pressure = 1;
  Triple velocity = {};
};

struct GasBoundary : CaseSide {
  sparse::BoundaryKind kind = sparse::BoundaryKind::wall;  ///< if periodic, the other side is, too
  std::optional<CaseGas> state = {};      ///< of an inflow of its own; without it, that of the case's inflow
  std::optional<double> pressure = {};    ///< that a subsonic outflow leaves against
};

struct GasObstacle {
  CaseShape shape;
  sparse::BoundaryKind kind = sparse::BoundaryKind::wall;
};

/// Where the finest cells should be: where a field changes, or in a shape.
struct CaseRefinement {
  enum class Field { density, pressure, vorticity };
  Field field = Field::density;
  double threshold = 0;  ///< of the relative change from cell to cell; of |curl v| times the cell's width
  std::optional<CaseShape> shape = {};  ///< instead of field and threshold
  int levels = 1;                       ///< level 0 included, up to which the cells of a shape are refined
};

/// A part of the box with a state of its own at the beginning.
struct CaseStart {
  CaseShape shape;
  CaseGas state;
};

/// Everything that a program needs to compute and show a flow of a gas. Pictures: density, pressure, velocity, mach.
struct GasCase : Case {
  RunOptions run = {};  ///< `level_count` levels, of which `cells` are those of level 0
  double gamma = 1.4;   ///< ratio of specific heats
  std::optional<double> viscosity = {};  ///< with it, the gas sticks to walls that are `no_slip`, and conducts heat
  double prandtl = 0.71;
  CaseGas inflow = {};
  std::optional<double> mach = {};  ///< of the inflow; the length of its velocity follows
  std::optional<CaseGas> start = {};  ///< everywhere else than in `starts`; without it, that of the inflow
  std::vector<CaseStart> starts = {};  ///< of two that share cells, the later one has them
  sparse::BoundaryKind walls = sparse::BoundaryKind::wall;  ///< sides not named
  std::vector<GasBoundary> boundaries = {};                 ///< of two that share faces, the later one has them
  std::vector<GasObstacle> obstacles = {};
  bool has_curved_walls = true;  ///< walls of obstacles are where their surface is known to be; else faces of cells
  double area = 1;               ///< that force coefficients refer to; in 2D a length
  std::vector<CaseRefinement> refinements = {};  ///< none: the change of density, `run.refine_threshold`

  /// Gives the inflow the speed that its Mach number says.
  void set_speed();
  /// Those that references can ask for.
  std::map<std::string, double> numbers() const;
};

}  // namespace sparse::app
