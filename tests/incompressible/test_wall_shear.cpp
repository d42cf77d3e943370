/// Shear rates along walls, and where they change their sign.

#include <sparse/incompressible/measure/wall_shear.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleWallShear : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleWallShear, RealCases);

/// A box of 20 cells along an axis and 6 across, with walls all around that move along.
template <int Dim>
FlowDomain<Dim> room(int along, double wall_velocity) {
  FlowDomain<Dim> domain;
  auto end = Cell<Dim>::filled(6);
  end[along] = 20;
  domain.fluid = sparse::box<Dim>({}, end);
  domain.grid.origin = Vec<double, Dim>::filled(-0.3);
  for (int b = 0; b < Dim; ++b) domain.grid.spacing[b] = 0.1 + 0.02 * b;
  for (int b = 0; b < Dim; ++b)
    for (auto const side : {FaceSide::lower, FaceSide::upper}) {
      auto faces = side_faces(domain.fluid, b, side);
      auto const velocity = b == along ? Vec<double, Dim>{} : Vec<double, Dim>::along(along, wall_velocity);
      domain.parts.push_back({BoundaryKind::no_slip, faces, velocity});
    }
  return domain;
}

}  // namespace

// The slope of a parabola is exact at each corner, on both sides of each axis, beside walls that move, along both
// directions. It changes its sign three times.
TYPED_TEST(IncompressibleWallShear, IsExactForParabolicProfiles) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int along = 0; along < Dim; ++along)
    for (int normal = 0; normal < Dim; ++normal) {
      if (normal == along) continue;
      for (auto const side : {FaceSide::lower, FaceSide::upper}) {
        double const speed = 0.7;
        auto const domain = room<Dim>(along, speed);
        StaggeredGrid<Dim> const grid(domain);
        double const begin = grid.space().origin[along], length = 20 * grid.spacing()[along];
        double const wall = grid.space().origin[normal] + (side == FaceSide::lower ? 0 : 6 * grid.spacing()[normal]);
        std::vector<double> const roots = {begin + 0.23 * length, begin + 0.51 * length, begin + 0.84 * length};
        auto const slope = [&](double x) { return 40 * (x - roots[0]) * (x - roots[1]) * (x - roots[2]); };
        State<T, Dim> state(grid);
        set_velocity(grid, state.velocity, [&](Point<Dim> const& x) {
          double const distance = std::abs(x[normal] - wall);
          return Point<Dim>::along(along, speed + slope(x[along]) * distance + (1.3 - x[along]) * distance * distance);
        });
        grid.set_boundary(state.velocity);

        WallLine<Dim> line{normal, side};
        line.from = line.to = grid.space().to_physical(Vec<double, Dim>::filled(2.5));
        line.from[normal] = line.to[normal] = wall;
        line.from[along] = begin - 1;
        line.to[along] = begin + length + 1;
        auto const shear = wall_shear(grid, state.velocity, line);
        // The corners at the ends of the box have a wall on one side only.
        ASSERT_EQ(shear.positions.size(), 19u);
        for (std::size_t i = 0; i < 19; ++i) {
          EXPECT_NEAR(shear.positions[i], begin + static_cast<double>(i + 1) * grid.spacing()[along], 1e-12);
          EXPECT_NEAR(shear.rates[i], slope(shear.positions[i]), precise<T>(2e-4, 1e-10));
        }
        auto const changes = shear_changes(shear);
        ASSERT_EQ(changes.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
          // A line through two points of a curve misses its root by h^2 / 8 times f'' / f' at most, and a little more.
          double const h = grid.spacing()[along], after = slope(roots[i] + 1e-4), before = slope(roots[i] - 1e-4);
          double const curvature = (after + before) / 1e-8, gradient = (after - before) / 2e-4;
          EXPECT_NEAR(changes[i].position, roots[i], 1.2 * h * h / 8 * std::abs(curvature / gradient) + 1e-4 * h);
          EXPECT_EQ(changes[i].is_reattachment, i % 2 == 0) << i;
        }

        std::swap(line.from, line.to);
        auto const back = wall_shear(grid, state.velocity, line);
        ASSERT_EQ(back.rates.size(), 19u);
        for (std::size_t i = 0; i < 19; ++i) {
          EXPECT_EQ(back.positions[i], shear.positions[18 - i]);
          EXPECT_EQ(back.rates[i], -shear.rates[18 - i]);
        }
        // Backwards, a flow that came back to the wall comes back, too.
        auto const seen_back = shear_changes(back);
        ASSERT_EQ(seen_back.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(seen_back[i].position, changes[2 - i].position, 1e-12);
          EXPECT_EQ(seen_back[i].is_reattachment, changes[2 - i].is_reattachment);
        }
      }
    }
}

