#include <sparse/amr/sweep/plan.hpp>

#include <sparse/base/compat.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/plans/plan.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

/// The first cell of a tile. Along x, the tile ends at `end`.
template <int Dim>
struct TilePlace {
  Vec<Coord, Dim> begin;
  Coord end;
};

template <int Dim>
constexpr Coord tiles_per_block = Dim == 2 ? 1 : Tile<Dim>::block / Tile<Dim>::height;

template <int Dim>
KOKKOS_FUNCTION Index tiles_in(Interval blocks) {
  constexpr Coord joined = Tile<Dim>::length / Tile<Dim>::block;
  return (blocks.end - blocks.begin + joined - 1) / joined * tiles_per_block<Dim>;
}

template <int Dim>
struct CountTiles {
  SetView blocks;
  KOKKOS_FUNCTION Count operator()(Index r) const {
    Index count = 0;
    for (Index i = blocks.row_ptr[r]; i < blocks.row_ptr[r + 1]; ++i) count += tiles_in<Dim>(blocks.intervals[i]);
    return {count};
  }
};

template <int Dim>
struct PlaceTiles {
  SetView blocks;
  Count const* starts;
  TilePlace<Dim>* tiles;
  KOKKOS_FUNCTION void operator()(Index r) const {
    TilePlace<Dim>* out = tiles + starts[r].value;
    for (Index i = blocks.row_ptr[r]; i < blocks.row_ptr[r + 1]; ++i) {
      Interval const interval = blocks.intervals[i];
      Vec<Coord, Dim> const first = Tile<Dim>::block * cell_at<Dim>(blocks.key(r), interval.begin);
      Coord const end = Tile<Dim>::block * interval.end;
      for (Coord part = 0; part < tiles_per_block<Dim>; ++part)
        for (Coord x = first[0]; x < end; x += Tile<Dim>::length) {
          TilePlace<Dim> tile{first, x + Tile<Dim>::length < end ? x + Tile<Dim>::length : end};
          tile.begin[0] = x;
          if constexpr (Dim == 3) tile.begin[1] += part * Tile<Dim>::height;
          *out++ = tile;
        }
    }
  }
};

/// A kind of loop and the set over whose rows it runs.
struct Track {
  SetView set;
  SweepLoop::Kind kind;
  std::uint8_t axis = 0;
  bool sticks = false;
  std::int8_t behind = 0;      // number of slabs by which it lags behind loading
  std::int8_t before[3] = {};  // halo cells included at lower sides: along x, rows, slabs
  std::int8_t after[3] = {};   // the same at upper sides
};

template <int Dim>
struct TrackList {
  static constexpr int capacity = 4 + 9 * Dim;
  Track tracks[capacity];
  int count = 0;
};

/// Passes the loops of tile t to `sink`, in the order in which a sweep runs them.
template <int Dim>
struct ListLoops {
  TilePlace<Dim> const* tiles;
  TrackList<Dim> list;

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index t, Sink& sink) const {
    TilePlace<Dim> const tile = tiles[t];
    sparse::detail::RowCursor rows[TrackList<Dim>::capacity];
    constexpr Coord halo = Tile<Dim>::halo;
    for (Coord step = -halo; step < Tile<Dim>::depth + halo; ++step)
      for (int k = 0; k < list.count; ++k) {
        Track const& track = list.tracks[k];
        Coord const slab = step - track.behind;
        if (slab < -track.before[2] || slab >= Tile<Dim>::depth + track.after[2]) continue;
        Coord const first = Dim == 2 ? 0 : -track.before[1], end = Dim == 2 ? 1 : Tile<Dim>::height + track.after[1];
        for (Coord row = first; row < end; ++row) list_row(tile, track, rows[k], slab, row, sink);
      }
  }

  template <class Sink>
  KOKKOS_FUNCTION void list_row(TilePlace<Dim> const& tile, Track const& track, sparse::detail::RowCursor& cursor,
                                Coord slab, Coord row, Sink& sink) const {
    Vec<Coord, Dim> cell = tile.begin;
    cell[Dim - 1] += slab;
    if constexpr (Dim == 3) cell[1] += row;
    SetView const& set = track.set;
    Index const r = cursor.seek(set, row_key(cell));
    if (r == set.row_count || set.key(r) != row_key(cell)) return;
    Coord const begin = tile.begin[0] - track.before[0], end = tile.end + track.after[0];
    Index low = set.row_ptr[r], high = set.row_ptr[r + 1];
    while (low < high) {  // the first interval that ends behind `begin`
      Index const middle = low + (high - low) / 2;
      bool const is_before = set.intervals[middle].end + set.x_shift <= begin;
      low = is_before ? middle + 1 : low;
      high = is_before ? high : middle;
    }
    for (; low < set.row_ptr[r + 1]; ++low) {
      Interval interval{set.intervals[low].begin + set.x_shift, set.intervals[low].end + set.x_shift};
      if (interval.begin >= end) break;
      Index offset = set.cell_offsets != nullptr ? set.cell_offsets[low] : 0;
      if (interval.begin < begin) {
        offset += begin - interval.begin;
        interval.begin = begin;
      }
      if (interval.end > end) interval.end = end;
      sink(SweepLoop{track.kind, track.axis, track.sticks, static_cast<std::int16_t>(interval.end - interval.begin),
                     static_cast<std::int16_t>(slab), static_cast<std::int16_t>(row),
                     static_cast<std::int16_t>(interval.begin - tile.begin[0]), offset});
    }
  }
};

