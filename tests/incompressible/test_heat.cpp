/// Heat that walls and sources give: conduction compared with exact solutions, and totals with what was given.

#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleHeat : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleHeat, RealCases);

constexpr Integrator integrators[] = {Integrator::runge_kutta, Integrator::paper};
constexpr double diffusivity = 0.5, width = 1;

template <class T, int Dim>
SmacOptions<Dim> options_of(Integrator integrator) {
  auto options = smac_options<T, Dim>(0.4);
  options.integrator = integrator;
  options.transported = {{0, diffusivity}};
  return options;
}

/// Plates normal to the last axis. The lower one has a heat flux, the upper one a temperature.
template <int Dim>
FlowDomain<Dim> plates(Coord n, double flux, double temperature) {
  FlowDomain<Dim> domain;
  auto end = Cell<Dim>::filled(4);
  end[Dim - 1] = n;
  domain.fluid = sparse::box<Dim>({}, end);
  domain.period = end;
  domain.period[Dim - 1] = 0;
  domain.grid.spacing = Point<Dim>::filled(width / n);
  domain.grid.spacing[0] *= 1.5;
  for (auto const side : {FaceSide::lower, FaceSide::upper})
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, Dim - 1, side)});
  domain.parts[0].heat_flux = flux;
  domain.parts[1].temperature = temperature;
  return domain;
}

/// The temperatures long after the start.
template <class T, int Dim>
State<T, Dim> steady_state(StaggeredGrid<Dim> const& grid, SmacOptions<Dim> const& options, double wind) {
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"temperature"});
  set_velocity(grid, state.velocity, [&](auto const&) { return Point<Dim>{wind}; });
  set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return std::sin(7 * x[0]); });
  while (state.time < 16 * width * width / diffusivity)
    step.advance(state, step.longest_step(state, options.integrator == Integrator::paper ? 0.9 : 0.5));
  return state;
}

/// Sources in some cells and in all, the second one with a profile.
template <int Dim>
std::vector<Source<Dim>> sources_in(IntervalSet<Dim> const& fluid) {
  auto some = fluid.bounds();
  --some.end[0];
  Source<Dim> first{fluid & sparse::box<Dim>(some.begin, some.end), 0.7}, second{fluid};
  second.profile = [](Point<Dim> const& x) { return std::sin(3 * x[0]) + 0.1 * x[1]; };
  return {first, second};
}

/// The heat that comes into the fluid per time.
template <int Dim>
double heating(FlowDomain<Dim> const& domain, std::vector<Source<Dim>> const& sources) {
  double volume = 1, sum = 0;
  for (int b = 0; b < Dim; ++b) volume *= domain.grid.spacing[b];
  for (auto const& source : sources)
    (source.cells & domain.fluid).to_host().for_each_cell([&](Cell<Dim> const& cell, Index) {
      sum += volume * (source.profile ? source.profile(domain.grid.center(cell)) : source.strength);
    });
  for (auto const& part : domain.parts)
    for (int axis = 0; axis < Dim; ++axis)
      sum += part.heat_flux.value_or(0) * volume / domain.grid.spacing[axis] *
             static_cast<double>(part.faces[axis].cell_count());
  return sum;
}

}  // namespace

// What the lower plate gives goes to the upper one: a straight line, whatever flows along the plates.
TYPED_TEST(IncompressibleHeat, ConductionOfAGivenFluxIsExact) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const flux = 0.75, temperature = -0.5;
  for (auto const integrator : integrators)
    for (double const wind : {0.0, 0.5}) {
      auto domain = plates<Dim>(9, flux, temperature);
      for (auto& part : domain.parts) part.velocity[0] = wind;
      StaggeredGrid<Dim> const grid(domain);
      auto const state = steady_state<T, Dim>(grid, options_of<T, Dim>(integrator), wind);
      double const tolerance = precise<T>(2e-5, 1e-11);
      for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
        EXPECT_NEAR(value, temperature + flux / diffusivity * (1 - (cell[Dim - 1] + 0.5) / 9), tolerance) << cell;
      auto const lower = wall_state(grid, state.carried[0], 0, diffusivity),
                 upper = wall_state(grid, state.carried[0], 1, diffusivity);
      EXPECT_NEAR(lower.temperature, temperature + flux / diffusivity, tolerance);
      EXPECT_DOUBLE_EQ(lower.heat_flux, flux);
      EXPECT_NEAR(upper.temperature, temperature, tolerance);
      EXPECT_NEAR(upper.heat_flux, -flux, 20 * tolerance);
    }
}

// A source everywhere between an adiabatic and a cold plate: a parabola. Mirror images at the cold plate make that of
// the differences differ by the same number everywhere, source spacing^2 / (8 diffusivity).
TYPED_TEST(IncompressibleHeat, ASourceInASlabGivesAParabola) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const strength = 1.5, temperature = 0.25;
  for (auto const integrator : integrators) {
    StaggeredGrid<Dim> const grid(plates<Dim>(10, 0, temperature));
    auto options = options_of<T, Dim>(integrator);
    options.transported[0].sources = {{grid.fluid(), strength}};
    auto const state = steady_state<T, Dim>(grid, options, 0);
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid())) {
      double const x = (cell[Dim - 1] + 0.5) / 10, h = 0.1;
      EXPECT_NEAR(value, temperature + strength / (2 * diffusivity) * (1 - x * x + h * h / 4), precise<T>(1e-4, 1e-11));
    }
    EXPECT_NEAR(wall_state(grid, state.carried[0], 1, diffusivity).heat_flux, -strength * width,
                precise<T>(4e-4, 1e-9));
  }
}

