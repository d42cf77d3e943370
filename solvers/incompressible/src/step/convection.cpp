#include "convection.hpp"

#include <cmath>

#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

#include "donor_cell.hpp"
#include "grid/beside_boundary.hpp"
#include "grid/body.hpp"
#include "grid/periodic_plan.hpp"

namespace sparse::incompressible {
namespace {

/// What all kernels need to know. Operands of a face normal to `axis` are those of `Convection::Faces`.
template <class T, int Dim>
struct Terms {
  FieldView<T const> velocity;
  FieldView<T> to;
  Vec<T, Dim> diffusive;   // viscosity time_step / spacing^2
  Vec<T, Dim> convective;  // time_step / (4 spacing)
  Vec<T, Dim> gain;        // acceleration time_step
  T donor_cell;

  KOKKOS_FORCEINLINE_FUNCTION T const* component(int c) const { return velocity.data + c * velocity.stride; }
  /// The operands where the upper faces normal to `across` are: of the cell above; behind it, of the cell below.
  KOKKOS_FORCEINLINE_FUNCTION static int upper_operand(int axis, int across) {
    return 1 + 2 * Dim + 2 * (across < axis ? across : across - 1);
  }
};

/// Where a neighbour is missing the face itself stands in, as if nothing changed across walls.
template <class T, int Dim, int axis>
struct ConvectOpenFaces {
  using Point = typename Convection<Dim>::Faces::Point;
  Terms<T, Dim> terms;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    T const* const u = terms.component(axis);
    T const here = u[p.operand(0)];
    T sum = terms.gain[axis];
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const below = u[p.operand(1 + 2 * b)], above = u[p.operand(2 + 2 * b)];
      T in, out;  // twice the speeds
      if (b == axis) {
        in = below + here;
        out = here + above;
      } else {
        T const* const v = terms.component(b);
        int const upper = Terms<T, Dim>::upper_operand(axis, b);
        in = v[p.operand(0)] + v[p.operand(1 + 2 * axis)];
        out = v[p.operand(upper)] + v[p.operand(upper + 1)];
      }
      sum += terms.diffusive[b] * ((below - here) + (above - here)) -
             terms.convective[b] * detail::carried_away(in, out, below, here, above, terms.donor_cell);
    }
    terms.to(axis, p.operand(0)) = here + sum;
  }
};

/// Twice the speed along `across`, at the lower or the upper end of a face; on an outflow that of the one cell.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T twice_speed_across(GridView<Dim> const& grid, Terms<T, Dim> const& terms,
                                                 typename Convection<Dim>::Faces::Point const& p, int axis, int across,
                                                 bool is_upper) {
  T const* const v = terms.component(across);
  int const upper = Terms<T, Dim>::upper_operand(axis, across);
  Index const above = p.operand(0), below = p.operand(1 + 2 * axis);
  T const of_above = v[is_upper ? p.operand(upper) : above], of_below = v[is_upper ? p.operand(upper + 1) : below];
  if (!grid.is_fluid(above)) return 2 * of_below;
  if (!p.has(1 + 2 * axis) || !grid.is_fluid(below)) return 2 * of_above;
  return of_above + of_below;
}

/// On faces of outflow, in the form speed times difference: the cells that would make up for the rest of the divergence
/// are not there.
template <class T, int Dim>
struct ConvectOutflow {
  using Point = typename Convection<Dim>::Faces::Point;
  GridView<Dim> grid;
  Terms<T, Dim> terms;
  int axis;

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    T const* const u = terms.component(axis);
    T const here = u[p.operand(0)];
    bool const is_below = !grid.is_fluid(p.operand(0));
    T const inside = u[p.operand(is_below ? 1 + 2 * axis : 2 + 2 * axis)], outward = is_below ? here : -here;
    T sum = terms.gain[axis] + terms.diffusive[axis] * (inside - here);
    if (outward > 0) sum -= 4 * terms.convective[axis] * outward * (here - inside);
    for (int b = 0; b < Dim; ++b) {
      if (b == axis) continue;
      T const below = u[p.operand(1 + 2 * b)], above = u[p.operand(2 + 2 * b)];
      T const in = twice_speed_across(grid, terms, p, axis, b, false);
      T const out = twice_speed_across(grid, terms, p, axis, b, true);
      T const carried = detail::carried_away(in, out, below, here, above, terms.donor_cell);
      sum += terms.diffusive[b] * ((below - here) + (above - here)) -
             terms.convective[b] * (carried - 2 * here * (out - in));
    }
    terms.to(axis, p.operand(0)) = here + sum;
  }
};

template <class T, int Dim>
struct AddShare {
  T* sum;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(T share, T image, Vec<Coord, Dim> const&) const { *sum += share * image; }
};

