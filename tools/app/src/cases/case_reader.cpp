#include "case_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace sparse::app {
namespace {

using Kind = CaseShape::Kind;

constexpr char shape_names[] = "box, ball, ellipsoid, capsule, polygon, bitmap, stl or cells";

Triple triple_of(std::vector<double> const& numbers) {
  Triple result = {};
  std::copy(numbers.begin(), numbers.end(), result.begin());
  return result;
}

}  // namespace

std::optional<Triple> CaseReader::point(TomlTable& table, char const* key) const {
  auto const numbers = table.numbers(key, dim(), dim());
  return numbers ? std::optional(triple_of(*numbers)) : std::nullopt;
}

void CaseReader::box(TomlTable& table) const {
  auto const size = table.required(table.numbers("size", 2, 3), "size");
  c_.dim = static_cast<int>(size.size());
  c_.size = triple_of(size);
  auto const cells = table.required(table.numbers("cells", dim(), dim()), "cells");
  for (std::size_t axis = 0; axis < dim(); ++axis) {
    if (!(c_.size[axis] > 0)) table.fail("size", "must be greater than 0");
    if (!(cells[axis] >= 2 && cells[axis] <= 1 << 20 && cells[axis] == std::floor(cells[axis])))
      table.fail("cells", "must be whole numbers from 2 on");
    c_.cells[axis] = static_cast<int>(cells[axis]);
  }
}

CaseSide CaseReader::side_of_box(TomlTable& table) const {
  using sparse::FaceSide;
  using Place = std::pair<int, FaceSide>;
  auto const place = table.required(table.choice<Place>("side", {{"left", {0, FaceSide::lower}},
                                                                 {"right", {0, FaceSide::upper}},
                                                                 {"bottom", {1, FaceSide::lower}},
                                                                 {"top", {1, FaceSide::upper}},
                                                                 {"back", {2, FaceSide::lower}},
                                                                 {"front", {2, FaceSide::upper}}}),
                                    "side");
  if (place.first >= c_.dim) table.fail("side", "is one of three dimensions");
  return {place.first, place.second};
}

CaseSide CaseReader::side(TomlTable& table) const {
  CaseSide result = side_of_box(table);
  std::size_t const count = c_.dim == 2 ? 2 : 4;
  if (auto const range = table.numbers("range", count, count))
    for (std::size_t i = 0; i < count; i += 2) {
      if (!((*range)[i] < (*range)[i + 1])) table.fail("range", "must increase");
      result.range.push_back({(*range)[i], (*range)[i + 1]});
    }
  return result;
}

CaseShape CaseReader::shape(TomlTable& table) const {
  auto const found = find_shape(table);
  if (!found) table.fail(fmt::format("a shape is missing: {}", shape_names));
  expect_possible(table, *found);
  return *found;
}

bool CaseReader::has_shape(TomlTable& table) const { return find_shape(table).has_value(); }

std::optional<CaseShape> CaseReader::find_shape(TomlTable& table) const {
  std::optional<CaseShape> found;
  auto const take = [&](char const* key, Kind kind, std::optional<std::vector<double>> const& numbers,
                        std::string const& text = {}) {
    if (!numbers) return;
    if (found) table.fail(key, "is a second shape");
    found = CaseShape{kind, *numbers, text};
  };
  std::size_t const n = dim();
  take("box", Kind::box, table.numbers("box", 2 * n, 2 * n));
  take("ball", Kind::ball, table.numbers("ball", n + 1, n + 1));
  take("ellipsoid", Kind::ellipsoid, table.numbers("ellipsoid", 2 * n, 2 * n));
  take("capsule", Kind::capsule, table.numbers("capsule", 2 * n + 1, 2 * n + 1));
  take("polygon", Kind::polygon, table.numbers("polygon", 6, 1 << 20));
  if (n != 2 && table.has("polygon")) table.fail("polygon", "is for two dimensions");
  if (table.has("polygon") && found->numbers.size() % 2 != 0) table.fail("polygon", "must have pairs of numbers");
  if (auto const path = table.text("bitmap")) {
    if (n != 2) table.fail("bitmap", "is for two dimensions");
    take("bitmap", Kind::bitmap, table.required(table.numbers("rectangle", 4, 4), "rectangle"), *path);
  }
  if (auto const path = table.text("stl")) {
    if (n != 3) table.fail("stl", "is for three dimensions");
    auto numbers = table.numbers("origin", 3, 3).value_or(std::vector<double>(3, 0));
    numbers.push_back(table.positive("unit").value_or(1));
    take("stl", Kind::stl, numbers, *path);
  }
  if (auto const text = table.text("cells")) take("cells", Kind::cells, std::vector<double>(), *text);
  return found;
}

