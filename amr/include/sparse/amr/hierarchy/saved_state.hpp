#pragma once
/// The data from which a simulation can continue.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sparse/fields/field.hpp>

namespace sparse::amr {

/// All that a simulation needs to go on, to the bit. What ranks save has the states of the cells that the rank owns.
template <class T, int Dim>
struct SavedState {
  /// Time [s], steps of level 0, steps that were repeated because they were too long, updates of cells.
  double time = 0;
  Index step_count = 0, repeated_step_count = 0, update_count = 0;
  T rate = 0;                           ///< of the next step (see `wave_rate`); 0: the simulation finds it
  std::vector<IntervalSet<Dim>> cells;  ///< [level] of all ranks
  std::vector<Field<T, Dim>> states;    ///< [level] conserved variables; empty if `read` gives them
  /// Gives the conserved variables of these cells, for each level. Not there if they are in `states`.
  std::function<std::vector<Field<T, Dim>>(std::vector<IntervalSet<Dim>> const& wanted)> read = {};
  std::map<std::string, double> numbers;  ///< other numbers that a program keeps
  /// Lists of numbers that a program keeps.
  std::map<std::string, std::vector<double>> lists;
};

}  // namespace sparse::amr