// Whatever the shape of the walls and the flow, heat is what sources and walls have brought, to rounding.
TYPED_TEST(IncompressibleHeat, TotalHeatIsWhatWasGiven) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    auto domain = closed_domain<Dim>(seed);
    for (int axis = 0; axis < Dim; ++axis) {
      BoundaryPart<Dim> part{axis == 0 ? BoundaryKind::wall : BoundaryKind::no_slip};
      part.faces[axis] = boundary_faces(domain.fluid, axis, FaceSide::lower);
      part.heat_flux = 0.3 * (axis + 1) - 0.2;
      domain.parts.push_back(part);
    }
    StaggeredGrid<Dim> const grid(domain);
    auto options = options_of<T, Dim>(integrators[seed % 2]);
    options.transported[0].diffusivity = 0.02 * (seed % 3);
    options.transported[0].sources = sources_in(domain.fluid);
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    start_at_random(step, state, seed);
    double const before = total(grid, state.carried[0]), gain = heating(domain, options.transported[0].sources);
    ASSERT_GT(std::abs(gain), 0.1);
    for (int i = 0; i < 20; ++i) {
      step.advance(state, step.longest_step(state, 0.3));
      double const wanted = before + state.time * gain;
      ASSERT_NEAR(total(grid, state.carried[0]), wanted, precise<T>(2e-5, 1e-12) * (before + std::abs(wanted)))
          << "seed " << seed << ", step " << i;
    }
  }
}

// A body that gives heat, in periodic space: each of its faces counts once, also those at the seam.
TYPED_TEST(IncompressibleHeat, ABodyAcrossTheSeamGivesItsHeat) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  auto const all = sparse::box<Dim>({}, Cell<Dim>::filled(8));
  auto begin = Cell<Dim>::filled(3), end = Cell<Dim>::filled(6);
  begin[0] = 0;
  end[0] = 2;  // the seam is its lower side
  auto const body = sparse::box<Dim>(begin, end);
  domain.fluid = all - body;
  domain.period = Cell<Dim>::filled(8);
  domain.grid.spacing = Point<Dim>::filled(0.5);
  BoundaryPart<Dim> part;
  part.faces = faces_between(domain.fluid, body, domain.period);
  part.heat_flux = 2;
  domain.parts.push_back(part);
  StaggeredGrid<Dim> const grid(domain);
  Smac<T, Dim> step(grid, options_of<T, Dim>(Integrator::runge_kutta));
  State<T, Dim> state(grid, {"temperature"});
  for (int i = 0; i < 5; ++i) step.advance(state, step.longest_step(state, 0.5));
  double const faces = Dim == 2 ? 2 * 3 + 2 * 2 : 2 * 9 + 4 * 6;
  EXPECT_NEAR(total(grid, state.carried[0]), state.time * 2 * faces * grid.face_area(0), precise<T>(1e-5, 1e-12));
}

TYPED_TEST(IncompressibleHeat, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const refused_part = [&](BoundaryPart<Dim> part, char const* why) {
    FlowDomain<Dim> domain;
    domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(4));
    part.faces = side_faces(domain.fluid, 0, FaceSide::lower);
    domain.parts.push_back(part);
    EXPECT_TRUE(is_refused([&] { StaggeredGrid<Dim> const grid(domain); }, why));
  };
  BoundaryPart<Dim> part;
  part.heat_flux = std::nan("");
  refused_part(part, "not finite");
  part.heat_flux = 1;
  part.temperature = 1;
  refused_part(part, "not both");
  part.temperature.reset();
  part.kind = BoundaryKind::outflow;
  refused_part(part, "only walls");

  StaggeredGrid<Dim> const grid(plates<Dim>(4, 1, 0));
  auto const refused_source = [&](Source<Dim> const& source, char const* why) {
    auto options = options_of<T, Dim>(Integrator::runge_kutta);
    options.transported[0].sources = {{grid.fluid(), 1}, source};
    EXPECT_TRUE(is_refused([&] { Smac<T, Dim> const step(grid, options); }, why));
  };
  refused_source({}, "source 1 has no cells in the fluid");
  refused_source({sparse::box<Dim>(Cell<Dim>::filled(50), Cell<Dim>::filled(51))}, "");
  refused_source({grid.fluid(), std::nan("")}, "strength of source 1 is not finite");
  State<T, Dim> const state(grid, {"temperature"});
  EXPECT_TRUE(is_refused([&] { wall_state(grid, state.carried[0], 2, 1.0); }, "no such part"));
  EXPECT_TRUE(is_refused([&] { wall_state(grid, state.carried[0], 0, 0.0); }, "must be positive"));
}
