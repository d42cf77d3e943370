// Any flow in a box that a file describes.

#include <string>

#include "support/flow_program.hpp"

namespace {

constexpr char description[] =
    "Computes the incompressible flow that a TOML file describes: flow CASE.toml [options]. Options are those of the\n"
    "case, whose values they replace; docs/cases.md says what a case can have.";

}  // namespace

int main(int argc, char** argv) {
  using namespace examples;
  std::string const first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h" || first == "--version")
    return run_flow_program("flow", description, argc, argv, {});
  if (first.empty() || first[0] == '-') {
    fmt::print(stderr, "flow: the case is missing: flow CASE.toml [options]\n");
    return 1;
  }
  try {
    CaseFile const file = read_case(first);
    argv[1] = argv[0];
    return run_flow_program("flow", description, argc - 1, argv + 1, file.flow_case, file, first);
  } catch (std::exception const& error) {
    fmt::print(stderr, "flow: {}\n", error.what());
    return 1;
  }
}
