/// Inks on levels: bounds, totals, order, and the force of inks on the flow.

#include <numbers>

#include <sparse/incompressible/method/smac.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleAdaptiveInks : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveInks, RealCases);

using std::numbers::pi;

template <class T, int Dim>
std::pair<double, double> range_of(AdaptiveFlow<T, Dim> const& flow, std::size_t ink) {
  std::pair<double, double> range{HUGE_VAL, -HUGE_VAL};
  for (int l = 0; l < flow.level_count(); ++l)
    for (auto const& [cell, value] : values_on(flow.state(l).carried[ink], 0, flow.leaves(l)))
      range = {std::min(range.first, value), std::max(range.second, value)};
  return range;
}

/// The mean of |ink - exact| over the leaves.
template <class T, int Dim, class Function>
double mean_error(AdaptiveFlow<T, Dim> const& flow, Function const& exact) {
  double sum = 0, volume = 0;
  for (int l = 0; l < flow.level_count(); ++l)
    for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l))) {
      auto middle = point_of(cell);
      for (int b = 0; b < Dim; ++b) middle[b] += 0.5;
      sum += flow.grid(l).cell_volume() * std::abs(value - exact(flow.grid(l).space().to_physical(middle)));
      volume += flow.grid(l).cell_volume();
    }
  return sum / volume;
}

}  // namespace

// With patches that move through seams and along walls, and in steps that are long for the ink.
TYPED_TEST(IncompressibleAdaptiveInks, KeepTotalsAndBounds) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (auto const sides : {BoundaryKind::periodic, BoundaryKind::no_slip}) {
    AdaptiveOptions<Dim> options;
    options.viscosity = 1e-3;
    options.inks = {{"ink"}, {"constant"}, {"heat", 2e-3}};
    options.criteria = {moving_ball<Dim>(0.3, Point<Dim>::filled(0.3), Point<Dim>{3.1, 2.3})};
    options.regrid_stride = 1;
    options.stop.tolerance = precise<T>(1e-5, 1e-11);
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(unit_box<Dim>(Dim == 2 ? 20 : 12, 3, sides)), options);
    auto engine = random_engine(7);
    flow.start(
        [&](Point<Dim> const& x) {
          auto u = Point<Dim>::filled(0.2 * std::cos(2 * pi * x[0]));
          u[0] = std::sin(2 * pi * x[1]);
          return u;
        },
        {[&](auto const&) { return random_int(engine, 2, 5); }, [](auto const&) { return 3; },
         [](Point<Dim> const& x) { return x[0] > 0.4 ? 5 : 2; }});
    double const before[] = {flow.ink_total(0), flow.ink_total(1), flow.ink_total(2)};
    auto const start = range_of(flow, 0);
    EXPECT_GT(start.second - start.first, 2.5);
    int changed = 0;
    double time = 0, divergence = 0;
    for (int step = 0; step < (Dim == 2 ? 24 : 8); ++step) {
      double const time_step = (step % 3 == 2 ? 1.6 : 1) * flow.longest_step();
      flow.advance(time_step);
      changed += flow.adapt() ? 1 : 0;
      time += time_step;
      double const finest = 1.0 / (flow.domain().box(2).end[0]);
      divergence = std::max(divergence, flow.greatest_divergence() / finest);
      for (std::size_t k = 0; k < 3; ++k)
        ASSERT_NEAR(flow.ink_total(k), before[k], precise<T>(1e-5, 1e-12) * before[k]) << k << " " << step;
      double const left = 5 * std::expm1(2 * time * divergence) + precise<T>(1e-5, 1e-12);
      ASSERT_LT(left, precise<T>(0.3, 1e-5));
      auto const ink = range_of(flow, 0), constant = range_of(flow, 1), heat = range_of(flow, 2);
      ASSERT_GE(ink.first, start.first - left) << step;
      ASSERT_LE(ink.second, start.second + left) << step;
      ASSERT_GE(heat.first, 2 - left) << step;
      ASSERT_LE(heat.second, 5 + left) << step;
      ASSERT_NEAR(constant.first, 3, left) << step;
      ASSERT_NEAR(constant.second, 3, left) << step;
    }
    EXPECT_GT(changed, 4);
    EXPECT_EQ(flow.level_count(), 3);
    EXPECT_LT(range_of(flow, 0).second - range_of(flow, 0).first, start.second - start.first);
  }
}

