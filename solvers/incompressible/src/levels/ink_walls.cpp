#include "ink_walls.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::incompressible::detail {
namespace {

template <class T, int Dim>
void add_from_wall(Subset<Dim> const& cells, T factor, T conductance, T value, T const* before, T* after) {
  for_each(
      "sparse::incompressible::ink_from_wall", cells,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { after[p.cell] += factor * (conductance * (value - before[p.cell])); });
}

template <class T, int Dim>
void add_flux(Subset<Dim> const& cells, T gain, T* after) {
  for_each(
      "sparse::incompressible::ink_through_wall", cells,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { after[p.cell] += gain; });
}

template <class T, int Dim>
double sum_of(Subset<Dim> const& cells, T const* values) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::ink_beside_wall", cells,
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, double& sum) { sum += static_cast<double>(values[p.cell]); });
}

/// The leaves beside the faces of a side that a wall has.
template <int Dim>
IntervalSet<Dim> leaves_beside(amr::Domain<Dim> const& domain, int level, StaggeredGrid<Dim> const& grid,
                               IntervalSet<Dim> const& leaves, InkWall const& wall) {
  auto const box = domain.box(level);
  bool const is_upper = wall.side == FaceSide::upper;
  auto begin = box.begin, end = box.end;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const first_from = [&](double x) {
      constexpr double margin = 1e-9;  // for rounding, in cells
      double const first = (x - domain.grid(level).origin[axis]) / domain.spacing(level)[axis] - 0.5 - margin;
      return static_cast<Coord>(std::clamp(std::ceil(first), 1.0 * box.begin[axis], 1.0 * box.end[axis]));
    };
    auto const [from, to] = wall.part[static_cast<std::size_t>(axis)];
    begin[axis] = first_from(from);
    end[axis] = first_from(to);
  }
  begin[wall.axis] = is_upper ? box.end[wall.axis] : box.begin[wall.axis];
  end[wall.axis] = begin[wall.axis] + 1;
  auto const faces = (grid.faces_of(BoundaryKind::wall, wall.axis) | grid.faces_of(BoundaryKind::no_slip, wall.axis)) &
                     sparse::box<Dim>(begin, end);
  return leaves & (is_upper ? shift(faces, wall.axis, -1) : faces);
}

/// [body] The probes of its wall.
template <int Dim>
std::vector<std::vector<WallProbe<Dim>>>
probes_of_bodies(StaggeredGrid<Dim> const& grid, amr::Domain<Dim> const& domain, int level,
                 BodyNumber<Dim> const& nearest_body, IntervalSet<Dim> const& leaves) {
  std::vector<std::vector<WallProbe<Dim>>> result(static_cast<std::size_t>(domain.body_count()));
  Field<float, Dim> marks("leaves", grid.storage(), 1, 0);
  fill(view(marks, leaves), 1.0F);
  auto const is_leaf = to_host(marks);
  for (auto const& probe : wall_probes_of(grid, domain.box(level)))
    if (is_leaf[static_cast<std::size_t>(probe.position)] > 0) result[nearest_body(probe.place)].push_back(probe);
  return result;
}

template <int Dim>
Buffer<WallProbe<Dim>> given_by(InkWall const& wall, Context const& context, std::vector<WallProbe<Dim>> probes) {
  for (auto& probe : probes) {
    probe.kind = wall.value ? WallProbe<Dim>::with_temperature : WallProbe<Dim>::with_flux;
    probe.given = wall.value.value_or(wall.flux);
  }
  return to_device(context, probes);
}

}  // namespace

