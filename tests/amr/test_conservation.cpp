/// What no step and no change of levels may alter: totals, uniform states, and values that are not there to be read.

#include <sparse/shapes/shapes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class T, int Dim>
struct UniformOutside {
  State<T, Dim> state;
  KOKKOS_FUNCTION State<T, Dim> operator()(sparse::amr::BoundaryPoint<Gas<T, Dim>> const&) const { return state; }
};

template <class TheCase>
class Conservation : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;
  static constexpr int energy = Gas<Real, dimension>::energy;
  static constexpr bool is_double = std::is_same_v<Real, double>;
  static constexpr Coord size = dimension == 2 ? 32 : 8;
  /// Relative change of totals that rounding may cause in 1000 steps at night; sums are in double, states are not.
  static double tolerance(Scheme scheme) { return is_double ? 1e-12 : 1e-6 * stage_count(scheme); }

  static DomainOptions<dimension> box(BoundaryKind side, int level_count) {
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
  static Options<Real, dimension> options(Scheme scheme = Scheme::hancock, bool subcycle = true) {
    Options<Real, dimension> simulation;
    simulation.scheme = scheme;
    simulation.subcycle = subcycle;
    simulation.longest_stride = 1;  // finer levels change within steps
    simulation.criteria = {sparse::amr::relative_gradient<Gas<Real, dimension>>(0, dimension == 2 ? 0.05 : 0.12)};
    return simulation;
  }
  static int step_count(Scheme scheme, bool subcycle) {
    if (is_nightly) return is_double ? 1000 : 200;
    if (dimension == 3) return scheme == Scheme::hancock ? 20 : 8;
    return scheme == Scheme::hancock && subcycle && is_double ? 120 : 30;
  }

  /// Runs with all schemes; these components must not change.
  static void expect_conserved(DomainOptions<dimension> const& domain, std::vector<int> const& components) {
    for (Scheme scheme : schemes)
      for (bool subcycle : {true, false}) {
        Simulation<Real, dimension> flow(Domain<dimension>(domain), {}, ball(), {}, options(scheme, subcycle));
        auto const before = flow.totals();
        LevelChanges<dimension> changes;
        int const count = step_count(scheme, subcycle);
        for (int step = 0; step < count; ++step) {
          flow.advance();
          changes.note(flow);
        }
        EXPECT_EQ(changes.most_levels, domain.level_count) << name_of(scheme);
        EXPECT_GT(changes.count, domain.bodies.empty() ? 1 : 0) << name_of(scheme);
        EXPECT_EQ(flow.repeated_step_count(), 0) << name_of(scheme);
        double const worst = relative_change(flow.totals(), before, components);
        EXPECT_LE(worst, tolerance(scheme)) << name_of(scheme) << (subcycle ? ", subcycled" : "");
        std::printf("  %s%s: relative change %.2e after %d steps, %d changes of levels\n", name_of(scheme),
                    subcycle ? ", subcycled" : "", worst, count, changes.count);
      }
  }
};
TYPED_TEST_SUITE(Conservation, Cases);

}  // namespace

TYPED_TEST(Conservation, PeriodicBoxKeepsMassMomentumAndEnergy) {
  std::vector<int> all;
  for (int c = 0; c < TypeParam::Dim + 2; ++c) all.push_back(c);
  this->expect_conserved(this->box(BoundaryKind::periodic, 3), all);
}

TYPED_TEST(Conservation, ClosedBoxKeepsMassAndEnergy) {
  this->expect_conserved(this->box(BoundaryKind::wall, 3), {0, this->energy});
}

TYPED_TEST(Conservation, WallsThatAreFacesOfCellsKeepMassAndEnergy) {
  constexpr int Dim = TypeParam::Dim;
  auto options = this->box(BoundaryKind::periodic, 2);
  options.sides[0] = {BoundaryKind::wall, BoundaryKind::wall};
  // One body inside, one at a wall, one across a periodic side.
  Coord const end = 2 * this->size;
  auto corner = Cell<Dim>::filled(3);
  corner[0] = 2 * (this->size + 4);
  options.bodies = {body_from_cells<Dim>("ball", sparse::ball<Dim>(Vec<double, Dim>::filled(0.7 * end), 0.12 * end)),
                    body_from_cells<Dim>("corner", sparse::box<Dim>(Cell<Dim>::along(0, corner[0] - 2), corner)),
                    body_from_cells<Dim>("across", sparse::box<Dim>(Cell<Dim>::along(0, 4),
                                                                    Cell<Dim>::filled(3) + Cell<Dim>::along(0, 4)))};
  this->expect_conserved(options, {0, this->energy});
}

// Walls that are not faces of cells let some mass through, the less, the smaller the cells.
TYPED_TEST(Conservation, LeaksOfCurvedWallsFallWithTheCellWidth) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  std::vector<double> leaks[2];
  std::vector<Coord> const sizes = Dim == 2 ? std::vector<Coord>{24, 48, 96} : std::vector<Coord>{8, 16, 32};
  for (Coord const cells : sizes) {
    DomainOptions<Dim> options;
    options.cells = Cell<Dim>::filled(cells);
    options.grid.spacing = Vec<double, Dim>::filled(1.0 / cells);
    options.level_count = 2;
    options.bodies = {body_from_distance<Dim>("ball", BallDistance<Dim>{Vec<double, Dim>::filled(0.63), 0.17})};
    HotBall<T, Dim> const ball{Vec<double, Dim>::filled(0.3), 0.15, 2, 4};
    Simulation<T, Dim> flow(Domain<Dim>(options), {}, ball, {}, this->options());
    auto const before = flow.totals();
    run_to(flow, 0.15);
    for (int i = 0; i < 2; ++i) leaks[i].push_back(relative_change(flow.totals(), before, {i == 0 ? 0 : this->energy}));
    std::printf("  %d cells: %.2e of the mass, %.2e of the energy\n", cells, leaks[0].back(), leaks[1].back());
  }
  for (auto const& leak : leaks) EXPECT_GE(std::log2(leak.front() / leak.back()) / 2, 0.85);
}

