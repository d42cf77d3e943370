#include "leaf_mesh.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace sparse::io {
namespace {

/// Appends rows and intervals in increasing order. Joins intervals that overlap or touch.
class RowBuilder {
public:
  void add(RowKey key, Interval x) {
    if (rows_.keys.empty() || rows_.keys.back() != key) {
      rows_.keys.push_back(key);
      rows_.ptr.push_back(rows_.ptr.back());
    } else if (x.begin <= rows_.intervals.back().end) {
      rows_.intervals.back().end = std::max(rows_.intervals.back().end, x.end);
      return;
    }
    rows_.intervals.push_back(x);
    ++rows_.ptr.back();
  }

  VertexRows finish() {
    rows_.first.reserve(rows_.intervals.size());
    Index count = 0;
    for (Interval x : rows_.intervals) {
      rows_.first.push_back(count);
      count += Index{x.end} - x.begin;
    }
    return std::move(rows_);
  }

private:
  VertexRows rows_;
};

/// The two ends of each cell along x.
VertexRows ends_of(std::vector<Run> const& runs) {
  RowBuilder rows;
  for (Run const& run : runs) rows.add(run.row, {run.x.begin, run.x.end + 1});
  return rows.finish();
}

/// The union of `a` and a copy of it, moved by `step` rows.
VertexRows with_next(VertexRows const& a, RowKey step) {
  RowBuilder rows;
  std::size_t here = 0, moved = 0;
  while (moved < a.keys.size()) {
    RowKey const moved_key = a.keys[moved] + step;
    RowKey const key = here < a.keys.size() ? std::min(a.keys[here], moved_key) : moved_key;
    Index i = 0, i_end = 0, j = 0, j_end = 0;
    if (here < a.keys.size() && a.keys[here] == key) i = a.ptr[here], i_end = a.ptr[here + 1], ++here;
    if (moved_key == key) j = a.ptr[moved], j_end = a.ptr[moved + 1], ++moved;
    while (i < i_end || j < j_end) {
      auto const at = [&](Index k) { return a.intervals[static_cast<std::size_t>(k)]; };
      bool const take_i = j == j_end || (i < i_end && at(i).begin <= at(j).begin);
      rows.add(key, take_i ? at(i++) : at(j++));
    }
  }
  return rows.finish();
}

/// All corners of the cells.
template <int Dim>
VertexRows corners_of(std::vector<Run> const& runs) {
  VertexRows rows = ends_of(runs);
  for (int axis = 1; axis < Dim; ++axis) rows = with_next(rows, row_key<Dim>(Vec<Coord, Dim>::along(axis, 1)));
  return rows;
}

/// The row that contains the vertices of row `key` on a level coarser by `shift`; nothing if that level has no such
/// row.
template <int Dim>
std::optional<RowKey> coarser_row(RowKey key, int shift) {
  auto vertex = cell_at<Dim>(key, 0);
  for (int axis = 1; axis < Dim; ++axis) {
    if (vertex[axis] & ((Coord{1} << shift) - 1)) return {};
    vertex[axis] >>= shift;
  }
  return row_key<Dim>(vertex);
}

/// Finds the points of vertices. Vertices must be asked for in increasing order.
class PointCursor {
public:
  explicit PointCursor(LevelVertices const& level) : rows_(level.rows), points_(level.points.data()) {}

  /// The point of vertex `x` of row `key`, followed by those of the next vertices of the interval.
  Index const* at(RowKey key, Coord x) {
    while (rows_.keys[row_] < key) ++row_;
    interval_ = std::max(interval_, static_cast<std::size_t>(rows_.ptr[row_]));
    while (rows_.intervals[interval_].end <= x) ++interval_;
    return points_ + rows_.first[interval_] + (x - rows_.intervals[interval_].begin);
  }

private:
  VertexRows const& rows_;
  Index const* points_;
  std::size_t row_ = 0, interval_ = 0;
};

}  // namespace

