#pragma once
/// Several sweeps of the pressure at once, tile by tile in scratch memory.

#include "collocated_kernels.hpp"

namespace sparse::incompressible::detail {

/// A part of a row of nodes in the window of a tile, which is the tile and as many nodes around it as it takes sweeps.
struct TileSegment {
  Index node;        ///< number of the first node
  int x, y, length;  ///< of the first node in the window; nodes
  int begin, end;    ///< the nodes of the segment that belong to the tile
};

/// A tile, and the part of its window that has nodes.
struct Tile {
  Index first;  ///< segment; those of the next tile follow
  int left, right, below, above;
};

/// A part of a row of a window: swept nodes with all four neighbours. Loops over them need no flags.
struct PlainNodes {
  int begin, end;
};

/// Nodes per tile. On the host a window fits into the cache of a core, on a device into the memory of a block.
inline constexpr int tile_width = is_host_backend ? 128 : 32, tile_height = is_host_backend ? 32 : 16;

/// What kernels see of the tiles.
struct TilesView {
  Tile const* tiles;  // [tile_count + 1] the last one only ends the list of segments
  TileSegment const* segments;
  PlainNodes const* plain;  // [tile_count * height()]
  /// [nodes] bit `arm`: the pressure of this neighbour exists; `is_swept`: the node is swept
  std::uint8_t const* flags;
  int halo;

  static constexpr std::uint8_t all_arms = 15, is_swept = 16;
  KOKKOS_FORCEINLINE_FUNCTION int width() const { return tile_width + 2 * halo; }
  KOKKOS_FORCEINLINE_FUNCTION int height() const { return tile_height + 2 * halo; }
};

/// The nodes of a flow in tiles. Made once per change of the given pressures.
class PressureTiles {
public:
  PressureTiles() = default;
  /// @param swept        the nodes that sweeps change, with the neighbours that count
  /// @param most_sweeps  > 0, per visit of a tile
  /// Cost: a pass over the nodes on the host.
  PressureTiles(IntervalSet<2> const& nodes, NodeStencil const& swept, int most_sweeps);

  Index tile_count() const { return tile_count_; }
  TilesView view() const { return {tiles_.data(), segments_.data(), plain_.data(), flags_.data(), halo_}; }
  Context context() const { return context_ ? *context_ : Context(); }

private:
  Buffer<Tile> tiles_;
  Buffer<TileSegment> segments_;
  Buffer<PlainNodes> plain_;
  Buffer<std::uint8_t> flags_;
  Index tile_count_ = 0;
  int halo_ = 0;
  std::shared_ptr<Context const> context_;
};

/// Reads the window of a tile, sweeps it, and writes the nodes of the tile. With each sweep the outermost nodes of the
/// window are no longer right; as many sweeps as the halo is wide leave the tile itself right.
template <class T, int stride>
struct SweepTile {
  using Column = NodeColumn<T, stride>;
  TilesView tiles;
  Column from, to, source;
  T weight[2];
  int sweep_count, scratch_level;

