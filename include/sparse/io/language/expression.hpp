#pragma once
/// A small language for geometry: `box(0, 0, 400, 160) - ball(80, 80, 20) | image('logo.png')`.
///
/// `|` (either), `&` (both), `-` (the first without the second) and `^` (exactly one) combine sets. The order of
/// precedence is `-`, `&`, `^`, `|`, as in C++ and Python. Equal operators go from left to right; parentheses group.
/// Numbers have `+ - * /`. `name = expression;` defines a name for what follows; the last statement is the result. `#`
/// begins a comment. Functions take arguments by position, then by name: `ball(80, 80, radius = 20)`. The arguments
/// decide whether a shape is in 2D or 3D.
///
/// This header needs no Kokkos: it has the text, the tree, and its checks. sparse/io/language/evaluate.hpp makes sets.

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sparse::io {

/// What is wrong with an expression, and where.
///
/// `what()` has three lines: line, column and reason; that line of the text; a caret under the place.
class ExpressionError : public std::invalid_argument {
public:
  /// @param begin, end  the place in `source` [bytes]
  ExpressionError(std::string_view source, std::size_t begin, std::size_t end, std::string reason);

  /// What was wrong, and its place in the source [bytes].
  std::string const& reason() const { return reason_; }
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

private:
  std::string reason_;
  std::size_t begin_, end_;
};

/// A part of an expression.
struct ExpressionNode {
  /// What a node is.
  enum class Kind { number, text, name, axis, negative, binary, call, definition };
  /// An argument of a call, and the node with its value.
  struct Argument {
    std::string name;  ///< empty for one given by position
    /// The node with its value.
    std::size_t node;
    std::size_t begin = 0;  ///< where it begins, with its name
  };

  /// What the node is.
  Kind kind;
  std::size_t begin = 0, end = 0;        ///< its place in the source [bytes]
  double number = 0;                     ///< numbers; axes: 0, 1, 2
  std::string text = {};                 ///< text: its value; names, calls, definitions: the name; binary: the operator
  std::vector<Argument> arguments = {};  ///< of calls; the operands of operators; the value of a definition
  std::size_t operator_at = 0;           ///< binary: the place of the operator
  std::size_t definition = 0;            ///< names: the node that defines them
};

/// A syntax tree. Children come before their parents, so a loop over the nodes needs no recursion. The last node is the
/// result.
struct Expression {
  /// The text, and its parts.
  std::string source;
  std::vector<ExpressionNode> nodes;
};

/// @throws ExpressionError  at the first character that does not fit, with what was expected; for more than 1 MiB of
///                          text; for parentheses more than 200 deep
Expression parse_expression(std::string source);

// ---- functions

/// The types of expressions. A `set` is in 2D or in 3D; this is known only when its file has been read.
enum class ExpressionType { number, text, axis, set_2d, set_3d, set };

/// A parameter of a function.
struct ExpressionParameter {
  /// integer: a coordinate; count: an integer >= 0; number: any; length: >= 0; fraction: 0 to 1; axis: x, y or z;
  /// set: in the dimension of the function; plane, solid: a set in 2D, in 3D.
  enum class Kind { integer, count, number, length, fraction, axis, text, set, plane, solid };

  /// What it may be, and its name.
  Kind kind;
  std::string name;
  /// Whether functions in 2D do not have it.
  bool is_3d_only = false;
  bool is_repeated = false;                  ///< part of the last group, which may be repeated
  std::optional<std::string> default_value;  ///< as a user would write it
};

/// A function of the language, as `geometry --functions` lists it.
struct ExpressionFunction {
  /// The group it is listed in, its name, and its parameters.
  std::string group, name;
  std::vector<ExpressionParameter> parameters;
  /// Whether it makes sets in 2D, in 3D.
  bool in_2d, in_3d;
  ExpressionType result;  ///< `set`: in the dimension of the arguments
  /// A sentence or two.
  std::string help;

  /// "ball(x, y, radius)" for 2 and "ball(x, y, z, radius)" for 3.
  std::string signature(int dimension) const;
};

/// All functions by group.
std::vector<ExpressionFunction> const& expression_functions();

/// The list of functions with their signatures and help, for people.
std::string expression_help();

// ---- checks

/// What is known of a node before the evaluation.
struct CheckedNode {
  /// The type of its value.
  ExpressionType type;
  double number = 0;                        ///< numbers: the value; axes: 0, 1, 2
  ExpressionFunction const* function = {};  ///< calls
};

/// The arguments of a call in the order of the parameters.
struct Binding {
  int dimension;                                       ///< of the signature that fits; 0 if both do
  std::vector<ExpressionParameter const*> parameters;  ///< one per entry of `nodes`
  std::vector<std::optional<std::size_t>> nodes;       ///< empty: the default is used
};

/// Types of all nodes and values of all numbers.
/// @throws ExpressionError  for unknown functions, arguments that are missing, too many, of the wrong type or out of
///                          range, operands that do not go together
std::vector<CheckedNode> check_expression(Expression const& expression);

/// Checks one node. `before` is what is known of the nodes before it.
/// @throws ExpressionError  as `check_expression`
CheckedNode check_node(Expression const& expression, std::size_t index, std::vector<CheckedNode> const& before);

/// Finds the parameter of each argument of a call, for arguments of the given types.
/// @param call   a node of kind `call`
/// @param nodes  what is known of its arguments
/// @throws ExpressionError  if the arguments fit no signature of the function
Binding bind_arguments(Expression const& expression, ExpressionNode const& call, ExpressionFunction const& function,
                       std::vector<CheckedNode> const& nodes);

}  // namespace sparse::io
