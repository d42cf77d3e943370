#pragma once
/// A flow that does not move: levels with states given by a function, for tests of what only looks.

#include <vector>

#include <sparse/amr/hierarchy/adapted_cells.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <support/fields.hpp>

template <class T, int TheDim>
class FrozenFlow {
public:
  using Law = sparse::compressible::Euler<T, TheDim>;
  using Scalar = T;
  using State = typename Law::State;
  static constexpr int Dim = TheDim, component_count = Law::component_count;
  using Point = sparse::Vec<double, Dim>;
  using Cells = reference::Cells<Dim>;
  using Cell = reference::Cell<Dim>;
  struct Flux {
    Law law;
  };

  FrozenFlow(sparse::amr::Domain<Dim> domain, std::vector<sparse::IntervalSet<Dim>> tagged)
      : domain_(std::move(domain)),
        sets_(sparse::amr::level_sets(domain_, sparse::amr::nested_cells(domain_, std::move(tagged), {1}))) {
    for (auto const& sets : sets_) states_.emplace_back("state", sets.storage, component_count);
  }

  /// Gives each cell in storage the primitive state `function(Point) -> State` of its centre.
  template <class Function>
  void fill(Function const& function) {
    for (int l = 0; l < level_count(); ++l) {
      std::vector<std::vector<T>> components(component_count);
      for (auto const& cell : reference::cells_of(sets(l).storage)) {
        auto const u = flux_.law.conserved(function(domain_.grid(l).center(cell)));
        for (int c = 0; c < component_count; ++c) components[c].push_back(u[c]);
      }
      for (int c = 0; c < component_count; ++c) reference::set_values(states_[l], components[c], c);
    }
  }
  /// Gives one cell the conserved state u.
  void set(int level, Cell const& cell, State const& u) {
    auto const cells = reference::cells_of(sets(level).storage);
    auto const index = std::distance(cells.begin(), cells.find(cell));
    for (int c = 0; c < component_count; ++c) {
      auto values = to_host(states_[level], c);
      values[index] = u[c];
      reference::set_values(states_[level], values, c);
    }
  }
  /// Calls `body(level, cell, u)` for all leaves.
  template <class Body>
  void for_each_leaf(Body const& body) const {
    for (int l = 0; l < level_count(); ++l) {
      auto const positions = reference::positions(reference::cells_of(sets(l).storage));
      std::vector<std::vector<T>> values;
      for (int c = 0; c < component_count; ++c) values.push_back(to_host(states_[l], c));
      for (auto const& cell : reference::cells_of(sets(l).leaves)) {
        State u;
        for (int c = 0; c < component_count; ++c) u[c] = values[c][positions.at(cell)];
        body(l, cell, u);
      }
    }
  }

  sparse::amr::Domain<Dim> const& domain() const { return domain_; }
  int level_count() const { return static_cast<int>(sets_.size()); }
  sparse::amr::LevelSets<Dim> const& sets(int level) const { return sets_[level]; }
  sparse::Field<T, Dim> const& state(int level) const { return states_[level]; }
  Flux const& flux() const { return flux_; }
  double time() const { return time_; }
  void wait(double time) { time_ += time; }
  void synchronise() {}

private:
  sparse::amr::Domain<Dim> domain_;
  std::vector<sparse::amr::LevelSets<Dim>> sets_;
  std::vector<sparse::Field<T, Dim>> states_;
  Flux flux_;
  double time_ = 0;
};

namespace frozen {

/// A box of `size` cells of level 0 with spacings 0.5, 0.25, ... along the axes and its corner at -1, ....
template <int Dim>
sparse::amr::DomainOptions<Dim> options(sparse::Coord size, int level_count, std::vector<sparse::Body<Dim>> bodies) {
  sparse::amr::DomainOptions<Dim> result;
  result.cells = reference::Cell<Dim>::filled(size);
  result.level_count = level_count;
  result.grid.origin = sparse::Vec<double, Dim>::filled(-1);
  for (int axis = 0; axis < Dim; ++axis) result.grid.spacing[axis] = 0.5 / (1 + axis);
  result.bodies = std::move(bodies);
  return result;
}

/// Density and pressure that change linearly in space; a constant velocity.
template <class T, int Dim>
struct Linear {
  double density, pressure;
  sparse::Vec<double, Dim> density_slope, pressure_slope, velocity;

  static double at(double value, sparse::Vec<double, Dim> const& slope, sparse::Vec<double, Dim> const& x) {
    for (int axis = 0; axis < Dim; ++axis) value += slope[axis] * x[axis];
    return value;
  }
  sparse::Vec<T, Dim + 2> operator()(sparse::Vec<double, Dim> const& x) const {
    sparse::Vec<T, Dim + 2> w;
    w[0] = static_cast<T>(at(density, density_slope, x));
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] = static_cast<T>(velocity[axis]);
    w[Dim + 1] = static_cast<T>(at(pressure, pressure_slope, x));
    return w;
  }
};

}  // namespace frozen
