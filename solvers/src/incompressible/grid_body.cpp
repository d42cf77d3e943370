#include "grid_body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <sparse/components.hpp>
#include <sparse/field_algebra.hpp>
#include <sparse/for_each.hpp>
#include <sparse/morphology.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse::incompressible::detail {
namespace {

constexpr std::size_t greatest_part_count = 250;  // kinds are bytes

template <int Dim>
void mark(FieldView<std::uint8_t> const& kinds, IntervalSet<Dim> const& set, IntervalSet<Dim> const& storage,
          int component, std::uint8_t kind) {
  for_each(
      "sparse::incompressible::mark", Subset<Dim>(set, storage),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { kinds(component, p.cell) = kind; });
}

template <int Dim>
void write_steps(IntervalSet<Dim> const& storage, FieldView<std::int32_t> const& steps) {
  for_each(
      "sparse::incompressible::steps", Stencil<Dim>(storage, storage), KOKKOS_LAMBDA(StencilPoint<Dim> const& p) {
        for (int arm = 0; arm < 2 * Dim; ++arm)
          steps(arm, p.cell) = static_cast<std::int32_t>(p.neighbour(arm) - p.cell);  // 0 if it is not there
      });
}

template <int Dim>
Vec<double, Dim> middle_of_face(Vec<Coord, Dim> const& face, int normal, Vec<double, Dim> const& spacing) {
  Vec<double, Dim> x;
  for (int axis = 0; axis < Dim; ++axis) x[axis] = spacing[axis] * (face[axis] + (axis == normal ? 0 : 0.5));
  return x;
}

}  // namespace

template <int Dim>
GridBody<Dim>::GridBody(FlowDomain<Dim> const& d) : domain(d) {
  expects(!domain.fluid.is_empty(), "incompressible: there is no fluid");
  for (int axis = 0; axis < Dim; ++axis)
    if (!(std::isfinite(domain.spacing[axis]) && domain.spacing[axis] > 0))
      fail("incompressible: the spacing " + std::to_string(domain.spacing[axis]) + " is not positive");
  expects(domain.others == BoundaryKind::no_slip || domain.others == BoundaryKind::free_slip,
          "incompressible: boundary faces in no part must be walls");
  expects(domain.parts.size() <= greatest_part_count, "incompressible: there are too many parts of the boundary");
  make_sets();
  mark_faces();
  make_table();
  make_steps();
  make_plans();
  give_velocities();
}

template <int Dim>
void GridBody<Dim>::make_sets() {
  FaceSets<Dim> rest;
  for (int axis = 0; axis < Dim; ++axis) {
    faces[axis] = sparse::faces(domain.fluid, axis);
    open[axis] = interior_faces(domain.fluid, axis);
    storage = storage | faces[axis];
    rest[axis] = faces[axis] - open[axis];
  }
  parts.resize(1);
  for (auto const& part : domain.parts) {
    for (int axis = 0; axis < Dim; ++axis) {
      if (!(part.faces[axis] - rest[axis]).is_empty())
        fail("incompressible: part " + std::to_string(parts.size() - 1) + " of the boundary has faces normal to axis " +
             std::to_string(axis) + " that are not on the boundary, or in another part, too");
      rest[axis] = rest[axis] - part.faces[axis];
      auto& same = of_kind[static_cast<std::size_t>(part.kind)][axis];
      same = same | part.faces[axis];
    }
    parts.push_back(part.faces);
  }
  parts[0] = rest;
  for (int axis = 0; axis < Dim; ++axis) {
    auto& same = of_kind[static_cast<std::size_t>(domain.others)][axis];
    same = same | rest[axis];
    computed[axis] = open[axis] | of_kind[static_cast<std::size_t>(BoundaryKind::outflow)][axis];
  }
}

