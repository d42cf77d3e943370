#pragma once
/// Cases as TOML files: the opposite of `read_case`.

#include <string>

#include <sparse/app/cases/case_file.hpp>

namespace sparse::app {

/// The text of a file that `read_case` reads as this case, with the options of `file` in its table [run]. Names of
/// other files are written as they are: relative ones belong to the folder of the case.
std::string text_of(CaseFile const& file);

}  // namespace sparse::app
