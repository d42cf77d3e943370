/// Walls of sides and of bodies that give inks on levels.

#include <sparse/shapes/bodies.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;
using sparse::FaceSide;
using sparse::incompressible::InkWall;

template <class TheCase>
class IncompressibleAdaptiveInkWalls : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveInkWalls, RealCases);

/// Fluid at rest between two walls that give an ink, the lower one with a value or a flux, on levels at one of them.
template <class T, int Dim>
AdaptiveFlow<T, Dim> between_walls(std::optional<double> value, double flux) {
  auto box = unit_box<Dim>(Dim == 2 ? 8 : 6, 2, BoundaryKind::periodic);
  box.sides[1] = {BoundaryKind::no_slip, BoundaryKind::wall};
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.1;
  options.inks = {{"other", 0.2}, {"heat", 0.1}};
  options.ink_walls = {{1, 1, FaceSide::lower, value, flux}, {1, 1, FaceSide::upper, 0.5}};
  options.criteria = {RegionCriterion<Dim>{[](RegionPlace<Dim> const& place) {
    auto begin = place.box.begin, end = place.box.end;
    end[1] = begin[1] + (end[1] - begin[1]) / 4;
    return sparse::box<Dim>(begin, end);
  }}};
  options.stop.tolerance = precise<T>(1e-4, 1e-8);
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  auto const half = [](auto const&) { return 0.5; };
  flow.start([](auto const&) { return Point<Dim>{}; }, {half, half});
  return flow;
}

}  // namespace

TYPED_TEST(IncompressibleAdaptiveInkWalls, GiveWhatTheySay) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const rounding = precise<T>(5e-4, 1e-7);  // floats lose what thousands of stages add
  for (bool const has_value : {true, false}) {
    // Both ways the wall is at 2 in the end, and 0.15 go through.
    auto flow = has_value ? between_walls<T, Dim>(2, 0) : between_walls<T, Dim>({}, 0.15);
    ASSERT_EQ(flow.level_count(), 2);
    double total = flow.ink_total(1);
    for (int step = 0; step < 25; ++step) {
      flow.advance(3);
      if (step > 0) continue;
      auto const above = flow.wall_state(1);
      EXPECT_LT(above.heat_flux, 0);  // out of the fluid
      EXPECT_GT(flow.ink_total(1), total + 1e-3);
    }
    for (int l = 0; l < 2; ++l)
      for (auto const& [cell, value] : values_on(flow.state(l).carried[1], 0, flow.leaves(l))) {
        auto middle = point_of(cell);
        for (int b = 0; b < Dim; ++b) middle[b] += 0.5;
        EXPECT_NEAR(value, 2 - 1.5 * flow.grid(l).space().to_physical(middle)[1], rounding) << "level " << l;
      }
    for (auto const& [cell, value] : values_on(flow.state(1).carried[0], 0, flow.leaves(1)))
      EXPECT_NEAR(value, 0.5, rounding);  // the other ink has no walls
    auto const below = flow.wall_state(0), above = flow.wall_state(1);
    EXPECT_NEAR(below.temperature, 2, rounding);
    EXPECT_NEAR(above.temperature, 0.5, rounding);
    EXPECT_NEAR(below.heat_flux, 0.15, rounding);
    EXPECT_NEAR(above.heat_flux, -0.15, rounding);
    EXPECT_LT(flow.greatest_ink_change(1), rounding);
  }
  EXPECT_THROW((between_walls<T, Dim>(2, 0).wall_state(2)), std::invalid_argument);
  EXPECT_THROW((between_walls<T, Dim>({}, NAN)), std::invalid_argument);
}

