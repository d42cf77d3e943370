// What the pressure of an incompressible flow would cost on many ranks.

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/io/sets/set_file.hpp>
#include <sparse/poisson/traffic.hpp>
#include <sparse/sets/scaling.hpp>

#include "options.hpp"

using namespace sparse;
using Json = nlohmann::ordered_json;

namespace {

constexpr double value_bytes = sizeof(float);  // of the values in cycles
/// Sums over all ranks in an iteration: of products, and of those with A p.
constexpr int sums_per_iteration = 2;

/// Messages that go one after the other until all ranks have the values of all.
double gathering_count(double ranks) { return std::ceil(std::log2(ranks)); }

/// One level of an iteration, on the ranks.
Json level_of(poisson::LevelTraffic const& level, distributed::Machine const& machine) {
  auto const ranks = static_cast<double>(level.ranks.size()), cells = static_cast<double>(level.cell_count);
  double most = 0, slowest = 0, messages = 0, bytes = 0, stored = 0;
  for (auto const& rank : level.ranks) {
    double of_rank = 0;
    for (auto const& delivery : rank.halo) of_rank += value_bytes * static_cast<double>(delivery.cell_count);
    double const count = level.is_shared ? static_cast<double>(rank.halo.size()) : gathering_count(ranks);
    double const sending = level.exchange_count * (count * machine.latency + of_rank / machine.bandwidth);
    auto const work = static_cast<double>(rank.work);
    slowest = std::max(slowest, work / machine.updates + sending);
    most = std::max(most, work);
    messages += level.exchange_count * count / ranks;
    bytes += level.exchange_count * of_rank / ranks;
    stored += work;
  }
  return {{"cells", level.cell_count},
          {"shared", level.is_shared},
          {"unit", level.unit_edge},
          {"computed cells of a rank over its share, most", most / (cells / ranks)},
          {"computed cells over cells", stored / cells},
          {"messages", messages},
          {"bytes", bytes},
          {"seconds", slowest}};
}

Json predict(std::vector<poisson::LevelTraffic> const& levels, int ranks, distributed::Machine const& machine) {
  Json of_levels = Json::array();
  double messages = 0, bytes = 0, seconds = 0, cells = 0;
  for (auto const& level : levels) {
    of_levels.push_back(level_of(level, machine));
    auto const& found = of_levels.back();
    messages += found["messages"].get<double>();
    bytes += found["bytes"].get<double>();
    seconds += found["seconds"].get<double>();
    cells += static_cast<double>(level.cell_count);
  }
  std::size_t most_partners = 0, all_partners = 0;
  for (auto const& rank : levels.front().ranks) {
    most_partners = std::max(most_partners, rank.halo.size());
    all_partners += rank.halo.size();
  }
  // Each sum goes up a tree of ranks and down again.
  seconds += sums_per_iteration * 2 * gathering_count(ranks) * machine.latency;
  return {{"ranks", ranks},
          {"levels", of_levels},
          {"partners", static_cast<double>(all_partners) / ranks},
          {"partners, most", most_partners},
          {"messages per iteration", messages},
          {"bytes per iteration", bytes},
          {"seconds per iteration", seconds},
          {"efficiency", cells / ranks / machine.updates / seconds}};
}

void print(Json const& p) {
  fmt::print("\n{} ranks\n", p["ranks"].get<int>());
  fmt::print("  {:>5}  {:>12}  {:>6}  {:>17}  {:>9}  {:>10}\n", "level", "cells", "unit", "computed by ranks",
             "messages", "bytes");
  int number = 0;
  for (auto const& level : p["levels"])
    fmt::print("  {:>5}  {:>12}  {:>6}  {:>17}  {:>9.0f}  {:>10.0f}\n", number++, level["cells"].get<Index>(),
               level["shared"].get<bool>() ? fmt::format("{}", level["unit"].get<int>()) : "-",
               level["shared"].get<bool>()
                   ? fmt::format("{:.2f} times", level["computed cells over cells"].get<double>())
                   : "all, by each",
               level["messages"].get<double>(), level["bytes"].get<double>());
  fmt::print("  partners of a rank                {:.1f}, at most {}\n", p["partners"].get<double>(),
             p["partners, most"].get<int>());
  fmt::print("  received by a rank per iteration  {:.0f} messages, {:.1f} kB\n",
             p["messages per iteration"].get<double>(), p["bytes per iteration"].get<double>() / 1e3);
  fmt::print("  an iteration                      {:.3g} s, efficiency {:.1f} %\n",
             p["seconds per iteration"].get<double>(), 100 * p["efficiency"].get<double>());
}

}  // namespace

template <int Dim>
void report_pressure(Options const& o) {
  if (!o.picture.empty() || !o.subcycles)
    throw std::runtime_error("--picture and --no-subcycle are for compressible flows");
  io::SetReader<Dim> file(o.checkpoint);
  poisson::Problem<Dim> problem;
  problem.cells = file.set("fluid");
  problem.partition = o.partition;
  for (int step = 0; step < o.refinements; ++step) problem.cells = refine(problem.cells);
  Json result = {{"cells", problem.cells.cell_count()}, {"predictions", Json::array()}};
  for (int const ranks : o.ranks)
    result["predictions"].push_back(
        predict(poisson::cycle_traffic(problem, ranks, {.sweeps = 1}), ranks, o.machine(100)));
  if (o.is_json) {
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print("{} cells; iterations for the pressure\n", result["cells"].get<Index>());
  for (auto const& of_ranks : result["predictions"]) print(of_ranks);
}
template void report_pressure<2>(Options const&);
template void report_pressure<3>(Options const&);
