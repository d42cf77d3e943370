// What a compressible flow on levels would cost on many ranks.

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/distributed/traffic.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/fields/subview.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/io/pictures/render.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "options.hpp"

using namespace sparse;
using Json = nlohmann::ordered_json;

namespace {

/// What a checkpoint says about its flow.
template <int Dim>
struct Levels {
  std::vector<IntervalSet<Dim>> cells;
  Index bytes_per_cell = 0;
  Index geometry_bytes = 0;

  Index leaf_count() const {
    Index count = 0;
    for (std::size_t l = 0; l < cells.size(); ++l)
      count += cells[l].cell_count() - (l + 1 < cells.size() ? coarsen(cells[l + 1]).cell_count() : 0);
    return count;
  }
};

/// The same levels with cells of half the width. Covered cells are those with children, as before: beside a body some
/// of the halves of a covered cell have none, and are solid.
template <int Dim>
std::vector<IntervalSet<Dim>> halved(std::vector<IntervalSet<Dim>> const& cells) {
  std::vector<IntervalSet<Dim>> result(cells.size());
  for (std::size_t l = cells.size(); l-- > 0;) {
    bool const is_finest = l + 1 == cells.size();
    result[l] = refine(is_finest ? cells[l] : cells[l] - coarsen(cells[l + 1]));
    if (!is_finest) result[l] |= coarsen(result[l + 1]);
  }
  return result;
}

template <int Dim>
Levels<Dim> read_levels(Options const& o) {
  auto const refuse = [&](std::string const& reason) {
    throw std::runtime_error(o.checkpoint.string() + ": " + reason);
  };
  io::SetReader<Dim> file(o.checkpoint);
  auto const& contents = file.contents();
  auto const count = contents.notes.find("level_count");
  if (count == contents.notes.end() || !std::holds_alternative<std::int64_t>(count->second))
    refuse("it is no checkpoint of a flow on levels: there is no level_count in it");
  Levels<Dim> levels;
  for (std::int64_t l = 0; l < std::get<std::int64_t>(count->second); ++l)
    levels.cells.push_back(file.set("cells_" + std::to_string(l)));
  if (levels.cells.empty() || levels.cells[0].is_empty()) refuse("there are no cells in it");
  for (auto const& entry : contents.entries)  // files of early versions have no notes of it
    if (entry.is_field && entry.name == "state_0")
      levels.bytes_per_cell = entry.component_count * (entry.type == "float" ? 4 : 8);
  auto const components = contents.notes.find("component_count"), bytes = contents.notes.find("bytes_per_number");
  if (components != contents.notes.end() && bytes != contents.notes.end())
    levels.bytes_per_cell = std::get<std::int64_t>(components->second) * std::get<std::int64_t>(bytes->second);
  if (levels.bytes_per_cell == 0) refuse("it says nothing of its states");
  for (int step = 0; step < o.refinements; ++step) levels.cells = halved(levels.cells);
  for (auto const& cells : levels.cells) levels.geometry_bytes += cells.byte_count();
  return levels;
}

/// The cut and the prediction for one number of ranks.
template <int Dim>
Json predict(Levels<Dim> const& levels, std::vector<IntervalSet<Dim>> const& computed, int ranks, Options const& o) {
  using Clock = std::chrono::steady_clock;
  auto const start = Clock::now();
  distributed::Partition<Dim> const partition(ranks, levels.cells[0].bounds(), computed, o.partition);
  double const seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::vector<Index> steps;
  for (std::size_t l = 0; l < computed.size(); ++l) steps.push_back(o.subcycles ? Index{1} << l : 1);
  auto const p =
      distributed::predict(distributed::traffic(partition, levels.cells), steps, levels.bytes_per_cell, o.machine(10));
  Json of_levels = Json::array();
  for (std::size_t l = 0; l < computed.size(); ++l)
    of_levels.push_back({{"level", l},
                         {"computed cells", computed[l].cell_count()},
                         {"unit", partition.unit_edge(static_cast<int>(l))},
                         {"imbalance", p.imbalance[l]}});
  int const states = 3;  // of a level: the current one, the one before, and a new one
  return {{"ranks", ranks},
          {"levels", of_levels},
          {"imbalance of the step", p.synchronised},
          {"partners", p.partners},
          {"partners, most", p.most_partners},
          {"messages per step", p.messages},
          {"bytes per step", p.bytes},
          {"bytes stored, most", p.most_stored * levels.bytes_per_cell * states},
          {"seconds to cut", seconds},
          {"seconds per step", p.seconds},
          {"efficiency", p.efficiency}};
}

/// Which rank owns which leaf. Ranks that follow each other on the curve have colours that are far apart.
template <int Dim>
void draw_parts(Levels<Dim> const& levels, std::vector<IntervalSet<Dim>> const& computed, Options const& o) {
  distributed::Partition<Dim> const partition(o.ranks[0], levels.cells[0].bounds(), computed, o.partition);
  std::vector<io::LevelCells<Dim>> drawn;
  for (std::size_t l = 0; l < levels.cells.size(); ++l) {
    auto const& cells = levels.cells[l];
    Field<float, Dim> colours("rank", cells);
    auto const parts = partition.split(static_cast<int>(l), cells);
    for (std::size_t r = 0; r < parts.size(); ++r)
      fill(view(colours, parts[r]), static_cast<float>(std::fmod(0.618 * static_cast<double>(r), 1)));
    auto const covered = l + 1 < levels.cells.size() ? coarsen(levels.cells[l + 1]) : IntervalSet<Dim>();
    drawn.push_back({static_cast<int>(l), cells.to_host(), {io::array_of(colours)}, covered.to_host()});
  }
  io::RenderOptions const options{.range = {{0, 1}}, .colour_bar = false, .length_unit = "cells of level 0"};
  io::write_png(o.picture, io::render<Dim>({}, drawn, "rank", options));
}

void print(Json const& of_ranks) {
  fmt::print("\n{} ranks\n", of_ranks["ranks"].get<int>());
  fmt::print("  {:>5}  {:>15}  {:>10}  {:>9}\n", "level", "cells per step", "unit", "imbalance");
  for (auto const& level : of_ranks["levels"])
    fmt::print("  {:>5}  {:>15}  {:>10}  {:>9.3f}\n", level["level"].get<int>(), level["computed cells"].get<Index>(),
               level["unit"].get<int>(), level["imbalance"].get<double>());
  fmt::print("  imbalance of the whole step  {:.3f}\n", of_ranks["imbalance of the step"].get<double>());
  fmt::print("  partners of a rank           {:.1f}, at most {}\n", of_ranks["partners"].get<double>(),
             of_ranks["partners, most"].get<int>());
  fmt::print("  received by a rank per step  {:.0f} messages, {:.1f} kB\n", of_ranks["messages per step"].get<double>(),
             of_ranks["bytes per step"].get<double>() / 1e3);
  fmt::print("  states of a rank             at most {:.1f} MB\n", of_ranks["bytes stored, most"].get<double>() / 1e6);
  fmt::print("  a step                       {:.3g} s, efficiency {:.1f} %\n",
             of_ranks["seconds per step"].get<double>(), 100 * of_ranks["efficiency"].get<double>());
}

}  // namespace

template <int Dim>
void report_levels(Options const& o) {
  auto const levels = read_levels<Dim>(o);
  auto const computed = distributed::computed_cells(levels.cells);
  Json result = {{"leaves", levels.leaf_count()},
                 {"bytes per cell", levels.bytes_per_cell},
                 {"bytes of geometry", levels.geometry_bytes},
                 {"predictions", Json::array()}};
  if (!o.picture.empty()) draw_parts(levels, computed, o);
  for (int const ranks : o.ranks) result["predictions"].push_back(predict(levels, computed, ranks, o));
  if (o.is_json) {
    fmt::print("{}\n", result.dump(2));
    return;
  }
  fmt::print("{} leaves on {} levels, {} bytes each; the sets of all levels take {:.1f} kB\n",
             result["leaves"].get<Index>(), levels.cells.size(), levels.bytes_per_cell,
             static_cast<double>(levels.geometry_bytes) / 1e3);
  for (auto const& of_ranks : result["predictions"]) print(of_ranks);
}

template void report_levels<2>(Options const&);
template void report_levels<3>(Options const&);
