#pragma once
/// How broken preconditions are reported.

#include <string>

namespace sparse {

/// Where a check stands in the source. (`std::source_location` is missing from clang 14 and nvcc's older front ends.)
struct Location {
  /// The source file and its line.
  char const* file;
  int line;
  /// Where this is called, as a default argument.
  static constexpr Location current(char const* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Throws `std::invalid_argument` saying `what` and where.
[[noreturn]] void fail(std::string const& what, Location where = Location::current());

/// Throws `std::invalid_argument` unless `holds`.
inline void expects(bool holds, char const* what, Location where = Location::current()) {
  if (!holds) fail(what, where);
}

}  // namespace sparse
