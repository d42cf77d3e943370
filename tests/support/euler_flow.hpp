#pragma once
/// Euler flow on levels as tests set it up and look at it.

#include <cstring>
#include <map>

#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <sparse/fields/transfer.hpp>

#include "real_cases.hpp"
#include "reference.hpp"

namespace flow {

using reference::Cell;
using reference::Cells;
using sparse::BallDistance;
using sparse::body_from_cells;
using sparse::body_from_distance;
using sparse::BoundaryKind;
using sparse::Coord;
using sparse::Index;
using sparse::IntervalSet;
using sparse::Vec;
using sparse::amr::Domain;
using sparse::amr::DomainOptions;
using sparse::amr::Limiter;
using sparse::amr::NonFiniteState;
using sparse::amr::Scheme;
using sparse::compressible::FluxKind;

template <class T, int Dim>
using Gas = sparse::compressible::Euler<T, Dim>;
template <class T, int Dim>
using Flux = sparse::compressible::AnyFlux<Gas<T, Dim>>;
template <class T, int Dim>
using Simulation = sparse::amr::Simulation<Flux<T, Dim>>;
template <class T, int Dim>
using Options = sparse::amr::SimulationOptions<Gas<T, Dim>>;
template <class T, int Dim>
using Outside = sparse::amr::Outside<Gas<T, Dim>>;
template <class T, int Dim>
using State = typename Gas<T, Dim>::State;

/// For typed tests: a scalar type and a dimension.
template <class T, int D>
struct Case {
  using Scalar = T;
  static constexpr int Dim = D;
};
using Cases = reference::RealCasesOf<Case>;
using DoubleCases = testing::Types<Case<double, 2>, Case<double, 3>>;

inline constexpr Scheme schemes[] = {Scheme::godunov, Scheme::hancock, Scheme::muscl_rk2, Scheme::muscl_rk3};
inline constexpr FluxKind flux_kinds[] = {FluxKind::rusanov, FluxKind::hll, FluxKind::hllc};
inline char const* name_of(Scheme scheme) {
  return scheme == Scheme::godunov     ? "godunov"
         : scheme == Scheme::hancock   ? "hancock"
         : scheme == Scheme::muscl_rk2 ? "muscl_rk2"
                                       : "muscl_rk3";
}
inline char const* name_of(FluxKind flux) {
  return flux == FluxKind::rusanov ? "rusanov" : flux == FluxKind::hll ? "hll" : "hllc";
}

/// Whether tests have the time for their long versions (see seed_count).
inline bool const is_nightly = reference::seed_count > 1000;

/// The same kind of side everywhere.
template <int Dim>
Vec<Vec<BoundaryKind, 2>, Dim> all_sides(BoundaryKind kind) {
  return Vec<Vec<BoundaryKind, 2>, Dim>::filled({kind, kind});
}

/// A cube with walls all round, `size` cells of level 0 wide.
template <int Dim>
DomainOptions<Dim> closed_box(Coord size, int level_count = 3) {
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(size);
  options.level_count = level_count;
  return options;
}

/// Primitive variables.
template <class T, int Dim>
KOKKOS_FUNCTION State<T, Dim> gas_state(double rho, Vec<double, Dim> const& velocity, double pressure) {
  State<T, Dim> w;
  w[0] = static_cast<T>(rho);
  for (int axis = 0; axis < Dim; ++axis) w[1 + axis] = static_cast<T>(velocity[axis]);
  w[Dim + 1] = static_cast<T>(pressure);
  return w;
}

/// A uniform state.
template <class T, int Dim>
struct Uniform {
  State<T, Dim> state;
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const&) const { return state; }
};

/// A dense hot ball in a wind; nothing about it is symmetric.
template <class T, int Dim>
struct HotBall {
  Vec<double, Dim> center;
  double radius, density_jump, pressure_jump;
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - center[axis]) * (x[axis] - center[axis]);
    bool const is_inside = square < radius * radius;
    Vec<double, Dim> wind;
    for (int axis = 0; axis < Dim; ++axis) wind[axis] = 0.6 - 0.25 * axis;
    return gas_state<T, Dim>(is_inside ? 1 + density_jump : 1, wind, is_inside ? 1 + pressure_jump : 1);
  }
};

/// Component c of the leaves of a level, in the order of the set.
template <class Flow>
std::vector<typename Flow::Scalar> leaf_values(Flow const& flow, int level, int component) {
  return to_host(remap(flow.state(level), flow.sets(level).leaves), component);
}

/// All that a simulation has computed, for comparison bit by bit.
template <class Flow>
struct Snapshot {
  using T = typename Flow::Scalar;
  double time;
  Index step_count;
  std::vector<Cells<Flow::Dim>> leaves;
  std::vector<std::vector<T>> values;  // [level][component, cell]

