/// What no step and no change of levels may alter: totals, uniform states, and values that are not there to be read.

#include <array>

#include <sparse/shapes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class TheCase>
class Conservation : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;
  static constexpr int energy = Gas<Real, dimension>::energy;
  static constexpr bool is_double = std::is_same_v<Real, double>;
  static constexpr Coord size = dimension == 2 ? 32 : 8;
  static constexpr int step_count = 500;
  /// Relative change of totals that rounding may cause in so many steps; sums are in double, states are not.
  static constexpr double tolerance = is_double ? 1e-12 : 1e-6;

  static DomainOptions<dimension> box(Side side, int level_count) {
    DomainOptions<dimension> options;
    options.cells = Cell<dimension>::filled(size);
    options.cells[0] += 4;
    options.level_count = level_count;
    options.sides = all_sides<dimension>(side);
    return options;
  }
  static HotBall<Real, dimension> ball() {
    HotBall<Real, dimension> initial{{}, 0.14 * size, 2, 4};
    for (int axis = 0; axis < dimension; ++axis) initial.center[axis] = (0.31 + 0.1 * axis) * size;
    return initial;
  }
  static SimulationOptions options() {
    SimulationOptions simulation;
    simulation.regrid_stride = 4;
    simulation.buffer = 2;
    return simulation;
  }
};
TYPED_TEST_SUITE(Conservation, Cases);

/// Follows the levels of a simulation.
template <class T, int Dim>
struct LevelChanges {
  std::vector<IntervalSet<Dim>> last;
  int count = 0;
  int most_levels = 0;
  void note(Simulation<T, Dim> const& flow) {
    std::vector<IntervalSet<Dim>> now;
    for (int l = 0; l < flow.level_count(); ++l) now.push_back(flow.sets(l).cells);
    count += !(now == last);
    last = std::move(now);
    most_levels = std::max(most_levels, flow.level_count());
  }
};

}  // namespace

TYPED_TEST(Conservation, PeriodicBoxKeepsMassMomentumAndEnergy) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Simulation<T, Dim> flow(Domain<Dim>(this->box(Side::periodic, 3)), {}, this->ball(), {}, this->options());
  auto const before = flow.totals();
  LevelChanges<T, Dim> changes;
  for (int step = 0; step < this->step_count; ++step) {
    flow.advance();
    changes.note(flow);
  }
  EXPECT_EQ(changes.most_levels, 3);
  EXPECT_GT(changes.count, 5);
  double worst = 0;
  for (int c = 0; c < Dim + 2; ++c) worst = std::max(worst, std::abs(flow.totals()[c] / before[c] - 1));
  EXPECT_LE(worst, this->tolerance);
  std::printf("  relative change %.2e after %d changes of levels\n", worst, changes.count);
}

TYPED_TEST(Conservation, ClosedBoxKeepsMassAndEnergy) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Simulation<T, Dim> flow(Domain<Dim>(this->box(Side::wall, 3)), {}, this->ball(), {}, this->options());
  auto const before = flow.totals();
  LevelChanges<T, Dim> changes;
  for (int step = 0; step < this->step_count; ++step) {
    flow.advance();
    changes.note(flow);
  }
  EXPECT_GT(changes.count, 5);
  double worst = 0;
  for (int const c : std::array{0, this->energy}) worst = std::max(worst, std::abs(flow.totals()[c] / before[c] - 1));
  EXPECT_LE(worst, this->tolerance);
  std::printf("  relative change %.2e after %d changes of levels\n", worst, changes.count);
}

TYPED_TEST(Conservation, BodiesTakeExactlyTheMomentumThatTheFlowLoses) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = this->box(Side::periodic, 2);
  // One body inside, one across a periodic side.
  Coord const end = 2 * this->size;
  auto const inside = sparse::ball<Dim>(Vec<double, Dim>::filled(0.7 * end), 0.12 * end);
  auto const at_side = sparse::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(3)) |
                       sparse::box<Dim>(Cell<Dim>::along(0, 2 * (this->size + 4) - 2), [&] {
                         auto corner = Cell<Dim>::filled(3);
                         corner[0] = 2 * (this->size + 4);
                         return corner;
                       }());
  options.solid = inside | at_side;
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, this->ball(), {}, this->options());
  auto const before = flow.totals();
  Vec<double, Dim + 2> taken{};
  double scale = 0;
  for (int step = 0; step < (Dim == 2 ? 200 : 60); ++step) {
    if (step % this->options().regrid_stride == 0) flow.regrid();
    auto const into_bodies = flow.flux_into_bodies();
    double const dt = flow.advance();
    taken += dt * into_bodies;
    for (int axis = 0; axis < Dim; ++axis) scale += std::abs(dt * into_bodies[1 + axis]);
  }
  auto const after = flow.totals();
  for (int const c : std::array{0, this->energy}) {
    EXPECT_NEAR(taken[c] / before[c], 0, this->tolerance);
    EXPECT_NEAR(after[c] / before[c], 1, this->tolerance);
  }
  for (int axis = 0; axis < Dim; ++axis)
    EXPECT_NEAR(after[1 + axis] + taken[1 + axis], before[1 + axis], this->tolerance * (before[0] + scale)) << axis;
}

