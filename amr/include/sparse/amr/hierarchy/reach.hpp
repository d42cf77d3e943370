#pragma once
/// Where a rank may hold cells.

#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/distributed/partition.hpp>

namespace sparse::amr {

/// Where the storages of a rank can lie as long as cells keep their owners, whatever cells the levels get: near what it
/// owns, and near the parents of that. It consists of whole units of the partition. If a level has more than a million
/// units, it is everywhere.
template <int Dim>
class Reach {
public:
  Reach() = default;
  /// Cost: a search per unit of the box, and set algebra on units.
  Reach(Domain<Dim> const& domain, distributed::Partition<Dim> const& partition, int rank);

  /// The cells of a set that lie there. Levels are not checked.
  IntervalSet<Dim> part(int level, IntervalSet<Dim> const& set) const;
  /// Those that lie less than eight cells from there, or from the children of what the rank owns on the next coarser
  /// level.
  IntervalSet<Dim> around(int level, IntervalSet<Dim> const& set) const;

private:
  struct Level {
    IntervalSet<Dim> cells, around;
  };
  bool is_everywhere_ = false;
  std::vector<Level> levels_;
};

}  // namespace sparse::amr
