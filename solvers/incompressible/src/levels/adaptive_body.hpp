#pragma once
/// The levels of an adaptive flow, and what happens to all of them at once.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <sparse/incompressible/measure/forces.hpp>

#include "composite_projection.hpp"
#include "whole_level.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
Field<T, Dim>& state_velocity(Level<T, Dim>& level) {
  return level.state.velocity;
}
template <class T, int Dim>
Field<T, Dim>& other_velocity(Level<T, Dim>& level) {
  return level.other;
}
template <class T, int Dim>
Field<T, Dim>& between_velocity(Level<T, Dim>& level) {
  return level.between;
}
template <class T, int Dim>
Field<T, Dim>& state_pressure(Level<T, Dim>& level) {
  return level.state.pressure;
}
/// Where a step makes the new pressure.
template <class T, int Dim>
Field<T, Dim>& guessed_pressure(Level<T, Dim>& level) {
  return level.guess.guess();
}

/// Which cells of each level several ranks have.
template <int Dim>
struct LevelLayout {
  std::vector<LevelCells<Dim>> part;   // of this rank
  std::vector<LevelRanks<Dim>> ranks;  // empty: this process has all
};

template <class T, int Dim>
struct AdaptiveBody {
  amr::Domain<Dim> domain;
  AdaptiveOptions<Dim> options;
  LevelBoundary<Dim> sides;
  std::vector<IntervalSet<Dim>> bodies;                   // their cells, as they were given
  std::vector<std::vector<SourceCells<T, Dim>>> sources;  // [level][source]
  std::vector<std::vector<IntervalSet<Dim>>> jets;        // [level][jet]
  poisson::StopRule stop;
  Levels<T, Dim> levels;
  std::vector<LevelRanks<Dim>> ranks;  // that share the levels; empty without ranks
  CompositeProjection<T, Dim> projection;
  std::vector<std::optional<BodyForces<Dim>>> forces;  // [body], those that have been asked for on these levels
  double time = 0;
  Index step_count = 0, update_count = 0;
  bool has_last_velocity = false;  // whether `Level::other` is the velocity before the last step

  /// Without levels. @throws std::invalid_argument  if an option does not make sense
  AdaptiveBody(amr::Domain<Dim> const& domain, AdaptiveOptions<Dim> const& options);

  std::vector<IntervalSet<Dim>> cells() const;
  /// The cells that the criteria want. Levels that fit keep their identity.
  std::vector<IntervalSet<Dim>> wanted_cells() const;
  bool has_cells(std::vector<IntervalSet<Dim>> const& wanted) const;
  /// Makes the levels with these cells. Those that keep their cells and children stay as they are. If it throws, the
  /// flow is lost.
  void make_levels(std::vector<IntervalSet<Dim>> const& wanted) {
    auto const layout = layout_of(wanted);
    make_levels(wanted, layout);
    make_projection(wanted, layout);
  }
  /// The same without the projection. @return  the levels before; null for those that stay
  Levels<T, Dim> make_levels(std::vector<IntervalSet<Dim>> const& wanted, LevelLayout<Dim> const& layout);
  /// @param cells  of the levels
  void make_projection(std::vector<IntervalSet<Dim>> const& cells, LevelLayout<Dim> const& layout);
  /// Gives leaves of other ranks their values, and fills rings.
  void fill(VelocityOf<T, Dim> velocity);
  /// Gives pressures, past ones included, at leaves of other ranks their values.
  void fill_pressures();
  void set_clocks();

  /// Changes levels and carries the flow over. @return  whether they changed
  bool adapt();
  /// Makes levels until they are those that the criteria want, without carrying anything over.
  /// @param set  sets values of all levels
  template <class Set>
  void settle(Set const& set) {
    set();
    for (int changes = 0; changes < domain.level_count(); ++changes) {
      auto const wanted = wanted_cells();
      if (has_cells(wanted)) return;
      make_levels(wanted);
      set();
    }
  }
  amr::SavedState<T, Dim> save() const;
  /// @throws std::invalid_argument  if the levels or their values do not fit
  void restore(amr::SavedState<T, Dim> const& saved);
  /// Goes on from a flow on another domain, or with other options.
  /// @throws std::invalid_argument  if the domains have other cells or levels, or the flow has more inks
  void go_on_from(AdaptiveBody const& from);

  /// The pressure of the start, from a velocity without divergence.
  poisson::Report find_pressure();
  /// The step whose half is stable.
  double longest_stage() const;
  poisson::Report step(double time_step);

private:
  /// The pressure's problem on these levels, but for sides and walls.
  poisson::CompositeProblem<Dim> pressure_problem(std::vector<IntervalSet<Dim>> const& cells) const;
  LevelLayout<Dim> layout_of(std::vector<IntervalSet<Dim>> const& cells) const;
  /// [level] the leaves that stay leaves, and need not be carried over. None with several ranks: owners change.
  std::vector<IntervalSet<Dim>> kept_leaves(std::vector<IntervalSet<Dim>> const& wanted) const;
  /// The cells that this rank carries over to new levels: its leaves but the kept ones, and those from which fresh ones
  /// among these get their values.
  std::vector<IntervalSet<Dim>> carried_cells(std::vector<IntervalSet<Dim>> const& wanted,
                                              LevelLayout<Dim> const& layout,
                                              std::vector<IntervalSet<Dim>> const& kept) const;
  /// The levels as they are now, with all that `carried_to` needs to carry them to some of the wanted cells. Collective
  /// over ranks.
  std::vector<WholeLevel<T, Dim>> whole_levels(std::vector<IntervalSet<Dim>> const& wanted,
                                               std::vector<IntervalSet<Dim>> const& carried) const;
  /// @return  whether any leaf is driven
  bool drive_jets();
  /// The cells to go on with in this domain: those of a flow on another one, as far as they are fluid, and the finest
  /// ones where only this domain has fluid.
  std::vector<IntervalSet<Dim>> cells_after(AdaptiveBody const& from) const;
  /// When leaves have their values.
  void go_on(std::map<std::string, double> const& of_guess);
  /// Makes the velocity before the projection, without the pressure's part, in `Level::other`.
  void take_stages(double time_step);
};

}  // namespace sparse::incompressible::detail
