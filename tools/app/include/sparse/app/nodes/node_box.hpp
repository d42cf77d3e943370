#pragma once
/// Values at the nodes of the unit square or cube, on the host: what programs do around the single-grid solver.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <sparse/base/grid.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::app {

/// How values go on beyond a side of the box.
enum class Beyond {
  even,      ///< mirrored: the normal derivative is 0
  odd,       ///< mirrored with the other sign: the value is 0
  one_side,  ///< not needed: derivatives take three nodes inside, second order
};

/// Nodes i / n along each axis of the unit square or cube, for i = 0 to n. Values are in the order of cells of a box
/// set.
template <int Dim>
struct NodeBox {
  /// A position, and a value for each node.
  using Point = Vec<double, Dim>;
  using Values = std::vector<double>;
  Coord n;  ///< intervals along each axis

  /// Between nodes; the step from a node to the next along an axis; how many nodes there are; where a node is.
  double spacing() const { return 1.0 / n; }
  Index stride(int axis) const { return axis == 0 ? 1 : (Index{n} + 1) * stride(axis - 1); }
  Index count() const { return stride(Dim - 1) * (Index{n} + 1); }
  Coord coordinate(Index node, int axis) const { return static_cast<Coord>(node / stride(axis) % (Index{n} + 1)); }
  Point position(Index node) const {
    Point x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = coordinate(node, axis) * spacing();
    return x;
  }
  /// The nodes as cells: cell i is node i.
  IntervalSet<Dim> set() const { return box<Dim>(Vec<Coord, Dim>::filled(0), Vec<Coord, Dim>::filled(n + 1)); }
  /// The grid whose cells have the nodes as centres, for files and pictures.
  Grid<Dim> cell_grid() const { return {Point::filled(-0.5 * spacing()), Point::filled(spacing())}; }

  /// A function's value at each node.
  template <class Function>
  Values values_of(Function const& function) const {
    Values values(static_cast<std::size_t>(count()));
    for (Index node = 0; node < count(); ++node) values[static_cast<std::size_t>(node)] = function(position(node));
    return values;
  }
  /// Calls `visit(node, weight)` for the 2^Dim nodes around a point. Weights are products of hat functions; their sum
  /// is 1.
  /// @return  whether the point is in the box
  template <class Visit>
  bool around(Point const& x, Visit const& visit) const {
    Vec<Index, Dim> low;
    Point part;
    for (int axis = 0; axis < Dim; ++axis) {
      if (!(x[axis] >= 0 && x[axis] <= 1)) return false;
      low[axis] = std::min<Index>(static_cast<Index>(x[axis] * n), n - 1);
      part[axis] = x[axis] * n - static_cast<double>(low[axis]);
    }
    for (int corner = 0; corner < 1 << Dim; ++corner) {
      double weight = 1;
      Index node = 0;
      for (int axis = 0; axis < Dim; ++axis) {
        bool const is_high = (corner >> axis & 1) != 0;
        weight *= is_high ? part[axis] : 1 - part[axis];
        node += (low[axis] + (is_high ? 1 : 0)) * stride(axis);
      }
      if (weight != 0) visit(static_cast<std::size_t>(node), weight);
    }
    return true;
  }
  /// Adds `amount` at a point: a delta function as a product of hat functions of integral `amount`.
  void add_delta(Values& values, Point const& x, double amount) const {
    double const density = amount * std::pow(n, Dim);
    around(x, [&](std::size_t node, double weight) { values[node] += weight * density; });
  }
  /// The multilinear value at a point; none outside.
  std::optional<double> at(Values const& values, Point const& x) const {
    double value = 0;
    bool const is_inside = around(x, [&](std::size_t node, double weight) { value += weight * values[node]; });
    return is_inside ? std::optional(value) : std::nullopt;
  }

  /// Central differences along an axis, of second order; `beyond` says what they take at the two sides.
  Values derivative(Values const& values, int axis, Beyond beyond) const {
    Values result(values.size());
    auto const step = static_cast<std::ptrdiff_t>(stride(axis));
    double const factor = 0.5 * n;
    for (Index node = 0; node < count(); ++node) {
      double const* const u = values.data() + node;
      Coord const i = coordinate(node, axis);
      double twice = 0;
      if (i > 0 && i < n) {
        twice = u[step] - u[-step];
      } else if (beyond != Beyond::even) {
        double const sign = i == 0 ? 1 : -1;
        std::ptrdiff_t const inward = i == 0 ? step : -step;
        twice = sign * (beyond == Beyond::odd ? 2 * u[inward] : 4 * u[inward] - 3 * u[0] - u[2 * inward]);
      }
      result[static_cast<std::size_t>(node)] = factor * twice;
    }
    return result;
  }
  /// The integral over the box by the trapezoidal rule.
  double integral(Values const& values) const {
    double sum = 0;
    for (Index node = 0; node < count(); ++node) {
      double weight = 1;
      for (int axis = 0; axis < Dim; ++axis) {
        Coord const i = coordinate(node, axis);
        if (i == 0 || i == n) weight *= 0.5;
      }
      sum += weight * values[static_cast<std::size_t>(node)];
    }
    return sum * std::pow(spacing(), Dim);
  }
};

/// A field on cells from their values in storage order.
template <int Dim>
Field<double, Dim> field_on(IntervalSet<Dim> const& cells, std::string const& name, std::vector<double> const& values) {
  Field<double, Dim> field(name, cells);
  auto const buffer = to_device(field.context(), values);
  double const* const from = buffer.data();
  auto const to = field.view();
  parallel_for(
      field.context(), "sparse::app::set_values", field.cell_count(), KOKKOS_LAMBDA(Index i) { to(i) = from[i]; });
  field.context().fence();
  return field;
}
/// A field of values at the nodes.
template <int Dim>
Field<double, Dim> field_of(NodeBox<Dim> const& nodes, std::string const& name, std::vector<double> const& values) {
  return field_on(nodes.set(), name, values);
}

/// The vector at a point of values per axis; none outside.
template <int Dim>
std::optional<Vec<double, Dim>> vector_at(NodeBox<Dim> const& nodes, std::vector<std::vector<double>> const& values,
                                          Vec<double, Dim> const& x) {
  auto v = Vec<double, Dim>::filled(0);
  bool const is_inside = nodes.around(x, [&](std::size_t node, double weight) {
    for (int axis = 0; axis < Dim; ++axis) v[axis] += weight * values[static_cast<std::size_t>(axis)][node];
  });
  return is_inside ? std::optional(v) : std::nullopt;
}

}  // namespace sparse::app
