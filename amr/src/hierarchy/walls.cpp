#include <sparse/amr/hierarchy/walls.hpp>

#include "domain/fold.hpp"

#include <sparse/amr/domain/boundary.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::amr {
namespace {

/// Components of the surface: distance, normal, and whether the wall is no-slip.
constexpr int distance_at = 0, normal_at = 1;
template <int Dim>
constexpr int sticks_at = 1 + Dim;

/// Keeps the surface of the body in which a cell lies deepest, where bodies overlap.
template <int Dim>
struct KeepDeepest {
  SurfacePoint<Dim> const* one;
  FieldView<double> deepest;
  double sticks;
  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 2> const& p) const {
    Index const from = p.operand(0), to = p.operand(1);
    if (!(one[from].distance < deepest(distance_at, to))) return;
    deepest(distance_at, to) = one[from].distance;
    for (int axis = 0; axis < Dim; ++axis) deepest(normal_at + axis, to) = one[from].normal[axis];
    deepest(sticks_at<Dim>, to) = sticks;
  }
};

/// The deepest surface for each cell of `ghosts`.
template <int Dim>
Field<double, Dim> surfaces(Domain<Dim> const& domain, IntervalSet<Dim> const& ghosts, int level) {
  Field<double, Dim> deepest("surface", ghosts, 2 + Dim);
  fill(deepest, 0.0);
  for (int i = 0; i < domain.body_count(); ++i) {
    Body<Dim> const& body = domain.options().bodies[static_cast<std::size_t>(i)];
    if (!body.distance) continue;
    IntervalSet<Dim> const cells = ghosts & domain.body(level, i);
    if (cells.is_empty()) continue;
    auto const one = body.surface(domain.grid(level), cells);
    Plan<Dim, 2> const plan(cells, {operand<Dim>(cells.view()), operand<Dim>(ghosts.view())}, 0b11);
    for_each("sparse::amr::keep_deepest", plan,
             KeepDeepest<Dim>{one.data(), deepest.view(), body.wall == BoundaryKind::no_slip ? 1.0 : 0.0});
  }
  return deepest;
}

/// Finds the fluid cells around the image of a ghost.
template <int Dim>
struct FindImage {
  SetView known, solid;  // `known`: all cells except solid ones, with their positions in storage
  Fold<Dim> fold;
  Vec<double, Dim> spacing;
  FieldView<double const> surface;
  CurvedGhost<Dim>* ghosts;

  /// The position of a cell that has a value from fluid, or -1.
  KOKKOS_FUNCTION Index find_fluid(Vec<Coord, Dim> cell) const {
    bool is_outside = false;
    for (int axis = 0; axis < Dim; ++axis) {
      cell[axis] = fold.wrapped(cell[axis], axis);
      is_outside = is_outside || cell[axis] < 0 || cell[axis] >= fold.size[axis];
    }
    return is_outside && fold.is_behind(solid, cell) ? -1 : known.find(cell);
  }

  /// Takes the fluid cell that is nearest to the image and at most two cells from the ghost. If there is no normal, it
  /// becomes the direction to that cell.
  KOKKOS_FUNCTION void take_nearest(CurvedGhost<Dim>& ghost, Vec<Coord, Dim> const& cell,
                                    Vec<double, Dim> const& image) const {
    double least = 1e300;
    Vec<Coord, Dim> nearest = cell;
    int cell_count = 1;
    for (int axis = 0; axis < Dim; ++axis) cell_count *= 5;
    for (int code = 0; code < cell_count; ++code) {
      Vec<Coord, Dim> near = cell;
      double square = 0;
      for (int axis = 0, rest = code; axis < Dim; ++axis, rest /= 5) {
        near[axis] += rest % 5 - 2;
        double const apart = (near[axis] + 0.5 - image[axis]) * spacing[axis];
        square += apart * apart;
      }
      if (square >= least) continue;
      Index const found = find_fluid(near);
      if (found < 0) continue;
      least = square;
      ghost.corners[0] = found;
      ghost.weights[0] = 1;
      nearest = near;
    }
    double length = 0;
    for (int axis = 0; axis < Dim; ++axis) length += ghost.normal[axis] * ghost.normal[axis];
    if (length > 0) return;
    for (int axis = 0; axis < Dim; ++axis) {
      ghost.normal[axis] = (nearest[axis] - cell[axis]) * spacing[axis];
      length += ghost.normal[axis] * ghost.normal[axis];
    }
    for (int axis = 0; axis < Dim; ++axis) ghost.normal[axis] /= length > 0 ? std::sqrt(length) : 1;
  }

  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 2> const& p) const {
    Index const i = p.operand(0);
    CurvedGhost<Dim> ghost;
    ghost.cell = p.operand(1);
    ghost.sticks = surface(sticks_at<Dim>, i) != 0;
    Vec<Coord, Dim> const cell = p.coordinates();
    Vec<Coord, Dim> low;
    Vec<double, Dim> image, fraction;  // in units of the cell width
    // Limits the depth to two cells: fluid is not farther away, even if the function is not a true distance.
    double widest = 0;
    for (int axis = 0; axis < Dim; ++axis) widest = spacing[axis] > widest ? spacing[axis] : widest;
    double const depth = -surface(distance_at, i) < 2 * widest ? -surface(distance_at, i) : 2 * widest;
    for (int axis = 0; axis < Dim; ++axis) {
      ghost.normal[axis] = surface(normal_at + axis, i);
      image[axis] = cell[axis] + 0.5 + 2 * depth * ghost.normal[axis] / spacing[axis];
      double const base = std::floor(image[axis] - 0.5);
      low[axis] = static_cast<Coord>(base);
      fraction[axis] = image[axis] - 0.5 - base;
    }
    double total = 0;
    for (int corner = 0; corner < CurvedGhost<Dim>::corner_count; ++corner) {
      Vec<Coord, Dim> near = low;
      double weight = 1;
      for (int axis = 0; axis < Dim; ++axis) {
        bool const is_high = (corner >> axis) & 1;
        near[axis] += is_high ? 1 : 0;
        weight *= is_high ? fraction[axis] : 1 - fraction[axis];
      }
      Index const found = weight > 1e-9 ? find_fluid(near) : -1;
      ghost.corners[corner] = found < 0 ? ghost.cell : found;
      ghost.weights[corner] = found < 0 ? 0 : weight;
      total += ghost.weights[corner];
    }
    for (double& weight : ghost.weights) weight = total > 0 ? weight / total : 0;
    if (!(total > 0)) take_nearest(ghost, cell, image);
    ghosts[i] = ghost;
  }
};

