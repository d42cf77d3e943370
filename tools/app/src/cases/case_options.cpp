#include "case_options.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/app/cases/case_program.hpp>

namespace sparse::app {
namespace {

bool is_repeated(CLI::Option const& option) {
  return option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

std::string argument_of(CaseOption const& option) { return fmt::format("--{}={}", option.name, option.value); }

}  // namespace

void add_cell_options(CLI::App& app, Case& c) {
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(c.dim); ++axis)
    app.add_option(fmt::format("--n{}", "xyz"[axis]), c.cells[axis],
                   axis == 0 ? "cells along x"
                             : fmt::format("cells along {} [as many as keep cells in shape]", "xyz"[axis]))
        ->check(CLI::Range(2, 1 << 20))
        ->default_str(axis == 0 ? fmt::format("{}", c.cells[0]) : "");
}

void keep_shape_of_cells(CLI::App& app, Case& c, std::array<int, 3> const& of_file, std::set<std::string> const& kept) {
  double const ratio = static_cast<double>(c.cells[0]) / of_file[0];
  for (std::size_t axis = 1; axis < static_cast<std::size_t>(c.dim); ++axis) {
    std::string const name = fmt::format("--n{}", "xyz"[axis]);
    if (!kept.contains(name))
      set_default(app.get_option(name), c.cells[axis],
                  std::max(2, static_cast<int>(std::lround(ratio * of_file[axis]))));
  }
}

std::set<std::string> set_options(CLI::App& app, CaseFile const& file) {
  std::set<std::string> names;
  for (CaseOption const& given : file.options) {
    CLI::Option* const option = app.get_option_no_throw("--" + given.name);
    if (option == nullptr || given.name == "help")
      fail_at_option(file, given, "unknown key '" + given.name + "'; --help lists the options");
    try {
      app.parse(std::vector<std::string>{argument_of(given)});
    } catch (CLI::ParseError const& error) {
      fail_at_option(file, given, error.what());
    }
    option->default_str(given.value);
    names.insert("--" + given.name);
  }
  return names;
}

void expect_useful_options(CLI::App& app, CaseFile const& file, std::function<void()> const& settle) {
  std::vector<std::string> arguments;
  for (CaseOption const& given : file.options) arguments.push_back(argument_of(given));
  try {
    app.parse(arguments);
    settle();
  } catch (CLI::ParseError const& error) {
    std::string const reason = error.what();
    for (CaseOption const& given : file.options)
      if (reason.starts_with("--" + given.name + ":")) fail_at_option(file, given, reason);
    throw;
  }
}

void fail_at_option(CaseFile const& file, CaseOption const& option, std::string const& reason) {
  throw CaseOptionError(fmt::format("{}:{}: [run]: {}", file.path.string(), option.line, reason));
}

void parse_after_file(CLI::App& app, CaseFile const& file, int argc, char** argv, std::function<void()> const& check) {
  std::vector<std::string> arguments = {argv[0]};
  for (CaseOption const& given : file.options)
    if (is_repeated(*app.get_option("--" + given.name))) arguments.push_back(argument_of(given));
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (auto& argument : arguments) pointers.push_back(argument.data());
  parse(app, static_cast<int>(pointers.size()), pointers.data(), check);
}

int run_case_program(CaseFile const& file, std::string const& description, int argc, char** argv) {
  auto const about = [&](Case const& c) { return c.description.empty() ? description : c.description; };
  try {
    if (auto const* const flow = std::get_if<FlowCase>(&file.content))
      return run_flow_case(file, *flow, about(*flow), argc, argv);
    auto const& gas = std::get<GasCase>(file.content);
    return run_gas_case(file, gas, about(gas), argc, argv);
  } catch (CaseOptionError const& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

CaseFile with_options(CaseFile file) {
  auto const with = [&](auto const& c) { return decltype(file.content)(case_with_options(file, c)); };
  file.content = std::visit(with, file.content);
  return file;
}

}  // namespace sparse::app
