#pragma once
/// Incompressible flows in files.
///
/// A checkpoint is a set file (see sparse/io/sets/set_file.hpp) with the fields of the state, `velocity`, `pressure`,
/// `carried_0`, ..., those of the method, `method_NAME`, and numbers of the program, `kept_NAME`.

#include <filesystem>
#include <map>
#include <string>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/method/shared.hpp>

#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// What it takes to go on with an incompressible flow.
template <int Dim>
struct SavedFlow {
  /// What the method needs to go on.
  sparse::incompressible::State<double, Dim> state;
  sparse::incompressible::MethodMemory<double, Dim> memory;
  Keeper::Numbers kept = {};                   ///< the program's
  std::map<std::string, double> numbers = {};  ///< the run folder's
};

/// Writes a flow; every bit of every number comes back.
/// @param fingerprint  what must agree when the file is read, one line of text each
/// @throws std::runtime_error  with the path and the reason; `path` then is what it was before
template <int Dim>
void write_flow_checkpoint(std::filesystem::path const& path, sparse::incompressible::State<double, Dim> const& state,
                           sparse::incompressible::MethodMemory<double, Dim> const& memory, Keeper::Numbers const& kept,
                           std::map<std::string, double> const& numbers, std::string const& fingerprint);

/// Reads what `write_flow_checkpoint` wrote; fields come back on the sets of the grid.
/// @param fingerprint  must be that with which the file was written
/// @throws std::runtime_error  with the path and the reason: cannot be read, truncated or damaged, no checkpoint of an
///                             incompressible flow, another grid, another fingerprint (it names the lines)
template <int Dim>
SavedFlow<Dim> read_flow_checkpoint(std::filesystem::path const& path,
                                    sparse::incompressible::StaggeredGrid<Dim> const& grid,
                                    std::string const& fingerprint);

}  // namespace sparse::app
