/// SMAC steps: what is conserved, symmetry, walls, step lengths, and how steps run.

#include <sparse/solvers/incompressible/buoyancy.hpp>
#include <sparse/solvers/incompressible/measures.hpp>
#include <sparse/solvers/incompressible/smac.hpp>
#include <support/incompressible.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSmac : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmac, RealCases);

template <class T, int Dim>
SmacOptions<Dim> options_of(double viscosity) {
  SmacOptions<Dim> options;
  options.viscosity = viscosity;
  options.pressure.stop = {precise<T>(1e-5, 1e-11), 500};
  options.pressure.cycle_precision = sparse::poisson::Precision::same;
  return options;
}

/// A box with a ball in it, other widths along each axis, an inflow askew and an outflow; `turns` times the first axis
/// has become the next one, and so on.
template <int Dim>
struct Turned {
  int turns;
  Vec<double, Dim> spacing = {};
  FlowDomain<Dim> domain = {};

  int axis(int of) const { return (of + turns) % Dim; }
  template <class V>
  V turned(V const& v) const {
    V result{};
    for (int b = 0; b < Dim; ++b) result[axis(b)] = v[b];
    return result;
  }
  template <class V>
  V turned_back(V const& v) const {
    V result{};
    for (int b = 0; b < Dim; ++b) result[b] = v[axis(b)];
    return result;
  }
  explicit Turned(int count) : turns(count) {
    Cell<Dim> end{};
    Point<Dim> middle{}, wind{}, lid{};
    for (int b = 0; b < Dim; ++b) {
      end[b] = 12 - 2 * b;
      middle[b] = 0.5 * end[b];
      spacing[b] = 0.1 + 0.02 * b;
      wind[b] = 0.3 * b;
    }
    wind[0] = 1;
    lid[0] = -0.5;
    domain.fluid = sparse::box<Dim>({}, turned(end)) - sparse::ball<Dim>(turned(middle), 2.2);
    domain.spacing = turned(spacing);
    domain.parts.push_back(
        {BoundaryKind::inflow, side_faces(domain.fluid, axis(0), FaceSide::lower), turned(wind), {}, 1.0});
    domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, axis(0), FaceSide::upper)});
    domain.parts.push_back(
        {BoundaryKind::no_slip, side_faces(domain.fluid, axis(1), FaceSide::upper), turned(lid), {}, -1.0});
  }
};

/// What a turned flow is after some steps, turned back: each component of velocity, then temperature.
template <class T, int Dim>
std::vector<std::map<Cell<Dim>, double, StorageOrder>> turned_flow(int turns) {
  Turned<Dim> const turned(turns);
  StaggeredGrid<Dim> const grid(turned.domain);
  auto options = options_of<T, Dim>(0.02);
  options.transported = {{0, 0.01}};
  Point<Dim> gravity{}, lift{};
  gravity[1] = 0.4;
  lift[0] = 0.7;
  options.acceleration = turned.turned(gravity);
  options.buoyancy = {{0, turned.turned(lift)}};
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"temperature"});
  set_cells(grid, state.carried[0], [&](Point<Dim> const& x) {
    auto const y = turned.turned_back(x);
    return std::cos(5 * y[0]) + std::sin(4 * y[1]);
  });
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(step.advance(state, 0.02).has_converged());
  std::vector<std::map<Cell<Dim>, double, StorageOrder>> result;
  auto const add = [&](sparse::Field<T, Dim> const& field, int component, IntervalSet<Dim> const& where) {
    result.emplace_back();
    for (auto const& [cell, value] : values_on(field, component, where))
      result.back()[turned.turned_back(cell)] = value;
  };
  for (int b = 0; b < Dim; ++b) add(state.velocity, turned.axis(b), grid.faces(turned.axis(b)));
  add(state.carried[0], 0, grid.fluid());
  return result;
}

template <class T, int Dim>
void start_at_random(Smac<T, Dim>& step, State<T, Dim>& state, unsigned seed) {
  set_random_velocity(step.grid(), state.velocity, seed);
  EXPECT_TRUE(step.project(state).has_converged());
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (auto& values : state.carried)
    set_where(values, 0, step.grid().fluid(), [&](Cell<Dim> const&) { return uniform(engine); });
}