template <int Dim, int K>
struct FaceOperands {
  Operand operands[K];
  FaceOperands(SetView const& storage, SetView const& sources) {
    operands[0] = operand<Dim>(storage);
    for (int arm = 0; arm < 2 * Dim; ++arm) operands[1 + arm] = operand<Dim>(sources, face_arms<Dim>().offset[arm]);
  }
};

}  // namespace

template <int Dim>
FaceGhosts<Dim>::FaceGhosts(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& sources,
                            IntervalSet<Dim> const& storage)
    : Plan<Dim, 1 + 2 * Dim>(
          cells, FaceOperands<Dim, 1 + 2 * Dim>(storage.view(), Embedding<Dim>(sources, storage).view()).operands) {}

template <int Dim>
Walls<Dim>::Walls(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level) : context_(sets.storage.context()) {
  if (!sets.curved_ghosts.is_empty()) make_curved(domain, sets, level);
  if (!sets.face_ghosts.is_empty()) make_faces(domain, sets, level);
}

template <int Dim>
void Walls<Dim>::make_curved(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level) {
  IntervalSet<Dim> const& ghosts = sets.curved_ghosts;
  IntervalSet<Dim> const solid = ghosts | sets.face_ghosts;
  Field<double, Dim> const surface = surfaces(domain, ghosts, level);
  curved_ = Buffer<CurvedGhost<Dim>>(context_, ghosts.cell_count());
  Plan<Dim, 2> const plan(ghosts, {operand<Dim>(ghosts.view()), operand<Dim>(sets.storage.view())}, 0b11);
  Embedding<Dim> const known(sets.storage - solid, sets.storage);
  for_each("sparse::amr::find_images", plan,
           FindImage<Dim>{known.view(), solid.view(), Fold<Dim>(domain, level), domain.spacing(level), surface.view(),
                          curved_.data()});
}

template <int Dim>
void Walls<Dim>::make_faces(Domain<Dim> const& domain, LevelSets<Dim> const& sets, int level) {
  IntervalSet<Dim> const fluid =
      domain.with_images(inside(sets.valid, domain.box(level)) | sets.coarse_ghosts, level, 1) & sets.storage;
  IntervalSet<Dim> const beside = sets.face_ghosts & expand(fluid, 1, Element::diamond);
  IntervalSet<Dim> const sticky = domain.sticking(level);
  slip_ = FaceGhosts<Dim>(beside - sticky, fluid, sets.storage);
  if (!sticky.is_empty()) no_slip_ = FaceGhosts<Dim>(beside & sticky, fluid, sets.storage);
  IntervalSet<Dim> const behind = sets.face_ghosts - beside;
  if (behind.is_empty()) return;
  IntervalSet<Dim> const known = domain.with_images(beside | sets.curved_ghosts, level, 1) & sets.storage;
  behind_ = FaceGhosts<Dim>(behind, known, sets.storage);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class FaceGhosts<Dim>;                                                                                      \
  template class Walls<Dim>;
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
