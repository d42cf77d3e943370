#pragma once
/// A file in parts, which several processes may write.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparse::io {

/// Bytes for places in a file.
struct FileParts {
  /// `size` bytes from `bytes[first]` on go to the place `at` of the file.
  struct Part {
    std::uint64_t at = 0;
    std::size_t first = 0, size = 0;
  };
  std::uint64_t file_size = 0;
  std::vector<Part> parts = {};  ///< in ascending order, without overlap
  std::vector<std::byte> bytes = {};
};

}  // namespace sparse::io