/// The fluid of a seed between walls at rest.
template <int Dim>
FlowDomain<Dim> closed_domain(unsigned seed) {
  auto domain = random_domain<Dim>(seed);
  domain.parts.clear();
  return domain;
}

template <class T, int Dim>
double greatest_difference(sparse::Field<T, Dim> const& a, sparse::Field<T, Dim> const& b) {
  auto difference = clone(a);
  axpy(-1, b, difference);
  return norm_max(difference);
}

}  // namespace

// Temperature first, then velocity with the buoyancy of the new temperature, pressure, and ink with the new velocity.
TYPED_TEST(IncompressibleSmac, StepsAreTheirPartsInOrder) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    auto options = options_of<T, Dim>(0.02);
    options.donor_cell = 0.25;
    options.acceleration[1] = 0.3;
    options.transported = {{1, 0.05}};
    auto lift = Point<Dim>::filled(0.5);
    lift[0] = -2;
    options.buoyancy = {{1, lift}, {0, Point<Dim>::along(1, -0.7)}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"ink", "temperature"});
    start_at_random(step, state, seed);
    double const dt = step.longest_step(state, 0.4);
    auto ink = clone(state.carried[0]), temperature = clone(state.carried[1]);
    auto velocity = clone(state.velocity);
    sparse::Field<T, Dim> pressure("pressure", grid.fluid());
    sparse::fill(pressure, 0);
    CellTransport<Dim>{grid}(state.carried[1], state.velocity, dt, 0.05, 0.25, temperature);
    Convection<Dim>{grid}(state.velocity, dt, {0.02, 0.25, options.acceleration}, velocity);
    add_buoyancy(grid, temperature, options.buoyancy[0].acceleration, dt, velocity);
    add_buoyancy(grid, ink, options.buoyancy[1].acceleration, dt, velocity);
    Projection<T, Dim>(grid, options.pressure).project(velocity, pressure, dt);
    AdvectionScratch<T, Dim> scratch(grid);
    auto const before = clone(ink);
    advect(grid, velocity, before, ink, dt, Advection::linear, scratch);

    step.advance(state, dt);
    EXPECT_LT(greatest_difference(state.carried[1], temperature), precise<T>(1e-6, 1e-14)) << "seed " << seed;
    EXPECT_LT(greatest_difference(state.velocity, velocity), precise<T>(1e-3, 1e-8)) << "seed " << seed;
    EXPECT_LT(greatest_difference(state.carried[0], ink), precise<T>(1e-3, 1e-7)) << "seed " << seed;
    EXPECT_GT(greatest_difference(before, ink), 0.01);
    EXPECT_DOUBLE_EQ(state.time, dt);
  }
}

TYPED_TEST(IncompressibleSmac, TheSameFlowAlongOtherAxesIsTheSame) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const first = turned_flow<T, Dim>(0);
  for (int turns = 1; turns < Dim; ++turns) {
    auto const other = turned_flow<T, Dim>(turns);
    ASSERT_EQ(first.size(), other.size());
    for (std::size_t c = 0; c < first.size(); ++c) {
      ASSERT_EQ(first[c].size(), other[c].size());
      for (auto const& [cell, value] : first[c])
        ASSERT_NEAR(other[c].at(cell), value, precise<T>(1e-4, 1e-9)) << c << " turned " << turns << " at " << cell;
    }
  }
}

