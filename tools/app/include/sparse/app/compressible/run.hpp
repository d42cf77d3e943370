#pragma once
/// Compressible flows from the first step to the last.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/amr/measure/diagnostics.hpp>
#include <sparse/amr/measure/snapshot.hpp>
#include <sparse/amr/measure/tags.hpp>
#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>

#include <sparse/app/compressible/gas.hpp>
#include <sparse/app/compressible/ranks.hpp>
#include <sparse/app/compressible/samples.hpp>
#include <sparse/app/run/folder.hpp>
#include <sparse/app/run/loop.hpp>

namespace sparse::app {

/// The initial flow; or that of the checkpoint, if the options name one. With several ranks, each has its part.
/// @throws std::runtime_error     for points outside of the fluid, or a checkpoint that does not fit
/// @throws std::invalid_argument  as the constructor of the flow
template <class Flow, class Initial>
Flow start(RunFolder& folder, sparse::amr::Domain<Flow::Dim> const& domain, typename Flow::Flux const& flux,
           Initial const& initial, sparse::amr::Outside<typename Flow::Law> const& outside,
           typename Flow::Options options) {
  places_of(folder.options(), domain);  // throws for impossible points before anything is computed
  options.team = folder.team();
  if (!folder.is_restart()) return Flow(domain, flux, initial, outside, options);
  auto const saved = sparse::amr::open_checkpoint<typename Flow::Scalar, Flow::Dim>(
      folder.options().restart, folder.fingerprint(), {}, folder.team());
  folder.keep_numbers(saved.numbers);
  return Flow(domain, flux, saved, outside, options);
}

/// The integrals of the conserved variables at the beginning of the whole run. Checkpoints keep them.
template <class Flow>
auto totals_at_start(RunFolder& folder, Flow const& flow) {
  auto totals = flow.totals();
  for (int c = 0; c < Flow::component_count; ++c) totals[c] = folder.kept("total " + std::to_string(c), totals[c]);
  return totals;
}

/// What is written of a flow.
template <class Flow, class Derive>
struct Show {
  Derive derive;  ///< see `amr::snapshot`
  std::vector<sparse::amr::DerivedArray> arrays;
  std::vector<Picture> pictures;          ///< the first one is also NAME.png
  std::vector<std::string> columns = {};  ///< of history.csv, behind the usual ones
  /// In these columns. Called once for each line; a run that goes on calls it for its last kept line, too, if that is
  /// of the same time. With several ranks, all of them call it.
  std::function<std::vector<double>(Flow&)> numbers = {};
  bool levels = false;  ///< whether fields come with the sets behind the levels; see `write_levels`
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

/// Primitive variables whose range goes to the history, with their components.
template <class Law>
std::vector<std::pair<std::string, int>> ranged_variables() {
  if constexpr (requires { typename Law::Carrier; })
    return ranged_variables<typename Law::Carrier>();
  else if constexpr (requires { Law::pressure_index; })
    return {{"density", Law::density}, {"pressure", Law::pressure_index}};
  else
    return {{"value", 0}};
}

// What ranks do together for the files of rank 0.

/// What a line of the history says of a flow, without sizes of steps and levels.
template <class Flow>
struct Measures {
  Vec<double, Flow::component_count> totals;
  sparse::amr::Extrema<typename Flow::Law> extrema;
  std::vector<double> numbers;
};
template <class Flow, class Derive>
Measures<Flow> measures_of(Flow& flow, Show<Flow, Derive> const& show) {
  return {flow.totals(), sparse::amr::extrema(flow), show.numbers ? show.numbers(flow) : std::vector<double>()};
}

/// What an output shows of a flow: on rank 0 cells of all levels with values; the cells of each level; and, if it is
/// wanted, for each level above 0 the cells of the next coarser one that the criteria refine.
template <class Flow>
struct Seen {
  std::vector<io::LevelCells<Flow::Dim>> cells;
  std::vector<IntervalSet<Flow::Dim>> sets, tagged;
};
/// Where ranks write pieces, it writes them, and the cells have the values of pictures alone.
template <class Flow, class Derive>
Seen<Flow> see(RunFolder& folder, Flow& flow, Show<Flow, Derive> const& show) {
  Seen<Flow> seen;
  for (int l = 0; l < flow.level_count(); ++l) seen.sets.push_back(flow.cells_of_all(l));
  auto arrays = show.arrays;
  if (folder.writes_pieces()) {
    auto const of_rank = sparse::amr::snapshot_of_rank(flow, show.derive, arrays);
    folder.write_piece(flow.step_count(), flow.time(), flow.domain().grid(0), of_rank, seen.sets, flow.domain().box(0));
    std::erase_if(arrays, [&](auto const& array) {
      return std::none_of(show.pictures.begin(), show.pictures.end(),
                          [&](Picture const& picture) { return picture.array == array.name; });
    });
  }
  if (!show.pictures.empty() || !folder.writes_pieces()) seen.cells = sparse::amr::snapshot(flow, show.derive, arrays);
  if (!show.levels || !folder.options().writes_fields) return seen;
  for (int l = 0; l + 1 < flow.domain().level_count(); ++l)
    seen.tagged.push_back(l < flow.level_count() ? sparse::amr::tagged_cells(flow, l) : IntervalSet<Flow::Dim>());
  return seen;
}

/// Writes a checkpoint. Numbers are those of rank 0.
template <class Flow>
void save(RunFolder const& folder, Flow const& flow) {
  auto saved = flow.save();
  saved.numbers = folder.numbers();
  sparse::amr::write_checkpoint(folder.checkpoint_path(), saved, folder.fingerprint(), 1, folder.team());
}

/// One run's steps and files.
template <class Flow, class Derive>
class LevelSteps final : public Steps {
public:
  using Law = typename Flow::Law;

