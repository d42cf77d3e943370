#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <sparse/io/language/expression.hpp>

#include "suggestion.hpp"

namespace sparse::io {
namespace {

using Node = ExpressionNode;
using Parameter = ExpressionParameter;
using Type = ExpressionType;

constexpr double coordinate_limit = 1 << 30;

bool is_set(Type type) { return type == Type::set || type == Type::set_2d || type == Type::set_3d; }
int dimension_of(Type type) { return type == Type::set_2d ? 2 : type == Type::set_3d ? 3 : 0; }
Type set_in(int dimension) { return dimension == 2 ? Type::set_2d : dimension == 3 ? Type::set_3d : Type::set; }

char const* name_of(Type type) {
  switch (type) {
  case Type::number:
    return "a number";
  case Type::text:
    return "a text";
  case Type::axis:
    return "an axis";
  case Type::set_2d:
    return "a set in 2D";
  case Type::set_3d:
    return "a set in 3D";
  default:
    return "a set";
  }
}

/// What a parameter expects, if a value of this type does not fit; nullptr if it fits.
char const* wanted_instead_of(Type type, Parameter const& parameter) {
  switch (parameter.kind) {
  case Parameter::Kind::text:
    return type == Type::text ? nullptr : "a text in quotes";
  case Parameter::Kind::axis:
    return type == Type::axis ? nullptr : "an axis: x, y or z";
  case Parameter::Kind::set:
    return is_set(type) ? nullptr : "a set";
  case Parameter::Kind::plane:
    return type == Type::set_2d || type == Type::set ? nullptr : "a set in 2D";
  case Parameter::Kind::solid:
    return type == Type::set_3d || type == Type::set ? nullptr : "a set in 3D";
  default:
    return type == Type::number ? nullptr : "a number";
  }
}

/// What a parameter expects, if this number does not fit; nullptr if it fits.
char const* wanted_instead_of(double value, Parameter const& parameter) {
  bool const is_integer = value == std::floor(value) && std::abs(value) <= coordinate_limit;
  switch (parameter.kind) {
  case Parameter::Kind::integer:
    return is_integer ? nullptr : "an integer between -2^30 and 2^30";
  case Parameter::Kind::count:
    return is_integer && value >= 0 ? nullptr : "an integer from 0 to 2^30";
  case Parameter::Kind::length:
    return value >= 0 ? nullptr : "a number that is not negative";
  case Parameter::Kind::fraction:
    return value >= 0 && value <= 1 ? nullptr : "a number from 0 to 1";
  default:
    return nullptr;
  }
}

[[noreturn]] void failed(Expression const& expression, Node const& node, std::string const& reason) {
  throw ExpressionError(expression.source, node.begin, node.end, reason);
}

/// The signature or signatures that a call could have meant.
std::string signatures(ExpressionFunction const& function, int dimension) {
  if (function.in_2d != function.in_3d) return function.signature(function.in_2d ? 2 : 3);
  std::string const flat = function.signature(2), solid = function.signature(3);
  if (dimension != 0) return dimension == 2 ? flat : solid;
  return flat == solid ? flat : flat + " or " + solid;
}

/// The arguments assigned to the signature of one dimension, and the first problem, if any.
struct Attempt {
  Binding binding;
  std::string problem = {}, hint = {};
  std::size_t begin = 0, end = 0;  ///< place of the problem