// A mirrored domain with a mirrored start stays mirrored, along each axis.
TYPED_TEST(IncompressibleSmac, KeepsMirrorSymmetry) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int axis = 1; axis < Dim; ++axis) {
    FlowDomain<Dim> domain;
    auto end = Cell<Dim>::filled(12);
    end[0] = 20;
    domain.fluid = sparse::box<Dim>({}, end) - sparse::ball<Dim>(Point<Dim>::filled(6), 2.4);
    domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), {1}});
    domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
    StaggeredGrid<Dim> const grid(domain);
    auto options = options_of<T, Dim>(0.05);
    options.transported = {{0, 0.02}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    set_cells(grid, state.carried[0],
              [&](Point<Dim> const& x) { return std::cos(0.7 * x[0]) + std::cos(x[axis] - 6); });
    for (int i = 0; i < 8; ++i) step.advance(state, step.longest_step(state, 0.4));
    auto const mirrored = [&](Cell<Dim> cell, int of) {
      cell[axis] = 11 - cell[axis] + (of == axis ? 1 : 0);
      return cell;
    };
    for (int a = 0; a < Dim; ++a) {
      auto const u = values_on(state.velocity, a, grid.faces(a));
      for (auto const& [face, value] : u)
        ASSERT_NEAR(value, (a == axis ? -1 : 1) * u.at(mirrored(face, a)), precise<T>(1e-4, 1e-9)) << a << face;
    }
    auto const t = values_on(state.carried[0], 0, grid.fluid());
    for (auto const& [cell, value] : t) ASSERT_NEAR(value, t.at(mirrored(cell, Dim)), precise<T>(1e-4, 1e-9));
  }
}

TYPED_TEST(IncompressibleSmac, UniformFlowStaysUniform) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis)
    for (auto const from : {FaceSide::lower, FaceSide::upper}) {
      FlowDomain<Dim> domain;
      domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(7));
      domain.others = BoundaryKind::free_slip;
      auto const to = from == FaceSide::lower ? FaceSide::upper : FaceSide::lower;
      auto const wind = Point<Dim>::along(axis, -1.5 * outward(from));
      domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, axis, from), wind});
      domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, axis, to)});
      StaggeredGrid<Dim> const grid(domain);
      Smac<T, Dim> step(grid, options_of<T, Dim>(0.1));
      State<T, Dim> state(grid);
      set_velocity(grid, state.velocity, [&](auto const&) { return wind; });
      for (int i = 0; i < 5; ++i) step.advance(state, step.longest_step(state, 0.5));
      for (int a = 0; a < Dim; ++a)
        for (auto const& [face, value] : values_on(state.velocity, a, grid.faces(a)))
          ASSERT_NEAR(value, wind[a], precise<T>(1e-6, 1e-14)) << face;
    }
}

// At each step: what is left of the divergence is what the solver may leave; what flows in flows out.
TYPED_TEST(IncompressibleSmac, LeavesNoDivergence) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    auto const options = options_of<T, Dim>(0.02);
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid);
    start_at_random(step, state, seed);
    Convection<Dim> const convection(grid);
    for (int i = 0; i < 5; ++i) {
      double const dt = step.longest_step(state, 0.4);
      auto tentative = clone(state.velocity);
      convection(state.velocity, dt, {0.02, 0.4, {}}, tentative);
      EXPECT_TRUE(step.advance(state, dt).has_converged());
      double const allowed = 4 * options.pressure.stop.tolerance * divergence_of(grid, tentative).root_mean_square +
                             precise<T>(1e-5, 1e-13);
      EXPECT_LT(divergence_of(grid, state.velocity).root_mean_square, allowed) << "seed " << seed << ", step " << i;
      double const net = outward_flux(grid, state.velocity, BoundaryKind::inflow) +
                         outward_flux(grid, state.velocity, BoundaryKind::outflow);
      EXPECT_LT(std::abs(net), allowed * grid.cell_volume() * static_cast<double>(grid.fluid().cell_count()));
    }
  }
}

// Between walls at rest, whatever their shape, at the longest steps that are said to be stable.
TYPED_TEST(IncompressibleSmac, EnergyNeverGrowsWithoutForces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    auto options = options_of<T, Dim>(seed % 3 == 0 ? 0 : 0.01 * seed);
    bool const is_upstream = seed % 2 == 1;
    if (is_upstream) options.donor_cell = 1;
    double const safety = is_upstream ? 1.0 / (1 + Dim) : Dim == 2 ? 0.5 : 0.43;
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid);
    start_at_random(step, state, seed);
    double energy = kinetic_energy(grid, state.velocity);
    ASSERT_GT(energy, 0);
    for (int i = 0; i < 30; ++i) {
      step.advance(state, step.longest_step(state, safety));
      double const now = kinetic_energy(grid, state.velocity);
      ASSERT_LE(now, energy * (1 + precise<T>(1e-6, 1e-12))) << "seed " << seed << ", step " << i;
      energy = now;
    }
  }
}

