#include "level.hpp"

#include <algorithm>

#include "grid/periodic_plan.hpp"
#include "step/divergence_at.hpp"

namespace sparse::incompressible::detail {

template <int Dim>
CellPlan<Dim> plan_of_leaves(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves,
                             IntervalSet<Dim> const& cells) {
  SetView const stored = grid.storage().view();
  Target<Dim> targets[2 + Dim] = {{cells.view()}, {stored}};
  for (int axis = 0; axis < Dim; ++axis) targets[2 + axis] = {stored, Vec<Coord, Dim>::along(axis, 1)};
  return periodic_plan(leaves, targets, grid.domain().periodicity(), (1u << (2 + Dim)) - 1);
}

namespace {

/// Rings get values from other levels.
template <int Dim>
Convection<Dim> convection_at(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves) {
  auto const faces = faces_of_cells(leaves, grid.domain().periodicity());
  return Convection<Dim>(grid, &faces);
}

template <int Dim>
Buffer<Index> positions_of_cuts(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves) {
  auto const& cut = grid.body().cut.cells;
  Buffer<Index> positions(grid.context(), cut.size());
  CutCell<Dim> const* const cells = cut.data();
  Index* const found = positions.data();
  SetView const set = leaves.view();
  parallel_for(
      grid.context(), "sparse::incompressible::positions_of_cuts", cut.size(),
      KOKKOS_LAMBDA(Index i) { found[i] = set.find(cells[i].cell); });
  return positions;
}

}  // namespace

template <class T, int Dim>
Level<T, Dim>::Level(LevelCells<Dim> const& cells, StaggeredGrid<Dim> const& of_grid, double tolerance,
                     std::vector<std::string> const& names)
    : sets(cells), grid(of_grid), convection(convection_at(grid, cells.leaves)), state(grid, names),
      other("velocity", grid.storage(), Dim, 0), between("velocity", grid.storage(), Dim, 0),
      guess(grid, true, tolerance), leaves(plan_of_leaves(grid, cells.leaves, cells.leaves)),
      cut_leaves(positions_of_cuts(grid, cells.leaves)) {
  grid.set_boundary(other);
  grid.set_boundary(between);
  if (!names.empty()) inks.emplace(grid, names);
}

template <class T, int Dim>
double Level<T, Dim>::greatest_width() const {
  double width = 0;
  for (int axis = 0; axis < Dim; ++axis) width = std::max(width, grid.spacing()[axis]);
  return width;
}

template <class T, int Dim>
void Level<T, Dim>::divergence(Field<T, Dim> const& velocity, double factor, Field<T, Dim>& result) const {
  divergence_at(leaves, velocity, grid.spacing(), factor, result.component(0));
  if (grid.has_curved_walls()) divergence_at_cuts(grid, cut_leaves, velocity, factor, result.component(0));
}

template <class T, int Dim>
Field<T, Dim> Level<T, Dim>::vorticity() const {
  Field<T, Dim> result("vorticity", sets.leaves, Dim == 2 ? 1 : 3);
  take_curl(grid, curls_.get([&] { return curl_plan(grid, sets.leaves); }), state.velocity, result);
  return result;
}

template <class T, int Dim>
std::vector<Field<T, Dim>*> Level<T, Dim>::values() {
  std::vector<Field<T, Dim>*> fields = {&state.pressure};
  for (auto* past : guess.past()) fields.push_back(past);
  for (auto& ink : state.carried) fields.push_back(&ink);
  return fields;
}

template <class T, int Dim>
void link(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides, Level<T, Dim>& coarse, Level<T, Dim>& fine,
          int level) {
  auto const of_coarse = store_of(coarse.grid), of_fine = store_of(fine.grid);
  coarse.means = FaceMeans<Dim>(of_coarse, of_fine, faces_of_cells(coarse.sets.covered_ring, of_coarse.periodicity));
  fine.splits =
      FaceSplits<Dim>(of_coarse, of_fine, fine.sets.parents, faces_of_cells(coarse.sets.covered, of_coarse.periodicity),
                      side_faces_of(domain, sides, fine.sets.parents, level));
  link_inks(coarse, fine);
}

template <class T, int Dim>
void fill_from_owners(Levels<T, Dim>& levels, VelocityOf<T, Dim> velocity) {
  for (auto& level : levels) level->grid.exchange(velocity(*level));
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

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template struct Level<T, Dim>;                                                                                       \
  template void link(amr::Domain<Dim> const&, LevelBoundary<Dim> const&, Level<T, Dim>&, Level<T, Dim>&, int);         \
  template void fill_from_owners(Levels<T, Dim>&, VelocityOf<T, Dim>);                                                 \
  template void fill_from_finer(Levels<T, Dim>&, VelocityOf<T, Dim>);                                                  \
  template void fill_from_coarser(Levels<T, Dim>&, VelocityOf<T, Dim>);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
template CellPlan<2> plan_of_leaves(StaggeredGrid<2> const&, IntervalSet<2> const&, IntervalSet<2> const&);
template CellPlan<3> plan_of_leaves(StaggeredGrid<3> const&, IntervalSet<3> const&, IntervalSet<3> const&);

}  // namespace sparse::incompressible::detail
