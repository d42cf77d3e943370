/// What loops in time copy: on a device each copy crosses the bus, so there may be few, of a few numbers each.

#include <sparse/poisson/solver.hpp>
#include <support/euler_flow.hpp>
#include <support/poisson.hpp>
#include <support/smac.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

constexpr std::uint64_t few_numbers = 64;  // bytes

template <class TheCase>
class Copies : public testing::Test {};
TYPED_TEST_SUITE(Copies, RealCases);

}  // namespace

TEST(KokkosWatch, CountsCopies) {
  sparse::Context const context;
  std::vector<double> const values(5, 1.0);
  KokkosWatch const watch;
  auto const buffer = sparse::to_device(context, values);
  EXPECT_EQ(watch.copy_count(), 1);
  EXPECT_EQ(watch.largest_copy(), 5 * sizeof(double));
  EXPECT_EQ(sparse::read_back(context, static_cast<double const*>(buffer.data())), 1.0);
  EXPECT_EQ(watch.copy_count(), 2);
  EXPECT_EQ(watch.largest_copy(), 5 * sizeof(double));
}

TYPED_TEST(Copies, StepsOnLevelsMakeNoneButBetweenRegrids) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  sparse::amr::DomainOptions<Dim> domain;
  domain.cells = Cell<Dim>::filled(Dim == 2 ? 32 : 12);
  domain.level_count = 3;
  domain.sides[0] = {sparse::BoundaryKind::inflow, sparse::BoundaryKind::outflow};
  Vec<double, Dim> const centre = Vec<double, Dim>::filled(0.7 * domain.cells[0]);
  domain.bodies = {sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{centre, 2})};
  flow::Options<T, Dim> options;
  options.regrid_stride = 4;
  options.longest_stride = 8;  // no changes in between
  auto const wind = flow::gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 2), 1 / 1.4);
  flow::Simulation<T, Dim> simulation(sparse::amr::Domain<Dim>(domain), {}, flow::Uniform<T, Dim>{wind}, {wind, {}},
                                      options);
  int regrid_count = 0;
  for (int step = 0; step < 13; ++step) {
    bool const may_regrid = simulation.step_count() % options.regrid_stride == 0 && simulation.step_count() > 0;
    auto const cells = simulation.sets(simulation.level_count() - 1).cells;
    KokkosWatch const watch;
    simulation.advance();
    // What a set operation or a plan waits for is the size of its result.
    EXPECT_LE(watch.largest_copy(), few_numbers) << "step " << step;
    if (!may_regrid) {
      EXPECT_EQ(watch.copy_count(), 0) << "step " << step;
    }
    regrid_count += cells.identity() != simulation.sets(simulation.level_count() - 1).cells.identity();
  }
  EXPECT_GT(regrid_count, 0);
}

TYPED_TEST(Copies, StepsOfSmacMakeFewSmallOnes) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  Coord const n = Dim == 2 ? 24 : 10;
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(n)) - sparse::ball<Dim>(Vec<double, Dim>::filled(n / 2.0), 3);
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), Point<Dim>{1.0}});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"temperature"});
  auto options = smac_options<T, Dim>(0.01);
  options.transported = {{0, 0.01}};
  sparse::incompressible::Smac<T, Dim> step(grid, options);
  for (int i = 0; i < 3; ++i) step.advance(state, 0.01);
  KokkosWatch const watch;
  int iterations = 0;
  for (int i = 0; i < 5; ++i) iterations += step.advance(state, 0.01).iterations;
  EXPECT_LE(watch.largest_copy(), few_numbers);
  EXPECT_LE(watch.copy_count(), 5 * 4 + 4 * iterations);
}

TYPED_TEST(Copies, SolversMakeFewSmallOnesPerIteration) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  sparse::poisson::Problem<Dim> problem;
  problem.cells = sparse::box<Dim>({}, Cell<Dim>::filled(24)) - sparse::ball<Dim>(Vec<double, Dim>::filled(12), 5);
  auto const b = field_of<T, Dim>(problem.cells, [](Cell<Dim> const& cell) { return cell[0] % 5 - 2.0; });
  auto const expect_few = [&](auto&& solver, std::uint64_t most) {
    sparse::Field<T, Dim> x("x", problem.cells);
    sparse::fill(x, 0);
    solver.solve(b, x);
    sparse::fill(x, 0);
    KokkosWatch const watch;
    auto const report = solver.solve(b, x);
    EXPECT_LE(watch.largest_copy(), most);
    EXPECT_LE(watch.copy_count(), 4 + 2 * report.iterations);
  };
  expect_few(sparse::poisson::Solver<T, Dim>(problem), few_numbers);
  // With the residuals of up to 64 iterations.
  expect_few(sparse::poisson::Solver<T, Dim>(problem, sparse::poisson::TiledMultigridCg{}),
             few_numbers + 64 * sizeof(double));
}
