#pragma once
/// Whole files in memory.

#include <filesystem>
#include <string>

namespace sparse::io {

/// @throws std::runtime_error  with the reason alone if the file cannot be read
std::string contents_of_file(std::filesystem::path const& path);

}  // namespace sparse::io
