#include "pressure_tiles.hpp"

#include <algorithm>
#include <vector>

#include <sparse/plans/for_each.hpp>

namespace sparse::incompressible::detail {
namespace {

/// The segments of all tiles, tile by tile along rows of tiles.
class TileLists {
public:
  TileLists(Box<2> const& bounds, int halo)
      : first_(bounds.begin), halo_(halo), columns_(count(bounds.end[0] - bounds.begin[0], tile_width)),
        rows_(count(bounds.end[1] - bounds.begin[1], tile_height)),
        segments_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  /// Adds the nodes of an interval of row y to every tile whose window they touch.
  void add(Coord y, Interval interval, Index node) {
    int const row = y - first_[1], begin = interval.begin - first_[0], end = interval.end - first_[0];
    for (int j = at_least(row - halo_, tile_height); j < rows_ && j * tile_height - halo_ <= row; ++j)
      for (int i = at_least(begin - halo_, tile_width); i < columns_ && i * tile_width - halo_ < end; ++i) {
        int const left = i * tile_width - halo_, right = left + tile_width + 2 * halo_;
        int const from = std::max(begin, left), to = std::min(end, right);
        if (from >= to) continue;
        TileSegment segment{node + (from - begin), from - left, row - (j * tile_height - halo_), to - from, 0, 0};
        if (row >= j * tile_height && row < (j + 1) * tile_height) {
          segment.begin = std::clamp(left + halo_ - from, 0, segment.length);
          segment.end = std::clamp(left + halo_ + tile_width - from, 0, segment.length);
        }
        segments_[static_cast<std::size_t>(j) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(i)]
            .push_back(segment);
      }
  }

  /// The tiles that have nodes of their own: first segments, and all segments.
  std::pair<std::vector<Index>, std::vector<TileSegment>> joined() const {
    std::vector<Index> starts = {0};
    std::vector<TileSegment> all;
    for (auto const& of_tile : segments_) {
      if (std::none_of(of_tile.begin(), of_tile.end(), [](TileSegment const& s) { return s.begin < s.end; })) continue;
      all.insert(all.end(), of_tile.begin(), of_tile.end());
      starts.push_back(static_cast<Index>(all.size()));
    }
    return {starts, all};
  }

private:
  static int count(Coord length, int size) { return (length + size - 1) / size; }
  /// The first tile that does not end before a position, halo excluded.
  static int at_least(int position, int size) { return std::max(0, position / size); }

  Vec<Coord, 2> first_;
  int halo_, columns_, rows_;
  std::vector<std::vector<TileSegment>> segments_;
};

void set_flags(IntervalSet<2> const& nodes, NodeStencil const& swept, std::uint8_t* flags) {
  parallel_for(
      nodes.context(), "sparse::collocated::clear_flags", nodes.cell_count(), KOKKOS_LAMBDA(Index i) { flags[i] = 0; });
  for_each(
      "sparse::collocated::set_flags", swept, KOKKOS_LAMBDA(StencilPoint<2> const& p) {
        unsigned flag = TilesView::is_swept;
        for (int arm = 0; arm < 4; ++arm) flag |= p.has_neighbour(arm) ? 1u << arm : 0u;
        flags[p.cell] = static_cast<std::uint8_t>(flag);
      });
}

}  // namespace

PressureTiles::PressureTiles(IntervalSet<2> const& nodes, NodeStencil const& swept, int most_sweeps)
    : flags_(nodes.context(), nodes.cell_count()), halo_(most_sweeps),
      context_(std::make_shared<Context const>(nodes.context())) {
  set_flags(nodes, swept, flags_.data());
  TileLists lists(nodes.bounds(), halo_);
  nodes.to_host().for_each_interval(
      [&](RowKey key, Interval interval, Index node) { lists.add(cell_at<2>(key, 0)[1], interval, node); });
  auto const [starts, segments] = lists.joined();
  tile_count_ = static_cast<Index>(starts.size()) - 1;
  starts_ = to_device(*context_, starts);
  segments_ = to_device(*context_, segments);
}

}  // namespace sparse::incompressible::detail
