#pragma once
/// Bytes as a file, for readers that take nothing else.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <unistd.h>

/// Calls `read(path)` for a file with these bytes; aborts unless an error names the file.
template <class Read>
void read_as_file(std::uint8_t const* data, std::size_t size, Read&& read) {
  static auto const path = std::filesystem::temp_directory_path() / ("sparse-fuzz-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<char const*>(data), static_cast<std::streamsize>(size));
  try {
    read(path);
  } catch (std::runtime_error const& error) {
    if (std::string(error.what()).find(path.string()) == std::string::npos) std::abort();
  }
  std::filesystem::remove(path);
}