template <int Dim>
InkWalls<Dim>::InkWalls(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides, int level,
                        StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves,
                        std::vector<InkWall> const& walls) {
  std::vector<std::vector<WallProbe<Dim>>> probes;
  auto const is_of_body = [](InkWall const& wall) { return wall.body.has_value(); };
  if (grid.has_curved_walls() && std::any_of(walls.begin(), walls.end(), is_of_body))
    probes = probes_of_bodies(grid, domain, level, sides.nearest_body, leaves);
  for (auto const& wall : walls) {
    walls_.emplace_back();
    auto const add_part = [&](int axis, IntervalSet<Dim> const& cells) {
      if (!cells.is_empty()) walls_.back().parts.push_back({axis, Subset<Dim>(cells, grid.storage())});
    };
    if (wall.body) {
      if (level != domain.body_level()) continue;  // leaves beside bodies are of that level
      if (grid.has_curved_walls()) {
        walls_.back().probes = given_by(wall, grid.context(), probes[static_cast<std::size_t>(*wall.body)]);
        continue;
      }
      auto solid = domain.body(level, *wall.body);
      for (int before = 0; before < *wall.body; ++before) solid = solid - domain.body(level, before);
      auto const between = faces_between(grid.fluid(), solid, grid.domain().period);
      auto const periodicity = grid.domain().periodicity();
      for (int axis = 0; axis < Dim; ++axis) {
        // A leaf is above the face that has its number, or below.
        add_part(axis, periodicity.stored(between[axis]) & leaves);
        add_part(axis, periodicity.stored(shift(between[axis], axis, -1)) & leaves);
      }
      continue;
    }
    auto cells = leaves_beside(domain, level, grid, leaves, wall);
    for (std::size_t later = walls_.size(); later < walls.size(); ++later) {
      auto const& other = walls[later];
      if (!other.body && other.ink == wall.ink && other.axis == wall.axis && other.side == wall.side)
        cells = cells - leaves_beside(domain, level, grid, leaves, other);
    }
    add_part(wall.axis, cells);
  }
}

template <int Dim>
template <class T>
void InkWalls<Dim>::add(std::vector<InkWall> const& walls, std::size_t ink, InkStage<T, Dim> const& stage,
                        double diffusivity, StaggeredGrid<Dim> const& grid, T const* before, T* after) const {
  auto const conductance = conductance_of<T, Dim>(diffusivity, grid.spacing());
  for (std::size_t k = 0; k < walls_.size(); ++k) {
    if (walls[k].ink != ink) continue;
    double const time = (1 - static_cast<double>(stage.of_start)) * stage.factor[0] * grid.spacing()[0];
    add_from_walls<T, Dim>(grid.context(), walls_[k].probes, before, diffusivity, time, after);
    for (auto const& [axis, cells] : walls_[k].parts) {
      T const factor = (1 - stage.of_start) * stage.factor[axis];
      if (walls[k].value)
        add_from_wall<T, Dim>(cells, factor, 2 * conductance[axis], static_cast<T>(*walls[k].value), before, after);
      else
        add_flux<T, Dim>(cells, factor * static_cast<T>(walls[k].flux), after);
    }
  }
}

template <int Dim>
template <class T>
auto InkWalls<Dim>::sums(std::size_t number, InkWall const& wall, double diffusivity, StaggeredGrid<Dim> const& grid,
                         T const* values) const -> WallSums {
  auto const& [parts, probes] = walls_[number];
  WallSums sums = sums_over_walls<T, Dim>(grid.context(), probes, values, diffusivity);
  for (double* const sum : {&sums.area, &sums.value, &sums.flux}) *sum *= grid.cell_volume();
  for (auto const& [axis, cells] : parts) {
    double const area = grid.face_area(axis), conductance = diffusivity / (0.5 * grid.spacing()[axis]);
    double const of_part = area * static_cast<double>(cells.cell_count()),
                 in_cells = area * sum_of<T, Dim>(cells, values);
    double const flux = wall.value ? conductance * (of_part * *wall.value - in_cells) : of_part * wall.flux;
    sums.area += of_part;
    sums.value += in_cells + flux / conductance;
    sums.flux += flux;
  }
  return sums;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void InkWalls<Dim>::add(std::vector<InkWall> const&, std::size_t, InkStage<T, Dim> const&, double,          \
                                   StaggeredGrid<Dim> const&, T const*, T*) const;                                     \
  template WallSums InkWalls<Dim>::sums(std::size_t, InkWall const&, double, StaggeredGrid<Dim> const&, T const*) const;
template class InkWalls<2>;
template class InkWalls<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
