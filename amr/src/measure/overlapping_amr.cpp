#include <sparse/amr/measure/overlapping_amr.hpp>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include <sparse/io/levels/overlapping_amr.hpp>

namespace sparse::amr {
namespace {

/// Makes a file with room for so many bytes, or says why there is none.
void reserve_file(std::filesystem::path const& path, std::uint64_t size) {
  int const file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : posix_fallocate(file, 0, static_cast<off_t>(size));
  if (file >= 0 && close(file) != 0 && error == 0) error = errno;
  if (error != 0) throw std::runtime_error(path.string() + ": " + std::strerror(error));
}

}  // namespace

template <int Dim>
void write_overlapping_amr(std::filesystem::path const& path, Grid<Dim> const& grid,
                           std::vector<IntervalSet<Dim>> const& all, std::vector<io::LevelCells<Dim>> const& own,
                           distributed::Team& team) {
  bool const is_first = team.rank() == 0;
  auto const temporary = path.parent_path() / fmt::format(".{}.tmp", path.filename().string());  // all know the name
  io::FileParts file;
  distributed::together(&team, [&] {
    std::vector<HostSet<Dim>> cells;
    for (auto const& level : all) cells.push_back(level.to_host());
    file = io::overlapping_amr_parts(grid, cells, own, is_first);
  });
  struct Remove {
    std::filesystem::path const& file;
    bool is_mine;
    ~Remove() {
      std::error_code ignored;
      if (is_mine) std::filesystem::remove(file, ignored);
    }
  } const remove_on_failure{temporary, is_first};
  distributed::together(&team, [&] {
    if (is_first) reserve_file(temporary, file.file_size);
  });
  std::vector<distributed::Placed> parts;
  for (auto const& part : file.parts) parts.push_back({part.at, file.bytes.data() + part.first, part.size});
  team.write(temporary, parts);
  distributed::together(&team, [&] {
    std::error_code error;
    if (is_first) std::filesystem::rename(temporary, path, error);
    if (error) throw std::runtime_error(path.string() + ": " + error.message());
  });
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template void write_overlapping_amr(std::filesystem::path const&, Grid<Dim> const&,                                  \
                                      std::vector<IntervalSet<Dim>> const&, std::vector<io::LevelCells<Dim>> const&,   \
                                      distributed::Team&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
