#pragma once
/// The domain of a multi-level computation: a box of cells with bodies cut out, at every resolution.

#include <vector>

#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/shapes/bodies.hpp>

namespace sparse::amr {

/// A part of a side of the box, with its own kind of boundary.
template <int Dim>
struct SidePart {
  /// The side: its normal axis, 0 to Dim - 1, and its end.
  int axis;
  FaceSide side;
  IntervalSet<Dim> faces;  ///< of level 0, normal to the axis and on that side; face i lies between cells i - 1 and i
  BoundaryKind kind;       ///< not periodic
};

/// The same for kernels.
template <int Dim>
struct SidePartView {
  /// As in `SidePart`; `faces` must outlive the view.
  int axis;
  FaceSide side;
  BoundaryKind kind;
  SetView faces;
};

/// The user's description of the domain.
template <int Dim>
struct DomainOptions {
  Vec<Coord, Dim> cells;                      ///< of level 0, > 0 on each axis
  int level_count = 1;                        ///< level 0 included; each has half the spacing of the one before
  Grid<Dim> grid = {};                        ///< the lower corner of the box, and the cell widths of level 0
  Vec<Vec<BoundaryKind, 2>, Dim> sides = {};  ///< [axis][0 lower, 1 upper]
  std::vector<SidePart<Dim>> parts = {};      ///< parts of sides; where parts share a face, the last one counts
  std::vector<Body<Dim>> bodies = {};         ///< may overlap, and reach out of the box
  int body_level = -1;  ///< bodies are made of cells of this level, and so is the fluid near them; -1: the finest level
};

/// The bodies and the fluid in the box at each level. Bodies are made of cells of `body_level`. A coarser cell is fluid
/// if one of its children is. A finer cell is fluid if its parent is.
template <int Dim>
class Domain {
public:
  /// Number of cells of one level between a body and cells of another level.
  static constexpr Coord body_width = 4;
  /// Least number of cells between a parent and fluid that is not of its level.
  static constexpr Coord nesting_width = 2;
  /// Number of layers of cells that have images across a periodic side.
  static constexpr Coord image_width = 4;

  /// Makes the cells of all bodies, at each level. Cost: that of the bodies at `body_level`, and set algebra.
  /// @throws std::invalid_argument  if a number is out of range, only one side of an axis is periodic, a part does not
  ///                                lie on its side or one of both is periodic, a body has no cells function, or no
  ///                                fluid is left
  explicit Domain(DomainOptions<Dim> const& options, Context const& context = Context());

  /// What the description says: levels, options, and box and cell width of a level, 0 <= level < level_count().
  int level_count() const { return static_cast<int>(levels_.size()); }
  DomainOptions<Dim> const& options() const { return options_; }
  Box<Dim> const& box(int level) const { return levels_[level].box; }
  Vec<double, Dim> spacing(int level) const { return grid(level).spacing; }
  /// The grid of the level.
  Grid<Dim> grid(int level) const { return options_.grid.level(level); }
  /// Volume of a cell [length^Dim].
  double cell_volume(int level) const;
  /// The kind of a side, and whether an axis repeats. Axes are not checked.
  BoundaryKind side(int axis, FaceSide side) const { return options_.sides[axis][side == FaceSide::upper]; }
  bool is_periodic(int axis) const { return side(axis, FaceSide::lower) == BoundaryKind::periodic; }
  /// Whether this side or a part of it is of a kind, and whether any side is.
  bool has(BoundaryKind kind, int axis, FaceSide side) const;
  bool has(BoundaryKind kind) const;
  /// Whether a side has parts of its own, and all parts, in device memory.
  bool has_parts(int axis, FaceSide side) const;
  Buffer<SidePartView<Dim>> const& parts() const { return parts_; }
  /// The faces of a kind among `faces`, which are of a level and lie on this side.
  IntervalSet<Dim> faces_of(BoundaryKind kind, int axis, FaceSide side, IntervalSet<Dim> const& faces, int level) const;

  /// Fluid cells in the box. Cost: none for level 0; for other levels a pass over the rows of the box.
  IntervalSet<Dim> fluid(int level) const;
  /// Cells in the box that are solid, and cells that are partly or wholly solid.
  IntervalSet<Dim> const& solid(int level) const { return levels_[level].solid; }
  IntervalSet<Dim> const& touched_by_solid(int level) const { return levels_[level].touched; }
  /// Solid cells of bodies whose walls are faces of cells.
  IntervalSet<Dim> const& solid_with_faces(int level) const { return levels_[level].solid_with_faces; }
  /// The part of `solid_with_faces` in no-slip bodies. Cost: a union of these bodies.
  IntervalSet<Dim> sticking(int level) const;

  /// How many bodies there are.
  int body_count() const { return static_cast<int>(options_.bodies.size()); }
  /// The bodies are made of cells of this level.
  int body_level() const { return options_.body_level < 0 ? level_count() - 1 : options_.body_level; }
  /// Solid cells that body i covers, at least in part. A cell can be in several bodies.
  IntervalSet<Dim> const& body(int level, int i) const { return levels_[level].bodies[static_cast<std::size_t>(i)]; }
  /// Fluid cells around bodies. Levels below `body_level` are refined there, other levels are not.
  IntervalSet<Dim> const& around_bodies(int level) const { return levels_[level].around_bodies; }

  /// `set`, which lies in the box, and its images across periodic sides. Images reach `width` cells deep, at most one
  /// period.
  IntervalSet<Dim> with_images(IntervalSet<Dim> set, int level, Coord width = image_width) const;
  /// The part of `set` in the box, and the parts up to one period beyond periodic sides, moved back into the box.
  IntervalSet<Dim> wrapped(IntervalSet<Dim> set, int level) const;

private:
  struct Level {
    Box<Dim> box;
    IntervalSet<Dim> touched, solid, solid_with_faces, around_bodies;
    std::vector<IntervalSet<Dim>> bodies;
  };
  void make_bodies(Context const& context);
  void make_surroundings();

  DomainOptions<Dim> options_;
  Context context_;
  Buffer<SidePartView<Dim>> parts_;
  IntervalSet<Dim> fluid_;  // of level 0
  std::vector<Level> levels_;
};

/// The cells of `set` inside and outside of `box`. The cost grows with the set, not with the box.
template <int Dim>
IntervalSet<Dim> inside(IntervalSet<Dim> const& set, Box<Dim> const& box);
template <int Dim>
IntervalSet<Dim> outside(IntervalSet<Dim> const& set, Box<Dim> const& box);

}  // namespace sparse::amr
