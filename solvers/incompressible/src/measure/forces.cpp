#include <sparse/incompressible/measure/forces.hpp>

#include <cmath>

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "grid/beside_boundary.hpp"
#include "grid/body.hpp"
#include "grid/periodic_plan.hpp"
#include "grid/ranks.hpp"

namespace sparse::incompressible {
namespace {

template <class T, int Dim>
double pressure_on(detail::FacePlan<Dim> const& faces, T const* pressure) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::pressure_force", faces, KOKKOS_LAMBDA(RunPoint<Dim, 4> const& p, double& sum) {
        sum += p.has(1) ? -static_cast<double>(pressure[p.operand(1)]) : static_cast<double>(pressure[p.operand(2)]);
      });
}

/// Friction of a face on the part of a wall along it that belongs to the body.
template <int Dim>
struct AddShear {
  SetView solid;
  Periodicity<Dim> periodicity;
  double weight, here;
  bool has_parabola;
  double inside;  // the value opposite of the wall, for the parabola
  double* sum;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(double share, Mirror const& mirror, double image,
                                              Vec<Coord, Dim> const& beyond) const {
    if (solid.find(periodicity.stored(beyond)) < 0) return;
    double slope = here - image;
    if (has_parabola && mirror.slope < 0) slope += (slope + (here - inside)) / 3;
    *sum += share * weight * slope;
  }
};

/// What is carried through the part of a wall along a face. It is not 0 where the wall begins or ends at the face.
template <int Dim>
struct AddCarried {
  SetView solid;
  Periodicity<Dim> periodicity;
  double weight, here;
  double* sum;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(double share, Mirror const&, double image,
                                              Vec<Coord, Dim> const& beyond) const {
    if (solid.find(periodicity.stored(beyond)) >= 0) *sum += share * weight * (here + image);
  }
};

/// What passes from computed faces normal to an axis to faces of the body, and through faces of the body along them.
template <class T, int Dim>
struct ToBody {
  using Point = typename detail::ArmPlan<Dim>::Point;
  GridView<Dim> grid;
  SetView solid;
  int axis;
  FieldView<T const> velocity;

  KOKKOS_FUNCTION double at(int component, Index position) const {
    return static_cast<double>(velocity(component, position));
  }
  KOKKOS_FUNCTION bool is_of_body(Vec<Coord, Dim> const& face, Index position) const {
    if (grid.kind(axis, position) < FaceKind::boundary) return false;
    auto const& periodicity = grid.periodicity;
    return solid.find(periodicity.stored(face)) >= 0 ||
           solid.find(periodicity.stored(face - Vec<Coord, Dim>::along(axis, 1))) >= 0;
  }
};

template <class T, int Dim>
struct Friction : ToBody<T, Dim> {
  using ToBody<T, Dim>::axis;
  Vec<double, Dim> weight;  // viscosity times area over spacing
  WallFriction friction;

  KOKKOS_FUNCTION void operator()(typename ToBody<T, Dim>::Point const& p, double& sum) const {
    double const here = this->at(axis, p.operand(0));
    auto const face = p.coordinates();
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const across = arm / 2, step = arm % 2 == 0 ? -1 : 1, opposite = 1 + (arm ^ 1);
      if (p.has(1 + arm)) {
        Index const beside = p.operand(1 + arm);
        if (this->is_of_body(face + Vec<Coord, Dim>::along(across, step), beside))
          sum += weight[across] * (here - this->at(axis, beside));
      } else if (across != axis) {
        bool const has_parabola = friction == WallFriction::parabola && p.has(opposite);
        double const inside = has_parabola ? this->at(axis, p.operand(opposite)) : here;
        detail::visit_images(
            this->grid, face, p.operand(0), axis, across, step, here,
            AddShear<Dim>{this->solid, this->grid.periodicity, weight[across], here, has_parabola, inside, &sum});
      }
    }
  }
};

/// Fluxes of momentum as those of convection: the mean speed through the middle of a cell or an edge, times the mean of
/// both sides. On faces of outflow convection has no fluxes.
template <class T, int Dim>
struct Carried : ToBody<T, Dim> {
  using ToBody<T, Dim>::axis;
  Vec<double, Dim> weight;  // a quarter of the area

