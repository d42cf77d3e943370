#pragma once
/// Random levels, and their sets as plain sets of cells.

#include <support/amr_levels.hpp>

namespace reference {

/// One level as plain sets of cells.
template <int Dim>
struct PlainLevel {
  Cells<Dim> cells, covered, leaves, update, storage, coarse_ghosts, curved_ghosts, face_ghosts, valid, restricted;
  Cells<Dim> fluid, solid;
};

template <int Dim>
std::vector<PlainLevel<Dim>> plain(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& levels) {
  std::vector<PlainLevel<Dim>> result;
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    auto const& sets = levels[l];
    result.push_back({cells_of(sets.cells), cells_of(sets.covered), cells_of(sets.leaves), cells_of(sets.update),
                      cells_of(sets.storage), cells_of(sets.coarse_ghosts), cells_of(sets.curved_ghosts),
                      cells_of(sets.face_ghosts), cells_of(sets.valid), cells_of(sets.restricted),
                      cells_of(domain.fluid(l)), cells_of(domain.solid(l))});
  }
  return result;
}

/// Levels of random tags around random bodies, as the library makes them and as plain sets.
template <int Dim>
struct LevelSample {
  explicit LevelSample(unsigned seed)
      : random(seed), domain(random.options),
        sets(level_sets(domain, nested_cells(domain, random.tag_sets(), random.buffers))), levels(plain(domain, sets)) {
  }
  RandomLevels<Dim> random;
  Domain<Dim> domain;
  std::vector<LevelSets<Dim>> sets;
  std::vector<PlainLevel<Dim>> levels;
};

}  // namespace reference
