#pragma once
/// The ranks that share a fluid.

#include <memory>
#include <vector>

#include <sparse/distributed/halo.hpp>
#include <sparse/incompressible/grid/boundary.hpp>
#include <sparse/plans/transfer.hpp>
#include <sparse/poisson/problem.hpp>

namespace sparse::incompressible::detail {

/// How ranks share a level of a flow on levels.
template <int Dim>
struct LevelRanks {
  distributed::Team* team;
  distributed::Partition<Dim> partition;  ///< of the level
  Vec<Coord, Dim> origin;                 ///< where the cell 0 of the partition is
  IntervalSet<Dim> leaves, own;           ///< of all ranks, and of this one
};

/// What a rank knows of the fluid that it shares with others.
///
/// It stores its own cells and those around them, its window, and steps all of these. Beyond the window there is an
/// outflow, which is wrong. From stage to stage wrong values come further in; before they reach the rank's own cells,
/// values from the owners take the place of all others. So a step is that of one process, and needs few messages.
template <int Dim>
class GridRanks {
public:
  /// How many cells the window must reach beyond the rank's own. In a stage, values depend on those two cells away;
  /// three stages are a step, then ink needs velocities two cells away, and measures the next ones.
  static constexpr Coord least_reach = 10;

  /// Collective. @param domain  with a team
  /// @throws std::invalid_argument  on all ranks, as `StaggeredGrid`
  explicit GridRanks(FlowDomain<Dim> const& domain);
  /// Those of a level: leaves and their faces get values from their owners, and all other cells from other levels.
  /// @param window  the cells that the rank stores
  GridRanks(LevelRanks<Dim> const& level, FlowDomain<Dim> const& window);
  /// Makes the messages. Collective. @param storage  that of the window
  void connect(IntervalSet<Dim> const& storage);

  distributed::Team& team() const { return *pressure_.team; }
  bool is_of_level() const { return !of_faces_.empty(); }
  /// The fluid of the window and its surroundings, without a team.
  FlowDomain<Dim> const& window() const { return window_; }
  /// The pressure problem of all ranks.
  poisson::Problem<Dim> const& pressure() const { return pressure_; }
  /// The cells of the fluid that no other rank owns.
  IntervalSet<Dim> const& own() const { return own_; }
  IntervalSet<Dim> const& whole_storage() const { return whole_storage_; }

  /// Gives values on the window's storage, or on its fluid, those of their owners. Of a level, Dim components are a
  /// velocity. Collective.
  template <class T>
  void fill(Field<T, Dim>& stored) const;
  template <class T>
  void fill_fluid(Field<T, Dim>& values) const {
    of_fluid_.template fill<T>(team(), values.view(), values.view(), values.component_count());
  }
  /// Own cells of a field on the window's fluid.
  template <class T>
  void take(Field<T, Dim>& own, Field<T, Dim> const& from) const;
  /// The other way; all other cells get the values of their owners. Collective.
  template <class T>
  void spread(Field<T, Dim>& to, Field<T, Dim> const& own) const;
  /// A field like this one for all ranks' cells, on rank 0, and one without cells on the others. Of a level, the field
  /// must be on the fluid, and the cells are leaves. Collective.
  template <class T>
  Field<T, Dim> gather(Field<T, Dim> const& field) const;

  /// The greatest of all ranks' values, which are not NaN, and their sums. Collective.
  double greatest(double value) const;
  void add(std::vector<double>& values) const { team().add(values); }

private:
  /// What to ask the owners for, to have values on a set of cells of the fluid and faces above these.
  std::vector<distributed::Wanted<Dim>> wanted(IntervalSet<Dim> const& cells, bool has_own) const;
  distributed::Halo<Dim> halo(IntervalSet<Dim> const& owned, IntervalSet<Dim> const& stored, bool has_own) const;
  void connect_level(IntervalSet<Dim> const& storage);
  /// The same for the faces above some cells, stored at cells that these do not have.
  std::vector<distributed::Wanted<Dim>> faces_above(IntervalSet<Dim> const& cells, int axis) const;

  poisson::Problem<Dim> pressure_;
  Vec<Coord, Dim> origin_;  // of the partition
  distributed::Partition<Dim> partition_;
  FlowDomain<Dim> window_;
  IntervalSet<Dim> whole_storage_, own_, storage_;
  distributed::Halo<Dim> of_fluid_, of_storage_, gather_fluid_, gather_storage_;
  std::vector<distributed::Halo<Dim>> of_faces_;  // [axis], of a level
  CopyPlan<Dim> take_, spread_;
};

}  // namespace sparse::incompressible::detail
