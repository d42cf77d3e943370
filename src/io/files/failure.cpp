#include "failure.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace sparse::io {

void file_failure(std::filesystem::path const& path, std::string const& reason) {
  throw std::runtime_error(fmt::format("{}: {}", path.string(), reason));
}

}  // namespace sparse::io
