/// The default SMAC step is of second order in time and space, stable without viscosity, and steady in the end.

#include <functional>
#include <numbers>

#include <sparse/incompressible/measure/sums.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

template <class Dimension>
class IncompressibleSmacOrder : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmacOrder, Dimensions);

using std::numbers::pi;

/// Velocities of faces that are cut are not those at their middles, and where little is left of a face they lag behind.
template <int Dim>
bool is_beside_curved_wall(StaggeredGrid<Dim> const& grid, Cell<Dim> const& cell, int axis) {
  auto const& distance = grid.domain().distance;
  return distance && distance(middle_of<Dim>(cell, axis, grid.spacing())) < 1.5 * grid.spacing()[0];
}

/// The root mean square of the difference on the computed faces, and of carried values in the fluid.
template <int Dim>
double distance_of(StaggeredGrid<Dim> const& grid, State<double, Dim> const& a, State<double, Dim> const& b) {
  double sum = 0;
  Index count = 0;
  auto const add = [&](sparse::Field<double, Dim> const& x, sparse::Field<double, Dim> const& y, int component,
                       int axis, IntervalSet<Dim> const& where) {
    auto const other = values_on(y, component, where);
    for (auto const& [cell, value] : values_on(x, component, where)) {
      if (is_beside_curved_wall(grid, cell, axis)) continue;
      sum += std::pow(value - other.at(cell), 2);
      ++count;
    }
  };
  for (int axis = 0; axis < Dim; ++axis) add(a.velocity, b.velocity, axis, axis, grid.computed_faces(axis));
  for (std::size_t i = 0; i < a.carried.size(); ++i) add(a.carried[i], b.carried[i], 0, Dim, grid.fluid());
  return std::sqrt(sum / static_cast<double>(count));
}

/// A flow with all that a domain can have: an inflow and an outflow, or a period instead, walls, a body.
template <int Dim>
struct Everything {
  bool is_periodic, is_curved;

  FlowDomain<Dim> domain() const {
    FlowDomain<Dim> domain;
    auto end = Cell<Dim>::filled(10);
    end[0] = 16;
    domain.fluid = sparse::box<Dim>({}, end);
    domain.grid.spacing = Point<Dim>::filled(0.1);
    if (is_periodic) domain.period = Cell<Dim>::along(0, 16);
    auto center = Point<Dim>::filled(0.52);
    if (is_curved) {
      domain.distance = [=](Point<Dim> const& x) {
        double square = 0;
        for (int b = 0; b < Dim; ++b) square += std::pow(x[b] - center[b], 2);
        return std::sqrt(square) - 0.23;
      };
      domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance, domain.period);
    } else {
      domain.fluid = domain.fluid - sparse::ball<Dim>(10.0 * center, 2.3);
    }
    auto lid = Point<Dim>::along(0, 1);
    if (!is_periodic) {
      domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), {1}, {}, 1.0});
      domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
      lid = {};
    }
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), lid, {}, -1.0});
    return domain;
  }
  SmacOptions<Dim> options() const {
    // (Friction in small openings is treated as in implicit steps, of lower order.)
    auto options = smac_options<double, Dim>(is_curved ? 1e-4 : 0.02);
    options.acceleration = Point<Dim>::along(0, is_periodic ? 0.3 : 0);
    options.transported = {{0, is_curved ? 1e-4 : 0.03}};
    options.buoyancy = {{0, Point<Dim>::along(1, 1.5)}};
    return options;
  }
};

/// What halving the time step makes of the error, once more over once.
template <int Dim>
double gain_from_half_steps(Everything<Dim> const& of) {
  StaggeredGrid<Dim> const grid(of.domain());
  // Flows that start all of a sudden are not smooth in time.
  auto const start = [&](Smac<double, Dim>& step) {
    State<double, Dim> state(grid, {"temperature"});
    step.project(state);
    for (int i = 0; i < 60; ++i) step.advance(state, 0.01);
    return state;
  };
  std::vector<State<double, Dim>> ends;
  for (int const count : {20, 40, 80}) {
    Smac<double, Dim> step(grid, of.options());
    ends.push_back(start(step));
    EXPECT_LT(0.4 / count, step.longest_step(ends.back(), 0.6));
    for (int i = 0; i < count; ++i) step.advance(ends.back(), 0.4 / count);
  }
  double const coarse = distance_of(grid, ends[0], ends[1]), fine = distance_of(grid, ends[1], ends[2]);
  EXPECT_GT(coarse, 1e-7);
  EXPECT_LT(coarse, 1e-2);
  return coarse / fine;
}

