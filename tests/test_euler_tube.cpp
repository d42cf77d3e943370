/// Sod's shock tube along every axis, on one level and on several.

#include <support/csv.hpp>
#include <support/euler_flow.hpp>
#include <support/riemann.hpp>

using namespace flow;

namespace {

constexpr double end_time = 0.25;

template <class T, int Dim>
struct SodStates {
  int axis;
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const& x) const {
    bool const is_left = x[axis] < 0.5;
    return Gas<T, Dim>{}.conserved(T(is_left ? 1 : 0.125), {}, T(is_left ? 1 : 0.1));
  }
};

/// What a tube of unit length along `axis` ends with.
struct Tube {
  std::vector<double> density;  ///< along the axis at the finest resolution
  double error = 0;             ///< mean of |density - exact| over the length
  double updates_per_line = 0;  ///< of cells of the finest level
  double spread = 0;            ///< greatest difference across the tube
};

/// @param cell_count  at the finest level
template <class T, int Dim>
Tube run_tube(int axis, int cell_count, int level_count) {
  DomainOptions<Dim> options;
  int const width = 1;  // in cells of level 0
  for (int other = 0; other < Dim; ++other) options.cells[other] = width;
  options.cells[axis] = cell_count >> (level_count - 1);
  options.level_count = level_count;
  options.spacing = Vec<double, Dim>::filled(1.0 / options.cells[axis]);
  options.sides[axis] = {Side::open, Side::open};
  SimulationOptions simulation;
  simulation.refine_threshold = 0.003;
  Simulation<T, Dim> flow(Domain<Dim>(options), {}, SodStates<T, Dim>{axis}, {}, simulation);
  Tube tube;
  while (flow.time() < end_time) {
    flow.advance(end_time - flow.time());
    tube.updates_per_line += static_cast<double>(flow.leaf_count()) / std::pow(width << (level_count - 1), Dim - 1);
  }
  EXPECT_EQ(flow.level_count(), level_count);

  auto const exact = riemann::sod();
  std::vector<double> least(static_cast<std::size_t>(cell_count), 1e9), greatest(least.size(), -1e9);
  for (int l = 0; l < flow.level_count(); ++l)
    for (auto const& [cell, state] : leaf_states<T, Dim>(flow, l)) {
      double const x = center_of(flow.domain(), l, cell)[axis];
      double volume = flow.domain().spacing(l)[axis];
      for (int other = 0; other < Dim; ++other)
        if (other != axis) volume /= width << l;
      tube.error += volume * std::abs(state[0] - exact((x - 0.5) / end_time).rho);
      int const reach = 1 << (level_count - 1 - l);
      for (int i = 0; i < reach; ++i) {
        auto const at = static_cast<std::size_t>(cell[axis] * reach + i);
        least[at] = std::min<double>(least[at], state[0]);
        greatest[at] = std::max<double>(greatest[at], state[0]);
      }
    }
  for (std::size_t i = 0; i < least.size(); ++i) tube.spread = std::max(tube.spread, greatest[i] - least[i]);
  tube.density = std::move(least);
  return tube;
}

template <class TheCase>
class SodTube : public testing::Test {
public:
  static constexpr double rounding = std::is_same_v<typename TheCase::Scalar, double> ? 1e-13 : 2e-5;
};
TYPED_TEST_SUITE(SodTube, Cases);

}  // namespace

TEST(ExactRiemannSolution, IsThatOfTheTable) {
  auto const table = read_table("riemann_exact_sod.csv");
  ASSERT_EQ(table.size(), 1000u);
  auto const exact = riemann::sod();
  for (auto const& row : table) {
    auto const w = exact((row[0] - 0.5) / end_time);
    EXPECT_NEAR(w.rho, row[1], 1e-6);
    EXPECT_NEAR(w.u, row[2], 1e-6);
    EXPECT_NEAR(w.p, row[3], 1e-6);
  }
}

TYPED_TEST(SodTube, ConvergesToTheExactSolutionTheSameAlongEveryAxis) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const along_x = run_tube<T, Dim>(0, 400, 1);
  std::printf("  L1 error of density %.5f\n", along_x.error);
  EXPECT_LE(along_x.error, 0.0126);
  EXPECT_LE(along_x.spread, 0);
  for (int axis = 1; axis < Dim; ++axis) {
    auto const along_axis = run_tube<T, Dim>(axis, 400, 1);
    EXPECT_NEAR(along_axis.error, along_x.error, this->rounding);
    double difference = 0;
    for (std::size_t i = 0; i < 400; ++i)
      difference = std::max(difference, std::abs(along_axis.density[i] - along_x.density[i]));
    std::printf("  axis %d differs by %.2e\n", axis, difference);
    EXPECT_LE(difference, this->rounding);
  }
}

TYPED_TEST(SodTube, IsAsExactOnThreeLevelsAsOnTheFinestAlone) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const uniform = run_tube<T, Dim>(0, 400, 1);
  Tube first;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const refined = run_tube<T, Dim>(axis, 400, 3);
    std::printf("  axis %d: L1 error of density %.5f on 3 levels, %.5f on one; %.2f times the updates\n", axis,
                refined.error, uniform.error, refined.updates_per_line / uniform.updates_per_line);
    EXPECT_LE(refined.error, 0.0126);
    EXPECT_NEAR(refined.error, uniform.error, 0.02 * uniform.error);
    EXPECT_LE(refined.spread, this->rounding);
    if (axis == 0) {
      first = refined;
      continue;
    }
    for (std::size_t i = 0; i < 400; ++i) EXPECT_NEAR(refined.density[i], first.density[i], this->rounding);
  }
}
