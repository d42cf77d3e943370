#pragma once
/// Where a rank may hold cells.

#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/amr/hierarchy/rim.hpp>
#include <sparse/distributed/partition.hpp>

namespace sparse::amr {

/// The places that a rank owns, and where its storages can lie as long as cells keep their owners, whatever cells the
/// levels get: near what it owns, and near the parents of that. It consists of whole units of the partition. If these
/// are not along Hilbert's curve, and a level has more than a million, it is everywhere.
template <int Dim>
class Reach {
public:
  Reach() = default;
  /// Cost: `Partition::units` of each level, and set algebra on them.
  /// @param margin  how much farther `around` goes, in cells of each level
  Reach(Domain<Dim> const& domain, distributed::Partition<Dim> const& partition, int rank, Coord margin);

  /// The cells of a set that the rank owns.
  IntervalSet<Dim> own(int level, IntervalSet<Dim> const& set) const;
  /// The cells of a set that lie there. Levels are not checked.
  IntervalSet<Dim> part(int level, IntervalSet<Dim> const& set) const;
  /// Those that lie less than eight cells and the margin from there, or from the children of what the rank owns on the
  /// next coarser level.
  IntervalSet<Dim> around(int level, IntervalSet<Dim> const& set) const;
  /// The places of `around` in the box.
  IntervalSet<Dim> around(int level) const;
  /// [level] where the rank's part of a level differs from the level; empty if the reach is everywhere.
  std::vector<Rim<Dim>> const& rims() const { return rims_; }

private:
  struct Level {
    IntervalSet<Dim> own, cells, around;
    Box<Dim> box;
  };
  bool is_everywhere_ = false;
  distributed::Partition<Dim> partition_;  // where the members of levels are left out
  int rank_ = 0;
  std::vector<Level> levels_;
  std::vector<Rim<Dim>> rims_;
};

}  // namespace sparse::amr
