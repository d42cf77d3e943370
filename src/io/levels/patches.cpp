#include "patches.hpp"

#include <algorithm>

#include "leaves.hpp"

namespace sparse::io {
namespace {

template <int Dim>
inline constexpr int tile_bits = Dim == 2 ? 7 : 5;

bool goes_before(Segment const& a, Segment const& b) { return a.to < b.to; }

/// Calls `body(tile, cell, count, first)` for the parts of runs that lie in one tile.
template <int Dim, class Body>
void for_each_part(HostSet<Dim> const& cells, Body&& body) {
  constexpr int bits = tile_bits<Dim>;
  for (Run const& run : runs_of(cells)) {
    auto cell = cell_at<Dim>(run.row, run.x.begin);
    std::array<Coord, Dim> tile;
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
Patches<Dim>::Patches(int level, HostSet<Dim> const& cells) {
  for_each_part<Dim>(cells, [&](Tile const& tile, Vec<Coord, Dim> begin, Coord count, Index) {
    auto const end = begin + Vec<Coord, Dim>::filled(1) + Vec<Coord, Dim>::along(0, count - 1);
    auto& patch = patches_.try_emplace(tile, Patch<Dim>{{begin, end}, 0}).first->second;
    for (int axis = 0; axis < Dim; ++axis) {
      patch.box.begin[axis] = std::min(patch.box.begin[axis], begin[axis]);
      patch.box.end[axis] = std::max(patch.box.end[axis], end[axis]);
    }
  });
  for (auto& [tile, patch] : patches_) {
    for (int axis = 0; axis < Dim && level > 0; ++axis) {
      patch.box.begin[axis] &= ~1;
      patch.box.end[axis] = (patch.box.end[axis] + 1) & ~1;
    }
    patch.first = size_;
    size_ += patch.box.cell_count();
  }
  present_ = places_of(cells);
}

template <int Dim>
std::vector<Segment> Patches<Dim>::places_of(HostSet<Dim> const& cells) const {
  std::vector<Segment> found;
  for_each_part<Dim>(cells, [&](Tile const& tile, Vec<Coord, Dim> const& cell, Coord count, Index from) {
    auto const& patch = patches_.at(tile);
    Index to = 0;
    for (int axis = Dim - 1; axis >= 0; --axis)
      to = to * (patch.box.end[axis] - patch.box.begin[axis]) + (cell[axis] - patch.box.begin[axis]);
    found.push_back({from, patch.first + to, count, false});
  });
  std::sort(found.begin(), found.end(), goes_before);
  return found;
}

template <int Dim>
std::vector<Segment> Patches<Dim>::segments_of(HostSet<Dim> const& own) const {
  auto segments = places_of(own);
  std::size_t const own_count = segments.size();
  std::size_t next = 0;             // of the own ones
  auto present = present_.begin();  // of all
  for (auto const& [tile, patch] : patches_) {
    while (next < own_count && segments[next].to < present->to) ++next;
    bool const has_first = next < own_count && segments[next].to == present->to;
    Index const sample = has_first ? segments[next].from : 0;
    Index const end = patch.first + patch.box.cell_count();
    Index gap = patch.first;
    for (;; ++present) {
      bool const is_last = present == present_.end() || present->to >= end;
      Index const gap_end = is_last ? end : present->to;
      if (has_first && gap < gap_end) segments.push_back({sample, gap, gap_end - gap, true});
      if (is_last) break;
      gap = present->to + present->count;
    }
  }
  std::sort(segments.begin(), segments.end(), goes_before);
  return segments;
}

template class Patches<2>;
template class Patches<3>;

}  // namespace sparse::io
