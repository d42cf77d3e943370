#pragma once
/// Suggestions for misspelt names.

#include <string>
#include <string_view>
#include <vector>

namespace sparse::io {

/// "; did you mean 'ball'?" with the nearest of the known names. Empty if none is near.
std::string suggestion(std::string_view name, std::vector<std::string> const& known);

}  // namespace sparse::io
