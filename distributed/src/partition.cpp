#include <sparse/distributed/partition.hpp>

#include "curve.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include <sparse/base/error.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/host_set.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::distributed {
namespace {

/// A set that grows by intervals in the order of rows.
template <int Dim>
struct Growing {
  HostSet<Dim> rows;
  Index cell_count = 0;

  void add(RowKey key, Interval interval) {
    if (rows.row_keys.empty() || rows.row_keys.back() != key) {
      rows.row_keys.push_back(key);
      rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
    } else if (rows.intervals.back().end == interval.begin) {
      rows.intervals.back().end = interval.end;
      cell_count += interval.end - interval.begin;
      return;
    }
    rows.intervals.push_back(interval);
    rows.cell_offsets.push_back(cell_count);
    cell_count += interval.end - interval.begin;
  }
  IntervalSet<Dim> set(Context const& context) {
    if (cell_count == 0) return {};
    rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
    return from_host<Dim>(rows, context);
  }
};

/// The number of cells of `cells` in each unit, in the order of `units`.
template <int Dim>
std::vector<Index> cells_in(HostSet<Dim> const& units, HostSet<Dim> const& cells, int shift) {
  std::vector<Index> counts(static_cast<std::size_t>(units.cell_count()));
  for (std::size_t r = 0; r < cells.row_keys.size(); ++r) {
    Vec<Coord, Dim> row = cell_at<Dim>(cells.row_keys[r], 0);
    for (int axis = 1; axis < Dim; ++axis) row[axis] >>= shift;
    auto const found = std::lower_bound(units.row_keys.begin(), units.row_keys.end(), row_key(row));
    auto const unit_row = static_cast<std::size_t>(found - units.row_keys.begin());
    auto u = static_cast<std::size_t>(units.row_ptr[unit_row]);
    for (Index i = cells.row_ptr[r]; i < cells.row_ptr[r + 1]; ++i) {
      Interval const interval = cells.intervals[static_cast<std::size_t>(i)];
      for (Coord x = interval.begin; x < interval.end;) {
        Coord const unit = x >> shift, next = std::min(interval.end, static_cast<Coord>((unit + 1) << shift));
        while (units.intervals[u].end <= unit) ++u;
        counts[static_cast<std::size_t>(units.cell_offsets[u] + (unit - units.intervals[u].begin))] += next - x;
        x = next;
      }
    }
  }
  return counts;
}

}  // namespace

template <int Dim>
Partition<Dim>::Partition(int rank_count, Box<Dim> const& box, std::vector<IntervalSet<Dim>> const& work,
                          PartitionOptions const& options)
    : rank_count_(rank_count), curve_(options.curve) {
  expects(rank_count >= 1, "partition: there must be a rank");
  expects(!box.is_empty() && !work.empty(), "partition: there must be a box and a level");
  expects(options.largest_unit > 0 && options.least_work >= 1, "partition: an option is out of range");
  for (std::size_t l = 0; l < work.size(); ++l) levels_.push_back(cut(box, work[l], static_cast<int>(l), options));
}

template <int Dim>
auto Partition<Dim>::cut(Box<Dim> const& box, IntervalSet<Dim> const& work, int l,
                         PartitionOptions const& options) const -> Level {
  Index const total = work.cell_count();
  Index const wanted = std::clamp<Index>(total / options.least_work, 1, rank_count_);
  auto const used = static_cast<int>(wanted);
  double const mean = static_cast<double>(total) / used;
  Level level;
  level.shift = l > 0 ? 1 : 0;
  while (level.shift < 16 && std::exp2(Dim * (level.shift + 1)) <= options.largest_unit * mean) ++level.shift;
  for (;; ++level.shift) {  // until a key has room for the places of all units
    level.bits = 1;
    for (int axis = 0; axis < Dim; ++axis) {
      level.begin[axis] = (box.begin[axis] << l) >> level.shift;
      level.size[axis] = (((box.end[axis] << l) - 1) >> level.shift) + 1 - level.begin[axis];
      while ((Coord{1} << level.bits) < level.size[axis]) ++level.bits;
    }
    if (level.bits * Dim <= 63) break;
  }

  struct Unit {
    Key key;
    Index work;
  };
  std::vector<Unit> units;
  if (total > 0) {
    HostSet<Dim> const all = rescale(work, -level.shift).to_host();
    std::vector<Index> const counts = cells_in(all, work.to_host(), level.shift);
    units.reserve(counts.size());
    all.for_each_cell([&](Vec<Coord, Dim> const& unit, Index i) {
      units.push_back({key_of(level, unit), counts[static_cast<std::size_t>(i)]});
    });
    std::sort(units.begin(), units.end(), [](Unit const& a, Unit const& b) { return a.key < b.key; });
  }
  // The owner of a unit is that of its middle. Fewer ranks than all are spread over all.
  level.cuts.reserve(static_cast<std::size_t>(rank_count_) - 1);
  Index before = 0;
  for (Unit const& unit : units) {
    double const part =
        (static_cast<double>(before) + 0.5 * static_cast<double>(unit.work)) / static_cast<double>(total);
    int const place = std::min(used - 1, static_cast<int>(part * used));
    int const rank = static_cast<int>(Index{place} * rank_count_ / used);
    while (static_cast<int>(level.cuts.size()) < rank) level.cuts.push_back(unit.key);
    before += unit.work;
  }
  Key const last = ~Key{0};
  if (total == 0) {
    Key const end = curve_ == Curve::hilbert ? Key{1} << (Dim * level.bits)
                    : curve_ == Curve::rows  ? row_major_key(level.size - Vec<Coord, Dim>::filled(1), level.size) + 1
                                             : last;
    for (int r = 1; r < rank_count_; ++r)
      level.cuts.push_back(static_cast<Key>(static_cast<double>(end) / rank_count_ * r));
  }
  level.cuts.resize(static_cast<std::size_t>(rank_count_) - 1, last);
  return level;
}

