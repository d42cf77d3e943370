/// How simulations run: no allocations once warm, labels, and the same bits every time.

#include <array>
#include <cstdio>

#include <sparse/shapes/shapes.hpp>
#include <support/euler_flow.hpp>
#include <support/tools.hpp>

using namespace flow;

namespace {

/// The flow at Mach 2 around a cylinder in a box of 400 x 160 cells of level 0, on four levels.
Simulation<double, 2> flagship() {
  DomainOptions<2> options;
  options.cells = {400, 160};
  options.level_count = 4;
  options.sides = {Vec<BoundaryKind, 2>{BoundaryKind::inflow, BoundaryKind::outflow},
                   {BoundaryKind::outflow, BoundaryKind::outflow}};
  options.bodies = {body_from_distance<2>("cylinder", BallDistance<2>{{80, 80}, 20})};
  auto const wind = gas_state<double, 2>(1, {2, 0}, 1 / 1.4);
  return Simulation<double, 2>(Domain<2>(options), {}, Uniform<double, 2>{wind}, {wind, {}});
}

/// A small flow in which everything happens: bodies, all kinds of sides, changing levels.
template <class T, int Dim>
Simulation<T, Dim> small_flow(Scheme scheme = Scheme::hancock) {
  Coord const size = Dim == 2 ? 32 : 10;
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(size);
  options.level_count = 3;
  options.sides = all_sides<Dim>(BoundaryKind::periodic);
  options.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  options.sides[1] = {BoundaryKind::wall, BoundaryKind::outflow};
  double const width = size;
  options.bodies = {
      body_from_distance<Dim>("ball", BallDistance<Dim>{Vec<double, Dim>::filled(0.7 * width), 0.1 * width}),
      body_from_cells<Dim>("cells", sparse::box<Dim>(Cell<Dim>::filled(2), Cell<Dim>::filled(6)))};
  HotBall<T, Dim> const ball{Vec<double, Dim>::filled(0.4 * size), 0.15 * size, 2, 4};
  Options<T, Dim> simulation;
  simulation.scheme = scheme;
  simulation.regrid_stride = 3;
  simulation.longest_stride = 2;
  simulation.buffer = 2;
  auto const wind = gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 1.5), 1);
  return Simulation<T, Dim>(Domain<Dim>(options), {}, ball, {wind, {}}, simulation);
}

template <class T, int Dim>
Snapshot<Simulation<T, Dim>> small_run(Scheme scheme) {
  auto flow = small_flow<T, Dim>(scheme);
  for (int step = 0; step < (Dim == 2 ? 14 : 4); ++step) flow.advance();
  return Snapshot(flow);
}

/// FNV-1a over the bytes of all leaves.
template <class Flow>
std::uint64_t hash_of(Snapshot<Flow> const& snapshot) {
  using T = typename Flow::Scalar;
  std::uint64_t hash = 14695981039346656037u;
  for (auto const& values : snapshot.values)
    for (T const value : values) {
      std::array<unsigned char, sizeof(T)> bytes;
      std::memcpy(bytes.data(), &value, sizeof(T));
      for (unsigned char const byte : bytes) hash = (hash ^ byte) * 1099511628211u;
    }
  return hash;
}

struct HotRing {
  KOKKOS_FUNCTION State<double, 2> operator()(Vec<double, 2> const& x) const {
    double const r = (x[0] - 12) * (x[0] - 12) + (x[1] - 12) * (x[1] - 12);
    bool const is_hot = r > 25 && r < 64;
    return gas_state<double, 2>(is_hot ? 2 : 1, {}, is_hot ? 4 : 1);
  }
};

template <class TheCase>
class Running : public testing::Test {};
TYPED_TEST_SUITE(Running, Cases);

}  // namespace

TEST(Flagship, AllocatesNothingAfterItsSecondRegrid) {
  auto flow = flagship();
  while (flow.step_count() <= 2 * flow.options().regrid_stride) flow.advance();
  KokkosWatch const watch;
  auto const cells = flow.sets(3).cells;
  while (flow.step_count() < 100) {
    flow.advance();
    ASSERT_EQ(watch.allocation_count(), 0) << "step " << flow.step_count() << ": " << watch.allocation_labels();
  }
  EXPECT_FALSE(flow.sets(3).cells == cells) << "no regrid changed anything";
}

