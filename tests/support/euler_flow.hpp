#pragma once
/// Euler flow on levels as tests set it up and look at it.

#include <cstring>
#include <map>

#include <sparse/amr/simulation.hpp>
#include <sparse/solvers/compressible/euler.hpp>
#include <sparse/solvers/compressible/rusanov.hpp>
#include <sparse/transfer.hpp>

#include "reference.hpp"

namespace flow {

using reference::Cell;
using reference::Cells;
using sparse::Coord;
using sparse::Index;
using sparse::IntervalSet;
using sparse::Vec;
using sparse::amr::Domain;
using sparse::amr::DomainOptions;
using sparse::amr::NonFiniteState;
using sparse::amr::Side;
using sparse::amr::SimulationOptions;

template <class T, int Dim>
using Gas = sparse::compressible::Euler<T, Dim>;
template <class T, int Dim>
using Flux = sparse::compressible::Rusanov<Gas<T, Dim>>;
template <class T, int Dim>
using Simulation = sparse::amr::Simulation<Flux<T, Dim>>;
template <class T, int Dim>
using State = typename Gas<T, Dim>::State;

/// For typed tests: a scalar type and a dimension.
template <class T, int D>
struct Case {
  using Scalar = T;
  static constexpr int Dim = D;
};
using Cases = testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 2>, Case<float, 3>>;

/// The same kind of side everywhere.
template <int Dim>
Vec<Vec<Side, 2>, Dim> all_sides(Side kind) {
  return Vec<Vec<Side, 2>, Dim>::filled({kind, kind});
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
    Vec<T, Dim> wind;
    for (int axis = 0; axis < Dim; ++axis) wind[axis] = T(0.6) - T(0.25) * static_cast<T>(axis);
    return Gas<T, Dim>{}.conserved(static_cast<T>(is_inside ? 1 + density_jump : 1), wind,
                                   static_cast<T>(is_inside ? 1 + pressure_jump : 1));
  }
};

/// Component c of the leaves of a level, in the order of the set.
template <class T, int Dim>
std::vector<T> leaf_values(Simulation<T, Dim> const& flow, int level, int component) {
  return to_host(remap(flow.state(level), flow.sets(level).leaves), component);
}

/// All that a simulation has computed, for comparison bit by bit.
template <class T, int Dim>
struct Snapshot {
  double time;
  Index step_count;
  std::vector<Cells<Dim>> leaves;
  std::vector<std::vector<T>> values;  // [level][component, cell]

  explicit Snapshot(Simulation<T, Dim> const& flow) : time(flow.time()), step_count(flow.step_count()) {
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
    for (std::size_t l = 0; l < a.values.size(); ++l)
      if (a.values[l].size() != b.values[l].size() ||
          std::memcmp(a.values[l].data(), b.values[l].data(), a.values[l].size() * sizeof(T)) != 0)
        return false;
    return true;
  }
};

/// The conserved variables of all leaves of a level by cell.
template <class T, int Dim>
std::map<Cell<Dim>, State<T, Dim>, reference::StorageOrder> leaf_states(Simulation<T, Dim> const& flow, int level) {
  std::vector<std::vector<T>> values;
  for (int c = 0; c < Dim + 2; ++c) values.push_back(leaf_values<T, Dim>(flow, level, c));
  std::map<Cell<Dim>, State<T, Dim>, reference::StorageOrder> result;
  flow.sets(level).leaves.to_host().for_each_cell([&](Cell<Dim> const& cell, Index index) {
    State<T, Dim> state;
    for (int c = 0; c < Dim + 2; ++c) state[c] = values[c][static_cast<std::size_t>(index)];
    result.emplace_hint(result.end(), cell, state);
  });
  return result;
}

/// The position of a cell's centre.
template <int Dim>
Vec<double, Dim> center_of(Domain<Dim> const& domain, int level, Cell<Dim> const& cell) {
  Vec<double, Dim> x = domain.options().origin;
  for (int axis = 0; axis < Dim; ++axis) x[axis] += (cell[axis] + 0.5) * domain.spacing(level)[axis];
  return x;
}

/// state = value for the cells of a plan.
template <class T, int Dim>
void assign(sparse::Subset<Dim> const& cells, sparse::FieldView<T> state, State<T, Dim> const& value) {
  sparse::for_each(
      "sparse::test::assign", cells, KOKKOS_LAMBDA(sparse::SubsetPoint<Dim> const& p) { state.store(p.cell, value); });
}

/// Gives one cell of a level another state.
template <class T, int Dim>
void overwrite(Simulation<T, Dim>& flow, int level, Cell<Dim> const& cell, State<T, Dim> const& value) {
  sparse::Subset<Dim> const target(reference::set_of<Dim>({cell}), flow.sets(level).storage);
  assign<T, Dim>(target, flow.state(level).view(), value);
}

/// Gives all stored cells of a level but `kept` another state.
template <class T, int Dim>
void overwrite_all_but(IntervalSet<Dim> const& kept, Simulation<T, Dim>& flow, int level, State<T, Dim> const& value) {
  IntervalSet<Dim> const& storage = flow.sets(level).storage;
  assign<T, Dim>(sparse::Subset<Dim>(storage - kept, storage), flow.state(level).view(), value);
}

}  // namespace flow