// In a closed fluid nothing is lost and, with enough of the donor cell, nothing is overshot.
TYPED_TEST(IncompressibleSmac, KeepsTransportedValues) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    auto options = options_of<T, Dim>(0.05);
    options.donor_cell = 1;
    options.transported = {{1, 0.02 * (seed % 3)}};
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"ink", "temperature"});
    start_at_random(step, state, seed);
    double const before = total(grid, state.carried[1]);
    for (int i = 0; i < 20; ++i) {
      step.advance(state, step.longest_step(state, 1.0 / (1 + Dim)));
      ASSERT_NEAR(total(grid, state.carried[1]), before, precise<T>(1e-5, 1e-13) * before) << "seed " << seed;
    }
    for (auto const& [cell, value] : values_on(state.carried[1], 0, grid.fluid())) {
      EXPECT_GE(value, -precise<T>(1e-4, 1e-9)) << cell;
      EXPECT_LE(value, 1 + precise<T>(1e-4, 1e-9)) << cell;
    }
  }
}

// Two cavities with a wall one cell thick in between, whose sides move as they like, know nothing of each other.
TYPED_TEST(IncompressibleSmac, ThinWallsSeparate) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const cavity = [](bool is_lower, bool is_both) {
    FlowDomain<Dim> domain;
    auto const one = sparse::box<Dim>({}, Cell<Dim>::filled(8));
    auto const other = shift(one, 1, 9);
    domain.fluid = is_both ? one | other : is_lower ? one : other;
    domain.spacing = Point<Dim>::filled(0.125);
    auto const wall_of_one = side_faces(one, 1, FaceSide::upper), wall_of_other = side_faces(other, 1, FaceSide::lower);
    if (is_both || is_lower) domain.parts.push_back({BoundaryKind::no_slip, wall_of_one, {1}, {}, 2.0});
    if (is_both || !is_lower) domain.parts.push_back({BoundaryKind::no_slip, wall_of_other, {-0.5}, {}, -1.0});
    return domain;
  };
  auto options = options_of<T, Dim>(0.05);
  options.transported = {{0, 0.05}};
  auto const run = [&](FlowDomain<Dim> const& domain) {
    StaggeredGrid<Dim> const grid(domain);
    Smac<T, Dim> step(grid, options);
    State<T, Dim> state(grid, {"temperature"});
    for (int i = 0; i < 20; ++i) step.advance(state, 0.01);
    std::vector<std::map<Cell<Dim>, double, StorageOrder>> result;
    for (int a = 0; a < Dim; ++a) result.push_back(values_on(state.velocity, a, grid.faces(a)));
    result.push_back(values_on(state.carried[0], 0, grid.fluid()));
    return result;
  };
  auto const both = run(cavity(true, true));
  for (bool const is_lower : {true, false}) {
    auto const alone = run(cavity(is_lower, false));
    double greatest = 0;
    for (std::size_t c = 0; c < alone.size(); ++c)
      for (auto const& [cell, value] : alone[c]) {
        // (The donor-cell share, the same for all of a fluid, is that of the faster wall.)
        ASSERT_NEAR(both[c].at(cell), value, is_lower ? precise<T>(1e-4, 1e-9) : 0.02) << c << " at " << cell;
        greatest = std::max(greatest, std::abs(value));
      }
    EXPECT_GT(greatest, 0.2);
  }
}