  /// Twice the mean speed at the upper or the lower end of a face between two cells.
  KOKKOS_FUNCTION double twice_speed(Index position, int across, bool is_upper) const {
    Index const below = this->grid.beside(position, this->axis, false);
    return is_upper ? this->at(across, this->grid.beside(position, across, true)) +
                          this->at(across, this->grid.beside(below, across, true))
                    : this->at(across, position) + this->at(across, below);
  }
  KOKKOS_FUNCTION void operator()(typename ToBody<T, Dim>::Point const& p, double& sum) const {
    if (this->grid.kind(axis, p.operand(0)) != FaceKind::open) return;
    double const here = this->at(axis, p.operand(0));
    auto const face = p.coordinates();
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const across = arm / 2, step = arm % 2 == 0 ? -1 : 1;
      if (p.has(1 + arm)) {
        Index const beside = p.operand(1 + arm);
        if (!this->is_of_body(face + Vec<Coord, Dim>::along(across, step), beside)) continue;
        double const both = here + this->at(axis, beside);
        sum += step * weight[across] * both * (across == axis ? both : twice_speed(p.operand(0), across, step > 0));
      } else if (across != axis) {
        double const speed = twice_speed(p.operand(0), across, step > 0);
        detail::visit_images(
            this->grid, face, p.operand(0), axis, across, step, here,
            AddCarried<Dim>{this->solid, this->grid.periodicity, step * weight[across] * speed, here, &sum});
      }
    }
  }
};

/// The pressure force on curved walls in the cells of a set. It acts on the closed parts of faces.
template <class T, int Dim>
double pressure_on_cuts(StaggeredGrid<Dim> const& grid, SetView const& near, int axis, T const* pressure) {
  detail::CutCell<Dim> const* const cells = grid.body().cut.cells.data();
  return parallel_reduce<Kokkos::Sum, double>(
      grid.context(), "sparse::incompressible::pressure_on_cuts", grid.body().cut.cells.size(),
      KOKKOS_LAMBDA(Index i, double& sum) {
        detail::CutCell<Dim> const& cell = cells[i];
        if (near.find(cell.cell) < 0) return;
        sum += (cell.share[2 * axis] - cell.share[2 * axis + 1]) * static_cast<double>(pressure[cell.in_fluid]);
      });
}

/// Friction on curved walls along an axis, over the volume of a cell.
///
/// In small openings, the projection changes velocity after the friction has acted, and friction is large. So the
/// velocity there is replaced by the one that balances all its surroundings; the smaller the opening, the more. In
/// steady flow both are the same.
template <class T, int Dim>
struct FrictionOnCuts {
  detail::CutFace<Dim> const* faces;
  SetView near;
  FieldView<T const> velocity;
  T const* pressure;
  Vec<double, Dim> spacing;
  int axis;
  double viscosity, open_rate, acceleration;

  KOKKOS_FUNCTION void operator()(Index i, double& sum) const {
    detail::CutFace<Dim> const& face = faces[i];
    if (near.find(face.face) < 0) return;
    auto const balance = detail::balance_of<T, Dim>(face, velocity, axis, spacing, viscosity, {});
    double const part = 1 - face.share * open_rate / balance.viscous_rate;
    auto here = static_cast<double>(velocity(axis, face.position));
    if (part > 0)
      here += part / balance.viscous_rate *
              (balance.gain + face.share * (acceleration - detail::gradient_at(face, pressure, spacing[axis])));
    sum += viscosity * (face.friction + face.closed_friction) * here;
  }
};

template <class T, int Dim>
double friction_on_cuts(StaggeredGrid<Dim> const& grid, SetView const& near, int axis, double viscosity,
                        double acceleration, Field<T, Dim> const& velocity, Field<T, Dim> const& pressure) {
  auto const& list = grid.body().cut.faces[static_cast<std::size_t>(axis)];
  double open_rate = 0;
  for (int b = 0; b < Dim; ++b) open_rate += 2 * viscosity / (grid.spacing()[b] * grid.spacing()[b]);
  return parallel_reduce<Kokkos::Sum, double>(grid.context(), "sparse::incompressible::friction_on_cuts", list.size(),
                                              FrictionOnCuts<T, Dim>{list.data(), near, velocity.view(),
                                                                     pressure.component(0), grid.spacing(), axis,
                                                                     viscosity, open_rate, acceleration});
}

}  // namespace

