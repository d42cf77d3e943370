/// Cases that are written and read again are the same.

#include <fstream>

#include <gtest/gtest.h>

#include <sparse/app/cases/case_program.hpp>
#include <sparse/app/cases/case_writer.hpp>
#include <sparse/app/cases/flow_scene.hpp>
#include <sparse/io/files/file.hpp>
#include <support/reference.hpp>

namespace {

using namespace sparse::app;

std::filesystem::path const cases = std::filesystem::path(SPARSE_SOURCE_DIR) / "examples/cases";

/// The file that `read_case` makes of the text of a file.
CaseFile again(CaseFile const& file, std::filesystem::path const& folder) {
  auto const path = folder / "written_again.toml";
  sparse::io::write_text(path, text_of(file));
  auto read = read_case(path);
  std::filesystem::remove(path);
  return read;
}

}  // namespace

/// All shipped cases, each beside its own files: the same options, the same settings, and the same text.
TEST(CaseWriter, ShippedCasesComeBack) {
  int count = 0;
  for (auto const& entry : std::filesystem::directory_iterator(cases)) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().filename());
    ++count;
    auto const folder = std::filesystem::temp_directory_path() / ("sparse_cases_" + entry.path().stem().string());
    std::filesystem::remove_all(folder);
    std::filesystem::copy(cases, folder);
    auto const file = read_case(folder / entry.path().filename());
    auto const copy = again(file, folder);
    EXPECT_EQ(text_of(copy), text_of(file));
    EXPECT_EQ(copy.content.index(), file.content.index());
    ASSERT_EQ(copy.options.size(), file.options.size());
    auto const sorted = [](CaseFile const& of) {
      std::map<std::string, std::string> options;
      for (auto const& option : of.options) options[option.name] = option.value;
      return options;
    };
    EXPECT_EQ(sorted(copy), sorted(file));
    with_options(copy);  // throws if an option is refused
    auto const* const flow = std::get_if<FlowCase>(&file.content);
    if (flow != nullptr && flow->dim == 2) {
      auto const here = scene_of<2>(*flow), there = scene_of<2>(std::get<FlowCase>(copy.content));
      EXPECT_TRUE(here.domain.fluid == there.domain.fluid);
      EXPECT_TRUE(here.solid == there.solid);
      ASSERT_EQ(here.domain.parts.size(), there.domain.parts.size());
      for (std::size_t i = 0; i < here.domain.parts.size(); ++i) {
        EXPECT_EQ(here.domain.parts[i].kind, there.domain.parts[i].kind);
        EXPECT_TRUE(here.domain.parts[i].velocity == there.domain.parts[i].velocity);
        EXPECT_EQ(here.domain.parts[i].temperature, there.domain.parts[i].temperature);
      }
    }
    std::filesystem::remove_all(folder);
  }
  EXPECT_GE(count, 12);
}

/// Everything that a case can have, with texts that need care.
TEST(CaseWriter, AllPartsComeBack) {
  FlowCase c;
  c.name = "written_again";
  c.description = "Quotes \" and \\ and\nlines";
  c.cells = {40, 20, 1};
  c.size = {2, 1, 1};
  c.walls = sparse::BoundaryKind::wall;
  c.pads_thin = true;
  c.pr = 0.71;
  c.ra = 1e5;
  c.start_velocity = {0.1, -0.2, 0};
  c.boundaries = {{{0, sparse::FaceSide::lower, {{0.25, 0.75}}}, sparse::BoundaryKind::inflow, {1, 0, 0}, true, 0.5},
                  {{0, sparse::FaceSide::upper, {}}, sparse::BoundaryKind::outflow}};
  c.boundaries[0].temperature = 0.5;
  c.obstacles = {{{CaseShape::Kind::ball, {1, 0.5, 0.1}, {}}, sparse::BoundaryKind::no_slip, {0, 0.3, 0}, 2.0}};
  c.heats = {{{CaseShape::Kind::box, {0.1, 0.1, 0.3, 0.3}, {}}, -3}};
  c.inks = {{{CaseShape::Kind::cells, {}, "box(1, 1, 4, 4) - ball(2, 2, 1)"}, {1, 20, 255}, 0.7, Triple{0.5, -1, 0}}};
  c.probes = {{0.5, 0.5, 0}, {1.5, 0.25, 0}};
  c.profiles = {{{0.1, 0.1, 0}, {0.9, 0.9, 0}, 17}};
  c.measured_walls = {{"lower \"wall\"", 1, sparse::FaceSide::lower, {0, 0, 0}, {2, 0, 0}}};
  c.pictures = {"ink", "temperature"};
  c.background = {10, 10, 20};
  c.references = {{{{"pr", 0.71}}, {{"drag, mean", 1.25}}}};
  CaseFile const file{"x.toml", c, {{"t-end", "2.5", 1}, {"method", "smac", 2}, {"tolerance", "1e-08", 3}}, {}};
  auto const read = again(file, std::filesystem::temp_directory_path());
  auto sorted = file;
  sorted.options = {file.options[1], file.options[0], file.options[2]};  // by their names
  EXPECT_EQ(text_of(read), text_of(sorted));
  auto const& d = std::get<FlowCase>(read.content);
  EXPECT_EQ(d.description, c.description);
  EXPECT_EQ(d.inks[0].jet, c.inks[0].jet);
  EXPECT_EQ(d.inks[0].until, 0.7);
  EXPECT_EQ(d.inks[0].shape.text, c.inks[0].shape.text);
  EXPECT_EQ(d.boundaries[0].range, c.boundaries[0].range);
  EXPECT_EQ(d.obstacles[0].velocity, c.obstacles[0].velocity);
  EXPECT_EQ(d.measured_walls[0].name, c.measured_walls[0].name);
  EXPECT_EQ(d.references[0].results, c.references[0].results);
  EXPECT_EQ(d.ra, c.ra);

  GasCase g;
  g.cells = {32, 16, 1};
  g.viscosity = 1e-3;
  g.mach = 2;
  g.inflow = {1.4, 1, {0, -0.5, 0}};
  g.set_speed();
  g.start = CaseGas{1, 1, {}};
  g.starts = {{{CaseShape::Kind::ball, {0.5, 0.5, 0.2}, {}}, {2, 3, {1, 0, 0}}}};
  g.boundaries = {{{0, sparse::FaceSide::lower, {}}, sparse::BoundaryKind::inflow, CaseGas{1, 2, {3, 0, 0}}},
                  {{0, sparse::FaceSide::upper, {}}, sparse::BoundaryKind::outflow, {}, 0.9}};
  g.obstacles = {{{CaseShape::Kind::polygon, {0.4, 0.4, 0.6, 0.4, 0.5, 0.6}, {}}, sparse::BoundaryKind::no_slip}};
  g.refinements = {{CaseRefinement::Field::pressure, 0.05},
                   {{}, 0, CaseShape{CaseShape::Kind::box, {0, 0, 1, 1}, {}}, 3}};
  g.pictures = {"mach"};
  CaseFile const gas{"y.toml", g, {{"amr-levels", "3", 1}}, {}};
  auto const gas_read = again(gas, std::filesystem::temp_directory_path());
  EXPECT_EQ(std::get<GasCase>(gas_read.content).refinements.size(), 2u);
  EXPECT_EQ(text_of(gas_read), text_of(gas));
}