// What a wall lets through is what the total gains, to rounding, in any number of stages.
TYPED_TEST(IncompressibleAdaptiveInkWalls, LetThroughWhatTheTotalGains) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto box = unit_box<Dim>(8, 2, BoundaryKind::no_slip);
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.01;
  options.inks = {{"heat", 0.02}};
  options.ink_walls = {{0, 0, FaceSide::upper, {}, 0.3}};
  options.criteria = {moving_ball<Dim>(0.4, Point<Dim>::filled(0.7), Point<Dim>{1.1, 0.4})};
  options.regrid_stride = 1;
  options.stop.tolerance = precise<T>(1e-5, 1e-11);
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  flow.start([](auto const&) { return Point<Dim>::filled(0.3); }, {[](auto const&) { return 1; }});
  double const before = flow.ink_total(0);
  for (int step = 0; step < 8; ++step) flow.advance((step % 3 == 2 ? 3 : 1) * flow.longest_step());
  double const gain = 0.3 * flow.time();
  EXPECT_GT(gain, 1e-3);
  EXPECT_NEAR(flow.ink_total(0) - before, gain, precise<T>(2e-5, 1e-10));
}

// Parts of a side give heat for themselves; where they share faces, the later one does.
TYPED_TEST(IncompressibleAdaptiveInkWalls, PartsOfSides) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const along_y = [](double from, double to, double flux) {
    InkWall wall{0, 0, FaceSide::upper, {}, flux};
    wall.part[1] = {from, to};
    return wall;
  };
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.01;
  options.inks = {{"heat", 0.02}};
  options.ink_walls = {{0, 0, FaceSide::upper, {}, 0.2}, along_y(0.25, 0.625, 0.5), along_y(0.5, 0.75, 0)};
  options.criteria = {moving_ball<Dim>(0.4, Point<Dim>::filled(0.7), Point<Dim>{1.1, 0.4})};
  options.regrid_stride = 1;
  options.stop.tolerance = precise<T>(1e-5, 1e-11);
  Domain<Dim> const domain(unit_box<Dim>(8, 2, BoundaryKind::no_slip));
  AdaptiveFlow<T, Dim> flow(domain, options);
  flow.start([](auto const&) { return Point<Dim>::filled(0.3); }, {[](auto const&) { return 1; }});
  double const before = flow.ink_total(0);
  for (int step = 0; step < 8; ++step) flow.advance();
  EXPECT_EQ(flow.level_count(), 2);
  double const rounding = precise<T>(2e-5, 1e-10), gain = (0.2 * 0.5 + 0.5 * 0.25) * flow.time();
  EXPECT_GT(gain, 1e-3);
  EXPECT_NEAR(flow.ink_total(0) - before, gain, rounding);
  EXPECT_NEAR(flow.wall_state(1).heat_flux, 0.5, rounding);
  EXPECT_GT(flow.wall_state(1).temperature, flow.wall_state(0).temperature);
  EXPECT_GT(flow.wall_state(0).temperature, flow.wall_state(2).temperature);

  options.ink_walls.push_back({0, 0, FaceSide::upper, 2.0});
  EXPECT_THROW((AdaptiveFlow<T, Dim>(domain, options)), std::invalid_argument);  // the whole side twice
  options.ink_walls.back() = along_y(0.6, 0.5, 0);
  EXPECT_THROW((AdaptiveFlow<T, Dim>(domain, options)), std::invalid_argument);
  options.ink_walls.back() = along_y(NAN, 0.5, 0);
  EXPECT_THROW((AdaptiveFlow<T, Dim>(domain, options)), std::invalid_argument);
}

// ---- bodies

namespace {

InkWall wall_of_body(int body, std::optional<double> value, double flux) {
  return {.value = value, .flux = flux, .body = body};
}

/// A square, or cube, of 4 cells of a level with 8, in a closed box, and heat.
template <int Dim>
struct WarmBlock {
  Domain<Dim> domain;
  AdaptiveOptions<Dim> options;
  double area = 0;

