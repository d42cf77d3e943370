#include <sparse/app/cases/gas_case.hpp>

#include <algorithm>
#include <cmath>

#include "read_case.hpp"

namespace sparse::app {
namespace {

using sparse::BoundaryKind;

double length_of(Triple const& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// Reads the parts of a case that only compressible flows have.
struct GasReader {
  GasCase& c;
  CaseReader common{c};

  void domain(TomlTable table) const {
    common.box(table);
    c.walls = table
                  .choice<BoundaryKind>("walls", {{"wall", BoundaryKind::wall},
                                                  {"no_slip", BoundaryKind::no_slip},
                                                  {"outflow", BoundaryKind::outflow}})
                  .value_or(c.walls);
    expect_friction(table, "walls", c.walls);
    table.expect_no_more();
  }

  void gas(TomlTable table) const {
    c.gamma = table.number("gamma").value_or(c.gamma);
    if (!(c.gamma >= 1.01 && c.gamma <= 3)) table.fail("gamma", "must be from 1.01 to 3");
    c.viscosity = table.positive("viscosity");
    auto const prandtl = table.positive("prandtl");
    if (prandtl && !c.viscosity) table.fail("prandtl", "needs viscosity, too");
    c.prandtl = prandtl.value_or(c.prandtl);
    c.area = table.positive("area").value_or(c.area);
    table.expect_no_more();
  }

  void inflow(TomlTable table) const {
    c.inflow.density = table.required(table.positive("density"), "density");
    c.inflow.pressure = table.required(table.positive("pressure"), "pressure");
    auto const velocity = common.point(table, "velocity");
    c.mach = table.positive("mach");
    if (velocity && c.mach) table.fail("velocity", "follows from mach");
    auto const direction = common.point(table, "direction");
    if (direction && !c.mach) table.fail("direction", "needs mach, too");
    if (direction && !(length_of(*direction) > 0)) table.fail("direction", "must not be 0");
    if (c.mach) c.inflow.velocity = direction.value_or(Triple{1, 0, 0});
    if (velocity) c.inflow.velocity = *velocity;
    c.set_speed();
    table.expect_no_more();
  }

  /// Density and pressure default to those of the inflow.
  CaseGas state(TomlTable& table) const {
    CaseGas state = c.inflow;
    state.density = table.positive("density").value_or(state.density);
    state.pressure = table.positive("pressure").value_or(state.pressure);
    state.velocity = common.point(table, "velocity").value_or(Triple{});
    return state;
  }

  void start(TomlTable table) const {
    c.start = state(table);
    table.expect_no_more();
  }

  void region(TomlTable table) const {
    c.starts.push_back({common.shape(table), state(table)});
    table.expect_no_more();
  }

  void boundary(TomlTable table) const {
    GasBoundary b{common.side(table)};
    b.kind = common.kind(table, b,
                         {{"wall", BoundaryKind::wall},
                          {"no_slip", BoundaryKind::no_slip},
                          {"inflow", BoundaryKind::inflow},
                          {"outflow", BoundaryKind::outflow},
                          {"periodic", BoundaryKind::periodic}},
                         c.boundaries);
    expect_friction(table, "kind", b.kind);
    bool const is_inflow = b.kind == BoundaryKind::inflow, has_pressure = table.has("pressure");
    for (char const* const key : {"velocity", "density"})
      if (table.has(key) && !is_inflow) table.fail(key, "is for inflows");
    if (is_inflow && (has_pressure || table.has("velocity") || table.has("density"))) {
      if (!table.has("velocity")) table.fail("'velocity' is missing");
      b.state = state(table);
    } else if (b.kind == BoundaryKind::outflow) {
      b.pressure = table.positive("pressure");
    } else if (has_pressure) {
      table.fail("pressure", "is for inflows and outflows");
    }
    table.expect_no_more();
    c.boundaries.push_back(b);
  }

  void expect_friction(TomlTable& table, char const* key, BoundaryKind kind) const {
    if (kind == BoundaryKind::no_slip && !c.viscosity) table.fail(key, "no_slip needs viscosity in [gas]");
  }

  void obstacle(TomlTable table) const {
    GasObstacle o{common.shape(table)};
    o.kind = table.choice<BoundaryKind>("kind", walls_of_flow)
                 .value_or(c.viscosity ? BoundaryKind::no_slip : BoundaryKind::wall);
    expect_friction(table, "kind", o.kind);
    table.expect_no_more();
    c.obstacles.push_back(o);
  }

  void refinement(TomlTable table) const {
    CaseRefinement r;
    if (common.has_shape(table)) {
      r.shape = common.shape(table);
      double const levels = table.required(table.number("levels"), "levels");
      if (!(levels >= 2 && levels <= 16 && levels == std::floor(levels)))
        table.fail("levels", "must be a whole number from 2 to 16");
      r.levels = static_cast<int>(levels);
    } else {
      using Field = CaseRefinement::Field;
      r.field = table.required(
          table.choice<Field>(
              "field", {{"density", Field::density}, {"pressure", Field::pressure}, {"vorticity", Field::vorticity}}),
          "field");
      r.threshold = table.required(table.positive("threshold"), "threshold");
    }
    table.expect_no_more();
    c.refinements.push_back(r);
  }

  void output(TomlTable table) const {
    std::vector<std::string> const known = {"density", "pressure", "velocity", "mach"};
    c.pictures = table.texts("pictures").value_or(c.pictures);
    for (auto const& name : c.pictures)
      if (std::find(known.begin(), known.end(), name) == known.end())
        table.fail("pictures", "there is no '" + name + "' to draw; there are density, pressure, velocity and mach");
    common.probes(table);
    table.expect_no_more();
  }
};

}  // namespace

void GasCase::set_speed() {
  if (!mach) return;
  double const speed = *mach * std::sqrt(gamma * inflow.pressure / inflow.density), now = length_of(inflow.velocity);
  for (double& v : inflow.velocity) v = v / now * speed;
}

std::map<std::string, double> GasCase::numbers() const {
  std::map<std::string, double> numbers = {{"gamma", gamma}};
  if (mach) numbers["mach"] = *mach;
  if (viscosity) {
    numbers["viscosity"] = *viscosity;
    numbers["prandtl"] = prandtl;
  }
  return numbers;
}

void read_gas_case(TomlTable& file, GasCase& c) {
  c.pictures = {"density", "mach"};
  GasReader const read{c};
  read.gas(file.required(file.table("gas"), "[gas]"));
  read.domain(file.required(file.table("domain"), "[domain]"));
  read.inflow(file.required(file.table("inflow"), "[inflow]"));
  if (auto table = file.table("start")) read.start(*table);
  for (auto& table : file.tables("region")) read.region(table);
  for (auto& table : file.tables("boundary")) read.boundary(table);
  for (auto& table : file.tables("obstacle")) read.obstacle(table);
  for (auto& table : file.tables("refine")) read.refinement(table);
  for (auto& table : file.tables("profile")) read.common.profile(table);
  if (auto table = file.table("output")) read.output(*table);
  for (auto& table : file.tables("reference")) read.common.reference(table, {"gamma", "mach", "viscosity", "prandtl"});
}

}  // namespace sparse::app
