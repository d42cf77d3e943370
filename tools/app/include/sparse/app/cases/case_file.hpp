#pragma once
/// Cases in TOML files; docs/cases.md describes the format.

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/cases/gas_case.hpp>

namespace sparse::app {

/// An option of the command line that a file gives.
struct CaseOption {
  std::string name, value;  ///< name without "--"
  int line;                 ///< of the file
};

/// What a file says.
struct CaseFile {
  /// The file, the flow, and the options that replace its numbers.
  std::filesystem::path path;
  std::variant<FlowCase, GasCase> content;
  std::vector<CaseOption> options;
  std::string setting;  ///< the case's description of the flow, see `RunOptions`
};

/// Reads a file. The case has the file's name without its ending. Needs no Kokkos; other files are looked for, not
/// read.
/// @throws std::runtime_error  "FILE:LINE: reason" if the file is no TOML, for unknown or missing keys, and for values
///                             of the wrong type or out of range
CaseFile read_case(std::filesystem::path const& path);

}  // namespace sparse::app
