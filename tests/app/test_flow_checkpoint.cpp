// Incompressible flows go on from a file as if they had not stopped.

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include <gtest/gtest.h>

#include <sparse/fields/algebra.hpp>
#include <sparse/sparse.hpp>

#include <sparse/app/incompressible/checkpoint.hpp>
#include <sparse/app/incompressible/method.hpp>
#include <sparse/io/sets/set_file.hpp>

using namespace sparse;
using namespace sparse::app;
using namespace sparse::incompressible;

namespace {

std::filesystem::path const path = "flow_checkpoint.h5";

/// A box round a ball, with a lid that moves and an ink that rises.
template <int Dim>
FlowDomain<Dim> domain_of(int n) {
  FlowDomain<Dim> domain;
  domain.grid.spacing = Vec<double, Dim>::filled(1.0 / n);
  domain.fluid = box<Dim>({}, Vec<Coord, Dim>::filled(n)) - ball<Dim>(Vec<double, Dim>::filled(0.5 * n), 0.2 * n);
  domain.others = BoundaryKind::no_slip;
  domain.parts.push_back(
      {BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), Vec<double, Dim>::along(0, 1)});
  domain.parts[0].heat_flux = 0.2;
  return domain;
}

template <int Dim>
std::unique_ptr<AnyMethod<Dim>> method_of(FlowMethod kind, StaggeredGrid<Dim> const& grid) {
  FlowOptions options;
  options.method = kind;
  options.cycle = 3;
  FlowPhysics<Dim> physics;
  physics.viscosity = 0.01;
  physics.buoyancy = {{1, Vec<double, Dim>::along(1, 1)}, {0, Vec<double, Dim>::along(0, 0.1)}};
  physics.transported.push_back({1, 0.01, {{grid.fluid(), 0.5}}});
  return make_method(options, grid, physics);
}

template <int Dim>
State<double, Dim> start_of(StaggeredGrid<Dim> const& grid) {
  State<double, Dim> state(grid, {"ink", "heat"});
  for (auto& values : state.carried) {
    double* const value = values.component(0);
    for_each(
        "sparse::test::start", Subset<Dim>(grid.fluid(), grid.storage()), KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
          auto const cell = p.coordinates();
          value[p.cell] = std::sin(0.7 * cell[0]) * std::cos(0.4 * cell[1]);
        });
  }
  return state;
}

template <int Dim>
void expect_same(Field<double, Dim> const& a, Field<double, Dim> const& b) {
  for (int c = 0; c < a.component_count(); ++c) EXPECT_EQ(to_host(a, c), to_host(b, c)) << a.name() << " " << c;
}

template <int Dim>
void go_on(FlowMethod kind) {
  StaggeredGrid<Dim> const grid(domain_of<Dim>(Dim == 2 ? 24 : 12));
  auto const method = method_of(kind, grid);
  auto state = start_of(grid);
  method->project(state);
  double const dt = 0.01;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(method->advance(state, dt).has_converged());
  Keeper::Numbers const kept = {{"one", {0.1}}, {"many", {1.0 / 3, -0.0, std::numeric_limits<double>::infinity()}}};
  write_flow_checkpoint(path, state, method->memory(), kept, {{"output 1", 2.5}}, "this\n");
  for (int i = 0; i < 3; ++i) method->advance(state, dt * (1 + i));

  // A grid of its own, as another run has it.
  StaggeredGrid<Dim> const other_grid(domain_of<Dim>(Dim == 2 ? 24 : 12));
  auto saved = read_flow_checkpoint(path, other_grid, "this\n");
  EXPECT_EQ(saved.kept, kept);
  EXPECT_TRUE(std::signbit(saved.kept["many"][1]));
  EXPECT_EQ(saved.numbers, (std::map<std::string, double>{{"output 1", 2.5}}));
  auto const other = method_of(kind, other_grid);
  other->restore(saved.memory);
  for (int i = 0; i < 3; ++i) other->advance(saved.state, dt * (1 + i));
  EXPECT_EQ(saved.state.time, state.time);
  EXPECT_EQ(saved.state.step_count, state.step_count);
  expect_same(saved.state.velocity, state.velocity);
  expect_same(saved.state.pressure, state.pressure);
  ASSERT_EQ(saved.state.carried.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(saved.state.carried[i].name(), state.carried[i].name());
    expect_same(saved.state.carried[i], state.carried[i]);
  }
}

