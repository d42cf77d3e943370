#include "checkpoint_pieces.hpp"

#include <system_error>
#include <variant>

namespace sparse::amr {

PieceFiles pieces_of(std::filesystem::path const& path) {
  std::error_code error;
  bool has_pieces = false;  // or else the file need not be read
  for (char const* const generation : {"_a", "_b"})
    has_pieces = has_pieces || exists(PieceFiles{path.parent_path(), path.stem().string() + generation}.path(0), error);
  if (!has_pieces || !exists(path, error)) return {};
  try {
    auto const notes = io::read_set_file_contents(path).notes;
    auto const name = notes.find("pieces"), count = notes.find("piece_count");
    if (name == notes.end() || count == notes.end()) return {};
    return {path.parent_path(), std::get<std::string>(name->second),
            static_cast<int>(std::get<std::int64_t>(count->second))};
  } catch (std::exception const&) {
    return {};  // it is replaced
  }
}

PieceFiles next_pieces(std::filesystem::path const& path, PieceFiles const& before, distributed::Team& team) {
  std::string const stem = path.stem().string();
  PieceFiles const first{path.parent_path(), stem + "_a", team.size()};
  std::error_code error;
  bool const takes_second = before.count > 0 ? before.name == first.name : exists(first.path(0), error);
  std::vector<std::uint64_t> is_second{team.rank() == 0 && takes_second ? std::uint64_t{1} : 0};
  team.maximise(is_second);
  return {first.folder, stem + (is_second[0] == 1 ? "_b" : "_a"), team.size()};
}

void remove_others(std::filesystem::path const& path, PieceFiles const& kept) noexcept {
  std::error_code ignored;
  for (char const* const generation : {"_a", "_b"}) {
    PieceFiles const pieces{path.parent_path(), path.stem().string() + generation};
    int rank = pieces.name == kept.name ? kept.count : 0;
    while (std::filesystem::remove(pieces.path(rank), ignored)) ++rank;
  }
}

}  // namespace sparse::amr