/// The greatest error of velocity after a time, from an exact start. Free boundary faces count, too.
template <int Dim>
double error_after(FlowDomain<Dim> const& domain, SmacOptions<Dim> options, double end, int step_count,
                   std::function<Point<Dim>(Point<Dim> const&, double)> const& exact) {
  StaggeredGrid<Dim> const grid(domain);
  options.pressure = smac_options<double, Dim>(0).pressure;
  Smac<double, Dim> step(grid, options);
  State<double, Dim> state(grid);
  set_velocity(grid, state.velocity, [&](Point<Dim> const& x) { return exact(x, 0); });
  EXPECT_TRUE(step.project(state).has_converged());
  EXPECT_LT(end / step_count, step.longest_step(state, 0.6));
  for (int i = 0; i < step_count; ++i) EXPECT_TRUE(step.advance(state, end / step_count).has_converged());
  auto wanted = clone(state.velocity);
  set_velocity(grid, wanted, [&](Point<Dim> const& x) { return exact(x, end); });
  double sum = 0;
  Index count = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const right = values_on(wanted, axis, grid.computed_faces(axis));
    for (auto const& [face, value] : values_on(state.velocity, axis, grid.computed_faces(axis))) {
      if (domain.distance && domain.distance(middle_of<Dim>(face, axis, grid.spacing())) < 0.2) continue;
      sum += std::pow(value - right.at(face), 2);
      ++count;
    }
  }
  return std::sqrt(sum / static_cast<double>(count));
}

double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TYPED_TEST(IncompressibleSmacOrder, HalfTheTimeStepIsAQuarterOfTheError) {
  constexpr int Dim = TypeParam::value;
  for (bool const is_periodic : {false, true})
    for (bool const is_curved : {false, true}) {
      double const gain = gain_from_half_steps(Everything<Dim>{is_periodic, is_curved});
      EXPECT_GT(gain, 3.4) << is_periodic << is_curved;
      EXPECT_LT(gain, 6) << is_periodic << is_curved;
    }
}

// Taylor and Green's vortices, carried along by a uniform wind, in periodic space: with viscosity that matters, and
// with hardly any.
TYPED_TEST(IncompressibleSmacOrder, VorticesInTheWind) {
  constexpr int Dim = TypeParam::value;
  for (double const viscosity : {0.05, 1e-4}) {
    auto const error = [&](int n) {
      FlowDomain<Dim> domain;
      domain.period = Cell<Dim>::filled(n);
      if constexpr (Dim == 3) domain.period[2] = 3;
      domain.fluid = sparse::box<Dim>({}, domain.period);
      domain.grid.spacing = Point<Dim>::filled(2 * pi / n);
      SmacOptions<Dim> options;
      options.viscosity = viscosity;
      return error_after<Dim>(domain, options, 1, 5 * n / 8, [=](Point<Dim> const& x, double t) {
        Point<Dim> u{};
        double const decay = std::exp(-2 * viscosity * t), y = x[0] - 0.5 * t, z = x[1] - 0.3 * t;
        u[0] = 0.5 + decay * std::sin(y) * std::cos(z);
        u[1] = 0.3 - decay * std::cos(y) * std::sin(z);
        return u;
      });
    };
    double const coarse = error(16), fine = error(32);
    EXPECT_GT(order_of(coarse, fine), 1.9) << viscosity;
    EXPECT_LT(fine, 2e-3) << viscosity;
  }
}

