// The module sparsecells._cases: flows that files describe. It is apart from _core, because it needs VTK and because a
// program of its own runs it (python -m sparsecells).

#include <filesystem>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <sparse/app/cases/case_program.hpp>

namespace nb = nanobind;

namespace {

/// Runs a case with options as on a command line, whose first word names the program. Returns the exit code.
int run(std::string const& path, std::vector<std::string> words) {
  nb::gil_scoped_release const release;
  auto const file = sparse::app::read_case(path);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return sparse::app::run_case_program(file, "Computes the flow that a TOML file describes.",
                                       static_cast<int>(words.size()), arguments.data());
}

}  // namespace

NB_MODULE(_cases, m) {
  m.doc() = "Flows that files describe, for python -m sparsecells.";
  m.def("run", run, nb::arg("path"), nb::arg("words"), "Runs a case. Returns the exit code.");
}
