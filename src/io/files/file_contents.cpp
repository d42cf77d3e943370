#include "file_contents.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace sparse::io {

std::string contents_of_file(std::filesystem::path const& path) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> const file(std::fopen(path.c_str(), "rb"));
  if (!file) throw std::runtime_error(std::strerror(errno));
  std::string bytes;
  char block[1 << 16];
  while (std::size_t const count = std::fread(block, 1, sizeof block, file.get())) bytes.append(block, count);
  if (std::ferror(file.get())) throw std::runtime_error(std::strerror(errno));
  return bytes;
}

}  // namespace sparse::io
