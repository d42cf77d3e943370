/// The order at which the first-order scheme converges, on one level and across levels.

#include <support/euler_flow.hpp>

using namespace flow;

namespace {

/// A smooth density wave that a uniform flow of uniform pressure carries along unchanged.
template <class T, int Dim>
struct DensityWave {
  static constexpr double amplitude = 0.2, pi = 3.14159265358979323846;
  double time = 0;
  KOKKOS_FUNCTION static double velocity(int axis) { return axis == 0 ? 1.0 : axis == 1 ? 0.5 : 0.25; }
  KOKKOS_FUNCTION double density(Vec<double, Dim> const& x) const {
    double phase = 0;
    for (int axis = 0; axis < Dim; ++axis) phase += (axis + 1) % 3 * (x[axis] - velocity(axis) * time);
    return 1 + amplitude * std::sin(2 * pi * phase);
  }
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const& x) const {
    Vec<T, Dim> v;
    for (int axis = 0; axis < Dim; ++axis) v[axis] = static_cast<T>(velocity(axis));
    return Gas<T, Dim>{}.conserved(static_cast<T>(density(x)), v, T(0.3));
  }
};

/// Mean error of density after a while on a periodic unit box. With two levels, the cells where density changes most
/// at the start are refined for good, the same part of the box at any resolution.
template <class T, int Dim>
double error_with(Coord cell_count, int level_count) {
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(cell_count);
  options.level_count = level_count;
  options.spacing = Vec<double, Dim>::filled(1.0 / cell_count);
  options.sides = all_sides<Dim>(Side::periodic);
  SimulationOptions simulation;
  simulation.regrid_stride = 1000000;
  simulation.buffer = 0;
  simulation.refine_threshold = 2.0 / cell_count;
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, DensityWave<T, Dim>{}, {}, simulation);
  double const end_time = Dim == 2 ? 0.05 : 0.02;
  while (flow.time() < end_time) flow.advance(end_time - flow.time());
  EXPECT_EQ(flow.level_count(), level_count);
  if (level_count > 1) {
    double const part =
        static_cast<double>(flow.sets(0).covered.cell_count()) / static_cast<double>(flow.sets(0).cells.cell_count());
    std::printf("  %.3f of the box refined\n", part);
    EXPECT_GT(part, 0.2);
    EXPECT_LT(part, 0.8);
  }
  double error = 0;
  for (int l = 0; l < flow.level_count(); ++l)
    for (auto const& [cell, state] : leaf_states<T, Dim>(flow, l)) {
      double const exact = DensityWave<T, Dim>{flow.time()}.density(center_of(flow.domain(), l, cell));
      error += flow.domain().cell_volume(l) * std::abs(state[0] - exact);
    }
  return error;
}

template <class TheCase>
class Accuracy : public testing::Test {};
TYPED_TEST_SUITE(Accuracy, Cases);

}  // namespace

TYPED_TEST(Accuracy, IsOfFirstOrderOnOneLevelAndAcrossLevels) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const coarse = Dim == 2 ? 64 : 24;
  double errors[2];
  for (int level_count : {1, 2}) {
    for (int i = 0; i < 2; ++i) errors[i] = error_with<T, Dim>(coarse << i, level_count);
    double const order = std::log2(errors[0] / errors[1]);
    std::printf("  %d level(s): errors %.5f, %.5f, order %.3f\n", level_count, errors[0], errors[1], order);
    EXPECT_GE(order, 0.85);
    EXPECT_LE(order, 1.2);
  }
  EXPECT_LT(errors[1], (error_with<T, Dim>(2 * coarse, 1)));  // a finer patch helps
}
