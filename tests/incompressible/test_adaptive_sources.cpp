/// Where inks on levels come from: sources and inflows.

#include <sparse/sets/scaling.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;
using sparse::incompressible::InkSource;
using sparse::incompressible::SourceKind;

template <class TheCase>
class IncompressibleAdaptiveSources : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveSources, RealCases);

/// The part of a cell of a level in a set of cells of the finest level.
template <int Dim>
double part_in(Cells<Dim> const& finest, Cell<Dim> const& cell, int levels_below) {
  Coord const width = 1 << levels_below;
  Index count = 0, all = 0;
  for (auto const& child : reference::box<Dim>(width * cell, width * (cell + Cell<Dim>::filled(1)))) {
    count += finest.count(child) > 0 ? 1 : 0;
    ++all;
  }
  return static_cast<double>(count) / static_cast<double>(all);
}

template <class T, int Dim>
bool have_same_inks(AdaptiveFlow<T, Dim> const& a, AdaptiveFlow<T, Dim> const& b) {
  for (int l = 0; l < a.level_count(); ++l)
    if (values_on(a.state(l).carried[0], 0, a.leaves(l)) != values_on(b.state(l).carried[0], 0, b.leaves(l)))
      return false;
  return a.level_count() == b.level_count();
}

}  // namespace

// In fluid at rest, where nothing else changes them; in later sources what they have in common with others.
TYPED_TEST(IncompressibleAdaptiveSources, GiveLeavesTheirPart) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  constexpr int level_count = 3;
  auto const box = unit_box<Dim>(Dim == 2 ? 16 : 8, level_count, BoundaryKind::no_slip);
  Coord const width = box.cells[0] << (level_count - 1);
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    auto engine = random_engine(seed);
    Cells<Dim> first, second;
    for (auto* const cells : {&first, &second})
      for (int k = 0; k < 3; ++k) {
        Cell<Dim> begin, end;
        for (int axis = 0; axis < Dim; ++axis) {
          begin[axis] = random_int(engine, -3, width - 1);
          end[axis] = begin[axis] + random_int(engine, 1, 9);
        }
        for (auto const& cell : reference::box<Dim>(begin, end)) cells->insert(cell);
      }
    AdaptiveOptions<Dim> options;
    options.viscosity = 1e-3;
    options.inks = {{"none"}, {"ink"}};
    options.ink_sources = {{1, set_of(first), 0.75}, {1, set_of(second), 2.0}};
    options.criteria = {moving_ball<Dim>(0.3, Point<Dim>::filled(0.3), {})};
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    auto const zero = [](auto const&) { return 0; };
    flow.start([](auto const&) { return Point<Dim>{}; }, {zero, zero});
    for (int step = 0; step < 3; ++step) {
      for (int l = 0; l < flow.level_count(); ++l) {
        int const below = level_count - 1 - l;
        for (auto const& [cell, value] : values_on(flow.state(l).carried[1], 0, flow.leaves(l))) {
          double const of_second = part_in<Dim>(second, cell, below), of_first = part_in<Dim>(first, cell, below);
          ASSERT_NEAR(value, of_second > 0 ? 2 * of_second : 0.75 * of_first, precise<T>(1e-6, 1e-14)) << "level " << l;
        }
        for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l))) ASSERT_EQ(value, 0);
      }
      flow.advance(0.1);
    }
  }
}

// A stream takes ink from a source. After its end the total stays, whatever the levels do. A break changes nothing.
TYPED_TEST(IncompressibleAdaptiveSources, EndInTime) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const box = unit_box<Dim>(Dim == 2 ? 16 : 8, 2, BoundaryKind::periodic);
  AdaptiveOptions<Dim> options;
  options.viscosity = 1e-3;
  options.inks = {{"ink"}};
  options.ink_sources = {{0, sparse::box<Dim>(Cell<Dim>::filled(2), Cell<Dim>::filled(6)), 1, 0.1}};
  options.criteria = {sparse::incompressible::ink_change(0, 0.2),
                      moving_ball<Dim>(0.3, Point<Dim>::filled(0.7), Point<Dim>::filled(0.5))};
  options.regrid_stride = 1;
  options.stop.tolerance = precise<T>(1e-5, 1e-10);
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  flow.start([](auto const&) { return Point<Dim>{1, 0.3}; }, {[](auto const&) { return 0; }});
  double const start = flow.ink_total(0);
  EXPECT_NEAR(start, std::pow(4.0 / (2 * box.cells[0]), Dim), precise<T>(1e-6, 1e-13));
  double total = start;
  AdaptiveFlow<T, Dim> again(Domain<Dim>(box), options, flow.save());
  for (int step = 0; flow.time() < 0.2; ++step) {
    bool const gives = flow.time() <= 0.1;
    flow.advance();
    again.advance();
    ASSERT_TRUE(have_same_inks(flow, again));
    if (gives && step > 0) {
      ASSERT_GT(flow.ink_total(0), total + 0.01 * start) << step;
    } else if (!gives) {
      ASSERT_NEAR(flow.ink_total(0), total, precise<T>(1e-5, 1e-12) * total) << step;
    }
    total = flow.ink_total(0);
    if (step == 5) again = AdaptiveFlow<T, Dim>(Domain<Dim>(box), options, flow.save());
  }
}

