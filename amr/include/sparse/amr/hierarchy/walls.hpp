#pragma once
/// The values of solid cells, chosen such that the surface of bodies acts as a wall.

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/law.hpp>
#include <sparse/amr/sweep/batches.hpp>
#include <sparse/plans/stencil.hpp>

namespace sparse::amr {

/// A solid cell and the fluid cells around its image. The image lies as far outside of the body as the cell's centre
/// lies inside.
template <int Dim>
struct CurvedGhost {
  /// Corners of the cube of cell centres around an image.
  static constexpr int corner_count = 1 << Dim;
  Index cell;                    ///< position in storage, like those of the corners
  Index corners[corner_count];   ///< `cell` itself where the weight is 0
  double weights[corner_count];  ///< sum 1; all 0 if there is no fluid nearby
  Vec<double, Dim> normal;       ///< of the surface, into the fluid
  bool sticks;                   ///< whether the wall is no-slip
};

/// Solid cells and the neighbours that give them their values. All other neighbours count as missing.
template <int Dim>
class FaceGhosts : public Plan<Dim, 1 + 2 * Dim> {
public:
  /// What kernels get per cell.
  using Point = StencilPoint<Dim>;
  /// The plan that visits nothing, or `cells`, whose neighbours in `sources` are present.
  FaceGhosts() = default;
  FaceGhosts(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& sources, IntervalSet<Dim> const& storage);
};

/// The ghosts of one level in bodies.
///
/// Source of the curved ones: image points and reflection as in immersed-boundary ghost-cell methods, Tseng and
/// Ferziger (2003), J. Comput. Phys. 192.
template <int Dim>
class Walls {
public:
  Walls() = default;
  /// The ghosts of a level. Cost: passes over the rows, and for curved walls a distance for each of their cells.
  Walls(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level);

  /// Ghosts at walls with a known surface.
  Buffer<CurvedGhost<Dim>> const& curved() const { return curved_; }
  /// Face ghosts beside fluid, at slip or no-slip walls. `behind`: face ghosts behind these.
  FaceGhosts<Dim> const& beside_fluid(BoundaryKind kind) const { return kind == BoundaryKind::wall ? slip_ : no_slip_; }
  FaceGhosts<Dim> const& behind() const { return behind_; }
  /// Where their memory lives.
  Context const& context() const { return context_; }

private:
  void make_curved(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level);
  void make_faces(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level);

  Buffer<CurvedGhost<Dim>> curved_;
  FaceGhosts<Dim> slip_, no_slip_, behind_;
  Context context_;
};

namespace detail {

// The ghosts of bodies are not filled inline: a loop can have copies of its body, and compilers need not contract
// products and sums in each of them in the same way. Then a ghost would depend on where its list is cut among ranks.

template <class Law>
struct FillCurved {
  using T = typename Law::Scalar;
  using State = typename Law::State;
  static constexpr int Dim = Law::dimension, N = Law::component_count;
  Law law;
  CurvedGhost<Dim> const* ghosts;
  FieldView<T> state;

  KOKKOS_FORCEINLINE_FUNCTION void fetch(Index i) const {
    CurvedGhost<Dim> const& ghost = ghosts[i];
    for (int c = 0; c < N; ++c) {
      for (int corner = 0; corner < CurvedGhost<Dim>::corner_count; corner += 2)
        __builtin_prefetch(&state(c, ghost.corners[corner]));
      __builtin_prefetch(&state(c, ghost.cell), 1);
    }
  }
  KOKKOS_FUNCTION __attribute__((noinline)) void operator()(Index i) const {
    CurvedGhost<Dim> const& ghost = ghosts[i];
    State image{};
    double total = 0;
    for (int corner = 0; corner < CurvedGhost<Dim>::corner_count; ++corner) {
      if (ghost.weights[corner] == 0) continue;
      image +=
          static_cast<T>(ghost.weights[corner]) * law.primitive(State(state.template load<N>(ghost.corners[corner])));
      total += ghost.weights[corner];
    }
    if (total == 0) return;
    Vec<T, Dim> normal;
    for (int axis = 0; axis < Dim; ++axis) normal[axis] = static_cast<T>(ghost.normal[axis]);
    State const value = ghost.sticks ? law.reversed(image) : law.reflected(image, normal);
    state.store(ghost.cell, law.conserved(value));
  }
};

/// The mean of a face ghost's neighbours, each mirrored at the face between them.
template <class Law>
struct FillBesideFluid {
  using T = typename Law::Scalar;
  using State = typename Law::State;
  Law law;
  FieldView<T> state;
  BoundaryKind kind;

  KOKKOS_FUNCTION __attribute__((noinline)) void operator()(StencilPoint<Law::dimension> const& p) const {
    State sum{};
    int count = 0;
    for (int arm = 0; arm < p.arm_count; ++arm) {
      if (!p.has_neighbour(arm)) continue;
      State const w = law.primitive(State(state.template load<Law::component_count>(p.neighbour(arm))));
      sum += kind == BoundaryKind::wall ? law.mirrored(w, arm / 2, T(-1)) : law.reversed(w);
      ++count;
    }
    if (count > 0) state.store(p.cell, law.conserved(State(T(1) / static_cast<T>(count) * sum)));
  }
};

/// The mean of the ghosts beside a ghost without fluid neighbours.
template <class Law>
struct FillBehind {
  using T = typename Law::Scalar;
  using State = typename Law::State;
  FieldView<T> state;

  KOKKOS_FUNCTION __attribute__((noinline)) void operator()(StencilPoint<Law::dimension> const& p) const {
    State sum{};
    int count = 0;
    for (int arm = 0; arm < p.arm_count; ++arm) {
      if (!p.has_neighbour(arm)) continue;
      sum += State(state.template load<Law::component_count>(p.neighbour(arm)));
      ++count;
    }
    if (count > 0) state.store(p.cell, State(T(1) / static_cast<T>(count) * sum));
  }
};

}  // namespace detail

/// Fills the ghosts in bodies that lie beside fluid.
///
/// A curved ghost gets the primitive variables at its image, interpolated between fluid cells and reflected at the
/// wall. A face ghost gets the mean of its neighbours, each mirrored at the face. Fluid cells, coarse ghosts, and cells
/// outside the box that take values from fluid must be filled before.
template <class Law>
void fill_walls(FieldView<typename Law::Scalar> state, Law const& law, Walls<Law::dimension> const& walls) {
  for_each_stretch(walls.context(), "sparse::amr::fill_curved_walls", walls.curved().size(), 128,
                   detail::FillCurved<Law>{law, walls.curved().data(), state});
  for (BoundaryKind const kind : {BoundaryKind::wall, BoundaryKind::no_slip})
    if (walls.beside_fluid(kind).cell_count() > 0)
      for_each("sparse::amr::fill_face_walls", walls.beside_fluid(kind),
               detail::FillBesideFluid<Law>{law, state, kind});
}

/// Fills face ghosts without fluid neighbours with the mean of the ghosts beside them, which must be filled before.
template <class Law>
void fill_behind_walls(FieldView<typename Law::Scalar> state, Walls<Law::dimension> const& walls) {
  if (walls.behind().cell_count() > 0)
    for_each("sparse::amr::fill_behind_walls", walls.behind(), detail::FillBehind<Law>{state});
}

}  // namespace sparse::amr
