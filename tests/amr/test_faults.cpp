/// What goes wrong is named and leaves the last good state; what is merely odd works.

#include <sparse/amr/measure/forces.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class T, int Dim>
HotBall<T, Dim> ball_in(Coord size) {
  return {Vec<double, Dim>::filled(0.45 * size), 0.2 * size, 2, 4};
}

/// The message of NonFiniteState that a step ends with; "" if it succeeds.
template <class Flow>
std::string failure_of(Flow& flow) {
  try {
    flow.advance();
  } catch (NonFiniteState const& error) {
    return error.what();
  }
  return "";
}

template <int Dim>
std::string name_of(int level, Cell<Dim> const& cell) {
  std::string name = "level " + std::to_string(level) + ", cell (";
  for (int axis = 0; axis < Dim; ++axis) name += (axis == 0 ? "" : ", ") + std::to_string(cell[axis]);
  return name + ")";
}

template <class TheCase>
class Faults : public testing::Test {
public:
  static constexpr double rounding = std::is_same_v<typename TheCase::Scalar, double> ? 1e-13 : 1e-5;
};
TYPED_TEST_SUITE(Faults, Cases);

}  // namespace

TYPED_TEST(Faults, BrokenCellsAreNamedAndTheStateStaysAsItWas) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Gas<T, Dim> const gas;
  T const nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  State<T, Dim> const broken[] = {State<T, Dim>::filled(nan), gas.conserved(T(1), {}, infinity),
                                  gas.conserved(T(1), {}, T(-50)), gas.conserved(T(-5), {}, T(1)),
                                  gas.conserved(T(-5), {}, T(-50))};  // with a speed of sound that is a number
  Coord const size = Dim == 2 ? 20 : 8;
  for (int l = 0; l < 3; ++l)
    for (auto const& state : broken)
      for (int stride : {1, 100}) {  // the levels change before the step, or not
        Options<T, Dim> options;
        options.buffer = 1;
        options.regrid_stride = stride;
        Simulation<T, Dim> flow(Domain<Dim>(closed_box<Dim>(size, 3)), {}, ball_in<T, Dim>(size), {}, options);
        for (int step = 0; step < 2; ++step) flow.advance();
        if (flow.sets(l).leaves.is_empty()) continue;  // small boxes in 3D are refined everywhere
        auto const leaves = reference::cells_of(flow.sets(l).leaves);
        auto const cell = *std::next(leaves.begin(), static_cast<long>(leaves.size() / 2));
        overwrite<T, Dim>(flow, l, cell, state);
        Snapshot const before(flow);
        ASSERT_NE((failure_of(flow).find(name_of<Dim>(l, cell))), std::string::npos) << stride;
        ASSERT_TRUE(Snapshot(flow) == before) << "stride " << stride << ", level " << l;
        ASSERT_NE((failure_of(flow).find(name_of<Dim>(l, cell))), std::string::npos);  // and again
      }
}

TYPED_TEST(Faults, ImpossibleInitialStatesAreRefused) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto ball = ball_in<T, Dim>(8);
  ball.pressure_jump = -3;
  using Flow = Simulation<T, Dim>;
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, ball), NonFiniteState);
  ball.pressure_jump = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 1)), {}, ball), NonFiniteState);
}

TYPED_TEST(Faults, OptionsOutOfRangeAreRefused) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const expect_refusal = [](auto const& change) {
    Options<T, Dim> options;
    change(options);
    using Flow = Simulation<T, Dim>;
    EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 1)), {}, ball_in<T, Dim>(8), {}, options), std::invalid_argument);
  };
  for (double cfl : {0.0, -0.1, 1.01, nan}) expect_refusal([&](auto& o) { o.cfl = cfl; });
  for (int stride : {0, -1}) expect_refusal([&](auto& o) { o.regrid_stride = stride; });
  for (int stride : {0, -1}) expect_refusal([&](auto& o) { o.longest_stride = stride; });
  expect_refusal([](auto& o) { o.buffer = -1; });
  expect_refusal([](auto& o) { o.minimum_width = 0; });
  Simulation<T, Dim> flow(Domain<Dim>(closed_box<Dim>(8, 1)), {}, ball_in<T, Dim>(8));
  Snapshot const before(flow);
  for (double dt : {0.0, -1.0, nan}) EXPECT_THROW(flow.advance(dt), std::invalid_argument) << dt;
  EXPECT_TRUE(Snapshot(flow) == before);
}

