#pragma once
/// Where a multi-level computation takes place: a box of cells with bodies cut out, at every resolution.

#include <vector>

#include <sparse/interval_set.hpp>

namespace sparse::amr {

/// What happens at one side of the box.
enum class Side {
  wall,      ///< nothing passes (slip)
  open,      ///< the flow leaves undisturbed: the state outside is that of the cell inside
  inflow,    ///< the state outside is given
  periodic,  ///< what leaves enters at the opposite side; both sides of an axis must be periodic
};

/// What a user says about the domain.
template <int Dim>
struct DomainOptions {
  Vec<Coord, Dim> cells;         ///< of level 0, > 0 on each axis
  int level_count = 1;           ///< level 0 included; each has half the spacing of the one before
  Vec<double, Dim> origin = {};  ///< position of the lower corner
  Vec<double, Dim> spacing = Vec<double, Dim>::filled(1);  ///< cell widths of level 0
  Vec<Vec<Side, 2>, Dim> sides = {};                       ///< [axis][0 lower, 1 upper]
  IntervalSet<Dim> solid = {};  ///< bodies, as cells of the *finest* level; may reach out of the box
};

/// The fluid cells of the box at each level. A coarse cell is fluid when one of its children is.
template <int Dim>
class Domain {
public:
  /// Cells that cross a periodic side are kept in this many layers.
  static constexpr Coord image_width = 2;

  /// @throws std::invalid_argument  if a number is out of range, only one side of an axis is periodic, or no fluid is
  ///                                left
  explicit Domain(DomainOptions<Dim> const& options, Context const& context = Context());

  int level_count() const { return static_cast<int>(levels_.size()); }
  DomainOptions<Dim> const& options() const { return options_; }
  Box<Dim> const& box(int level) const { return levels_[level].box; }
  Vec<double, Dim> spacing(int level) const { return (1.0 / (Index{1} << level)) * options_.spacing; }
  /// Volume of a cell.
  double cell_volume(int level) const;

  /// Fluid cells in the box.
  IntervalSet<Dim> const& fluid(int level) const { return levels_[level].fluid; }
  /// Cells in the box with a solid part, and without any fluid part.
  IntervalSet<Dim> const& touched_by_solid(int level) const { return levels_[level].touched; }
  IntervalSet<Dim> const& solid(int level) const { return levels_[level].solid; }

  /// `set` with what it looks like across the periodic sides, `image_width` cells deep.
  IntervalSet<Dim> with_images(IntervalSet<Dim> set, int level) const;
  /// `set` with what lies up to one period outside a periodic side moved back in.
  IntervalSet<Dim> wrapped(IntervalSet<Dim> set, int level) const;
  /// The cells of the box at one side, `width` deep.
  IntervalSet<Dim> layer(int level, int axis, int side, Coord width) const;
  bool is_periodic(int axis) const { return options_.sides[axis][0] == Side::periodic; }

private:
  struct Level {
    Box<Dim> box;
    IntervalSet<Dim> fluid, touched, solid;
  };
  DomainOptions<Dim> options_;
  Context context_;
  std::vector<Level> levels_;
};

}  // namespace sparse::amr
