#pragma once
/// The implementations of the functions of the geometry language.

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <sparse/base/error.hpp>
#include <sparse/io/language/evaluate.hpp>

namespace sparse::io {

using Value = std::variant<std::monostate, IntervalSet<2>, IntervalSet<3>>;  // monostate: the node is not a set

/// The arguments of a call, by number of parameter. A point counts as `Dim` parameters.
template <int Dim>
class Arguments {
public:
  Arguments(Expression const& expression, Binding const& binding, std::vector<CheckedNode> const& checked,
            std::vector<Value> const& values, EvaluateOptions const& options)
      : expression_(expression), binding_(binding), checked_(checked), values_(values), options_(options) {}

  EvaluateOptions const& options() const { return options_; }
  std::size_t size() const { return binding_.nodes.size(); }

  double number(std::size_t p) const {
    if (auto const node = binding_.nodes[p]) return checked_[*node].number;
    double value = 0;
    auto const& text = *binding_.parameters[p]->default_value;
    if (binding_.parameters[p]->kind == ExpressionParameter::Kind::axis) return text[0] - 'x';
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
  Coord integer(std::size_t p) const { return static_cast<Coord>(number(p)); }
  std::uint64_t seed(std::size_t p) const { return static_cast<std::uint64_t>(number(p)); }
  /// @throws std::invalid_argument  if there is no such axis in this dimension
  int axis(std::size_t p) const {
    int const axis = static_cast<int>(number(p));
    expects(axis < Dim, "there is no axis z in 2D");
    return axis;
  }
  /// An axis of a 3D set. The result may have another dimension.
  int solid_axis(std::size_t p) const { return static_cast<int>(number(p)); }
  std::string text(std::size_t p) const {
    if (auto const node = binding_.nodes[p]) return expression_.nodes[*node].text;
    auto const& quoted = *binding_.parameters[p]->default_value;
    return quoted.substr(1, quoted.size() - 2);
  }
  std::filesystem::path path(std::size_t p) const { return options_.folder / text(p); }
  Vec<Coord, Dim> cell(std::size_t p) const {
    Vec<Coord, Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) cell[axis] = integer(p + static_cast<std::size_t>(axis));
    return cell;
  }
  Vec<double, Dim> point(std::size_t p) const {
    Vec<double, Dim> point;
    for (int axis = 0; axis < Dim; ++axis) point[axis] = number(p + static_cast<std::size_t>(axis));
    return point;
  }
  template <int D = Dim>
  IntervalSet<D> const& set(std::size_t p) const {
    return std::get<IntervalSet<D>>(values_[*binding_.nodes[p]]);
  }

  /// Throws if the options allow fewer rows. Takes a double, because callers multiply large numbers.
  void expect_rows(double rows) const {
    if (rows > static_cast<double>(options_.row_limit))
      fail(fmt::format("this takes up to {:.3g} rows of cells, and {} are allowed", rows, options_.row_limit));
  }
  /// The same for the rows of a box that is first grown by `reach` at both sides of each axis and then scaled.
  void expect_rows(Box<Dim> const& box, Vec<Coord, Dim> const& reach = {}, double scale = 1) const {
    double rows = 1;
    for (int axis = 1; axis < Dim; ++axis) rows *= scale * (1.0 * box.end[axis] - box.begin[axis] + 2.0 * reach[axis]);
    expect_rows(rows);
  }

private:
  Expression const& expression_;
  Binding const& binding_;
  std::vector<CheckedNode> const& checked_;
  std::vector<Value> const& values_;
  EvaluateOptions const& options_;
};

template <int Dim>
using GeometryFunction = IntervalSet<Dim> (*)(Arguments<Dim> const&);
template <int Dim>
using GeometryFunctions = std::map<std::string, GeometryFunction<Dim>>;

/// The functions that make a set of this dimension, by name: from numbers, from sets, from files. `file` is missing
/// here, because its dimension is known only after reading. expression_functions.cpp describes them for users.
template <int Dim>
GeometryFunctions<Dim> shape_functions();
template <int Dim>
GeometryFunctions<Dim> set_functions();
template <int Dim>
GeometryFunctions<Dim> file_functions();

}  // namespace sparse::io
