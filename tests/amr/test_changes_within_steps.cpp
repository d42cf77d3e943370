/// Levels that change within the steps of coarser ones.

#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class T, int Dim>
HotBall<T, Dim> ball_in(Coord size, double pressure_jump = 4) {
  return {Vec<double, Dim>::filled(0.4 * size), 0.15 * size, 2, pressure_jump};
}

/// Notes at which times the levels from `level` on are looked at, and throws when asked to.
struct Looks {
  int level;
  std::vector<double> times = {};
  std::size_t throw_at = ~std::size_t{0};
  bool is_impossible = false;  // what is thrown
};

template <class T, int Dim>
Options<T, Dim> options_with(Looks& looks) {
  Options<T, Dim> options;
  auto const gradient = sparse::amr::relative_gradient<Gas<T, Dim>>(0, Dim == 2 ? 0.05 : 0.12);
  options.criteria = {[&looks, gradient](sparse::amr::LevelView<Gas<T, Dim>> const& view) {
    if (view.level == looks.level) {
      if (looks.times.size() == looks.throw_at) {
        looks.throw_at = ~std::size_t{0};
        if (!looks.is_impossible) throw std::runtime_error("thrown by a criterion");
        auto const leaf = *reference::cells_of(view.cells - view.covered).begin();
        sparse::FieldView<T> const state{const_cast<T*>(view.state.data), view.state.stride};
        assign<T, Dim>(sparse::Subset<Dim>(reference::set_of<Dim>({leaf}), view.storage), state,
                       State<T, Dim>::filled(std::numeric_limits<T>::quiet_NaN()));
      }
      looks.times.push_back(view.time);
    }
    return gradient(view);
  }};
  return options;
}

template <class TheCase>
class ChangesWithinSteps : public testing::Test {};
TYPED_TEST_SUITE(ChangesWithinSteps, Cases);

}  // namespace

// Strides of 4 coarse steps. With at most 8, level 1 changes every 8 of its steps, which are 4 coarse ones. Level 2
// changes every 8 of its own, in the middle between two changes of all levels. With at most 2, each level changes every
// 4 of its steps, the least.
TYPED_TEST(ChangesWithinSteps, ComeAfterSoManyStepsOfTheLevel) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 8;
  struct Expected {
    int stride, longest;
    bool subcycle;
    std::vector<double> times;  // of level 2, in coarse steps
  };
  for (auto const& expected :
       {Expected{4, 8, true, {2, 4, 6, 8}}, Expected{4, 2, true, {1, 2, 3, 4, 5, 6, 7, 8}},
        Expected{4, 100, true, {4, 8}}, Expected{1, 2, true, {0.5, 1, 1.5, 2}}, Expected{4, 2, false, {4, 8}}}) {
    Looks looks{2};
    auto options = options_with<T, Dim>(looks);
    options.regrid_stride = expected.stride;
    options.longest_stride = expected.longest;
    options.subcycle = expected.subcycle;
    Simulation<T, Dim> flow(Domain<Dim>(closed_box<Dim>(size, 4)), {}, ball_in<T, Dim>(size), {}, options);
    ASSERT_EQ(flow.level_count(), 4);
    looks.times.clear();
    double const dt = 1e-3;
    int const count = static_cast<int>(expected.times.back());
    for (int step = 0; step < count; ++step) ASSERT_EQ(flow.advance(dt), dt);
    flow.regrid();  // as the next step would
    ASSERT_EQ(looks.times.size(), expected.times.size());
    for (std::size_t i = 0; i < expected.times.size(); ++i) EXPECT_NEAR(looks.times[i], expected.times[i] * dt, 1e-12);
  }
}

