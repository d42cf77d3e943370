#pragma once
/// TOML tables whose every key is asked for: what nobody asks for is an error, as is what has another type.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sparse::app {

/// A table of a file. Whoever reads it asks for its keys and then calls `expect_no_more`. Copies are the same table.
///
/// All throw std::runtime_error, "FILE:LINE: reason", where a value has another type than was asked for, is not finite
/// or out of range, or a key that must be there is not.
class TomlTable {
public:
  struct Content;
  explicit TomlTable(std::shared_ptr<Content> content) : content_(std::move(content)) {}

  bool has(char const* key);
  std::optional<double> number(char const* key);
  /// A number greater than 0.
  std::optional<double> positive(char const* key);
  std::optional<std::string> text(char const* key);
  std::optional<bool> truth(char const* key);
  /// As many numbers as `least` to `most`, in one array; arrays of arrays are read one after the other.
  std::optional<std::vector<double>> numbers(char const* key, std::size_t least, std::size_t most);
  std::optional<std::vector<std::string>> texts(char const* key);
  std::optional<TomlTable> table(char const* key);
  /// The tables of an array of tables; none if it is not there.
  std::vector<TomlTable> tables(char const* key);
  /// One of several values by its name.
  template <class Value>
  std::optional<Value> choice(char const* key, std::vector<std::pair<std::string, Value>> const& choices) {
    auto const wanted = text(key);
    if (!wanted) return {};
    std::string names;
    for (auto const& [name, value] : choices) {
      if (name == *wanted) return value;
      names += (names.empty() ? "" : ", ") + name;
    }
    fail(key, "'" + *wanted + "' is none of " + names);
  }
  /// Every key with its value as it would be written on a command line, and its line.
  struct Entry {
    std::string key, value;
    int line;
  };
  std::vector<Entry> entries();

  /// What the table holds besides some keys: a line for each of its keys, the same for files that mean the same.
  std::string lines_without(std::vector<std::string> const& keys) const;

  /// What `value` is, or throws that the key is missing.
  template <class Value>
  Value required(std::optional<Value> const& value, char const* key) const {
    if (!value) fail(std::string("'") + key + "' is missing");
    return *value;
  }
  void expect_no_more() const;
  /// Throws with the line of a key, or of the table.
  [[noreturn]] void fail(char const* key, std::string const& reason) const;
  [[noreturn]] void fail(std::string const& reason) const;

private:
  std::shared_ptr<Content> content_;
};

/// Reads a file. @throws std::runtime_error  "FILE:LINE: reason" if it is no TOML; "FILE: reason" if it is not there
TomlTable read_toml(std::filesystem::path const& path);

}  // namespace sparse::app
