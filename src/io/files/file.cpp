#include <sparse/io/files/file.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "failure.hpp"

namespace sparse::io {
namespace fs = std::filesystem;

void write_atomically(fs::path const& path, std::function<void(fs::path const&)> const& write) {
  // A hidden name, so that no viewer opens the file. It differs between programs that write the same file.
  fs::path const temporary = path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), getpid());
  struct Remove {
    fs::path const& file;
    ~Remove() {
      std::error_code ignored;
      fs::remove(file, ignored);
    }
  } const remove_on_failure{temporary};  // after a successful rename there is nothing left to remove

  if (!path.has_filename()) file_failure(path, "is not the name of a file");
  write(temporary);
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) file_failure(path, error.message());
}

namespace {

/// Writes pieces one after the other.
void write_pieces(fs::path const& path, std::vector<std::string_view> const& pieces) {
  write_atomically(path, [&](fs::path const& temporary) {
    std::FILE* const file = std::fopen(temporary.c_str(), "wb");
    if (!file) file_failure(path, std::strerror(errno));
    bool good = true;
    for (auto const piece : pieces) good = good && std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
    good = good && std::fflush(file) == 0;
    int error = errno;
    if (std::fclose(file) != 0 && good) {
      good = false;
      error = errno;
    }
    if (!good) file_failure(path, std::strerror(error));
  });
}

}  // namespace

void write_text(fs::path const& path, std::string_view text) { write_pieces(path, {text}); }

void write_parts(fs::path const& path, FileParts const& file) {
  std::vector<std::string_view> pieces;
  for (auto const& part : file.parts) pieces.emplace_back(reinterpret_cast<char const*>(part.data), part.size);
  write_pieces(path, pieces);
}

void reserve_file(fs::path const& path, std::uint64_t size) {
  int const file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : posix_fallocate(file, 0, static_cast<off_t>(size));
  if (file >= 0 && ::close(file) != 0 && error == 0) error = errno;
  if (error != 0) file_failure(path, std::strerror(error));
}

void write_into(fs::path const& path, FileParts const& parts) {
  int const file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  int error = file < 0 ? errno : 0;
  for (auto const& part : parts.parts)
    for (std::size_t done = 0; done < part.size && error == 0;) {
      ssize_t const count = pwrite(file, part.data + done, part.size - done, static_cast<off_t>(part.at + done));
      if (count > 0)
        done += static_cast<std::size_t>(count);
      else if (count == 0 || errno != EINTR)
        error = count == 0 ? EIO : errno;
    }
  if (file >= 0 && ::close(file) != 0 && error == 0) error = errno;
  if (error != 0) file_failure(path, std::strerror(error));
}

void write_json(fs::path const& path, nlohmann::ordered_json const& value) {
  write_text(path, value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace sparse::io