  LevelSteps(RunFolder& folder, Flow& flow, Show<Flow, Derive> const& show)
      : folder_(folder), flow_(flow), show_(show), samples_(folder, flow) {
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
    if (show.numbers && history_->last_time == flow.time()) measures();
    int const finest = domain.level_count() - 1;
    if (domain.body_count() > 0)
      folder.write_geometry(domain.grid(0), domain.fluid(finest), domain.solid(finest), finest);
  }

  double time() const override { return flow_.time(); }
  Index step_count() const override { return flow_.step_count(); }
  double advance(double t_end) override {
    double const longest = t_end - flow_.time();
    tell(folder_.team(), Order::advance, longest);
    return flow_.advance(longest);
  }

  void write_history(double dt) override {
    auto const [totals, extrema, numbers] = measures();
    mass_ = totals[0];
    std::vector<double> line = {flow_.time(), dt};
    for (auto const count : cells_per_level()) line.push_back(static_cast<double>(count));
    line.insert(line.end(), totals.data, totals.data + Law::component_count);
    for (auto const& [name, component] : ranged_variables<Law>()) {
      line.push_back(static_cast<double>(extrema.least[component]));
      line.push_back(static_cast<double>(extrema.greatest[component]));
    }
    line.push_back(static_cast<double>(extrema.inadmissible_count));
    line.insert(line.end(), numbers.begin(), numbers.end());
    history_->lines.add(line);
  }
  void write_output() override {
    tell(folder_.team(), Order::output);
    auto const seen = see(folder_, flow_, show_);
    auto const step = flow_.step_count();
    if (folder_.writes_pieces())
      folder_.write_pictures(step, flow_.time(), flow_.domain().grid(0), seen.cells, show_.pictures);
    else
      folder_.write_fields(step, flow_.time(), flow_.domain().grid(0), seen.cells, show_.pictures);
    write_levels(seen);
    samples_.write_lines(flow_);
  }
  void write_samples(double before) override { samples_.write_probes(flow_, before); }
  void write_checkpoint() override {
    tell(folder_.team(), Order::save);
    save(folder_, flow_);
  }