// What is left of a flow along plates, while friction stops it.
TYPED_TEST(IncompressibleSmacOrder, FrictionAtPlates) {
  constexpr int Dim = TypeParam::value;
  auto const error = [](int n) {
    FlowDomain<Dim> domain;
    domain.period = Cell<Dim>::filled(4);
    domain.period[1] = 0;
    auto end = domain.period;
    end[1] = n;
    domain.fluid = sparse::box<Dim>({}, end);
    domain.grid.spacing = Point<Dim>::filled(1.0 / n);
    SmacOptions<Dim> options;
    options.viscosity = 0.1;
    return error_after<Dim>(domain, options, 0.5, n * n / (Dim == 2 ? 2 : 1), [](Point<Dim> const& x, double t) {
      Point<Dim> u{};
      u[0] = std::exp(-0.1 * pi * pi * t) * std::sin(pi * x[1]);
      return u;
    });
  };
  double const coarse = error(8), fine = error(16);
  EXPECT_GT(order_of(coarse, fine), 1.9);
  EXPECT_LT(fine, 1e-3);
}

// Fluid that turns in a drum at rest, along circles: J_1(k r) exp(-viscosity k^2 t), which pressure keeps in the drum.
// In space the drum is long.
TYPED_TEST(IncompressibleSmacOrder, FrictionAtCurvedWalls) {
  constexpr int Dim = TypeParam::value;
  double const radius = 1, wave_number = 3.8317059702075123 / radius, viscosity = 0.02;
  auto const error = [=](int n) {
    Point<Dim> center = Point<Dim>::filled(1.113);
    FlowDomain<Dim> domain;
    auto end = Cell<Dim>::filled(n);
    if constexpr (Dim == 3) {
      end[2] = 2;
      domain.period[2] = 2;
    }
    domain.fluid = sparse::box<Dim>({}, end);
    domain.grid.spacing = Point<Dim>::filled(2.25 / n);
    auto const from_axis = [=](Point<Dim> const& x) { return std::hypot(x[0] - center[0], x[1] - center[1]); };
    domain.distance = [=](Point<Dim> const& x) { return radius - from_axis(x); };
    domain.fluid = open_cells(domain.fluid, domain.grid, domain.distance, domain.period);
    SmacOptions<Dim> options;
    options.viscosity = viscosity;
    return error_after<Dim>(domain, options, 1, 2 * n, [=](Point<Dim> const& x, double t) {
      Point<Dim> u{};
      double const r = from_axis(x);
      if (r >= radius || r == 0) return u;
      double const speed = std::cyl_bessel_j(1, wave_number * r) * std::exp(-viscosity * wave_number * wave_number * t);
      u[0] = -speed * (x[1] - center[1]) / r;
      u[1] = speed * (x[0] - center[0]) / r;
      return u;
    });
  };
  double const coarse = error(16), fine = error(32);
  EXPECT_GT(order_of(coarse, fine), 1.7);
  EXPECT_LT(fine, 3e-3);
}

// A wave of temperature in a uniform wind, where heat is conducted well, and where it hardly is.
TYPED_TEST(IncompressibleSmacOrder, TemperatureInTheWind) {
  constexpr int Dim = TypeParam::value;
  for (double const diffusivity : {0.1, 1e-4}) {
    auto const error = [&](int n) {
      FlowDomain<Dim> domain;
      domain.period = Cell<Dim>::filled(n);
      if constexpr (Dim == 3) domain.period[2] = 3;
      domain.fluid = sparse::box<Dim>({}, domain.period);
      domain.grid.spacing = Point<Dim>::filled(2 * pi / n);
      StaggeredGrid<Dim> const grid(domain);
      SmacOptions<Dim> options;
      options.transported = {{0, diffusivity}};
      Smac<double, Dim> step(grid, options);
      State<double, Dim> state(grid, {"temperature"});
      set_velocity(grid, state, [](auto const&) { return Point<TypeParam::value>{1, 0.6}; });
      auto const exact = [=](Point<Dim> const& x, double t) {
        return std::exp(-2 * diffusivity * t) * std::sin(x[0] - t) * std::sin(x[1] - 0.6 * t);
      };
      set_cells(grid, state.carried[0], [&](Point<Dim> const& x) { return exact(x, 0); });
      for (int i = 0; i < n; ++i) step.advance(state, 1.0 / n);
      auto right = clone(state.carried[0]);
      set_cells(grid, right, [&](Point<Dim> const& x) { return exact(x, 1); });
      double sum = 0;
      auto const wanted = values_on(right, 0, grid.fluid());
      for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
        sum += std::abs(value - wanted.at(cell));
      return sum / static_cast<double>(grid.fluid().cell_count());
    };
    double const coarse = error(16), fine = error(32);
    EXPECT_GT(order_of(coarse, fine), 1.8) << diffusivity;
    EXPECT_LT(fine, 5e-3) << diffusivity;
  }
}

