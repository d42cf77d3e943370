#pragma once
/// A flow that ranks share, in one piece.

#include <optional>
#include <utility>

#include <sparse/app/incompressible/run.hpp>

namespace sparse::app {

/// A flow with the cells of all ranks, as most measures and all pictures need it. Rank 0 has it. Where no ranks share
/// the flow, it is the flow itself.
template <int Dim>
class WholeFlow {
public:
  using Grid = sparse::incompressible::StaggeredGrid<Dim>;
  using Flow = sparse::incompressible::State<double, Dim>;
  /// All arguments must outlive the object. Collective. @param domain  of all ranks
  WholeFlow(sparse::incompressible::FlowDomain<Dim> domain, Grid const& grid, Flow const& state,
            RunFolder const& folder)
      : grid_(grid), state_(state) {
    if (!grid.is_shared() || !folder.is_mine()) return;
    domain.team = nullptr;
    all_grid_.emplace(domain);
  }

  Grid const& grid() const { return all_grid_ ? *all_grid_ : grid_; }
  /// As it was at the last `gather`.
  Flow const& state() const { return all_ ? *all_ : state_; }
  /// Takes over the flow as it is. Collective.
  void gather() {
    if (!grid_.is_shared()) return;
    auto all = gathered(grid_, state_);
    if (all_grid_) all_.emplace(std::move(all));
  }

private:
  Grid const& grid_;
  Flow const& state_;
  std::optional<Grid> all_grid_;
  std::optional<Flow> all_;
};

}  // namespace sparse::app
