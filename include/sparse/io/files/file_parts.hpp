#pragma once
/// A file in parts, which several processes may write.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparse::io {

/// Bytes for places in a file.
struct FileParts {
  /// Where the first of some bytes goes, counted from the file's beginning, and the bytes, which lie in a block.
  struct Part {
    std::uint64_t at = 0;
    std::byte const* data = nullptr;
    std::size_t size = 0;
  };
  std::uint64_t file_size = 0;                      ///< with the parts of other processes
  std::vector<Part> parts = {};                     ///< in ascending order, without overlap
  std::vector<std::vector<std::byte>> blocks = {};  ///< what the parts are made of

  FileParts() = default;
  FileParts(FileParts&&) = default;
  FileParts& operator=(FileParts&&) = default;
};

}  // namespace sparse::io
