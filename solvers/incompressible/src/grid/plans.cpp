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
void GridBody<Dim>::make_steps() {
  // Without periods, a neighbour is less than two planes away (in 2D: two rows).
  auto const box = storage.bounds();
  Index reached = periodicity.is_any() ? storage.cell_count() : 2;
  for (int axis = 0; axis + 1 < Dim; ++axis) reached *= Index{box.end[axis]} - box.begin[axis];
  expects(std::min(reached, storage.cell_count()) < std::numeric_limits<std::int32_t>::max(),
          "incompressible: the grid, or without periods a plane of it, has too many cells");
  steps = Field<std::int32_t, Dim>("steps", storage, 2 * Dim);
  Target<Dim> near[1 + 2 * Dim] = {{storage.view()}};
  for (int arm = 0; arm < 2 * Dim; ++arm) near[1 + arm] = {storage.view(), face_arms<Dim>().offset[arm]};
  write_steps(periodic_plan(storage, near, periodicity), steps.view());
}

template <int Dim>
void GridBody<Dim>::make_plans() {
  auto const& fluid = domain.fluid;
  SetView const stored = storage.view(), in_fluid = fluid.view();
  Operand near[1 + Reach<Dim>::rows];
  near[0] = operand<Dim>(stored);
  for (int row = 0; row < Reach<Dim>::rows; ++row) {
    Vec<Coord, Dim> offset{};
    offset[1] = row % Reach<Dim>::width - Reach<Dim>::size;
    if constexpr (Dim == 3) offset[2] = row / Reach<Dim>::width - Reach<Dim>::size;
    near[1 + row] = operand<Dim>(stored, offset);
  }
  auto const deep_cells = shrink(fluid, Reach<Dim>::size);
  deep = DeepPlan<Dim>(deep_cells, near, static_cast<std::uint32_t>((std::uint64_t{1} << (1 + Reach<Dim>::rows)) - 1));

  Target<Dim> of_cell[2 + Dim] = {{in_fluid}, {stored}};
  for (int axis = 0; axis < Dim; ++axis) of_cell[2 + axis] = {stored, Vec<Coord, Dim>::along(axis, 1)};
  cells = periodic_plan(fluid, of_cell, periodicity, (1u << (2 + Dim)) - 1);
  computed_plan[Dim] = Subset<Dim>(fluid, storage);
  shallow[Dim] = Subset<Dim>(fluid - deep_cells, storage);

  for (int axis = 0; axis < Dim; ++axis) {
    auto const below = Vec<Coord, Dim>::along(axis, -1);
    auto const& out = of_kind[static_cast<std::size_t>(BoundaryKind::outflow)][axis];
    Target<Dim> const of_face[4] = {{stored}, {in_fluid}, {in_fluid, below}, {stored, below}};
    open_plan[axis] = periodic_plan(open[axis], of_face, periodicity, 0b1111);
    outflow_plan[axis] = periodic_plan(out, of_face, periodicity);
    Embedding<Dim> const among(faces[axis], storage);
    Target<Dim> of_arms[1 + 2 * Dim] = {{stored}};
    for (int arm = 0; arm < 2 * Dim; ++arm) of_arms[1 + arm] = {among.view(), face_arms<Dim>().offset[arm]};
    arms[axis] = periodic_plan(computed[axis], of_arms, periodicity);
    beside_boundary[axis] =
        periodic_plan(computed[axis] - shrink(computed[axis], 1, Element::diamond), of_arms, periodicity);
    all_faces[axis] = Subset<Dim>(faces[axis], storage);
    computed_plan[axis] = Subset<Dim>(computed[axis], storage);
    shallow[axis] = Subset<Dim>(computed[axis] - deep_cells, storage);
  }
}

template void GridBody<2>::make_steps();
template void GridBody<3>::make_steps();
template void GridBody<2>::make_plans();
template void GridBody<3>::make_plans();

}  // namespace sparse::incompressible::detail
