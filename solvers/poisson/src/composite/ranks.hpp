#pragma once
/// Which cells of the levels of a composite problem a rank computes, and what it gets from others.

#include <memory>

#include <sparse/distributed/halo.hpp>

#include "levels.hpp"
#include "ranks/ranks.hpp"

namespace sparse::poisson::detail {

/// The problem on all cells of a level, with walls beyond them. @param level  of all ranks
template <int Dim>
Problem<Dim> problem_of(CompositeProblem<Dim> const& problem, CompositeLevel<Dim> const& level);

/// How ranks share a composite problem.
///
/// Each level is cut by itself, level 0 as its multigrid needs it. As in `Ranks`, a rank stores its own cells of a
/// level and those around them, so that all sweeps of a cycle need one exchange. It also stores what the fluxes at its
/// interfaces read on both sides, and the parents of all that it stores. A covered cell gets its right-hand side from
/// the owner of its children, and all else from its own.
template <int Dim>
class CompositeRanks {
public:
  /// Collective. @param all  the levels of all ranks
  /// @param reach  how many steps the stored cells of a level reach beyond those that the rank owns, >= 1
  CompositeRanks(CompositeProblem<Dim> const& problem, std::vector<CompositeLevel<Dim>> const& all, int reach);

  distributed::Team& team() const { return *team_; }
  /// How they share level 0 and those below it.
  std::shared_ptr<Ranks<Dim> const> const& base() const { return base_; }
  /// What this rank has of each level.
  std::vector<CompositeLevel<Dim>> const& levels() const { return levels_; }
  /// The cells of a level that no other rank owns, covered ones included.
  IntervalSet<Dim> const& own(std::size_t l) const { return own_[l]; }

  /// Gives all stored cells of a level the values of their owners. Collective, as the next two.
  template <class T>
  void fill(std::size_t l, T* values) const {
    fill(values_[l], l, values);
  }
  /// The same for leaves alone, and for covered cells from the owners of their children.
  template <class T>
  void fill_leaves(std::size_t l, T* values) const {
    fill(of_leaves_[l], l, values);
  }
  template <class T>
  void fill_covered(std::size_t l, T* values) const {
    fill(of_covered_[l], l, values);
  }

private:
  template <class T>
  void fill(distributed::Halo<Dim> const& halo, std::size_t l, T* values) const {
    FieldView<T> const view{values, levels_[l].cells.cell_count()};
    halo.template fill<T>(*team_, view, view, 1);
  }

  distributed::Team* team_;
  std::shared_ptr<Ranks<Dim> const> base_;
  std::vector<IntervalSet<Dim>> own_;
  std::vector<CompositeLevel<Dim>> levels_;
  std::vector<distributed::Halo<Dim>> values_, of_leaves_, of_covered_;
};

}  // namespace sparse::poisson::detail