template <int Dim>
void GridBody<Dim>::mark_faces() {
  kinds = Field<std::uint8_t, Dim>("kinds", storage, Dim + 1);
  fill(kinds, 0);
  auto const view = kinds.view();
  std::vector<Condition<Dim>> list = {{domain.others, {}}};
  for (auto const& part : domain.parts) {
    for (int axis = 0; axis < Dim; ++axis)
      expects(std::isfinite(part.velocity[axis]), "incompressible: a velocity on the boundary is not finite");
    list.push_back({part.kind, part.velocity});
  }
  for (int axis = 0; axis < Dim; ++axis) {
    mark(view, open[axis], storage, axis, FaceKind::open);
    for (std::size_t part = 0; part < parts.size(); ++part)
      mark(view, parts[part][axis], storage, axis,
           static_cast<std::uint8_t>(FaceKind::boundary + static_cast<int>(part)));
  }
  mark(view, domain.fluid, storage, Dim, FaceKind::open);
  conditions = to_device(storage.context(), list);
}

template <int Dim>
void GridBody<Dim>::make_table() {
  auto const box = storage.bounds();
  Index entries = 1;
  for (int axis = 1; axis < Dim; ++axis) entries *= Index{box.end[axis]} - box.begin[axis];
  if (entries > 8 * storage.row_count() + 65536) return;
  table_begin = box.begin;
  for (int axis = 0; axis < Dim; ++axis) table_size[axis] = box.end[axis] - box.begin[axis];
  std::vector<Index> table(static_cast<std::size_t>(entries), -1);
  auto const rows = storage.to_host();
  for (std::size_t r = 0; r < rows.row_keys.size(); ++r) {
    auto const cell = cell_at<Dim>(rows.row_keys[r], 0);
    Index at = 0;
    for (int axis = Dim - 1; axis > 0; --axis) at = at * table_size[axis] + (cell[axis] - table_begin[axis]);
    table[static_cast<std::size_t>(at)] = static_cast<Index>(r);
  }
  row_table = to_device(storage.context(), table);
}

template <int Dim>
void GridBody<Dim>::make_steps() {
  // A step is less than the cells of two planes (rows in 2D); no grid that fits into memory comes near.
  auto const box = storage.bounds();
  Index reached = 2;
  for (int axis = 0; axis + 1 < Dim; ++axis) reached *= Index{box.end[axis]} - box.begin[axis];
  expects(std::min(reached, storage.cell_count()) < std::numeric_limits<std::int32_t>::max(),
          "incompressible: the planes of the grid have too many cells");
  steps = Field<std::int32_t, Dim>("steps", storage, 2 * Dim);
  write_steps(storage, steps.view());
}

template <int Dim>
void GridBody<Dim>::make_plans() {
  auto const& fluid = domain.fluid;
  SetView const stored = storage.view(), in_fluid = fluid.view();
  Operand near[1 + Grid::reach_rows];
  near[0] = operand<Dim>(stored);
  for (int row = 0; row < Grid::reach_rows; ++row) {
    Vec<Coord, Dim> offset{};
    offset[1] = row % Grid::reach_width - Grid::reach;
    if constexpr (Dim == 3) offset[2] = row / Grid::reach_width - Grid::reach;
    near[1 + row] = operand<Dim>(stored, offset);
  }
  auto const deep_cells = shrink(fluid, Grid::reach);
  deep = typename Grid::DeepPlan(deep_cells, near,
                                 static_cast<std::uint32_t>((std::uint64_t{1} << (1 + Grid::reach_rows)) - 1));

  Operand of_cell[2 + Dim] = {operand<Dim>(in_fluid), operand<Dim>(stored)};
  for (int axis = 0; axis < Dim; ++axis) of_cell[2 + axis] = operand<Dim>(stored, Vec<Coord, Dim>::along(axis, 1));
  cells = typename Grid::CellPlan(fluid, of_cell, (1u << (2 + Dim)) - 1);
  computed_plan[Dim] = Subset<Dim>(fluid, storage);
  shallow[Dim] = Subset<Dim>(fluid - deep_cells, storage);

  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    auto const below = Vec<Coord, Dim>::along(axis, -1);
    auto const& out = of_kind[static_cast<std::size_t>(BoundaryKind::outflow)][axis];
    Operand const of_face[4] = {operand<Dim>(stored), operand<Dim>(in_fluid), operand<Dim>(in_fluid, below),
                                operand<Dim>(stored, below)};
    gradient[a] = typename Grid::FacePlan(open[axis], of_face, 0b1111);
    outflow[a] = typename Grid::FacePlan(out, of_face);
    Embedding<Dim> const among(faces[axis], storage);
    Operand of_arms[1 + 2 * Dim] = {operand<Dim>(stored)};
    for (int arm = 0; arm < 2 * Dim; ++arm) of_arms[1 + arm] = operand<Dim>(among.view(), face_arms<Dim>().offset[arm]);
    arms[a] = typename Grid::ArmPlan(computed[axis], of_arms);
    beside_boundary[a] = typename Grid::ArmPlan(computed[axis] - shrink(computed[axis], 1, Element::diamond), of_arms);
    all_faces[a] = Subset<Dim>(faces[axis], storage);
    computed_plan[a] = Subset<Dim>(computed[axis], storage);
    shallow[a] = Subset<Dim>(computed[axis] - deep_cells, storage);
  }
}

