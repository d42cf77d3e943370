/// Temperature with all methods: they agree on natural convection, and keep what `Smac` keeps.

#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleHeatOfMethods : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleHeatOfMethods, RealCases);

/// The options that all methods have, for one of them.
template <class Options, class T, int Dim>
Options options_of(double viscosity, Transport<Dim> const& transport) {
  Options options;
  options.viscosity = viscosity;
  options.transported = {transport};
  options.pressure.stop = {precise<T>(1e-5, 1e-11), 500};
  options.pressure.method = sparse::poisson::MultigridCg{{.precision = sparse::poisson::Precision::same}};
  return options;
}

/// Calls `run(method)` for semi-Lagrangian steps and for flow maps.
template <class T, int Dim, class Run>
void for_both(StaggeredGrid<Dim> const& grid, double viscosity, Transport<Dim> const& transport,
              std::vector<Buoyancy<Dim>> const& buoyancy, Run const& run) {
  auto steps = options_of<StepOptions<Dim>, T, Dim>(viscosity, transport);
  steps.buoyancy = buoyancy;
  SemiLagrangian<T, Dim> semi_lagrangian(grid, steps);
  run(semi_lagrangian, "semi-Lagrangian");
  auto maps = options_of<FlowMapOptions<Dim>, T, Dim>(viscosity, transport);
  maps.buoyancy = buoyancy;
  maps.cycle = 3;
  LeapfrogFlowMap<T, Dim> flow_map(grid, maps);
  run(flow_map, "flow map");
}

/// Random values between 0 and 1, and a random velocity without divergence.
template <class Method, class T, int Dim>
void start(Method& method, State<T, Dim>& state, unsigned seed) {
  set_random_velocity(method.grid(), state.velocity, seed);
  EXPECT_TRUE(method.project(state).has_converged());
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (auto& values : state.carried)
    set_where(values, 0, method.grid().fluid(), [&](Cell<Dim> const&) { return uniform(engine); });
}

/// A square between a warm and a cold wall, at Ra = 1e4.
StaggeredGrid<2> convection_square(int n) {
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({}, {n, n});
  domain.grid.spacing = Point<2>::filled(1.0 / n);
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::lower), {}, {}, 0.5});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::upper), {}, {}, -0.5});
  return StaggeredGrid<2>(domain);
}

}  // namespace

// In a closed fluid, with steps that are much longer than those that are stable for conduction.
TYPED_TEST(IncompressibleHeatOfMethods, TotalHeatIsWhatWasGiven) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    auto domain = closed_domain<Dim>(seed);
    BoundaryPart<Dim> part;
    part.faces[1] = boundary_faces(domain.fluid, 1, FaceSide::lower);
    part.heat_flux = 0.3;
    domain.parts.push_back(part);
    StaggeredGrid<Dim> const grid(domain);
    auto const cells = static_cast<double>(domain.fluid.cell_count());
    double const given =
        0.3 * grid.face_area(1) * static_cast<double>(part.faces[1].cell_count()) + 0.2 * grid.cell_volume() * cells;
    Transport<Dim> const transport{1, 2, {{domain.fluid, 0.2}}};
    for_both<T, Dim>(grid, 0.05, transport, {{1, Point<Dim>::along(1, 0.1)}}, [&](auto& method, char const* name) {
      State<T, Dim> state(grid, {"ink", "temperature"});
      start(method, state, seed);
      double const before = total(grid, state.carried[1]);
      ASSERT_GT(method.longest_step(state, 1.0), 2 * sparse::incompressible::diffusive_time_step(grid, 2)) << name;
      for (int i = 0; i < 6; ++i) {
        method.advance(state, method.longest_step(state, 1.0));
        double const wanted = before + given * state.time;
        ASSERT_NEAR(total(grid, state.carried[1]), wanted, precise<T>(5e-5, 1e-11) * wanted) << name << " " << seed;
      }
    });
  }
}

