/// Flows on levels against the solutions of others.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <support/adaptive.hpp>

namespace {

using namespace reference;

bool const is_nightly = seed_count > 1000;

/// The velocity along an axis on the faces in the middle of that axis, from one side to the other.
/// @return  places on the other axis, and values
std::vector<Point<2>> across_the_middle(AdaptiveFlow<double, 2> const& flow, int axis) {
  std::vector<Point<2>> found;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const box = flow.domain().box(l);
    for (auto const& [face, value] : values_on(flow.state(l).velocity, axis, faces(flow.leaves(l), axis)))
      if (2 * face[axis] == box.end[axis])
        found.push_back({(face[1 - axis] + 0.5) * flow.grid(l).space().spacing[1 - axis], value});
  }
  std::sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a[0] < b[0]; });
  return found;
}

/// The least value of the parabola through the least one and those beside it, which must be at equal distances.
Point<2> least(std::vector<Point<2>> const& line) {
  auto const at = std::min_element(line.begin(), line.end(), [](auto const& a, auto const& b) { return a[1] < b[1]; });
  auto const &a = at[-1], &b = at[0], &c = at[1];
  EXPECT_NEAR(c[0] - b[0], b[0] - a[0], 1e-12);
  double const slope = (c[1] - a[1]) / 2, bend = a[1] - 2 * b[1] + c[1];
  return {b[0] - slope / bend * (b[0] - a[0]), b[1] - slope * slope / (2 * bend)};
}

}  // namespace

// Botella and Peyret, Computers and Fluids 27 (1998): -0.3885698 at y = 0.1717, -0.5270771 at x = 0.9092.
TEST(IncompressibleAdaptiveCases, CavityHasTheExtremaOfTheSpectralSolution) {
  Coord const n = is_nightly ? 256 : 64;
  double const error = is_nightly ? 0.005 : 0.03;
  DomainOptions<2> box;
  box.level_count = is_nightly ? 4 : 2;
  box.cells = Cell<2>::filled(n >> (box.level_count - 1));
  box.grid.spacing = Point<2>::filled(1.0 / box.cells[0]);
  for (int axis = 0; axis < 2; ++axis) box.sides[axis] = {BoundaryKind::no_slip, BoundaryKind::no_slip};
  AdaptiveOptions<2> options;
  options.viscosity = 1e-3;
  options.walls[1][1] = {1, 0};
  options.regrid_stride = 4;
  options.criteria = {sparse::incompressible::vorticity(is_nightly ? 0.06 : 0.1)};
  AdaptiveFlow<double, 2> flow(Domain<2>(box), options);
  flow.start([](Point<2> const&) { return Point<2>{}; });
  double last = 1, change = 1;
  for (double time = 2; change > 1e-5; time += 2) {
    ASSERT_LT(time, 200);
    while (flow.time() < time) ASSERT_TRUE(flow.advance_towards(time).has_converged());
    double const energy = flow.kinetic_energy();
    change = std::abs(energy - last) / energy;
    last = energy;
  }
  auto const u = least(across_the_middle(flow, 0)), v = least(across_the_middle(flow, 1));
  double const share = static_cast<double>(flow.leaf_count()) / (n * n);
  std::printf("t %.0f, %ld steps, %.3f of the cells: least u %.6f at %.4f, v %.6f at %.4f\n", flow.time(),
              static_cast<long>(flow.step_count()), share, u[1], u[0], v[1], v[0]);
  EXPECT_NEAR(u[1], -0.3885698, error * 0.3885698);
  EXPECT_NEAR(v[1], -0.5270771, error * 0.5270771);
  EXPECT_NEAR(u[0], 0.1717, 0.5 / n + 0.001);
  EXPECT_NEAR(v[0], 0.9092, 0.5 / n + 0.001);
  EXPECT_LE(share, is_nightly ? 0.25 : 0.75);
}
