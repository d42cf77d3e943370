#pragma once
/// Sets from expressions; sparse/io/language/expression.hpp describes the language.

#include <exception>
#include <filesystem>
#include <string>
#include <variant>

#include <sparse/io/language/expression.hpp>
#include <sparse/io/language/file_readers.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// How an expression is evaluated.
struct EvaluateOptions {
  std::filesystem::path folder = {};  ///< folder of relative file names; empty for the working folder
  Index row_limit = Index{1} << 27;   ///< functions that would make more rows than this are refused (about 5 GB)
  Context context = Context();        ///< where the sets are made
  FileReaders readers = {};           ///< for `stl`, `above` and `below`
};

/// A set in 2D or in 3D.
using AnySet = std::variant<IntervalSet<2>, IntervalSet<3>>;

/// Evaluates an expression to a set. Cost: that of its functions, each called once.
/// @throws ExpressionError  as `check_expression`; if the result is no set; if a function fails (files, ranges,
///                          memory), with the place of the call
AnySet evaluate(Expression const& expression, EvaluateOptions const& options = {});

/// The same for a set of known dimension.
/// @throws ExpressionError  also if the result has the other dimension
template <int Dim>
IntervalSet<Dim> evaluate(Expression const& expression, EvaluateOptions const& options = {});

/// `evaluate<2>("box(0, 0, 400, 160) - ball(80, 80, 20)")`
template <int Dim>
IntervalSet<Dim> evaluate(std::string const& text, EvaluateOptions const& options = {}) {
  return evaluate<Dim>(parse_expression(text), options);
}

/// The message of an exception for users: without the source location that `fail` puts before it.
std::string reason_of(std::exception const& error);

}  // namespace sparse::io
