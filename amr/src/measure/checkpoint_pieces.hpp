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
#include <vector>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/distributed/team.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

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

}  // namespace sparse::amr
