#pragma once
/// From a case to a run: the command line, the steps, and what is written.

#include <sparse/app/cases/case_file.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// The return value of `main` for a program that computes a case. Reads the command line, whose options replace numbers
/// of the case. Runs the case into the folder of the options. Errors in options of the file are reported with their
/// lines.
/// @param description  for --help, unless the case has its own
int run_case_program(CaseFile const& file, std::string const& description, int argc, char** argv);

/// The file with the options of its table [run] set in its case, as `run_case_program` does without a command line.
/// @throws std::runtime_error  "FILE:LINE: [run]: reason" if an option is unknown, wrong or without effect
CaseFile with_options(CaseFile file);

/// Computes a case and writes its files.
/// @throws std::runtime_error  for what only the cells show: an obstacle, a boundary, a probe or a source without any;
///                             a file that cannot be read or written; a flow without a next state
void run_case(FlowCase const& flow_case, RunFolder& folder);
void run_case(GasCase const& gas_case, RunFolder& folder);

}  // namespace sparse::app
