#pragma once
/// A law for tests of everything around the levels: density and velocity, stored as density and momentum.

#include <functional>

#include <sparse/amr/law.hpp>
#include <sparse/fields/field.hpp>
#include <support/fields.hpp>

namespace reference {

/// Gas without pressure; what moves faster than `limit` is refused.
template <class T, int Dim>
struct Dust : sparse::amr::LawDefaults<Dust<T, Dim>, T, Dim, 1 + Dim> {
  using State = Vec<T, 1 + Dim>;
  T limit = 1e30;

  Dust() = default;
  explicit Dust(T most) : limit(most) {}

  KOKKOS_FORCEINLINE_FUNCTION State primitive(State u) const {
    for (int axis = 0; axis < Dim; ++axis) u[1 + axis] /= u[0];
    return u;
  }
  KOKKOS_FORCEINLINE_FUNCTION State conserved(State w) const {
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] *= w[0];
    return w;
  }
  KOKKOS_FORCEINLINE_FUNCTION State mirrored(State w, int axis, T normal) const {
    w[1 + axis] *= normal;
    return w;
  }
  KOKKOS_FORCEINLINE_FUNCTION State reflected(State w, Vec<T, Dim> const& n) const {
    T along = 0;
    for (int axis = 0; axis < Dim; ++axis) along += w[1 + axis] * n[axis];
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] -= 2 * along * n[axis];
    return w;
  }
  KOKKOS_FORCEINLINE_FUNCTION State reversed(State w) const {
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] = -w[1 + axis];
    return w;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_admissible(State const& w) const {
    bool result = w[0] > 0;
    for (int axis = 0; axis < Dim; ++axis) result = result && w[1 + axis] < limit && w[1 + axis] > -limit;
    return result;
  }
};

template <int Dim>
using States = std::map<Cell<Dim>, Vec<double, 1 + Dim>, StorageOrder>;

/// A field with `value(cell)` in each cell of `storage`.
template <int Dim>
sparse::Field<double, Dim> state_of(IntervalSet<Dim> const& storage,
                                    std::function<Vec<double, 1 + Dim>(Cell<Dim> const&)> const& value) {
  sparse::Field<double, Dim> field("state", storage, 1 + Dim);
  std::vector<double> values[1 + Dim];
  storage.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) {
    auto const state = value(cell);
    for (int c = 0; c < 1 + Dim; ++c) values[c].push_back(state[c]);
  });
  for (int c = 0; c < 1 + Dim; ++c) set_values(field, values[c], c);
  return field;
}

template <int Dim>
States<Dim> states_of(sparse::Field<double, Dim> const& field) {
  States<Dim> states;
  for (int c = 0; c < 1 + Dim; ++c)
    for (auto const& [cell, value] : value_map(field, c)) states[cell][c] = value;
  return states;
}

/// Density between 1/2 and 3/2, momentum between -1 and 1.
template <int Dim>
Vec<double, 1 + Dim> random_state(std::mt19937& engine) {
  std::uniform_real_distribution<double> draw(-1, 1);
  Vec<double, 1 + Dim> u;
  u[0] = 1 + 0.5 * draw(engine);
  for (int axis = 0; axis < Dim; ++axis) u[1 + axis] = draw(engine);
  return u;
}

/// What no kernel may read.
template <int Dim>
Vec<double, 1 + Dim> unknown(Cell<Dim> const&) {
  return Vec<double, 1 + Dim>::filled(std::numeric_limits<double>::quiet_NaN());
}

/// The largest difference; not a number where one is not.
template <int N>
double distance(Vec<double, N> const& a, Vec<double, N> const& b) {
  double most = 0;
  for (int c = 0; c < N; ++c) {
    double const apart = std::abs(a[c] - b[c]);
    if (!(apart <= most)) most = apart;
  }
  return most;
}

}  // namespace reference