TYPED_TEST(Conservation, RegriddingChangesNoTotals) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = this->box(Side::periodic, 3);
  options.solid = sparse::ball<Dim>(Vec<double, Dim>::filled(0.7 * 4 * this->size), 0.1 * 4 * this->size);
  auto simulation = this->options();
  simulation.regrid_stride = 1000000;
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, this->ball(), {}, simulation);
  int change_count = 0;
  for (int round = 0; round < (Dim == 2 ? 10 : 4); ++round) {
    for (int step = 0; step < 5; ++step) flow.advance();
    auto const before = flow.totals();
    change_count += flow.regrid();
    for (int c = 0; c < Dim + 2; ++c)
      EXPECT_NEAR(flow.totals()[c], before[c], (this->is_double ? 1e-13 : 1e-6) * before[this->energy])
          << "component " << c;
  }
  EXPECT_GT(change_count, 1);
}

TYPED_TEST(Conservation, UniformFlowStaysExactlyUniformAcrossLevels) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Vec<T, Dim> velocity;
  for (int axis = 0; axis < Dim; ++axis) velocity[axis] = T(1.3) - T(0.9) * static_cast<T>(axis);
  State<T, Dim> const uniform = Gas<T, Dim>{}.conserved(T(1.1), velocity, T(0.7));
  for (Side first : {Side::periodic, Side::open, Side::inflow}) {
    auto options = this->box(first, Dim == 2 ? 4 : 3);
    for (int axis = 0; axis < Dim; ++axis) options.spacing[axis] = 0.3 + 0.1 * axis;
    if (first != Side::periodic) options.sides[0] = {Side::inflow, Side::open};
    auto simulation = this->options();
    simulation.regrid_stride = 1000000;
    auto ball = this->ball();  // across sides, so that levels meet there too
    for (int axis = 0; axis < Dim; ++axis) ball.center[axis] = 0.4;
    ball.radius = 1.5;
    Simulation<T, Dim> flow(Domain<Dim>(options), {}, ball, uniform, simulation);
    ASSERT_EQ(flow.level_count(), options.level_count);
    for (int l = 0; l < flow.level_count(); ++l) overwrite_all_but<T, Dim>({}, flow, l, uniform);
    for (int step = 0; step < 20; ++step) flow.advance(1e-3);
    for (int l = 0; l < flow.level_count(); ++l)
      for (int c = 0; c < Dim + 2; ++c)
        for (T value : leaf_values<T, Dim>(flow, l, c))
          ASSERT_EQ(value, uniform[c]) << "level " << l << " component " << c;
  }
}

TYPED_TEST(Conservation, StepsReadOnlyLeavesAndRestrictedCells) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = this->box(Side::open, 3);
  options.sides[1] = {Side::periodic, Side::periodic};
  options.sides[0] = {Side::inflow, Side::wall};
  options.solid = sparse::ball<Dim>(Vec<double, Dim>::filled(0.8 * 4 * this->size), 0.1 * 4 * this->size);
  auto const inflow = Gas<T, Dim>{}.conserved(T(1.5), Vec<T, Dim>::along(0, T(1)), T(2));
  Simulation<T, Dim> clean(Domain<Dim>(options), {}, this->ball(), inflow, this->options());
  Simulation<T, Dim> poisoned(Domain<Dim>(options), {}, this->ball(), inflow, this->options());
  for (int step = 0; step < (Dim == 2 ? 30 : 10); ++step) {
    for (int l = 0; l < poisoned.level_count(); ++l)
      overwrite_all_but<T, Dim>(poisoned.sets(l).leaves | poisoned.sets(l).restricted, poisoned, l,
                                State<T, Dim>::filled(std::numeric_limits<T>::quiet_NaN()));
    clean.advance();
    poisoned.advance();
    ASSERT_TRUE((Snapshot<T, Dim>(clean) == Snapshot<T, Dim>(poisoned))) << "step " << step;
  }
}
