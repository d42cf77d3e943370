/// Flows in space that repeats itself: nothing knows where the seam is.

#include <numbers>

#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

using std::numbers::pi;

template <class TheCase>
class PeriodicFlow : public testing::Test {};
TYPED_TEST_SUITE(PeriodicFlow, RealCases);

/// A domain with a body, and the same with its seams elsewhere.
template <int Dim>
struct Moved {
  FlowDomain<Dim> domain;
  IntervalSet<Dim> solid;
  Cell<Dim> offset = {};  // of the seams

  /// With holes or a ball; periodic along one axis at least, with a flow through it if the first one is not among them.
  explicit Moved(unsigned seed) {
    auto engine = random_engine(seed + 4242);
    domain.fluid = random_fluid<Dim>(seed);
    auto const bounds = domain.fluid.bounds();
    solid = sparse::box<Dim>(bounds.begin, bounds.end) - domain.fluid;
    domain.others = seed % 2 == 0 ? BoundaryKind::no_slip : BoundaryKind::wall;
    unsigned const axes = 1 + seed % ((1u << Dim) - 1);
    for (int axis = 0; axis < Dim; ++axis) {
      domain.grid.spacing[axis] = 0.25 * random_int(engine, 2, 6);
      if ((axes >> axis & 1) == 0) continue;
      domain.period[axis] = bounds.end[axis] - bounds.begin[axis];
      offset[axis] = random_int(engine, 1, domain.period[axis] - 1);
    }
    if (domain.period[0] > 0) return;
    auto const out = side_faces(domain.fluid, 0, FaceSide::upper);
    auto const reached =
        components_touching(sparse::connected_components(domain.fluid), domain.fluid & shift(out[0], 0, -1));
    auto in = side_faces(domain.fluid, 0, FaceSide::lower);
    in[0] = in[0] & reached;
    auto velocity = Point<Dim>::filled(0.25);
    domain.parts.push_back({BoundaryKind::inflow, in, velocity});
    domain.parts.push_back({BoundaryKind::outflow, out});
  }

  IntervalSet<Dim> moved(IntervalSet<Dim> const& set) const { return domain.periodicity().stored(shift(set, offset)); }
  FlowDomain<Dim> moved_domain() const {
    auto result = domain;
    result.fluid = moved(domain.fluid);
    for (auto& part : result.parts)
      for (int axis = 0; axis < Dim; ++axis) part.faces[axis] = moved(part.faces[axis]);
    return result;
  }
};

/// Copies values to where the cells or faces are in the moved grid.
template <class T, int Dim>
void move_values(sparse::Field<T, Dim> const& from, int component, IntervalSet<Dim> const& where,
                 Cell<Dim> const& offset, Periodicity<Dim> const& to_periodicity, sparse::Field<T, Dim>& to) {
  std::map<Cell<Dim>, double, StorageOrder> values;
  for (auto const& [cell, value] : values_on(from, component, where))
    values[to_periodicity.stored(cell + offset)] = value;
  Cells<Dim> cells;
  for (auto const& [cell, value] : values) cells.insert(cell);
  set_where(to, component, set_of(cells), [&](Cell<Dim> const& cell) { return values.at(cell); });
}

/// The greatest difference between values and those of the moved grid.
template <class T, int Dim>
double difference(sparse::Field<T, Dim> const& a, int component, IntervalSet<Dim> const& where, Cell<Dim> const& offset,
                  Periodicity<Dim> const& periodicity, sparse::Field<T, Dim> const& b) {
  auto const other = value_map(b, component);
  double greatest = 0;
  for (auto const& [cell, value] : values_on(a, component, where))
    greatest = std::max(greatest, std::abs(value - static_cast<double>(other.at(periodicity.stored(cell + offset)))));
  return greatest;
}

template <class T, int Dim>
State<T, Dim> random_state(StaggeredGrid<Dim> const& grid, unsigned seed) {
  State<T, Dim> state(grid, {"ink"});
  set_random_velocity(grid, state.velocity, seed);
  auto engine = random_engine(seed + 99);
  std::uniform_real_distribution<double> uniform(0, 1);
  set_where(state.carried[0], 0, grid.fluid(), [&](Cell<Dim> const&) { return uniform(engine); });
  return state;
}

}  // namespace

