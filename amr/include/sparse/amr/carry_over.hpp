#pragma once
/// A flow on levels goes on after its bodies have changed.

#include <utility>
#include <vector>

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/hierarchy/saved_state.hpp>
#include <sparse/fields/fill.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

namespace detail {

/// Conserved variables of a level's cells: of the flow where it has these cells, of its coarser cell where that was
/// fluid, else of the neighbours.
template <class Flow, class State>
State carried_level(Flow const& flow, std::vector<State> const& coarser, IntervalSet<Flow::Dim> const& cells, int level,
                    typename Flow::State const& otherwise) {
  constexpr int Dim = Flow::Dim;
  using Scalar = typename Flow::Scalar;
  bool const is_there = level < flow.level_count();
  auto const kept = is_there ? cells & flow.sets(level).cells : IntervalSet<Dim>();
  State state("state", cells, Flow::component_count);
  for (int c = 0; c < Flow::component_count; ++c)
    sparse::detail::fill_values<Scalar>(state.context(), {state.component(c), 0}, cells.cell_count(), 1, otherwise[c]);
  auto const refined = level > 0 ? (cells - kept) & flow.domain().fluid(level) : IntervalSet<Dim>();
  if (!refined.is_empty()) {
    auto const& parent = coarser.back();
    prolong<Scalar, Dim>(state.view(), ProlongPlan<Dim>(parent.domain(), parent.domain(), refined, cells),
                         parent.view(), Prolongation::injection, Flow::component_count);
  }
  if (is_there)
    copy<Scalar, Dim>(state.view(), CopyPlan<Dim>(kept, cells, flow.sets(level).storage), flow.state(level).view(),
                      Flow::component_count);
  fill_from_neighbours(state, kept | refined, cells - kept - refined);
  return state;
}

}  // namespace detail

/// The state of a flow on a domain with other bodies, from which a `Simulation` on that domain can continue.
///
/// Levels keep their cells as far as they are fluid, and the surroundings of the new bodies are refined. Where fluid
/// was, states keep the totals: a new finer cell has the state of the cell that it divides. Cells that a body uncovers
/// take the mean of their neighbours, layer by layer.
/// @param flow       a `Simulation`
/// @param domain     as that of the flow, but for the bodies and the kinds of the sides
/// @param otherwise  conserved variables of uncovered cells that no fluid leads to
/// Cost: that of a change of all levels, and a copy of all states.
/// @throws std::invalid_argument  if the domain has other cells or another number of levels
template <class Flow>
SavedState<typename Flow::Scalar, Flow::Dim> carry_over(Flow& flow, Domain<Flow::Dim> const& domain,
                                                        typename Flow::State const& otherwise) {
  constexpr int Dim = Flow::Dim;
  using Scalar = typename Flow::Scalar;
  expects(domain.level_count() == flow.domain().level_count() && domain.box(0).end == flow.domain().box(0).end &&
              domain.spacing(0) == flow.domain().spacing(0),
          "carry_over: the domains have other cells");
  flow.synchronise();
  std::vector<IntervalSet<Dim>> tags;
  for (int l = 0; l + 1 < domain.level_count(); ++l)
    tags.push_back(l < flow.level_count() ? flow.sets(l).covered & domain.fluid(l) : IntervalSet<Dim>());
  SavedState<Scalar, Dim> saved;
  saved.time = flow.time();
  saved.step_count = flow.step_count();
  saved.repeated_step_count = flow.repeated_step_count();
  saved.update_count = flow.update_count();
  saved.cells = nested_cells(domain, tags, {0});
  for (std::size_t l = 0; l < saved.cells.size(); ++l)
    saved.states.push_back(detail::carried_level(flow, saved.states, saved.cells[l], static_cast<int>(l), otherwise));
  for (std::size_t l = saved.cells.size(); l-- > 1;) {
    auto& coarse = saved.states[l - 1];
    restrict_to<Scalar, Dim>(coarse.view(),
                             RestrictPlan<Dim>(coarse.domain(), coarse.domain(), saved.cells[l], saved.cells[l]),
                             saved.states[l].view(), Flow::component_count);
  }
  return saved;
}

}  // namespace sparse::amr
