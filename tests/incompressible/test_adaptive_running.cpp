/// How flows on levels run: the same bits on any number of threads, and labels.

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <malloc.h>

#include <support/adaptive.hpp>
#include <support/tools.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleAdaptiveRunning : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveRunning, RealCases);

/// Some steps of a flow round a body, with changes of levels.
template <class T, int Dim>
AdaptiveFlow<T, Dim> some_flow(int step_count) {
  AroundABall<T, Dim> const around;
  auto options = around.options;
  options.inks = {{"ink"}};
  AdaptiveFlow<T, Dim> flow(around.domain(), options);
  flow.start([&](Point<Dim> const&) { return options.inflow; }, {[](Point<Dim> const& x) { return std::sin(x[0]); }});
  for (int step = 0; step < step_count; ++step) flow.advance();
  return flow;
}

template <class T, int Dim>
std::uint64_t hash_of(AdaptiveFlow<T, Dim> const& flow) {
  std::uint64_t hash = 14695981039346656037u;
  auto const add = [&](auto const& values) {
    for (auto const& [place, value] : values) {
      unsigned char bytes[sizeof(double)];
      std::memcpy(bytes, &value, sizeof(double));
      for (unsigned char const byte : bytes) hash = (hash ^ byte) * 1099511628211u;
    }
  };
  for (int l = 0; l < flow.level_count(); ++l) {
    for (int axis = 0; axis < Dim; ++axis) add(values_on(flow.state(l).velocity, axis, faces(flow.leaves(l), axis)));
    add(values_on(flow.state(l).carried[0], 0, flow.leaves(l)));
  }
  return hash;
}

/// What this process has from malloc, which is all but the arena's slabs [bytes]; 0 where nobody says.
double heap_bytes() {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
  return static_cast<double>(mallinfo2().uordblks);
#else
  return 0;
#endif
}

/// Runs tests on one thread and on two. They print `count` lines of bits.
void expect_same_bits(char const* tests, std::size_t count) {
  auto const one = bits_on_threads(tests, 1);
  EXPECT_EQ(one.size(), count);
  EXPECT_EQ(bits_on_threads(tests, 2), one);
}

double saved_bytes(sparse::amr::SavedState<double, 2> const& saved) {
  double bytes = 0;
  for (auto const& state : saved.states)
    bytes += static_cast<double>(sizeof(double)) * state.component_count() * static_cast<double>(state.cell_count());
  return bytes;
}

/// A flow round a ball. A patch of finer levels runs through it, so that the levels change for ever.
AdaptiveFlow<double, 2> flow_under_a_patch() {
  AroundABall<double, 2> const around;
  auto options = around.options;
  options.inks = {{"ink", 1e-3}};
  options.criteria = {moving_ball<2>(1, {1, 1}, {1, 0.7})};
  AdaptiveFlow<double, 2> flow(around.domain(), options);
  flow.start([&](Point<2> const&) { return options.inflow; }, {[](Point<2> const& x) { return std::sin(x[0]); }});
  return flow;
}

}  // namespace

// Prints the bits. The test below runs this one in other processes, with other numbers of threads.
TYPED_TEST(IncompressibleAdaptiveRunning, GivesTheSameBitsEveryTime) {
  auto const flow = some_flow<typename TypeParam::T, TypeParam::value>(14);
  EXPECT_GT(flow.level_count(), 1);
  std::printf("bits %016lx %ld\n", static_cast<unsigned long>(hash_of(flow)), static_cast<long>(flow.leaf_count()));
}

TEST(IncompressibleAdaptiveOnThreads, GivesTheSameBitsOnAnyNumberOfThem) {
  expect_same_bits("IncompressibleAdaptiveRunning*GivesTheSameBitsEveryTime*", real_case_count);
}

// A break in the middle changes nothing, and neither does the number of threads, which the next test changes. Nightly
// there are 10,000 steps: the patch has been everywhere after a quarter, and then the flow takes no more memory.
TEST(IncompressibleAdaptiveLong, RunsWithoutEnd) {
  bool const is_nightly = seed_count > 1000;
  int const steps = is_nightly ? 10000 : 240;
  auto flow = flow_under_a_patch();
  double const first_energy = flow.kinetic_energy();
  auto const run = [&](AdaptiveFlow<double, 2>& of, int count) {
    double most = 0;
    bool has_converged = true;
    for (int step = 0; step < count && has_converged; ++step) {
      has_converged = of.advance().has_converged();
      most = std::max(most, static_cast<double>(sparse::Context().arena()->bytes_in_use()));
    }
    EXPECT_TRUE(has_converged) << of.step_count();
    double const energy = of.kinetic_energy();
    EXPECT_TRUE(energy > 0.5 * first_energy && energy < 2 * first_energy) << energy << " after " << of.step_count();
    return most;
  };
  run(flow, steps / 4);
  double const in_second_quarter = run(flow, steps / 4), heap = heap_bytes();
  auto const saved = flow.save();
  run(flow, steps / 4);
  double const in_last_quarter = run(flow, steps / 4), of_saved = saved_bytes(saved);
  if (is_nightly) {
    EXPECT_LE(in_last_quarter, 1.02 * in_second_quarter + of_saved);
    EXPECT_LE(heap_bytes(), 1.05 * heap);
  }
  AroundABall<double, 2> const around;
  AdaptiveFlow<double, 2> resumed(around.domain(), flow.options(), saved);
  run(resumed, steps / 2);
  EXPECT_EQ(hash_of(resumed), hash_of(flow));
  if (!HasFailure())  // the next test wants these bits
    std::printf("bits %016lx %ld\n", static_cast<unsigned long>(hash_of(flow)), static_cast<long>(flow.leaf_count()));
}

TEST(IncompressibleAdaptiveLong, EndsInTheSameBitsOnAnyNumberOfThreads) {
  expect_same_bits("IncompressibleAdaptiveLong.RunsWithoutEnd", 1);
}

TYPED_TEST(IncompressibleAdaptiveRunning, FollowsTheLabelRule) {
  KokkosWatch const watch;
  auto const flow = some_flow<typename TypeParam::T, TypeParam::value>(5);
  flow.momentum();
  flow.kinetic_energy();
  flow.greatest_divergence();
  flow.force();
  flow.ink_total(0);
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
