#include <sparse/poisson/traffic.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "ranks.hpp"

namespace sparse::poisson {

template <int Dim>
std::vector<LevelTraffic> cycle_traffic(Problem<Dim> const& problem, int rank_count, Multigrid const& options) {
  expects(!problem.cells.is_empty(), "poisson: the set has no cells");
  expects(rank_count > 0, "poisson: the number of ranks must be positive");
  options.expect_valid();
  expects(options.cycle == Cycle::v, "poisson: only what V-cycles send is known");
  auto all = shift(problem.cells, -1 * problem.cells.bounds().begin);
  auto period = problem.period;
  auto const partition = detail::cut(problem, all, rank_count);
  std::vector<IntervalSet<Dim>> parents(static_cast<std::size_t>(rank_count));  // of the finer windows
  std::vector<LevelTraffic> levels;
  for (int level = 0;; ++level) {
    auto& traffic = levels.emplace_back();
    traffic.cell_count = all.cell_count();
    traffic.unit_edge = partition.unit_edge(level);
    traffic.is_shared = detail::do_share(partition, level, all.cell_count(), problem.least_shared_cells);
    // The right-hand side, unless the level is the finest one; then what sweeps have made, before and after the coarser
    // level's correction.
    traffic.exchange_count = !traffic.is_shared ? 1 : level == 0 ? 2 : 3;
    traffic.exchanges_before = level == 0 && traffic.is_shared ? 2 : 0;
    auto const own = partition.split(level, all);
    for (std::size_t r = 0; r < own.size(); ++r) {
      auto const window =
          traffic.is_shared ? detail::around(own[r], all, detail::reach_of<Dim>(options), period) | parents[r] : all;
      distributed::RankTraffic of_rank{window.cell_count(), window.cell_count()};
      for (auto const& [owner, count] : partition.owners(level, window - own[r]))
        of_rank.halo.push_back({owner, count});
      traffic.ranks.push_back(std::move(of_rank));
      parents[r] = window.is_empty() ? window : coarsen(window);
    }
    if (!traffic.is_shared) return levels;
    all = coarsen(all);
    for (int axis = 0; axis < Dim; ++axis) period[axis] /= 2;
  }
}

template std::vector<LevelTraffic> cycle_traffic(Problem<2> const&, int, Multigrid const&);
template std::vector<LevelTraffic> cycle_traffic(Problem<3> const&, int, Multigrid const&);

}  // namespace sparse::poisson
