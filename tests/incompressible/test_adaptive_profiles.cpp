/// Values of flows on levels at points and along lines, and whether a flow is steady.

#include <algorithm>
#include <cmath>

#include <sparse/incompressible/levels/profiles.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleAdaptiveProfiles : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveProfiles, RealCases);

/// The number of the level whose leaf has a point, by looking at all of them.
template <class T, int Dim>
int level_of(AdaptiveFlow<T, Dim> const& flow, Point<Dim> const& point) {
  int found = -1;
  for (int l = 0; l < flow.level_count(); ++l)
    if (flow.leaves(l).contains(flow.domain().grid(l).cell_of(point))) found = l;
  return found;
}

/// The velocities of all leaves on their faces: [level][axis].
template <class T, int Dim>
auto all_velocities(AdaptiveFlow<T, Dim> const& flow) {
  std::vector<std::vector<double>> values;
  for (int l = 0; l < flow.level_count(); ++l)
    for (int axis = 0; axis < Dim; ++axis) {
      auto& of_faces = values.emplace_back();
      for (auto const& [face, value] : values_on(flow.state(l).velocity, axis, faces(flow.leaves(l), axis)))
        of_faces.push_back(static_cast<double>(value));
    }
  return values;
}

}  // namespace

TYPED_TEST(IncompressibleAdaptiveProfiles, AreThoseOfTheLevelThere) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundABall<T, Dim> const around;
  AdaptiveFlow<T, Dim> flow(around.domain(), around.options);
  flow.start([](Point<Dim> const&) { return Point<Dim>::along(0, 1); });
  for (int step = 0; step < 4; ++step) ASSERT_TRUE(flow.advance().has_converged());
  ASSERT_GT(flow.level_count(), 1);
  auto const box = flow.domain().box(0);
  auto const end = flow.domain().grid(0).to_physical(point_of(box.end));

  auto engine = random_engine(1);
  std::vector<Point<Dim>> points;
  for (int i = 0; i < 500; ++i) {
    Point<Dim> at;
    for (int axis = 0; axis < Dim; ++axis) at[axis] = end[axis] * (random_int(engine, -50, 1050) / 1000.0 + 1e-4);
    points.push_back(at);
  }
  auto const levels = levels_at(flow, points);
  auto const profile = velocity_along(flow, points);
  std::size_t inside = 0;
  std::vector<Point<Dim>> in_fluid;
  std::vector<int> seen(static_cast<std::size_t>(flow.level_count()), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(levels[i], level_of(flow, points[i])) << "point " << i;
    if (levels[i] < 0) continue;
    ++seen[static_cast<std::size_t>(levels[i])];
    ASSERT_LT(inside, profile.points.size());
    ASSERT_EQ(profile.points[inside], points[i]);
    auto const value = sample_velocity(flow.grid(levels[i]), flow.state(levels[i]).velocity, {points[i]})[0];
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_EQ(profile.velocity[inside][axis], static_cast<double>(value[axis])) << "point " << i;
    in_fluid.push_back(points[i]);
    ++inside;
  }
  ASSERT_EQ(profile.points.size(), inside);
  ASSERT_LT(inside, points.size());
  for (int const count : seen) EXPECT_GT(count, 0);

  auto const pressure = pressure_at(flow, in_fluid);
  for (std::size_t i = 0; i < in_fluid.size(); ++i) {
    int const l = level_of(flow, in_fluid[i]);
    auto const cell = flow.domain().grid(l).cell_of(in_fluid[i]);
    auto const& field = flow.state(l).pressure;
    auto const place = static_cast<std::size_t>(field.domain().view().find(cell));
    ASSERT_EQ(pressure[i], static_cast<double>(to_host(field)[place]));
  }
  EXPECT_THROW(pressure_at(flow, {Point<Dim>::filled(-1)}), std::invalid_argument);
  EXPECT_TRUE(velocity_along(flow, {}).points.empty());
  EXPECT_THROW(levels_at(flow, {Point<Dim>::filled(NAN)}), std::invalid_argument);
}

TYPED_TEST(IncompressibleAdaptiveProfiles, GoThroughEachLeafOfACentreLine) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundABall<T, Dim> const around;
  AdaptiveFlow<T, Dim> flow(around.domain(), around.options);
  flow.start([](Point<Dim> const&) { return Point<Dim>::along(0, 1); });
  auto const end = flow.domain().grid(0).to_physical(point_of(flow.domain().box(0).end));
  for (int axis = 0; axis < Dim; ++axis) {
    auto const line = centre_line(flow, axis);
    double last = 0;  // where the leaf before ends
    for (auto const& point : line.points) {
      int const level = level_of(flow, point);
      ASSERT_GE(level, 0);
      double const half = 0.5 * flow.domain().spacing(level)[axis];
      for (int b = 0; b < Dim; ++b) ASSERT_NEAR(point[b], b == axis ? point[b] : 0.5 * end[b], 1e-12);
      // The ball is on the line along the first axis, and its cells are missing.
      ASSERT_GE(point[axis] - half, last - 1e-12);
      ASSERT_NEAR(axis == 0 ? last : point[axis] - half, last, 1e-12);
      last = point[axis] + half;
    }
    ASSERT_NEAR(last, end[axis], 1e-12);
  }
  EXPECT_THROW(centre_line(flow, Dim), std::invalid_argument);
}

TYPED_TEST(IncompressibleAdaptiveProfiles, TellHowMuchAStepChanges) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundABall<T, Dim> around;
  around.options.regrid_stride = 1000;
  AdaptiveFlow<T, Dim> flow(around.domain(), around.options);
  flow.start([](Point<Dim> const&) { return Point<Dim>::along(0, 1); });
  EXPECT_EQ(flow.greatest_change(), std::numeric_limits<double>::infinity());
  for (int step = 0; step < 3; ++step) {
    auto const before = all_velocities(flow);
    double const time_step = 0.5 * flow.longest_step();
    flow.advance(time_step);
    auto const after = all_velocities(flow);
    double greatest = 0;
    for (std::size_t k = 0; k < before.size(); ++k)
      for (std::size_t i = 0; i < before[k].size(); ++i)
        greatest = std::max(greatest, std::abs(after[k][i] - before[k][i]));
    EXPECT_GT(greatest, 0);
    EXPECT_NEAR(flow.greatest_change(), greatest / time_step, 1e-12 * greatest / time_step);
  }
  AdaptiveFlow<T, Dim> const again(around.domain(), around.options, flow.save());
  EXPECT_EQ(again.greatest_change(), std::numeric_limits<double>::infinity());
  flow.start([](Point<Dim> const&) { return Point<Dim>{}; });
  EXPECT_EQ(flow.greatest_change(), std::numeric_limits<double>::infinity());
}
