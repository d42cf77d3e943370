#include "whole_level.hpp"

#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

#include "grid/periodic_plan.hpp"

namespace sparse::incompressible::detail {
namespace {

/// Visits pairs of fields with a plan that copies some cells from the first to the second of each pair.
template <class T, int Dim, class From, class To>
void copy_all(IntervalSet<Dim> const& cells, std::size_t count, From const& from, To const& to) {
  CopyPlan<Dim> plan;
  IntervalSet<Dim> source, target;
  for (std::size_t i = 0; i < count; ++i) {
    auto const& [of, values] = from(i);
    auto const& [on, place] = to(i);
    if (i == 0 || of.identity() != source.identity() || on.identity() != target.identity())
      plan = CopyPlan<Dim>(cells, on, of);
    source = of;
    target = on;
    copy<T, Dim>(place, plan, values);
  }
}

/// A field, or one component of it.
template <class T, int Dim, class AField>
std::pair<IntervalSet<Dim>, FieldView<T>> whole_field(AField& field) {
  return {field.domain(), field.view()};
}
template <class T, int Dim, class AField>
std::pair<IntervalSet<Dim>, FieldView<T>> component_of(AField& field, std::size_t i) {
  return {field.domain(), {field.component(static_cast<int>(i)), 0}};
}

/// The values of leaves become components of a field on some cells, from `first` on.
template <class T, int Dim>
void gather_values(Level<T, Dim>& level, Field<T, Dim>& cells, std::size_t first) {
  auto const fields = level.values();
  copy_all<T, Dim>(
      level.sets.leaves & cells.domain(), fields.size(),
      [&](std::size_t i) { return whole_field<T const, Dim>(std::as_const(*fields[i])); },
      [&](std::size_t i) { return component_of<T, Dim>(cells, first + i); });
}
/// The same the other way round.
template <class T, int Dim>
void spread_values(Level<T, Dim>& level, Field<T, Dim> const& cells, std::size_t first) {
  auto const fields = level.values();
  copy_all<T, Dim>(
      level.sets.leaves & cells.domain(), fields.size(),
      [&](std::size_t i) { return component_of<T const, Dim>(cells, first + i); },
      [&](std::size_t i) { return whole_field<T, Dim>(*fields[i]); });
}

template <class T, int Dim>
void take_faces(CellPlan<Dim> const& leaves, FieldView<T const> velocity, FieldView<T> saved) {
  using Point = RunPoint<Dim, 2 + Dim>;
  for_each(
      "sparse::incompressible::save_faces", leaves, KOKKOS_LAMBDA(Point const& p) {
        for (int axis = 0; axis < Dim; ++axis) {
          saved(axis, p.operand(0)) = velocity(axis, p.operand(1));
          saved(Dim + axis, p.operand(0)) = velocity(axis, p.operand(2 + axis));
        }
      });
}

/// One side at a time, so that no face is written twice at once.
/// @param side  0 lower, 1 upper
template <class T, int Dim>
void put_faces(CellPlan<Dim> const& leaves, FieldView<T const> saved, FieldView<T> velocity, int side) {
  using Point = RunPoint<Dim, 2 + Dim>;
  for_each(
      "sparse::incompressible::restore_faces", leaves, KOKKOS_LAMBDA(Point const& p) {
        for (int axis = 0; axis < Dim; ++axis)
          velocity(axis, p.operand(side == 0 ? 1 : 2 + axis)) = saved(side * Dim + axis, p.operand(0));
      });
}

/// Gives inks to the children of `parents`.
template <class T, int Dim>
void split_inks(WholeLevel<T, Dim> const& coarse, IntervalSet<Dim> const& parents, WholeLevel<T, Dim>& fine) {
  CellSplits<Dim> const splits(parents, coarse.cells, coarse.cells, fine.cells, coarse.store.periodicity);
  int const count = fine.values.component_count();
  for (int i = count - fine.ink_count; i < count; ++i)
    splits(FieldView<T>{fine.values.component(i), 0}, FieldView<T const>{coarse.values.component(i), 0});
}

/// Cells of a level, with values of 0.
template <class T, int Dim>
WholeLevel<T, Dim> empty_level(Level<T, Dim>& level, IntervalSet<Dim> const& cells,
                               Periodicity<Dim> const& periodicity) {
  WholeLevel<T, Dim> whole{cells,
                           level.sets.covered,
                           store_of_cells(cells, periodicity),
                           {},
                           {},
                           static_cast<int>(level.state.carried.size())};
  whole.velocity = Field<T, Dim>("velocity", whole.store.storage, Dim, 0);
  whole.values = Field<T, Dim>("values", cells, static_cast<int>(level.values().size()), 0);
  return whole;
}

}  // namespace

template <class T, int Dim>
void copy_faces(Field<T, Dim>& target, Field<T, Dim> const& source, Vec<Coord, Dim> const& period) {
  int count = 1;
  for (int axis = 0; axis < Dim; ++axis) count *= 3;
  auto const from = source.domain().bounds(), to = target.domain().bounds();
  for (int code = 0; code < count; ++code) {
    Vec<Coord, Dim> offset;
    bool exists = true;
    for (int axis = 0, rest = code; axis < Dim; ++axis, rest /= 3) {
      offset[axis] = (rest % 3 == 2 ? -1 : rest % 3) * period[axis];
      exists = exists && (rest % 3 == 0 || period[axis] > 0);
      Coord const low = from.begin[axis] - offset[axis], high = from.end[axis] - offset[axis];
      exists = exists && low < to.end[axis] && to.begin[axis] < high;
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

template <class T, int Dim>
WholeLevel<T, Dim> whole_level(amr::Domain<Dim> const& domain, Level<T, Dim>& level, int number,
                               IntervalSet<Dim> const& cells) {
  auto const periodicity = periodicity_of(domain, number);
  auto whole = empty_level(level, cells, periodicity);
  if (cells.is_empty()) return whole;
  copy_faces(whole.velocity, level.state.velocity, periodicity.period);
  gather_values(level, whole.values, 0);
  return whole;
}

template <class T, int Dim>
WholeLevel<T, Dim> whole_level(amr::Domain<Dim> const& domain, Level<T, Dim>& level, int number,
                               IntervalSet<Dim> const& cells, Field<T, Dim> const& leaves) {
  auto const periodicity = periodicity_of(domain, number);
  auto whole = empty_level(level, cells, periodicity);
  if (leaves.domain().is_empty()) return whole;
  SetView const stored = whole.store.storage.view();
  Target<Dim> targets[2 + Dim] = {{leaves.domain().view()}, {stored}};
  for (int axis = 0; axis < Dim; ++axis) targets[2 + axis] = {stored, Vec<Coord, Dim>::along(axis, 1)};
  auto const plan = periodic_plan(leaves.domain(), targets, whole.store.periodicity, (1u << (2 + Dim)) - 1);
  for (int side = 0; side < 2; ++side) put_faces<T, Dim>(plan, leaves.view(), whole.velocity.view(), side);
  FieldView<T const> const values{leaves.component(2 * Dim), leaves.view().stride};
  copy<T, Dim>(whole.values.view(), CopyPlan<Dim>(leaves.domain(), whole.cells, leaves.domain()), values,
               whole.values.component_count());
  return whole;
}

template <class T, int Dim>
std::vector<IntervalSet<Dim>> needed_means(amr::Domain<Dim> const& domain, Levels<T, Dim> const& levels,
                                           std::vector<IntervalSet<Dim>> const& wanted) {
  constexpr Coord reach = 2;  // of what gives children their values
  std::vector<IntervalSet<Dim>> needed;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const& covered = levels[l]->sets.covered;
    auto const changed = l + 1 < wanted.size() ? covered ^ coarsen(wanted[l + 1]) : covered;
    auto around = domain.wrapped(expand(changed, reach), static_cast<int>(l));
    if (l > 0) around = around | refine(needed[l - 1]);
    needed.push_back(covered & around);
  }
  return needed;
}

template <class T, int Dim>
void take_means(amr::Domain<Dim> const& domain, std::vector<WholeLevel<T, Dim>>& levels,
                std::vector<IntervalSet<Dim>> const& of) {
  for (std::size_t l = levels.size(); l-- > 1;) {
    auto &coarse = levels[l - 1], &fine = levels[l];
    auto const& of_coarse = of[l - 1];
    if (of_coarse.is_empty()) continue;
    // Cells that are partly solid lack children. They are always covered, so nobody asks for their values.
    auto const cells = of_coarse - domain.touched_by_solid(static_cast<int>(l) - 1);
    FaceMeans<Dim>(coarse.store, fine.store, faces_of_cells(cells, coarse.store.periodicity))(coarse.velocity,
                                                                                              fine.velocity);
    restrict_to<T, Dim>(coarse.values.view(), RestrictPlan<Dim>(of_coarse, coarse.cells, fine.cells, fine.cells),
                        fine.values.view(), coarse.values.component_count());
  }
}

template <class T, int Dim>
std::vector<WholeLevel<T, Dim>> carried_to(amr::Domain<Dim> const& domain, LevelBoundary<Dim> const& sides,
                                           std::vector<IntervalSet<Dim>> const& cells,
                                           std::vector<WholeLevel<T, Dim>> const& from) {
  std::vector<WholeLevel<T, Dim>> result;
  for (std::size_t l = 0; l < cells.size(); ++l) {
    auto const periodicity = periodicity_of(domain, static_cast<int>(l));
    WholeLevel<T, Dim> whole{cells[l], {}, store_of_cells(cells[l], periodicity), {}, {}, from[0].ink_count};
    if (l + 1 < cells.size()) whole.covered = coarsen(cells[l + 1]);
    whole.velocity = Field<T, Dim>("velocity", whole.store.storage, Dim, 0);
    int const count = from[0].values.component_count();
    whole.values = Field<T, Dim>("values", cells[l], count);  // fresh cells get values below
    if (l < from.size()) {
      auto const& values = from[l].values;
      copy<T, Dim>(whole.values.view(), CopyPlan<Dim>(cells[l] & from[l].cells, cells[l], from[l].cells), values.view(),
                   count);
      copy_faces(whole.velocity, from[l].velocity, Vec<Coord, Dim>{});
    }
    if (l > 0) {
      auto const& coarse = result[l - 1];
      auto const before = l - 1 < from.size() ? from[l - 1].covered : IntervalSet<Dim>();
      if (auto const fresh = coarse.covered - before; !fresh.is_empty()) {
        FaceSplits<Dim>(coarse.store, whole.store, fresh, faces_of_cells(before, coarse.store.periodicity),
                        side_faces_of(domain, sides, fresh, static_cast<int>(l) - 1))(
            whole.velocity, coarse.velocity, domain.spacing(static_cast<int>(l)));
        prolong<T, Dim>(whole.values.view(), ProlongPlan<Dim>(fresh, coarse.cells, whole.cells, whole.cells),
                        coarse.values.view(), Prolongation::linear, count - whole.ink_count);
        if (whole.ink_count > 0) split_inks(coarse, fresh, whole);
      }
    }
    result.push_back(std::move(whole));
  }
  return result;
}

template <class T, int Dim>
void keep_values(Level<T, Dim>& level, Level<T, Dim>& before, IntervalSet<Dim> const& leaves) {
  if (leaves.is_empty()) return;
  copy_faces(level.state.velocity, before.state.velocity, level.grid.domain().period);
  auto const to = level.values(), from = before.values();
  copy_all<T, Dim>(
      leaves, to.size(), [&](std::size_t i) { return whole_field<T const, Dim>(std::as_const(*from[i])); },
      [&](std::size_t i) { return whole_field<T, Dim>(*to[i]); });
}

template <class T, int Dim>
void take_values(Level<T, Dim>& level, WholeLevel<T, Dim> const& from) {
  if (!from.cells.is_empty()) copy_faces(level.state.velocity, from.velocity, from.store.periodicity.period);
  level.grid.set_boundary(level.state.velocity);
  spread_values(level, from.values, 0);
}

template <class T, int Dim>
Field<T, Dim> saved_level(Level<T, Dim>& level) {
  auto const& cells = level.sets.own;
  int const count = 2 * Dim + static_cast<int>(level.values().size());
  Field<T, Dim> saved("state", cells, count, 0);
  take_faces<T, Dim>(plan_of_leaves(level.grid, level.sets.leaves, cells), level.state.velocity.view(), saved.view());
  gather_values(level, saved, 2 * Dim);
  return saved;
}

template <class T, int Dim>
void restore_level(Level<T, Dim>& level, Field<T, Dim> const& saved) {
  auto const plan = plan_of_leaves(level.grid, level.sets.leaves, saved.domain());
  for (int side = 0; side < 2; ++side) put_faces<T, Dim>(plan, saved.view(), level.state.velocity.view(), side);
  level.grid.set_boundary(level.state.velocity);
  spread_values(level, saved, 2 * Dim);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void copy_faces(Field<T, Dim>&, Field<T, Dim> const&, Vec<Coord, Dim> const&);                              \
  template WholeLevel<T, Dim> whole_level(amr::Domain<Dim> const&, Level<T, Dim>&, int, IntervalSet<Dim> const&);      \
  template WholeLevel<T, Dim> whole_level(amr::Domain<Dim> const&, Level<T, Dim>&, int, IntervalSet<Dim> const&,       \
                                          Field<T, Dim> const&);                                                       \
  template std::vector<IntervalSet<Dim>> needed_means(amr::Domain<Dim> const&, Levels<T, Dim> const&,                  \
                                                      std::vector<IntervalSet<Dim>> const&);                           \
  template void take_means(amr::Domain<Dim> const&, std::vector<WholeLevel<T, Dim>>&,                                  \
                           std::vector<IntervalSet<Dim>> const&);                                                      \
  template std::vector<WholeLevel<T, Dim>> carried_to(amr::Domain<Dim> const&, LevelBoundary<Dim> const&,              \
                                                      std::vector<IntervalSet<Dim>> const&,                            \
                                                      std::vector<WholeLevel<T, Dim>> const&);                         \
  template void keep_values(Level<T, Dim>&, Level<T, Dim>&, IntervalSet<Dim> const&);                                  \
  template void take_values(Level<T, Dim>&, WholeLevel<T, Dim> const&);                                                \
  template Field<T, Dim> saved_level(Level<T, Dim>&);                                                                  \
  template void restore_level(Level<T, Dim>&, Field<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
