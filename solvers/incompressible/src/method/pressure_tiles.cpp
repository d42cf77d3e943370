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

  /// The tiles that have nodes of their own, and all segments.
  std::pair<std::vector<Tile>, std::vector<TileSegment>> joined() const {
    std::vector<Tile> tiles;
    std::vector<TileSegment> all;
    for (auto const& of_tile : segments_) {
      if (std::none_of(of_tile.begin(), of_tile.end(), [](TileSegment const& s) { return s.begin < s.end; })) continue;
      Tile tile{static_cast<Index>(all.size()), of_tile.front().x, 0, of_tile.front().y, of_tile.back().y + 1};
      for (TileSegment const& segment : of_tile) {
        tile.left = std::min(tile.left, segment.x);
        tile.right = std::max(tile.right, segment.x + segment.length);
      }
      all.insert(all.end(), of_tile.begin(), of_tile.end());
      tiles.push_back(tile);
    }
    tiles.push_back({static_cast<Index>(all.size()), 0, 0, 0, 0});
    return {tiles, all};
  }

private:
  static int count(Coord length, int size) { return (length + size - 1) / size; }
  /// The first tile that does not end before a position, halo excluded.
  static int at_least(int position, int size) { return std::max(0, position / size); }

  Vec<Coord, 2> first_;
  int halo_, columns_, rows_;
  std::vector<std::vector<TileSegment>> segments_;
};

/// The first piece of plain nodes in each row of the window of each tile.
std::vector<PlainNodes> plain_nodes(std::vector<Tile> const& tiles, std::vector<TileSegment> const& segments,
                                    std::vector<std::uint8_t> const& flags, int height) {
  constexpr std::uint8_t plain = TilesView::all_arms | TilesView::is_swept;
  std::vector<PlainNodes> rows((tiles.size() - 1) * static_cast<std::size_t>(height), PlainNodes{0, 0});
  for (std::size_t t = 0; t + 1 < tiles.size(); ++t)
    for (Index s = tiles[t].first; s < tiles[t + 1].first; ++s) {
      TileSegment const& segment = segments[static_cast<std::size_t>(s)];
      PlainNodes& row = rows[t * static_cast<std::size_t>(height) + static_cast<std::size_t>(segment.y)];
      if (row.begin < row.end) continue;
      auto const first = flags.begin() + segment.node, last = first + segment.length;
      auto const begin = std::find(first, last, plain);
      auto const end = std::find_if(begin, last, [](std::uint8_t flag) { return flag != plain; });
      row = {segment.x + static_cast<int>(begin - first), segment.x + static_cast<int>(end - first)};
    }
  return rows;
}

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
  auto const [tiles, segments] = lists.joined();
  tile_count_ = static_cast<Index>(tiles.size()) - 1;
  tiles_ = to_device(*context_, tiles);
  segments_ = to_device(*context_, segments);
  auto const flags_on_host = to_host(*context_, static_cast<std::uint8_t const*>(flags_.data()), flags_.size());
  plain_ = to_device(*context_, plain_nodes(tiles, segments, flags_on_host, view().height()));
}

}  // namespace sparse::incompressible::detail
