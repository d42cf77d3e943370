#include "command.hpp"

#include <cmath>
#include <cstdio>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparse::live {
namespace {

using Json = nlohmann::json;

/// Reads the keys of an object; each key must be read.
class Keys {
public:
  explicit Keys(Json const& object) : object_(object) {}

  std::optional<double> number(char const* key, double least = -1e300, double greatest = 1e300) {
    Json const* const value = find(key);
    if (value == nullptr) return {};
    if (!value->is_number()) fail(key, "must be a number");
    double const x = value->get<double>();
    if (!(x >= least && x <= greatest)) fail(key, fmt::format("must be from {:g} to {:g}", least, greatest));
    return x;
  }
  std::optional<std::size_t> count(char const* key, double least, double greatest) {
    auto const x = number(key, least, greatest);
    if (!x) return {};
    if (*x != std::floor(*x)) fail(key, "must be a whole number");
    return static_cast<std::size_t>(*x);
  }
  std::optional<bool> truth(char const* key) {
    Json const* const value = find(key);
    if (value == nullptr) return {};
    if (!value->is_boolean()) fail(key, "must be true or false");
    return value->get<bool>();
  }
  std::optional<std::string> text(char const* key) {
    Json const* const value = find(key);
    if (value == nullptr) return {};
    if (!value->is_string()) fail(key, "must be a text");
    return value->get<std::string>();
  }
  std::optional<Point> point(char const* key) {
    Json const* const value = find(key);
    if (value == nullptr) return {};
    if (!value->is_array() || value->size() != 2) fail(key, "must be two numbers");
    Point x;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (!(*value)[axis].is_number()) fail(key, "must be two numbers");
      double const part = (*value)[axis].get<double>();
      if (!(std::abs(part) <= 1e9)) fail(key, "is too far away");
      x[static_cast<int>(axis)] = part;
    }
    return x;
  }
  std::optional<io::Colour> colour(char const* key) {
    auto const text = this->text(key);
    if (!text) return {};
    unsigned red = 0, green = 0, blue = 0;
    int end = 0;
    if (text->size() != 7 || std::sscanf(text->c_str(), "#%2x%2x%2x%n", &red, &green, &blue, &end) != 3 || end != 7)
      fail(key, "must be a colour like #c81e32");
    return io::Colour{static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green),
                      static_cast<std::uint8_t>(blue)};
  }
  template <class Value>
  std::optional<Value> choice(char const* key, std::vector<std::pair<std::string, Value>> const& choices) {
    auto const wanted = text(key);
    if (!wanted) return {};
    for (auto const& [name, value] : choices)
      if (name == *wanted) return value;
    fail(key, "is unknown: " + *wanted);
  }
  template <class Value>
  Value required(std::optional<Value> const& value, char const* key) {
    if (!value) fail(key, "is missing");
    return *value;
  }
  void expect_no_more() {
    for (auto const& [key, value] : object_.items())
      if (!read_.contains(key)) fail(key.c_str(), "is an unknown key");
  }
  [[noreturn]] void fail(char const* key, std::string const& reason) {
    throw std::runtime_error(fmt::format("command: '{}' {}", key, reason));
  }

private:
  Json const* find(char const* key) {
    read_.insert(key);
    auto const found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  Json const& object_;
  std::set<std::string> read_;
};

Stroke read_stroke(Keys& keys, bool erases) {
  Stroke stroke;
  stroke.erases = erases;
  auto const tool = keys.text("tool").value_or("brush");
  if (tool != "brush" && tool != "line" && tool != "box") keys.fail("tool", "must be brush, line or box");
  stroke.is_box = tool == "box";
  stroke.from = keys.required(keys.point("from"), "from");
  auto const to = keys.point("to");
  if (tool != "brush") keys.required(to, "to");
  stroke.to = to.value_or(stroke.from);
  if (!stroke.is_box) stroke.radius = keys.required(keys.number("radius", 0, 1e9), "radius");
  return stroke;
}

AddEmitter read_emitter(Keys& keys) {
  AddEmitter emitter;
  emitter.at = keys.required(keys.point("at"), "at");
  emitter.radius = keys.number("radius", 0, 1e9).value_or(0);
  emitter.colour = keys.colour("colour").value_or(emitter.colour);
  emitter.jet = keys.point("jet");
  return emitter;
}

ChangeEmitter read_change(Keys& keys) {
  return {keys.required(keys.count("number", 0, 1e6), "number"),
          keys.point("to"),
          keys.number("radius", 1e-9, 1e9),
          keys.colour("colour"),
          keys.truth("on"),
          keys.point("jet")};
}

Settings read_settings(Keys& keys) {
  Settings s;
  s.re = keys.number("re", 1e-3, 1e12);
  s.speed = keys.number("speed", 0.01, 10);
  s.decay = keys.number("decay", 0, 1e6);
  if (auto const steps = keys.count("steps", 1, 1000)) s.steps = static_cast<int>(*steps);
  s.view = keys.choice("view", view_names);
  s.map = keys.choice<io::ColourMap>("map", {{"viridis", io::ColourMap::viridis},
                                             {"inferno", io::ColourMap::inferno},
                                             {"coolwarm", io::ColourMap::coolwarm}});
  if (auto const range = keys.point("range")) {
    if (!((*range)[0] < (*range)[1])) keys.fail("range", "must increase");
    s.range = std::array<double, 2>{(*range)[0], (*range)[1]};
  }
  s.follows = keys.truth("follows");
  s.outlines = keys.truth("outlines");
  return s;
}

Command read_command(Keys& keys) {
  std::string const verb = keys.required(keys.text("do"), "do");
  if (verb == "draw" || verb == "erase") return read_stroke(keys, verb == "erase");
  if (verb == "add_emitter") return read_emitter(keys);
  if (verb == "change_emitter") return read_change(keys);
  if (verb == "remove_emitter") return RemoveEmitter{keys.required(keys.count("number", 0, 1e6), "number")};
  if (verb == "pin") return Pin{keys.required(keys.point("at"), "at")};
  if (verb == "unpin") return Unpin{keys.required(keys.count("number", 0, 1e6), "number")};
  if (verb == "add_streamline") return AddStreamline{keys.required(keys.point("at"), "at")};
  if (verb == "clear_streamlines") return ClearStreamlines{};
  if (verb == "hover") return Hover{keys.point("at")};
  if (verb == "set") return read_settings(keys);
  if (verb == "pause") return Pause{keys.truth("on").value_or(true)};
  if (verb == "step") return SingleStep{};
  if (verb == "reset") return Reset{};
  if (verb == "load") return Load{keys.required(keys.text("name"), "name")};
  if (verb == "picture") return SavePicture{};
  if (verb == "film") return Film{keys.truth("on").value_or(true)};
  if (verb == "save") return Save{};
  keys.fail("do", "is unknown: " + verb);
}

}  // namespace

Command command_from_json(std::string const& text) {
  Json object;
  try {
    object = Json::parse(text);
  } catch (Json::exception const&) {
    throw std::runtime_error("command: it is no JSON");
  }
  if (!object.is_object()) throw std::runtime_error("command: it is no JSON object");
  Keys keys(object);
  Command command = read_command(keys);
  keys.expect_no_more();
  return command;
}

}  // namespace sparse::live
