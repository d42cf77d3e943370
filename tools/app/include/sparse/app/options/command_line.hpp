#pragma once
/// Helps programs to add options of their own. This header is slow to compile; options.hpp is quick.

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sparse/app/options/options.hpp>

namespace sparse::app {

/// Check that a number is finite; that it is finite and positive.
CLI::Validator finite();
CLI::Validator positive();
/// Adds an option for a finite number within bounds.
CLI::Option* add_number(CLI::App& app, std::string const& option, double& value, double least, double most,
                        std::string const& description);
/// Checks that an integer is at least `least`.
CLI::Range at_least(double least);

/// Adds an option with one of several values, by name.
template <class Value>
CLI::Option* add_choice(CLI::App& app, std::string const& option, Value& value,
                        std::vector<std::pair<std::string, Value>> const& choices, std::string const& description) {
  std::vector<std::string> names;
  std::string current;
  for (auto const& [name, choice] : choices) {
    names.push_back(name);
    if (choice == value) current = name;
  }
  auto const choose = [&value, choices](std::string const& wanted) {
    for (auto const& [name, choice] : choices)
      if (name == wanted) value = choice;
  };
  return app.add_option_function<std::string>(option, choose, description)
      ->check(CLI::IsMember(names))
      ->default_str(current);
}

/// Adds an option that may be repeated.
/// @param value_of  makes a value of a text, or nothing if the text does not have the form `form`
template <class Value>
void add_repeated(CLI::App& app, std::string const& option, std::vector<Value>& values,
                  std::optional<Value> (*value_of)(std::string const&), std::string const& form,
                  std::string const& description) {
  auto const set = [&values, value_of](std::vector<std::string> const& texts) {
    values.clear();
    for (auto const& text : texts) values.push_back(value_of(text).value());
  };
  auto const check = [value_of, form](std::string& text) {
    return value_of(text) ? std::string() : text + " is not " + form;
  };
  app.add_option_function<std::vector<std::string>>(option, set, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(form)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// Sets the value of an option that was not given. It is recorded as used.
template <class T>
void set_default(CLI::Option* option, T& value, T by_default) {
  if (option->count() > 0) return;
  value = by_default;
  option->default_str(fmt::format("{}", by_default));
}

/// Refuses each of these options if it was given. If not, it loses its default, so that none is recorded. Names of
/// options that the program does not have are ignored.
/// @param why  the reason; the message is "NAME: is of no use WHY"
/// @throws CLI::ValidationError
void refuse_useless(CLI::App& app, std::initializer_list<char const*> names, std::string const& why);

/// Checks that `n` cells of the finest level along each side are whole cells of level 0, at least `least` of them.
/// @param name  of the option that gives them
/// @throws CLI::ValidationError  for this option
void expect_cells(int n, int level_count, int least, std::string const& name = "--n");

/// Parses the command line and calls `check`, which may throw CLI::ValidationError. Where something is wrong, or help
/// is asked for, it prints the message and exits. Of an option that is given twice the last one counts, unless it may
/// be repeated.
void parse(
    CLI::App& app, int argc, char** argv, std::function<void()> const& check = [] {});
/// Also refuses options of `o` that have no effect; see `settle`.
template <class Options>
void parse(
    CLI::App& app, int argc, char** argv, Options& o, std::function<void()> const& check = [] {}) {
  parse(app, argc, argv, [&] {
    check();
    settle(app, o);
  });
}

}  // namespace sparse::app
