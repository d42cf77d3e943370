#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

#include <sparse/app/nodes/curve.hpp>
#include <sparse/base/vec_products.hpp>

namespace sparse::app {
namespace {

[[noreturn]] void refuse(std::filesystem::path const& path, std::string const& why) {
  throw std::runtime_error(path.string() + ": " + why);
}

/// Reads numbers and commands of SVG, which blanks, commas or semicolons may separate.
class Tokens {
public:
  Tokens(std::filesystem::path const& path, std::string const& text) : path_(path), at_(text.c_str()) {}

  bool at_end() {
    while (*at_ != '\0' && (std::isspace(static_cast<unsigned char>(*at_)) != 0 || *at_ == ',' || *at_ == ';')) ++at_;
    return *at_ == '\0';
  }
  bool at_command() { return !at_end() && std::isalpha(static_cast<unsigned char>(*at_)) != 0; }
  char command() { return *at_++; }
  double number() {
    char* end = nullptr;
    double const value = at_end() ? 0 : std::strtod(at_, &end);
    if (end == nullptr || end == at_ || !std::isfinite(value)) refuse(path_, "a number is missing in its points");
    at_ = end;
    return value;
  }

private:
  std::filesystem::path const& path_;
  char const* at_;
};

std::vector<PlanePoint> points_of_list(Tokens tokens) {
  std::vector<PlanePoint> points;
  while (!tokens.at_end()) {
    double const x = tokens.number();
    points.push_back({x, tokens.number()});
  }
  return points;
}

/// The first closed part of a path. Capital commands give places, small ones differences.
std::vector<PlanePoint> points_of_path(std::filesystem::path const& path, Tokens tokens) {
  std::vector<PlanePoint> points;
  PlanePoint here{};
  for (char command = 'M'; !tokens.at_end();) {
    if (tokens.at_command()) command = tokens.command();
    if (command == 'Z' || command == 'z') break;
    bool const is_place = std::isupper(static_cast<unsigned char>(command)) != 0;
    PlanePoint const from = is_place ? PlanePoint{} : here;
    switch (std::toupper(command)) {
    case 'M':
      if (!points.empty()) return points;
      command = is_place ? 'L' : 'l';  // what follows without a command
      [[fallthrough]];
    case 'L':
      here[0] = from[0] + tokens.number();
      here[1] = from[1] + tokens.number();
      break;
    case 'H':
      here[0] = from[0] + tokens.number();
      break;
    case 'V':
      here[1] = from[1] + tokens.number();
      break;
    default:
      refuse(path, std::string("its path has a curve (command ") + command + "); only straight parts can be read");
    }
    points.push_back(here);
  }
  return points;
}

/// The value of an attribute of the tag that begins at `tag`; empty if it has none.
std::string attribute(std::string const& text, std::size_t tag, std::string const& name) {
  std::string const inside = text.substr(tag, text.find('>', tag) - tag);
  for (std::size_t at = inside.find(name + '='); at != std::string::npos; at = inside.find(name + '=', at + 1)) {
    std::size_t const quote = at + name.size() + 1;
    if (std::isspace(static_cast<unsigned char>(inside[at - 1])) == 0 || quote >= inside.size()) continue;
    return inside.substr(quote + 1, inside.find(inside[quote], quote + 1) - quote - 1);
  }
  return {};
}

std::vector<PlanePoint> points_of_svg(std::filesystem::path const& path, std::string const& text) {
  std::size_t const polygon = std::min(text.find("<polygon"), text.find("<polyline")), line = text.find("<path");
  if (std::min(polygon, line) == std::string::npos) refuse(path, "has no polygon, polyline or path");
  std::string const list = polygon < line ? attribute(text, polygon, "points") : attribute(text, line, "d");
  auto points = polygon < line ? points_of_list({path, list}) : points_of_path(path, {path, list});
  for (PlanePoint& point : points) point[1] = -point[1];
  return points;
}

std::vector<PlanePoint> points_of_csv(std::filesystem::path const& path, std::string const& text) {
  std::vector<PlanePoint> points;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    Tokens tokens(path, line);
    if (tokens.at_end() || tokens.at_command() || line.find('#') != std::string::npos) continue;
    auto const values = points_of_list(tokens);
    if (values.size() != 1) refuse(path, "line " + std::to_string(number) + " has not two numbers");
    points.push_back(values[0]);
  }
  return points;
}

}  // namespace

std::vector<PlanePoint> read_outline(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) refuse(path, "cannot be read");
  bool const is_svg = text.find("<svg") != std::string::npos;
  auto points = is_svg ? points_of_svg(path, text) : points_of_csv(path, text);
  while (points.size() > 1 && points.front() == points.back()) points.pop_back();
  if (points.size() < 3) refuse(path, "has less than three points");
  return points;
}

}  // namespace sparse::app
