#include "passes/pipeline.hpp"

#include <algorithm>

#include <sparse/base/compat.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {
namespace {

using Stages = std::vector<std::unique_ptr<Pipeline::AnyStage>>;

/// Takes stretches of groups through all stages. Where another tile follows, each stage stops one group before the
/// stage ahead of it, since it needs the results of that stage on the neighbouring group.
struct Tiles {
  Stages const* stages;
  Chain chain;
  Index tile_count;

  int stage_count() const { return static_cast<int>(stages->size()); }
  void call(int s, Index g) const { (*stages)[static_cast<std::size_t>(s)]->on_group(g); }
  Index boundary(Index tile) const { return tile * chain.group_count / tile_count; }
  bool is_shared(Index boundary) const { return chain.is_cyclic || (boundary > 0 && boundary < tile_count); }

  void operator()(Index tile) const {
    Index const begin = boundary(tile), end = boundary(tile + 1);
    for (Index k = begin; k < end + stage_count() - 1; ++k)
      for (int s = 0; s < stage_count(); ++s) {
        Index const g = k - s;
        if (g >= begin + (is_shared(tile) ? s : 0) && g < end - (is_shared(tile + 1) ? s : 0)) call(s, g);
      }
  }
};

/// Does the work that the tiles on both sides of a boundary have left out.
struct Seams {
  Tiles tiles;
  void operator()(Index seam) const {
    Index const n = tiles.chain.group_count, middle = tiles.boundary(seam);
    for (int s = 1; s < tiles.stage_count(); ++s)
      for (Index g = middle - s; g < middle + s; ++g) tiles.call(s, (g + n) % n);
  }
};

struct InnerSeams {
  Seams seams;
  void operator()(Index i) const { seams(i + 1); }
};

/// A template, so that compilers for devices do not compile the branch for the host.
template <bool is_host>
void run_all(Stages const& stages, Context const& context, Chain const& chain) {
  if constexpr (!is_host) {
    for (auto const& stage : stages) stage->on_all(context);
    return;
  } else {
    if (chain.group_count == 0) {
      for (auto const& stage : stages) stage->on_all(context);
      return;
    }
    Index const stage_count = static_cast<Index>(stages.size()), least_groups = 2 * stage_count;
    // Least number of cells for a thread: fewer are done before another thread has woken. More stages leave more work
    // between tiles.
    Index const least_cells = 8192 / std::clamp<Index>(stage_count, 2, 8);
    Index const wanted = std::min<Index>(compat::concurrency(), chain.cell_count / least_cells);
    Index const tile_count = std::max<Index>(1, std::min(wanted, chain.group_count / least_groups));
    Tiles const tiles{&stages, chain, tile_count};
    if (chain.is_cyclic && chain.group_count < least_groups) {
      for (int s = 0; s < tiles.stage_count(); ++s)
        for (Index g = 0; g < chain.group_count; ++g) tiles.call(s, g);
      return;
    }
    if (tile_count == 1)
      tiles(0);
    else
      parallel_for(context, "sparse::poisson::tiles", tile_count, tiles);
    if (chain.is_cyclic) Seams{tiles}(0);
    if (tile_count > 1) parallel_for(context, "sparse::poisson::seams", tile_count - 1, InnerSeams{{tiles}});
  }
}

}  // namespace

void Pipeline::run(Context const& context, Chain const& chain) const {
  if (!stages_.empty()) run_all<is_host_backend>(stages_, context, chain);
}

}  // namespace sparse::poisson::detail