TYPED_TEST(PeriodicFlow, DoesNotDependOnWhereTheSeamsAre) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  double const tolerance = precise<T>(2e-4, 1e-9);
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Moved<Dim> const both(seed);
    StaggeredGrid<Dim> const grid(both.domain), other(both.moved_domain());
    auto const seams = other.domain().periodicity();
    auto a = random_state<T>(grid, seed);
    State<T, Dim> b(other, {"ink"});
    for (int axis = 0; axis < Dim; ++axis)
      move_values(a.velocity, axis, grid.faces(axis), both.offset, seams, b.velocity);
    move_values(a.carried[0], 0, grid.fluid(), both.offset, seams, b.carried[0]);

    StepOptions<Dim> options{seed % 3 == 0 ? Advection::linear : Advection::maccormack, 0.02};
    options.buoyancy.push_back({0, Point<Dim>::filled(0.5)});
    options.pressure.stop = {precise<T>(1e-5, 1e-12), 200};
    SemiLagrangian<T, Dim> step(grid, options), same(other, options);
    double const dt = step.longest_step(a, 1.5);
    EXPECT_EQ(same.longest_step(b, 1.5), dt);
    EXPECT_TRUE(step.project(a).has_converged());
    EXPECT_TRUE(same.project(b).has_converged());
    EXPECT_TRUE(step.advance(a, dt).has_converged());
    EXPECT_TRUE(same.advance(b, dt).has_converged());

    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_LE(difference(a.velocity, axis, grid.faces(axis), both.offset, seams, b.velocity), tolerance);
    EXPECT_LE(difference(a.carried[0], 0, grid.fluid(), both.offset, seams, b.carried[0]), tolerance);
    EXPECT_LE(difference(a.pressure, 0, grid.fluid(), both.offset, seams, b.pressure), 10 * tolerance / dt);
    EXPECT_LE(
        difference(vorticity(grid, a.velocity), 0, grid.fluid(), both.offset, seams, vorticity(other, b.velocity)),
        20 * tolerance);
    EXPECT_NEAR(kinetic_energy(grid, a.velocity) / kinetic_energy(other, b.velocity), 1, tolerance);
    EXPECT_LE(divergence_of(other, b.velocity).greatest, 20 * tolerance);
    auto const force = BodyForces<Dim>(grid, both.solid)(a.velocity, a.pressure, 0.02).total();
    auto const moved = BodyForces<Dim>(other, both.moved(both.solid))(b.velocity, b.pressure, 0.02).total();
    for (int axis = 0; axis < Dim; ++axis) EXPECT_NEAR(force[axis], moved[axis], 100 * tolerance / dt);
  }
}

TYPED_TEST(PeriodicFlow, UniformFlowComesBack) {
  constexpr int Dim = TypeParam::value;
  using T = typename TypeParam::T;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    auto engine = random_engine(seed);
    FlowDomain<Dim> domain;
    Cell<Dim> begin, end;
    Point<Dim> velocity;
    for (int axis = 0; axis < Dim; ++axis) {
      begin[axis] = random_int(engine, -9, 9);
      domain.period[axis] = 6;
      end[axis] = begin[axis] + 6;
      velocity[axis] = random_int(engine, -2, 2);  // whole cells in a step of time 1
    }
    domain.fluid = sparse::box<Dim>(begin, end);
    StaggeredGrid<Dim> const grid(domain);
    auto state = random_state<T>(grid, seed);
    set_velocity(grid, state.velocity, [&](Point<Dim> const&) { return velocity; });
    auto const ink = value_map(state.carried[0]);
    StepOptions<Dim> options{Advection::linear};
    options.ink = InkMethod::traced;
    SemiLagrangian<T, Dim> step(grid, options);
    for (int i = 0; i < 6; ++i) step.advance(state, 1);
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
        ASSERT_NEAR(value, velocity[axis], precise<T>(1e-5, 1e-13)) << "seed " << seed << ", face " << face;
    for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
      ASSERT_NEAR(value, static_cast<double>(ink.at(cell)), precise<T>(1e-4, 1e-12)) << "seed " << seed << ", " << cell;
    EXPECT_EQ(grid.faces_of(domain.others, 0).cell_count(), 0);
    Point<Dim> below, above;
    for (int axis = 0; axis < Dim; ++axis) {
      below[axis] = begin[axis] - 0.5;
      above[axis] = end[axis] - 0.5;
    }
    auto const same = sample_cells(grid, state.carried[0], {below, above});
    EXPECT_EQ(same[0], same[1]) << "the same point";
  }
}

namespace {

/// Four vortices that a uniform flow carries through a square with sides 2 pi, and viscosity slows down.
double carried_vortex_error(int n) {
  double const viscosity = 0.02, drift = 1, t_end = 1;
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({}, {n, n});
  domain.period = {n, n};
  domain.grid.spacing = Point<2>::filled(2 * pi / n);
  StaggeredGrid<2> const grid(domain);
  auto const exact = [&](double time) {
    return [=](Point<2> const& x) {
      double const u = x[0] - drift * time, v = x[1] - drift * time, size = std::exp(-2 * viscosity * time);
      return Point<2>{drift + size * std::sin(u) * std::cos(v), drift - size * std::cos(u) * std::sin(v)};
    };
  };
  State<double, 2> state(grid);
  set_velocity(grid, state.velocity, exact(0));
  StepOptions<2> options{Advection::maccormack, viscosity};
  options.pressure.stop.tolerance = 1e-8;
  SemiLagrangian<double, 2> step(grid, options);
  int const steps = n * n / 16;  // first order in time
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(step.advance(state, t_end / steps).has_converged());
  auto wanted = clone(state.velocity);
  set_velocity(grid, wanted, exact(t_end));
  add(wanted, -1, state.velocity);
  return norm_max(wanted);
}

}  // namespace

TEST(PeriodicDomain, VorticesThatDriftConvergeToTheExactSolution) {
  double const coarse = carried_vortex_error(16), fine = carried_vortex_error(32);
  EXPECT_GT(std::log2(coarse / fine), 1.5) << coarse << ", " << fine;
  EXPECT_LT(fine, 0.03);
}

TEST(PeriodicDomain, RefusesPeriodsThatMakeNoSense) {
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({}, {8, 4});
  for (Coord const period : {-4, 1, 7}) {
    domain.period = {period, 0};
    EXPECT_TRUE(is_refused([&] { StaggeredGrid<2>{domain}; }, "the period " + std::to_string(period)));
  }
  domain.period = {8, 0};
  domain.parts.push_back({BoundaryKind::wall, side_faces(domain.fluid, 0, FaceSide::upper)});
  EXPECT_TRUE(is_refused([&] { StaggeredGrid<2>{domain}; }, "not on the boundary"));
}
