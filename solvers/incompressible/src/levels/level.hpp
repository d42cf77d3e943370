#pragma once
/// A level of an adaptive flow: its fields, and its links to the levels beside it.

#include <memory>
#include <vector>

#include <sparse/plans/transfer.hpp>

#include "face_transfer.hpp"
#include "grid/body.hpp"
#include "grid/lazy.hpp"
#include "interface_pressure.hpp"
#include "level_grid.hpp"
#include "level_inks.hpp"
#include "measure/curl.hpp"
#include "method/pressure_guess.hpp"
#include "step/convection.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
struct Level {
  LevelCells<Dim> sets;
  StaggeredGrid<Dim> grid;
  Convection<Dim> convection;
  State<T, Dim> state;
  Field<T, Dim> other, between;  // velocities within a step
  PressureGuess<T, Dim> guess;
  CellPlan<Dim> leaves;       // operands: a leaf among leaves, and as in `CellPlan`
  Buffer<Index> cut_leaves;   // the positions of cut cells among leaves
  FaceMeans<Dim> means;       // from the next finer level
  FaceSplits<Dim> splits;     // from the next coarser level
  InterfacePressure<T, Dim> interface;
  LevelJets<Dim> jets;
  std::optional<LevelInks<T, Dim>> inks;  // if there are inks

  /// @param of_grid  its grid
  /// @param names    of inks
  Level(LevelCells<Dim> const& cells, StaggeredGrid<Dim> const& of_grid, double tolerance,
        std::vector<std::string> const& names);

  double greatest_width() const;
  /// result = factor div velocity, on the leaves.
  void divergence(Field<T, Dim> const& velocity, double factor, Field<T, Dim>& result) const;
  /// On the leaves. The first time makes a plan.
  Field<T, Dim> vorticity() const;
  /// What lives on cells and outlives a step: the pressure, those that its guess remembers, and inks. Only leaves
  /// count.
  std::vector<Field<T, Dim>*> values();

private:
  Lazy<CurlPlan<Dim>> curls_;
};

/// Leaves with their place among `cells`, and their faces as in `CellPlan`.
template <int Dim>
CellPlan<Dim> plan_of_leaves(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves,
                             IntervalSet<Dim> const& cells);

template <class T, int Dim>
using Levels = std::vector<std::unique_ptr<Level<T, Dim>>>;

/// A velocity of each level.
template <class T, int Dim>
using VelocityOf = Field<T, Dim>& (*)(Level<T, Dim>&);

/// Connects two levels.
/// @param level  that of the coarse one
template <class T, int Dim>
void link(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides, Level<T, Dim>& coarse, Level<T, Dim>& fine,
          int level);

/// Gives the velocity at leaves that other ranks own their values. Collective; without ranks it does nothing.
template <class T, int Dim>
void fill_from_owners(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity);
/// Gives covered cells beside leaves, and the faces of leaves at interfaces, the means of finer levels.
template <class T, int Dim>
void fill_from_finer(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity);
/// Gives the ghosts of each level the velocity of the coarser one. Covered cells must have theirs.
template <class T, int Dim>
void fill_from_coarser(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity);

}  // namespace sparse::incompressible::detail
