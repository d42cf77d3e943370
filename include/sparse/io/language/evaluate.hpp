#pragma once
/// Sets from expressions; expression.hpp describes the language.

#include <exception>
#include <filesystem>
#include <string>
#include <variant>

#include <sparse/io/language/expression.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

struct EvaluateOptions {
  std::filesystem::path folder = {};  ///< where relative names of files begin; empty for the working folder
  Index row_limit = Index{1} << 27;   ///< functions that would make more rows than this are refused (about 5 GB)
  Context context = Context();        ///< where the sets are made
};

/// A set in 2D or in 3D.
using AnySet = std::variant<IntervalSet<2>, IntervalSet<3>>;

/// Makes the set that an expression describes.
/// @throws ExpressionError  what `check_expression` throws; if the result is no set; and whatever goes wrong while a
///                          function is evaluated (files, ranges, memory), with the place of the call
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

/// What an exception says, for users: without the place in the library's source that `fail` puts before it.
std::string reason_of(std::exception const& error);

}  // namespace sparse::io
