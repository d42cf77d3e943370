#pragma once
/// Leaf cells of several levels as a mesh. Cells share points, also between levels.

#include <vector>

#include <sparse/io/levels/cells.hpp>

#include "leaves.hpp"

namespace sparse::io {

/// Rows of disjoint intervals of vertices; vertex i is the lower corner of cell i.
struct VertexRows {
  std::vector<RowKey> keys;
  std::vector<Index> ptr = {0};
  std::vector<Interval> intervals;
  std::vector<Index> first;  ///< [intervals] position of an interval's first vertex in `LevelVertices::points`

  Index count() const { return intervals.empty() ? 0 : first.back() + intervals.back().end - intervals.back().begin; }
};

/// The corners of a level's leaves, and the number of the mesh point of each.
struct LevelVertices {
  int level;
  VertexRows rows;
  std::vector<Index> points;
  Index own_begin;  ///< points from here on are vertices of this level and of no coarser one
};

/// Points and cells. A vertex of a level that is also a vertex of a coarser level (its coordinates are even) is one
/// point.
///
/// One pass over sorted rows makes both, without hashing and without searching for points.
template <int Dim>
class LeafMesh {
public:
  /// @param leaves  [levels] the leaves of each level
  LeafMesh(std::vector<LevelCells<Dim>> const& levels, std::vector<std::vector<Run>> const& leaves);

  Index point_count() const { return point_count_; }
  Index cell_count() const { return cell_count_; }

  /// Calls `body(point, level, vertex)` for every point, in order.
  template <class Body>
  void for_each_point(Body&& body) const {
    for (auto const& [level, rows, points, own_begin] : vertices_)
      for (std::size_t r = 0; r < rows.keys.size(); ++r)
        for (auto i = static_cast<std::size_t>(rows.ptr[r]); i < static_cast<std::size_t>(rows.ptr[r + 1]); ++i) {
          Index const* point = points.data() + rows.first[i];
          auto vertex = cell_at<Dim>(rows.keys[r], 0);
          for (vertex[0] = rows.intervals[i].begin; vertex[0] < rows.intervals[i].end; ++vertex[0], ++point)
            if (*point >= own_begin) body(*point, level, vertex);
        }
  }

  /// Writes the 2^Dim points of each cell, x fastest, to `out`.
  template <class Id>
  void fill_connectivity(Id* out) const;

private:
  void adopt_points(LevelVertices& fine) const;

  std::vector<std::vector<Run>> const& leaves_;
  std::vector<LevelVertices> vertices_;
  Index point_count_ = 0, cell_count_ = 0;
};

}  // namespace sparse::io