// Of a body, only the part of the line beside it counts; of the wall below, only that beside two cells of fluid.
TYPED_TEST(IncompressibleWallShear, KnowsWhereThereIsAWall) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto begin = Cell<Dim>::filled(0), end = Cell<Dim>::filled(6);
  begin[0] = 8, end[0] = 13;
  begin[1] = 1, end[1] = 3;
  auto domain = room<Dim>(0, 0);
  domain.parts.clear();
  domain.fluid = domain.fluid - sparse::box<Dim>(begin, end);
  domain.parts.push_back({BoundaryKind::wall, side_faces(domain.fluid, 1, FaceSide::upper)});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid);
  set_velocity(grid, state.velocity, [](Point<Dim> const& x) { return Point<Dim>::along(0, 3 * x[1]); });
  auto const place = [&](double x, double y) {
    auto at = Vec<double, Dim>::filled(2.5);
    at[0] = x;
    at[1] = y;
    return grid.space().to_physical(at);
  };
  auto const corners = [&](double y, FaceSide side) {
    std::vector<int> found;
    for (double const x : wall_shear(grid, state.velocity, {1, side, place(0, y), place(20, y)}).positions)
      found.push_back(static_cast<int>(std::lround((x - grid.space().origin[0]) / grid.spacing()[0])));
    return found;
  };
  EXPECT_EQ(corners(3, FaceSide::lower), (std::vector<int>{9, 10, 11, 12}));
  EXPECT_EQ(corners(3.2, FaceSide::lower), (std::vector<int>{9, 10, 11, 12}));  // the nearest faces
  EXPECT_EQ(corners(0, FaceSide::lower), (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 14, 15, 16, 17, 18, 19}));
  // Beside walls without friction, below bodies with one cell of fluid, and in the middle of the fluid there is none.
  EXPECT_TRUE(is_refused([&] { corners(6, FaceSide::upper); }, "no no-slip wall"));
  EXPECT_TRUE(is_refused([&] { corners(1, FaceSide::upper); }, "no no-slip wall"));
  EXPECT_TRUE(is_refused([&] { corners(4, FaceSide::lower); }, "no no-slip wall"));
  auto const refused = [&](WallLine<Dim> const& line) {
    return is_refused([&] { wall_shear(grid, state.velocity, line); }, "must differ along one axis");
  };
  EXPECT_TRUE(refused({1, FaceSide::lower, place(0, 0), place(0, 0)}));
  EXPECT_TRUE(refused({1, FaceSide::lower, place(0, 0), place(9, 1)}));
  EXPECT_TRUE(refused({0, FaceSide::lower, place(0, 0), place(9, 0)}));
  EXPECT_TRUE(refused({Dim, FaceSide::lower, place(0, 0), place(9, 0)}));
  auto far = place(0, 0);
  far[0] = std::nan("");
  EXPECT_TRUE(is_refused([&] { wall_shear(grid, state.velocity, {1, FaceSide::lower, far, place(9, 0)}); }, "finite"));
}

TEST(IncompressibleShearChanges, LieBetweenPointsOrInTheMiddleOfZeros) {
  using sparse::incompressible::shear_changes;
  sparse::incompressible::WallShear shear{{0, 1, 2, 3, 4, 5, 6}, {-1, 3, 0, 0, -2, 0, -1}, 1};
  auto changes = shear_changes(shear);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_DOUBLE_EQ(changes[0].position, 0.25);
  EXPECT_TRUE(changes[0].is_reattachment);
  EXPECT_DOUBLE_EQ(changes[1].position, 2.5);
  EXPECT_FALSE(changes[1].is_reattachment);
  // Nothing is known of gaps.
  shear = {{0, 1, 4, 5}, {-1, -1, 1, 1}, 1};
  EXPECT_TRUE(shear_changes(shear).empty());
  EXPECT_TRUE(shear_changes({{}, {}, 1}).empty());
  EXPECT_TRUE(is_refused([] { shear_changes({{0, 1}, {1}, 1}); }, "for each position"));
}
