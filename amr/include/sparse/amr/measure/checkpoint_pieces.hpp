#pragma once
/// The states of a checkpoint in several files.
///
/// Each rank writes the states of its cells into a piece beside the checkpoint. Pieces have the names of one of two
/// generations in turn: those that the checkpoint names stay until the next checkpoint is complete.

#include <filesystem>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include <sparse/amr/hierarchy/saved_state.hpp>
#include <sparse/distributed/team.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/io/sets/set_file.hpp>

namespace sparse::amr {

/// The pieces of a checkpoint.
struct PieceFiles {
  std::filesystem::path folder = {};
  std::string name = {};  ///< what the names of all begin with
  int count = 0;          ///< 0: the checkpoint has the states itself

  /// Of a rank that wrote the checkpoint.
  std::filesystem::path path(int rank) const { return folder / (name + "_" + std::to_string(rank) + ".h5"); }
};

/// The pieces of the checkpoint `path`; none if there is no such file, or it cannot be read.
PieceFiles pieces_of(std::filesystem::path const& path);
/// Names for the pieces of the next checkpoint at this path, other than those of the one that is there. If that says
/// nothing of pieces, these are names that no file has, if there are such. Collective; rank 0 says which.
PieceFiles next_pieces(std::filesystem::path const& path, PieceFiles const& before, distributed::Team& team);
/// Removes the pieces of checkpoints at this path that are not of `kept`.
void remove_others(std::filesystem::path const& path, PieceFiles const& kept) noexcept;

/// What a checkpoint and all of its pieces have in common.
struct CheckpointStamp {
  std::string fingerprint;
  double time;
  std::int64_t step_count;
  bool operator==(CheckpointStamp const&) const = default;
};

/// Writes the piece of this rank.
template <class T, int Dim>
void write_piece(std::filesystem::path const& path, SavedState<T, Dim> const& saved, CheckpointStamp const& stamp,
                 int compression) {
  io::SetWriter<Dim> file;
  for (std::size_t l = 0; l < saved.states.size(); ++l) {
    file.add("cells_" + std::to_string(l), saved.states[l].domain());
    file.add("state_" + std::to_string(l), saved.states[l]);
  }
  file.note("fingerprint", stamp.fingerprint).note("time", stamp.time).note("step_count", stamp.step_count);
  file.save(path, compression);
}

/// The first and the last corner of what each rank has: [rank][level][2 * Dim], NaN where it has nothing. Collective.
template <class T, int Dim>
std::vector<double> bounds_of_pieces(SavedState<T, Dim> const& saved, distributed::Team& team) {
  std::size_t const size = saved.states.size() * 2 * Dim;
  std::vector<double> bounds(size * static_cast<std::size_t>(team.size()), std::numeric_limits<double>::quiet_NaN());
  auto out = bounds.begin() + static_cast<std::ptrdiff_t>(size) * team.rank();
  for (auto const& state : saved.states) {
    auto const box = state.domain().bounds();
    for (int axis = 0; axis < Dim && !state.domain().is_empty(); ++axis) {
      out[axis] = box.begin[axis];
      out[Dim + axis] = box.end[axis];
    }
    out += 2 * Dim;
  }
  distributed::share(team, bounds);
  return bounds;
}

/// Reads states from pieces; opens only those that have some of them.
/// @param bounds           of `bounds_of_pieces`
/// @param wanted           [level] cells of the states
/// @throws std::runtime_error  with the path and the reason: a piece cannot be read, is one of another checkpoint, or
///                             wanted cells are in none
template <class T, int Dim>
std::vector<Field<T, Dim>> read_pieces(PieceFiles const& pieces, std::vector<double> const& bounds,
                                       CheckpointStamp const& stamp, int component_count,
                                       std::vector<IntervalSet<Dim>> const& wanted, Context const& context) {
  std::vector<Field<T, Dim>> states;
  std::vector<IntervalSet<Dim>> missing = wanted;
  for (std::size_t l = 0; l < wanted.size(); ++l)
    states.emplace_back("state_" + std::to_string(l), wanted[l], component_count);
  auto const meets = [&](int piece, std::size_t l) {
    auto const box = wanted[l].bounds();
    double const* const corners = bounds.data() + (static_cast<std::size_t>(piece) * wanted.size() + l) * 2 * Dim;
    bool does = !wanted[l].is_empty();
    for (int axis = 0; axis < Dim; ++axis)  // not if it is NaN
      does = does && corners[axis] < box.end[axis] && corners[Dim + axis] > box.begin[axis];
    return does;
  };
  for (int piece = 0; piece < pieces.count; ++piece) {
    auto const path = pieces.path(piece);
    auto const expects_of_file = [&](bool condition, char const* reason) {
      if (!condition) throw std::runtime_error(path.string() + ": " + reason);
    };
    std::unique_ptr<io::SetReader<Dim>> file;
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      if (!meets(piece, l)) continue;
      if (!file) {
        file = std::make_unique<io::SetReader<Dim>>(path, context);
        auto const& notes = file->contents().notes;
        auto const is = [&](char const* name, io::Note const& value) {
          auto const found = notes.find(name);
          return found != notes.end() && found->second == value;
        };
        expects_of_file(is("fingerprint", stamp.fingerprint) && is("time", stamp.time) &&
                            is("step_count", stamp.step_count),
                        "it is no piece of this checkpoint");
      }
      auto const state = file->template field<T>("state_" + std::to_string(l));
      expects_of_file(state.component_count() == component_count, "it has another number of components");
      auto const common = missing[l] & state.domain();
      copy<T, Dim>(states[l].view(), CopyPlan<Dim>(common, wanted[l], state.domain()), state.view(), component_count);
      missing[l] = missing[l] - common;
    }
  }
  for (std::size_t l = 0; l < wanted.size(); ++l)
    if (!missing[l].is_empty())
      throw std::runtime_error((pieces.folder / pieces.name).string() + "_*: cells of level " + std::to_string(l) +
                               " are in none of the pieces");
  return states;
}

// ---- helpers

inline PieceFiles pieces_of(std::filesystem::path const& path) {
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

inline PieceFiles next_pieces(std::filesystem::path const& path, PieceFiles const& before, distributed::Team& team) {
  std::string const stem = path.stem().string();
  PieceFiles const first{path.parent_path(), stem + "_a", team.size()};
  std::error_code error;
  bool const takes_second = before.count > 0 ? before.name == first.name : exists(first.path(0), error);
  std::vector<std::uint64_t> is_second{team.rank() == 0 && takes_second ? std::uint64_t{1} : 0};
  team.maximise(is_second);
  return {first.folder, stem + (is_second[0] == 1 ? "_b" : "_a"), team.size()};
}

inline void remove_others(std::filesystem::path const& path, PieceFiles const& kept) noexcept {
  std::error_code ignored;
  for (char const* const generation : {"_a", "_b"}) {
    PieceFiles const pieces{path.parent_path(), path.stem().string() + generation};
    int rank = pieces.name == kept.name ? kept.count : 0;
    while (std::filesystem::remove(pieces.path(rank), ignored)) ++rank;
  }
}

}  // namespace sparse::amr
