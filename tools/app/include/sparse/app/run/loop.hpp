#pragma once
/// The loop in time that all flows share.

#include <string>
#include <vector>

#include <sparse/app/run/folder.hpp>
#include <sparse/app/run/progress.hpp>

namespace sparse::app {

/// Whether less than the rounding error of a sum of time steps is left.
bool is_at_end(double time, double t_end);

/// What the loop asks of a flow.
class Steps {
public:
  virtual ~Steps() = default;

  /// Where the run is, and whether nothing changes any more.
  virtual double time() const = 0;
  virtual Index step_count() const = 0;
  virtual bool is_steady() const { return false; }

  /// Called once, before the first output, unless the run goes on from a checkpoint.
  virtual void begin() {}
  /// Takes one step or a cycle of steps, and does not pass `t_end`.
  /// @return  the length in time
  /// @throws std::runtime_error  if there is no next state; the state then is the last good one
  virtual double advance(double t_end) = 0;

  /// Write a line of history.csv, and the files of an output.
  virtual void write_history(double dt) = 0;
  virtual void write_output() = 0;
  /// Called after each step, with the time before it.
  virtual void write_samples(double /*before*/) {}
  /// Writes the state, so that another run can go on.
  virtual void write_checkpoint() = 0;

  /// Whether all ranks that take these steps together say so. Where rank 0 leads, it is alone.
  virtual bool all(bool holds) const { return holds; }

  // ---- for the line of progress
  /// How many cells each level has.
  virtual std::vector<Index> cells_per_level() const = 0;
  /// Updates of a cell by a step, summed up over the whole run.
  virtual Index update_count() const = 0;
  /// A number whose jumps show that something is wrong, such as the mass.
  virtual double watched() const = 0;
  virtual std::string watched_name() const = 0;

  /// Prints and records results of this kind of steps, at the end of the run.
  virtual void finish(Progress const& progress) = 0;
};

/// Steps until the time or the number of steps in the options is reached, or the flow is steady. Writes history,
/// outputs, samples and checkpoints on the way.
///
/// When a step fails, the last good state is written and the exception goes on. When a signal asks to stop, a
/// checkpoint is written.
/// @return  whether the end was reached
/// @throws std::runtime_error  what `Steps::advance` throws; if a file cannot be written; if a checkpoint is beyond the
///                             end
bool run_steps(RunFolder& folder, Steps& steps);

/// Notes the greatest use of memory of a run, that of the rank with the most if there are several. Collective.
void record_memory(RunFolder& folder);

}  // namespace sparse::app