template <int Dim>
void GridBody<Dim>::give_velocities() {
  std::vector<GivenVelocity> list;
  Places inside;  // the fluid cells of faces through which something flows, and how much that is
  std::vector<double> outward_flux;
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= domain.spacing[axis];
  for (std::size_t part = 0; part < parts.size(); ++part) {
    auto const* const said = part == 0 ? nullptr : &domain.parts[part - 1];
    if (said != nullptr && said->kind == BoundaryKind::outflow) continue;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& set = parts[part][axis];
      Places places;
      set.to_host().for_each_cell([&](Vec<Coord, Dim> const& face, Index) { places.push_back(face); });
      auto const context = storage.context();
      auto const found = sparse::find(storage, to_device(context, places));
      auto const positions = to_host(context, static_cast<Index const*>(found.data()), found.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        double value = said == nullptr ? 0 : said->velocity[axis];
        if (said != nullptr && said->profile) value = said->profile(middle_of_face(places[i], axis, domain.spacing));
        expects(std::isfinite(value), "incompressible: a velocity on the boundary is not finite");
        list.push_back({positions[i], axis, value});
        if (value == 0) continue;
        bool const is_lower = domain.fluid.contains(places[i]);
        auto cell = places[i];
        if (!is_lower) --cell[axis];
        inside.push_back(cell);
        outward_flux.push_back((is_lower ? -value : value) * volume / domain.spacing[axis]);
      }
    }
  }
  given = to_device(storage.context(), list);
  if (!inside.empty()) expect_balance(inside, outward_flux);
}

template <int Dim>
void GridBody<Dim>::expect_balance(Places const& inside, std::vector<double> const& outward_flux) const {
  IntervalSet<Dim> beside_outflow;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& out = of_kind[static_cast<std::size_t>(BoundaryKind::outflow)][axis];
    beside_outflow = beside_outflow | (domain.fluid & (out | shift(out, axis, -1)));
  }
  auto const all = connected_components(domain.fluid);
  auto const closed = domain.fluid - components_touching(all, beside_outflow);
  if (closed.is_empty()) return;
  auto const components = connected_components(closed);
  auto const label = to_host(component_field(components));
  auto const found = sparse::find(closed, to_device(storage.context(), inside));
  auto const positions = to_host(storage.context(), static_cast<Index const*>(found.data()), found.size());
  std::vector<double> net(static_cast<std::size_t>(components.count())), total(net);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < 0) continue;
    auto const k = static_cast<std::size_t>(label[static_cast<std::size_t>(positions[i])]);
    net[k] += outward_flux[i];
    total[k] += std::abs(outward_flux[i]);
  }
  for (std::size_t k = 0; k < net.size(); ++k)
    if (std::abs(net[k]) > 1e-9 * total[k])
      fail("incompressible: a part of the fluid has no outflow, but " + std::to_string(std::abs(net[k])) +
           " of fluid per time flows " + (net[k] < 0 ? "into" : "out of") + " it");
}

template struct GridBody<2>;
template struct GridBody<3>;

}  // namespace sparse::incompressible::detail