TYPED_TEST(Faults, RefiningMakesNoImpossibleStates) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Gas<T, Dim> const gas;
  Simulation<T, Dim> flow(Domain<Dim>(closed_box<Dim>(12, 2)), {}, Uniform<T, Dim>{gas_state<T, Dim>(1, {}, 1)});
  ASSERT_EQ(flow.level_count(), 1);
  // In the middle cell momentum has a slope, but energy, the least of the three, has none. So the faster children of
  // this cell would have less energy than their motion.
  auto const middle = Cell<Dim>::filled(6);
  auto const one = Cell<Dim>::along(0, 1);
  overwrite<T, Dim>(flow, 0, middle - one, gas.conserved(T(1), {}, T(0.5)));
  overwrite<T, Dim>(flow, 0, middle, gas.conserved(T(1), Vec<T, Dim>::along(0, T(1)), T(0.02)));
  overwrite<T, Dim>(flow, 0, middle + one, gas.conserved(T(1.3), Vec<T, Dim>::along(0, T(2)), T(0.02)));
  auto const before = flow.totals();
  EXPECT_TRUE(flow.regrid());
  EXPECT_EQ(flow.level_count(), 2);
  for (int c = 0; c < Dim + 2; ++c) EXPECT_NEAR(flow.totals()[c], before[c], this->rounding * before[Dim + 1]);
  for (auto const& [cell, state] : leaf_states(flow, 1)) EXPECT_GT(gas.pressure(state), 0) << cell;
  EXPECT_EQ((failure_of(flow)), "");
}

TYPED_TEST(Faults, AnyNumberOfLevelsRuns) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (int level_count = 1; level_count <= (Dim == 2 ? 6 : 4); ++level_count) {
    Coord const size = Dim == 2 ? 12 : 5;
    Simulation<T, Dim> flow(Domain<Dim>(closed_box<Dim>(size, level_count)), {}, ball_in<T, Dim>(size));
    EXPECT_EQ(flow.level_count(), level_count);
    auto const before = flow.totals();
    for (int step = 0; step < 10; ++step) flow.advance();
    EXPECT_NEAR(flow.totals()[0] / before[0], 1, this->rounding);
  }
}

// In a box of which the rows alone would not fit into memory in 3D; where the finest cells are, it is open.
TYPED_TEST(Faults, SixteenLevelsRun) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim, finest = 15;
  Coord const size = 12, middle = (size << finest) / 2;
  Options<T, Dim> options;
  options.subcycle = false;
  auto const along_x = Cell<Dim>::along(0, middle);
  auto const point = sparse::box<Dim>(along_x - Cell<Dim>::along(0, 2), Cell<Dim>::filled(4) + along_x);
  auto domain = closed_box<Dim>(size, finest + 1);
  domain.parts = {
      {1, sparse::FaceSide::lower, sparse::box<Dim>({}, Cell<Dim>::filled(size) - Cell<Dim>::along(1, size - 1)),
       BoundaryKind::no_slip},
      {1, sparse::FaceSide::lower,
       sparse::box<Dim>(Cell<Dim>::along(0, size / 2), Cell<Dim>::filled(size / 2 + 1) - Cell<Dim>::along(1, size / 2)),
       BoundaryKind::outflow}};
  options.criteria = {sparse::amr::region<Gas<T, Dim>>(point, finest, finest)};
  Simulation<T, Dim> flow(Domain<Dim>(domain), {}, ball_in<T, Dim>(size), {}, options);
  EXPECT_EQ(flow.level_count(), finest + 1);
  EXPECT_EQ((point - flow.sets(finest).leaves).cell_count(), 0);
  EXPECT_LT(flow.leaf_count(), 16 * (Dim == 2 ? 1000 : 20000));
  auto const before = flow.totals();
  for (int step = 0; step < (Dim == 2 ? 10 : 3); ++step) flow.advance();
  EXPECT_EQ(flow.level_count(), finest + 1);
  EXPECT_NEAR(flow.totals()[0] / before[0], 1, 1e-6);             // there is no time to flow out
  EXPECT_NO_THROW(Domain<Dim>(closed_box<Dim>(64, finest + 1)));  // has more cells than 64 bits count
}

TYPED_TEST(Faults, LevelsThatNobodyNeedsDoNotExist) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 8;
  auto const state = gas_state<T, Dim>(1, Vec<double, Dim>::filled(0.3), 1);
  auto options = closed_box<Dim>(size, 4);
  options.sides = all_sides<Dim>(BoundaryKind::periodic);
  Simulation<T, Dim> uniform(Domain<Dim>(options), {}, Uniform<T, Dim>{state});
  EXPECT_EQ(uniform.level_count(), 1);
  for (int step = 0; step < 10; ++step) uniform.advance();
  EXPECT_EQ(uniform.level_count(), 1);

  // A disturbance that fades away takes its levels with it.
  Options<T, Dim> simulation;
  simulation.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(0, 0.2)};
  simulation.scheme = Scheme::godunov;
  simulation.regrid_stride = 3;
  Simulation<T, Dim> fading(Domain<Dim>(options), {}, ball_in<T, Dim>(size), {}, simulation);
  EXPECT_EQ(fading.level_count(), 4);
  int fewest = 4;
  for (int step = 0; step < 1500 && fewest > 1; ++step) {
    fading.advance();
    fewest = std::min(fewest, fading.level_count());
  }
  EXPECT_EQ(fewest, 1);
}

