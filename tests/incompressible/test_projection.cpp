/// Projection: what comes out has no divergence, what is taken away is a gradient, and nothing else is touched.

#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/incompressible.hpp>

#include "step/projection.hpp"

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleProjection : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleProjection, RealCases);

template <class T>
sparse::poisson::SolverOptions tight() {
  sparse::poisson::SolverOptions options;
  options.stop = {precise<T>(1e-5, 1e-11), 500};
  options.method = sparse::poisson::MultigridCg{{.precision = sparse::poisson::Precision::same}};
  return options;
}

/// Sums over cells, the slow way.
template <class T, int Dim>
std::map<Cell<Dim>, double, StorageOrder> reference_divergence(StaggeredGrid<Dim> const& grid,
                                                               sparse::Field<T, Dim> const& velocity) {
  std::map<Cell<Dim>, double, StorageOrder> result;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const u = values_on(velocity, axis, grid.faces(axis));
    for (auto const& cell : cells_of(grid.fluid())) {
      auto next = cell;
      ++next[axis];
      result[cell] += (u.at(next) - u.at(cell)) / grid.spacing()[axis];
    }
  }
  return result;
}

/// Sum of u v over all faces.
template <class T, int Dim>
double product_of(StaggeredGrid<Dim> const& grid, sparse::Field<T, Dim> const& u, sparse::Field<T, Dim> const& v) {
  double sum = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const a = values_on(u, axis, grid.faces(axis)), b = values_on(v, axis, grid.faces(axis));
    for (auto const& [face, value] : a) sum += value * b.at(face);
  }
  return sum;
}

}  // namespace

TYPED_TEST(IncompressibleProjection, DivergenceIsThatOfSumsOverFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    sparse::Field<T, Dim> result("divergence", grid.fluid());
    divergence(result, grid, state.velocity);
    auto const is = value_map(result);
    double greatest = 0, square = 0;
    for (auto const& [cell, value] : reference_divergence(grid, state.velocity)) {
      EXPECT_NEAR(is.at(cell), value, 1e-5) << "seed " << seed << " at " << cell;
      greatest = std::max(greatest, std::abs(value));
      square += value * value;
    }
    auto const norms = divergence_of(grid, state.velocity);
    EXPECT_NEAR(norms.greatest, greatest, 1e-5 * greatest);
    EXPECT_NEAR(norms.root_mean_square, std::sqrt(square / static_cast<double>(is.size())), 1e-5 * greatest);
  }
}

TYPED_TEST(IncompressibleProjection, LeavesNoDivergence) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    double const before = divergence_of(grid, state.velocity).root_mean_square;
    Projection<T, Dim> projection(grid, tight<T>());
    auto const report = projection.project(state.velocity, state.pressure, 0.3);
    EXPECT_TRUE(report.has_converged()) << name_of(report.reason) << " " << report.true_residual;
    double const after = (2 * tight<T>().stop.tolerance + precise<T>(1e-5, 1e-13)) * before;
    EXPECT_LT(divergence_of(grid, state.velocity).root_mean_square, after);
    double const net = outward_flux(grid, state.velocity, BoundaryKind::inflow) +
                       outward_flux(grid, state.velocity, BoundaryKind::outflow);
    EXPECT_LT(std::abs(net), after * grid.cell_volume() * static_cast<double>(grid.fluid().cell_count()));
  }
}

TYPED_TEST(IncompressibleProjection, KeepsGivenVelocitiesAndTouchesNothingTwice) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto const before = clone(state.velocity);
    Projection<T, Dim> projection(grid, tight<T>());
    projection.project(state.velocity, state.pressure, 0.3);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const given = grid.faces(axis) - grid.computed_faces(axis);
      EXPECT_EQ(values_on(state.velocity, axis, given), values_on(before, axis, given)) << "seed " << seed;
    }
    // A second projection finds nothing to do.
    auto const once = clone(state.velocity);
    State<T, Dim> other(grid);
    projection.project(state.velocity, other.pressure, 0.3);
    add(state.velocity, -1, once);
    EXPECT_LT(norm_max(state.velocity), precise<T>(1e-3, 1e-9)) << "seed " << seed;
  }
}