  explicit Snapshot(Flow const& flow) : time(flow.time()), step_count(flow.step_count()) {
    for (int l = 0; l < flow.level_count(); ++l) {
      leaves.push_back(reference::cells_of(flow.sets(l).leaves));
      auto const state = remap(flow.state(l), flow.sets(l).leaves);
      values.emplace_back();
      for (int c = 0; c < state.component_count(); ++c) {
        auto const component = to_host(state, c);
        values.back().insert(values.back().end(), component.begin(), component.end());
      }
    }
  }
  friend bool operator==(Snapshot const& a, Snapshot const& b) {
    if (a.time != b.time || a.step_count != b.step_count || a.leaves != b.leaves) return false;
    for (std::size_t l = 0; l < a.values.size(); ++l) {
      if (a.values[l].size() != b.values[l].size()) return false;
      if (a.values[l].empty()) continue;  // memcmp wants no null pointers
      if (std::memcmp(a.values[l].data(), b.values[l].data(), a.values[l].size() * sizeof(T)) != 0) return false;
    }
    return true;
  }
};

/// The conserved variables of all leaves of a level by cell.
template <class Flow>
std::map<Cell<Flow::Dim>, typename Flow::State, reference::StorageOrder> leaf_states(Flow const& flow, int level) {
  std::vector<std::vector<typename Flow::Scalar>> values;
  for (int c = 0; c < Flow::component_count; ++c) values.push_back(leaf_values(flow, level, c));
  std::map<Cell<Flow::Dim>, typename Flow::State, reference::StorageOrder> result;
  flow.sets(level).leaves.to_host().for_each_cell([&](Cell<Flow::Dim> const& cell, Index index) {
    typename Flow::State state;
    for (int c = 0; c < Flow::component_count; ++c) state[c] = values[c][static_cast<std::size_t>(index)];
    result.emplace_hint(result.end(), cell, state);
  });
  return result;
}

/// Calls `body(level, centre, primitive state)` for all leaves.
template <class Flow, class Body>
void for_each_leaf(Flow const& flow, Body const& body) {
  for (int l = 0; l < flow.level_count(); ++l)
    for (auto const& [cell, state] : leaf_states(flow, l))
      body(l, flow.domain().grid(l).center(cell), flow.flux().law.primitive(state));
}

/// Advances to a time exactly.
template <class Flow>
void run_to(Flow& flow, double end_time) {
  while (flow.time() < end_time) flow.advance(end_time - flow.time());
}

/// Largest relative change of the totals of some components.
template <int N>
double relative_change(Vec<double, N> const& now, Vec<double, N> const& before, std::vector<int> const& components) {
  double worst = 0;
  for (int const c : components) worst = std::max(worst, std::abs(now[c] / before[c] - 1));
  return worst;
}

/// Follows the levels of a simulation.
template <int Dim>
struct LevelChanges {
  std::vector<IntervalSet<Dim>> last = {};
  int count = 0;
  int most_levels = 0;
  template <class Flow>
  void note(Flow const& flow) {
    std::vector<IntervalSet<Dim>> now;
    for (int l = 0; l < flow.level_count(); ++l) now.push_back(flow.sets(l).cells);
    count += !(now == last);
    last = std::move(now);
    most_levels = std::max(most_levels, flow.level_count());
  }
};

/// state = value for the cells of a plan.
template <class T, int Dim>
void assign(sparse::Subset<Dim> const& cells, sparse::FieldView<T> state, State<T, Dim> const& value) {
  sparse::for_each(
      "sparse::test::assign", cells, KOKKOS_LAMBDA(sparse::SubsetPoint<Dim> const& p) { state.store(p.cell, value); });
}

/// Gives one cell of a level another state, of conserved variables.
template <class T, int Dim>
void overwrite(Simulation<T, Dim>& flow, int level, Cell<Dim> const& cell, State<T, Dim> const& value) {
  sparse::Subset<Dim> const target(reference::set_of<Dim>({cell}), flow.sets(level).storage);
  assign<T, Dim>(target, flow.edit_state(level).view(), value);
}

/// Gives all stored cells of a level but `kept` another state.
template <class T, int Dim>
void overwrite_all_but(IntervalSet<Dim> const& kept, Simulation<T, Dim>& flow, int level, State<T, Dim> const& value) {
  IntervalSet<Dim> const& storage = flow.sets(level).storage;
  assign<T, Dim>(sparse::Subset<Dim>(storage - kept, storage), flow.edit_state(level).view(), value);
}

}  // namespace flow
