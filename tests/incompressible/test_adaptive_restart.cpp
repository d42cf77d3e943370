/// Flows on levels go on: from files, and over changes of levels.

#include <filesystem>
#include <numbers>

#include <unistd.h>

#include <sparse/amr/measure/checkpoint.hpp>
#include <support/adaptive.hpp>

namespace {

using namespace reference;
using sparse::amr::SavedState;

template <class TheCase>
class IncompressibleAdaptiveRestart : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleAdaptiveRestart, RealCases);

template <class T, int Dim>
AdaptiveOptions<Dim> with_inks(AroundABall<T, Dim> const& around) {
  auto options = around.options;
  options.inks = {{"ink"}, {"weight"}};
  options.buoyancy = {{1, {0.1, -0.2}}};
  return options;
}

/// A file that is gone afterwards.
struct TemporaryFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("sparse_adaptive_" + std::to_string(getpid()) + ".h5");
  ~TemporaryFile() { std::filesystem::remove(path); }
};

}  // namespace

// Breaks at the start, between changes of levels, and just before one.
TYPED_TEST(IncompressibleAdaptiveRestart, GoesOnAsIfThereHadBeenNoBreak) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  AroundABall<T, Dim> const around;
  auto const options = with_inks(around);
  auto const domain = around.domain();
  TemporaryFile const file;
  AdaptiveFlow<T, Dim> whole(domain, options);
  whole.start([&](Point<Dim> const&) { return options.inflow; },
              {[](Point<Dim> const& x) { return std::sin(x[0]); }, [](Point<Dim> const& x) { return x[1]; }});
  // In space, changes of levels take long.
  for (int const steps : Dim == 2 ? std::vector<int>{0, 6, 2} : std::vector<int>{3}) {
    for (int step = 0; step < steps; ++step) whole.advance();
    sparse::amr::write_checkpoint(file.path, whole.save(), "flow");
    AdaptiveFlow<T, Dim> resumed(domain, options, sparse::amr::read_checkpoint<T, Dim>(file.path, "flow"));
    ASSERT_TRUE(are_same(resumed, whole)) << "after " << steps << " steps more";
    EXPECT_EQ(resumed.greatest_divergence(), whole.greatest_divergence());
    EXPECT_EQ(resumed.ink_total(0), whole.ink_total(0));
    AdaptiveFlow<T, Dim> reference(domain, options, whole.save());
    for (int step = 0; step < (Dim == 2 ? 10 : 3); ++step) {
      auto const wanted = whole.advance(), got = resumed.advance();
      ASSERT_EQ(got.iterations, wanted.iterations) << step;
      ASSERT_TRUE(are_same(resumed, whole)) << "step " << step;
    }
    whole = std::move(reference);
  }
  EXPECT_GT(whole.level_count(), 1);
}

TYPED_TEST(IncompressibleAdaptiveRestart, APeriodicFlowGoesOn) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  DomainOptions<Dim> box;
  box.cells = Cell<Dim>::filled(Dim == 2 ? 20 : 12);
  box.level_count = 3;
  for (int axis = 0; axis < Dim; ++axis) box.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
  Domain<Dim> const domain(box);
  AdaptiveOptions<Dim> options;
  options.viscosity = 0.01;
  options.criteria = {moving_ball<Dim>(5, Point<Dim>::filled(1), Point<Dim>::filled(3))};
  options.regrid_stride = 2;
  AdaptiveFlow<T, Dim> whole(domain, options);
  whole.start([&](Point<Dim> const& x) {
    auto u = Point<Dim>::filled(0.5);
    u[0] += std::sin(2 * std::acos(-1.0) * x[1] / box.cells[1]);
    return u;
  });
  for (int step = 0; step < 3; ++step) whole.advance();
  AdaptiveFlow<T, Dim> resumed(domain, options, whole.save());
  for (int step = 0; step < (Dim == 2 ? 6 : 3); ++step) {
    whole.advance();
    resumed.advance();
    ASSERT_TRUE(are_same(resumed, whole)) << "step " << step;
  }
}

// The levels follow a patch. A flow that forgets its last pressures at each change of levels needs more iterations.
TEST(IncompressibleAdaptiveGuess, GoesOnOverChangesOfLevels) {
  auto const iterations_of = [](bool forgets) {
    DomainOptions<2> box;
    box.cells = {48, 48};
    box.level_count = 2;
    box.grid.spacing = Point<2>::filled(1.0 / 48);
    for (int axis = 0; axis < 2; ++axis) box.sides[axis] = {BoundaryKind::wall, BoundaryKind::wall};
    Domain<2> const domain(box);
    AdaptiveOptions<2> options;
    options.viscosity = 1e-3;
    options.criteria = {moving_ball<2>(0.2, {0.3, 0.4}, {0.4, 0.3})};
    AdaptiveFlow<double, 2> flow(domain, options);
    using std::numbers::pi;
    flow.start([&](Point<2> const& x) {
      return Point<2>{std::sin(pi * x[0]) * std::cos(pi * x[1]), -std::cos(pi * x[0]) * std::sin(pi * x[1])};
    });
    int sum = 0;
    for (int step = 0; step < 40; ++step) {
      if (forgets && step % options.regrid_stride == 0) {
        auto saved = flow.save();
        saved.numbers["steps_done"] = 0;
        flow = AdaptiveFlow<double, 2>(domain, options, saved);
      }
      sum += static_cast<int>(flow.advance(0.005).iterations);
    }
    return sum;
  };
  int const with_guess = iterations_of(false), without = iterations_of(true);
  std::printf("iterations %d, where pressures are forgotten %d\n", with_guess, without);
  EXPECT_LT(with_guess, 0.95 * without);
}

TEST(IncompressibleAdaptiveFaults, WhatDoesNotFitIsRefused) {
  AroundABall<double, 2> const around;
  auto const options = with_inks(around);
  AdaptiveFlow<double, 2> const flow(around.domain(), options);
  auto const is_refused_with = [&](SavedState<double, 2> const& saved, AdaptiveOptions<2> const& with,
                                   std::string const& reason) {
    return is_refused([&] { AdaptiveFlow<double, 2>(around.domain(), with, saved); }, reason);
  };
  EXPECT_TRUE(is_refused_with({}, options, "levels are not of this domain"));
  auto saved = flow.save();
  EXPECT_NO_THROW((AdaptiveFlow<double, 2>(around.domain(), options, saved)));
  EXPECT_TRUE(is_refused_with(saved, around.options, "values are not those"));
  saved.numbers.clear();
  EXPECT_TRUE(is_refused_with(saved, options, "steps_done"));
  saved = flow.save();
  saved.states.pop_back();
  EXPECT_TRUE(is_refused_with(saved, options, "levels are not of this domain"));
  saved = flow.save();
  saved.cells.pop_back();
  saved.states.pop_back();
  std::swap(saved.cells[0], saved.cells[1]);
  EXPECT_TRUE(is_refused_with(saved, options, "levels are not of this domain"));
}
