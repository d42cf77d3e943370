#include <sparse/app/cases/case_writer.hpp>

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparse::app {
namespace {

using sparse::BoundaryKind;

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    auto const code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (code < 32 || code == 127)
      result += fmt::format("\\u{:04x}", code);
    else
      result += c;
  }
  return result + '"';
}

char const* name_of(BoundaryKind kind) {
  switch (kind) {
  case BoundaryKind::wall:
    return "wall";
  case BoundaryKind::no_slip:
    return "no_slip";
  case BoundaryKind::inflow:
    return "inflow";
  case BoundaryKind::outflow:
    return "outflow";
  default:
    return "periodic";
  }
}

bool is_number(std::string const& text) {
  double value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

/// Collects lines of a TOML file.
class TomlText {
public:
  explicit TomlText(int dim) : dim_(static_cast<std::size_t>(dim)) {}

  void comment(std::string const& text) { lines_ += "# " + text + "\n"; }
  void table(char const* name) { lines_ += fmt::format("\n[{}]\n", name); }
  void element(char const* name) { lines_ += fmt::format("\n[[{}]]\n", name); }
  void number(char const* key, double value) { lines_ += fmt::format("{} = {}\n", key, value); }
  void number(char const* key, std::optional<double> const& value) {
    if (value) number(key, *value);
  }
  void numbers(char const* key, std::vector<double> const& values) {
    lines_ += fmt::format("{} = [{}]\n", key, fmt::join(values, ", "));
  }
  void point(char const* key, Triple const& x) {
    numbers(key, std::vector<double>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(dim_)));
  }
  void text(char const* key, std::string const& value) { raw(key, quoted(value)); }
  void truth(char const* key, bool value) { raw(key, value ? "true" : "false"); }
  void texts(char const* key, std::vector<std::string> const& values) {
    std::vector<std::string> all;
    for (auto const& value : values) all.push_back(quoted(value));
    raw(key, fmt::format("[{}]", fmt::join(all, ", ")));
  }
  void colour(char const* key, sparse::io::Colour const& c) {
    text(key, fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]));
  }
  void raw(char const* key, std::string const& value) { lines_ += fmt::format("{} = {}\n", key, value); }

  void shape(CaseShape const& s) {
    using Kind = CaseShape::Kind;
    switch (s.kind) {
    case Kind::bitmap:
      text("bitmap", s.text);
      return numbers("rectangle", s.numbers);
    case Kind::stl:
      text("stl", s.text);
      numbers("origin", {s.numbers.begin(), s.numbers.begin() + 3});
      return number("unit", s.numbers[3]);
    case Kind::cells:
      return text("cells", s.text);
    default:
      char const* const names[] = {"box", "ball", "ellipsoid", "capsule", "polygon"};
      numbers(names[static_cast<int>(s.kind)], s.numbers);
    }
  }
  void side(CaseSide const& side) {
    char const* const names[3][2] = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
    text("side", names[side.axis][side.side == sparse::FaceSide::lower ? 0 : 1]);
    std::vector<double> range;
    for (auto const& [from, to] : side.range) range.insert(range.end(), {from, to});
    if (!range.empty()) numbers("range", range);
  }
  template <class Wall>
  void heat(Wall const& wall) {
    number("temperature", wall.temperature);
    number("heat_flux", wall.heat_flux);
  }
  void gas(CaseGas const& gas) {
    number("density", gas.density);
    number("pressure", gas.pressure);
    point("velocity", gas.velocity);
  }

  void begin(Case const& c) {
    if (!c.description.empty()) text("description", c.description);
    table("domain");
    point("size", c.size);
    std::vector<double> cells;
    for (std::size_t axis = 0; axis < dim_; ++axis) cells.push_back(c.cells[axis]);
    numbers("cells", cells);
  }
  void end(Case const& c, std::vector<CaseOption> const& options) {
    for (CaseReference const& reference : c.references) {
      element("reference");
      for (auto const& [name, value] : reference.numbers) number(name.c_str(), value);
      table("reference.results");
      for (auto const& [name, value] : reference.results) number(quoted(name).c_str(), value);
    }
    if (options.empty()) return;
    table("run");
    for (CaseOption const& option : options) {
      bool const is_plain = is_number(option.value) || option.value == "true" || option.value == "false";
      raw(option.name.c_str(), is_plain ? option.value : quoted(option.value));
    }
  }
  void places(Case const& c) {
    for (CaseProfile const& profile : c.profiles) {
      element("profile");
      point("from", profile.from);
      point("to", profile.to);
      number("count", profile.count);
    }
  }
  void outputs(Case const& c) {
    table("output");
    texts("pictures", c.pictures);
    std::vector<double> probes;
    for (Triple const& probe : c.probes)
      probes.insert(probes.end(), probe.begin(), probe.begin() + static_cast<std::ptrdiff_t>(dim_));
    if (!probes.empty()) numbers("probes", probes);
  }

  std::string const& lines() const { return lines_; }