/// What reading says.
template <int Dim>
std::string refusal(StaggeredGrid<Dim> const& grid, std::string const& fingerprint = "this\n") {
  try {
    read_flow_checkpoint(path, grid, fingerprint);
  } catch (std::runtime_error const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(FlowCheckpoint, SmacGoesOn) {
  go_on<2>(FlowMethod::smac);
  go_on<3>(FlowMethod::smac);
}
TEST(FlowCheckpoint, FlowMapsGoOn) {
  go_on<2>(FlowMethod::leapfrog_flow_map);
  go_on<3>(FlowMethod::leapfrog_flow_map);
}
TEST(FlowCheckpoint, SemiLagrangianGoesOn) {
  go_on<2>(FlowMethod::semi_lagrangian);
  go_on<3>(FlowMethod::semi_lagrangian);
}

TEST(FlowCheckpoint, MemoryMatters) {
  // Without it, the guesses of the pressure are others, so the solver leaves other remainders.
  StaggeredGrid<2> const grid(domain_of<2>(24));
  for (FlowMethod const kind : {FlowMethod::smac, FlowMethod::leapfrog_flow_map}) {
    auto const method = method_of(kind, grid);
    auto state = start_of(grid);
    method->project(state);
    for (int i = 0; i < 3; ++i) method->advance(state, 0.01);
    write_flow_checkpoint(path, state, method->memory(), {}, {}, "this\n");
    method->advance(state, 0.01);
    auto saved = read_flow_checkpoint(path, grid, "this\n");
    method_of(kind, grid)->advance(saved.state, 0.01);
    EXPECT_NE(to_host(saved.state.velocity), to_host(state.velocity));
  }
}

TEST(FlowCheckpoint, OthersAreRefused) {
  StaggeredGrid<2> const grid(domain_of<2>(24)), finer(domain_of<2>(28));
  auto const method = method_of(FlowMethod::smac, grid);
  auto const state = start_of(grid);
  write_flow_checkpoint(path, state, method->memory(), {}, {}, "this\n");
  EXPECT_EQ(refusal(grid), "");
  EXPECT_NE(refusal(grid, "that\n").find("another set-up:\n  in the file: this\n  wanted: that"), std::string::npos);
  EXPECT_NE(refusal(finer).find("another grid"), std::string::npos);
  EXPECT_NE(refusal(StaggeredGrid<3>(domain_of<3>(8))), "");
  io::write_hdf5(path, grid.fluid());
  EXPECT_NE(refusal(grid).find("no checkpoint"), std::string::npos);
}

TEST(FlowCheckpoint, DamageIsRefused) {
  StaggeredGrid<2> const grid(domain_of<2>(24));
  auto const method = method_of(FlowMethod::smac, grid);
  write_flow_checkpoint(path, start_of(grid), method->memory(), {}, {}, "this\n");
  std::ifstream file(path, std::ios::binary);
  std::string const whole{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t at = 100; at < whole.size(); at += whole.size() / 20) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_NE(refusal(grid), "") << "byte " << at;
    std::ofstream(path, std::ios::binary) << whole.substr(0, at);
    EXPECT_NE(refusal(grid), "") << "cut at byte " << at;
  }
}

TEST(FlowMethods, RefuseMemoryOfOthers) {
  StaggeredGrid<2> const grid(domain_of<2>(24));
  EXPECT_THROW(method_of(FlowMethod::smac, grid)->restore({}), std::invalid_argument);
  EXPECT_THROW(method_of(FlowMethod::leapfrog_flow_map, grid)->restore({}), std::invalid_argument);
}
