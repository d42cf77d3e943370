#pragma once
/// Which cells levels get from the cells that should be refined.

#include <cstdint>
#include <vector>

#include <sparse/amr/hierarchy/level_sets.hpp>

namespace sparse::amr {

/// The cells of each level, if the cells `tagged[l]` should be refined at level l.
///
/// Tags grow by `buffers[l]` cells. Cells around a body are refined up to the body level and no further. Then coarser
/// levels grow until all are nested.
/// @param buffers  of levels 0, 1, ...; the last one also counts for all finer levels
template <int Dim>
std::vector<IntervalSet<Dim>> nested_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                           std::vector<Coord> const& buffers);

/// The distance by which refined cells must reach beyond tags, and the distance that they get when a level changes.
struct RegridMargins {
  std::vector<Coord> least;  ///< least buffers, as in `nested_cells`; a level with smaller ones changes
  /// Buffers that a level gets when it changes. It then also reaches so much further beyond what finer levels need.
  std::vector<Coord> given;
  double excess = 0;  ///< a level changes if it exceeds its new number of cells by more than this fraction
};

/// The same for levels that exist already. Levels that still fit are kept and keep their identity.
/// @param base  this level and all coarser ones are kept; finer ones get the part of the tags that is nested in it
/// @param kept  [level] cells that stay refined if they are. Unlike tags they do not grow. May be empty.
/// @throws std::invalid_argument  if there is no such base, or `margins` has no buffer or not as many of both kinds
template <int Dim>
std::vector<IntervalSet<Dim>> adapted_cells(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                            RegridMargins const& margins, std::vector<LevelSets<Dim>> const& levels,
                                            int base = 0, std::vector<IntervalSet<Dim>> const& kept = {});

/// How several ranks agree on the cells of levels. Each decides about the places that it owns, and knows what others
/// have decided near these: at least as far as margins and nesting reach, also from their children.
template <int Dim>
class Agreement {
public:
  virtual ~Agreement() = default;
  /// The cells of a set that the rank owns.
  virtual IntervalSet<Dim> own(int level, IntervalSet<Dim> const& set) const = 0;
  /// What all ranks have, near the places of this one. Collective.
  /// @param own  what this rank has, at places that it owns
  virtual IntervalSet<Dim> known(int level, IntervalSet<Dim> const& own) const = 0;
  /// The sums over all ranks. Collective.
  virtual void add(std::vector<std::int64_t>& counts) const = 0;
  /// The cells of an existing level, one of those given to `adapted_levels`, that have children and that the rank owns.
  virtual Index covered_count(int level) const = 0;
};

/// Levels that follow from tags.
template <int Dim>
struct AdaptedLevels {
  std::vector<IntervalSet<Dim>> cells;  ///< [level]
  std::vector<bool> stays;              ///< [level] whether it has the cells that it had
  /// Whether these are the levels that there were.
  bool are_as_before(std::size_t level_count_before) const {
    for (bool const one : stays)
      if (!one) return false;
    return cells.size() == level_count_before;
  }
};

/// The same as `adapted_cells`, also over several ranks: with an agreement, tags and levels are known near the places
/// of the rank, and so are the cells of the result. Collective then.
/// @throws std::invalid_argument  as `adapted_cells`
template <int Dim>
AdaptedLevels<Dim> adapted_levels(Domain<Dim> const& domain, std::vector<IntervalSet<Dim>> tagged,
                                  RegridMargins const& margins, std::vector<LevelSets<Dim>> const& levels, int base,
                                  Agreement<Dim> const* agreement, std::vector<IntervalSet<Dim>> const& kept = {});

}  // namespace sparse::amr
