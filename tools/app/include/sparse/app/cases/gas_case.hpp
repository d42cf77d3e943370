#pragma once
/// A compressible flow in a box as data.

#include <optional>

#include <sparse/app/cases/case.hpp>
#include <sparse/app/options/options.hpp>

namespace sparse::app {

/// The state of a gas.
struct CaseGas {
  /// Density, pressure and velocity.
  double density = 1, pressure = 1;
  Triple velocity = {};
};

/// A side, or a part of it, with what happens there.
struct GasBoundary : CaseSide {
  sparse::BoundaryKind kind = sparse::BoundaryKind::wall;  ///< if periodic, the other side is, too
  std::optional<CaseGas> state = {};                       ///< of an inflow with its own state; else the case's inflow
  std::optional<double> pressure = {};                     ///< against which a subsonic outflow leaves
};

/// A body, and what its surface does.
struct GasObstacle {
  /// Where it is, and what its surface is.
  CaseShape shape;
  sparse::BoundaryKind kind = sparse::BoundaryKind::wall;
};

/// A criterion for refinement: where a field changes, or in a shape.
struct CaseRefinement {
  /// What the criterion looks at.
  enum class Field { density, pressure, vorticity };
  /// What it looks at.
  Field field = Field::density;
  double threshold = 0;  ///< for the relative change from cell to cell; for |curl v| times the cell width
  std::optional<CaseShape> shape = {};  ///< instead of field and threshold
  int levels = 1;                       ///< least number of levels in a shape, level 0 included
};

/// A part of the box with its own initial state.
struct CaseStart {
  /// Where, and which state.
  CaseShape shape;
  CaseGas state;
};

/// All data to compute and show a flow of a gas. Pictures: density, pressure, velocity, mach.
struct GasCase : Case {
  RunOptions run = {};                   ///< `level_count` levels; `cells` are those of level 0
  double gamma = 1.4;                    ///< ratio of specific heats
  std::optional<double> viscosity = {};  ///< if given, the gas has friction and conducts heat
  /// Prandtl number, for the conduction of heat; and the state that flows in.
  double prandtl = 0.71;
  CaseGas inflow = {};
  std::optional<double> mach = {};     ///< of the inflow; the length of its velocity follows
  std::optional<CaseGas> start = {};   ///< initial state outside of `starts`; without it, that of the inflow
  std::vector<CaseStart> starts = {};  ///< if two share cells, the later one counts
  sparse::BoundaryKind walls = sparse::BoundaryKind::wall;  ///< kind of sides without a boundary
  std::vector<GasBoundary> boundaries = {};                 ///< if two share faces, the later one counts
  /// Bodies in the flow.
  std::vector<GasObstacle> obstacles = {};
  bool has_curved_walls = true;  ///< walls of obstacles lie at their known surfaces; else they are faces of cells
  double area = 1;               ///< reference area of force coefficients; in 2D a length
  std::vector<CaseRefinement> refinements = {};  ///< none: the change of density, `run.refine_threshold`

  /// Sets the speed of the inflow from its Mach number.
  void set_speed();
  /// The numbers that references can require.
  std::map<std::string, double> numbers() const;
};

}  // namespace sparse::app
