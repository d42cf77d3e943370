#include <sparse/io/language/evaluate.hpp>

#include <cctype>
#include <new>

#include <fmt/format.h>

#include <sparse/io/sets/set_file.hpp>
#include <sparse/sets/algebra.hpp>

#include "geometry_functions.hpp"

namespace sparse::io {
namespace {

using Node = ExpressionNode;
using Type = ExpressionType;

template <int Dim>
Value call(std::string const& name, Arguments<Dim> const& arguments) {
  static GeometryFunctions<Dim> const functions = [] {
    auto all = shape_functions<Dim>();
    all.merge(set_functions<Dim>());
    all.merge(file_functions<Dim>());
    return all;
  }();
  return functions.at(name)(arguments);
}

Value read_file(Arguments<2> const& a) {
  auto const path = a.path(0);
  if (read_set_file_contents(path).dimension == 2) return read_set<2>(path, a.text(1), a.options().context);
  return read_set<3>(path, a.text(1), a.options().context);
}

template <int Dim>
IntervalSet<Dim> combined(char op, IntervalSet<Dim> const& a, IntervalSet<Dim> const& b) {
  switch (op) {
  case '|':
    return a | b;
  case '&':
    return a & b;
  case '-':
    return a - b;
  default:
    return a ^ b;
  }
}

Value value_of(Expression const& expression, std::size_t index, std::vector<CheckedNode> const& checked,
               std::vector<Value> const& values, EvaluateOptions const& options) {
  Node const& node = expression.nodes[index];
  switch (node.kind) {
  case Node::Kind::name:
    return values[node.definition];
  case Node::Kind::definition:
    return values[node.arguments[0].node];
  case Node::Kind::binary: {
    Value const &a = values[node.arguments[0].node], &b = values[node.arguments[1].node];
    if (auto const* flat = std::get_if<IntervalSet<2>>(&a))
      return combined(node.text[0], *flat, std::get<IntervalSet<2>>(b));
    if (auto const* solid = std::get_if<IntervalSet<3>>(&a))
      return combined(node.text[0], *solid, std::get<IntervalSet<3>>(b));
    return {};
  }
  case Node::Kind::call: {
    auto const& function = *checked[index].function;
    Binding const binding = bind_arguments(expression, node, function, checked);
    Arguments<2> const flat(expression, binding, checked, values, options);
    Arguments<3> const solid(expression, binding, checked, values, options);
    if (checked[index].type == Type::set) return read_file(flat);
    return checked[index].type == Type::set_2d ? call(node.text, flat) : call(node.text, solid);
  }
  default:
    return {};
  }
}

char const* name_of_result(Type type) {
  return type == Type::number ? "a number" : type == Type::text ? "a text" : "an axis";
}

}  // namespace

std::string reason_of(std::exception const& error) {
  std::string const what = error.what();
  auto const end = what.find(": ");
  auto digit = end;
  while (digit != std::string::npos && digit > 0 && std::isdigit(static_cast<unsigned char>(what[digit - 1]))) --digit;
  bool const is_place = digit != end && digit != std::string::npos && digit > 0 && what[digit - 1] == ':';
  return is_place ? what.substr(end + 2) : what;
}

AnySet evaluate(Expression const& expression, EvaluateOptions const& options) {
  std::vector<CheckedNode> checked = check_expression(expression);  // checks everything before anything takes time
  auto const fail_at = [&](std::size_t node, std::string const& reason) {
    throw ExpressionError(expression.source, expression.nodes[node].begin, expression.nodes[node].end, reason);
  };
  std::size_t const last = expression.nodes.size() - 1;
  if (checked[last].type == Type::number || checked[last].type == Type::text || checked[last].type == Type::axis)
    fail_at(last, fmt::format("the result is {}, not a set", name_of_result(checked[last].type)));

  std::vector<Value> values(expression.nodes.size());
  for (std::size_t index = 0; index <= last; ++index) {
    try {
      checked[index] = check_node(expression, index, checked);  // again, since sets from files have a dimension now
      values[index] = value_of(expression, index, checked, values, options);
    } catch (ExpressionError const&) {
      throw;
    } catch (std::bad_alloc const&) {
      fail_at(index, "there is not enough memory for this");
    } catch (std::exception const& error) {
      fail_at(index, reason_of(error));
    }
    if (checked[index].type == Type::set)
      checked[index].type = std::holds_alternative<IntervalSet<2>>(values[index]) ? Type::set_2d : Type::set_3d;
    for (auto const& argument : expression.nodes[index].arguments) values[argument.node] = {};  // no other user
  }
  if (auto const* flat = std::get_if<IntervalSet<2>>(&values[last])) return *flat;
  return std::get<IntervalSet<3>>(values[last]);
}

template <int Dim>
IntervalSet<Dim> evaluate(Expression const& expression, EvaluateOptions const& options) {
  AnySet const result = evaluate(expression, options);
  if (auto const* set = std::get_if<IntervalSet<Dim>>(&result)) return *set;
  throw ExpressionError(expression.source, expression.nodes.back().begin, expression.nodes.back().end,
                        fmt::format("the result is a set in {}D, and one in {}D is wanted", 5 - Dim, Dim));
}

template IntervalSet<2> evaluate(Expression const&, EvaluateOptions const&);
template IntervalSet<3> evaluate(Expression const&, EvaluateOptions const&);

}  // namespace sparse::io
