#pragma once
/// The data of a staggered grid.

#include <string>
#include <vector>

#include <sparse/incompressible/grid/staggered_grid.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/plans/subset.hpp>

#include "cut_walls.hpp"
#include "lazy.hpp"
#include "view.hpp"

namespace sparse::incompressible::detail {

/// A deep cell: all cells within `size` cells (box) are fluid. They lie in `rows` rows.
template <int Dim>
struct Reach {
  static constexpr int size = 2, width = 2 * size + 1, rows = Dim == 2 ? width : width * width;
};

/// A plan of deep cells. Operand 1 + row is the cell with the same x in a row; y runs faster than z. Neighbours in a
/// row are neighbours in memory, too.
template <int Dim>
using DeepPlan = Plan<Dim, 1 + Reach<Dim>::rows>;
/// Operands: a face in storage, at its upper cell; the upper and the lower cell in the fluid; the lower cell in
/// storage. An open face has both cells, an outflow face has one.
template <int Dim>
using FacePlan = Plan<Dim, 4>;
/// Operands: a cell in the fluid; the same cell in storage; the next cell along each axis in storage.
template <int Dim>
using CellPlan = Plan<Dim, 2 + Dim>;
/// Operands: a computed face in storage; its neighbours (see `face_arms`) among the faces normal to the same axis.
template <int Dim>
using ArmPlan = Plan<Dim, 1 + 2 * Dim>;

/// One element for each axis. With Dim + 1, the last one is for cells.
template <class T, int count>
struct PerAxis {
  T of[count];
  T& operator[](int axis) { return of[axis]; }
  T const& operator[](int axis) const { return of[axis]; }
};

/// The given velocity of a boundary face along its normal.
struct GivenVelocity {
  Index position;
  int axis;
  double value;
};

/// Number of kinds that a part of the boundary may have: those before `BoundaryKind::periodic`.
constexpr std::size_t kind_count = static_cast<std::size_t>(BoundaryKind::periodic);

template <int Dim>
class GridRanks;

template <int Dim>
struct GridBody {
  using Places = std::vector<Vec<Coord, Dim>>;
  std::shared_ptr<GridRanks<Dim> const> ranks;  // that share the fluid; null if one process has it
  FlowDomain<Dim> domain;                       // over ranks, that of the window
  Periodicity<Dim> periodicity;
  IntervalSet<Dim> storage;
  FaceSets<Dim> faces, open, computed;
  std::array<FaceSets<Dim>, kind_count> of_kind;  // [BoundaryKind]
  std::vector<FaceSets<Dim>> parts;               // [0] faces in no part, then the parts of the domain

  Field<std::uint8_t, Dim> kinds;
  std::vector<Condition<Dim>> condition_list;
  Buffer<Condition<Dim>> conditions;
  Buffer<Index> row_table;
  Vec<Coord, Dim> table_begin = {}, table_size = {};
  Buffer<GivenVelocity> given;
  CutWalls<Dim> cut;  // faces and cells cut by curved walls; empty without them

  /// @throws std::invalid_argument  see `StaggeredGrid`
  explicit GridBody(FlowDomain<Dim> const& d) : GridBody(d, nullptr) {}
  /// That of the window of a rank. Collective.
  explicit GridBody(std::shared_ptr<GridRanks<Dim>> const& shared);

  GridView<Dim> view() const;

  /// Whether there are no other ranks.
  bool is_whole() const;
  /// The cells that no other rank owns, and those of some faces that this rank counts. Each face has one rank.
  IntervalSet<Dim> const& own() const;
  IntervalSet<Dim> own_of(IntervalSet<Dim> const& of, int axis) const;
  /// The greatest of all ranks' values, which are not NaN, and their sum. Collective.
  double greatest(double value) const;
  double sum(double value) const;

  // ---- made when they are first needed: a method needs few of them, and levels change often

  /// See `GridView`.
  Field<std::int32_t, Dim> const& steps() const;
  DeepPlan<Dim> const& deep() const;
  CellPlan<Dim> const& cells() const;
  /// The same for own cells.
  CellPlan<Dim> const& own_cells() const;
  Subset<Dim> const& own_plan() const;
  FacePlan<Dim> const& open_plan(int axis) const;
  FacePlan<Dim> const& outflow_plan(int axis) const;
  /// Those that this rank counts.
  FacePlan<Dim> const& own_outflow_plan(int axis) const;
  ArmPlan<Dim> const& arms(int axis) const;
  /// The same for some of the faces.
  ArmPlan<Dim> arm_plan(IntervalSet<Dim> const& of, int axis) const;
  /// The computed faces that lack a computed neighbour.
  ArmPlan<Dim> const& beside_boundary(int axis) const;
  Subset<Dim> const& all_faces(int axis) const;
  /// The computed faces, or with axis = Dim the fluid cells.
  Subset<Dim> const& computed_plan(int axis) const;
  /// Those of them that are not deep cells, or lower faces of such.
  Subset<Dim> const& shallow(int axis) const;

private:
  GridBody(FlowDomain<Dim> const& d, std::shared_ptr<GridRanks<Dim> const> const& shared);
  void make_sets();
  void mark_faces();
  /// Makes a table that finds rows by coordinates. Makes none where most of the rows' bounding box is empty.
  void make_table();
  void expect_short_steps() const;
  void give_velocities();
  /// Throws if given fluxes do not balance in a connected part of the fluid without outflow.
  /// @param inside        the fluid cells beside faces with a given flux
  /// @param outward_flux  flux of each
  void expect_balance(Places const& inside, std::vector<double> const& outward_flux) const;

  IntervalSet<Dim> const& deep_cells() const;
  IntervalSet<Dim> const& computed_at(int axis) const { return axis == Dim ? domain.fluid : computed[axis]; }
  FacePlan<Dim> face_plan(IntervalSet<Dim> const& of, int axis, std::uint32_t required) const;
  CellPlan<Dim> cell_plan(IntervalSet<Dim> const& of) const;

  Lazy<Field<std::int32_t, Dim>> steps_;
  Lazy<IntervalSet<Dim>> deep_cells_;
  Lazy<DeepPlan<Dim>> deep_;
  Lazy<CellPlan<Dim>> cells_, own_cells_;
  Lazy<Subset<Dim>> own_plan_;
  PerAxis<Lazy<FacePlan<Dim>>, Dim> open_plan_, outflow_plan_, own_outflow_plan_;
  PerAxis<Lazy<ArmPlan<Dim>>, Dim> arms_, beside_boundary_;
  PerAxis<Lazy<Subset<Dim>>, Dim> all_faces_;
  PerAxis<Lazy<Subset<Dim>>, Dim + 1> computed_plan_, shallow_;
};

/// Throws unless a field has one component on the fluid.
template <class T, int Dim>
void expect_on_fluid(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& field, char const* what) {
  if (field.component_count() != 1 || !(field.domain() == grid.fluid()))
    fail("incompressible: the " + std::string(what) + ", field '" + field.name() +
         "', must have one component on the fluid");
}

/// Throws if a rank has a part of the fluid alone. @param what  needs all of it
template <int Dim>
void expect_alone(StaggeredGrid<Dim> const& grid, char const* what) {
  if (!grid.body().is_whole())
    fail("incompressible: " + std::string(what) + " needs the cells of all ranks: gather the fields first");
}

/// Finds the faces and cells that the domain's distance cuts. Needs all of the body but `cut` and `given`.
template <int Dim>
CutWalls<Dim> cut_walls_of(GridBody<Dim> const& body);

}  // namespace sparse::incompressible::detail