TYPED_TEST(Conservation, RegriddingChangesNoTotals) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = this->box(BoundaryKind::periodic, 3);
  options.bodies = {body_from_cells<Dim>(
      "ball", sparse::ball<Dim>(Vec<double, Dim>::filled(0.7 * 4 * this->size), 0.1 * 4 * this->size))};
  auto simulation = this->options();
  simulation.regrid_stride = 1000000;
  simulation.buffer = 2;
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, this->ball(), {}, simulation);
  int change_count = 0;
  for (int round = 0; round < (Dim == 2 ? 10 : 4); ++round) {
    for (int step = 0; step < 2; ++step) flow.advance();
    auto const before = flow.totals();
    change_count += flow.regrid();
    for (int c = 0; c < Dim + 2; ++c)
      EXPECT_NEAR(flow.totals()[c], before[c], (this->is_double ? 1e-13 : 1e-6) * before[this->energy])
          << "component " << c;
  }
  EXPECT_GT(change_count, 1);
}

TYPED_TEST(Conservation, UniformFlowStaysUniformAcrossLevels) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  double const rounding = this->is_double ? 1e-14 : 5e-6;
  for (Scheme scheme : schemes)
    for (BoundaryKind first : {BoundaryKind::periodic, BoundaryKind::outflow, BoundaryKind::inflow, BoundaryKind::given,
                               BoundaryKind::wall}) {
      Vec<double, Dim> velocity;  // along walls
      for (int axis = 0; axis < Dim; ++axis)
        velocity[axis] = first == BoundaryKind::wall && axis > 0 ? 0 : 1.3 - 0.9 * axis;
      auto const uniform = gas_state<T, Dim>(1.1, velocity, 0.7);
      auto options = this->box(first, Dim == 2 ? 4 : 3);
      for (int axis = 0; axis < Dim; ++axis) options.grid.spacing[axis] = 0.3 + 0.1 * axis;
      if (first != BoundaryKind::periodic) options.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
      auto simulation = this->options(scheme);
      simulation.regrid_stride = 1000000;
      simulation.buffer = 2;
      auto ball = this->ball();  // across sides, so that levels meet there too
      for (int axis = 0; axis < Dim; ++axis) ball.center[axis] = 0.4;
      ball.radius = 1.5;
      Outside<T, Dim> const outside{uniform, sparse::amr::boundary<Gas<T, Dim>>(UniformOutside<T, Dim>{uniform})};
      Simulation<T, Dim> flow(Domain<Dim>(options), {}, ball, outside, simulation);
      ASSERT_EQ(flow.level_count(), options.level_count);
      auto const conserved = Gas<T, Dim>{}.conserved(uniform);
      for (int l = 0; l < flow.level_count(); ++l) overwrite_all_but<T, Dim>({}, flow, l, conserved);
      for (int step = 0; step < (Dim == 2 ? 20 : 6); ++step) flow.advance(1e-3);
      double worst = 0;
      for (int l = 0; l < flow.level_count(); ++l)
        for (int c = 0; c < Dim + 2; ++c)
          for (T value : leaf_values(flow, l, c)) worst = std::max<double>(worst, std::abs(value - conserved[c]));
      EXPECT_LE(worst, rounding) << name_of(scheme) << ", sides " << static_cast<int>(first);
    }
}

TYPED_TEST(Conservation, StepsReadOnlyLeavesAndRestrictedCells) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto options = this->box(BoundaryKind::outflow, 3);
  options.sides[1] = {BoundaryKind::periodic, BoundaryKind::periodic};
  options.sides[0] = {BoundaryKind::inflow, BoundaryKind::wall};
  double const end = this->size;
  options.bodies = {body_from_distance<Dim>("round", BallDistance<Dim>{Vec<double, Dim>::filled(0.8 * end), 0.1 * end}),
                    body_from_cells<Dim>("cells", sparse::box<Dim>(Cell<Dim>::filled(1), Cell<Dim>::filled(4)))};
  auto const inflow = gas_state<T, Dim>(1.5, Vec<double, Dim>::along(0, 1), 2);
  for (Scheme scheme : schemes) {
    Simulation<T, Dim> clean(Domain<Dim>(options), {}, this->ball(), {inflow, {}}, this->options(scheme));
    Simulation<T, Dim> poisoned(Domain<Dim>(options), {}, this->ball(), {inflow, {}}, this->options(scheme));
    for (int step = 0; step < (Dim == 2 ? 15 : 4); ++step) {
      for (int l = 0; l < poisoned.level_count(); ++l)
        overwrite_all_but<T, Dim>(poisoned.sets(l).leaves | poisoned.sets(l).restricted, poisoned, l,
                                  State<T, Dim>::filled(std::numeric_limits<T>::quiet_NaN()));
      clean.advance();
      poisoned.advance();
      ASSERT_TRUE(Snapshot(clean) == Snapshot(poisoned)) << name_of(scheme) << " step " << step;
    }
    EXPECT_EQ(poisoned.repeated_step_count(), 0);
  }
}
