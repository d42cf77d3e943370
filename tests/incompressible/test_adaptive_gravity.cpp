/// Gravity on fluid at rest: its pressure is linear, also across interfaces, beside walls and in new leaves.

#include <sparse/incompressible/levels/adaptive_flow.hpp>
#include <support/adaptive.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleGravity : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleGravity, RealCases);

constexpr double time_step = 0.02;
constexpr int step_count = 20;

template <int Dim>
sparse::Body<Dim> ball_near_a_wall() {
  return sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{Point<Dim>::filled(0.35), 0.2},
                                         BoundaryKind::no_slip);
}

struct GravityCase {
  bool is_open;  ///< above
  bool has_body;
  bool has_curved_walls;
};

/// Patches run through walls, and the levels change with each step.
template <class T, int Dim>
void expect_rest(GravityCase const& how) {
  auto box = unit_box<Dim>(Dim == 2 ? 16 : 12, Dim == 2 ? 3 : 2, BoundaryKind::wall);
  box.sides[0] = {BoundaryKind::no_slip, BoundaryKind::wall};
  if (how.is_open) box.sides[1][1] = BoundaryKind::outflow;
  AdaptiveOptions<Dim> options;
  options.viscosity = 1e-3;
  options.acceleration[1] = -1;
  if (!how.is_open) options.acceleration[0] = 0.4;
  if (Dim == 3 && !how.is_open) options.acceleration[Dim - 1] = 0.3;
  options.criteria = {moving_ball<Dim>(0.25, Point<Dim>::filled(0.1), Point<Dim>{1.1, 2.3}),
                      moving_ball<Dim>(0.25, Point<Dim>::filled(0.8), Point<Dim>{-2.1, 0.7})};
  if (how.has_body) {
    box.bodies = {ball_near_a_wall<Dim>()};
    options.criteria.push_back(sparse::incompressible::near_surface(0.1));
  }
  options.curved_walls = how.has_curved_walls;
  options.regrid_stride = 1;
  options.stop.tolerance = precise<T>(1e-5, 1e-12);
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  EXPECT_TRUE(flow.start([](Point<Dim> const&) { return Point<Dim>{}; }).has_converged());
  int changed = 0;
  for (int step = 0; step < step_count; ++step) {
    flow.advance(time_step);
    changed += flow.adapt() ? 1 : 0;
  }
  EXPECT_GT(changed, 2);
  double const greatest = greatest_error(flow, [](Point<Dim> const&) { return Point<Dim>{}; });
  std::printf("  %s%s: greatest speed %.2e\n", how.is_open ? "open" : "closed",
              how.has_curved_walls ? ", curved walls" : (how.has_body ? ", walls of cells" : ""), greatest);
  // What the solver and rounding leave. Fluid that falls freely has a speed of 0.4.
  EXPECT_LE(greatest, precise<T>(1e-6, 1e-13));
}

TYPED_TEST(IncompressibleGravity, MovesNothingOnLevels) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (bool is_open : {false, true}) {
    expect_rest<T, Dim>({is_open, false, false});
    expect_rest<T, Dim>({is_open, true, false});
    expect_rest<T, Dim>({is_open, true, true});
  }
}

// Already the stages of the first step have the pressure that balances the forces.
TYPED_TEST(IncompressibleGravity, MovesNothingOnOneLevel) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 0; seed < 4; ++seed) {
    StaggeredGrid<Dim> const grid(closed_domain<Dim>(seed));
    auto options = smac_options<T, Dim>(1e-3);
    for (int axis = 0; axis < Dim; ++axis) options.acceleration[axis] = 0.4 - axis;
    Smac<T, Dim> method(grid, options);
    State<T, Dim> state(grid);
    EXPECT_TRUE(method.project(state).has_converged());
    for (int step = 0; step < step_count; ++step) method.advance(state, time_step);
    double greatest = 0;
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis)))
        greatest = std::max(greatest, std::abs(static_cast<double>(value)));
    EXPECT_LE(greatest, precise<T>(1e-6, 1e-13)) << "seed " << seed;
  }
}

}  // namespace
