#pragma once
/// Filling the cells around a level that are not its own.

#include <sparse/amr/level_sets.hpp>
#include <sparse/subset.hpp>
#include <sparse/transfer.hpp>

namespace sparse::amr {

/// The plans that fill the ghosts of one level.
template <int Dim>
class Ghosts {
public:
  Ghosts() = default;
  /// @param coarser  the sets of the level below; nullptr at level 0
  Ghosts(Domain<Dim> const& domain, LevelSets<Dim> const& sets, LevelSets<Dim> const* coarser, int level);

  Transfer<Dim> const& from_coarser() const { return from_coarser_; }
  std::vector<CopyPlan<Dim>> const& copies() const { return copies_; }
  std::vector<Subset<Dim>> const& inflow() const { return inflow_; }

private:
  Transfer<Dim> from_coarser_;         // conservative limited-linear values from level l - 1
  std::vector<CopyPlan<Dim>> copies_;  // images across periodic sides and cells beyond open ones, in order
  std::vector<Subset<Dim>> inflow_;    // cells beyond inflow sides
};

/// Gives all ghosts of a level values. The coarser level must have its own.
/// @param coarser  state of level l - 1; not used at level 0
/// @param inflow   state beyond inflow sides
template <class T, int Dim, int N>
void fill_ghosts(Ghosts<Dim> const& ghosts, FieldView<T const> coarser, FieldView<T> state, Vec<T, N> const& inflow) {
  if (ghosts.from_coarser().cell_count() > 0)
    prolong<T, Dim>(ghosts.from_coarser(), coarser, state, Prolongation::limited_linear, N);
  for (auto const& plan : ghosts.copies()) copy<T, Dim>(plan, state, state, N);
  for (auto const& cells : ghosts.inflow())
    for_each(
        "sparse::amr::inflow", cells, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { state.store(p.cell, inflow); });
}

}  // namespace sparse::amr