  explicit WarmBlock(int level_count) : domain(box(level_count)) {
    options.viscosity = 0.05;
    options.inks = {{"heat", 0.02}};
    options.criteria = {moving_ball<Dim>(0.4, Point<Dim>::filled(0.7), Point<Dim>::along(0, 1.1))};
    options.regrid_stride = 1;
    area = Dim * 2 * std::pow(0.5, Dim - 1);
  }
  double area_of_corner() const { return Dim * std::pow(0.125, Dim - 1); }
  /// Of both walls.
  template <class T>
  double mean_flux(AdaptiveFlow<T, Dim> const& flow) const {
    double const part = area_of_corner() / area;
    return part * flow.wall_state(0).heat_flux + (1 - part) * flow.wall_state(1).heat_flux;
  }
  static DomainOptions<Dim> box(int level_count) {
    auto result = unit_box<Dim>(8, level_count, BoundaryKind::no_slip);
    Coord const factor = 1 << (level_count - 1);
    auto const block = [&](Coord begin, Coord end) {
      return sparse::box<Dim>(Cell<Dim>::filled(begin * factor), Cell<Dim>::filled(end * factor));
    };
    // The first one is a corner of the second.
    result.bodies = {sparse::body_from_cells<Dim>("corner", block(2, 3), BoundaryKind::no_slip),
                     sparse::body_from_cells<Dim>("block", block(2, 6), BoundaryKind::no_slip)};
    return result;
  }
  template <class T>
  AdaptiveFlow<T, Dim> at_rest(double ink) {
    options.stop.tolerance = precise<T>(1e-5, 1e-11);
    AdaptiveFlow<T, Dim> flow(domain, options);
    flow.start([](auto const&) { return Point<Dim>{}; }, {[=](auto const&) { return ink; }});
    return flow;
  }
};

}  // namespace

// Where two bodies share cells, the first has the walls.
TYPED_TEST(IncompressibleAdaptiveInkWalls, OfBodiesLetThroughWhatTheTotalGains) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int level_count = 1; level_count <= (Dim == 2 ? 3 : 2); ++level_count) {
    SCOPED_TRACE(level_count);
    WarmBlock<Dim> block(level_count);
    block.options.ink_walls = {wall_of_body(1, {}, 0.3), wall_of_body(0, {}, -0.2)};
    auto flow = block.template at_rest<T>(1);
    double const of_corner = block.area_of_corner(), before = flow.ink_total(0);
    for (int step = 0; step < 8; ++step) flow.advance(0.01);
    double const gain = 0.08 * (0.3 * (block.area - of_corner) - 0.2 * of_corner);
    EXPECT_NEAR(flow.ink_total(0) - before, gain, precise<T>(1e-5, 1e-10));
    EXPECT_NEAR(flow.wall_state(0).heat_flux, 0.3, 1e-6);
    EXPECT_NEAR(flow.wall_state(1).heat_flux, -0.2, 1e-6);
    EXPECT_GT(flow.wall_state(0).temperature, 1);
    EXPECT_LT(flow.wall_state(1).temperature, 1);
  }
}

// The total gains what the walls say that they let through, and in the end all of the fluid is as warm as they are.
TYPED_TEST(IncompressibleAdaptiveInkWalls, OfBodiesWarmTheFluid) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  WarmBlock<Dim> block(2);
  block.options.ink_walls = {wall_of_body(0, 2, 0), wall_of_body(1, 2, 0)};
  auto flow = block.template at_rest<T>(1);
  double const volume = flow.ink_total(0);
  for (int step = 0; step < 10; ++step) {
    double const before = flow.ink_total(0), flux = block.mean_flux(flow);
    EXPECT_NEAR(flow.wall_state(0).temperature, 2, 1e-5);
    EXPECT_GT(flux, 0);
    flow.advance(1e-3);
    double const gain = flow.ink_total(0) - before;
    EXPECT_LT(gain, 1e-3 * block.area * flux + precise<T>(1e-6, 1e-12));
    EXPECT_GT(gain, 1e-3 * block.area * block.mean_flux(flow) - precise<T>(1e-6, 1e-12));
  }
  for (int step = 0; step < 60; ++step) flow.advance(1);
  EXPECT_NEAR(flow.ink_total(0), 2 * volume, precise<T>(1e-3, 1e-6));
}

