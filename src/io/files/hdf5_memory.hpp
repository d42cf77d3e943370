#pragma once
/// Memory that HDF5 takes for a file.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

#include <hdf5.h>

namespace sparse::io {

/// The contents of a file. What is never written takes no memory, and reads as zeros.
class Hdf5Memory {
public:
  /// Makes this the place of the files that are created with these properties. It must outlive them.
  void use_for(hid_t file_access);

  /// Bytes of the file.
  std::uint64_t size() const { return size_; }
  void resize(std::uint64_t size) { size_ = size; }
  void read(std::uint64_t at, std::size_t size, std::byte* bytes) const;
  void write(std::uint64_t at, std::size_t size, std::byte const* bytes);

private:
  using Page = std::array<std::byte, 1 << 14>;
  std::map<std::uint64_t, Page> pages_;  // by number
  std::uint64_t size_ = 0;
};

}  // namespace sparse::io
