#pragma once
/// Which cells of a problem, and of its coarser levels, a rank computes.

#include <optional>

#include <sparse/distributed/gathering.hpp>
#include <sparse/distributed/halo.hpp>
#include <sparse/poisson/method.hpp>
#include <sparse/poisson/problem.hpp>

namespace sparse::poisson::detail {

/// The cells of a level that a rank stores.
template <int Dim>
struct Window {
  IntervalSet<Dim> own;         ///< those that no other rank owns
  IntervalSet<Dim> cells;       ///< also those around them, or all cells of a level that is not shared
  distributed::Halo<Dim> halo;  ///< gives `cells` the values of their owners
  /// Does so where these are all cells.
  std::optional<distributed::Gathering<Dim>> gathering = {};
};

/// A partition whose units are whole cells of the first level that is not shared, unless ranks would then get unequal
/// parts. The partition of each coarser level follows from it.
template <int Dim>
distributed::Partition<Dim> cut(Problem<Dim> const& problem, IntervalSet<Dim> const& cells, int rank_count);
/// Whether each rank has a part of a level. The children of a coarse cell must be cells of one unit.
template <int Dim>
bool do_share(distributed::Partition<Dim> const& partition, int level, Index cell_count, Index least_shared_cells) {
  return partition.rank_count() > 1 && cell_count >= least_shared_cells && level + 1 < partition.level_count();
}
/// The cells of `all` at most so many steps across faces away from some of them, also across periods.
template <int Dim>
IntervalSet<Dim> around(IntervalSet<Dim> const& some, IntervalSet<Dim> const& all, int steps,
                        Vec<Coord, Dim> const& period);
/// How many cells the window of a level reaches beyond a rank's own, so that all sweeps of a cycle need one exchange:
/// one for each half-sweep and one for the residual. Linear interpolation takes parts of the residuals of the cells
/// beside a coarse one, of which the rank may own one child alone.
template <int Dim>
int reach_of(Multigrid const& options) {
  return 2 * options.sweeps + 1 + (options.interpolation == Interpolation::linear ? Dim + 1 : 0);
}

/// How ranks share a problem and its coarser levels.
///
/// A rank stores its own cells of a level and those that can be reached from them in a few steps. It computes all of
/// these, first the right values, then ever fewer of them: what is missing beyond the window gets one cell further in
/// with each pass that reads neighbours. Before it comes to the rank's own cells, values from their owners take its
/// place. So several passes need one exchange, and they are those of one process.
template <int Dim>
class Ranks {
public:
  /// Collective. @param problem  has a team
  /// @param cells  of all ranks, from 0 on along each axis, as those of `Couplings`
  /// @param reach  how many steps the window reaches beyond what the rank owns, >= 1
  /// @param least  cells that the window must have, too
  Ranks(Problem<Dim> const& problem, IntervalSet<Dim> const& cells, int reach, IntervalSet<Dim> const& least = {});

  distributed::Team& team() const { return *team_; }
  Window<Dim> const& finest() const { return finest_; }
  /// Whether each rank has a part of a level. On small levels messages take longer than the cells, so there each rank
  /// computes all of it.
  bool do_share(int level, Index cell_count) const;
  /// The window of a level that ranks share. Collective. @param all  its cells
  /// @param least  cells that the window must have
  Window<Dim> window(int level, IntervalSet<Dim> const& all, Vec<Coord, Dim> const& period,
                     IntervalSet<Dim> const& least) const;
  /// That of another one: all cells.
  Window<Dim> whole(int level, IntervalSet<Dim> const& all) const;
  /// Messages that bring all values of a level to each rank, from the storage of its window.
  distributed::Gathering<Dim> gathering(int level, IntervalSet<Dim> const& all, Window<Dim> const& window) const;
  /// Gives values of a window those of their owners. Collective.
  template <class T>
  void fill(Window<Dim> const& window, T* values) const {
    if (window.gathering) return window.gathering->fill(*team_, values, values);
    FieldView<T> const view{values, window.cells.cell_count()};
    window.halo.template fill<T>(*team_, view, view, 1);
  }

private:
  distributed::Team* team_;
  int reach_;
  Index least_shared_cells_;
  distributed::Partition<Dim> partition_;
  Window<Dim> finest_;
};

}  // namespace sparse::poisson::detail