template <int Dim>
struct CountLoops {
  ListLoops<Dim> list;
  struct Sink {
    Index count = 0;
    KOKKOS_FUNCTION void operator()(SweepLoop const&) { ++count; }
  };
  KOKKOS_FUNCTION Count operator()(Index t) const {
    Sink sink;
    list(t, sink);
    return {sink.count};
  }
};

template <int Dim>
struct FillLoops {
  ListLoops<Dim> list;
  Count const* counts;
  Index* starts;
  SweepLoop* loops;
  struct Sink {
    SweepLoop* out;
    KOKKOS_FUNCTION void operator()(SweepLoop const& loop) { *out++ = loop; }
  };
  KOKKOS_FUNCTION void operator()(Index t) const {
    Sink sink{loops + counts[t].value};
    starts[t] = counts[t].value;
    starts[t + 1] = counts[t + 1].value;
    list(t, sink);
  }
};

/// The start of a loop takes about as long as this many of its cells.
constexpr Index cells_per_start = 32;

struct TileWork {
  Index work, tile;
  bool is_first;
};

struct IsBefore {
  KOKKOS_FUNCTION bool operator()(TileWork const& a, TileWork const& b) const {
    return a.is_first != b.is_first ? a.is_first : a.work > b.work;
  }
};

template <int Dim>
struct MeasureTile {
  CountLoops<Dim> first;  // over cells whose tiles come first
  Index const* starts;
  SweepLoop const* loops;
  TileWork* tiles;
  KOKKOS_FUNCTION void operator()(Index tile) const {
    Index sum = 0;
    for (Index i = starts[tile]; i < starts[tile + 1]; ++i) sum += loops[i].count + cells_per_start;
    tiles[tile] = {sum, tile, first.list.list.count > 0 && first(tile).value > 0};
  }
};

/// The position of the i-th of `count` tasks, sorted by size, such that each thread begins with its largest. Kokkos
/// gives each thread a contiguous part. A thread works from the front of its part, and then from the back of other
/// parts.
KOKKOS_FUNCTION Index place_of(Index i, Index count, Index thread_count) {
  Index const in_part = (count + thread_count - 1) / thread_count, parts = (count + in_part - 1) / in_part;
  Index const in_last = count - (parts - 1) * in_part, in_all = in_last * parts;
  Index const columns = i < in_all ? parts : parts - 1, rest = i < in_all ? i : i - in_all;
  return rest % columns * in_part + (i < in_all ? 0 : in_last) + rest / columns;
}

/// @return  how many tiles come first
template <int Dim>
Index order_tiles(Context const& context, MeasureTile<Dim> measure, Index tile_count, Index* order) {
  Buffer<TileWork> const tiles(context, tile_count);
  TileWork* const tile = measure.tiles = tiles.data();
  parallel_for(context, "sparse::sweep::work", tile_count, measure);
  stable_sort(context, tile, tile_count, IsBefore{});
  Index first_count = 0;
  if (measure.first.list.list.count > 0)
    first_count = parallel_reduce<Kokkos::Sum, Index>(
        context, "sparse::sweep::count_first", tile_count,
        KOKKOS_LAMBDA(Index i, Index & count) { count += tile[i].is_first ? 1 : 0; });
  Index const thread_count = is_host_backend ? compat::concurrency() : 1;
  parallel_for(
      context, "sparse::sweep::order", tile_count, KOKKOS_LAMBDA(Index i) {
        Index const place = i < first_count
                                ? place_of(i, first_count, thread_count)
                                : first_count + place_of(i - first_count, tile_count - first_count, thread_count);
        order[place] = tile[i].tile;
      });
  return first_count;
}

}  // namespace

