#pragma once
/// Notes: what a file holds beside sets and fields.

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace sparse::io {

/// A number or a text without zero bytes, of at most 60000 bytes.
using Note = std::variant<std::int64_t, double, std::string>;
using Notes = std::map<std::string, Note>;

}  // namespace sparse::io
