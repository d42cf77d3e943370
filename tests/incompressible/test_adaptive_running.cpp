/// How flows on levels run: the same bits on any number of threads, and labels.

#include <cstdio>
#include <cstring>

#include <sparse/shapes/shapes.hpp>
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
  DomainOptions<Dim> box;
  box.cells = Cell<Dim>::filled(Dim == 2 ? 32 : 12);
  box.cells[0] *= 2;
  box.level_count = Dim == 2 ? 3 : 2;
  box.grid.spacing = Point<Dim>::filled(1.0 / 8);
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
  box.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  auto const middle = Point<Dim>::filled(0.5 * box.cells[1] * box.grid.spacing[1]);
  box.bodies = {sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{middle, 0.3}, BoundaryKind::no_slip)};
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.02;
  options.inflow[0] = 1;
  options.criteria = {sparse::incompressible::vorticity(0.1), sparse::incompressible::near_surface(0.2)};
  options.stop.tolerance = precise<T>(1e-4, 1e-6);
  AdaptiveFlow<T, Dim> flow(Domain<Dim>(box), options);
  flow.start([&](Point<Dim> const&) { return options.inflow; });
  for (int step = 0; step < step_count; ++step) flow.advance();
  return flow;
}

template <class T, int Dim>
std::uint64_t hash_of(AdaptiveFlow<T, Dim> const& flow) {
  std::uint64_t hash = 14695981039346656037u;
  for (int l = 0; l < flow.level_count(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [face, value] : values_on(flow.state(l).velocity, axis, faces(flow.leaves(l), axis))) {
        unsigned char bytes[sizeof(double)];
        std::memcpy(bytes, &value, sizeof(double));
        for (unsigned char const byte : bytes) hash = (hash ^ byte) * 1099511628211u;
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
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