TYPED_TEST(Running, FollowsTheLabelRule) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  KokkosWatch const watch;
  auto flow = small_flow<T, Dim>();
  for (int step = 0; step < 8; ++step) flow.advance();
  flow.synchronise();
  flow.totals();
  int const finest = flow.level_count() - 1;
  overwrite<T, Dim>(flow, finest, *reference::cells_of(flow.sets(finest).leaves).begin(),
                    State<T, Dim>::filled(std::numeric_limits<T>::quiet_NaN()));
  EXPECT_THROW(flow.advance(), NonFiniteState);
  auto const labels = watch.kernel_labels();
  for (char const* step : {"sweep", "reflux", "fill_sides", "wave_rate", "initialise", "find_impossible"})
    EXPECT_EQ(labels.count(std::string("sparse::amr::") + step), 1u) << step;
  EXPECT_TRUE(follow_the_label_rule(labels));
}

// Prints the bits for the next test, which runs this one in processes with other numbers of threads.
TYPED_TEST(Running, GivesTheSameBitsEveryTime) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (Scheme scheme : schemes) {
    auto const bits = small_run<T, Dim>(scheme);
    if (scheme == Scheme::hancock) {
      EXPECT_TRUE((small_run<T, Dim>(scheme) == bits));
    }
    std::printf("bits %016lx\n", static_cast<unsigned long>(hash_of(bits)));
  }
}

TEST(RunningOnThreads, GivesTheSameBitsOnAnyNumberOfThem) {
  auto const bits_with = [](int thread_count) { return bits_on_threads("*GivesTheSameBitsEveryTime", thread_count); };
  auto const one = bits_with(1);
  EXPECT_EQ(one.size(), reference::real_case_count * std::size(schemes));
  EXPECT_EQ(bits_with(2), one);
}

// Through a file: see tests/io/test_restart.cpp.
TYPED_TEST(Running, GoesOnFromASavedStateAsIfThereHadBeenNoBreak) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (Scheme scheme : schemes) {
    auto whole = small_flow<T, Dim>(scheme);
    for (int step = 0; step < 4; ++step) whole.advance();
    Simulation<T, Dim> resumed(whole.domain(), whole.flux(), whole.save(),
                               {gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 1.5), 1), {}}, whole.options());
    EXPECT_TRUE(Snapshot(resumed) == Snapshot(whole)) << name_of(scheme);
    LevelChanges<Dim> changes;
    for (int step = 0; step < (Dim == 2 ? 10 : 5); ++step) {
      whole.advance();
      resumed.advance();
      changes.note(whole);
      ASSERT_TRUE(Snapshot(resumed) == Snapshot(whole)) << name_of(scheme) << " step " << step;
    }
    EXPECT_GT(changes.count, 1);
  }
}

// A closed symmetric box: mirrored cells stay alike, memory does not grow, and nothing is lost.
TEST(LongRuns, KeepSymmetryMemoryAndTotals) {
  DomainOptions<2> domain;
  domain.cells = {24, 24};
  domain.level_count = 3;
  domain.bodies = {body_from_cells<2>("block", sparse::box<2>({40, 40}, {56, 56}))};
  Options<double, 2> options;
  options.criteria = {sparse::amr::relative_gradient<Gas<double, 2>>(0, 0.1)};
  Simulation<double, 2> flow(Domain<2>(domain), {}, HotRing{}, {}, options);
  auto const before = flow.totals();
  auto const& arena = *flow.sets(0).cells.context().arena();
  int const step_count = is_nightly ? 20000 : 500;
  std::size_t early_peak = 0;
  for (int step = 0; step < step_count; ++step) {
    ASSERT_NO_THROW(flow.advance()) << step;
    if (step == step_count / 4) early_peak = arena.peak_bytes();
  }
  EXPECT_LE(arena.peak_bytes(), early_peak + early_peak / 4);
  EXPECT_LE(relative_change(flow.totals(), before, {0, 3}), 1e-12);
  double asymmetry = 0;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const states = leaf_states(flow, l);
    for (auto const& [cell, state] : states) {
      auto const other = states.find({flow.domain().box(l).end[0] - 1 - cell[0], cell[1]});
      ASSERT_NE(other, states.end());
      asymmetry = std::max(asymmetry, std::abs(state[0] - other->second[0]));
    }
  }
  std::printf("  asymmetry %.1e, peak %.1f MB early, %.1f MB in all\n", asymmetry, 1e-6 * double(early_peak),
              1e-6 * double(arena.peak_bytes()));
  EXPECT_LE(asymmetry, is_nightly ? 1e-8 : 1e-10);
}