// Sources that add: the total gains the sum of their strengths, to rounding, in any number of stages.
TYPED_TEST(IncompressibleAdaptiveSources, AddTheirStrength) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const box = unit_box<Dim>(8, 3, BoundaryKind::periodic);
  Coord const width = 32;
  for (unsigned seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(seed);
    auto engine = random_engine(seed);
    AdaptiveOptions<Dim> options;
    options.viscosity = 1e-3;
    options.inks = {{"none", 0.01}, {"heat", 0.01}};
    double gain = 0;  // per time, while both are there
    for (double const strength : {0.75, -2.0}) {
      Cell<Dim> begin, end;
      double volume = 1;
      for (int axis = 0; axis < Dim; ++axis) {
        begin[axis] = random_int(engine, 0, width - 10);
        end[axis] = begin[axis] + random_int(engine, 1, 9);
        volume *= static_cast<double>(end[axis] - begin[axis]) / width;
      }
      options.ink_sources.push_back({1, sparse::box<Dim>(begin, end), strength, 0.2, SourceKind::adds});
      gain += strength * volume;
    }
    options.criteria = {moving_ball<Dim>(0.3, Point<Dim>::filled(0.3), Point<Dim>::filled(0.5))};
    options.regrid_stride = 1;
    options.stop.tolerance = precise<T>(1e-5, 1e-11);
    AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
    flow.start([](auto const&) { return Point<Dim>::filled(0.6); },
               {[](auto const&) { return 0; }, [](auto const&) { return 1; }});
    for (int step = 0; step < 4; ++step) flow.advance(0.05 + 1e-6);
    // The fifth step begins after the end.
    flow.advance(0.05);
    EXPECT_NEAR(flow.ink_total(1), 1 + 4 * (0.05 + 1e-6) * gain, precise<T>(2e-5, 1e-10));
    EXPECT_NEAR(flow.ink_total(0), 0, precise<T>(1e-6, 1e-12));
  }
}

// What flows in has the value that it is given, or the one inside. In the end all of the channel has it.
TYPED_TEST(IncompressibleAdaptiveSources, FluidThatFlowsInHasItsInk) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto box = unit_box<Dim>(8, 2, BoundaryKind::wall);
  box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  AdaptiveOptions<Dim> options;
  options.viscosity = 1e-3;
  options.inflow[0] = 1;
  options.inks = {{"clean", 0, 0.25}, {"same"}};
  options.criteria = {moving_ball<Dim>(0.4, Point<Dim>::filled(0.6), {})};
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  auto const one = [](auto const&) { return 1; };
  flow.start([](auto const&) { return Point<Dim>::along(0, 1); }, {one, one});
  double const rounding = precise<T>(1e-5, 1e-5);
  while (flow.time() < 2) {
    flow.advance();
    for (int l = 0; l < flow.level_count(); ++l) {
      for (auto const& [cell, value] : values_on(flow.state(l).carried[0], 0, flow.leaves(l))) {
        ASSERT_GE(value, 0.25 - rounding);
        ASSERT_LE(value, 1 + rounding);
      }
      for (auto const& [cell, value] : values_on(flow.state(l).carried[1], 0, flow.leaves(l)))
        ASSERT_NEAR(value, 1, rounding);
    }
  }
  EXPECT_NEAR(flow.ink_total(0), 0.25, 1e-3);
}

TYPED_TEST(IncompressibleAdaptiveSources, AreRefusedIfTheyMakeNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const box = unit_box<Dim>(8, 1, BoundaryKind::no_slip);
  auto const refused = [&](auto const& change, std::string const& why) {
    AdaptiveOptions<Dim> options;
    options.inks = {{"ink"}};
    options.ink_sources = {InkSource<Dim>{}};
    EXPECT_NO_THROW((AdaptiveFlow<T, Dim>(Domain<Dim>(box), options)));  // without cells
    change(options);
    EXPECT_TRUE(is_refused([&] { AdaptiveFlow<T, Dim>(Domain<Dim>(box), options); }, why));
  };
  refused([](auto& o) { o.ink_sources[0].ink = 1; }, "a source of an ink");
  refused([](auto& o) { o.ink_sources[0].value = NAN; }, "the value of a source");
  refused([](auto& o) { o.ink_sources[0].until = NAN; }, "its end");
  refused([](auto& o) { o.inks[0].inflow = INFINITY; }, "that flows in");
}
