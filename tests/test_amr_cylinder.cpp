/// The steady flow at Mach 2 around a cylinder of cells, on one level and on several.

#include <sparse/shapes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

// In cells of the finest level. The box is wide enough that the shock leaves through open sides, and ends shortly
// behind the body, from where nothing travels upstream.
constexpr int radius = 20, half_height = 6 * radius, center_x = 4 * radius + 8, length = center_x + 3 * radius + 12;
constexpr int nose = center_x - radius;
constexpr double mach = 2, end_time = 50 * radius / mach;  // in cell widths / sound speed ahead
constexpr double density_ahead = 1, pressure_ahead = 1 / 1.4;

// Ratios to the state ahead for a normal shock and behind it at rest (Rayleigh's pitot formula), gamma = 1.4.
constexpr double pressure_ratio = 4.5, density_ratio = 2.6666667, stagnation_ratio = 5.6404408;

struct Steady {
  std::vector<State<double, 2>> states;  ///< of the finest level's cells, row by row; leaves repeated, solid cells 0
  double asymmetry = 0;                  ///< greatest difference between mirrored cells
  int level_count = 0;
  Index step_count = 0, update_count = 0;

  State<double, 2> const& at(int x, int y) const { return states[static_cast<std::size_t>(y * length + x)]; }
  /// Mean of the two rows beside the axis.
  double density(int x) const { return 0.5 * (at(x, half_height)[0] + at(x, half_height - 1)[0]); }
  double pressure(int x) const {
    Gas<double, 2> const gas;
    return 0.5 * (gas.pressure(at(x, half_height)) + gas.pressure(at(x, half_height - 1)));
  }
};

Steady run(int level_count) {
  int const scale = 1 << (level_count - 1);
  DomainOptions<2> options;
  options.cells = {length / scale, 2 * half_height / scale};
  options.level_count = level_count;
  options.spacing = Vec<double, 2>::filled(scale);
  options.sides = {Vec<Side, 2>{Side::inflow, Side::open}, {Side::open, Side::open}};
  options.solid = sparse::ball<2>({center_x, half_height}, radius);
  auto const ahead = Gas<double, 2>{}.conserved(density_ahead, {mach, 0}, pressure_ahead);
  Simulation<double, 2> flow(Domain<2>(options), {}, Uniform<double, 2>{ahead}, ahead);
  Steady steady;
  while (flow.time() < end_time) {
    flow.advance(end_time - flow.time());
    steady.update_count += flow.leaf_count();
  }
  steady.level_count = flow.level_count();
  steady.step_count = flow.step_count();
  steady.states.resize(static_cast<std::size_t>(length * 2 * half_height), State<double, 2>{});
  for (int l = 0; l < flow.level_count(); ++l) {
    int const reach = 1 << (flow.level_count() - 1 - l);
    for (auto const& [cell, state] : leaf_states<double, 2>(flow, l))
      for (int y = cell[1] * reach; y < (cell[1] + 1) * reach; ++y)
        for (int x = cell[0] * reach; x < (cell[0] + 1) * reach; ++x)
          steady.states[static_cast<std::size_t>(y * length + x)] = state;
  }
  for (int y = 0; y < half_height; ++y)
    for (int x = 0; x < length; ++x) {
      auto const mirrored = Gas<double, 2>{}.mirrored(steady.at(x, 2 * half_height - 1 - y), 1, -1);
      for (int c = 0; c < 4; ++c)
        steady.asymmetry = std::max(steady.asymmetry, std::abs(steady.at(x, y)[c] - mirrored[c]));
    }
  return steady;
}

/// A function of the cell on the axis, where the pressure ahead of the nose first reaches `wanted`.
template <class Function>
double where_pressure_is(Steady const& steady, double wanted, Function const& value) {
  for (int x = 0; x + 1 < nose; ++x) {
    double const before = steady.pressure(x), after = steady.pressure(x + 1);
    double const part = (wanted - before) / (after - before);
    if (before <= wanted && after > wanted) return (1 - part) * value(x) + part * value(x + 1);
  }
  return 0;
}

/// Distance from the nose, in radii, to the middle of the shock: the mean of the pressures ahead and behind.
double stand_off(Steady const& steady) {
  return where_pressure_is(steady, 0.5 * (1 + pressure_ratio) * pressure_ahead,
                           [](int x) { return (nose - (x + 0.5)) / radius; });
}

/// Density where the smeared shock ends and the slow compression up to the nose begins: where the pressure has come to
/// that behind a normal shock.
double density_behind_shock(Steady const& steady) {
  return where_pressure_is(steady, pressure_ratio * pressure_ahead, [&](int x) { return steady.density(x); });
}

void expect_theory(Steady const& steady) {
  double const stagnation = steady.pressure(nose - 1) / pressure_ahead;
  std::printf(
      "  %d level(s): stand-off %.4f R, stagnation pressure %.4f, density behind the shock %.4f, asymmetry %.1e, "
      "%ld steps, %.1f million updates\n",
      steady.level_count, stand_off(steady), stagnation, density_behind_shock(steady), steady.asymmetry,
      static_cast<long>(steady.step_count), 1e-6 * static_cast<double>(steady.update_count));
  EXPECT_NEAR(stagnation, stagnation_ratio, 0.04 * stagnation_ratio);
  EXPECT_NEAR(density_behind_shock(steady), density_ratio, 0.03 * density_ratio);
  EXPECT_LE(steady.asymmetry, 1e-10);
  // Slip walls at the faces of cells put the shock farther out than the 1.33 R of a smooth cylinder; another
  // first-order program with the same walls gave 1.647.
  EXPECT_NEAR(stand_off(steady), 1.647, 0.04);
}

}  // namespace

TEST(CylinderAtMach2, IsThatOfTheoryOnOneLevelAndTheSameOnSeveral) {
  auto const one = run(1);
  expect_theory(one);
  for (int level_count : {2, 3}) {
    auto const several = run(level_count);
    ASSERT_EQ(several.level_count, level_count);
    expect_theory(several);
    EXPECT_NEAR(stand_off(several), stand_off(one), 0.02 * stand_off(one));
    EXPECT_LT(several.update_count, 0.7 * static_cast<double>(one.update_count));
  }
}
