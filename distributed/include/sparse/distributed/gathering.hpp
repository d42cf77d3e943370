#pragma once
/// Messages that bring the values of all cells to every rank.

#include <cstdint>
#include <vector>

#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/transfer.hpp>

namespace sparse::distributed {

/// A plan that gives each rank the values of all cells of a set, which is so small that each rank stores it whole. It
/// does what a `Halo` of all cells would, with `Team::gather_all` instead of a message from each rank to each other.
template <int Dim>
class Gathering {
public:
  Gathering() = default;
  /// Sends nothing: all ranks know all parts. Cost: a search per unit, and some passes over the cells.
  /// @param rank    this one
  /// @param level   of the partition
  /// @param all     the cells; the same on all ranks
  /// @param stored  the set on which this rank has the values of its own cells
  /// @throws std::invalid_argument  if there are more than 2^27 cells
  Gathering(Partition<Dim> const& partition, int rank, int level, IntervalSet<Dim> const& all,
            IntervalSet<Dim> const& stored);

  /// Collective. Cost: each value once into a message and once out of it; on devices also through the host.
  /// @param all     on all cells
  /// @param stored  on the `stored` of this rank; may be the same
  /// Compiled for float and double.
  template <class T>
  void fill(Team& team, T* all, T const* stored) const;

private:
  Context context_;
  CopyPlan<Dim> own_;            // from what is stored to the cells of this rank
  std::vector<Index> counts_;    // [rank] of cells
  Index first_ = 0;              // place of the first own cell in the message
  Buffer<std::int32_t> places_;  // [cell] in the message: cells of rank 0 come first, then those of rank 1, ...
};

}  // namespace sparse::distributed
