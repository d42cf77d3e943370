#pragma once
/// The options of a case's command line, and those that its file gives.

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <sparse/app/cases/case_file.hpp>
#include <sparse/app/options/command_line.hpp>

namespace sparse::app {

/// --nx, --ny and, in 3D, --nz.
void add_cell_options(CLI::App& app, Case& c);
/// After parsing: sets the cells along axes without an option, such that the shape of the cells is kept.
/// @param of_file  the cells that the file gives
void keep_shape_of_cells(CLI::App& app, Case& c, std::array<int, 3> const& of_file, std::set<std::string> const& kept);

/// An option of the file is wrong; with the place in the file.
class CaseOptionError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Sets the options of a file. They become the defaults of the command line.
/// @return  their names, as "--t-end"
/// @throws CaseOptionError  if one is wrong
std::set<std::string> set_options(CLI::App& app, CaseFile const& file);
/// Parses the options of a file and calls `settle`, which refuses options without effect.
/// @param app  with the options of the case; used only for this check
/// @throws CaseOptionError  if one is refused
void expect_useful_options(CLI::App& app, CaseFile const& file, std::function<void()> const& settle);
/// Throws a CaseOptionError.
[[noreturn]] void fail_at_option(CaseFile const& file, CaseOption const& option, std::string const& reason);

/// Parses the command line. Repeatable options of the file are added to it.
void parse_after_file(CLI::App& app, CaseFile const& file, int argc, char** argv, std::function<void()> const& check);

/// The two programs.
int run_flow_case(CaseFile const& file, FlowCase c, std::string const& description, int argc, char** argv);
int run_gas_case(CaseFile const& file, GasCase c, std::string const& description, int argc, char** argv);

/// The cases with the options of the file.
FlowCase case_with_options(CaseFile const& file, FlowCase c);
GasCase case_with_options(CaseFile const& file, GasCase c);

}  // namespace sparse::app
