#include "convection.hpp"

#include <cmath>
#include <vector>

#include <sparse/base/products.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

#include "convection_faces.hpp"
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
  T of_change = 1;         // part of the change in the result

  KOKKOS_FORCEINLINE_FUNCTION T const* component(int c) const { return velocity.data + c * velocity.stride; }
  /// The operands where the upper faces normal to `across` are: of the cell above; behind it, of the cell below.
  KOKKOS_FORCEINLINE_FUNCTION static int upper_operand(int axis, int across) {
    return 1 + 2 * Dim + 2 * (across < axis ? across : across - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int far_operand(int arm) { return 4 * Dim - 1 + arm; }
  static constexpr int cell_operand = 6 * Dim - 1;
};

/// Euler's method with a donor-cell share.
template <class T, int Dim>
struct EulerStep {
  using Point = typename Convection<Dim>::Faces::Point;
  static constexpr bool has_parabolas = false;
  T donor_cell;

  KOKKOS_FORCEINLINE_FUNCTION T of_change() const { return 1; }
  /// What viscosity and convection along an axis change.
  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION T change(Terms<T, Dim> const& terms, Point const&, T const*, int b, T in, T out, T below,
                                       T here, T above, Presence const&) const {
    return sum_of_products(terms.diffusive[b], (below - here) + (above - here), -terms.convective[b],
                           detail::carried_away(in, out, below, here, above, donor_cell));
  }
  KOKKOS_FORCEINLINE_FUNCTION T carried_along_outflow(int, T in, T out, T below, T here, T above) const {
    return detail::carried_away(in, out, below, here, above, donor_cell);
  }
  KOKKOS_FORCEINLINE_FUNCTION T result_open(Point const&, int, T here, T sum) const { return here + sum; }
  KOKKOS_FORCEINLINE_FUNCTION T result_outflow(Point const&, int, T here, T sum) const { return here + sum; }
};

/// A run of which no operand is missing.
struct HasAll {
  KOKKOS_FORCEINLINE_FUNCTION bool has(int) const { return true; }
};

/// A stage of a Runge-Kutta step. What flows through a place has the value there of the cubic polynomial through the
/// four values around it, less a share of their third difference. So viscosity is of fourth order, and convection at
/// large cell Reynolds numbers has the upstream-biased parabola. Where one of the four is missing, the mean is taken.
template <class T, int Dim>
struct RungeKuttaStage {
  using Point = typename Convection<Dim>::Faces::Point;
  static constexpr bool has_parabolas = true;
  FieldView<T const> start;
  T const* pressure;
  T of_start, of_rest;      // 1 together
  Vec<T, Dim> by_pressure;  // time over spacing
  Vec<T, Dim> slow;         // 2 viscosity / spacing: twice the speed at which the cell Reynolds number is 1
  T upstream;               // share of what is damped beyond twice that
  Vec<T, Dim> central;      // (1 - upstream) slow

  KOKKOS_FORCEINLINE_FUNCTION T of_change() const { return of_rest; }
  /// Of a sixth of the third difference, beside twice a speed.
  KOKKOS_FORCEINLINE_FUNCTION T damping(T speed, int b) const {
    T const beyond = std::fabs(speed) - slow[b];
    return beyond > slow[b] ? upstream * beyond + central[b] : slow[b];
  }
  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION T change(Terms<T, Dim> const& terms, Point const& p, T const* u, int b, T in, T out,
                                       T below, T here, T above, Presence const& presence) const {
    constexpr T sixth = T(1) / 6;
    int const low = Terms<T, Dim>::far_operand(2 * b), high = Terms<T, Dim>::far_operand(2 * b + 1);
    T const lower = here - below, upper = above - here;
    T const lowest = below - u[p.operand(low)], highest = u[p.operand(high)] - above;
    T const bent_in = sum_of_products(damping(in, b), (lowest + upper) - 2 * lower, -in, upper - lowest);
    T const bent_out = sum_of_products(damping(out, b), (lower + highest) - 2 * upper, -out, highest - lower);
    T const bent = (presence.has(high) ? bent_out : T(0)) - (presence.has(low) ? bent_in : T(0));
    return sum_of_products(terms.diffusive[b], upper - lower, -terms.convective[b],
                           sum_of_products(out, here + above, -in, below + here) + sixth * bent);
  }
  KOKKOS_FORCEINLINE_FUNCTION T carried_along_outflow(int b, T in, T out, T below, T here, T above) const {
    return sum_of_products(out, here + above, -in, below + here) +
           sum_of_products(damping(out, b) - slow[b], here - above, slow[b] - damping(in, b), below - here);
  }
  KOKKOS_FORCEINLINE_FUNCTION T result(Point const& p, int axis, T here, T sum, T difference) const {
    return sum_of_products(of_start, start(axis, p.operand(0)), of_rest, here + sum) - by_pressure[axis] * difference;
  }
  KOKKOS_FORCEINLINE_FUNCTION T result_open(Point const& p, int axis, T here, T sum) const {
    constexpr int above = Terms<T, Dim>::cell_operand;
    return result(p, axis, here, sum, pressure[p.operand(above)] - pressure[p.operand(above + 1)]);
  }
  /// Pressure is 0 on the face, half a cell away.
  KOKKOS_FORCEINLINE_FUNCTION T result_outflow(Point const& p, int axis, T here, T sum) const {
    constexpr int above = Terms<T, Dim>::cell_operand;
    return result(p, axis, here, sum,
                  2 * (p.has(above) ? pressure[p.operand(above)] : -pressure[p.operand(above + 1)]));
  }
};

/// Where a neighbour is missing the face itself stands in, as if nothing changed across walls.
template <class T, int Dim, int axis, class Scheme>
struct ConvectOpenFaces {
  using Point = typename Convection<Dim>::Faces::Point;
  Terms<T, Dim> terms;
  Scheme scheme;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const { convect(p, p); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, AllPresent) const { convect(p, HasAll{}); }

  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION void convect(Point const& p, Presence const& presence) const {
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
      sum += scheme.change(terms, p, u, b, in, out, below, here, above, presence);
    }
    terms.to(axis, p.operand(0)) = scheme.result_open(p, axis, here, sum);
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
template <class T, int Dim, class Scheme>
struct ConvectOutflow {
  using Point = typename Convection<Dim>::Faces::Point;
  GridView<Dim> grid;
  Terms<T, Dim> terms;
  Scheme scheme;
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
      T const carried = scheme.carried_along_outflow(b, in, out, below, here, above);
      sum += sum_of_products(terms.diffusive[b], (below - here) + (above - here), -terms.convective[b],
                             carried - 2 * here * (out - in));
    }
    terms.to(axis, p.operand(0)) = scheme.result_outflow(p, axis, here, sum);
  }
};