template <int Dim>
Partition<Dim> Partition<Dim>::with_coarser(int level_count) const {
  expects(level_count >= 1 && level_count - 1 <= levels_[0].shift, "partition: a coarse cell is wider than a unit");
  Partition coarse = *this;
  coarse.levels_.assign(static_cast<std::size_t>(level_count), levels_[0]);
  for (int l = 0; l < level_count; ++l) coarse.levels_[static_cast<std::size_t>(l)].shift -= l;
  return coarse;
}

template <int Dim>
auto Partition<Dim>::key_of(Level const& level, Vec<Coord, Dim> unit) const -> Key {
  for (int axis = 0; axis < Dim; ++axis)
    unit[axis] = std::clamp(unit[axis] - level.begin[axis], Coord{0}, level.size[axis] - 1);
  if (curve_ == Curve::hilbert) {
    // The box is in the middle of the curve's cube. Then the curve halves the box where it halves the cube, with a
    // plane for a border, also if the edges are no powers of two.
    for (int axis = 0; axis < Dim; ++axis) unit[axis] += place_in_cube(level, axis);
    // The curve halves its first axis first. That must not be x, along which rows of cells should stay long.
    std::reverse(unit.data, unit.data + Dim);
    return hilbert_key(unit, level.bits);
  }
  Key const key = row_major_key(unit, level.size);
  return curve_ == Curve::rows ? key : scattered(key);
}

template <int Dim>
int Partition<Dim>::owner_of(Level const& level, Vec<Coord, Dim> const& unit) const {
  if (level.cuts.empty()) return 0;
  return static_cast<int>(std::upper_bound(level.cuts.begin(), level.cuts.end(), key_of(level, unit)) -
                          level.cuts.begin());
}

template <int Dim>
int Partition<Dim>::owner(int l, Vec<Coord, Dim> const& cell) const {
  Level const& level = levels_[static_cast<std::size_t>(l)];
  Vec<Coord, Dim> unit;
  for (int axis = 0; axis < Dim; ++axis) unit[axis] = cell[axis] >> level.shift;
  return owner_of(level, unit);
}

template <int Dim>
void Partition<Dim>::add_units(Level const& level, std::pair<Key, Key> keys, Vec<Coord, Dim> const& corner, int bits,
                               std::vector<std::pair<RowKey, Interval>>& rows) const {
  Box<Dim> cube;  // in units of the box
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const begin = corner[Dim - 1 - axis] - place_in_cube(level, axis);
    cube.begin[axis] = std::max(begin, Coord{0});
    cube.end[axis] = std::min(begin + (Coord{1} << bits), level.size[axis]);
    if (cube.begin[axis] >= cube.end[axis]) return;
  }
  // The keys of a cube follow each other.
  Key const count = Key{1} << (Dim * bits), first = hilbert_key(corner, level.bits) & ~(count - 1);
  if (first >= keys.second || first + count <= keys.first) return;
  if (first < keys.first || first + count > keys.second) {
    for (int child = 0; child < 1 << Dim; ++child) {
      Vec<Coord, Dim> of_child = corner;
      for (int axis = 0; axis < Dim; ++axis) of_child[axis] += ((child >> axis) & 1) << (bits - 1);
      add_units(level, keys, of_child, bits - 1, rows);
    }
    return;
  }
  Vec<Coord, Dim> row = cube.begin;
  for (;;) {
    Vec<Coord, Dim> const unit = row + level.begin;
    rows.push_back({row_key(unit), {unit[0], unit[0] + cube.end[0] - cube.begin[0]}});
    int axis = 1;
    while (axis < Dim && ++row[axis] == cube.end[axis]) {
      row[axis] = cube.begin[axis];
      ++axis;
    }
    if (axis == Dim) return;
  }
}