TYPED_TEST(IncompressibleSmac, StepsAreAsLongAsSaid) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(6));
  double inverse_squares = 0;
  for (int b = 0; b < Dim; ++b) {
    domain.spacing[b] = 0.25 * (b + 1);
    inverse_squares += 1 / (domain.spacing[b] * domain.spacing[b]);
  }
  auto lid = Point<Dim>{-2.0};
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), lid});
  domain.parts.push_back({BoundaryKind::free_slip, side_faces(domain.fluid, 1, FaceSide::lower), {100}});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"temperature"});
  SmacOptions<Dim> options;
  auto const longest = [&](double safety) { return Smac<T, Dim>(grid, options).longest_step(state, safety); };
  EXPECT_NEAR(longest(1), 0.25 / 2, 1e-6);  // the lid's speed
  EXPECT_NEAR(longest(0.5), 0.25 / 4, 1e-6);
  set_velocity(grid, state.velocity, [](auto const&) { return Point<Dim>{0.0, -8.0}; });
  EXPECT_NEAR(longest(1), 0.5 / 8, 1e-6);
  options.viscosity = 1;
  EXPECT_NEAR(longest(1), 0.5 / inverse_squares, 1e-6);
  options.viscosity = 0.01;
  options.transported = {{0, 2}};
  EXPECT_NEAR(longest(1), 0.25 / inverse_squares, 1e-6);
  // From rest, with a force: 0.25 = a t^2
  domain.parts.clear();
  StaggeredGrid<Dim> const still(domain);
  State<T, Dim> rest(still, {"temperature"});
  sparse::fill(rest.carried[0], 2);
  SmacOptions<Dim> forced;
  EXPECT_EQ((Smac<T, Dim>(still, forced).longest_step(rest, 1)), HUGE_VAL);
  forced.acceleration = Point<Dim>{-3.0};
  forced.buoyancy = {{0, Point<Dim>{0.5}}};
  EXPECT_NEAR((Smac<T, Dim>(still, forced).longest_step(rest, 1)), std::sqrt(0.25 / 4), 1e-6);
}

TYPED_TEST(IncompressibleSmac, TheLeastShareOfTheDonorCellIsTheGreatestCourantNumber) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  auto options = options_of<T, Dim>(0.01);
  options.transported = {{0, 0.01}};
  State<T, Dim> a(grid, {"temperature"}), b(grid, {"temperature"});
  Smac<T, Dim> by_itself(grid, options);
  start_at_random(by_itself, a, 5);
  start_at_random(by_itself, b, 5);
  double const dt = by_itself.longest_step(a, 0.4);
  auto const speeds = greatest_speeds(grid, a.velocity);
  double share = 0;
  for (int axis = 0; axis < Dim; ++axis) share = std::max(share, speeds[axis] * dt / grid.spacing()[axis]);
  EXPECT_GT(share, 0.05);
  by_itself.advance(a, dt);
  options.donor_cell = share;
  Smac<T, Dim>(grid, options).advance(b, dt);
  EXPECT_LT(greatest_difference(a.velocity, b.velocity), precise<T>(1e-5, 1e-12));
  EXPECT_LT(greatest_difference(a.carried[0], b.carried[0]), precise<T>(1e-5, 1e-12));
}

TYPED_TEST(IncompressibleSmac, TellsHowMuchChanged) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(2));
  Smac<T, Dim> step(grid, options_of<T, Dim>(0.01));
  State<T, Dim> state(grid);
  EXPECT_EQ(step.greatest_change(state), HUGE_VAL);
  start_at_random(step, state, 3);
  for (int i = 0; i < 3; ++i) {
    auto const before = clone(state.velocity);
    double const dt = step.longest_step(state, 0.3);
    step.advance(state, dt);
    double greatest = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const was = values_on(before, axis, grid.faces(axis));
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
        greatest = std::max(greatest, std::abs(value - was.at(face)));
    }
    EXPECT_GT(greatest, 0);
    EXPECT_NEAR(step.greatest_change(state), greatest / dt, 1e-6 * greatest / dt);
  }
}

