#include <sparse/app/flow_case.hpp>

#include <cmath>

#include <fmt/format.h>

#include <sparse/app/toml_table.hpp>

namespace sparse::app {
namespace {

using sparse::BoundaryKind;
using sparse::FaceSide;
using Kind = CaseShape::Kind;

Triple triple_of(std::vector<double> const& numbers) {
  Triple result = {};
  std::copy(numbers.begin(), numbers.end(), result.begin());
  return result;
}

/// What every part of a case is read with.
struct Reader {
  FlowCase& c;
  std::size_t dim() const { return static_cast<std::size_t>(c.dim); }

  std::optional<Triple> point(TomlTable& table, char const* key) const {
    auto const numbers = table.numbers(key, dim(), dim());
    return numbers ? std::optional(triple_of(*numbers)) : std::nullopt;
  }

  void domain(TomlTable table) const {
    auto const size = table.required(table.numbers("size", 2, 3), "size");
    c.dim = static_cast<int>(size.size());
    c.size = triple_of(size);
    auto const cells = table.required(table.numbers("cells", dim(), dim()), "cells");
    for (std::size_t axis = 0; axis < dim(); ++axis) {
      if (!(c.size[axis] > 0)) table.fail("size", "must be greater than 0");
      if (!(cells[axis] >= 2 && cells[axis] <= 1 << 20 && cells[axis] == std::floor(cells[axis])))
        table.fail("cells", "must be whole numbers from 2 on");
      c.cells[axis] = static_cast<int>(cells[axis]);
    }
    c.walls =
        table.choice<BoundaryKind>("walls", {{"no_slip", BoundaryKind::no_slip}, {"free_slip", BoundaryKind::wall}})
            .value_or(c.walls);
    c.pads_thin = table.truth("pad_thin").value_or(false);
    table.expect_no_more();
  }

  void fluid(TomlTable table) const {
    auto const re = table.positive("re");
    c.pr = table.positive("pr");
    c.ra = table.positive("ra");
    if (c.ra && re) table.fail("re", "follows from ra and pr");
    if (c.ra && !c.pr) table.fail("ra", "needs pr, too");
    c.re = re.value_or(c.re);
    c.beta = table.number("beta").value_or(0);
    if (c.beta != 0 && (c.ra || !c.pr)) table.fail("beta", c.ra ? "follows from ra" : "needs pr, too");
    c.gravity = point(table, "gravity").value_or(c.gravity);
    c.velocity = table.positive("velocity").value_or(c.velocity);
    c.length = table.positive("length").value_or(c.length);
    table.expect_no_more();
  }

  void start(TomlTable table) const {
    c.start_velocity = point(table, "velocity").value_or(c.start_velocity);
    c.start_temperature = table.number("temperature").value_or(0);
    table.expect_no_more();
  }

  void boundary(TomlTable table) const {
    CaseBoundary b;
    using Side = std::pair<int, FaceSide>;
    auto const side = table.required(table.choice<Side>("side", {{"left", {0, FaceSide::lower}},
                                                                 {"right", {0, FaceSide::upper}},
                                                                 {"bottom", {1, FaceSide::lower}},
                                                                 {"top", {1, FaceSide::upper}},
                                                                 {"back", {2, FaceSide::lower}},
                                                                 {"front", {2, FaceSide::upper}}}),
                                     "side");
    b.axis = side.first;
    b.side = side.second;
    if (b.axis >= c.dim) table.fail("side", "is one of three dimensions");
    std::size_t const count = c.dim == 2 ? 2 : 4;
    if (auto const range = table.numbers("range", count, count))
      for (std::size_t i = 0; i < count; i += 2) {
        if (!((*range)[i] < (*range)[i + 1])) table.fail("range", "must increase");
        b.range.push_back({(*range)[i], (*range)[i + 1]});
      }
    b.kind = table.required(table.choice<std::optional<BoundaryKind>>("kind", {{"no_slip", BoundaryKind::no_slip},
                                                                               {"free_slip", BoundaryKind::wall},
                                                                               {"inflow", BoundaryKind::inflow},
                                                                               {"outflow", BoundaryKind::outflow},
                                                                               {"periodic", std::nullopt}}),
                            "kind");
    bool const is_periodic = !b.kind;
    if (is_periodic && !b.range.empty()) table.fail("range", "periodic sides are whole");
    for (CaseBoundary const& other : c.boundaries)
      if (other.axis == b.axis && !other.kind != is_periodic)
        table.fail("kind", "along an axis both sides are periodic or none is");
    auto const velocity = point(table, "velocity");
    bool const has_velocity = b.kind == BoundaryKind::no_slip || b.kind == BoundaryKind::inflow;
    if (velocity && !has_velocity) table.fail("velocity", "is for no_slip and inflow");
    if (b.kind == BoundaryKind::inflow) table.required(velocity, "velocity");
    b.velocity = velocity.value_or(b.velocity);
    b.is_parabola = table.truth("parabola").value_or(false);
    if (b.is_parabola && b.kind != BoundaryKind::inflow) table.fail("parabola", "is for inflows");
    b.temperature = temperature(table);
    if (b.temperature && (is_periodic || b.kind == BoundaryKind::outflow))
      table.fail("temperature", "is for walls and inflows");
    table.expect_no_more();
    c.boundaries.push_back(b);
  }

