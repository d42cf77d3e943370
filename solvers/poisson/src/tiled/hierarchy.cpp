#include "hierarchy.hpp"

#include <sparse/base/parallel.hpp>

#include "operator/zeros.hpp"

namespace sparse::poisson::detail {
namespace {

/// Matrices from the finest one down, and the parts below the last one: by the rules of `Hierarchy`.
template <class P, int Dim>
std::vector<Couplings<P, Dim>> make_matrices(Couplings<P, Dim> finest, TiledMultigridCg const& options,
                                             PartLevels<P, Dim>& parts) {
  std::vector<Couplings<P, Dim>> matrices;
  matrices.push_back(std::move(finest));
  while (matrices.back().cell_count() > options.coarsest.cells) {
    auto& fine = matrices.back();
    auto coarse = fine.gathered();
    if (want_parts(matrices[0], fine, coarse)) {
      parts = PartLevels<P, Dim>(fine, options.sweeps, options.coarsest);
      break;
    }
    coarse.complete(fine);
    bool const is_smaller = coarse.cell_count() < fine.cell_count();
    fine.forget_aggregates();
    matrices.push_back(std::move(coarse));
    if (!is_smaller) break;
  }
  matrices.back().forget_aggregates();
  return matrices;
}

}  // namespace

template <class P, int Dim>
TiledHierarchy<P, Dim>::TiledHierarchy(Couplings<P, Dim> finest, Vec<double, Dim> weight, double zeroth,
                                       TiledMultigridCg const& options) {
  auto const context = finest.context();
  auto const matrices = make_matrices(std::move(finest), options, parts);
  std::vector<Tiles<Dim>> tiles;
  for (auto const& matrix : matrices) tiles.push_back(Tiles<Dim>(matrix));
  std::size_t const last = matrices.size() - 1;
  std::size_t first_of_tail = 0;
  auto const is_tiled = [&](std::size_t l) {
    return l < last && Tiles<Dim>::are_whole(matrices[l].period()) &&
           (l == 0 || matrices[l].cell_count() > options.launches.one_launch_cells);
  };
  while (is_tiled(first_of_tail)) ++first_of_tail;

  for (std::size_t l = 0; l < first_of_tail; ++l) {
    tiles[l].find_neighbours(matrices[l].period());
    tiles[l].find_parents(tiles[l + 1]);
    TiledLevel<P, Dim> level;
    level.tiles = tiles[l];
    level.matrix = TileMatrix<P, Dim>(matrices[l], tiles[l], weight, zeroth, options.optimisations.tile_classes);
    if (l > 0) level.b = zeros<P>(context, tiles[l].value_count());
    level.x = zeros<P>(context, tiles[l].value_count());
    tiled.push_back(std::move(level));
    for (int axis = 0; axis < Dim; ++axis) weight[axis] /= 4;  // of cells twice as wide
  }
  if (first_of_tail == 0) tiles[0].find_neighbours(matrices[0].period());
  for (std::size_t l = first_of_tail; l <= last; ++l) {
    tail.push_back(TailLevel<P, Dim>(matrices[l], tiles[l]));
    if (l > first_of_tail)
      tail[l - first_of_tail - 1].connect(tail.back(), matrices[l - 1], matrices[l], tiles[l - 1], tiles[l]);
  }
  tail.front().find_singular_components(context);
  if (!parts.is_empty() && tail.size() > 1) tail.back().find_singular_components(context);
  finest_tiles = tiles[0];
  last_tiles = tiles[last];
  last_count = matrices[last].cell_count();
  context.fence();
}

template struct TiledHierarchy<float, 2>;
template struct TiledHierarchy<float, 3>;
template struct TiledHierarchy<double, 2>;
template struct TiledHierarchy<double, 3>;

}  // namespace sparse::poisson::detail
