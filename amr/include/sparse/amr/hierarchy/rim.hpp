#pragma once
/// Where a rank's part of a level may differ from the level.

#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// The places of a level where a rank may hold cells, by whether the sets of its part are to be found there. Deep among
/// what the rank owns they are those of the level. Without deep places the rim is everywhere.
template <int Dim>
struct Rim {
  /// Places so far from what the rank does not own that no closure goes from one to the other.
  IntervalSet<Dim> deep;
  /// The other places, and those in `deep` from which a closure may go there.
  IntervalSet<Dim> near;
  /// Places at the children of which, or of cells beside them, sets may not be those of the next finer level.
  IntervalSet<Dim> under;
  /// The places of the next finer level over `near` and `under`, and beside these.
  IntervalSet<Dim> over;
  /// The places of the next finer level with parents that are not in `under`, and some more that are deep.
  IntervalSet<Dim> deep_children;

  /// The cells of a set in `near`, in `under`, in `over`.
  IntervalSet<Dim> part_near(IntervalSet<Dim> const& set) const { return is_everywhere() ? set : set & near; }
  IntervalSet<Dim> part_under(IntervalSet<Dim> const& set) const { return is_everywhere() ? set : set & under; }
  IntervalSet<Dim> part_over(IntervalSet<Dim> const& finer) const { return is_everywhere() ? finer : finer & over; }
  /// A set of the rank. @param all  that of the level. @param found  cells of it, all that are not deep among them
  IntervalSet<Dim> with_deep(IntervalSet<Dim> const& all, IntervalSet<Dim> const& found) const {
    if (is_everywhere()) return found;
    return fuse([](bool is_in_level, bool is_deep, bool is_found) { return (is_in_level && is_deep) || is_found; }, all,
                deep, found);
  }
  bool is_everywhere() const { return deep.is_empty(); }
};

/// Cost: set algebra on places.
/// @param own    places that the rank owns
/// @param all    places where it may hold cells
/// @param finer  the rim of the next finer level; one without places on the finest
/// @param reach  how far a closure goes
template <int Dim>
Rim<Dim> rim_of(Domain<Dim> const& domain, int level, IntervalSet<Dim> const& own, IntervalSet<Dim> const& all,
                Rim<Dim> const& finer, Coord reach);

/// The rim of a level, or one that is everywhere.
template <int Dim>
Rim<Dim> rim_at(std::vector<Rim<Dim>> const& rims, int level) {
  auto const l = static_cast<std::size_t>(level);
  return level >= 0 && l < rims.size() ? rims[l] : Rim<Dim>();
}

}  // namespace sparse::amr