  void refuse(std::string reason, std::size_t from, std::size_t to) {
    problem = std::move(reason);
    begin = from;
    end = to;
  }
};

/// Assigns a parameter to each argument.
void lay_out(Attempt& result, Expression const& expression, Node const& call, ExpressionFunction const& function) {
  auto& [dimension, parameters, nodes] = result.binding;
  std::vector<Parameter const*> group;
  for (auto const& parameter : function.parameters) {
    if (parameter.is_3d_only && dimension == 2) continue;
    (parameter.is_repeated ? group : parameters).push_back(&parameter);
  }
  std::size_t const fixed = parameters.size();
  nodes.resize(fixed);
  for (std::size_t a = 0; a < call.arguments.size(); ++a) {
    auto const& argument = call.arguments[a];
    Node const& node = expression.nodes[argument.node];
    if (argument.name.empty()) {
      if (a < fixed) {
        nodes[a] = argument.node;
      } else if (group.empty()) {
        return result.refuse(fmt::format("{} arguments are too many", call.arguments.size()), node.begin, node.end);
      } else {
        parameters.push_back(group[(a - fixed) % group.size()]);
        nodes.push_back(argument.node);
      }
      continue;
    }
    std::vector<std::string> names;
    for (auto const* parameter : parameters) names.push_back(parameter->name);
    names.resize(fixed);
    auto const found = static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.name) - names.begin());
    std::size_t const name_end = argument.begin + argument.name.size();
    if (found == fixed) {
      result.hint = suggestion(argument.name, names);
      return result.refuse(fmt::format("there is no argument '{}'", argument.name), argument.begin, name_end);
    }
    if (nodes[found])
      return result.refuse(fmt::format("the argument '{}' is given twice", argument.name), argument.begin, name_end);
    nodes[found] = argument.node;
  }
  for (std::size_t p = 0; p < fixed; ++p)
    if (!nodes[p] && !parameters[p]->default_value)
      return result.refuse(fmt::format("the argument '{}' is missing", parameters[p]->name), call.begin, call.end);
  if (!group.empty() && (nodes.size() == fixed || (nodes.size() - fixed) % group.size() != 0))
    result.refuse(fmt::format("the argument '{}' is missing", group[(nodes.size() - fixed) % group.size()]->name),
                  call.begin, call.end);
}

Attempt attempt(Expression const& expression, Node const& call, ExpressionFunction const& function, int dimension,
                std::vector<CheckedNode> const& checked) {
  Attempt result{{dimension, {}, {}}};
  lay_out(result, expression, call, function);
  for (std::size_t p = 0; p < result.binding.nodes.size() && result.problem.empty(); ++p) {
    if (!result.binding.nodes[p]) continue;
    auto const& parameter = *result.binding.parameters[p];
    std::size_t const index = *result.binding.nodes[p];
    CheckedNode const& given = checked[index];
    Node const& node = expression.nodes[index];
    if (auto const* wanted = wanted_instead_of(given.type, parameter)) {
      result.refuse(fmt::format("'{}' must be {}, and this is {}", parameter.name, wanted, name_of(given.type)),
                    node.begin, node.end);
    } else if (given.type == Type::number) {
      wanted = wanted_instead_of(given.number, parameter);
      if (wanted)
        result.refuse(fmt::format("'{}' must be {}, not {}", parameter.name, wanted, given.number), node.begin,
                      node.end);
    } else if (parameter.kind == Parameter::Kind::set && dimension_of(given.type) != 0 &&
               dimension_of(given.type) != dimension) {
      result.refuse(
          fmt::format("'{}' must be a set in {}D here, and this is {}", parameter.name, dimension, name_of(given.type)),
          node.begin, node.end);
    }
  }
  return result;
}

/// The dimension of the first set among the arguments, for functions of sets in any dimension; else 0.
int dimension_of_arguments(Node const& call, ExpressionFunction const& function,
                           std::vector<CheckedNode> const& checked) {
  if (function.in_2d != function.in_3d) return function.in_2d ? 2 : 3;
  for (auto const& argument : call.arguments)
    if (int const dimension = dimension_of(checked[argument.node].type)) return dimension;
  return 0;
}

CheckedNode checked_negative(Expression const& expression, Node const& node, std::vector<CheckedNode> const& checked) {
  CheckedNode const& operand = checked[node.arguments[0].node];
  if (is_set(operand.type)) failed(expression, node, "a set has no sign; complement(...) gives what is not in it");
  if (operand.type != Type::number) failed(expression, node, fmt::format("{} has no sign", name_of(operand.type)));
  return {Type::number, -operand.number};
}

