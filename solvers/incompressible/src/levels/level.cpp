#include "level.hpp"

#include <algorithm>

#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "grid/periodic_plan.hpp"

namespace sparse::incompressible::detail {
namespace {

template <int Dim>
CellPlan<Dim> plan_of_leaves(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves) {
  SetView const stored = grid.storage().view();
  Target<Dim> targets[2 + Dim] = {{leaves.view()}, {stored}};
  for (int axis = 0; axis < Dim; ++axis) targets[2 + axis] = {stored, Vec<Coord, Dim>::along(axis, 1)};
  return periodic_plan(leaves, targets, grid.domain().periodicity(), (1u << (2 + Dim)) - 1);
}

/// target = source where both have cells, images included: storages of faces differ in the end of a period at which
/// they have the faces of its seam.
template <class T, int Dim>
void copy_faces(Field<T, Dim>& target, Field<T, Dim> const& source, Vec<Coord, Dim> const& period) {
  int count = 1;
  for (int axis = 0; axis < Dim; ++axis) count *= 3;
  for (int code = 0; code < count; ++code) {
    Vec<Coord, Dim> offset;
    bool exists = true;
    for (int axis = 0, rest = code; axis < Dim; ++axis, rest /= 3) {
      offset[axis] = (rest % 3 == 2 ? -1 : rest % 3) * period[axis];
      exists = exists && (rest % 3 == 0 || period[axis] > 0);
    }
    if (!exists) continue;
    auto common = source.domain();
    for (int axis = 0; axis < Dim; ++axis)
      if (offset[axis] != 0) common = shift(common, axis, -offset[axis]);
    common = common & target.domain();
    if (common.is_empty()) continue;
    copy<T, Dim>(target.view(), CopyPlan<Dim>(common, target.domain(), source.domain(), offset), source.view(), Dim);
  }
}

}  // namespace

template <class T, int Dim>
Level<T, Dim>::Level(amr::Domain<Dim> const& domain, SideVelocities<Dim> const& sides, LevelCells<Dim> const& cells,
                     int level, double tolerance)
    : sets(cells), grid(level_grid(domain, sides, cells.with_ring(), level)), convection(grid), state(grid),
      other("velocity", grid.storage(), Dim, 0), between("velocity", grid.storage(), Dim, 0),
      guess(grid, true, tolerance), leaves(plan_of_leaves(grid, cells.leaves)),
      leaf_values(cells.leaves, cells.leaves, grid.fluid()) {
  grid.set_boundary(other);
  grid.set_boundary(between);
}

template <class T, int Dim>
double Level<T, Dim>::greatest_width() const {
  double width = 0;
  for (int axis = 0; axis < Dim; ++axis) width = std::max(width, grid.spacing()[axis]);
  return width;
}

template <class T, int Dim>
void link(amr::Domain<Dim> const& domain, SideVelocities<Dim> const& sides, Level<T, Dim>& coarse, Level<T, Dim>& fine,
          int level) {
  auto const of_coarse = store_of(coarse.grid), of_fine = store_of(fine.grid);
  coarse.means = FaceMeans<Dim>(of_coarse, of_fine, faces_of_cells(coarse.sets.covered_ring, of_coarse.periodicity));
  fine.splits =
      FaceSplits<Dim>(of_coarse, of_fine, fine.sets.parents, faces_of_cells(coarse.sets.covered, of_coarse.periodicity),
                      side_faces_of(domain, sides, fine.sets.parents, level));
}

template <class T, int Dim>
void fill_from_finer(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity) {
  for (std::size_t l = levels.size() - 1; l-- > 0;) levels[l]->means(velocity(*levels[l]), velocity(*levels[l + 1]));
}

template <class T, int Dim>
void fill_from_coarser(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity) {
  for (std::size_t l = 1; l < levels.size(); ++l)
    levels[l]->splits(velocity(*levels[l]), velocity(*levels[l - 1]), levels[l]->grid.spacing());
}

template <class T, int Dim>
std::vector<WholeLevel<T, Dim>> whole_levels(amr::Domain<Dim> const& domain, Levels<T, Dim> const& levels) {
  std::vector<WholeLevel<T, Dim>> result;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const& level = *levels[l];
    auto const periodicity = periodicity_of(domain, static_cast<int>(l));
    WholeLevel<T, Dim> whole{
        level.sets.cells, level.sets.covered, store_of_cells(level.sets.cells, periodicity), {}, {}};
    whole.velocity = Field<T, Dim>("velocity", whole.store.storage, Dim, 0);
    copy_faces(whole.velocity, level.state.velocity, periodicity.period);
    whole.pressure = remap(level.state.pressure, whole.cells);
    result.push_back(std::move(whole));
  }
  for (std::size_t l = result.size(); l-- > 1;) {
    auto &coarse = result[l - 1], &fine = result[l];
    // Cells that are partly solid lack children. They are always covered, so nobody asks for their values.
    auto const cells = coarse.covered - domain.touched_by_solid(static_cast<int>(l) - 1);
    FaceMeans<Dim>(coarse.store, fine.store, faces_of_cells(cells, coarse.store.periodicity))(coarse.velocity,
                                                                                              fine.velocity);
    restrict_to<T, Dim>(coarse.pressure.view(), RestrictPlan<Dim>(coarse.covered, coarse.cells, fine.cells, fine.cells),
                        fine.pressure.view());
  }
  return result;
}

