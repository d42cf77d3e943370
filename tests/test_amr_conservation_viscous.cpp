/// Walls to which a viscous gas sticks let neither mass nor energy pass: no heat, and no work at a wall at rest.

#include <sparse/solvers/compressible/navier_stokes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class TheCase>
class StickingWalls : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;
  using Law = sparse::compressible::NavierStokes<Real, dimension>;
  using Flow = sparse::amr::Simulation<sparse::compressible::Hllc<Law>>;
  static constexpr Coord size = dimension == 2 ? 24 : 8;

  /// A closed box with a hot ball that is blown into a corner, while the levels follow it.
  static Flow flow(Vec<Vec<Side, 2>, dimension> const& sides, Scheme scheme, bool subcycle) {
    DomainOptions<dimension> domain;
    domain.cells = Cell<dimension>::filled(size);
    domain.cells[0] += 4;
    domain.level_count = 3;
    domain.sides = sides;
    HotBall<Real, dimension> ball{{}, 0.14 * size, 2, 4};
    for (int axis = 0; axis < dimension; ++axis) ball.center[axis] = (0.31 + 0.1 * axis) * size;
    Law law;
    law.viscosity = Real(0.05);
    sparse::amr::SimulationOptions<Law> options;
    options.scheme = scheme;
    options.subcycle = subcycle;
    options.criteria = {sparse::amr::relative_gradient<Law>(0, dimension == 2 ? 0.05 : 0.12)};
    return Flow(Domain<dimension>(domain), {law}, ball, {}, options);
  }
  /// The energy that is not heat.
  static double kinetic_energy(Flow const& flow) {
    double sum = 0;
    for_each_leaf(flow, [&](int l, Vec<double, dimension> const&, State<Real, dimension> const& w) {
      for (int axis = 0; axis < dimension; ++axis)
        sum += flow.domain().cell_volume(l) * w[0] * w[1 + axis] * w[1 + axis] / 2;
    });
    return sum;
  }
};
using TheCases = testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 2>>;
TYPED_TEST_SUITE(StickingWalls, TheCases);

}  // namespace

TYPED_TEST(StickingWalls, KeepMassAndEnergy) {
  constexpr int Dim = TypeParam::Dim;
  bool const is_double = std::is_same_v<typename TypeParam::Scalar, double>;
  auto mixed = all_sides<Dim>(Side::no_slip);  // with edges between both kinds of walls
  mixed[1] = {Side::wall, Side::no_slip};
  for (auto const& sides : {all_sides<Dim>(Side::no_slip), mixed})
    for (Scheme scheme : schemes)
      for (bool subcycle : {true, false}) {
        if (Dim == 3 && !is_nightly && (scheme != Scheme::hancock || !subcycle)) continue;
        auto flow = this->flow(sides, scheme, subcycle);
        auto const before = flow.totals();
        LevelChanges<Dim> changes;
        int const count = is_nightly ? (is_double && Dim == 2 ? 400 : 100) : Dim == 2 ? 80 : 15;
        for (int step = 0; step < count; ++step) {
          flow.advance();
          changes.note(flow);
        }
        EXPECT_EQ(changes.most_levels, 3) << name_of(scheme);
        EXPECT_GT(changes.count, 1) << name_of(scheme);
        EXPECT_EQ(flow.repeated_step_count(), 0) << name_of(scheme);
        double const worst = relative_change(flow.totals(), before, {0, Dim + 1});
        EXPECT_LE(worst, (is_double ? 1e-12 : 1e-6) * stage_count(scheme)) << name_of(scheme) << subcycle;
        std::printf("  %s%s: relative change %.2e after %d steps, %d changes of levels\n", name_of(scheme),
                    subcycle ? ", subcycled" : "", worst, count, changes.count);
      }
}

TYPED_TEST(StickingWalls, SlowTheWindMoreThanOthers) {
  constexpr int Dim = TypeParam::Dim;
  auto sticking = this->flow(all_sides<Dim>(Side::no_slip), Scheme::hancock, true);
  auto slipping = this->flow(all_sides<Dim>(Side::wall), Scheme::hancock, true);
  run_to(sticking, 8);
  run_to(slipping, 8);
  double const left = this->kinetic_energy(sticking) / this->kinetic_energy(slipping);
  std::printf("  %.3f of the kinetic energy that slip walls leave\n", left);
  EXPECT_LT(left, 0.97);
}
