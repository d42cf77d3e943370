#pragma once
/// How problems with files are reported.

#include <filesystem>
#include <string>

namespace sparse::io {

/// Throws `std::runtime_error` with the path and the reason.
[[noreturn]] void file_failure(std::filesystem::path const& path, std::string const& reason);

}  // namespace sparse::io
