// Any flow in a box that a file describes.

#include <cstdio>
#include <string>

#include "support/flow_program.hpp"

namespace {

constexpr char description[] =
    "Computes the incompressible flow that a TOML file describes: flow CASE.toml [options]. Options are those of the\n"
    "case, whose values they replace; docs/cases.md says what a case can have.";

}  // namespace

int main(int argc, char** argv) {
  using namespace examples;
  bool const has_case = argc > 1 && argv[1][0] != '-';
  if (!has_case) return run_flow_program("flow", description, argc, argv, {}, {}, "");
  try {
    std::string const path = argv[1];
    CaseFile const file = read_case(path);
    argv[1] = argv[0];
    return run_flow_program("flow", description, argc - 1, argv + 1, file.flow_case, file, path);
  } catch (std::exception const& error) {
    fmt::print(stderr, "flow: {}\n", error.what());
    return 1;
  }
}
