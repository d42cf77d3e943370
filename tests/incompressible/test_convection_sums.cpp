/// What convection and transport keep, and convection of some of the faces.

#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/shapes/random.hpp>
#include <support/incompressible.hpp>

#include "step/convection.hpp"
#include "step/projection.hpp"
#include "step/transport.hpp"

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleConvectionSums : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleConvectionSums, RealCases);

template <int Dim>
FlowDomain<Dim> periodic_box(Coord width) {
  FlowDomain<Dim> domain;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(width));
  domain.period = Cell<Dim>::filled(width);
  return domain;
}

}  // namespace

// Where space repeats itself nothing is lost: fluxes only go from one face or cell to the next.
TYPED_TEST(IncompressibleConvectionSums, KeepsMomentumAndValues) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    StaggeredGrid<Dim> const grid(periodic_box<Dim>(Dim == 2 ? 24 : 9));
    State<T, Dim> state(grid, {"temperature"});
    set_random_velocity(grid, state.velocity, seed);
    set_random_cells(grid, state.carried[0], seed);
    auto velocity = clone(state.velocity);
    auto values = clone(state.carried[0]);
    double const share = 0.25 * (seed % 5);
    Convection<Dim> const convection(grid);
    CellTransport<Dim> const transport(grid);
    convection(state.velocity, 0.1, {0.05, share, {}}, velocity);
    transport(state.carried[0], state.velocity, 0.1, 0.05, share, values);
    auto const count = static_cast<double>(grid.fluid().cell_count());
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_NEAR(sum(velocity, axis), sum(state.velocity, axis), precise<T>(1e-7, 1e-16) * count) << "seed " << seed;
    EXPECT_NEAR(total(grid, values), total(grid, state.carried[0]), precise<T>(1e-7, 1e-16) * count);
    add(velocity, -1, state.velocity);
    add(values, -1, state.carried[0]);
    EXPECT_GT(norm_max(velocity), 0.05);
    EXPECT_GT(norm_max(values), 0.05);
  }
}

// Central differences of a velocity without divergence do no work; upstream ones take energy away.
TYPED_TEST(IncompressibleConvectionSums, CentralDifferencesKeepEnergy) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    auto domain = random_domain<Dim>(seed);
    domain.parts.clear();
    domain.others = seed % 2 == 0 ? BoundaryKind::no_slip : BoundaryKind::wall;
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    sparse::poisson::SolverOptions options;
    options.stop = {precise<T>(1e-6, 1e-13), 500};
    options.method = sparse::poisson::MultigridCg{{.precision = sparse::poisson::Precision::same}};
    Projection<T, Dim> projection(grid, options);
    projection.project(state.velocity, state.pressure, 1);
    Convection<Dim> const convection(grid);
    double work[2], size = 0;
    for (int i = 0; i < 2; ++i) {
      auto next = clone(state.velocity);
      convection(state.velocity, 1, {0, static_cast<double>(i), {}}, next);
      add(next, -1, state.velocity);
      work[i] = dot(state.velocity, next);
      size = std::sqrt(static_cast<double>(dot(state.velocity, state.velocity)) * static_cast<double>(dot(next, next)));
    }
    EXPECT_LT(std::abs(work[0]), precise<T>(1e-5, 1e-12) * size) << "seed " << seed;
    EXPECT_LT(work[1], -0.01 * size) << "seed " << seed;
  }
}

TYPED_TEST(IncompressibleConvectionSums, OfSomeFacesIsThatOfAll) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto of_all = clone(state.velocity), of_some = clone(state.velocity);
    VelocityTerms<Dim> const terms{0.05, 0.25, Point<Dim>::filled(0.1)};
    FaceSets<Dim> some;
    for (int axis = 0; axis < Dim; ++axis)
      some[axis] = grid.faces(axis) & sparse::random_cells<Dim>(grid.faces(axis).bounds(), 0.5, seed);
    Convection<Dim>{grid}(state.velocity, 0.125, terms, of_all);
    Convection<Dim>{grid, &some}(state.velocity, 0.125, terms, of_some);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const all = values_on(of_all, axis, some[axis]);
      for (auto const& [face, value] : values_on(of_some, axis, some[axis]))
        ASSERT_NEAR(value, all.at(face), precise<T>(2e-6, 4e-15)) << "seed " << seed << " at " << face;
      auto const others = grid.faces(axis) - some[axis];
      EXPECT_EQ(values_on(of_some, axis, others), values_on(state.velocity, axis, others)) << "seed " << seed;
    }
  }
}

// Space that repeats itself after few cells is space that repeats itself after twice as many.
TYPED_TEST(IncompressibleConvectionSums, ShortPeriodsAreSeenTwice) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (Coord const period : {2, 3, 4, 5})
    for (int axis = 0; axis < Dim; ++axis) {
      auto end = Cell<Dim>::filled(7);
      end[axis] = period;
      FlowDomain<Dim> once;
      once.fluid = sparse::box<Dim>({}, end) - sparse::random_cells<Dim>({{}, end}, 0.1, static_cast<unsigned>(period));
      once.period[axis] = period;
      auto twice = once;
      twice.fluid = once.fluid | shift(once.fluid, axis, period);
      twice.period[axis] = 2 * period;
      auto const convected = [&](FlowDomain<Dim> const& domain) {
        StaggeredGrid<Dim> const grid(domain);
        State<T, Dim> state(grid);
        for (int component = 0; component < Dim; ++component)
          set_where(state.velocity, component, grid.computed_faces(component), [&](Cell<Dim> face) {
            face[axis] %= period;
            return std::sin(1.0 + component + 3 * face[0] + 5 * face[1] + 7 * face[Dim - 1]);
          });
        auto result = clone(state.velocity);
        Convection<Dim>{grid}(state.velocity, 0.125, {0.05, 0, {}}, {state.velocity, 0.25, state.pressure, 0}, result);
        std::vector<std::map<Cell<Dim>, double, StorageOrder>> all;
        for (int component = 0; component < Dim; ++component)
          all.push_back(values_on(result, component, grid.computed_faces(component)));
        return all;
      };
      auto const of_once = convected(once), of_twice = convected(twice);
      for (std::size_t component = 0; component < Dim; ++component)
        for (auto const& [face, value] : of_once[component])
          ASSERT_NEAR(value, of_twice[component].at(face), precise<T>(2e-6, 4e-15))
              << "period " << period << " along " << axis << ", component " << component << " at " << face;
    }
}
