#pragma once
/// Checkpoints: simulations in files.
///
/// A checkpoint is a set file (see sparse/io/sets/set_file.hpp) with the cells and the state of each level, `cells_0`,
/// `state_0`, ..., notes, and lists of numbers as fields on a row of cells, `list NAME`. Where several ranks wrote it,
/// the states are in pieces beside it.

#include <filesystem>
#include <string>
#include <vector>

#include <sparse/amr/hierarchy/saved_state.hpp>
#include <sparse/distributed/team.hpp>

// The functions are compiled in sparse::amr_io, for float and double, in 2D and 3D.
namespace sparse::amr {

/// Writes `saved`; every bit of every number is kept. Empty lists are not. With several ranks, each writes a piece with
/// its states, and rank 0 the rest. The checkpoint that was there stays until the new one is complete.
/// @param fingerprint  properties that must agree when the file is read (mesh, law, scheme, ...), one per line
/// @param compression  0 (none, quickest) to 9 (smallest)
/// @param team         the ranks that share the simulation; then collective, and `saved` is what each of them saves
/// @throws std::invalid_argument  if there is not one state for the cells of each level, with as many components
/// @throws std::runtime_error     with the path and the reason, on all ranks; `path` then is as before
template <class T, int Dim>
void write_checkpoint(std::filesystem::path const& path, SavedState<T, Dim> const& saved,
                      std::string const& fingerprint, int compression = 1, distributed::Team* team = nullptr);

/// Reads all of a file of `write_checkpoint` but the states; `read` gives these.
/// @param fingerprint  must equal the one that was written
/// @param team         the ranks that go on from it: `read` is collective, and throws on all if it does on one
/// @throws std::runtime_error  with the path and the reason: the file cannot be read, is damaged, is no checkpoint, has
///                             another dimension or precision, or another fingerprint (naming its different lines).
///                             `read` throws it for what is wrong with the states.
template <class T, int Dim>
SavedState<T, Dim> open_checkpoint(std::filesystem::path const& path, std::string const& fingerprint,
                                   Context const& context = Context(), distributed::Team* team = nullptr);

/// Reads a file of `write_checkpoint`, with the states of all cells.
/// @throws std::runtime_error  as `open_checkpoint` and its `read`
template <class T, int Dim>
SavedState<T, Dim> read_checkpoint(std::filesystem::path const& path, std::string const& fingerprint,
                                   Context const& context = Context());

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

/// The lines that only one of two texts has, for messages. Empty if the texts are equal.
std::string difference_of(std::string const& found, std::string const& wanted);
/// Numbers as a field on a row of cells.
/// @throws std::invalid_argument  if there are none
template <int Dim>
Field<double, Dim> row_of(std::string const& name, std::vector<double> const& numbers);

}  // namespace sparse::amr