/// The mean error of a smooth ink after a stream has carried it through a patch.
double stream_error(Coord base, double speed) {
  AdaptiveOptions<2> options;
  options.inks = {{"ink"}};
  options.criteria = {moving_ball<2>(0.25, {0.5, 0.5}, {speed, 0.7 * speed})};
  AdaptiveFlow<double, 2> flow(Domain<2>(unit_box<2>(base, 2, BoundaryKind::periodic)), options);
  double const end = 0.4;
  auto const ink = [](Point<2> const& x) { return std::sin(2 * pi * x[0]) + std::cos(2 * pi * (x[0] + x[1])); };
  flow.start([](auto const&) { return Point<2>{1, 2}; }, {ink});
  int const step_count = static_cast<int>(std::ceil(end / flow.longest_step()));
  for (int step = 0; step < step_count; ++step) flow.advance(end / step_count);
  return mean_error(flow, [&](Point<2> const& x) { return ink(x - end * Point<2>{1, 2}); });
}

TEST(IncompressibleAdaptiveInkOrder, SmoothInkIsOfSecondOrder) {
  for (double const speed : {0.0, 1.0}) {
    double const coarse = stream_error(24, speed), fine = stream_error(48, speed);
    std::printf("error of ink %.3e, %.3e: ratio %.2f\n", coarse, fine, coarse / fine);
    EXPECT_GE(coarse / fine, 3) << "speed " << speed;
  }
}

/// The mean error of a wave that only spreads, within levels and across them.
double decay_error(Coord base) {
  double const diffusivity = 0.01, end = 0.5;
  AdaptiveOptions<2> options;
  options.inks = {{"heat", diffusivity}};
  options.criteria = {moving_ball<2>(0.25, {0.4, 0.45}, {})};
  AdaptiveFlow<double, 2> flow(Domain<2>(unit_box<2>(base, 3, BoundaryKind::periodic)), options);
  auto const wave = [](Point<2> const& x) { return std::cos(2 * pi * x[0]) * std::sin(2 * pi * x[1]); };
  flow.start([](auto const&) { return Point<2>{}; }, {wave});
  EXPECT_EQ(flow.level_count(), 3);
  for (int step = 0; step < 20; ++step) flow.advance(end / 20);
  double const left = std::exp(-8 * pi * pi * diffusivity * end);
  return mean_error(flow, [&](Point<2> const& x) { return left * wave(x); });
}

TEST(IncompressibleAdaptiveInkOrder, AWaveSpreadsAsItShould) {
  double const coarse = decay_error(24), fine = decay_error(48);
  std::printf("error of heat %.3e, %.3e: ratio %.2f\n", coarse, fine, coarse / fine);
  EXPECT_GE(coarse / fine, 3);
  EXPECT_LE(fine, 1e-3);
}

// Heavy ink at the bottom. Forces are those of a gradient, also across interfaces, so nothing moves.
TEST(IncompressibleAdaptiveBuoyancy, LayersAtRestStayAtRest) {
  AdaptiveOptions<2> options;
  options.inks = {{"weight"}};
  options.buoyancy = {{0, {0, -1}}};
  options.criteria = {RegionCriterion<2>{[](RegionPlace<2> const& place) {
    return sparse::ball<2>(place.grid.to_cells({0.5, 0.45}), 0.25 / place.grid.spacing[0]);
  }}};
  options.stop.tolerance = 1e-12;
  AdaptiveFlow<double, 2> flow(Domain<2>(unit_box<2>(24, 2, BoundaryKind::wall)), options);
  flow.start([](auto const&) { return Point<2>{}; }, {[](Point<2> const& x) { return 1 - x[1]; }});
  ASSERT_EQ(flow.level_count(), 2);
  for (int step = 0; step < 20; ++step) flow.advance(0.02);
  double const greatest = greatest_error(flow, [](auto const&) { return Point<2>{}; });
  std::printf("greatest speed %.3e\n", greatest);
  EXPECT_LE(greatest, 1e-7);  // what the solver leaves; a fall would have a speed of 0.4
}