// What has a potential that is 0 at the outflow is taken away to the last bit of the tolerance.
TYPED_TEST(IncompressibleProjection, TakesGradientsAway) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    auto domain = random_domain<Dim>(seed);
    for (auto& part : domain.parts) part.velocity = {};
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    sparse::Field<T, Dim> potential("potential", grid.fluid());
    set_where(potential, 0, grid.fluid(), [&](Cell<Dim> const&) { return uniform(engine); });
    subtract_gradient(grid, potential, 1, state.velocity);
    double const before = norm_max(state.velocity);
    ASSERT_GT(before, 0.1);
    Projection<T, Dim> projection(grid, tight<T>());
    projection.project(state.velocity, state.pressure, 1);
    EXPECT_LT(norm_max(state.velocity), precise<T>(1e-3, 1e-8) * before) << "seed " << seed;
    if (!grid.has_outflow() && connected_components(grid.fluid()).count() == 1) {
      T const mean = sum(potential) / static_cast<T>(potential.cell_count());
      add(state.pressure, potential);
      for (auto const& [cell, value] : value_map(state.pressure)) EXPECT_NEAR(value, mean, 1e-3) << cell;
    }
  }
}

// Fields free of divergence, with no flow through walls, are orthogonal to gradients: Helmholtz's decomposition.
TYPED_TEST(IncompressibleProjection, SplitsIntoOrthogonalParts) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    auto domain = random_domain<Dim>(seed);
    for (auto& part : domain.parts) part.velocity = {};
    // An outflow face stands for half a cell only, which the plain sum over faces does not know.
    if (domain.parts.size() > 1) domain.parts[1].kind = BoundaryKind::no_slip;
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto const before = clone(state.velocity);
    Projection<T, Dim> projection(grid, tight<T>());
    projection.project(state.velocity, state.pressure, 0.5);
    auto taken = clone(before);
    add(taken, -1, state.velocity);
    double const whole = product_of(grid, before, before), kept = product_of(grid, state.velocity, state.velocity);
    double const rest = product_of(grid, taken, taken);
    double const tolerance = precise<T>(1e-4, 1e-9) * whole;
    EXPECT_NEAR(product_of(grid, state.velocity, taken), 0, tolerance) << "seed " << seed;
    EXPECT_NEAR(kept + rest, whole, tolerance) << "seed " << seed;
    EXPECT_GT(rest, 0.01 * whole);
    EXPECT_GT(kept, 0) << "seed " << seed;
  }
}

TYPED_TEST(IncompressibleProjection, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  State<T, Dim> state(grid);
  set_random_velocity(grid, state.velocity, 1);
  Projection<T, Dim> projection(grid);
  for (double const wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(is_refused([&] { projection.project(state.velocity, state.pressure, wrong); }, "time step"));
  sparse::Field<T, Dim> one("one", grid.storage()), all("all", grid.storage(), Dim);
  EXPECT_TRUE(is_refused([&] { projection.project(one, state.pressure, 1); }, "velocity, field 'one'"));
  EXPECT_TRUE(is_refused([&] { projection.project(state.velocity, one, 1); }, "pressure, field 'one'"));
  EXPECT_TRUE(is_refused([&] { divergence(all, grid, state.velocity); }, "divergence, field 'all'"));
  for (double const wrong : {std::nan(""), HUGE_VAL}) {
    auto bad = clone(state.velocity);
    auto const cell = *cells_of(grid.open_faces(0)).begin();
    set_where(bad, 0, grid.open_faces(0), [&](Cell<Dim> const& face) { return face == cell ? wrong : 0; });
    auto const before = to_host(state.pressure);
    EXPECT_THROW(projection.project(bad, state.pressure, 1), std::runtime_error);
    EXPECT_EQ(to_host(state.pressure), before);
  }
}