void CaseReader::expect_possible(TomlTable& table, CaseShape const& shape) const {
  auto const& x = shape.numbers;
  std::size_t const n = dim();
  if (shape.kind == Kind::box)
    for (std::size_t axis = 0; axis < n; ++axis)
      if (!(x[axis] < x[n + axis])) table.fail("box", "must have its lower corner first");
  std::size_t const first_radius = shape.kind == Kind::capsule ? 2 * n : n;
  if (shape.kind == Kind::ball || shape.kind == Kind::ellipsoid || shape.kind == Kind::capsule)
    for (std::size_t i = first_radius; i < x.size(); ++i)
      if (!(x[i] > 0)) table.fail("radii must be greater than 0");
  bool const is_file = shape.kind == Kind::bitmap || shape.kind == Kind::stl;
  if (is_file && !std::filesystem::is_regular_file(c_.folder / shape.text))
    table.fail(shape.kind == Kind::stl ? "stl" : "bitmap", "there is no file " + (c_.folder / shape.text).string());
}

sparse::io::Colour CaseReader::colour(TomlTable& table, char const* key, std::string const& text) const {
  unsigned red = 0, green = 0, blue = 0;
  int end = 0;
  if (text.size() != 7 || std::sscanf(text.c_str(), "#%2x%2x%2x%n", &red, &green, &blue, &end) != 3 || end != 7)
    table.fail(key, "'" + text + "' is no colour like #c81e32");
  return {static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green), static_cast<std::uint8_t>(blue)};
}

void CaseReader::profile(TomlTable table) const {
  CaseProfile p;
  p.from = table.required(point(table, "from"), "from");
  p.to = table.required(point(table, "to"), "to");
  double const count = table.number("count").value_or(p.count);
  if (!(count >= 2 && count <= 1e6 && count == std::floor(count)))
    table.fail("count", "must be a whole number from 2 on");
  p.count = static_cast<int>(count);
  table.expect_no_more();
  c_.profiles.push_back(p);
}

void CaseReader::probes(TomlTable& output) const {
  auto const numbers = output.numbers("probes", 0, 1 << 20);
  if (!numbers) return;
  if (numbers->size() % dim() != 0) output.fail("probes", fmt::format("must have {} numbers each", dim()));
  for (std::size_t i = 0; i < numbers->size(); i += dim()) {
    Triple probe = {};
    for (std::size_t axis = 0; axis < dim(); ++axis) probe[axis] = (*numbers)[i + axis];
    c_.probes.push_back(probe);
  }
}

void CaseReader::reference(TomlTable table, std::vector<char const*> const& numbers) const {
  CaseReference reference;
  for (char const* const name : numbers)
    if (auto const number = table.number(name)) reference.numbers[name] = *number;
  auto results = table.required(table.table("results"), "results");
  for (auto const& entry : results.entries()) reference.results[entry.key] = *results.number(entry.key.c_str());
  table.expect_no_more();
  c_.references.push_back(reference);
}

std::map<std::string, double> references_for(Case const& c, std::map<std::string, double> const& numbers) {
  std::map<std::string, double> results;
  for (CaseReference const& reference : c.references) {
    auto const has = [&](auto const& wanted) {
      auto const found = numbers.find(wanted.first);
      return found != numbers.end() && found->second == wanted.second;
    };
    if (std::all_of(reference.numbers.begin(), reference.numbers.end(), has))
      results.insert(reference.results.begin(), reference.results.end());
  }
  return results;
}

}  // namespace sparse::app