/// Sums of images, and of their shares that are those of walls and inflows.
template <class T, int Dim>
struct AddShare {
  T *sum, *given;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(T share, Mirror const& mirror, T image, Vec<Coord, Dim> const&) const {
    *sum += share * image;
    *given += mirror.slope < 0 ? share : T(0);
  }
};

/// Adds what mirror images differ from the face itself. On the boundary the velocity is known to be the mean of both,
/// so nothing is taken from upstream.
template <class T, int Dim>
struct ConvectAtWalls {
  using Point = typename Convection<Dim>::Faces::Point;
  GridView<Dim> grid;
  Terms<T, Dim> terms;
  int axis;
  bool has_parabolas;  // friction by the parabola through the value given on the boundary and two inside

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    T const here = terms.velocity(axis, p.operand(0));
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const across = arm / 2, opposite = 1 + (arm ^ 1);
      if (across == axis || p.has(1 + arm)) continue;
      bool const is_upper = arm % 2 == 1;
      T image = 0, given = 0;
      detail::visit_images(grid, p.coordinates(), p.operand(0), axis, across, is_upper ? 1 : -1, here,
                           AddShare<T, Dim>{&image, &given});
      T const outward = (is_upper ? 1 : -1) * twice_speed_across(grid, terms, p, axis, across, is_upper);
      sum += (terms.diffusive[across] - terms.convective[across] * outward) * (image - here);
      // A third of the second difference. Images that are not given are `here`.
      if (has_parabolas && p.has(opposite))
        sum +=
            terms.diffusive[across] / 3 * ((image - here) + given * (terms.velocity(axis, p.operand(opposite)) - here));
    }
    terms.to(axis, p.operand(0)) += terms.of_change * sum;
  }
};

