// Any flow in a box that a file describes.

#include <algorithm>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <sparse/app/cases/case_program.hpp>

namespace {

constexpr char description[] =
    "Computes the flow that a TOML file describes: flow CASE.toml [options]. Options replace numbers of the case;\n"
    "docs/cases.md says what a case can have.";

/// Of the first argument that is no option and, unless it is the very first, a TOML file that no --config takes; `argc`
/// without one.
int place_of_case(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') return 1;
  for (int i = 2; i < argc; ++i)
    if (std::filesystem::path(argv[i]).extension() == ".toml" && argv[i][0] != '-' &&
        std::string(argv[i - 1]) != "--config")
      return i;
  return argc;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace sparse::app;
  std::string const first = argc > 1 ? argv[1] : "";
  if (first == "--help" || first == "-h" || first == "--version") return run_case_program({}, description, argc, argv);
  int const at = place_of_case(argc, argv);
  if (at == argc) {
    fmt::print(stderr, "flow: the case is missing: flow CASE.toml [options]\n");
    return 1;
  }
  try {
    CaseFile const file = read_case(argv[at]);
    std::rotate(argv + 1, argv + at, argv + at + 1);
    argv[1] = argv[0];
    return run_case_program(file, description, argc - 1, argv + 1);
  } catch (std::exception const& error) {
    fmt::print(stderr, "flow: {}\n", error.what());
    return 1;
  }
}
