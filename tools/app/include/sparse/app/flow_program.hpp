#pragma once
/// From a case to a run: the command line, the steps, and what is written.

#include <sparse/app/flow_case.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// What `main` of a program returns that computes a case: reads the command line, whose options change the case, and
/// runs it into the folder of the options.
/// @param description  for --help
/// @param file_options  those that a case file has; what is wrong with them is told with their lines
int run_flow_program(std::string const& name, std::string const& description, int argc, char** argv, FlowCase flow_case,
                     CaseFile const& file = {}, std::string const& file_name = {});

/// Computes a case and writes its files.
void run_case(FlowCase const& flow_case, RunFolder& folder);

}  // namespace sparse::app