private:
  std::size_t dim_;
  std::string lines_;
};

void write_fluid(TomlText& out, FlowCase const& c) {
  out.table("fluid");
  if (!c.ra) out.number("re", c.re);
  out.number("pr", c.pr);
  out.number("ra", c.ra);
  if (c.beta != 0) out.number("beta", c.beta);
  if (c.gravity != Triple{}) out.point("gravity", c.gravity);
  out.number("velocity", c.velocity);
  out.number("length", c.length);
  out.table("start");
  out.point("velocity", c.start_velocity);
  out.number("temperature", c.start_temperature);
}

void write_boundary(TomlText& out, CaseBoundary const& b) {
  out.element("boundary");
  out.side(b);
  out.text("kind", name_of(b.kind));
  if (b.kind == BoundaryKind::no_slip || b.kind == BoundaryKind::inflow) out.point("velocity", b.velocity);
  if (b.is_parabola) out.truth("parabola", true);
  out.heat(b);
}

std::string text_of(FlowCase const& c, std::vector<CaseOption> const& options) {
  TomlText out(c.dim);
  out.begin(c);
  out.text("walls", name_of(c.walls));
  if (c.pads_thin) out.truth("pad_thin", true);
  write_fluid(out, c);
  for (CaseBoundary const& b : c.boundaries) write_boundary(out, b);
  for (CaseObstacle const& o : c.obstacles) {
    out.element("obstacle");
    out.shape(o.shape);
    out.text("kind", name_of(o.kind));
    out.point("velocity", o.velocity);
    out.heat(o);
  }
  for (CaseHeat const& h : c.heats) {
    out.element("heat");
    out.shape(h.shape);
    out.number("strength", h.strength);
  }
  for (CaseInk const& ink : c.inks) {
    out.element("ink");
    out.shape(ink.shape);
    out.colour("colour", ink.colour);
    if (std::isfinite(ink.until)) out.number("until", ink.until);
    if (ink.jet) out.point("jet", *ink.jet);
  }
  out.places(c);
  for (CaseWall const& wall : c.measured_walls) {
    out.element("wall");
    out.text("name", wall.name);
    out.side({wall.normal, wall.side});
    out.point("from", wall.from);
    out.point("to", wall.to);
  }
  out.outputs(c);
  out.colour("background", c.background);
  if (c.flow.run.film_interval > 0) out.number("film_interval", c.flow.run.film_interval);
  out.end(c, options);
  return out.lines();
}

void write_inflow(TomlText& out, GasCase const& c) {
  out.table("gas");
  out.number("gamma", c.gamma);
  out.number("viscosity", c.viscosity);
  if (c.viscosity) out.number("prandtl", c.prandtl);
  out.number("area", c.area);
  out.table("inflow");
  if (c.mach) {
    out.number("density", c.inflow.density);
    out.number("pressure", c.inflow.pressure);
    out.number("mach", c.mach);
    out.point("direction", c.inflow.velocity);
  } else {
    out.gas(c.inflow);
  }
}

std::string text_of(GasCase const& c, std::vector<CaseOption> const& options) {
  TomlText out(c.dim);
  out.begin(c);
  out.text("walls", name_of(c.walls));
  write_inflow(out, c);
  if (c.start) {
    out.table("start");
    out.gas(*c.start);
  }
  for (CaseStart const& start : c.starts) {
    out.element("region");
    out.shape(start.shape);
    out.gas(start.state);
  }
  for (GasBoundary const& b : c.boundaries) {
    out.element("boundary");
    out.side(b);
    out.text("kind", name_of(b.kind));
    if (b.state) out.gas(*b.state);
    out.number("pressure", b.pressure);
  }
  for (GasObstacle const& o : c.obstacles) {
    out.element("obstacle");
    out.shape(o.shape);
    out.text("kind", name_of(o.kind));
  }
  for (CaseRefinement const& r : c.refinements) {
    out.element("refine");
    if (r.shape) {
      out.shape(*r.shape);
      out.number("levels", r.levels);
      continue;
    }
    char const* const fields[] = {"density", "pressure", "vorticity"};
    out.text("field", fields[static_cast<int>(r.field)]);
    out.number("threshold", r.threshold);
  }
  out.places(c);
  out.outputs(c);
  out.end(c, options);
  return out.lines();
}

}  // namespace

std::string text_of(CaseFile const& file) {
  return std::visit([&](auto const& c) { return text_of(c, file.options); }, file.content);
}

}  // namespace sparse::app