template <int axis = 0, class T, int Dim, class Scheme>
void convect_open_faces(std::array<typename Convection<Dim>::Faces, Dim> const& faces, Terms<T, Dim> const& terms,
                        Scheme const& scheme) {
  if constexpr (axis < Dim) {
    for_each("sparse::incompressible::convect", faces[axis], ConvectOpenFaces<T, Dim, axis, Scheme>{terms, scheme});
    convect_open_faces<axis + 1, T, Dim>(faces, terms, scheme);
  }
}

}  // namespace

template <int Dim>
Convection<Dim>::Convection(StaggeredGrid<Dim> const& grid, FaceSets<Dim> const* only) : grid_(grid) {
  auto const periodicity = grid.domain().periodicity();
  SetView const stored = grid.storage().view();
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    auto const& faces = grid.faces(axis);
    Embedding<Dim> const among(faces, grid.storage());
    detail::Target<Dim> targets[Faces::operand_count] = {{stored}};
    targets[Terms<double, Dim>::cell_operand] = {grid.fluid().view()};
    targets[Terms<double, Dim>::cell_operand + 1] = {grid.fluid().view(), Vec<Coord, Dim>::along(axis, -1)};
    std::vector<Embedding<Dim>> far;
    far.reserve(2 * Dim);
    for (int b = 0; b < Dim; ++b) {
      auto const ends = detail::ends_of_four(grid, axis, b);
      for (int side = 0; side < 2; ++side) {
        far.emplace_back(ends[static_cast<std::size_t>(side)], grid.storage());
        targets[Terms<double, Dim>::far_operand(2 * b + side)] = {far.back().view(),
                                                                  Vec<Coord, Dim>::along(b, side == 0 ? -2 : 2)};
      }
    }
    auto const wanted = [&](IntervalSet<Dim> const& all) { return only == nullptr ? all : all & (*only)[axis]; };
    auto const computed = wanted(grid.computed_faces(axis));
    for (int b = 0; b < Dim; ++b) {
      auto const up = Vec<Coord, Dim>::along(b, 1);
      targets[1 + 2 * b] = {among.view(), Vec<Coord, Dim>::along(b, -1)};
      targets[2 + 2 * b] = {among.view(), up};
      if (b == axis) continue;
      int const upper = Terms<double, Dim>::upper_operand(axis, b);
      targets[upper] = {stored, up};
      targets[upper + 1] = {stored, up - Vec<Coord, Dim>::along(axis, 1)};
    }
    open_[a] = detail::periodic_plan(wanted(grid.open_faces(axis)), targets, periodicity);
    outflow_[a] = detail::periodic_plan(wanted(grid.faces_of(BoundaryKind::outflow, axis)), targets, periodicity);
    at_walls_[a] =
        detail::periodic_plan(computed - detail::with_all_beside(grid, axis, computed), targets, periodicity);
  }
}

