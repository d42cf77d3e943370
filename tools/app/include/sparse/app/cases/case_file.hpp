#pragma once
/// Cases that TOML files describe; docs/cases.md says what they can have.

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

struct CaseFile {
  std::filesystem::path path;
  std::variant<FlowCase, GasCase> content;
  std::vector<CaseOption> options;
  std::string setting;  ///< what the case says of the flow, see `RunOptions`
};

/// Reads a file. Its name without the ending is that of the case.
/// @throws std::runtime_error  "FILE:LINE: reason" for what is no TOML, unknown keys, values of the wrong type or out of
///                             range, and what is missing
CaseFile read_case(std::filesystem::path const& path);

}  // namespace sparse::app
