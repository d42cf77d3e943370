/// A flow goes on after bodies have grown and shrunk.

#include <sparse/incompressible/grid/carry_over.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

/// A channel with some of its cells solid.
template <int Dim>
FlowDomain<Dim> channel_with(IntervalSet<Dim> const& solid) {
  auto domain = channel<Dim>(24, 10, BoundaryKind::no_slip);
  open_ends<Dim>(domain, {1});
  domain.fluid = domain.fluid - solid;
  return domain;
}

template <int Dim>
IntervalSet<Dim> block(Coord begin, Coord end) {
  return sparse::box<Dim>(Cell<Dim>::filled(begin), Cell<Dim>::filled(end));
}

template <class Dimension>
class IncompressibleCarryOver : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleCarryOver, Dimensions);

}  // namespace

TYPED_TEST(IncompressibleCarryOver, TheSameGridGivesTheSameBits) {
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(channel_with<Dim>(block<Dim>(3, 6))), same(channel_with<Dim>(block<Dim>(3, 6)));
  Smac<double, Dim> step(grid, smac_options<double, Dim>(0.1));
  State<double, Dim> state(grid, {"ink"});
  start_at_random(step, state, 1);
  step.advance(state, 0.1);
  auto const next = carry_over(same, grid, state);
  EXPECT_EQ(next.time, state.time);
  EXPECT_EQ(next.step_count, state.step_count);
  EXPECT_EQ(to_host(next.pressure), to_host(state.pressure));
  for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(to_host(next.velocity, axis), to_host(state.velocity, axis));
  EXPECT_EQ(to_host(next.carried[0]), to_host(state.carried[0]));
}

/// Fluid that stays keeps its values; new cells lie between their neighbours; after a projection nothing diverges, and
/// the ink of cells that stay fluid is all there.
TYPED_TEST(IncompressibleCarryOver, BodiesGrowAndShrink) {
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const from(channel_with<Dim>(block<Dim>(3, 7))), to(channel_with<Dim>(block<Dim>(5, 8)));
  Smac<double, Dim> before(from, smac_options<double, Dim>(0.1)), after(to, smac_options<double, Dim>(0.1));
  State<double, Dim> state(from, {"ink"});
  start_at_random(before, state, 2);
  before.advance(state, 0.1);
  auto next = carry_over(to, from, state);

  auto const kept = to.fluid() & from.fluid(), fresh = to.fluid() - from.fluid();
  ASSERT_GT(fresh.cell_count(), 0);
  EXPECT_EQ(values_on(next.carried[0], 0, kept), values_on(state.carried[0], 0, kept));
  for (auto const& [cell, value] : values_on(next.carried[0], 0, fresh)) {
    EXPECT_GE(value, 0) << cell;
    EXPECT_LE(value, 1) << cell;
    EXPECT_NE(value, 0) << cell;
  }
  for (int axis = 0; axis < Dim; ++axis) {
    auto const faces = to.computed_faces(axis) & from.computed_faces(axis);
    EXPECT_EQ(values_on(next.velocity, axis, faces), values_on(state.velocity, axis, faces));
    for (auto const& [face, value] : values_on(next.velocity, axis, to.faces(axis) - to.computed_faces(axis)))
      EXPECT_EQ(value, axis == 0 && face[0] == 0 ? 1 : 0) << face;
  }
  EXPECT_TRUE(after.project(next).has_converged());
  EXPECT_LT(divergence_of(to, next.velocity).greatest, 1e-8);
  after.advance(next, 0.1);
  EXPECT_NEAR(outward_flux(to, next.velocity, BoundaryKind::outflow), std::pow(10, Dim - 1), 1e-6);
}

/// A body that comes and goes at once leaves the rest of the flow as it was.
TEST(IncompressibleCarryOverThereAndBack, OnlyCellsOfTheBodyDiffer) {
  auto const body = block<2>(4, 7);
  StaggeredGrid<2> const empty(channel_with<2>({})), full(channel_with<2>(body));
  Smac<double, 2> step(empty, smac_options<double, 2>(0.1));
  State<double, 2> state(empty, {"ink"});
  start_at_random(step, state, 3);
  auto const back = carry_over(empty, full, carry_over(full, empty, state));
  EXPECT_EQ(values_on(back.carried[0], 0, full.fluid()), values_on(state.carried[0], 0, full.fluid()));
  for (int axis = 0; axis < 2; ++axis)
    EXPECT_EQ(values_on(back.velocity, axis, full.open_faces(axis)),
              values_on(state.velocity, axis, full.open_faces(axis)));
}

TEST(IncompressibleCarryOverErrors, OtherCellsAreRefused) {
  auto domain = channel_with<2>({});
  StaggeredGrid<2> const grid(domain);
  State<double, 2> const state(grid);
  domain.grid.spacing[0] = 2;
  StaggeredGrid<2> const wider(domain);
  EXPECT_TRUE(is_refused([&] { carry_over(wider, grid, state); }, "other cells"));
  StaggeredGrid<2> const other(channel_with<2>(block<2>(3, 5)));
  EXPECT_TRUE(is_refused([&] { carry_over(grid, other, state); }, "velocity"));
}