// A warm disk rises. On levels that hold it whole it does so as on the finest grid.
TEST(IncompressibleAdaptiveBuoyancy, AWarmDiskRisesAsOnAFineGrid) {
  auto const warm = [](Point<2> const& x) {
    return std::exp(-60 * ((x[0] - 0.5) * (x[0] - 0.5) + (x[1] - 0.3) * (x[1] - 0.3)));
  };
  auto const energy_with = [&](Coord base, int finer) {
    AdaptiveOptions<2> options;
    options.inks = {{"heat", 1e-3}};
    options.buoyancy = {{0, {0, 1}}};
    options.viscosity = 1e-3;
    options.criteria = {RegionCriterion<2>{[](RegionPlace<2> const& place) {
      return sparse::ball<2>(place.grid.to_cells({0.5, 0.4}), 0.3 / place.grid.spacing[0]);
    }}};
    AdaptiveFlow<double, 2> flow(Domain<2>(unit_box<2>(base, finer + 1, BoundaryKind::no_slip)), options);
    flow.start([](auto const&) { return Point<2>{}; }, {warm});
    for (int step = 0; step < 50; ++step) flow.advance(0.02);
    return flow.kinetic_energy();
  };
  double const fine = energy_with(64, 0), levels = energy_with(32, 1), coarse = energy_with(32, 0);
  std::printf("energy %.5e, on levels %.5e, coarse %.5e\n", fine, levels, coarse);
  EXPECT_GT(fine, 1e-4);
  EXPECT_LT(std::abs(levels - fine), 0.5 * std::abs(coarse - fine));
}

TEST(IncompressibleAdaptiveFaults, InksThatDoNotFitAreRefused) {
  AdaptiveOptions<2> options;
  options.inks = {{"ink"}};
  Domain<2> const domain(unit_box<2>(16, 2, BoundaryKind::wall));
  AdaptiveFlow<double, 2> flow(domain, options);
  auto const rest = [](auto const&) { return Point<2>{}; };
  EXPECT_TRUE(is_refused([&] { flow.start(rest); }, "one function for each ink"));
  EXPECT_TRUE(is_refused([&] { flow.start(rest, {{}}); }, "no function"));
  EXPECT_TRUE(is_refused([&] { flow.ink_total(1); }, "no such ink"));
  options.buoyancy = {{1, {0, 1}}};
  EXPECT_TRUE(is_refused([&] { AdaptiveFlow<double, 2>(domain, options); }, "ink that the flow does not have"));
  options.inks[0].diffusivity = -1;
  EXPECT_TRUE(is_refused([&] { AdaptiveFlow<double, 2>(domain, options); }, "diffusivity"));
  options.inks[0].diffusivity = 0;
  options.buoyancy = {{0, {0, std::nan("")}}};
  EXPECT_TRUE(is_refused([&] { AdaptiveFlow<double, 2>(domain, options); }, "acceleration"));
  options.buoyancy = {};
  options.criteria = {sparse::incompressible::ink_change(1, 0.1)};
  EXPECT_THROW((AdaptiveFlow<double, 2>(domain, options)), std::invalid_argument);
  options.criteria = {sparse::incompressible::ink_change(0, 0)};
  EXPECT_THROW((AdaptiveFlow<double, 2>(domain, options)), std::invalid_argument);
}
