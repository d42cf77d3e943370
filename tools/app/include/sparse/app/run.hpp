#pragma once
/// From the first step to the last.

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sparse/base/context.hpp>

#include <sparse/app/progress.hpp>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/amr/measure/diagnostics.hpp>
#include <sparse/amr/measure/snapshot.hpp>
#include <sparse/amr/simulation.hpp>

#include <sparse/app/folder.hpp>
#include <sparse/app/gas.hpp>
#include <sparse/app/samples.hpp>

namespace sparse::app {

/// The flow at its beginning, or as the checkpoint has it that the options name.
template <class Flow, class Initial>
Flow start(RunFolder& folder, sparse::amr::Domain<Flow::Dim> const& domain, typename Flow::Flux const& flux,
           Initial const& initial, sparse::amr::Outside<typename Flow::Law> const& outside,
           typename Flow::Options const& options) {
  using sparse::amr::read_checkpoint;
  places_of(folder.options(), domain);  // before anything is computed: it throws for points that are nowhere
  if (!folder.is_restart()) return Flow(domain, flux, initial, outside, options);
  auto const saved = read_checkpoint<typename Flow::Scalar, Flow::Dim>(folder.options().restart, folder.fingerprint());
  folder.keep_numbers(saved.numbers);
  return Flow(domain, flux, saved, outside, options);
}

/// The integrals of the conserved variables at the beginning of the run, also if it goes on from a checkpoint.
template <class Flow>
auto totals_at_start(RunFolder& folder, Flow const& flow) {
  auto totals = flow.totals();
  for (int c = 0; c < Flow::component_count; ++c)
    totals[c] = folder.from_start("total " + std::to_string(c), totals[c]);
  return totals;
}

/// What is written of a flow.
template <class Flow, class Derive>
struct Show {
  Derive derive;  ///< see `amr::snapshot`
  std::vector<sparse::amr::DerivedArray> arrays;
  std::vector<Picture> pictures;          ///< the first one is also NAME.png
  std::vector<std::string> columns = {};  ///< of history.csv, behind the usual ones
  /// In these columns; called once for each line, also for the last one that a run has taken over if it goes on from
  /// the same time.
  std::function<std::vector<double>(Flow&)> numbers = {};
};

/// Fields and pictures of a gas.
template <class Flow>
Show<Flow, GasFields<typename Flow::Law>> show_gas(Flow const& flow, std::vector<Picture> pictures = {{"density"}}) {
  using Fields = GasFields<typename Flow::Law>;
  return {Fields{flow.flux().law}, Fields::arrays(), std::move(pictures)};
}

namespace detail {

/// Names of the integrals of the conserved variables.
template <class Law>
std::vector<std::string> names_of_totals() {
  if constexpr (requires { typename Law::Carrier; }) {
    auto names = names_of_totals<typename Law::Carrier>();
    names.push_back("tracer_mass");
    return names;
  } else if constexpr (requires { Law::momentum; }) {
    std::vector<std::string> names = {"mass", "momentum_x", "momentum_y", "momentum_z"};
    names.resize(1 + Law::dimension);
    names.push_back("energy");
    return names;
  } else if constexpr (Law::component_count == 1) {
    return {"total"};
  } else {
    std::vector<std::string> names;
    for (int c = 0; c < Law::component_count; ++c) names.push_back("total_" + std::to_string(c));
    return names;
  }
}

/// Primitive variables of which the history has the range, with their components.
template <class Law>
std::vector<std::pair<std::string, int>> ranged_variables() {
  if constexpr (requires { typename Law::Carrier; })
    return ranged_variables<typename Law::Carrier>();
  else if constexpr (requires { Law::pressure_index; })
    return {{"density", Law::density}, {"pressure", Law::pressure_index}};
  else
    return {{"value", 0}};
}

template <class Flow>
std::vector<sparse::Index> leaves_per_level(Flow const& flow) {
  std::vector<sparse::Index> counts(static_cast<std::size_t>(flow.domain().level_count()));
  for (int l = 0; l < flow.level_count(); ++l) counts[static_cast<std::size_t>(l)] = flow.sets(l).leaves.cell_count();
  return counts;
}

/// One run's files and progress line.
template <class Flow, class Derive>
class Writer {
public:
  using Law = typename Flow::Law;

  Writer(RunFolder& folder, Flow& flow, Show<Flow, Derive> const& show)
      : folder_(folder), flow_(flow), show_(show),
        progress_(folder.options().t_end, folder.options().max_steps, [this] { return mass_; }),
        updates_(flow.update_count()), samples_(folder, flow) {
    auto const& domain = flow.domain();
    std::vector<std::string> columns = {"time", "dt"};
    for (int l = 0; l < domain.level_count(); ++l) columns.push_back("cells_" + std::to_string(l));
    for (auto const& name : names_of_totals<Law>()) columns.push_back(name);
    for (auto const& [name, component] : ranged_variables<Law>()) {
      columns.push_back("least_" + name);
      columns.push_back("greatest_" + name);
    }
    columns.push_back("impossible_cells");
    columns.insert(columns.end(), show.columns.begin(), show.columns.end());
    history_.emplace(folder.open_over_time("history.csv", columns, flow.time()));
    if (show.numbers && history_->last_time == flow.time()) show.numbers(flow);
    int const finest = domain.level_count() - 1;
    if (domain.body_count() > 0)
      folder.write_geometry(domain.grid(0), domain.fluid(finest), domain.solid(finest), finest);
  }

