#pragma once
/// What the next pressure will be, from the last ones.

#include <optional>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::incompressible::detail {

/// Goes on with the line or the parabola through the last pressures. With a guess, solutions need fewer iterations.
template <class T, int Dim>
class PressureGuess {
public:
  /// @param is_parabola  else a line. Memory: 2 values per cell, or 1. A parabola is not gone on with where pressure
  ///                     changes so little that it would be through what solutions leave.
  /// @param tolerance    of the solver
  PressureGuess(StaggeredGrid<Dim> const& grid, bool is_parabola, double tolerance);

  /// @param pressure  of the last step
  /// @return          the guess; the solution is to replace it
  Field<T, Dim>& extrapolate(Field<T, Dim> const& pressure, double time_step);
  /// The field that `extrapolate` has returned.
  Field<T, Dim>& guess() { return before_ ? *before_ : last_; }
  /// To be called after each step that has succeeded: the solution becomes the pressure.
  /// @param step_count  since `restart`
  void accept(Field<T, Dim>& pressure, double time_step, Index step_count);
  /// Forgets all pressures.
  void restart() { step_count_ = 0; }
  /// Says that pressures come from other cells. What the next solution differs by from its guess is then taken for what
  /// these cells make of all pressures, and those before are changed by as much. Otherwise the next two guesses would
  /// go on with that difference as if it were a change in time. Memory: 1 value per cell more within the next step.
  void come_from_other_cells() { is_from_other_cells_ = true; }

  double last_time_step() const { return time_steps_[0]; }
  /// Since `restart`.
  Index step_count() const { return step_count_; }

  /// The pressures before that of the last step, the last one first: two for a parabola.
  std::vector<Field<T, Dim>*> past();
  /// All else that the next guess depends on.
  std::map<std::string, double> numbers() const;
  /// @throws std::invalid_argument  if one is missing
  void set_numbers(std::map<std::string, double> const& numbers);

  void keep(MethodMemory<T, Dim>& memory) const;
  /// @throws std::invalid_argument  if something is missing or has another domain
  void restore(MethodMemory<T, Dim> const& memory);

private:
  bool is_changing(Field<T, Dim> const& pressure) const;
  Field<T, Dim>& go_on(Field<T, Dim> const& pressure, double time_step);

  StaggeredGrid<Dim> grid_;
  Subset<Dim> cells_;
  double tolerance_;
  Field<T, Dim> last_;                   // the pressure before that of the last step
  std::optional<Field<T, Dim>> before_;  // the one before that; within a step the new one
  std::optional<Field<T, Dim>> first_;   // guess on new cells, within a step
  double time_steps_[3] = {0, 0, 0};     // the last one first
  Index step_count_ = 0;
  bool is_from_other_cells_ = false;
};

}  // namespace sparse::incompressible::detail
