#include "support/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace examples {

toml::node const* TomlTable::find(char const* key) {
  known_.emplace_back(key);
  return table_->get(key);
}

void TomlTable::fail_at(toml::source_region const& place, std::string const& reason) const {
  throw std::runtime_error(fmt::format("{}:{}: {}{}{}", path_->string(), static_cast<int>(place.begin.line), name_,
                                       name_.empty() ? "" : ": ", reason));
}
void TomlTable::fail(std::string const& reason) const { fail_at(table_->source(), reason); }
void TomlTable::fail(char const* key, std::string const& reason) const {
  auto const* const node = table_->get(key);
  fail_at(node != nullptr ? node->source() : table_->source(), fmt::format("{}: {}", key, reason));
}
void TomlTable::fail_type(toml::node const& node, char const* key, char const* wanted) const {
  fail_at(node.source(), fmt::format("{} must be {}", key, wanted));
}

double TomlTable::finite(toml::node const& node, char const* key) const {
  auto const value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) fail_type(node, key, "a finite number");
  return *value;
}

std::optional<double> TomlTable::number(char const* key) {
  auto const* const node = find(key);
  return node == nullptr ? std::nullopt : std::optional(finite(*node, key));
}

std::optional<double> TomlTable::positive(char const* key) {
  auto const value = number(key);
  if (value && !(*value > 0)) fail(key, "must be greater than 0");
  return value;
}

std::optional<std::string> TomlTable::text(char const* key) {
  auto const* const node = find(key);
  if (node == nullptr) return {};
  if (!node->is_string()) fail_type(*node, key, "a text");
  return node->value<std::string>();
}

std::optional<bool> TomlTable::truth(char const* key) {
  auto const* const node = find(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) fail_type(*node, key, "true or false");
  return node->value<bool>();
}

void TomlTable::append(std::vector<double>& values, toml::node const& node, char const* key) const {
  if (auto const* const array = node.as_array())
    for (auto const& element : *array) append(values, element, key);
  else
    values.push_back(finite(node, key));
}

std::optional<std::vector<double>> TomlTable::numbers(char const* key, std::size_t least, std::size_t most) {
  auto const* const node = find(key);
  if (node == nullptr) return {};
  std::vector<double> values;
  append(values, *node, key);
  if (!node->is_array() || values.size() < least || values.size() > most)
    fail(key, least == most ? fmt::format("must be an array of {} numbers", least)
                            : fmt::format("must be an array of {} numbers at least", least));
  return values;
}

std::optional<std::vector<std::string>> TomlTable::texts(char const* key) {
  auto const* const node = find(key);
  if (node == nullptr) return {};
  std::vector<std::string> values;
  if (!node->is_array()) fail_type(*node, key, "an array of texts");
  for (auto const& element : *node->as_array()) {
    if (!element.is_string()) fail_type(element, key, "an array of texts");
    values.push_back(*element.value<std::string>());
  }
  return values;
}

std::optional<TomlTable> TomlTable::table(char const* key) {
  auto const* const node = find(key);
  if (node == nullptr) return {};
  if (!node->is_table()) fail_type(*node, key, "a table");
  return TomlTable(*path_, *node->as_table(), fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(char const* key) {
  std::vector<TomlTable> result;
  auto const* const node = find(key);
  if (node == nullptr) return result;
  if (!node->is_array_of_tables()) fail_type(*node, key, fmt::format("an array of tables, [[{}]]", key).c_str());
  for (auto const& element : *node->as_array())
    result.emplace_back(*path_, *element.as_table(), fmt::format("[[{}]]", key));
  return result;
}

std::vector<TomlTable::Entry> TomlTable::entries() {
  std::vector<Entry> result;
  for (auto const& [key, node] : *table_) {
    std::string const name(key.str());
    known_.push_back(name);
    std::string value;
    if (node.is_string()) {
      value = *node.value<std::string>();
    } else if (node.is_boolean() || node.is_number()) {
      std::ostringstream out;
      node.visit([&out](auto const& element) {
        if constexpr (toml::is_value<decltype(element)>) out << element;
      });
      value = out.str();
    } else {
      fail_type(node, name.c_str(), "a text, a number, true or false");
    }
    result.push_back({name, value, static_cast<int>(node.source().begin.line)});
  }
  return result;
}

void TomlTable::expect_no_more() const {
  for (auto const& [key, node] : *table_)
    if (std::find(known_.begin(), known_.end(), key.str()) == known_.end())
      fail_at(node.source(),
              fmt::format("unknown key '{}'; known are {}", std::string(key.str()), fmt::join(known_, ", ")));
}

toml::table read_toml(std::filesystem::path const& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  try {
    return toml::parse(text.str(), path.string());
  } catch (toml::parse_error const& error) {
    throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), static_cast<int>(error.source().begin.line),
                                         std::string(error.description())));
  }
}

}  // namespace examples
