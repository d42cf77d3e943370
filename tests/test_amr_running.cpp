/// How simulations run: no allocations once warm, labels, and the same bits every time.

#include <unistd.h>

#include <array>
#include <climits>
#include <cstdio>

#include <sparse/shapes.hpp>
#include <support/euler_flow.hpp>
#include <support/tools.hpp>

using namespace flow;

namespace {

/// The flow at Mach 2 around a cylinder in a box of 400 x 160 cells of level 0, on four levels.
Simulation<double, 2> flagship() {
  DomainOptions<2> options;
  options.cells = {400, 160};
  options.level_count = 4;
  options.sides = {Vec<Side, 2>{Side::inflow, Side::open}, {Side::open, Side::open}};
  options.solid = sparse::ball<2>({8 * 80, 8 * 80}, 8 * 20);
  auto const wind = Gas<double, 2>{}.conserved(1, {2, 0}, 1 / 1.4);
  return Simulation<double, 2>(Domain<2>(options), {}, Uniform<double, 2>{wind}, wind);
}

/// A small flow in which everything happens: bodies, all kinds of sides, changing levels.
template <class T, int Dim>
Simulation<T, Dim> small_flow() {
  Coord const size = Dim == 2 ? 32 : 10;
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(size);
  options.level_count = 3;
  options.sides = all_sides<Dim>(Side::periodic);
  options.sides[0] = {Side::inflow, Side::open};
  options.sides[1] = {Side::wall, Side::open};
  options.solid = sparse::ball<Dim>(Vec<double, Dim>::filled(0.7 * 4 * size), 0.1 * 4 * size);
  HotBall<T, Dim> const ball{Vec<double, Dim>::filled(0.4 * size), 0.15 * size, 2, 4};
  SimulationOptions simulation;
  simulation.regrid_stride = 3;
  simulation.buffer = 2;
  auto const wind = Gas<T, Dim>{}.conserved(T(1), Vec<T, Dim>::along(0, T(1.5)), T(1));
  return Simulation<T, Dim>(Domain<Dim>(options), {}, ball, wind, simulation);
}

template <class T, int Dim>
Snapshot<T, Dim> small_run() {
  auto flow = small_flow<T, Dim>();
  for (int step = 0; step < 20; ++step) flow.advance();
  return Snapshot<T, Dim>(flow);
}

/// FNV-1a over the bytes of all leaves.
template <class T, int Dim>
std::uint64_t hash_of(Snapshot<T, Dim> const& snapshot) {
  std::uint64_t hash = 14695981039346656037u;
  for (auto const& values : snapshot.values)
    for (T const value : values) {
      std::array<unsigned char, sizeof(T)> bytes;
      std::memcpy(bytes.data(), &value, sizeof(T));
      for (unsigned char const byte : bytes) hash = (hash ^ byte) * 1099511628211u;
    }
  return hash;
}

template <class TheCase>
class Running : public testing::Test {};
TYPED_TEST_SUITE(Running, Cases);

}  // namespace

TEST(Flagship, AllocatesNothingAfterItsSecondRegrid) {
  auto flow = flagship();
  while (flow.step_count() <= 2 * SimulationOptions{}.regrid_stride) flow.advance();
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
  flow.flux_into_bodies();
  overwrite<T, Dim>(flow, 0, *reference::cells_of(flow.sets(0).leaves).begin(),
                    State<T, Dim>::filled(std::numeric_limits<T>::quiet_NaN()));
  EXPECT_THROW(flow.advance(), NonFiniteState);
  auto const labels = watch.kernel_labels();
  for (char const* step : {"godunov", "interface", "inflow", "wave_rate", "relative_gradient", "initialise", "total",
                           "flux_into_bodies", "find_non_finite"})
    EXPECT_EQ(labels.count(std::string("sparse::amr::") + step), 1u) << step;
  EXPECT_TRUE(follow_the_label_rule(labels));
}

// Prints the bits for the next test, which runs this one in processes with other numbers of threads.
TYPED_TEST(Running, GivesTheSameBitsEveryTime) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const bits = small_run<T, Dim>();
  EXPECT_TRUE((small_run<T, Dim>() == bits));
  std::printf("bits %016lx\n", static_cast<unsigned long>(hash_of(bits)));
}

TEST(RunningOnThreads, GivesTheSameBitsOnAnyNumberOfThem) {
  char program[PATH_MAX + 1] = {};
  ASSERT_GT(readlink("/proc/self/exe", program, PATH_MAX), 0);
  auto const bits_with = [&](int thread_count) {
    std::string const command =
        "OMP_WAIT_POLICY=passive OMP_PROC_BIND=false OMP_NUM_THREADS=" + std::to_string(thread_count) + " '" + program +
        "' --gtest_filter='*GivesTheSameBitsEveryTime' 2>/dev/null";
    std::string bits;
    FILE* const output = popen(command.c_str(), "r");
    if (output == nullptr) return bits;
    char line[256];
    while (std::fgets(line, sizeof(line), output) != nullptr)
      if (std::string(line).rfind("bits ", 0) == 0) bits += line;
    pclose(output);
    return bits;
  };
  auto const one = bits_with(1);
  EXPECT_EQ(one.size(), 4 * std::string("bits 0123456789abcdef\n").size()) << one;
  EXPECT_EQ(bits_with(2), one);
}