template <int Dim>
SweepPlan<Dim>::SweepPlan(SweepSets<Dim> const& sets)
    : context_(sets.update.context()), cell_count_(sets.update.cell_count()) {
  if (sets.update.is_empty()) return;
  IntervalSet<Dim> blocks = sets.update;
  for (Coord edge = 1; edge < Tile<Dim>::block; edge *= 2) blocks = coarsen(blocks);
  auto const tile_starts =
      count_and_scan<Count>(context_, "sparse::sweep::count_tiles", blocks.row_count(), CountTiles<Dim>{blocks.rows()});
  tile_count_ = read_back(context_, tile_starts.data() + blocks.row_count()).value;
  Buffer<TilePlace<Dim>> const tiles(context_, tile_count_);
  parallel_for(context_, "sparse::sweep::place_tiles", blocks.row_count(),
               PlaceTiles<Dim>{blocks.rows(), tile_starts.data(), tiles.data()});

  // The order of work when a sweep reaches slab s: load s; predict s - 1; compute the fluxes between s - 2 and s - 1,
  // and all others of s - 2; update s - 2.
  constexpr int outer = Dim - 1;
  TrackList<Dim> list;
  auto const add = [&](SetView const& set, SweepLoop::Kind kind, int axis, int behind) -> Track& {
    Track& track = list.tracks[list.count++] = Track{set, kind, static_cast<std::uint8_t>(axis)};
    track.behind = static_cast<std::int8_t>(behind);
    return track;
  };
  auto const widen = [](Track& track, std::int8_t cells) {
    for (int i = 0; i < 3; ++i) track.before[i] = track.after[i] = cells;
  };
  IntervalSet<Dim> const predicted = expand(sets.update, 1, Element::diamond);
  // On a coarse level, most cells are covered and far from its few leaves. Then only the cells near them are loaded.
  bool const are_most_read = 2 * sets.update.cell_count() > sets.storage.cell_count();
  Embedding<Dim> const loaded(are_most_read ? sets.storage : sets.storage & expand(predicted, 1, Element::diamond),
                              sets.storage);
  Embedding<Dim> const update(sets.update, sets.storage);
  std::vector<IntervalSet<Dim>> face_sets;  // keeps the sets alive that views refer to
  std::vector<Embedding<Dim>> parts;
  widen(add(loaded.view(), SweepLoop::load, 0, 0), 2);
  widen(add(predicted.rows(), SweepLoop::predict, 0, 1), 1);
  IntervalSet<Dim> const minmod = sets.minmod.is_empty() ? sets.minmod : sets.minmod & predicted;
  if (!minmod.is_empty()) widen(add(minmod.rows(), SweepLoop::predict_minmod, 0, 1), 1);
  for (int axis = 0; axis < Dim; ++axis) {
    int const behind = axis == outer ? 1 : 2;
    // Along its axis, the last face of a tile is the upper face of its last cell.
    auto const add_faces = [&](IntervalSet<Dim> const& set, SweepLoop::Kind kind, bool sticks) {
      if (set.is_empty()) return;
      Track& track = add(set.rows(), kind, axis, behind);
      track.sticks = sticks;
      track.after[axis == 0 ? 0 : axis == outer ? 2 : 1] = 1;
    };
    face_sets.push_back(faces(sets.update, axis));
    add_faces(face_sets.back(), SweepLoop::flux, false);
    for (int side = 0; side < 2; ++side) {
      SweepLoop::Kind const kind = side == 0 ? SweepLoop::wall_below : SweepLoop::wall_above;
      add_faces(sets.walls[axis][side], kind, false);
      add_faces(sets.sticking_walls[axis][side], kind, true);
    }
    // Two tiles may compute the same face, but only one records it: the tile of the cell above the face if that cell is
    // updated, else the tile of the cell below.
    auto const add_records = [&](IntervalSet<Dim> const& set, SweepLoop::Kind kind) {
      if (set.is_empty()) return;
      IntervalSet<Dim> const behind_face = set & sets.update;
      parts.emplace_back(behind_face, set);
      add(parts.back().view(), kind, axis, behind);
      if (behind_face.cell_count() == set.cell_count()) return;
      parts.emplace_back(set - behind_face, set);
      Track& track = add(parts.back().view(), kind, axis, behind);
      int const along = axis == 0 ? 0 : axis == outer ? 2 : 1;
      track.before[along] = -1;
      track.after[along] = 1;
    };
    add_records(sets.coarse_interface[axis], SweepLoop::record_coarse);
    add_records(sets.fine_interface[axis], SweepLoop::record_fine);
  }
  add(update.view(), SweepLoop::update, 0, 2);

  ListLoops<Dim> const loops{tiles.data(), list};
  auto const counts =
      count_and_scan<Count>(context_, "sparse::sweep::count_loops", tile_count_, CountLoops<Dim>{loops});
  starts_ = Buffer<Index>(context_, tile_count_ + 1);
  loops_ = Buffer<SweepLoop>(context_, read_back(context_, counts.data() + tile_count_).value);
  parallel_for(context_, "sparse::sweep::fill_loops", tile_count_,
               FillLoops<Dim>{loops, counts.data(), starts_.data(), loops_.data()});
  TrackList<Dim> first;
  if (!sets.first.is_empty()) first.tracks[first.count++] = Track{sets.first.rows(), SweepLoop::update};
  order_ = Buffer<Index>(context_, tile_count_);
  first_tile_count_ = order_tiles<Dim>(context_, {{{tiles.data(), first}}, starts_.data(), loops_.data(), nullptr},
                                       tile_count_, order_.data());
}

template class SweepPlan<2>;
template class SweepPlan<3>;

}  // namespace sparse::amr