TYPED_TEST(Faults, FlowPassesChannelsOfOneCell) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  // A wall across the box with one hole, one cell of the finest level wide, and a dead end of the same width.
  auto options = closed_box<Dim>(Dim == 2 ? 16 : 6, 2);
  Coord const end = 2 * options.cells[0];
  auto solid = sparse::box<Dim>(Cell<Dim>::along(0, end / 2), [&] {
    auto corner = Cell<Dim>::filled(end);
    corner[0] = end / 2 + 3;
    return corner;
  }());
  auto hole = Cell<Dim>::filled(end / 2), hole_end = Cell<Dim>::filled(end / 2 + 1);
  hole_end[0] += 2;
  auto dead_end = Cell<Dim>::filled(1), dead_end_end = Cell<Dim>::filled(2);
  dead_end[0] = end / 2;
  dead_end_end[0] = end / 2 + 2;
  options.bodies = {body_from_cells<Dim>("wall", solid - sparse::box<Dim>(hole, hole_end) -
                                                     sparse::box<Dim>(dead_end, dead_end_end))};
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, ball_in<T, Dim>(options.cells[0]));
  auto const before = flow.totals();
  for (int step = 0; step < 100; ++step) flow.advance();
  for (int c : {0, Dim + 1}) EXPECT_NEAR(flow.totals()[c] / before[c], 1, this->rounding);
  double through = 0;  // momentum in the hole
  for (auto const& [cell, state] : leaf_states(flow, 1))
    if (cell == hole) through = state[1];
  EXPECT_GT(through, 0.01);
}

TYPED_TEST(Faults, BodiesMayTouchEverySideAndFillHalfTheBox) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 16 : 6;
  auto const wind = gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 2), 1);
  for (int body = 0; body < 4; ++body) {
    auto options = closed_box<Dim>(size, 2);
    options.sides = all_sides<Dim>(BoundaryKind::outflow);
    options.sides[0][0] = BoundaryKind::inflow;
    Coord const end = 2 * size;
    auto const all = Cell<Dim>::filled(end);
    IntervalSet<Dim> cells;
    if (body == 0) cells = sparse::ball<Dim>(Vec<double, Dim>::filled(0), 0.4 * end);    // at the inflow
    if (body == 1) cells = sparse::ball<Dim>(Vec<double, Dim>::filled(end), 0.4 * end);  // at open sides
    if (body == 2) cells = sparse::box<Dim>(Cell<Dim>::along(1, end / 2), all);          // half the box
    if (body == 3) cells = sparse::box<Dim>({}, all) - sparse::box<Dim>(Cell<Dim>::filled(end / 2), all);
    options.bodies = {body_from_cells<Dim>("body", cells)};
    Simulation<T, Dim> flow(Domain<Dim>(options), {}, Uniform<T, Dim>{wind}, {wind, {}});
    for (int step = 0; step < 100; ++step) ASSERT_NO_THROW(flow.advance()) << "body " << body << " step " << step;
    EXPECT_TRUE(std::isfinite(flow.totals()[0]));
    if (body == 2) {  // nothing pushes a wind along a flat wall
      EXPECT_NEAR(sparse::amr::force_on_body(flow, 0).force[0], 0, 1e-5);
    }
  }
}

TYPED_TEST(Faults, FastInflowIntoGasAtRestIsStable) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 32 : 10;
  auto options = closed_box<Dim>(size, 2);
  options.sides = all_sides<Dim>(BoundaryKind::outflow);
  options.sides[0][0] = BoundaryKind::inflow;
  auto const rest = gas_state<T, Dim>(1, {}, 1), wind = gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 30), 1);
  using Flow = Simulation<T, Dim>;
  EXPECT_THROW(Flow(Domain<Dim>(options), {}, Uniform<T, Dim>{rest}), std::invalid_argument);  // no inflow given
  Flow flow(Domain<Dim>(options), {}, Uniform<T, Dim>{rest}, {wind, {}});
  for (int step = 0; step < 50; ++step) ASSERT_NO_THROW(flow.advance()) << "step " << step;
}

TYPED_TEST(Faults, SidesWithoutStatesAndStatesOfOtherDomainsAreRefused) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  using Flow = Simulation<T, Dim>;
  auto const ball = ball_in<T, Dim>(8);
  auto given = closed_box<Dim>(8, 2);
  given.sides[0][1] = BoundaryKind::given;
  EXPECT_THROW(Flow(Domain<Dim>(given), {}, ball), std::invalid_argument);

  Flow const flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, ball);
  auto const saved = [&] { return flow.save(); };
  EXPECT_NO_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, saved()));
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(9, 2)), {}, saved()), std::invalid_argument);
  EXPECT_THROW(Flow(Domain<Dim>(given), {}, saved()), std::invalid_argument);  // no function
  auto wrong = saved();
  wrong.states.pop_back();
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, wrong), std::invalid_argument);
  wrong = saved();
  wrong.states[0] = sparse::Field<T, Dim>("state", wrong.cells[0], Dim + 1);
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, wrong), std::invalid_argument);
  EXPECT_THROW(Flow(Domain<Dim>(closed_box<Dim>(8, 2)), {}, sparse::amr::SavedState<T, Dim>{}), std::invalid_argument);
}