template <int Dim>
LeafMesh<Dim>::LeafMesh(std::vector<LevelCells<Dim>> const& levels, std::vector<std::vector<Run>> const& leaves)
    : leaves_(leaves) {
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    LevelVertices level{levels[l].level, corners_of<Dim>(leaves[l]), {}, point_count_};
    level.points.assign(static_cast<std::size_t>(level.rows.count()), -1);
    adopt_points(level);
    for (Index& point : level.points)
      if (point < 0) point = point_count_++;
    cell_count_ += io::cell_count(leaves[l]);
    vertices_.push_back(std::move(level));
  }
}

/// Gives a vertex of `fine` the point of the same vertex on a coarser level, where one exists.
template <int Dim>
void LeafMesh<Dim>::adopt_points(LevelVertices& fine) const {
  for (LevelVertices const& coarse : vertices_) {
    int const shift = fine.level - coarse.level;
    for (std::size_t r = 0; r < fine.rows.keys.size(); ++r) {
      auto const key = coarser_row<Dim>(fine.rows.keys[r], shift);
      if (!key) continue;
      auto const found = std::lower_bound(coarse.rows.keys.begin(), coarse.rows.keys.end(), *key);
      if (found == coarse.rows.keys.end() || *found != *key) continue;

      auto const row = static_cast<std::size_t>(found - coarse.rows.keys.begin());
      auto c = static_cast<std::size_t>(coarse.rows.ptr[row]);
      auto const c_end = static_cast<std::size_t>(coarse.rows.ptr[row + 1]);
      auto f = static_cast<std::size_t>(fine.rows.ptr[r]);
      auto const f_end = static_cast<std::size_t>(fine.rows.ptr[r + 1]);
      while (c < c_end && f < f_end) {
        Interval const x = coarse.rows.intervals[c], x_fine = fine.rows.intervals[f];
        Index const begin = std::max<Index>(x.begin, (Index{x_fine.begin} + (Index{1} << shift) - 1) >> shift);
        Index const end = std::min<Index>(x.end, ((Index{x_fine.end} - 1) >> shift) + 1);
        for (Index i = begin; i < end; ++i)
          fine.points[static_cast<std::size_t>(fine.rows.first[f] + (i << shift) - x_fine.begin)] =
              coarse.points[static_cast<std::size_t>(coarse.rows.first[c] + i - x.begin)];
        if (Index{x.end} << shift <= x_fine.end)
          ++c;
        else
          ++f;
      }
    }
  }
}

template <int Dim>
template <class Id>
void LeafMesh<Dim>::fill_connectivity(Id* out) const {
  constexpr int rows_around = 1 << (Dim - 1);
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    std::vector<PointCursor> cursors(rows_around, PointCursor(vertices_[l]));
    for (Run const& run : leaves_[l]) {
      std::array<Index const*, rows_around> corner;
      for (int k = 0; k < rows_around; ++k) {
        RowKey const key = run.row + (k & 1) + (RowKey{k >> 1} << 32);
        corner[static_cast<std::size_t>(k)] = cursors[static_cast<std::size_t>(k)].at(key, run.x.begin);
      }
      for (Coord i = 0; i < run.x.end - run.x.begin; ++i)
        for (Index const* point : corner) {
          *out++ = static_cast<Id>(point[i]);
          *out++ = static_cast<Id>(point[i + 1]);
        }
    }
  }
}

template class LeafMesh<2>;
template class LeafMesh<3>;
// 64-bit integers are `long` or `long long`, depending on how VTK was built.
template void LeafMesh<2>::fill_connectivity(int*) const;
template void LeafMesh<2>::fill_connectivity(long*) const;
template void LeafMesh<2>::fill_connectivity(long long*) const;
template void LeafMesh<3>::fill_connectivity(int*) const;
template void LeafMesh<3>::fill_connectivity(long*) const;
template void LeafMesh<3>::fill_connectivity(long long*) const;

}  // namespace sparse::io
