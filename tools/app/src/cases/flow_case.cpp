#include <sparse/app/cases/flow_case.hpp>

#include <cmath>

#include <fmt/format.h>

#include "read_case.hpp"

namespace sparse::app {
namespace {

using sparse::BoundaryKind;

/// Reads the parts of a case that only incompressible flows have.
struct FlowReader {
  FlowCase& c;
  CaseReader common{c};

  void domain(TomlTable table) const {
    common.box(table);
    c.walls = table.choice<BoundaryKind>("walls", walls_of_flow).value_or(c.walls);
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
    c.gravity = common.point(table, "gravity").value_or(c.gravity);
    c.velocity = table.positive("velocity").value_or(c.velocity);
    c.length = table.positive("length").value_or(c.length);
    table.expect_no_more();
  }

  void start(TomlTable table) const {
    c.start_velocity = common.point(table, "velocity").value_or(c.start_velocity);
    c.start_temperature = table.number("temperature").value_or(0);
    table.expect_no_more();
  }

  void boundary(TomlTable table) const {
    CaseBoundary b{common.side(table)};
    CaseReader::Kinds kinds = walls_of_flow;
    kinds.insert(
        kinds.end(),
        {{"inflow", BoundaryKind::inflow}, {"outflow", BoundaryKind::outflow}, {"periodic", BoundaryKind::periodic}});
    b.kind = common.kind(table, b, kinds, c.boundaries);
    auto const velocity = common.point(table, "velocity");
    bool const has_velocity = b.kind == BoundaryKind::no_slip || b.kind == BoundaryKind::inflow;
    if (velocity && !has_velocity) table.fail("velocity", "is for no_slip and inflow");
    if (b.kind == BoundaryKind::inflow) table.required(velocity, "velocity");
    b.velocity = velocity.value_or(b.velocity);
    b.is_parabola = table.truth("parabola").value_or(false);
    if (b.is_parabola && b.kind != BoundaryKind::inflow) table.fail("parabola", "is for inflows");
    heat_of(table, b);
    if (b.temperature && (b.kind == BoundaryKind::periodic || b.kind == BoundaryKind::outflow))
      table.fail("temperature", "is for walls and inflows");
    if (b.heat_flux && b.kind != BoundaryKind::no_slip && b.kind != BoundaryKind::wall)
      table.fail("heat_flux", "is for walls");
    table.expect_no_more();
    c.boundaries.push_back(b);
  }

  /// Reads what a wall does to the temperature.
  template <class Wall>
  void heat_of(TomlTable& table, Wall& wall) const {
    wall.temperature = table.number("temperature");
    wall.heat_flux = table.number("heat_flux");
    if (wall.temperature) expect_heat(table, "temperature");
    if (wall.heat_flux) expect_heat(table, "heat_flux");
    if (wall.temperature && wall.heat_flux) table.fail("heat_flux", "follows from the temperature");
  }
  void expect_heat(TomlTable& table, char const* key) const {
    if (!c.has_temperature()) table.fail(key, "needs pr in [fluid]");
  }

  void obstacle(TomlTable table) const {
    CaseObstacle o{common.shape(table)};
    o.kind = table.choice<BoundaryKind>("kind", walls_of_flow).value_or(o.kind);
    o.velocity = common.point(table, "velocity").value_or(o.velocity);
    heat_of(table, o);
    table.expect_no_more();
    c.obstacles.push_back(o);
  }

  void heat(TomlTable table) const {
    CaseHeat h{common.shape(table)};
    h.strength = table.required(table.number("strength"), "strength");
    expect_heat(table, "strength");
    table.expect_no_more();
    c.heats.push_back(h);
  }

  void ink(TomlTable table) const {
    CaseInk i{common.shape(table)};
    i.colour = common.colour(table, "colour", table.required(table.text("colour"), "colour"));
    i.until = table.positive("until").value_or(i.until);
    i.jet = common.point(table, "jet");
    table.expect_no_more();
    c.inks.push_back(i);
  }

  void wall(TomlTable table) const {
    CaseWall w;
    w.name = table.required(table.text("name"), "name");
    for (CaseWall const& other : c.measured_walls)
      if (other.name == w.name) table.fail("name", "two walls are called '" + w.name + "'");
    auto const side = common.side_of_box(table);
    w.normal = side.axis;
    w.side = side.side;
    w.from = table.required(common.point(table, "from"), "from");
    w.to = table.required(common.point(table, "to"), "to");
    int differences = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) differences += w.from[axis] != w.to[axis] ? 1 : 0;
    auto const normal = static_cast<std::size_t>(w.normal);
    if (differences != 1 || w.from[normal] != w.to[normal])
      table.fail("to", "must differ from 'from' along one axis, and not across the wall");
    table.expect_no_more();
    c.measured_walls.push_back(w);
  }

  void output(TomlTable table) const {
    c.pictures = table.texts("pictures").value_or(c.pictures);
    for (auto const& name : c.pictures) expect_picture(table, name);
    if (auto const text = table.text("background")) c.background = common.colour(table, "background", *text);
    c.flow.run.film_interval = table.positive("film_interval").value_or(c.flow.run.film_interval);
    common.probes(table);
    table.expect_no_more();
  }

  void expect_picture(TomlTable& table, std::string const& name) const {
    bool const is_known = name == "velocity" || name == "vorticity" || name == "pressure" ||
                          (name == "temperature" && c.has_temperature()) || (name == "ink" && !c.inks.empty()) ||
                          ((name == "streaks" || name == "stream_function") && c.dim == 2) ||
                          (name == "streaked_ink" && !c.inks.empty() && c.dim == 2);
    if (!is_known)
      table.fail("pictures",
                 "there is no '" + name +
                     "' to draw; there are velocity, vorticity, pressure, with pr temperature, with ink ink, "
                     "in two dimensions stream_function and streaks, with ink streaked_ink");
  }
};

}  // namespace

double FlowCase::viscosity() const { return ra ? std::sqrt(*pr / *ra) : 1 / re; }
double FlowCase::diffusivity() const { return viscosity() / pr.value(); }
std::map<std::string, double> FlowCase::numbers() const {
  std::map<std::string, double> numbers = {{"re", re}};
  if (pr) numbers["pr"] = *pr;
  if (ra) numbers["ra"] = *ra;
  return numbers;
}

void read_flow_case(TomlTable& file, FlowCase& c) {
  c.pictures = {"velocity", "vorticity"};
  FlowReader const read{c};
  TomlTable const domain = file.required(file.table("domain"), "[domain]");
  read.domain(domain);
  if (auto table = file.table("fluid")) read.fluid(*table);
  if (auto table = file.table("start")) read.start(*table);
  for (auto& table : file.tables("boundary")) read.boundary(table);
  for (CaseBoundary const& boundary : c.boundaries)
    if (boundary.kind == BoundaryKind::periodic && c.pads_thin) domain.fail("pad_thin", "knows no periodic sides");
  for (auto& table : file.tables("obstacle")) read.obstacle(table);
  for (auto& table : file.tables("heat")) read.heat(table);
  for (auto& table : file.tables("ink")) read.ink(table);
  for (auto& table : file.tables("profile")) read.common.profile(table);
  for (auto& table : file.tables("wall")) read.wall(table);
  if (auto table = file.table("output")) read.output(*table);
  for (auto& table : file.tables("reference")) read.common.reference(table, {"re", "pr", "ra"});
}

}  // namespace sparse::app