// A plate across the domain, in fluid that it warms from rest: erfc(distance / sqrt(4 diffusivity time)).
TYPED_TEST(IncompressibleAdaptiveInkWalls, OfAPlateWarmAsTheErrorFunctionSays) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double const diffusivity = 0.02, end = 0.25;
  VectorFunction<Dim> const rest = [](Point<Dim> const&) { return Point<Dim>{}; };
  auto const error_of = [&](Coord cells) {
    auto box = unit_box<Dim>(cells, 2, BoundaryKind::periodic);
    for (int axis = 1; axis < Dim; ++axis) {
      box.cells[axis] = 8;
      box.grid.spacing[axis] = 1.0 / 8;
    }
    auto begin = Cell<Dim>{}, beyond = 2 * box.cells;
    begin[0] = cells - cells / 8;  // an eighth of the domain
    beyond[0] = cells + cells / 8;
    box.bodies = {sparse::body_from_cells<Dim>("plate", sparse::box<Dim>(begin, beyond), BoundaryKind::no_slip)};
    AdaptiveOptions<Dim> options;
    options.inks = {{"heat", diffusivity}};
    options.ink_walls = {wall_of_body(0, 1, 0)};
    options.criteria = {sparse::incompressible::near_surface(0.1)};
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    flow.start(rest, {[](auto const&) { return 0; }});
    for (int step = 0; step < 10; ++step) flow.advance(end / 10);
    EXPECT_EQ(flow.level_count(), 2);
    double greatest = 0;
    for (int l = 0; l < 2; ++l)
      for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l))) {
        double const x = (cell[0] + 0.5) * flow.grid(l).spacing()[0];
        double const distance = std::abs(x - 0.5) - 0.0625, other = 0.875 - distance;  // to the plate, and the next one
        double const unit = std::sqrt(4 * diffusivity * end);
        greatest = std::max(greatest, std::abs(value - std::erfc(distance / unit) - std::erfc(other / unit)));
      }
    double const flux = flow.wall_state(0).heat_flux, exact = std::sqrt(diffusivity / (std::acos(-1.0) * end));
    EXPECT_NEAR(flux, exact, 0.02 * exact);
    return greatest;
  };
  double const coarse = error_of(16), fine = error_of(32);
  EXPECT_LT(fine, 2e-3);
  EXPECT_GT(coarse / fine, 3.3);
}

TYPED_TEST(IncompressibleAdaptiveInkWalls, AreRefusedIfTheyMakeNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto box = unit_box<Dim>(8, 1, BoundaryKind::no_slip);
  box.sides[1] = {BoundaryKind::periodic, BoundaryKind::periodic};
  auto const refused = [&](auto const& change) {
    AdaptiveOptions<Dim> options;
    options.inks = {{"ink"}, {"heat", 0.1}};
    options.ink_walls = {{1, 0, FaceSide::lower, 1.0}};
    change(options);
    EXPECT_THROW((AdaptiveFlow<T, Dim>(Domain<Dim>(box), options)), std::invalid_argument);
  };
  refused([](auto& o) { o.ink_walls[0].ink = 0; });
  refused([](auto& o) { o.ink_walls[0].ink = 2; });
  refused([](auto& o) { o.ink_walls[0].axis = Dim; });
  refused([](auto& o) { o.ink_walls[0].axis = 1; });
  refused([](auto& o) { o.ink_walls[0].value = NAN; });
  refused([](auto& o) { o.ink_walls.push_back(o.ink_walls[0]); });
  refused([](auto& o) { o.ink_walls[0].body = 0; });  // there is none
  WarmBlock<Dim> block(1);
  auto const says = [&](std::vector<InkWall> const& walls, std::string const& why) {
    block.options.ink_walls = walls;
    EXPECT_TRUE(is_refused([&] { block.template at_rest<T>(1); }, why));
  };
  says({wall_of_body(2, 1, 0)}, "body that the domain does not have");
  says({wall_of_body(-1, 1, 0)}, "body that the domain does not have");
  says({wall_of_body(1, 1, 0), wall_of_body(1, {}, 1)}, "gives an ink twice");
  says({wall_of_body(1, {}, NAN)}, "must be finite");
}