CheckedNode checked_binary(Expression const& expression, Node const& node, std::vector<CheckedNode> const& checked) {
  CheckedNode const &a = checked[node.arguments[0].node], &b = checked[node.arguments[1].node];
  char const op = node.text[0];
  auto const failed_here = [&](std::string const& reason) {
    throw ExpressionError(expression.source, node.operator_at, node.operator_at + 1, reason);
  };
  if (a.type == Type::number && b.type == Type::number) {
    double value = 0;
    switch (op) {
    case '+':
      value = a.number + b.number;
      break;
    case '-':
      value = a.number - b.number;
      break;
    case '*':
      value = a.number * b.number;
      break;
    case '/':
      if (b.number == 0) failed_here("division by zero");
      value = a.number / b.number;
      break;
    default:
      failed_here(fmt::format("'{}' combines sets, and these are numbers", op));
    }
    if (!std::isfinite(value)) failed_here("the number is too large");
    return {Type::number, value};
  }
  if (is_set(a.type) && is_set(b.type)) {
    if (op == '+' || op == '*' || op == '/')
      failed_here(fmt::format("'{}' combines numbers, and these are sets; did you mean '{}'?", op,
                              op == '+'   ? '|'
                              : op == '*' ? '&'
                                          : '-'));
    if (a.type != b.type && a.type != Type::set && b.type != Type::set)
      failed_here(fmt::format("'{}' cannot combine {} and {}", op, name_of(a.type), name_of(b.type)));
    return {a.type == Type::set ? b.type : a.type};
  }
  failed_here(fmt::format("'{}' cannot combine {} and {}", op, name_of(a.type), name_of(b.type)));
  return {};
}

CheckedNode checked_call(Expression const& expression, Node const& node, std::vector<CheckedNode> const& checked) {
  auto const& functions = expression_functions();
  auto const function = std::find_if(functions.begin(), functions.end(),
                                     [&](ExpressionFunction const& known) { return known.name == node.text; });
  if (function == functions.end()) {
    std::vector<std::string> names;
    for (auto const& known : functions) names.push_back(known.name);
    throw ExpressionError(expression.source, node.begin, node.begin + node.text.size(),
                          fmt::format("there is no function '{}'{}", node.text, suggestion(node.text, names)));
  }
  int const dimension = bind_arguments(expression, node, *function, checked).dimension;
  return {function->result == Type::set ? set_in(dimension) : function->result, 0, &*function};
}

}  // namespace

Binding bind_arguments(Expression const& expression, ExpressionNode const& call, ExpressionFunction const& function,
                       std::vector<CheckedNode> const& nodes) {
  int const dimension = dimension_of_arguments(call, function, nodes);
  auto const refuse = [&](Attempt const& tried, std::string const& known) {
    throw ExpressionError(expression.source, tried.begin, tried.end,
                          fmt::format("{}; the function is {}{}", tried.problem, known, tried.hint));
  };
  if (dimension != 0) {
    Attempt only = attempt(expression, call, function, dimension, nodes);
    if (!only.problem.empty()) refuse(only, signatures(function, dimension));
    return only.binding;
  }
  Attempt flat = attempt(expression, call, function, 2, nodes), solid = attempt(expression, call, function, 3, nodes);
  if (flat.problem.empty() && solid.problem.empty() && function.signature(2) == function.signature(3))
    flat.binding.dimension = 0;
  if (flat.problem.empty()) return flat.binding;
  if (solid.problem.empty()) return solid.binding;
  // Assumes the signature with as many parameters as there are arguments.
  std::size_t const given = call.arguments.size();
  if (given == solid.binding.parameters.size() && given != flat.binding.parameters.size())
    refuse(solid, signatures(function, 3));
  refuse(flat, signatures(function, given == flat.binding.parameters.size() ? 2 : 0));
  return {};
}

CheckedNode check_node(Expression const& expression, std::size_t index, std::vector<CheckedNode> const& before) {
  Node const& node = expression.nodes[index];
  switch (node.kind) {
  case Node::Kind::number:
    return {Type::number, node.number};
  case Node::Kind::text:
    return {Type::text};
  case Node::Kind::axis:
    return {Type::axis, node.number};
  case Node::Kind::name:
    return before[node.definition];
  case Node::Kind::definition:
    return before[node.arguments[0].node];
  case Node::Kind::negative:
    return checked_negative(expression, node, before);
  case Node::Kind::binary:
    return checked_binary(expression, node, before);
  default:
    return checked_call(expression, node, before);
  }
}

std::vector<CheckedNode> check_expression(Expression const& expression) {
  std::vector<CheckedNode> checked;
  for (std::size_t index = 0; index < expression.nodes.size(); ++index)
    checked.push_back(check_node(expression, index, checked));
  return checked;
}

}  // namespace sparse::io
