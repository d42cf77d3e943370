#pragma once
/// The force of the flow's pressure on bodies.

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/law.hpp>
#include <sparse/amr/measure/team_of.hpp>
#include <sparse/distributed/order_free_sums.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// Components of a moment: one in 2D, three in 3D.
template <int Dim>
inline constexpr int moment_count = Dim == 2 ? 1 : 3;

/// What the fluid does to a body, in units of pressure times area.
template <int Dim>
struct BodyForce {
  Vec<double, Dim> force = {};                 ///< in 2D per unit length along z
  Vec<double, moment_count<Dim>> moment = {};  ///< r x force; in 2D its part along z
};

/// Selects the whole surface of a body.
template <int Dim>
struct Everywhere {
  /// True everywhere.
  KOKKOS_FUNCTION bool operator()(Vec<double, Dim> const&) const { return true; }
};

namespace detail {

/// A vector and its moment.
template <int Dim>
using WithMoment = Vec<double, Dim + moment_count<Dim>>;

/// @param r  vector from the point about which the moment is taken
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION WithMoment<Dim> with_moment(Vec<double, Dim> const& r, Vec<double, Dim> const& v) {
  WithMoment<Dim> result;
  for (int a = 0; a < Dim; ++a) result[a] = v[a];
  if constexpr (Dim == 2) {
    result[2] = r[0] * v[1] - r[1] * v[0];
  } else {
    for (int a = 0; a < 3; ++a) {
      int const next = (a + 1) % 3, last = (a + 2) % 3;
      result[3 + a] = r[next] * v[last] - r[last] * v[next];
    }
  }
  return result;
}

/// result += factor sums
template <int Dim>
void add_to(BodyForce<Dim>& result, double factor, WithMoment<Dim> const& sums) {
  for (int a = 0; a < Dim; ++a) result.force[a] += factor * sums[a];
  for (int a = 0; a < moment_count<Dim>; ++a) result.moment[a] += factor * sums[Dim + a];
}

/// The sum of vectors and moments over parts, each with its weight.
template <class Flow, class Parts>
WithMoment<Flow::Dim> weighted_sum(Flow const& flow, std::string const& label, Parts const& parts,
                                   std::vector<double> const& weights) {
  constexpr int Dim = Flow::Dim;
  WithMoment<Dim> total{};
  auto const sums = distributed::order_free_sums<Dim + moment_count<Dim>>(team_of(flow), label, parts);
  for (std::size_t i = 0; i < sums.size(); ++i) total += weights[i] * sums[i];
  return total;
}

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<double, Dim> face_center(Grid<Dim> const& grid, Vec<Coord, Dim> const& cell, int axis,
                                                         int side) {
  Vec<double, Dim> x;
  for (int a = 0; a < Dim; ++a) {
    double const in_cell = a == axis ? side : 0.5;
    x[a] = grid.origin[a] + (cell[a] + in_cell) * grid.spacing[a];
  }
  return x;
}

/// The pressure force per area on the wall face of a leaf, and its moment.
template <class Law, class Predicate>
struct PressOnFace {
  static constexpr int Dim = Law::dimension;
  Law law;
  FieldView<typename Law::Scalar const> state;
  Grid<Dim> grid;  // of the level
  int axis, side;
  Vec<double, Dim> about;
  Predicate where;

  KOKKOS_FUNCTION double pressure(Index cell) const {
    return static_cast<double>(law.primitive(state.template load<Law::component_count>(cell))[Law::pressure_index]);
  }
  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 3> const& p, WithMoment<Dim>& terms) const {
    Vec<double, Dim> const x = face_center(grid, p.coordinates(), axis, side);
    if (!where(x)) return;
    double const fluid = pressure(p.operand(0));
    double const press = p.has(2) ? 0.5 * (fluid + pressure(p.operand(1))) : fluid;
    terms = with_moment(x - about, Vec<double, Dim>::along(axis, side == 0 ? -press : press));  // towards the body
  }
};

/// Operands: a leaf; the cell beyond its wall; the same cell among the curved ghosts.
template <int Dim>
Plan<Dim, 3> wall_plan(IntervalSet<Dim> const& leaves, IntervalSet<Dim> const& storage, IntervalSet<Dim> const& curved,
                       Vec<Coord, Dim> const& beyond) {
  return {leaves,
          {operand<Dim>(storage.view()), operand<Dim>(storage.view(), beyond), operand<Dim>(curved.view(), beyond)}};
}

}  // namespace detail

/// Force and moment of the pressure on body `i` of the domain, for laws with a `pressure_index`.
///
/// At a curved wall the ghost is the fluid's mirror image. There the pressure on a face is the mean of leaf and ghost,
/// which is exact for linear pressure. Elsewhere it is that of the leaf. A cell in several bodies belongs to the first
/// of them.
/// @param about  the point about which moments are taken
/// @param where  device function of a face's centre: whether the face counts
/// @throws std::invalid_argument  if there is no such body
/// Collective if there are several ranks; its bits do not depend on their number. Cost: `synchronise`, set algebra on
/// the leaves, plans of the leaves beside the body, and `order_free_sums`.
template <class Flow, class Predicate = Everywhere<Flow::Dim>>
BodyForce<Flow::Dim> force_on_body(Flow& flow, int i, Vec<double, Flow::Dim> const& about = {},
                                   Predicate const& where = {}) {
  using Law = typename Flow::Law;
  constexpr int Dim = Flow::Dim;
  auto const& domain = flow.domain();
  expects(i >= 0 && i < domain.body_count(), "force_on_body: there is no such body");
  flow.synchronise();
  using Press = detail::PressOnFace<Law, Predicate>;
  std::vector<distributed::SumPart<Plan<Dim, 3>, Press>> parts;
  std::vector<double> areas;
  for (int l = 0; l < flow.level_count(); ++l) {
    LevelSets<Dim> const& sets = flow.sets(l);
    IntervalSet<Dim> solid = domain.body(l, i);
    for (int earlier = 0; earlier < i; ++earlier) solid = solid - domain.body(l, earlier);
    solid = domain.with_images(solid, l, 1);
    IntervalSet<Dim> const curved = domain.with_images(sets.curved_ghosts, l, 1);
    auto const grid = domain.grid(l);
    for (int axis = 0; axis < Dim; ++axis)
      for (int side = 0; side < 2; ++side) {
        auto const beyond = Vec<Coord, Dim>::along(axis, side == 0 ? -1 : 1);
        parts.push_back({detail::wall_plan(sets.leaves & shift(solid, -1 * beyond), sets.storage, curved, beyond),
                         Press{flow.flux().law, flow.state(l).view(), grid, axis, side, about, where}});
        areas.push_back(domain.cell_volume(l) / grid.spacing[axis]);
      }
  }
  BodyForce<Dim> result;
  detail::add_to(result, 1, detail::weighted_sum(flow, "sparse::diagnostics::press", parts, areas));
  return result;
}

}  // namespace sparse::amr