TYPED_TEST(IncompressibleSmac, StepsAllocateNothingOnceWarmAndLabelTheirKernels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = random_domain<Dim>(1);
  domain.parts[0].temperature = 1;
  StaggeredGrid<Dim> const grid(domain);
  SmacOptions<Dim> options;
  options.viscosity = 0.01;
  options.buoyancy.push_back({0, Point<Dim>::filled(0.3)});
  options.transported = {{0, 0.01}};
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"heat", "ink"});
  sparse::fill(state.carried[0], 1);
  for (int i = 0; i < 3; ++i) step.advance(state, 0.1);
  auto const in_use = grid.context().arena()->bytes_in_use();
  KokkosWatch const watch;
  for (int i = 0; i < 5; ++i) step.advance(state, std::min(0.1, step.longest_step(state, 0.4)));
  step.greatest_change(state);
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_EQ(grid.context().arena()->bytes_in_use(), in_use);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
  EXPECT_EQ(state.step_count, 8);
  EXPECT_GT(step.seconds().advection, 0);
  EXPECT_GT(step.seconds().pressure, 0);
}

TYPED_TEST(IncompressibleSmac, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  Smac<T, Dim> step(grid);
  State<T, Dim> state(grid, {"temperature"});
  for (double const wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(is_refused([&] { step.advance(state, wrong); }, "time step"));
    EXPECT_TRUE(is_refused([&] { step.longest_step(state, wrong); }, "safety"));
  }
  EXPECT_EQ(state.step_count, 0);
  auto const refused = [&](auto const& change, char const* part) {
    SmacOptions<Dim> options;
    change(options);
    return is_refused([&] { Smac<T, Dim>(grid, options); }, part);
  };
  for (double const wrong : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(refused([=](auto& o) { o.viscosity = wrong; }, "viscosity"));
    EXPECT_TRUE(refused([=](auto& o) { o.donor_cell = wrong; }, "donor-cell"));
    EXPECT_TRUE(refused([=](auto& o) { o.transported = {{0, wrong}}; }, "diffusivity"));
  }
  EXPECT_TRUE(refused([](auto& o) { o.acceleration[1] = HUGE_VAL; }, "acceleration"));
  EXPECT_TRUE(refused([](auto& o) { o.buoyancy = {{0, Point<Dim>::filled(std::nan(""))}}; }, "acceleration"));
  EXPECT_TRUE(refused([](auto& o) { o.transported = {{0, 0}, {1, 0}, {0, 1}}; }, "twice"));
  EXPECT_TRUE(refused([](auto& o) { o.pressure.stop.tolerance = -1; }, "tolerance"));
  SmacOptions<Dim> options;
  options.transported = {{1, 0}};
  EXPECT_TRUE(is_refused([&] { Smac<T, Dim>(grid, options).advance(state, 1); }, "does not have"));
  options.transported = {};
  options.buoyancy = {{1, {}}};
  EXPECT_TRUE(is_refused([&] { Smac<T, Dim>(grid, options).advance(state, 1); }, "does not have"));
  StaggeredGrid<Dim> const other(random_domain<Dim>(4));
  State<T, Dim> strange(other);
  EXPECT_TRUE(is_refused([&] { step.advance(strange, 1); }, "storage"));
  EXPECT_TRUE(is_refused([&] { step.greatest_change(strange); }, "storage"));
}

// A flow that grows beyond all numbers is still there as it was before.
TYPED_TEST(IncompressibleSmac, StepsThatOverflowChangeNoVelocity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  Smac<T, Dim> step(grid);
  State<T, Dim> state(grid);
  auto const cell = *cells_of(grid.open_faces(0)).begin();
  for (double const wrong : {std::nan(""), precise<T>(1e30, 1e200)}) {
    set_where(state.velocity, 0, grid.open_faces(0), [&](Cell<Dim> const& face) { return face == cell ? wrong : 0.5; });
    auto const before = clone(state.velocity);
    EXPECT_THROW(step.advance(state, 0.1), std::runtime_error);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const was = values_on(before, axis, grid.faces(axis));
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
        EXPECT_TRUE(value == was.at(face) || std::isnan(was.at(face))) << face;
    }
  }
  EXPECT_EQ(state.step_count, 0);
}
