#include <sparse/app/run/loop.hpp>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <sparse/base/context.hpp>

namespace sparse::app {
namespace {

/// Multiples of an interval up to a time; one that rounding has missed counts.
double count_of(double time, double interval) { return std::floor(time / interval + 1e-9); }

/// Leaves the first error to be told if there is a second one.
void write_last_good_state(Steps& steps) noexcept {
  try {
    steps.write_output();
  } catch (std::exception const&) {
  }
}

}  // namespace

bool is_at_end(double time, double t_end) { return t_end - time <= 1e-12 * t_end; }

bool run_steps(RunFolder& folder, Steps& steps) {
  RunOptions const& o = folder.options();
  if (folder.is_restart() && (steps.time() > (1 + 1e-12) * o.t_end || steps.step_count() > o.max_steps))
    throw std::runtime_error(fmt::format("--restart: the checkpoint, at time {:.6g} and step {}, is beyond the end",
                                         steps.time(), steps.step_count()));
  auto const is_over = [&] {
    return is_at_end(steps.time(), o.t_end) || steps.step_count() >= o.max_steps || steps.is_steady();
  };
  Progress progress(
      o.t_end, o.max_steps, [&] { return steps.watched(); }, steps.watched_name(), folder.is_mine() ? stdout : nullptr);
  if (!folder.is_restart()) {
    steps.begin();
    steps.write_history(0);
    steps.write_output();
  }
  Index updates = steps.update_count();
  while (!is_over() && steps.all(!folder.stop_requested())) {
    double const time = steps.time();
    Index const step = steps.step_count();
    double dt = 0;
    try {
      dt = steps.advance(o.t_end);
    } catch (std::runtime_error const&) {
      progress.finish();
      write_last_good_state(steps);
      folder.finish_films();
      throw;
    }
    auto const is_due = [&](Index stride) { return stride > 0 && steps.step_count() / stride > step / stride; };
    bool const is_last = is_over();
    bool const is_output_due = o.output_interval > 0
                                   ? count_of(steps.time(), o.output_interval) > count_of(time, o.output_interval)
                                   : is_due(o.output_stride);
    steps.write_samples(time);
    if (is_last || is_due(o.history_stride)) steps.write_history(dt);
    if (is_last || is_output_due) steps.write_output();
    if (is_due(o.checkpoint_stride) || (is_last && o.checkpoint_stride > 0)) steps.write_checkpoint();
    progress.report(steps.step_count(), steps.time(), dt, steps.cells_per_level(), steps.update_count() - updates);
    updates = steps.update_count();
  }
  bool const is_complete = is_over();
  if (!is_complete) steps.write_checkpoint();
  progress.finish();
  folder.finish_films();
  auto const cells = steps.cells_per_level();
  folder.record("steps", steps.step_count());
  folder.record("time", steps.time());
  folder.record("cells", std::accumulate(cells.begin(), cells.end(), Index{0}));
  folder.record("seconds", progress.seconds());
  steps.finish(progress);
  if (!is_complete) folder.end_interrupted();
  return is_complete;
}

void record_memory(RunFolder& folder) {
  std::vector<std::uint64_t> bytes{Context().arena()->peak_bytes()};
  if (folder.team() != nullptr) folder.team()->maximise(bytes);
  folder.record("memory-peak-bytes", static_cast<Index>(bytes[0]));
}

}  // namespace sparse::app
