#pragma once
/// Flows on nodes for tests: the cavity of the source, flows on odd sets, and the scheme as plain loops over a map.

#include <array>
#include <map>

#include <sparse/incompressible/method/collocated.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>

namespace reference {

using sparse::incompressible::Collocated;
using sparse::incompressible::CollocatedOptions;
using sparse::incompressible::NodeLayout;

/// The unit square with n nodes along each side, under a lid with velocity 1 and, as in the source, pressure 0.
template <class T>
Collocated<T> cavity(int n, CollocatedOptions const& options = {}, bool has_pressure_on_lid = true) {
  double const spacing = 1.0 / (n - 1);
  Collocated<T> flow(sparse::box<2>({0, 0}, {n, n}), {spacing, spacing}, options);
  auto const lid = sparse::box<2>({0, n - 1}, {n, n});
  flow.fix_u(lid, 1);
  if (has_pressure_on_lid) flow.fix_p(lid, 0);
  return flow;
}

/// The scheme on any set of nodes, node by node. Slow, and without any of the library's plans.
struct PlainFlow {
  using Node = std::array<int, 2>;
  using Values = std::map<Node, double>;
  CollocatedOptions options;
  double spacing[2] = {1, 1};
  Values u, v, p, given_u, given_v, given_p;

  explicit PlainFlow(CollocatedOptions const& o) : options(o) {}

  static Node beside(Node node, int arm) {
    node[static_cast<std::size_t>(arm / 2)] += arm % 2 == 0 ? -1 : 1;
    return node;
  }
  bool is_inside(Node const& node) const {
    for (int arm = 0; arm < 4; ++arm)
      if (!u.contains(beside(node, arm))) return false;
    return true;
  }
  double slope(Values const& of, Node const& node, int axis) const {
    return (of.at(beside(node, 2 * axis + 1)) - of.at(beside(node, 2 * axis))) / (2 * spacing[axis]);
  }
  /// The pressure that a node sees at its neighbour.
  double seen(Values const& of, Node const& node, int arm) const {
    Node const other = beside(node, arm);
    return is_inside(other) || given_p.contains(other) ? of.at(other) : of.at(node);
  }

  void step() {
    for (auto const& [node, value] : given_p) p[node] = value;
    Values next_u = u, next_v = v;
    for (auto const& [node, unused] : u) {
      if (!is_inside(node)) continue;
      for (auto const& [now, next] : {std::pair(&u, &next_u), std::pair(&v, &next_v)}) {
        double rate = -u.at(node) * slope(*now, node, 0) - v.at(node) * slope(*now, node, 1);
        for (int arm = 0; arm < 4; ++arm)
          rate +=
              options.viscosity * (now->at(beside(node, arm)) - now->at(node)) / (spacing[arm / 2] * spacing[arm / 2]);
        (*next)[node] += options.time_step * rate;
      }
    }
    for (int sweep = 0; sweep < options.sweep_count; ++sweep) {
      Values const old = p;
      for (auto const& [node, unused] : u) {
        if (!is_inside(node) || given_p.contains(node)) continue;
        double sum = -options.density / options.time_step * (slope(next_u, node, 0) + slope(next_v, node, 1));
        double diagonal = 0;
        for (int arm = 0; arm < 4; ++arm) {
          double const weight = 1 / (spacing[arm / 2] * spacing[arm / 2]);
          sum += weight * seen(old, node, arm);
          diagonal += weight;
        }
        p[node] = sum / diagonal;
      }
    }
    for (auto const& [node, unused] : u) {
      if (!is_inside(node)) continue;
      double const part = options.time_step / options.density;
      next_u[node] -= part * (seen(p, node, 1) - seen(p, node, 0)) / (2 * spacing[0]);
      next_v[node] -= part * (seen(p, node, 3) - seen(p, node, 2)) / (2 * spacing[1]);
    }
    for (auto const& [node, value] : given_u) next_u[node] = value;
    for (auto const& [node, value] : given_v) next_v[node] = value;
    u = next_u;
    v = next_v;
  }
};

/// A flow with unequal spacings on a box of 150 x 45 nodes without two bodies and some single nodes. A lid moves, fluid
/// is blown in, and pressure and velocity are given at some nodes inside, too.
/// @param plain  becomes the same flow; may be null
template <class T>
Collocated<T> odd_flow(unsigned seed, CollocatedOptions const& options, PlainFlow* plain = nullptr) {
  auto engine = random_engine(seed);
  auto const at = [&](int low, int high) { return random_int(engine, low, high); };
  int const width = 150, height = 45;
  auto nodes = sparse::box<2>({0, 0}, {width, height}) -
               sparse::ball<2>({double(at(20, 60)), double(at(12, 30))}, at(3, 9)) -
               sparse::box<2>({100, 0}, {at(101, 120), at(5, 30)});
  for (int i = 0; i < 12; ++i) {
    int const x = at(1, width - 2), y = at(1, height - 2);
    nodes = nodes - sparse::box<2>({x, y}, {x + 1, y + 1});
  }
  sparse::Vec<double, 2> const spacing = {0.02, 0.03};
  Collocated<T> flow(nodes, spacing, options);
  if (plain != nullptr) {
    for (int axis = 0; axis < 2; ++axis) plain->spacing[axis] = spacing[axis];
    for (auto const& [cell, unused] : value_map(sparse::Field<T, 2>("u", nodes, 0.0)))
      plain->u[{cell[0], cell[1]}] = plain->v[{cell[0], cell[1]}] = plain->p[{cell[0], cell[1]}] = 0;
  }
  auto const give = [&](int component, sparse::IntervalSet<2> const& where, double value) {
    auto const set = where & nodes;
    if (component == 0) flow.fix_u(set, value);
    if (component == 1) flow.fix_v(set, value);
    if (component == 2) flow.fix_p(set, value);
    if (plain == nullptr) return;
    auto& given = component == 0 ? plain->given_u : component == 1 ? plain->given_v : plain->given_p;
    for (auto const& [cell, unused] : value_map(sparse::Field<T, 2>("given", set, 0.0)))
      given[{cell[0], cell[1]}] = static_cast<T>(value);
  };
  give(0, sparse::box<2>({0, height - 1}, {width, height}), 1);
  give(2, sparse::box<2>({0, height - 1}, {width / 2, height}), 0.25);
  give(1, sparse::box<2>({30, 0}, {40, 1}), 0.5);
  give(0, sparse::box<2>({70, 10}, {80, 20}), 0.125);
  give(2, sparse::box<2>({60, 30}, {65, 34}), -0.5);
  give(2, sparse::box<2>({62, 31}, {90, 33}), 0.5);  // part of these nodes has been given before
  return flow;
}

}  // namespace reference
