#pragma once
/// TOML tables in which every key must be read. A key that is not read is an error, and so is a value of another type.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sparse::app {

/// A table of a file. A reader asks for its keys and then calls `expect_no_more`. Copies refer to the same table.
///
/// All functions throw std::runtime_error, "FILE:LINE: reason", if a value has the wrong type, is not finite or out of
/// range, or if a required key is missing.
class TomlTable {
public:
  struct Content;
  /// A table that has been read.
  explicit TomlTable(std::shared_ptr<Content> content) : content_(std::move(content)) {}

  /// Whether there is a key, and its value. Both mark the key as read. Without the key there is no value.
  bool has(char const* key);
  std::optional<double> number(char const* key);
  /// A number greater than 0, a text, true or false.
  /// @throws std::runtime_error  if the value is of another type, or not positive
  std::optional<double> positive(char const* key);
  std::optional<std::string> text(char const* key);
  std::optional<bool> truth(char const* key);
  /// Between `least` and `most` numbers in one array. Arrays of arrays are read one after the other.
  /// @throws std::runtime_error  if there are less or more, or something else than numbers
  std::optional<std::vector<double>> numbers(char const* key, std::size_t least, std::size_t most);
  /// An array of texts, and a table in this one.
  std::optional<std::vector<std::string>> texts(char const* key);
  std::optional<TomlTable> table(char const* key);
  /// The tables of an array of tables; empty if it is missing.
  std::vector<TomlTable> tables(char const* key);
  /// Looks up one of several values by its name.
  /// @throws std::runtime_error  if the text is none of the names, with all of them
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
  /// Every key with its value as on a command line, and its line.
  struct Entry {
    /// The key, what it says, and its line.
    std::string key, value;
    int line;
  };
  /// All of them; they count as read.
  std::vector<Entry> entries();

  /// The content of the table except some keys: a line for each key. Files with the same meaning give the same text.
  std::string lines_without(std::vector<std::string> const& keys) const;

  /// The table without some keys as a JSON object. All its keys count as read.
  std::string json_without(std::vector<std::string> const& keys);

  /// Returns `value`.
  /// @throws std::runtime_error  if there is none: the key is missing
  template <class Value>
  Value required(std::optional<Value> const& value, char const* key) const {
    if (!value) fail(std::string("'") + key + "' is missing");
    return *value;
  }
  /// @throws std::runtime_error  if there is a key that nobody has read, with its line
  void expect_no_more() const;
  /// Throws with the line of a key, or of the table.
  [[noreturn]] void fail(char const* key, std::string const& reason) const;
  [[noreturn]] void fail(std::string const& reason) const;

private:
  std::shared_ptr<Content> content_;
};

/// Reads a file. @throws std::runtime_error  "FILE:LINE: reason" if it is no TOML; "FILE: reason" if it does not exist
TomlTable read_toml(std::filesystem::path const& path);

}  // namespace sparse::app
