#pragma once
/// Where a rank may hold cells.

#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/distributed/partition.hpp>

namespace sparse::amr {

/// Where the storages of a rank can lie as long as cells keep their owners, whatever cells the levels get: near what it
/// owns, and near the parents of that. It consists of whole units of the partition, so it is small. Where a box has
/// more than a million units, and for coarser levels, it is everywhere.
template <int Dim>
class Reach {
public:
  Reach() = default;
  /// Cost: a search per unit of the box, and set algebra on units.
  Reach(Domain<Dim> const& domain, distributed::Partition<Dim> const& partition, int rank);

  /// The cells of a set that lie there. Levels are not checked.
  IntervalSet<Dim> part(int level, IntervalSet<Dim> const& set) const;

private:
  struct Level {
    int shift = 0;  // the edge of units, as a logarithm
    bool is_everywhere = false;
    IntervalSet<Dim> units;
  };
  std::vector<Level> levels_;
};

}  // namespace sparse::amr
