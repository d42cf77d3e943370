#pragma once
/// The solver on tiles with more and more of its optimisations.

#include <vector>

#include <sparse/poisson/method.hpp>
#include <sparse/poisson/tile_counts.hpp>

namespace sparse::poisson {

/// A solver that has one optimisation more than that of the rung below, or one less than the whole.
struct TileRung {
  int number;  ///< of the optimisation (see `TileOptimisations`); 0: none
  /// What is new in the step, and the solver with it.
  char const* name;
  TiledMultigridCg method;
};

/// From no optimisation to all ten: 1, 6 and 5, then 2 to 4 and 7 to 10. (6 and 5 come first because fused passes store
/// no x that could be cleared.) The last rung is `whole` with `Precision::single`, all others have `Precision::same`.
/// @param whole  other options
std::vector<TileRung> tile_ladder(TiledMultigridCg const& whole = {});

/// The whole without one of its optimisations, for each of them. Without 1, 2 and 3 are missing, too, as they need it.
std::vector<TileRung> tile_ladder_without_one(TiledMultigridCg const& whole = {});

}  // namespace sparse::poisson
