/// A flow on levels goes on after its bodies, boundaries or options have changed.

#include <sparse/amr/hierarchy/adapted_cells.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/fields/fill.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "adaptive_body.hpp"
#include "whole_level.hpp"

namespace sparse::incompressible::detail {
namespace {

/// The cells, up to the finest level, that must be refined so that all `cells` exist.
template <int Dim>
std::vector<IntervalSet<Dim>> nested_around(amr::Domain<Dim> const& domain,
                                            std::vector<IntervalSet<Dim>> const& cells) {
  std::vector<IntervalSet<Dim>> tags;
  for (int l = 0; l + 1 < domain.level_count(); ++l) {
    auto const next = static_cast<std::size_t>(l) + 1;
    tags.push_back(next < cells.size() ? coarsen(cells[next]) & domain.fluid(l) : IntervalSet<Dim>());
  }
  return amr::nested_cells(domain, tags, {0});
}

/// A level whose cells may have become fluid: these have the means of their neighbours. More inks begin at 0.
/// @param cells  all of `from` that still are fluid, or some of them, and those that have become so
template <class T, int Dim>
WholeLevel<T, Dim> with_uncovered(WholeLevel<T, Dim> const& from, IntervalSet<Dim> const& cells, int ink_count) {
  WholeLevel<T, Dim> whole{cells, {}, store_of_cells(cells, from.store.periodicity), {}, {}, ink_count};
  auto const kept = cells & from.cells, fresh = cells - from.cells;
  int const count = from.values.component_count();
  whole.values = Field<T, Dim>("values", cells, count + ink_count - from.ink_count, 0);
  copy<T, Dim>(whole.values.view(), CopyPlan<Dim>(kept, cells, from.cells), from.values.view(), count);
  fill_from_neighbours(whole.values, kept, fresh);
  whole.velocity = Field<T, Dim>("velocity", whole.store.storage, Dim, 0);
  copy_faces(whole.velocity, from.velocity, from.store.periodicity.period);
  auto const of_fresh = faces_of_cells(fresh, from.store.periodicity),
             of_kept = faces_of_cells(kept, from.store.periodicity);
  for (int axis = 0; axis < Dim; ++axis)
    fill_from_neighbours(whole.velocity, of_kept[axis] - of_fresh[axis], of_fresh[axis], axis);
  return whole;
}

}  // namespace

template <class T, int Dim>
std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::cells_after(AdaptiveBody const& from) const {
  int const finest = domain.level_count() - 1;
  auto fresh = domain.fluid(finest) - from.domain.fluid(finest);
  auto cells = from.cells();
  cells.resize(static_cast<std::size_t>(finest) + 1);
  for (int l = finest; l > 0; --l) {
    cells[static_cast<std::size_t>(l)] = cells[static_cast<std::size_t>(l)] | fresh;
    fresh = coarsen(fresh);
  }
  return nested_around(domain, cells);
}

template <class T, int Dim>
void AdaptiveBody<T, Dim>::go_on_from(AdaptiveBody const& from) {
  expects(domain.level_count() == from.domain.level_count() && domain.box(0).end == from.domain.box(0).end &&
              domain.options().grid.spacing == from.domain.options().grid.spacing &&
              domain.options().grid.origin == from.domain.options().grid.origin,
          "incompressible: a flow goes on in a domain with the same cells and levels");
  expects(options.inks.size() >= from.options.inks.size(), "incompressible: a flow goes on with all of its inks");
  auto const cells = cells_after(from);
  // What becomes a leaf here must be known there.
  auto const before = nested_around(from.domain, cells);
  auto const whole = carried_to(from.domain, from.sides, before, from.whole_levels(before, before));
  make_levels(cells);
  for (std::size_t l = 0; l < levels.size(); ++l)
    take_values(*levels[l], with_uncovered(whole[l], cells[l], static_cast<int>(options.inks.size())));
  time = from.time;
  step_count = from.step_count;
  update_count = from.update_count;
  fill_pressures();
  fill(state_velocity);
  fill_inks(levels);
  for (auto& level : levels) sparse::fill(level->guess.guess(), 0);
  projection.project(levels, state_velocity, guessed_pressure, 1);
  projection.set_gradient(levels, state_pressure);
  set_clocks();
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template std::vector<IntervalSet<Dim>> AdaptiveBody<T, Dim>::cells_after(AdaptiveBody const&) const;                 \
  template void AdaptiveBody<T, Dim>::go_on_from(AdaptiveBody const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
