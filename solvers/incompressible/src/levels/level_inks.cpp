#include "level_inks.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

#include "grid/body.hpp"
#include "level.hpp"

namespace sparse::incompressible::detail {
namespace {

/// Calls `field(level, k)` for a field of each level.
template <class T, int Dim, class FieldOf>
void fill_around(Levels<T, Dim>& levels, std::size_t k, FieldOf const& field) {
  for (std::size_t l = 0; l < levels.size(); ++l) levels[l]->grid.exchange(field(l, k));
  for (std::size_t l = levels.size() - 1; l-- > 0;)
    restrict_to<T, Dim>(field(l, k).view(), levels[l]->inks->means, field(l + 1, k).view());
  for (std::size_t l = 1; l < levels.size(); ++l)
    levels[l]->inks->splits(field(l, k).view(), FieldView<T const>(field(l - 1, k).view()));
}

}  // namespace

template <class T, int Dim>
LevelInks<T, Dim>::LevelInks(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names) : transport(grid) {
  for (auto const& name : names) after.emplace_back(name, grid.storage(), 1, 0);
}

template <class T, int Dim>
void link_inks(Level<T, Dim>& coarse, Level<T, Dim>& fine) {
  if (!coarse.inks) return;
  auto const& ring = coarse.sets.covered_ring;
  coarse.inks->means =
      RestrictPlan<Dim>(ring, coarse.grid.storage(), refine(ring) & fine.grid.fluid(), fine.grid.storage());
  coarse.inks->interface = InkInterface<Dim>(coarse.grid, coarse.sets, fine.grid);
  fine.inks->splits = CellSplits<Dim>(fine.sets.parents, coarse.grid.fluid(), coarse.grid.storage(),
                                      fine.grid.storage(), coarse.grid.domain().periodicity());
}

template <class T, int Dim>
void fill_inks(Levels<T, Dim>& levels) {
  for (std::size_t k = 0; k < levels[0]->state.carried.size(); ++k)
    fill_around<T, Dim>(levels, k,
                        [&](std::size_t l, std::size_t i) -> Field<T, Dim>& { return levels[l]->state.carried[i]; });
}

template <class T, int Dim>
void give_inks(Levels<T, Dim>& levels, double time) {
  bool has_changed = false;
  for (auto& level : levels)
    if (level->inks && level->inks->sources.give(time, level->state.carried)) has_changed = true;
  if (levels[0]->grid.body().greatest(has_changed ? 1 : 0) > 0) fill_inks(levels);
}

template <class T, int Dim>
void carry_inks(Levels<T, Dim>& levels, AdaptiveOptions<Dim> const& how, double time, double time_step,
                bool has_start) {
  using Transport = InkTransport<T, Dim>;
  std::size_t const count = levels[0]->state.carried.size();
  if (count == 0) return;
  ProfilingRegion const region("sparse::incompressible::ink");
  // Two terms in space are bounds: a fine face may have up to 5/4 of the difference to the coarse leaf that a face of
  // this leaf would have. Values come from upstream, through half of the faces.
  bool const is_wide = Dim == 3 && levels.size() > 1;
  // A wall is half as far away as a neighbour.
  bool const has_values =
      std::any_of(how.ink_walls.begin(), how.ink_walls.end(), [](InkWall const& wall) { return wall.value; });
  std::vector<std::vector<typename Transport::Ink>> inks;
  double rate = 0;
  for (auto& level : levels) {
    auto& of_level = inks.emplace_back();
    for (std::size_t k = 0; k < count; ++k)
      of_level.push_back({level->state.carried[k], level->inks->after[k], how.inks[k].diffusivity});
    if (level->sets.leaves.is_empty()) continue;
    auto& transport = level->inks->transport;
    double way = transport.greatest_rate(of_level, level->other);
    if (has_start) way = std::max(way, transport.greatest_rate(of_level, level->state.velocity));
    rate = std::max(rate, way + (has_values ? 2 : 1) * transport.greatest_rate(of_level));
  }
  rate = levels[0]->grid.body().greatest(rate);
  int const stage_count = Transport::stage_count((is_wide ? 9.0 / 8 : 1.0) * rate, time_step);

  std::vector<typename Transport::Step> steps;
  for (auto& level : levels)
    steps.push_back({has_start ? level->state.velocity : level->other, level->other, time_step, stage_count});
  auto const after = [&](std::size_t l, int stage, std::size_t k) -> Field<T, Dim>& {
    return levels[l]->inks->transport.after(inks[l], steps[l], stage, k);
  };
  auto const before = [&](std::size_t l, int stage, std::size_t k) {
    auto const& field = stage == 0 ? levels[l]->state.carried[k] : after(l, stage - 1, k);
    return field.component(0);
  };
  for (int stage = 0; stage < stage_count; ++stage) {
    for (std::size_t l = 0; l < levels.size(); ++l)
      if (!levels[l]->sets.leaves.is_empty()) levels[l]->inks->transport.take_stage(inks[l], steps[l], stage);
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t l = 0; l < levels.size(); ++l) {
        auto const kernel = levels[l]->inks->transport.kernel_of(steps[l], stage);
        T* const values = after(l, stage, k).component(0);
        levels[l]->inks->walls.add(how.ink_walls, k, kernel, how.inks[k].diffusivity, levels[l]->grid,
                                   before(l, stage, k), values);
        double const of_stage = static_cast<double>(kernel.factor[0]) * levels[l]->grid.spacing()[0];
        levels[l]->inks->sources.add(k, time, (1 - static_cast<double>(kernel.of_start)) * of_stage, values);
      }
      for (std::size_t l = 0; l + 1 < levels.size(); ++l)
        levels[l]->inks->interface.correct(levels[l]->inks->transport.kernel_of(steps[l], stage), before(l, stage, k),
                                           levels[l + 1]->inks->transport.kernel_of(steps[l + 1], stage),
                                           before(l + 1, stage, k),
                                           conductance_of<T, Dim>(how.inks[k].diffusivity, levels[l]->grid.spacing()),
                                           after(l, stage, k).component(0));
      fill_around<T, Dim>(levels, k,
                          [&](std::size_t l, std::size_t i) -> Field<T, Dim>& { return after(l, stage, i); });
    }
  }
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t l = 0; how.inks[k].decay > 0 && l < levels.size(); ++l)
      scale(after(l, stage_count - 1, k), static_cast<T>(std::exp(-how.inks[k].decay * time_step)));
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template struct LevelInks<T, Dim>;                                                                                   \
  template void link_inks(Level<T, Dim>&, Level<T, Dim>&);                                                             \
  template void fill_inks(Levels<T, Dim>&);                                                                            \
  template void give_inks(Levels<T, Dim>&, double);                                                                    \
  template void carry_inks(Levels<T, Dim>&, AdaptiveOptions<Dim> const&, double, double, bool);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