  /// Of the memory of a window: pressures before and after a sweep, sources, flags.
  KOKKOS_FORCEINLINE_FUNCTION static std::size_t scratch_bytes(TilesView const& view) {
    return static_cast<std::size_t>(view.width() * view.height()) * (3 * sizeof(T) + 1);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const width = tiles.width(), height = tiles.height(), count = width * height;
    T* now = static_cast<T*>(member.team_scratch(scratch_level).get_shmem_aligned(scratch_bytes(tiles), 64));
    T *next = now + count, *const sources = next + count;
    auto* const flags = reinterpret_cast<std::uint8_t*>(sources + count);

    Tile const tile = tiles.tiles[member.league_rank()];
    Index const begin = tile.first, end = tiles.tiles[member.league_rank() + 1].first;
    each(member, tile.left, tile.right, tile.below, tile.above, Clear{flags, width});
    member.team_barrier();
    each_of_segments<false>(member, begin, end, Load{*this, now, sources, flags, width});
    member.team_barrier();
    for (int sweep = 1; sweep <= sweep_count; ++sweep) {
      int const left = larger(sweep, tile.left), right = smaller(width - sweep, tile.right);
      int const below = larger(sweep, tile.below), above = smaller(height - sweep, tile.above);
      Sweep<false> const careful{{weight[0], weight[1]}, now, next, sources, flags, width};
      if constexpr (is_host_backend) {
        Sweep<true> const plain{{weight[0], weight[1]}, now, next, sources, flags, width};
        for (int y = below; y < above; ++y) {
          PlainNodes const nodes = tiles.plain[member.league_rank() * height + y];
          int const middle = smaller(larger(nodes.begin, left), right);
          int const rest = smaller(larger(nodes.end, middle), right);
          each(member, left, middle, y, y + 1, careful);
          each(member, middle, rest, y, y + 1, plain);
          each(member, rest, right, y, y + 1, careful);
        }
      } else {
        each(member, left, right, below, above, careful);
      }
      member.team_barrier();
      T* const swept = next;
      next = now;
      now = swept;
    }
    each_of_segments<true>(member, begin, end, Store{to, now, width});
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION static int smaller(int a, int b) { return a < b ? a : b; }
  KOKKOS_FORCEINLINE_FUNCTION static int larger(int a, int b) { return a > b ? a : b; }
  /// Calls `body(x, y)` in a rectangle, by all threads of the team.
  template <class Member, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void each(Member const& member, int left, int right, int below, int above,
                                               Body const& body) {
    if constexpr (is_host_backend) {
      for (int y = below; y < above; ++y) {
        SPARSE_INDEPENDENT_ITERATIONS
        for (int x = left; x < right; ++x) body(x, y);
      }
    } else {
      int const width = right - left, count = width * (above - below);
      for (int i = member.team_rank(); i < count; i += member.team_size()) body(left + i % width, below + i / width);
    }
  }

  /// Calls `body(segment, i)` for the nodes i of segments, or for those of the tile alone.
  template <bool of_tile, class Member, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void each_of_segments(Member const& member, Index begin, Index end,
                                                    Body const& body) const {
    if constexpr (is_host_backend) {
      for (Index s = begin; s < end; ++s) {
        TileSegment const segment = tiles.segments[s];
        int const last = of_tile ? segment.end : segment.length;
        SPARSE_INDEPENDENT_ITERATIONS
        for (int i = of_tile ? segment.begin : 0; i < last; ++i) body(segment, i);
      }
    } else {
      int const width = tiles.width(), count = width * static_cast<int>(end - begin);
      for (int place = member.team_rank(); place < count; place += member.team_size()) {
        TileSegment const segment = tiles.segments[begin + place / width];
        int const i = place % width;
        if (of_tile ? i >= segment.begin && i < segment.end : i < segment.length) body(segment, i);
      }
    }
  }

  struct Clear {
    std::uint8_t* flags;
    int width;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int x, int y) const { flags[y * width + x] = 0; }
  };
  struct Load {
    SweepTile const& kernel;
    T *now, *sources;
    std::uint8_t* flags;
    int width;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(TileSegment const& segment, int i) const {
      int const place = segment.y * width + segment.x + i;
      now[place] = kernel.from(segment.node + i);
      sources[place] = kernel.source(segment.node + i);
      flags[place] = kernel.tiles.flags[segment.node + i];
    }
  };
  struct Store {
    Column to;
    T const* now;
    int width;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(TileSegment const& segment, int i) const {
      to(segment.node + i) = now[segment.y * width + segment.x + i];
    }
  };
  /// @tparam is_plain  whether all nodes are swept and have four neighbours
  template <bool is_plain>
  struct Sweep {
    T weight[2];
    T const* now;
    T* next;
    T const* sources;
    std::uint8_t const* flags;
    int width;
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int x, int y) const {
      int const place = y * width + x;
      T const left = now[place - 1], right = now[place + 1], below = now[place - width], above = now[place + width];
      if constexpr (is_plain) {
        next[place] = swept_pressure(weight, left, right, below, above, sources[place]);
      } else {
        unsigned const flag = flags[place];
        T const self = now[place];
        T const swept = swept_pressure(weight, flag & 1u ? left : self, flag & 2u ? right : self,
                                       flag & 4u ? below : self, flag & 8u ? above : self, sources[place]);
        next[place] = flag & TilesView::is_swept ? swept : self;
      }
    }
  };
};

/// Takes `sweep_count` sweeps of all tiles, which may be at most as many as they are made for.
template <class T, int stride>
void sweep_tiles(PressureTiles const& tiles, SweepPressure<T, stride> const& sweep, int sweep_count) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Kernel = SweepTile<T, stride>;
  Policy policy(tiles.context().execution(), static_cast<int>(tiles.tile_count()), is_host_backend ? 1 : 256);
  // The memory of a block is 48 kB on most devices. Larger windows go to the memory of the device.
  auto const bytes = static_cast<int>(Kernel::scratch_bytes(tiles.view())) + 64;
  int const level = is_host_backend || bytes > 48 * 1024 ? 1 : 0;
  policy.set_scratch_size(level, Kokkos::PerTeam(bytes));
  Kokkos::parallel_for(
      "sparse::collocated::sweep_tiles", policy,
      Kernel{tiles.view(), sweep.from, sweep.to, sweep.source, {sweep.weight[0], sweep.weight[1]}, sweep_count, level});
}

}  // namespace sparse::incompressible::detail
