#pragma once
/// The staggered (marker-and-cell, MAC) grid of a fluid: sets of faces, and how kernels get at them.

#include <array>
#include <memory>

#include <sparse/incompressible/grid/grid_view.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::incompressible {
namespace detail {
template <int Dim>
struct GridBody;
template <int Dim>
struct CutWalls;
}  // namespace detail

/// The faces of a fluid by what is done to them, and the storage that velocities share. An immutable value: copies
/// share memory, and everything is made once.
///
/// Component a of velocity lives on `faces(fluid, a)`. All components, and the cell values that flow carries, are
/// stored on one set, `storage`, the union of these: so one search, or one constant distance in memory, finds them all.
/// Source of the arrangement: Harlow and Welch, Numerical calculation of time-dependent viscous incompressible flow of
/// fluid with free surface, Phys. Fluids 8 (1965).
template <int Dim>
class StaggeredGrid {
public:
  /// Cells within this distance of a cell (box) are fluid where it is `deep`.
  static constexpr int reach = 2;
  static constexpr int reach_width = 2 * reach + 1;
  static constexpr int reach_rows = Dim == 2 ? reach_width : reach_width * reach_width;

  /// A deep cell: operand 1 + row, with y running faster than z, is the cell of that row with the same x, and cells
  /// beside that one in its row lie beside it in memory, too.
  using DeepPlan = Plan<Dim, 1 + reach_rows>;
  /// A face in storage, which is also where its upper cell is; the upper and the lower cell in the fluid; the lower one
  /// in storage. An open face has all, one of outflow only one of the cells.
  using FacePlan = Plan<Dim, 4>;
  /// A cell in the fluid; the same in storage; the next cells along the axes in storage.
  using CellPlan = Plan<Dim, 2 + Dim>;
  /// A face that is computed, in storage; its neighbours, those of `face_arms`, among the faces of the same axis.
  using ArmPlan = Plan<Dim, 1 + 2 * Dim>;

  /// Cost: some passes over the cells, and one on the host over the boundary.
  /// @throws std::invalid_argument  if the fluid is empty, a spacing or a velocity makes no sense, the faces of a part
  ///                                are not on the boundary or in another part, too, or a connected part of the fluid
  ///                                has no outflow, but something flows into it
  explicit StaggeredGrid(FlowDomain<Dim> const& domain);

  FlowDomain<Dim> const& domain() const;
  IntervalSet<Dim> const& fluid() const { return domain().fluid; }
  Vec<double, Dim> const& spacing() const { return domain().spacing; }
  Context context() const { return fluid().context(); }
  double cell_volume() const;
  /// Area of a face, or its length in 2D.
  double face_area(int axis) const { return cell_volume() / spacing()[axis]; }

  IntervalSet<Dim> const& storage() const;
  IntervalSet<Dim> const& faces(int axis) const;
  IntervalSet<Dim> const& open_faces(int axis) const;
  /// All faces of one kind.
  IntervalSet<Dim> const& faces_of(BoundaryKind kind, int axis) const;
  /// Those whose velocity is computed: the open ones and those of outflow. All others keep the given one.
  IntervalSet<Dim> const& computed_faces(int axis) const;
  bool has_outflow() const;
  bool has_curved_walls() const { return static_cast<bool>(domain().distance); }

  GridView<Dim> view() const;

  // ---- plans, for kernels

  /// What curved walls cut, empty without them.
  detail::CutWalls<Dim> const& cut() const;

  DeepPlan const& deep() const;
  CellPlan const& cells() const;
  FacePlan const& open_plan(int axis) const;
  FacePlan const& outflow_plan(int axis) const;
  ArmPlan const& arms(int axis) const;
  /// The computed faces that lack a computed neighbour.
  ArmPlan const& beside_boundary(int axis) const;
  Subset<Dim> const& all_faces(int axis) const;
  /// The computed faces (axis < Dim) or fluid cells (axis == Dim).
  Subset<Dim> const& computed(int axis) const;
  /// Those of them that are not lower faces of deep cells, or deep cells.
  Subset<Dim> const& shallow(int axis) const;

  /// Writes the given velocities to the boundary faces but those of outflow. Cost: a pass over these.
  /// @param velocity  Dim components on `storage`
  /// @throws std::invalid_argument  if the field is another one
  template <class T>
  void set_boundary(Field<T, Dim>& velocity) const;

  /// @throws std::invalid_argument  unless the field lives on `storage`, and has this many components
  template <class T>
  void expect_stored(Field<T, Dim> const& field, int component_count, char const* what) const;

private:
  std::shared_ptr<detail::GridBody<Dim> const> body_;
};

}  // namespace sparse::incompressible
