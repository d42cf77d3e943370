#pragma once
/// Texts in XML files.

#include <string>

namespace sparse::io {

/// A text as the value of an attribute in double quotes.
std::string xml_escaped(std::string const& text);

}  // namespace sparse::io
