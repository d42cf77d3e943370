#pragma once
/// The staggered (marker-and-cell, MAC) grid of a fluid: its sets of faces, and the storage of its fields.

#include <memory>

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/grid/boundary.hpp>

namespace sparse::incompressible {
namespace detail {
template <int Dim>
struct GridBody;
template <int Dim>
class GridRanks;
}  // namespace detail

/// The faces of a fluid, grouped by their kinds, and the storage that all fields share. An immutable value: copies
/// share memory, and everything is made once. The lists of cells that a method visits are made when it first needs
/// them.
///
/// Ranks can share a fluid (`FlowDomain::team`). The grid is then that of the rank's window: of its own cells and those
/// around them. Fields are on the window, too. What depends on values a few cells away must have these from their
/// owners: see `exchange`. Methods that can be shared see to that.
///
/// Component a of velocity lives on `faces(a)`. All components and all carried cell values are stored on one set,
/// `storage`, the union of these sets. So one search, or one constant distance in memory, finds all values. Source of
/// the arrangement: Harlow and Welch, Numerical calculation of time-dependent viscous incompressible flow of fluid with
/// free surface, Phys. Fluids 8 (1965).
template <int Dim>
class StaggeredGrid {
public:
  /// Cost: some passes over the cells, and one over the boundary on the host.
  /// Over ranks collective, and each rank makes the sets of all cells once.
  /// @throws std::invalid_argument  if the fluid is empty, or the grid or a velocity makes no sense;
  ///                                if a part is of a kind that `BoundaryPart` does not know;
  ///                                if faces of a part are not on the boundary, or also in another part;
  ///                                if fluid flows into a connected part of the fluid that has no outflow
  explicit StaggeredGrid(FlowDomain<Dim> const& domain);
  /// What a rank stores of a level. Private.
  explicit StaggeredGrid(std::shared_ptr<detail::GridRanks<Dim>> const& ranks);

  /// What was given.
  FlowDomain<Dim> const& domain() const;
  IntervalSet<Dim> const& fluid() const { return domain().fluid; }
  /// The map between cells and physical space.
  Grid<Dim> const& space() const { return domain().grid; }
  Vec<double, Dim> const& spacing() const { return space().spacing; }
  /// Where memory lives, and the volume of a cell [length^Dim].
  Context context() const { return fluid().context(); }
  double cell_volume() const;
  /// Area of a face, or its length in 2D [length^(Dim - 1)].
  double face_area(int axis) const { return cell_volume() / spacing()[axis]; }

  /// The set on which velocities and carried values are stored. Values of a cell are stored at the cell; component a of
  /// velocity is stored at the upper cell of its face.
  IntervalSet<Dim> const& storage() const;
  /// The faces normal to an axis: of all cells of the fluid, and between two of them.
  IntervalSet<Dim> const& faces(int axis) const;
  IntervalSet<Dim> const& open_faces(int axis) const;
  /// All faces of one kind. Axes are not checked, here and above.
  /// @throws std::invalid_argument  for a kind that no face can have
  IntervalSet<Dim> const& faces_of(BoundaryKind kind, int axis) const;
  /// The faces whose velocity is computed: open faces and outflow faces. All other faces keep the given velocity.
  IntervalSet<Dim> const& computed_faces(int axis) const;
  /// Whether there are outflow faces, and curved walls.
  bool has_outflow() const;
  bool has_curved_walls() const { return static_cast<bool>(domain().distance); }

  /// Writes the given velocities to all boundary faces except outflow faces. Cost: a pass over them.
  /// @param velocity  Dim components on `storage`
  /// @throws std::invalid_argument  if the field has other components or another domain
  template <class T>
  void set_boundary(Field<T, Dim>& velocity) const;

  /// @throws std::invalid_argument  unless the field lives on `storage` and has this many components
  template <class T>
  void expect_stored(Field<T, Dim> const& field, int component_count, char const* what) const;

  // ---- over ranks

  /// Whether ranks share the fluid.
  bool is_shared() const;
  /// The cells of the fluid that no other rank owns: without ranks, all of them.
  IntervalSet<Dim> const& own_cells() const;
  /// The fluid and the storage of all ranks: without ranks, `fluid` and `storage`.
  IntervalSet<Dim> const& whole_fluid() const;
  IntervalSet<Dim> const& whole_storage() const;
  /// Gives a field the values that the owners of its cells have. Collective. Cost: a message to each rank nearby; none
  /// without ranks.
  /// @throws std::invalid_argument  unless the field lives on `storage`
  template <class T>
  void exchange(Field<T, Dim>& field) const;
  /// The same field for the cells of all ranks, on rank 0. On others it has no cells. Collective.
  /// @param field  on `storage` or on the fluid
  template <class T>
  Field<T, Dim> gather(Field<T, Dim> const& field) const;

  /// Data for the library's kernels. Private.
  detail::GridBody<Dim> const& body() const { return *body_; }

private:
  std::shared_ptr<detail::GridBody<Dim> const> body_;
};

}  // namespace sparse::incompressible
