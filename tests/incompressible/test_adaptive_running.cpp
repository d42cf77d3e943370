/// How flows on levels run: the same bits on any number of threads, and labels.

#include <cstdio>
#include <cstring>

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

}  // namespace

// Prints the bits. The test below runs this one in other processes, with other numbers of threads.
TYPED_TEST(IncompressibleAdaptiveRunning, GivesTheSameBitsEveryTime) {
  auto const flow = some_flow<typename TypeParam::T, TypeParam::value>(14);
  EXPECT_GT(flow.level_count(), 1);
  std::printf("bits %016lx %ld\n", static_cast<unsigned long>(hash_of(flow)), static_cast<long>(flow.leaf_count()));
}

TEST(IncompressibleAdaptiveOnThreads, GivesTheSameBitsOnAnyNumberOfThem) {
  auto const bits_with = [](int thread_count) {
    return bits_on_threads("IncompressibleAdaptiveRunning*GivesTheSameBitsEveryTime*", thread_count);
  };
  auto const one = bits_with(1);
  EXPECT_EQ(one.size(), 4u);
  EXPECT_EQ(bits_with(2), one);
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