template <int Dim>
IntervalSet<Dim> Partition<Dim>::units(int l, int rank) const {
  Level const& level = levels_[static_cast<std::size_t>(l)];
  Growing<Dim> units;
  if (curve_ == Curve::hilbert) {
    auto const r = static_cast<std::size_t>(rank);
    std::vector<std::pair<RowKey, Interval>> rows;
    add_units(level, {r == 0 ? 0 : level.cuts[r - 1], r == level.cuts.size() ? ~Key{0} : level.cuts[r]}, {}, level.bits,
              rows);
    std::sort(rows.begin(), rows.end(), [](auto const& a, auto const& b) {
      return a.first != b.first ? a.first < b.first : a.second.begin < b.second.begin;
    });
    for (auto const& [key, interval] : rows) units.add(key, interval);
    return units.set(Context());
  }
  box<Dim>(level.begin, level.begin + level.size).to_host().for_each_interval([&](RowKey key, Interval row, Index) {
    for (Coord x = row.begin; x < row.end; ++x)
      if (owner_of(level, cell_at<Dim>(key, x)) == rank) units.add(key, {x, x + 1});
  });
  return units.set(Context());
}

template <int Dim>
template <class Take>
void Partition<Dim>::for_each_piece(int l, IntervalSet<Dim> const& set, Take const& take) const {
  Level const& level = levels_[static_cast<std::size_t>(l)];
  auto const row_of_units = [&](RowKey key) {
    Vec<Coord, Dim> row = cell_at<Dim>(key, 0);
    for (int axis = 1; axis < Dim; ++axis) row[axis] >>= level.shift;
    return row;
  };
  std::unordered_map<RowKey, std::unordered_map<Coord, int>> rows;  // [row][unit] owners that are known
  std::unordered_map<Coord, int>* owners = nullptr;
  Vec<Coord, Dim> unit;
  RowKey row = 0, row_of_owners = 0;
  std::optional<std::pair<Coord, int>> last;  // unit of the row, and its owner
  set.to_host().for_each_interval([&](RowKey key, Interval interval, Index) {
    if (owners == nullptr || key != row) {
      row = key;
      unit = row_of_units(key);
      if (owners == nullptr || row_key(unit) != row_of_owners) {
        row_of_owners = row_key(unit);
        owners = &rows[row_of_owners];
        last.reset();
      }
    }
    for (Coord x = interval.begin; x < interval.end;) {
      unit[0] = x >> level.shift;
      Coord const next = std::min(interval.end, static_cast<Coord>((unit[0] + 1) << level.shift));
      if (!last || last->first != unit[0]) {
        auto const [known, is_new] = owners->try_emplace(unit[0], 0);
        if (is_new) known->second = owner_of(level, unit);
        last.emplace(known->first, known->second);
      }
      take(last->second, key, Interval{x, next});
      x = next;
    }
  });
}

template <int Dim>
IntervalSet<Dim> Partition<Dim>::part(int l, IntervalSet<Dim> const& set, int rank) const {
  if (set.is_empty() || rank_count_ == 1) return rank == 0 ? set : IntervalSet<Dim>();
  Growing<Dim> part;
  for_each_piece(l, set, [&](int owner, RowKey key, Interval piece) {
    if (owner == rank) part.add(key, piece);
  });
  return part.set(set.context());
}

template <int Dim>
std::vector<IntervalSet<Dim>> Partition<Dim>::split(int l, IntervalSet<Dim> const& set) const {
  std::vector<IntervalSet<Dim>> parts(static_cast<std::size_t>(rank_count_));
  if (set.is_empty()) return parts;
  std::map<int, Growing<Dim>> found;
  for_each_piece(l, set, [&](int owner, RowKey key, Interval piece) { found[owner].add(key, piece); });
  for (auto& [owner, part] : found)
    parts[static_cast<std::size_t>(owner)] = found.size() == 1 ? set : part.set(set.context());
  return parts;
}

template <int Dim>
std::vector<OwnedCells> Partition<Dim>::owners(int l, IntervalSet<Dim> const& set) const {
  std::map<int, Index> counts;
  for_each_piece(l, set, [&](int owner, RowKey, Interval piece) { counts[owner] += piece.end - piece.begin; });
  std::vector<OwnedCells> result;
  for (auto const& [rank, count] : counts) result.push_back({rank, count});
  return result;
}

template class Partition<2>;
template class Partition<3>;

}  // namespace sparse::distributed