  void write_history(double dt) {
    auto const totals = flow_.totals();
    mass_ = totals[0];
    std::vector<double> line = {flow_.time(), dt};
    for (auto const count : leaves_per_level(flow_)) line.push_back(static_cast<double>(count));
    line.insert(line.end(), totals.data, totals.data + Law::component_count);
    auto const extrema = sparse::amr::extrema(flow_);
    for (auto const& [name, component] : ranged_variables<Law>()) {
      line.push_back(static_cast<double>(extrema.least[component]));
      line.push_back(static_cast<double>(extrema.greatest[component]));
    }
    line.push_back(static_cast<double>(extrema.inadmissible_count));
    if (show_.numbers) {
      auto const numbers = show_.numbers(flow_);
      line.insert(line.end(), numbers.begin(), numbers.end());
    }
    history_->lines.add(line);
  }
  void write_fields() {
    folder_.write_fields(flow_.step_count(), flow_.time(), flow_.domain().grid(0),
                         sparse::amr::snapshot(flow_, show_.derive, show_.arrays), show_.pictures);
    samples_.write_lines(flow_);
  }
  void write_probes(double before) { samples_.write_probes(flow_, before); }
  void write_checkpoint() const {
    auto saved = flow_.save();
    saved.numbers = folder_.numbers();
    sparse::amr::write_checkpoint(folder_.checkpoint_path(), saved, folder_.fingerprint());
  }
  void report(double dt) {
    progress_.report(flow_.step_count(), flow_.time(), dt, leaves_per_level(flow_), flow_.update_count() - updates_);
    updates_ = flow_.update_count();
  }
  void finish() {
    progress_.finish();
    if (flow_.repeated_step_count() > 0)
      fmt::print("Steps taken again, shorter or in first order, because states or waves ran away: {}\n",
                 flow_.repeated_step_count());
    folder_.record("steps", flow_.step_count());
    folder_.record("repeated-steps", flow_.repeated_step_count());
    folder_.record("time", flow_.time());
    folder_.record("cells", flow_.leaf_count());
    folder_.record("seconds", progress_.seconds());
    folder_.record("updates-per-second", progress_.updates_per_second());
    folder_.record("memory-peak-bytes", sparse::Context().arena()->peak_bytes());
  }

private:
  RunFolder& folder_;
  Flow& flow_;
  Show<Flow, Derive> const& show_;
  sparse::app::Progress progress_;
  sparse::Index updates_;
  Samples<Flow> samples_;
  std::optional<TimeFile> history_;
  double mass_ = 0;
};

}  // namespace detail

/// Whether a run is at its end: what the rounding of a sum of time steps leaves is not worth a step.
inline bool is_at_end(double time, double t_end) { return t_end - time <= 1e-12 * t_end; }

/// Steps until the time or the number of steps in the options is reached, and writes history, fields, pictures, samples
/// and checkpoints on the way.
///
/// When the state becomes impossible, the last good one is written and the exception goes on. When a signal asks to
/// stop, a checkpoint is written.
/// @return  whether the end was reached
template <class Flow, class Derive>
bool run(RunFolder& folder, Flow& flow, Show<Flow, Derive> const& show) {
  RunOptions const& o = folder.options();
  detail::Writer<Flow, Derive> writer(folder, flow, show);
  auto const is_over = [&] { return is_at_end(flow.time(), o.t_end) || flow.step_count() >= o.max_steps; };
  if (folder.is_restart() && (flow.time() > (1 + 1e-12) * o.t_end || flow.step_count() > o.max_steps))
    throw std::runtime_error(fmt::format("--restart: the checkpoint, at time {:.6g} and step {}, is beyond the end",
                                         flow.time(), flow.step_count()));
  if (!folder.is_restart()) {
    writer.write_fields();
    writer.write_history(0);
  }
  try {
    while (!is_over() && !folder.stop_requested()) {
      double const before = flow.time(), dt = flow.advance(o.t_end - before);
      sparse::Index const step = flow.step_count();
      writer.write_probes(before);
      if (is_over() || step % o.history_stride == 0) writer.write_history(dt);
      if (is_over() || step % o.output_stride == 0) writer.write_fields();
      if (o.checkpoint_stride > 0 && (is_over() || step % o.checkpoint_stride == 0)) writer.write_checkpoint();
      writer.report(dt);
    }
  } catch (sparse::amr::NonFiniteState const&) {
    writer.finish();
    writer.write_fields();
    throw;
  }
  writer.finish();
  if (is_over()) return true;
  writer.write_checkpoint();
  folder.end_interrupted();
  return false;
}

}  // namespace sparse::app
