#include <sparse/poisson/tile_ladder.hpp>

namespace sparse::poisson {
namespace {

struct Step {
  int number;
  char const* name;
  bool TileOptimisations::*option;  ///< null: precision
};
Step const steps[] = {{1, "memory of blocks", &TileOptimisations::block_memory},
                      {6, "memory set", &TileOptimisations::memory_set},
                      {5, "start from zero", &TileOptimisations::starts_from_zero},
                      {2, "fused descent", &TileOptimisations::fused_descent},
                      {3, "fused ascent", &TileOptimisations::fused_ascent},
                      {4, "small levels in one launch", &TileOptimisations::one_launch},
                      {7, "stored inverse", &TileOptimisations::stored_inverse},
                      {8, "fused sums", &TileOptimisations::fused_sums},
                      {9, "classes of tiles", &TileOptimisations::tile_classes},
                      {10, "cycles in float", nullptr}};

void set(TiledMultigridCg& method, Step const& step, bool value) {
  if (step.option != nullptr)
    method.optimisations.*step.option = value;
  else
    method.precision = value ? Precision::single : Precision::same;
}

}  // namespace

std::vector<TileRung> tile_ladder(TiledMultigridCg const& whole) {
  auto method = whole;
  for (Step const& step : steps) set(method, step, false);
  std::vector<TileRung> rungs{{0, "none", method}};
  for (Step const& step : steps) {
    set(method, step, true);
    rungs.push_back({step.number, step.name, method});
  }
  return rungs;
}

std::vector<TileRung> tile_ladder_without_one(TiledMultigridCg const& whole) {
  std::vector<TileRung> rungs;
  for (Step const& step : steps) {
    auto method = whole;
    for (Step const& any : steps) set(method, any, true);
    set(method, step, false);
    if (step.number == 1) method.optimisations.fused_descent = method.optimisations.fused_ascent = false;
    rungs.push_back({step.number, step.name, method});
  }
  return rungs;
}

}  // namespace sparse::poisson