// Constants stay constant while the flow that carries them changes, and heat is kept.
TYPED_TEST(IncompressibleSmacOrder, CarriesConstantsExactly) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    auto options = smac_options<double, Dim>(0.01);
    options.transported = {{0, 0.01}};
    options.pressure.stop.tolerance = 1e-13;
    Smac<double, Dim> step(grid, options);
    State<double, Dim> state(grid, {"temperature"});
    start_at_random(step, state, seed);
    sparse::fill(state.carried[0], 1);
    for (int i = 0; i < 10; ++i) step.advance(state, step.longest_step(state, 0.5));
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
      ASSERT_NEAR(value, 1, 1e-10) << "seed " << seed << " at " << cell;
  }
}

// Without viscosity, in a wind askew at the longest steps there are by default, random eddies only get weaker.
TYPED_TEST(IncompressibleSmacOrder, IsStableWithoutViscosity) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    FlowDomain<Dim> domain;
    domain.period = Cell<Dim>::filled(Dim == 2 ? 24 : 12);
    domain.fluid = sparse::box<Dim>({}, domain.period);
    StaggeredGrid<Dim> const grid(domain);
    Smac<double, Dim> step(grid, smac_options<double, Dim>(0));
    State<double, Dim> state(grid), wind(grid);
    set_random_velocity(grid, state.velocity, seed);
    set_velocity(grid, wind, [](auto const&) { return Point<TypeParam::value>::filled(1); });
    scale(state.velocity, seed % 2 == 0 ? 0.02 : 0.5);
    add(state.velocity, 1, wind.velocity);
    step.project(state);
    // The wind never changes, as momentum is kept.
    auto mean = Point<Dim>{};
    auto const count = static_cast<double>(grid.fluid().cell_count());
    for (int axis = 0; axis < Dim; ++axis) mean[axis] = static_cast<double>(sum(state.velocity, axis)) / count;
    auto const energy_of_eddies = [&] {
      double energy = kinetic_energy(grid, state.velocity);
      for (int axis = 0; axis < Dim; ++axis) energy -= 0.5 * mean[axis] * mean[axis] * count;
      return energy;
    };
    double energy = energy_of_eddies();
    ASSERT_GT(energy, 0.01);
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 50; ++k) step.advance(state, step.longest_step(state, 0.5));
      double const now = energy_of_eddies();
      ASSERT_LT(now, energy) << "seed " << seed << ", step " << state.step_count;
      energy = now;
    }
  }
}

// With the usual tolerance of the pressure solver, too.
TYPED_TEST(IncompressibleSmacOrder, SteadyFlowsComeToRest) {
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(Dim == 2 ? 20 : 10));
  domain.grid.spacing = Point<Dim>::filled(Dim == 2 ? 0.05 : 0.1);
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), {1}});
  StaggeredGrid<Dim> const grid(domain);
  for (double const tolerance : {1e-4, 1e-6}) {
    SmacOptions<Dim> options;
    options.viscosity = 0.02;
    options.pressure.stop.tolerance = tolerance;
    Smac<double, Dim> step(grid, options);
    State<double, Dim> state(grid);
    while (step.greatest_change(state) > 1e-10 && state.step_count < 6000)
      step.advance(state, step.longest_step(state, 0.5));
    EXPECT_LT(state.step_count, 6000) << tolerance << ": " << step.greatest_change(state);
  }
}
