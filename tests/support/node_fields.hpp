#pragma once
/// Fields on boxes of nodes: made of functions of position, and compared with them.

#include <cmath>
#include <numbers>

#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>

namespace reference {

using std::numbers::pi;

/// 2^n + 1 nodes along each axis; the first is not at the origin.
template <int Dim>
IntervalSet<Dim> cube_of_nodes(int n) {
  auto const begin = Vec<Coord, Dim>::filled(-7);
  return sparse::box<Dim>(begin, begin + Vec<Coord, Dim>::filled((1 << n) + 1));
}

/// The distance of nodes in the unit square or cube.
inline double unit_spacing(int n) { return 1.0 / (1 << n); }

/// Values of `function(x)` at the nodes, the first of which is at x = 0.
template <class T, int Dim, class Function>
std::vector<T> node_values(IntervalSet<Dim> const& nodes, double spacing, Function const& function) {
  std::vector<T> values;
  auto const begin = nodes.bounds().begin;
  nodes.to_host().for_each_cell([&](Cell<Dim> const& node, Index) {
    Vec<double, Dim> x{};
    for (int axis = 0; axis < Dim; ++axis) x[axis] = (node[axis] - begin[axis]) * spacing;
    values.push_back(static_cast<T>(function(x)));
  });
  return values;
}

template <class T, int Dim, class Function>
sparse::Field<T, Dim> node_field(IntervalSet<Dim> const& nodes, double spacing, Function const& function) {
  sparse::Field<T, Dim> field("nodes", nodes);
  set_values(field, node_values<T>(nodes, spacing, function));
  return field;
}

template <class T, int Dim>
sparse::Field<T, Dim> constant_field(IntervalSet<Dim> const& nodes, double value) {
  return node_field<T>(nodes, 1, [&](Vec<double, Dim> const&) { return value; });
}

/// Sum of |u - exact| over that of |exact|.
template <class T, int Dim, class Function>
double relative_error(sparse::Field<T, Dim> const& u, double spacing, Function const& exact) {
  auto const got = to_host(u);
  auto const wanted = node_values<double>(u.domain(), spacing, exact);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    error += std::abs(static_cast<double>(got[i]) - wanted[i]);
    size += std::abs(wanted[i]);
  }
  return error / size;
}

template <class T, int Dim>
double greatest_magnitude(sparse::Field<T, Dim> const& field) {
  double greatest = 0;
  for (T const value : to_host(field)) greatest = std::max(greatest, std::abs(static_cast<double>(value)));
  return greatest;
}

}  // namespace reference