template <int Dim>
template <class T, class Scheme>
void Convection<Dim>::run(Scheme const& scheme, Field<T, Dim> const& velocity, double time_step,
                          VelocityTerms<Dim> const& of, Field<T, Dim>& to) const {
  ProfilingRegion const region("sparse::incompressible::convect");
  grid_.expect_stored(velocity, Dim, "velocity");
  grid_.expect_stored(to, Dim, "result of convection");
  expects(to.view().data != velocity.view().data, "incompressible: the result of convection must be another field");
  expects(std::isfinite(time_step) && time_step >= 0, "incompressible: the time step must not be negative");
  expects(std::isfinite(of.viscosity) && of.viscosity >= 0, "incompressible: the viscosity must not be negative");
  Terms<T, Dim> terms{velocity.view(), to.view(), {}, {}, {}};
  terms.of_change = scheme.of_change();
  for (int b = 0; b < Dim; ++b) {
    double const h = grid_.spacing()[b];
    expects(std::isfinite(of.acceleration[b]), "incompressible: an acceleration is not finite");
    terms.diffusive[b] = static_cast<T>(of.viscosity * time_step / (h * h));
    terms.convective[b] = static_cast<T>(time_step / (4 * h));
    terms.gain[b] = static_cast<T>(of.acceleration[b] * time_step);
  }
  convect_open_faces<0, T, Dim>(open_, terms, scheme);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    // Without such faces nothing of the view is needed, and nothing of it is made.
    if (outflow_[a].cell_count() > 0)
      for_each("sparse::incompressible::convect_outflow", outflow_[a],
               ConvectOutflow<T, Dim, Scheme>{grid_.body().view(), terms, scheme, axis});
    if (at_walls_[a].cell_count() > 0)
      for_each("sparse::incompressible::convect_at_walls", at_walls_[a],
               ConvectAtWalls<T, Dim>{grid_.body().view(), terms, axis, Scheme::has_parabolas});
  }
}

template <int Dim>
template <class T>
void Convection<Dim>::operator()(Field<T, Dim> const& velocity, double time_step, VelocityTerms<Dim> const& of,
                                 Field<T, Dim>& to) const {
  expects(of.donor_cell >= 0 && of.donor_cell <= 1, "incompressible: the donor-cell share must be from 0 to 1");
  run(EulerStep<T, Dim>{static_cast<T>(of.donor_cell)}, velocity, time_step, of, to);
}

template <int Dim>
template <class T>
void Convection<Dim>::operator()(Field<T, Dim> const& velocity, double time_step, VelocityTerms<Dim> const& of,
                                 Stage<T, Dim> const& stage, Field<T, Dim>& to) const {
  grid_.expect_stored(stage.start, Dim, "velocity");
  detail::expect_on_fluid(grid_, stage.pressure, "pressure");
  RungeKuttaStage<T, Dim> scheme{stage.start.view(),
                                 stage.pressure.component(0),
                                 static_cast<T>(stage.of_start),
                                 static_cast<T>(1 - stage.of_start),
                                 {},
                                 {},
                                 static_cast<T>(stage.upstream),
                                 {}};
  for (int b = 0; b < Dim; ++b) {
    scheme.by_pressure[b] = static_cast<T>(stage.pressure_time / grid_.spacing()[b]);
    scheme.slow[b] = static_cast<T>(2 * of.viscosity / grid_.spacing()[b]);
    scheme.central[b] = (1 - scheme.upstream) * scheme.slow[b];
  }
  run(scheme, velocity, time_step, of, to);
}

template class Convection<2>;
template class Convection<3>;
template void Convection<2>::operator()(Field<float, 2> const&, double, VelocityTerms<2> const&,
                                        Field<float, 2>&) const;
template void Convection<2>::operator()(Field<float, 2> const&, double, VelocityTerms<2> const&, Stage<float, 2> const&,
                                        Field<float, 2>&) const;
template void Convection<2>::operator()(Field<double, 2> const&, double, VelocityTerms<2> const&,
                                        Field<double, 2>&) const;
template void Convection<2>::operator()(Field<double, 2> const&, double, VelocityTerms<2> const&,
                                        Stage<double, 2> const&, Field<double, 2>&) const;
template void Convection<3>::operator()(Field<float, 3> const&, double, VelocityTerms<3> const&,
                                        Field<float, 3>&) const;
template void Convection<3>::operator()(Field<float, 3> const&, double, VelocityTerms<3> const&, Stage<float, 3> const&,
                                        Field<float, 3>&) const;
template void Convection<3>::operator()(Field<double, 3> const&, double, VelocityTerms<3> const&,
                                        Field<double, 3>&) const;
template void Convection<3>::operator()(Field<double, 3> const&, double, VelocityTerms<3> const&,
                                        Stage<double, 3> const&, Field<double, 3>&) const;

}  // namespace sparse::incompressible
