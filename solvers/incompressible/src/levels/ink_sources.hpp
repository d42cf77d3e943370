#pragma once
/// Where inks of a flow on levels come from, and jets.

#include <vector>

#include <sparse/incompressible/grid/jet.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/plans/plan.hpp>

#include "level_grid.hpp"

namespace sparse::incompressible::detail {

/// Cells of a level with a part of their volume in a source, and this part.
template <class T, int Dim>
using SourceCells = Field<T, Dim>;

/// Those of a source on all levels, the coarsest first. Cost: a pass over its cells for each level.
template <class T, int Dim>
std::vector<SourceCells<T, Dim>> source_cells(IntervalSet<Dim> const& of_finest, int level_count);

/// The leaves of a level that inks come from: those beside inflows, then those of sources.
template <class T, int Dim>
class InkSources {
public:
  InkSources() = default;
  /// @param sources  [source] cells of the level
  InkSources(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves, AdaptiveOptions<Dim> const& options,
             std::vector<SourceCells<T, Dim>> const& sources);

  /// Gives leaves the values that they hold. @param inks  of the level
  /// @return  whether there are any at this time
  bool give(double time, std::vector<Field<T, Dim>>& inks) const;
  /// Adds to an ink what leaves gain in a part of a step.
  /// @param time  when the step begins
  void add(std::size_t ink, double time, double duration, T* values) const;

private:
  struct Place {
    std::size_t ink;
    double until;
    SourceKind kind;
    Field<T, Dim> values;  // on leaves
    Plan<Dim, 2> plan;     // operands: the grid's storage, the cells of `values`
  };
  void add_place(StaggeredGrid<Dim> const& grid, InkSource<Dim> const& source, Field<T, Dim> values);

  std::vector<Place> places_;
};

/// Those leaves of a level that are driven, of all ranks, and ghosts in driven leaves of the coarser
/// one.
template <int Dim>
class LevelJets {
public:
  LevelJets() = default;
  /// @param driven, of_coarser  [jet] cells of the level and of the coarser one, if there is one
  LevelJets(StaggeredGrid<Dim> const& grid, LevelCells<Dim> const& cells, std::vector<IntervalSet<Dim>> const& driven,
            std::vector<IntervalSet<Dim>> const& of_coarser);

  /// Whether any leaf is driven at this time.
  bool are_on(std::vector<LevelJet<Dim>> const& jets, double time) const;
  /// Drives the velocity of the level.
  template <class T>
  void drive(std::vector<LevelJet<Dim>> const& jets, double time, Field<T, Dim>& velocity) const;

private:
  std::vector<std::optional<Jet<Dim>>> jets_;  // [jet] none without leaves
};

}  // namespace sparse::incompressible::detail