// Conduction between plates with a given flux is a straight line, and without a flow all methods take the same steps.
TYPED_TEST(IncompressibleHeatOfMethods, ConductionIsExact) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(8, 5, BoundaryKind::no_slip);
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::lower)});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 0, FaceSide::upper), {}, {}, 1.0});
  domain.parts[0].heat_flux = 1;
  StaggeredGrid<Dim> const grid(domain);
  for_both<T, Dim>(grid, 0.1, {0, 2}, {}, [&](auto& method, char const* name) {
    State<T, Dim> state(grid, {"temperature"});
    for (int i = 0; i < 60; ++i) method.advance(state, 8);
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
      EXPECT_NEAR(value, 1 + 0.5 * (8 - (cell[0] + 0.5)), precise<T>(5e-4, 1e-10)) << name << " at " << cell;
  });
}

// A constant stays constant, whatever the flow.
TYPED_TEST(IncompressibleHeatOfMethods, ConstantsStayConstant) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    auto domain = random_domain<Dim>(seed);
    for (auto& part : domain.parts)
      if (part.kind == BoundaryKind::inflow) part.temperature = 2;
    StaggeredGrid<Dim> const grid(domain);
    for_both<T, Dim>(grid, 0.05, {0, 0.1}, {}, [&](auto& method, char const* name) {
      State<T, Dim> state(grid, {"temperature"});
      start(method, state, seed);
      set_cells(grid, state.carried[0], [](auto const&) { return 2; });
      for (int i = 0; i < 5; ++i) method.advance(state, method.longest_step(state, 1.0));
      for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
        ASSERT_NEAR(value, 2, precise<T>(2e-3, 1e-7)) << name << ", seed " << seed << " at " << cell;
    });
  }
}

// Source of the Nusselt number: de Vahl Davis, Int. J. Numer. Methods Fluids 3 (1983); 2.2448 since.
TEST(IncompressibleHeatOfMethods, AllMethodsAgreeOnNaturalConvection) {
  double const rayleigh = 1e4, prandtl = 0.71, wanted = 2.2448;
  auto const grid = convection_square(32);
  std::vector<Buoyancy<2>> const buoyancy = {{0, {0, rayleigh * prandtl}}};
  auto const nusselt_of = [&](auto& method, double size) {
    State<double, 2> state(grid, {"temperature"});
    while (state.time < 0.3) method.advance(state, method.longest_step(state, size));
    double const warm = mean_nusselt(grid, state.carried[0], 0, 1, 1);
    EXPECT_NEAR(warm, -mean_nusselt(grid, state.carried[0], 1, 1, 1), 0.01 * wanted);
    return warm;
  };
  auto smac = options_of<SmacOptions<2>, double, 2>(prandtl, {0, 1});
  smac.buoyancy = buoyancy;
  Smac<double, 2> explicit_steps(grid, smac);
  double const of_smac = nusselt_of(explicit_steps, 0.5);
  EXPECT_NEAR(of_smac, wanted, 0.02 * wanted);
  for_both<double, 2>(grid, prandtl, {0, 1}, buoyancy, [&](auto& method, char const* name) {
    double const of_method = nusselt_of(method, 0.5);
    EXPECT_NEAR(of_method, wanted, 0.03 * wanted) << name << ": " << of_method;
    EXPECT_NEAR(of_method, of_smac, 0.03 * wanted) << name << ": " << of_method;
  });
}

TYPED_TEST(IncompressibleHeatOfMethods, RefuseWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(channel<Dim>(4, 4, BoundaryKind::no_slip));
  auto const refused = [&](Transport<Dim> const& transport, char const* why) {
    EXPECT_TRUE(is_refused([&] { for_both<T, Dim>(grid, 0, transport, {}, [](auto&, char const*) {}); }, why));
    auto maps = options_of<FlowMapOptions<Dim>, T, Dim>(0, transport);
    EXPECT_TRUE(is_refused([&] { LeapfrogFlowMap<T, Dim> const method(grid, maps); }, why));
  };
  refused({0, -1}, "diffusivity must not be negative");
  refused({0, 1, {Source<Dim>{}}}, "has no cells in the fluid");
  for_both<T, Dim>(grid, 0, {3, 1}, {}, [&](auto& method, char const*) {
    State<T, Dim> state(grid, {"temperature"});
    EXPECT_TRUE(is_refused([&] { method.advance(state, 0.1); }, "transport of a field that the state does not have"));
    EXPECT_TRUE(is_refused([&] { method.longest_step(state, 0.1); }, "transport of a field"));
  });
}