/// Adds what mirror images differ from the face itself. On the boundary the velocity is known to be the mean of both,
/// so nothing is taken from upstream.
template <class T, int Dim>
struct ConvectAtWalls {
  using Point = typename Convection<Dim>::Faces::Point;
  GridView<Dim> grid;
  Terms<T, Dim> terms;
  int axis;

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    T const here = terms.velocity(axis, p.operand(0));
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const across = arm / 2;
      if (across == axis || p.has(1 + arm)) continue;
      bool const is_upper = arm % 2 == 1;
      T image = 0;
      detail::visit_images(grid, p.coordinates(), p.operand(0), axis, across, is_upper ? 1 : -1, here,
                           AddShare<T, Dim>{&image});
      T const outward = (is_upper ? 1 : -1) * twice_speed_across(grid, terms, p, axis, across, is_upper);
      sum += (terms.diffusive[across] - terms.convective[across] * outward) * (image - here);
    }
    terms.to(axis, p.operand(0)) += sum;
  }
};

template <int axis = 0, class T, int Dim>
void convect_open_faces(std::array<typename Convection<Dim>::Faces, Dim> const& faces, Terms<T, Dim> const& terms) {
  if constexpr (axis < Dim) {
    for_each("sparse::incompressible::convect", faces[axis], ConvectOpenFaces<T, Dim, axis>{terms});
    convect_open_faces<axis + 1, T, Dim>(faces, terms);
  }
}

}  // namespace

template <int Dim>
Convection<Dim>::Convection(StaggeredGrid<Dim> const& grid) : grid_(grid) {
  auto const periodicity = grid.domain().periodicity();
  SetView const stored = grid.storage().view();
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    auto const& faces = grid.faces(axis);
    Embedding<Dim> const among(faces, grid.storage());
    detail::Target<Dim> targets[Faces::operand_count] = {{stored}};
    auto complete = grid.computed_faces(axis);
    for (int b = 0; b < Dim; ++b) {
      auto const up = Vec<Coord, Dim>::along(b, 1);
      targets[1 + 2 * b] = {among.view(), Vec<Coord, Dim>::along(b, -1)};
      targets[2 + 2 * b] = {among.view(), up};
      if (b == axis) continue;
      int const upper = Terms<double, Dim>::upper_operand(axis, b);
      targets[upper] = {stored, up};
      targets[upper + 1] = {stored, up - Vec<Coord, Dim>::along(axis, 1)};
      complete = complete & periodicity.stored(shift(faces, b, 1)) & periodicity.stored(shift(faces, b, -1));
    }
    open_[a] = detail::periodic_plan(grid.open_faces(axis), targets, periodicity);
    outflow_[a] = detail::periodic_plan(grid.faces_of(BoundaryKind::outflow, axis), targets, periodicity);
    at_walls_[a] = detail::periodic_plan(grid.computed_faces(axis) - complete, targets, periodicity);
  }
}

template <int Dim>
template <class T>
void Convection<Dim>::operator()(Field<T, Dim> const& velocity, double time_step, VelocityTerms<Dim> const& of,
                                 Field<T, Dim>& to) const {
  ProfilingRegion const region("sparse::incompressible::convect");
  grid_.expect_stored(velocity, Dim, "velocity");
  grid_.expect_stored(to, Dim, "result of convection");
  expects(to.view().data != velocity.view().data, "incompressible: the result of convection must be another field");
  expects(std::isfinite(time_step) && time_step >= 0, "incompressible: the time step must not be negative");
  expects(std::isfinite(of.viscosity) && of.viscosity >= 0, "incompressible: the viscosity must not be negative");
  expects(of.donor_cell >= 0 && of.donor_cell <= 1, "incompressible: the donor-cell share must be from 0 to 1");
  Terms<T, Dim> terms{velocity.view(), to.view(), {}, {}, {}, static_cast<T>(of.donor_cell)};
  for (int b = 0; b < Dim; ++b) {
    double const h = grid_.spacing()[b];
    expects(std::isfinite(of.acceleration[b]), "incompressible: an acceleration is not finite");
    terms.diffusive[b] = static_cast<T>(of.viscosity * time_step / (h * h));
    terms.convective[b] = static_cast<T>(time_step / (4 * h));
    terms.gain[b] = static_cast<T>(of.acceleration[b] * time_step);
  }
  convect_open_faces<0, T, Dim>(open_, terms);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    for_each("sparse::incompressible::convect_outflow", outflow_[a],
             ConvectOutflow<T, Dim>{grid_.body().view(), terms, axis});
    for_each("sparse::incompressible::convect_at_walls", at_walls_[a],
             ConvectAtWalls<T, Dim>{grid_.body().view(), terms, axis});
  }
}

template class Convection<2>;
template class Convection<3>;
template void Convection<2>::operator()(Field<float, 2> const&, double, VelocityTerms<2> const&,
                                        Field<float, 2>&) const;
template void Convection<2>::operator()(Field<double, 2> const&, double, VelocityTerms<2> const&,
                                        Field<double, 2>&) const;
template void Convection<3>::operator()(Field<float, 3> const&, double, VelocityTerms<3> const&,
                                        Field<float, 3>&) const;
template void Convection<3>::operator()(Field<double, 3> const&, double, VelocityTerms<3> const&,
                                        Field<double, 3>&) const;

}  // namespace sparse::incompressible
