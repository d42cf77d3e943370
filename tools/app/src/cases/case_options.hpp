#pragma once
/// The options of a case's command line, and those that its file gives.

#include <functional>
#include <set>
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

/// Sets the options of a file. They become the defaults of the command line. If one is wrong, prints the message with
/// its line, and exits.
/// @return  their names, as "--t-end"
std::set<std::string> set_options(CLI::App& app, CaseFile const& file);
/// Parses the options of a file and calls `settle`, which refuses options without effect. If one is refused, prints the
/// message with its line, and exits.
/// @param app  with the options of the case; used only for this check
void expect_useful_options(CLI::App& app, CaseFile const& file, std::function<void()> const& settle);
/// Prints what is wrong with an option of the file, and exits.
[[noreturn]] void fail_at_option(CaseFile const& file, CaseOption const& option, std::string const& reason);

/// Parses the command line. Repeatable options of the file are added to it.
void parse_after_file(CLI::App& app, CaseFile const& file, int argc, char** argv, std::function<void()> const& check);

/// The two programs.
int run_flow_case(CaseFile const& file, FlowCase c, std::string const& description, int argc, char** argv);
int run_gas_case(CaseFile const& file, GasCase c, std::string const& description, int argc, char** argv);

}  // namespace sparse::app