  std::vector<Index> cells_per_level() const override {
    std::vector<Index> counts(static_cast<std::size_t>(flow_.domain().level_count()));
    for (int l = 0; l < flow_.level_count(); ++l) counts[static_cast<std::size_t>(l)] = flow_.leaf_count(l);
    return counts;
  }
  Index update_count() const override { return flow_.update_count(); }
  double watched() const override { return mass_; }
  std::string watched_name() const override { return "mass"; }

  void finish(Progress const& progress) override {
    if (flow_.repeated_step_count() > 0)
      fmt::print("Steps taken again, shorter or in first order, because states or waves ran away: {}\n",
                 flow_.repeated_step_count());
    folder_.record("repeated-steps", flow_.repeated_step_count());
    folder_.record("updates-per-second", progress.updates_per_second());
  }

private:
  Measures<Flow> measures() {
    tell(folder_.team(), Order::measure);
    return measures_of(flow_, show_);
  }

  /// Writes the cells of each level above 0, and those of the level below that the criteria refine. The files are those
  /// of the last output; a level that is not there now has no cells.
  /// Without tagged cells nothing is written.
  void write_levels(Seen<Flow> const& seen) {
    auto const grid = flow_.domain().grid(0);
    for (std::size_t l = 1; l <= seen.tagged.size(); ++l) {
      int const level = static_cast<int>(l);
      auto const cells = l < seen.sets.size() ? seen.sets[l] : IntervalSet<Flow::Dim>();
      folder_.write_set(fmt::format("refine_mask_lvl{}.vtu", l), grid, seen.tagged[l - 1], level - 1);
      folder_.write_set(fmt::format("fine_geometry_lvl{}.vtu", l), grid, cells, level);
    }
  }

  RunFolder& folder_;
  Flow& flow_;
  Show<Flow, Derive> const& show_;
  Samples<Flow> samples_;
  std::optional<TimeFile> history_;
  double mass_ = 0;
};

}  // namespace detail

/// Runs a flow to the end of the options: `run_steps`, with fields, pictures, history and samples of its levels. With
/// several ranks, rank 0 writes them.
/// @return  whether the end was reached; the same on all ranks
/// @throws std::runtime_error  as `run_steps`
template <class Flow, class Derive>
bool run(RunFolder& folder, Flow& flow, Show<Flow, Derive> const& show) {
  distributed::Team* const team = folder.team();
  bool is_complete = false;
  if (team == nullptr || team->rank() == 0) {
    detail::LevelSteps<Flow, Derive> steps(folder, flow, show);
    is_complete = run_steps(folder, steps);
    tell(team, Order::end);
  } else {
    auto const places = places_of(folder.options(), flow.domain());
    follow(*team, flow, [&](Order order) {
      if (order == Order::measure) detail::measures_of(flow, show);
      if (order == Order::sample) sparse::amr::primitive_at(flow, places.probes);
      if (order == Order::save) detail::save(folder, flow);
      if (order != Order::output) return;
      detail::see(folder, flow, show);
      for (auto const& line : places.lines) sparse::amr::primitive_at(flow, line);
    });
  }
  record_memory(folder);
  return team == nullptr ? is_complete : !team->all(!is_complete);
}

}  // namespace sparse::app

// Runs of a gas are compiled once, in the library (src/compressible).
#define SPARSE_RUN(prefix, T, Dim)                                                                                     \
  prefix template bool sparse::app::run(                                                                               \
      sparse::app::RunFolder&,                                                                                         \
      sparse::amr::Simulation<sparse::compressible::AnyFlux<sparse::compressible::Euler<T, Dim>>>&,                    \
      sparse::app::Show<sparse::amr::Simulation<sparse::compressible::AnyFlux<sparse::compressible::Euler<T, Dim>>>,   \
                        sparse::app::GasFields<sparse::compressible::Euler<T, Dim>>> const&);
SPARSE_RUN(extern, float, 2)
SPARSE_RUN(extern, float, 3)
SPARSE_RUN(extern, double, 2)
SPARSE_RUN(extern, double, 3)
