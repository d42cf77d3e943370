#include <sparse/app/cases/toml_table.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace sparse::app {

struct TomlTable::Content {
  std::filesystem::path path;
  std::shared_ptr<toml::table const> file;
  toml::table const* table;  // part of the file
  std::string name;          // name of the table for messages, such as "[domain]"; empty for the file as a whole
  std::vector<std::string> known = {};

  toml::node const* find(char const* key) {
    if (std::find(known.begin(), known.end(), key) == known.end()) known.emplace_back(key);
    return table->get(key);
  }
  TomlTable part(toml::table const& of_table, std::string const& of_name) const {
    return TomlTable(std::make_shared<Content>(Content{path, file, &of_table, of_name}));
  }
  [[noreturn]] void fail_at(toml::source_region const& place, std::string const& reason) const {
    throw std::runtime_error(fmt::format("{}:{}: {}{}{}", path.string(), static_cast<int>(place.begin.line), name,
                                         name.empty() ? "" : ": ", reason));
  }
  [[noreturn]] void fail_type(toml::node const& node, char const* key, char const* wanted) const {
    fail_at(node.source(), fmt::format("{} must be {}", key, wanted));
  }
  double finite(toml::node const& node, char const* key) const {
    auto const value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !std::isfinite(*value)) fail_type(node, key, "a finite number");
    return *value;
  }
  void append(std::vector<double>& values, toml::node const& node, char const* key) const {
    if (auto const* const array = node.as_array())
      for (auto const& element : *array) append(values, element, key);
    else
      values.push_back(finite(node, key));
  }
};

void TomlTable::fail(std::string const& reason) const { content_->fail_at(content_->table->source(), reason); }
void TomlTable::fail(char const* key, std::string const& reason) const {
  auto const* const node = content_->table->get(key);
  content_->fail_at(node != nullptr ? node->source() : content_->table->source(), fmt::format("{}: {}", key, reason));
}

bool TomlTable::has(char const* key) { return content_->find(key) != nullptr; }

std::optional<double> TomlTable::number(char const* key) {
  auto const* const node = content_->find(key);
  return node == nullptr ? std::nullopt : std::optional(content_->finite(*node, key));
}

std::optional<double> TomlTable::positive(char const* key) {
  auto const value = number(key);
  if (value && !(*value > 0)) fail(key, "must be greater than 0");
  return value;
}

std::optional<std::string> TomlTable::text(char const* key) {
  auto const* const node = content_->find(key);
  if (node == nullptr) return {};
  if (!node->is_string()) content_->fail_type(*node, key, "a text");
  return node->value<std::string>();
}

std::optional<bool> TomlTable::truth(char const* key) {
  auto const* const node = content_->find(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) content_->fail_type(*node, key, "true or false");
  return node->value<bool>();
}

std::optional<std::vector<double>> TomlTable::numbers(char const* key, std::size_t least, std::size_t most) {
  auto const* const node = content_->find(key);
  if (node == nullptr) return {};
  std::vector<double> values;
  content_->append(values, *node, key);
  if (!node->is_array() || values.size() < least || values.size() > most)
    fail(key, least == most ? fmt::format("must be an array of {} numbers", least)
                            : fmt::format("must be an array of {} numbers at least", least));
  return values;
}

std::optional<std::vector<std::string>> TomlTable::texts(char const* key) {
  auto const* const node = content_->find(key);
  if (node == nullptr) return {};
  std::vector<std::string> values;
  if (!node->is_array()) content_->fail_type(*node, key, "an array of texts");
  for (auto const& element : *node->as_array()) {
    if (!element.is_string()) content_->fail_type(element, key, "an array of texts");
    values.push_back(*element.value<std::string>());
  }
  return values;
}

std::optional<TomlTable> TomlTable::table(char const* key) {
  auto const* const node = content_->find(key);
  if (node == nullptr) return {};
  if (!node->is_table()) content_->fail_type(*node, key, "a table");
  return content_->part(*node->as_table(), fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::tables(char const* key) {
  std::vector<TomlTable> result;
  auto const* const node = content_->find(key);
  if (node == nullptr) return result;
  if (!node->is_array_of_tables())
    content_->fail_type(*node, key, fmt::format("an array of tables, [[{}]]", key).c_str());
  for (auto const& element : *node->as_array())
    result.push_back(content_->part(*element.as_table(), fmt::format("[[{}]]", key)));
  return result;
}

std::vector<TomlTable::Entry> TomlTable::entries() {
  std::vector<Entry> result;
  for (auto const& [key, node] : *content_->table) {
    std::string const name(key.str());
    content_->known.push_back(name);
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
      content_->fail_type(node, name.c_str(), "a text, a number, true or false");
    }
    result.push_back({name, value, static_cast<int>(node.source().begin.line)});
  }
  return result;
}

std::string TomlTable::json_without(std::vector<std::string> const& keys) {
  toml::table rest;
  for (auto const& [key, node] : *content_->table) {
    std::string const name(key.str());
    content_->known.push_back(name);
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) rest.insert(key.str(), node);
  }
  std::ostringstream out;
  out << toml::json_formatter{rest};
  return out.str();
}

std::string TomlTable::lines_without(std::vector<std::string> const& keys) const {
  std::string lines;
  for (auto const& [key, node] : *content_->table) {
    std::string const name(key.str());
    if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
    toml::table one;
    one.insert(key.str(), node);
    std::ostringstream out;
    out << toml::json_formatter{one};
    std::istringstream words(out.str());
    for (std::string word; words >> word;) lines += word;
    lines += "\n";
  }
  return lines;
}

void TomlTable::expect_no_more() const {
  for (auto const& [key, node] : *content_->table)
    if (std::find(content_->known.begin(), content_->known.end(), key.str()) == content_->known.end())
      content_->fail_at(node.source(), fmt::format("unknown key '{}'; known are {}", std::string(key.str()),
                                                   fmt::join(content_->known, ", ")));
}

TomlTable read_toml(std::filesystem::path const& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  try {
    auto const table = std::make_shared<toml::table const>(toml::parse(text.str(), path.string()));
    return TomlTable(std::make_shared<TomlTable::Content>(TomlTable::Content{path, table, table.get(), ""}));
  } catch (toml::parse_error const& error) {
    throw std::runtime_error(fmt::format("{}:{}: {}", path.string(), static_cast<int>(error.source().begin.line),
                                         std::string(error.description())));
  }
}

}  // namespace sparse::app
