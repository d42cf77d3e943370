#include "ranks/ranks.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/poisson/partition.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::poisson::detail {

template <int Dim>
distributed::Partition<Dim> cut(Problem<Dim> const& problem, IntervalSet<Dim> const& cells, int rank_count) {
  constexpr double widest = 0.125;  // work of a unit over that of a rank
  expects(problem.least_shared_cells > 0, "poisson: a level that ranks share must have cells");
  auto const count = static_cast<double>(cells.cell_count());
  double unit = 1;
  while (count / unit >= static_cast<double>(problem.least_shared_cells)) unit *= 1 << Dim;
  auto options = problem.partition;
  options.largest_unit = std::max(options.largest_unit, std::min(widest, (1 + 1e-9) * unit / (count / rank_count)));
  distributed::Partition<Dim> const finest(rank_count, cells.bounds(), {cells}, options);
  int level_count = 1;
  while ((finest.unit_edge(0) >> level_count) > 0) ++level_count;
  return finest.with_coarser(level_count);
}

template <int Dim>
IntervalSet<Dim> around(IntervalSet<Dim> const& some, IntervalSet<Dim> const& all, int steps,
                        Vec<Coord, Dim> const& period) {
  if (some.is_empty()) return some;
  auto near = expand(some, steps, Element::diamond);
  for (int axis = 0; axis < Dim; ++axis)
    if (period[axis] > 0) near = near | shift(near, axis, period[axis]) | shift(near, axis, -period[axis]);
  return near & all;
}

template <int Dim>
Ranks<Dim>::Ranks(Problem<Dim> const& problem, IntervalSet<Dim> const& cells, int reach, IntervalSet<Dim> const& least)
    : team_(problem.team), reach_(reach), least_shared_cells_(problem.least_shared_cells),
      partition_(cut(problem, cells, problem.team->size())),
      finest_(do_share(0, cells.cell_count()) ? window(0, cells, problem.period, least) : whole(0, cells)) {}

template <int Dim>
bool Ranks<Dim>::do_share(int level, Index cell_count) const {
  return detail::do_share(partition_, level, cell_count, least_shared_cells_);
}

template <int Dim>
Window<Dim> Ranks<Dim>::window(int level, IntervalSet<Dim> const& all, Vec<Coord, Dim> const& period,
                               IntervalSet<Dim> const& least) const {
  auto const own = partition_.part(level, all, team_->rank()), cells = around(own, all, reach_, period) | least;
  return {own, cells, distributed::Halo<Dim>(*team_, partition_, level, cells, cells, {{cells - own}})};
}

template <int Dim>
Window<Dim> Ranks<Dim>::whole(int level, IntervalSet<Dim> const& all) const {
  Window<Dim> window{partition_.part(level, all, team_->rank()), all, {}};
  if (team_->size() > 1) window.gathering.emplace(partition_, team_->rank(), level, all, all);
  return window;
}

template <int Dim>
distributed::Gathering<Dim> Ranks<Dim>::gathering(int level, IntervalSet<Dim> const& all,
                                                  Window<Dim> const& window) const {
  return {partition_, team_->rank(), level, all, window.cells};
}

template class Ranks<2>;
template class Ranks<3>;
#define SPARSE_DEFINE(Dim)                                                                                             \
  template distributed::Partition<Dim> cut(Problem<Dim> const&, IntervalSet<Dim> const&, int);                         \
  template IntervalSet<Dim> around(IntervalSet<Dim> const&, IntervalSet<Dim> const&, int, Vec<Coord, Dim> const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::poisson::detail

namespace sparse::poisson {

template <int Dim>
distributed::Partition<Dim> partition_of(Problem<Dim> const& problem) {
  expects(problem.team != nullptr, "poisson: no ranks share the problem");
  expects(!problem.cells.is_empty(), "poisson: the set has no cells");
  return detail::cut(problem, shift(problem.cells, -1 * problem.cells.bounds().begin), problem.team->size());
}
template distributed::Partition<2> partition_of(Problem<2> const&);
template distributed::Partition<3> partition_of(Problem<3> const&);

}  // namespace sparse::poisson
