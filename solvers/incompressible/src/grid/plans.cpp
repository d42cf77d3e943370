#include <algorithm>
#include <limits>

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "body.hpp"
#include "periodic_plan.hpp"

namespace sparse::incompressible::detail {
namespace {

template <int Dim>
void write_steps(Plan<Dim, 1 + 2 * Dim> const& neighbours, FieldView<std::int32_t> const& steps) {
  using Point = RunPoint<Dim, 1 + 2 * Dim>;
  for_each(
      "sparse::incompressible::steps", neighbours, KOKKOS_LAMBDA(Point const& p) {
        for (int arm = 0; arm < 2 * Dim; ++arm)  // 0 if there is no such cell
          steps(arm, p.operand(0)) = static_cast<std::int32_t>(p.operand(1 + arm) - p.operand(0));
      });
}

}  // namespace

template <int Dim>
void GridBody<Dim>::expect_short_steps() const {
  // Without periods, a neighbour is less than two planes away (in 2D: two rows).
  auto const box = storage.bounds();
  Index reached = periodicity.is_any() ? storage.cell_count() : 2;
  for (int axis = 0; axis + 1 < Dim; ++axis) reached *= Index{box.end[axis]} - box.begin[axis];
  expects(std::min(reached, storage.cell_count()) < std::numeric_limits<std::int32_t>::max(),
          "incompressible: the grid, or without periods a plane of it, has too many cells");
}

template <int Dim>
Field<std::int32_t, Dim> const& GridBody<Dim>::steps() const {
  return steps_.get([&] {
    Field<std::int32_t, Dim> made("steps", storage, 2 * Dim);
    Target<Dim> near[1 + 2 * Dim] = {{storage.view()}};
    for (int arm = 0; arm < 2 * Dim; ++arm) near[1 + arm] = {storage.view(), face_arms<Dim>().offset[arm]};
    write_steps(periodic_plan(storage, near, periodicity), made.view());
    return made;
  });
}

template <int Dim>
IntervalSet<Dim> const& GridBody<Dim>::deep_cells() const {
  return deep_cells_.get([&] { return shrink(domain.fluid, Reach<Dim>::size); });
}

template <int Dim>
DeepPlan<Dim> const& GridBody<Dim>::deep() const {
  return deep_.get([&] {
    constexpr int operand_count = DeepPlan<Dim>::operand_count;
    Operand near[operand_count];
    near[0] = operand<Dim>(storage.view());
    for (int row = 0; row < Reach<Dim>::rows; ++row) {
      Vec<Coord, Dim> offset{};
      offset[1] = row % Reach<Dim>::width - Reach<Dim>::size;
      if constexpr (Dim == 3) offset[2] = row / Reach<Dim>::width - Reach<Dim>::size;
      near[1 + row] = operand<Dim>(storage.view(), offset);
    }
    return DeepPlan<Dim>(deep_cells(), near, static_cast<std::uint32_t>((std::uint64_t{1} << operand_count) - 1));
  });
}

template <int Dim>
CellPlan<Dim> const& GridBody<Dim>::cells() const {
  return cells_.get([&] { return cell_plan(domain.fluid); });
}
template <int Dim>
CellPlan<Dim> const& GridBody<Dim>::own_cells() const {
  return ranks ? own_cells_.get([&] { return cell_plan(own()); }) : cells();
}
template <int Dim>
Subset<Dim> const& GridBody<Dim>::own_plan() const {
  return ranks ? own_plan_.get([&] { return Subset<Dim>(own(), storage); }) : computed_plan(Dim);
}
template <int Dim>
CellPlan<Dim> GridBody<Dim>::cell_plan(IntervalSet<Dim> const& of) const {
  SetView const stored = storage.view();
  Target<Dim> of_cell[2 + Dim] = {{domain.fluid.view()}, {stored}};
  for (int axis = 0; axis < Dim; ++axis) of_cell[2 + axis] = {stored, Vec<Coord, Dim>::along(axis, 1)};
  return periodic_plan(of, of_cell, periodicity, (1u << (2 + Dim)) - 1);
}

template <int Dim>
FacePlan<Dim> GridBody<Dim>::face_plan(IntervalSet<Dim> const& of, int axis, std::uint32_t required) const {
  SetView const stored = storage.view(), in_fluid = domain.fluid.view();
  auto const below = Vec<Coord, Dim>::along(axis, -1);
  Target<Dim> const of_face[4] = {{stored}, {in_fluid}, {in_fluid, below}, {stored, below}};
  return periodic_plan(of, of_face, periodicity, required);
}
template <int Dim>
FacePlan<Dim> const& GridBody<Dim>::open_plan(int axis) const {
  return open_plan_[axis].get([&] { return face_plan(open[axis], axis, 0b1111); });
}
template <int Dim>
FacePlan<Dim> const& GridBody<Dim>::outflow_plan(int axis) const {
  auto const& out = of_kind[static_cast<std::size_t>(BoundaryKind::outflow)];
  return outflow_plan_[axis].get([&] { return face_plan(out[axis], axis, 1); });
}
template <int Dim>
FacePlan<Dim> const& GridBody<Dim>::own_outflow_plan(int axis) const {
  auto const& out = of_kind[static_cast<std::size_t>(BoundaryKind::outflow)];
  return ranks ? own_outflow_plan_[axis].get([&] { return face_plan(own_of(out[axis], axis), axis, 1); })
               : outflow_plan(axis);
}

template <int Dim>
ArmPlan<Dim> GridBody<Dim>::arm_plan(IntervalSet<Dim> const& of, int axis) const {
  Embedding<Dim> const among(faces[axis], storage);
  Target<Dim> of_arms[1 + 2 * Dim] = {{storage.view()}};
  for (int arm = 0; arm < 2 * Dim; ++arm) of_arms[1 + arm] = {among.view(), face_arms<Dim>().offset[arm]};
  return periodic_plan(of, of_arms, periodicity);
}
template <int Dim>
ArmPlan<Dim> const& GridBody<Dim>::arms(int axis) const {
  return arms_[axis].get([&] { return arm_plan(computed[axis], axis); });
}
template <int Dim>
ArmPlan<Dim> const& GridBody<Dim>::beside_boundary(int axis) const {
  return beside_boundary_[axis].get(
      [&] { return arm_plan(computed[axis] - shrink(computed[axis], 1, Element::diamond), axis); });
}

template <int Dim>
Subset<Dim> const& GridBody<Dim>::all_faces(int axis) const {
  return all_faces_[axis].get([&] { return Subset<Dim>(faces[axis], storage); });
}
template <int Dim>
Subset<Dim> const& GridBody<Dim>::computed_plan(int axis) const {
  return computed_plan_[axis].get([&] { return Subset<Dim>(computed_at(axis), storage); });
}
template <int Dim>
Subset<Dim> const& GridBody<Dim>::shallow(int axis) const {
  return shallow_[axis].get([&] { return Subset<Dim>(computed_at(axis) - deep_cells(), storage); });
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template void GridBody<Dim>::expect_short_steps() const;                                                             \
  template Field<std::int32_t, Dim> const& GridBody<Dim>::steps() const;                                               \
  template DeepPlan<Dim> const& GridBody<Dim>::deep() const;                                                           \
  template CellPlan<Dim> const& GridBody<Dim>::cells() const;                                                          \
  template CellPlan<Dim> const& GridBody<Dim>::own_cells() const;                                                      \
  template Subset<Dim> const& GridBody<Dim>::own_plan() const;                                                         \
  template CellPlan<Dim> GridBody<Dim>::cell_plan(IntervalSet<Dim> const&) const;                                      \
  template FacePlan<Dim> const& GridBody<Dim>::open_plan(int) const;                                                   \
  template FacePlan<Dim> const& GridBody<Dim>::outflow_plan(int) const;                                                \
  template FacePlan<Dim> const& GridBody<Dim>::own_outflow_plan(int) const;                                            \
  template ArmPlan<Dim> const& GridBody<Dim>::arms(int) const;                                                         \
  template ArmPlan<Dim> GridBody<Dim>::arm_plan(IntervalSet<Dim> const&, int) const;                                   \
  template ArmPlan<Dim> const& GridBody<Dim>::beside_boundary(int) const;                                              \
  template Subset<Dim> const& GridBody<Dim>::all_faces(int) const;                                                     \
  template Subset<Dim> const& GridBody<Dim>::computed_plan(int) const;                                                 \
  template Subset<Dim> const& GridBody<Dim>::shallow(int) const;
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::incompressible::detail
