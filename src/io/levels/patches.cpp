#include "patches.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace sparse::io {
namespace {

template <int Dim>
inline constexpr int tile_bits = Dim == 2 ? 7 : 5;

/// Tile coordinates in storage order: the last axis first.
template <int Dim>
using Tile = std::array<Coord, Dim>;

/// Calls `body(tile, cell, count, first)` for the parts of runs that lie in one tile.
template <int Dim, class Body>
void for_each_part(std::vector<Run> const& runs, Body&& body) {
  constexpr int bits = tile_bits<Dim>;
  for (Run const& run : runs) {
    auto cell = cell_at<Dim>(run.row, run.x.begin);
    Tile<Dim> tile;
    for (int axis = 1; axis < Dim; ++axis) tile[static_cast<std::size_t>(Dim - 1 - axis)] = cell[axis] >> bits;
    while (cell[0] < run.x.end) {
      tile.back() = cell[0] >> bits;
      Coord const end = std::min(run.x.end, (tile.back() + 1) << bits);
      body(tile, cell, Coord{end - cell[0]}, run.first + (cell[0] - run.x.begin));
      cell[0] = end;
    }
  }
}

}  // namespace

template <int Dim>
Patches<Dim> patches_of(LevelCells<Dim> const& level) {
  std::map<Tile<Dim>, Patch<Dim>> tiles;
  auto const all = runs_of(level.cells);
  for_each_part<Dim>(all, [&](Tile<Dim> const& tile, Vec<Coord, Dim> begin, Coord count, Index from) {
    auto const end = begin + Vec<Coord, Dim>::filled(1) + Vec<Coord, Dim>::along(0, count - 1);
    auto& patch = tiles.try_emplace(tile, Patch<Dim>{{begin, end}, 0, 0, from}).first->second;
    for (int axis = 0; axis < Dim; ++axis) {
      patch.box.begin[axis] = std::min(patch.box.begin[axis], begin[axis]);
      patch.box.end[axis] = std::max(patch.box.end[axis], end[axis]);
    }
    patch.cell_count += count;
  });

  Patches<Dim> result;
  for (auto& [tile, patch] : tiles) {
    for (int axis = 0; axis < Dim && level.level > 0; ++axis) {
      patch.box.begin[axis] &= ~1;
      patch.box.end[axis] = (patch.box.end[axis] + 1) & ~1;
    }
    patch.first = result.size;
    result.size += patch.box.cell_count();
    result.patches.push_back(patch);
  }

  auto const segments = [&](std::vector<Run> const& runs) {
    std::vector<Segment> found;
    found.reserve(runs.size());
    for_each_part<Dim>(runs, [&](Tile<Dim> const& tile, Vec<Coord, Dim> const& cell, Coord count, Index from) {
      auto const& patch = tiles.find(tile)->second;
      Index to = 0;
      for (int axis = Dim - 1; axis >= 0; --axis)
        to = to * (patch.box.end[axis] - patch.box.begin[axis]) + (cell[axis] - patch.box.begin[axis]);
      found.push_back({from, patch.first + to, count});
    });
    return found;
  };
  result.cells = segments(all);
  result.leaves = segments(leaf_runs(level));
  return result;
}

template Patches<2> patches_of<2>(LevelCells<2> const&);
template Patches<3> patches_of<3>(LevelCells<3> const&);

}  // namespace sparse::io