// A criterion that throws within a step, after levels have changed in it, leaves what was before the step.
TYPED_TEST(ChangesWithinSteps, AreTakenBackWithTheStep) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 8;
  for (Scheme scheme : {Scheme::hancock, Scheme::muscl_rk2}) {
    Looks looks{2}, undisturbed_looks{2};
    Options<T, Dim> options;
    auto const start = [&](Looks& seen) {
      options = options_with<T, Dim>(seen);
      options.scheme = scheme;
      options.longest_stride = 1;
      options.buffer = 1;
      return Simulation<T, Dim>(Domain<Dim>(closed_box<Dim>(size, 4)), {}, ball_in<T, Dim>(size), {}, options);
    };
    auto flow = start(looks), undisturbed = start(undisturbed_looks);
    int change_count = 0;
    auto const totals = flow.totals();
    for (int step = 0; step < (Dim == 2 ? 8 : 2); ++step) {
      while (step > 0 && flow.regrid()) undisturbed.regrid();  // so that nothing is left to change before the step
      looks.throw_at = looks.times.size() + (step > 0 ? 1 : 0) + 2;  // at the last quarter of the step
      Snapshot const before(flow);
      auto const update_count = flow.update_count();
      EXPECT_THROW(flow.advance(), std::runtime_error);
      EXPECT_TRUE(Snapshot(flow) == before) << name_of(scheme) << " step " << step;
      EXPECT_EQ(flow.update_count(), update_count);
      auto const cells = flow.sets(3).cells;
      EXPECT_EQ(flow.advance(), undisturbed.advance());
      change_count += !(flow.sets(3).cells == cells);
      EXPECT_TRUE(Snapshot(flow) == Snapshot(undisturbed)) << name_of(scheme) << " step " << step;
    }
    EXPECT_GT(change_count, 0);
    double const change = relative_change(flow.totals(), totals, {0, Dim + 1}),
                 rounding = std::is_same_v<T, double> ? 1e-13 : 1e-5;
    EXPECT_LE(change, rounding);

    // An impossible state, late in a step: it is repeated in first order from where it began.
    options.scheme = Scheme::godunov;
    while (flow.regrid()) {
    }
    Simulation<T, Dim> first_order(flow.domain(), flow.flux(), flow.save(), {}, options);
    looks.throw_at = looks.times.size() + 3;
    looks.is_impossible = true;
    EXPECT_EQ(flow.advance(), first_order.advance());
    EXPECT_EQ(flow.repeated_step_count(), 1);
    EXPECT_TRUE(Snapshot(flow) == Snapshot(first_order)) << name_of(scheme);
  }
}

// Room for the waves of all steps between changes of level 0 would double with each level.
TEST(ChangesWithinStepsInThePlane, KeepFineLevelsNarrow) {
  using T = double;
  Coord const size = 12;
  Index updates[2];
  double peak[2];
  for (int i = 0; i < 2; ++i) {
    Options<T, 2> options;
    options.criteria = {sparse::amr::relative_gradient<Gas<T, 2>>(0, 0.2)};
    options.longest_stride = i == 0 ? 4 : 1000;
    Simulation<T, 2> flow(Domain<2>(closed_box<2>(size, 7)), {}, ball_in<T, 2>(size), {}, options);
    run_to(flow, 0.5);
    ASSERT_EQ(flow.level_count(), 7);
    updates[i] = flow.update_count();
    peak[i] = 0;
    for_each_leaf(flow, [&](int, auto const&, auto const& w) { peak[i] = std::max<double>(peak[i], w[0]); });
  }
  std::printf("  %.2f M updates, %.2f M without\n", 1e-6 * double(updates[0]), 1e-6 * double(updates[1]));
  EXPECT_LT(2 * updates[0], updates[1]);
  EXPECT_NEAR(peak[0] / peak[1], 1, 0.01);  // what was resolved still is
}

// Waves that become faster within a coarse step must not cross more than a cell in the steps of finer levels.
TYPED_TEST(ChangesWithinSteps, ShortenStepsWhereWavesBecomeFaster) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 8;
  auto const greatest_rate = [](auto const& flow) {
    double greatest = 0;
    for_each_leaf(flow, [&](int l, auto const&, auto const& w) {
      double rate = 0;
      for (int axis = 0; axis < Dim; ++axis)
        rate += (std::abs(double(w[1 + axis])) + std::sqrt(1.4 * double(w[Dim + 1]) / double(w[0]))) /
                flow.domain().spacing(l)[axis];
      greatest = std::max(greatest, rate / (1 << l));
    });
    return greatest;
  };
  for (double const pressure_jump : {1., 1e4}) {
    Options<T, Dim> options;
    options.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(Dim + 1, 0.3)};
    Simulation<T, Dim> flow(Domain<Dim>(closed_box<Dim>(size, 4)), {}, ball_in<T, Dim>(size, pressure_jump), {},
                            options);
    double const allowed = options.cfl / greatest_rate(flow), dt = flow.advance();
    double const rate = greatest_rate(flow);
    std::printf("  pressure 1 to %g: %.2f of the first step, %.2f cells crossed at its end\n", 1 + pressure_jump,
                dt / allowed, dt * rate);
    if (pressure_jump > 1) {
      EXPECT_LT(dt, 0.95 * allowed);
      EXPECT_GT(flow.repeated_step_count(), 0);
    } else {
      EXPECT_NEAR(dt / allowed, 1, 1e-5);
      EXPECT_EQ(flow.repeated_step_count(), 0);
    }
    EXPECT_LT(dt * rate, 1.2);
  }
}