  std::optional<double> temperature(TomlTable& table) const {
    auto const value = table.number("temperature");
    if (value && !c.has_temperature()) table.fail("temperature", "needs pr in [fluid]");
    return value;
  }

  /// The one shape among a table's keys.
  CaseShape shape(TomlTable& table) const {
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
    if (!found) table.fail("a shape is missing: box, ball, ellipsoid, capsule, polygon, bitmap, stl or cells");
    expect_possible(table, *found);
    return *found;
  }

  void expect_possible(TomlTable& table, CaseShape const& shape) const {
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
    if (is_file && !std::filesystem::is_regular_file(c.folder / shape.text))
      table.fail(shape.kind == Kind::stl ? "stl" : "bitmap", "there is no file " + (c.folder / shape.text).string());
  }

  void obstacle(TomlTable table) const {
    CaseObstacle o{shape(table)};
    o.kind = table.choice<BoundaryKind>("kind", {{"no_slip", BoundaryKind::no_slip}, {"free_slip", BoundaryKind::wall}})
                 .value_or(o.kind);
    o.velocity = point(table, "velocity").value_or(o.velocity);
    o.temperature = temperature(table);
    table.expect_no_more();
    c.obstacles.push_back(o);
  }

  sparse::io::Colour colour(TomlTable& table, char const* key, std::string const& text) const {
    unsigned red = 0, green = 0, blue = 0;
    int end = 0;
    if (text.size() != 7 || std::sscanf(text.c_str(), "#%2x%2x%2x%n", &red, &green, &blue, &end) != 3 || end != 7)
      table.fail(key, "'" + text + "' is no colour like #c81e32");
    return {static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(green), static_cast<std::uint8_t>(blue)};
  }

  void ink(TomlTable table) const {
    CaseInk i{shape(table)};
    i.colour = colour(table, "colour", table.required(table.text("colour"), "colour"));
    i.until = table.positive("until").value_or(i.until);
    table.expect_no_more();
    c.inks.push_back(i);
  }

  void profile(TomlTable table) const {
    CaseProfile p;
    p.from = table.required(point(table, "from"), "from");
    p.to = table.required(point(table, "to"), "to");
    double const count = table.number("count").value_or(p.count);
    if (!(count >= 2 && count <= 1e6 && count == std::floor(count)))
      table.fail("count", "must be a whole number from 2 on");
    p.count = static_cast<int>(count);
    table.expect_no_more();
    c.profiles.push_back(p);
  }

  void output(TomlTable table) const {
    c.pictures = table.texts("pictures").value_or(c.pictures);
    for (auto const& name : c.pictures) expect_picture(table, name);
    if (auto const text = table.text("background")) c.background = colour(table, "background", *text);
    if (auto const numbers = table.numbers("probes", 0, 1 << 20)) {
      if (numbers->size() % dim() != 0) table.fail("probes", fmt::format("must have {} numbers each", dim()));
      for (std::size_t i = 0; i < numbers->size(); i += dim()) {
        Triple probe = {};
        for (std::size_t axis = 0; axis < dim(); ++axis) probe[axis] = (*numbers)[i + axis];
        c.probes.push_back(probe);
      }
    }
    table.expect_no_more();
  }

  void expect_picture(TomlTable& table, std::string const& name) const {
    bool const is_known = name == "velocity" || name == "vorticity" || name == "pressure" ||
                          (name == "temperature" && c.has_temperature()) || (name == "ink" && !c.inks.empty()) ||
                          ((name == "streaks" || name == "stream_function") && c.dim == 2);
    if (!is_known)
      table.fail("pictures",
                 "there is no '" + name +
                     "' to draw; there are velocity, vorticity, pressure, with pr temperature, with ink ink, "
                     "in two dimensions stream_function and streaks");
  }
};

}  // namespace

double FlowCase::viscosity() const { return ra ? std::sqrt(*pr / *ra) : 1 / re; }
double FlowCase::diffusivity() const { return viscosity() / pr.value(); }

CaseFile read_case(std::filesystem::path const& path) {
  TomlTable file = read_toml(path);
  CaseFile result;
  result.flow_case.folder = path.parent_path();
  Reader const read{result.flow_case};
  TomlTable const domain = file.required(file.table("domain"), "[domain]");
  read.domain(domain);
  if (auto table = file.table("fluid")) read.fluid(*table);
  if (auto table = file.table("start")) read.start(*table);
  for (auto& table : file.tables("boundary")) read.boundary(table);
  for (CaseBoundary const& boundary : result.flow_case.boundaries)
    if (!boundary.kind && result.flow_case.pads_thin) domain.fail("pad_thin", "knows no periodic sides");
  for (auto& table : file.tables("obstacle")) read.obstacle(table);
  for (auto& table : file.tables("ink")) read.ink(table);
  for (auto& table : file.tables("profile")) read.profile(table);
  if (auto table = file.table("output")) read.output(*table);
  if (auto table = file.table("run")) {
    for (auto const& entry : table->entries()) {
      result.options.emplace_back(entry.key, entry.value);
      result.option_lines.push_back(entry.line);
    }
  }
  file.expect_no_more();
  return result;
}

}  // namespace sparse::app
