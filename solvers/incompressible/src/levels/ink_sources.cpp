#include "ink_sources.hpp"

#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::incompressible::detail {

template <class T, int Dim>
std::vector<SourceCells<T, Dim>> source_cells(IntervalSet<Dim> const& of_finest, int level_count) {
  std::vector<SourceCells<T, Dim>> levels(static_cast<std::size_t>(level_count));
  levels.back() = Field<T, Dim>("source", of_finest, T(1));
  for (std::size_t l = levels.size() - 1; l-- > 0;) {
    auto const cells = coarsen(levels[l + 1].domain());
    auto const children = refine(cells);
    auto const of_children = remap(levels[l + 1], children);
    levels[l] = Field<T, Dim>("source", cells);
    restrict_to<T, Dim>(levels[l].view(), RestrictPlan<Dim>(cells, cells, children, children), of_children.view());
  }
  return levels;
}

template <class T, int Dim>
InkSources<T, Dim>::InkSources(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& leaves,
                               AdaptiveOptions<Dim> const& options, std::vector<SourceCells<T, Dim>> const& sources) {
  IntervalSet<Dim> beside_inflow;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = grid.faces_of(BoundaryKind::inflow, axis);
    beside_inflow = beside_inflow | (leaves & (faces | shift(faces, axis, -1)));
  }
  for (std::size_t k = 0; k < options.inks.size(); ++k)
    if (auto const value = options.inks[k].inflow)
      add_place(grid, {k}, Field<T, Dim>("ink", beside_inflow, static_cast<T>(*value)));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto values = remap(sources[i], sources[i].domain() & leaves);
    scale(values, static_cast<T>(options.ink_sources[i].value));
    add_place(grid, options.ink_sources[i], std::move(values));
  }
}

template <class T, int Dim>
void InkSources<T, Dim>::add_place(StaggeredGrid<Dim> const& grid, InkSource<Dim> const& source, Field<T, Dim> values) {
  auto const cells = values.domain();
  if (cells.is_empty()) return;
  Plan<Dim, 2> plan(cells, {operand<Dim>(grid.storage().view()), operand<Dim>(cells.view())}, 0b11);
  places_.push_back({source.ink, source.until, source.kind, std::move(values), std::move(plan)});
}

template <class T, int Dim>
bool InkSources<T, Dim>::give(double time, std::vector<Field<T, Dim>>& inks) const {
  bool has_given = false;
  for (auto const& place : places_) {
    if (place.kind != SourceKind::holds || time > place.until) continue;
    has_given = true;
    T* const to = inks[place.ink].component(0);
    T const* const from = place.values.component(0);
    for_each(
        "sparse::incompressible::ink_source", place.plan,
        KOKKOS_LAMBDA(RunPoint<Dim, 2> const& p) { to[p.operand(0)] = from[p.operand(1)]; });
  }
  return has_given;
}

template <class T, int Dim>
void InkSources<T, Dim>::add(std::size_t ink, double time, double duration, T* values) const {
  for (auto const& place : places_) {
    if (place.kind != SourceKind::adds || place.ink != ink || time > place.until) continue;
    T const* const gains = place.values.component(0);
    T const during = static_cast<T>(duration);
    for_each(
        "sparse::incompressible::ink_gain", place.plan,
        KOKKOS_LAMBDA(RunPoint<Dim, 2> const& p) { values[p.operand(0)] += during * gains[p.operand(1)]; });
  }
}

template <int Dim>
LevelJets<Dim>::LevelJets(StaggeredGrid<Dim> const& grid, LevelCells<Dim> const& cells,
                          std::vector<IntervalSet<Dim>> const& driven,
                          std::vector<IntervalSet<Dim>> const& of_coarser) {
  FaceSets<Dim> edges;  // where another rank has the cells beyond
  auto const beyond = cells.all_stored - cells.stored;
  for (int axis = 0; axis < Dim && !beyond.is_empty(); ++axis) {
    auto const periodicity = grid.domain().periodicity();
    edges[axis] = periodicity.stored(faces(cells.stored, axis)) & periodicity.stored(faces(beyond, axis));
  }
  for (std::size_t i = 0; i < driven.size(); ++i) {
    auto here = driven[i] & cells.all_leaves;
    // A coarse leaf has its faces at an interface from the fine ones.
    if (!of_coarser.empty()) here = here | (refine(of_coarser[i]) & (cells.all_stored - cells.cells));
    jets_.emplace_back();
    if (!here.is_empty()) jets_.back().emplace(grid, here, edges);
  }
}

template <int Dim>
bool LevelJets<Dim>::are_on(std::vector<LevelJet<Dim>> const& jets, double time) const {
  for (std::size_t i = 0; i < jets_.size(); ++i)
    if (jets_[i] && time <= jets[i].until) return true;
  return false;
}

template <int Dim>
template <class T>
void LevelJets<Dim>::drive(std::vector<LevelJet<Dim>> const& jets, double time, Field<T, Dim>& velocity) const {
  for (std::size_t i = 0; i < jets_.size(); ++i)
    if (jets_[i] && time <= jets[i].until) jets_[i]->drive(velocity, jets[i].velocity);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template std::vector<SourceCells<T, Dim>> source_cells(IntervalSet<Dim> const&, int);                                \
  template class InkSources<T, Dim>;                                                                                   \
  template void LevelJets<Dim>::drive(std::vector<LevelJet<Dim>> const&, double, Field<T, Dim>&) const;
template class LevelJets<2>;
template class LevelJets<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