template <int Dim>
BodyForces<Dim>::BodyForces(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& solid, WallFriction friction)
    : grid_(grid), solid_(grid.domain().periodicity().stored(solid)), friction_(friction) {
  auto touched = faces_between(grid.fluid(), solid_ - grid.fluid(), grid.domain().period);
  if (grid.has_curved_walls()) {
    auto const near = grid.domain().periodicity().stored(expand(solid_, 2));
    near_ = grid.is_shared() ? near & grid.own_cells() : near;
    for (int axis = 0; axis < Dim; ++axis) {
      near_faces_[axis] = grid.body().own_of(near | grid.domain().periodicity().stored(shift(near, axis, 1)), axis);
      touched[axis] = touched[axis] - grid.body().cut.closed[axis];
    }
  } else {
    expects((grid.fluid() & solid_).is_empty(), "incompressible: the body and the fluid share cells");
    auto const around = expand(solid_, 1, Element::diamond);
    auto const& periodicity = grid.domain().periodicity();
    for (int axis = 0; axis < Dim; ++axis) {
      auto const near = periodicity.stored(around | shift(around, axis, 1));
      arms_[static_cast<std::size_t>(axis)] =
          grid.body().arm_plan(grid.body().own_of(grid.computed_faces(axis) & near, axis), axis);
    }
  }
  for (int axis = 0; axis < Dim; ++axis) {
    auto const below = Vec<Coord, Dim>::along(axis, -1);
    SetView const stored = grid.storage().view(), in_fluid = grid.fluid().view();
    detail::Target<Dim> const of_face[4] = {{stored}, {in_fluid}, {in_fluid, below}, {stored, below}};
    faces_[static_cast<std::size_t>(axis)] =
        detail::periodic_plan(grid.body().own_of(touched[axis], axis), of_face, grid.domain().periodicity());
  }
}

template <int Dim>
template <class T>
Force<Dim> BodyForces<Dim>::operator()(Field<T, Dim> const& velocity, Field<T, Dim> const& pressure, double viscosity,
                                       Vec<double, Dim> const& acceleration) const {
  grid_.expect_stored(velocity, Dim, "velocity");
  expects(pressure.component_count() == 1 && pressure.domain() == grid_.fluid(),
          "incompressible: the pressure must have one component on the fluid");
  expects(std::isfinite(viscosity) && viscosity >= 0, "incompressible: the viscosity must not be negative");
  Force<Dim> force;
  if (solid_.is_empty()) return force;
  Vec<double, Dim> weight, quarter;
  for (int b = 0; b < Dim; ++b) {
    weight[b] = viscosity * grid_.face_area(b) / grid_.spacing()[b];
    quarter[b] = 0.25 * grid_.face_area(b);
  }
  for (int axis = 0; axis < Dim; ++axis) {
    force.pressure[axis] =
        grid_.face_area(axis) * pressure_on<T, Dim>(faces_[static_cast<std::size_t>(axis)], pressure.component(0));
    if (grid_.has_curved_walls())
      force.pressure[axis] +=
          grid_.face_area(axis) * pressure_on_cuts<T, Dim>(grid_, near_.view(), axis, pressure.component(0));
    ToBody<T, Dim> const to_body{grid_.body().view(), solid_.view(), axis, velocity.view()};
    if (!grid_.has_curved_walls())
      force.carried[axis] =
          reduce<Kokkos::Sum, double>("sparse::incompressible::carried_to_body", arms_[static_cast<std::size_t>(axis)],
                                      Carried<T, Dim>{to_body, quarter});
    if (viscosity == 0) continue;
    if (grid_.has_curved_walls()) {
      force.viscous[axis] = grid_.cell_volume() * friction_on_cuts(grid_, near_faces_[axis].view(), axis, viscosity,
                                                                   acceleration[axis], velocity, pressure);
      continue;
    }
    force.viscous[axis] =
        reduce<Kokkos::Sum, double>("sparse::incompressible::friction", arms_[static_cast<std::size_t>(axis)],
                                    Friction<T, Dim>{to_body, weight, friction_});
  }
  if (!grid_.is_shared()) return force;
  std::vector<double> sums;
  for (auto const* part : {&force.pressure, &force.viscous, &force.carried})
    for (int axis = 0; axis < Dim; ++axis) sums.push_back((*part)[axis]);
  grid_.body().ranks->add(sums);
  auto next = sums.begin();
  for (auto* part : {&force.pressure, &force.viscous, &force.carried})
    for (int axis = 0; axis < Dim; ++axis) (*part)[axis] = *next++;
  return force;
}

template class BodyForces<2>;
template class BodyForces<3>;
template Force<2> BodyForces<2>::operator()(Field<float, 2> const&, Field<float, 2> const&, double,
                                            Vec<double, 2> const&) const;
template Force<2> BodyForces<2>::operator()(Field<double, 2> const&, Field<double, 2> const&, double,
                                            Vec<double, 2> const&) const;
template Force<3> BodyForces<3>::operator()(Field<float, 3> const&, Field<float, 3> const&, double,
                                            Vec<double, 3> const&) const;
template Force<3> BodyForces<3>::operator()(Field<double, 3> const&, Field<double, 3> const&, double,
                                            Vec<double, 3> const&) const;

}  // namespace sparse::incompressible