template <class T, int Dim>
std::vector<WholeLevel<T, Dim>> carried_to(amr::Domain<Dim> const& domain, SideVelocities<Dim> const& sides,
                                           std::vector<IntervalSet<Dim>> const& cells,
                                           std::vector<WholeLevel<T, Dim>> const& from) {
  std::vector<WholeLevel<T, Dim>> result;
  for (std::size_t l = 0; l < cells.size(); ++l) {
    auto const periodicity = periodicity_of(domain, static_cast<int>(l));
    WholeLevel<T, Dim> whole{cells[l], {}, store_of_cells(cells[l], periodicity), {}, {}};
    if (l + 1 < cells.size()) whole.covered = coarsen(cells[l + 1]);
    whole.velocity = Field<T, Dim>("velocity", whole.store.storage, Dim, 0);
    whole.pressure = l < from.size() ? remap(from[l].pressure, cells[l]) : Field<T, Dim>("pressure", cells[l], 1, 0);
    if (l < from.size()) copy_faces(whole.velocity, from[l].velocity, Vec<Coord, Dim>{});
    if (l > 0) {
      auto const& coarse = result[l - 1];
      auto const before = l - 1 < from.size() ? from[l - 1].covered : IntervalSet<Dim>();
      if (auto const fresh = coarse.covered - before; !fresh.is_empty()) {
        FaceSplits<Dim>(coarse.store, whole.store, fresh, faces_of_cells(before, coarse.store.periodicity),
                        side_faces_of(domain, sides, fresh, static_cast<int>(l) - 1))(
            whole.velocity, coarse.velocity, domain.spacing(static_cast<int>(l)));
        prolong<T, Dim>(whole.pressure.view(), ProlongPlan<Dim>(fresh, coarse.cells, whole.cells, whole.cells),
                        coarse.pressure.view(), Prolongation::linear);
      }
    }
    result.push_back(std::move(whole));
  }
  return result;
}

template <class T, int Dim>
void take_values(Level<T, Dim>& level, WholeLevel<T, Dim> const& from) {
  copy_faces(level.state.velocity, from.velocity, from.store.periodicity.period);
  level.grid.set_boundary(level.state.velocity);
  level.state.pressure = remap(from.pressure, level.grid.fluid());
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template struct Level<T, Dim>;                                                                                       \
  template void link(amr::Domain<Dim> const&, SideVelocities<Dim> const&, Level<T, Dim>&, Level<T, Dim>&, int);        \
  template void fill_from_finer(Levels<T, Dim>&, VelocityOf<T, Dim>);                                                  \
  template void fill_from_coarser(Levels<T, Dim>&, VelocityOf<T, Dim>);                                                \
  template std::vector<WholeLevel<T, Dim>> whole_levels(amr::Domain<Dim> const&, Levels<T, Dim> const&);               \
  template std::vector<WholeLevel<T, Dim>> carried_to(amr::Domain<Dim> const&, SideVelocities<Dim> const&,             \
                                                      std::vector<IntervalSet<Dim>> const&,                            \
                                                      std::vector<WholeLevel<T, Dim>> const&);                         \
  template void take_values(Level<T, Dim>&, WholeLevel<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
