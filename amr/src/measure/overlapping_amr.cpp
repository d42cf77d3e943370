#include <sparse/amr/measure/overlapping_amr.hpp>

#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/levels/overlapping_amr.hpp>

namespace sparse::amr {

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
    if (is_first) io::reserve_file(temporary, file.file_size);
  });
  distributed::together(&team, [&] { io::write_into(temporary, file); });
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
