/// Steps of all levels return how they ended, and leave a hierarchy that can return to its start.

#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class TheCase>
class CoarseSteps : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;
  using Law = Gas<Real, dimension>;
  using Levels = sparse::amr::Hierarchy<Law>;
  using Step = sparse::amr::CoarseStep<Flux<Real, dimension>>;
  static constexpr Coord size = dimension == 2 ? 24 : 10;

  Flux<Real, dimension> const flux{};

  static Levels start() {
    Options<Real, dimension> options;
    options.criteria = {sparse::amr::relative_gradient<Law>(0, 0.05)};
    HotBall<Real, dimension> const ball{Vec<double, dimension>::filled(0.45 * size), 0.2 * size, 2, 4};
    Domain<dimension> const domain(closed_box<dimension>(size, 3));
    sparse::amr::Problem<Law> problem{domain, Law{}};
    problem.options = options;
    return Levels(std::move(problem), ball);
  }
  static double longest_step(Levels const& levels) {
    return 0.8 / static_cast<double>(greatest_rate(levels.problem(), levels.levels()));
  }
  /// The values of all levels, in order.
  static std::vector<Real> values(Levels const& levels) {
    std::vector<Real> all;
    for (auto const& level : levels.levels())
      for (int c = 0; c < dimension + 2; ++c) {
        auto const some = to_host(remap(level.states.current(), level.sets.leaves), c);
        all.insert(all.end(), some.begin(), some.end());
      }
    return all;
  }
};
TYPED_TEST_SUITE(CoarseSteps, Cases);

}  // namespace

TYPED_TEST(CoarseSteps, SucceedAndCountTheirCells) {
  auto levels = this->start();
  auto const before = this->values(levels);
  ASSERT_EQ(levels.level_count(), 3);
  Index expected = 0;
  for (int l = 0; l < 3; ++l) expected += (Index{1} << l) * levels.levels()[l].sets.leaves.cell_count();
  levels.keep_start();
  typename TestFixture::Step step(this->flux, levels, Scheme::hancock);
  EXPECT_TRUE(step.advance(0, 0, this->longest_step(levels)).is_ok());
  EXPECT_EQ(step.update_count(), expected);
  EXPECT_NE(this->values(levels), before);
  levels.return_to_start();
  EXPECT_EQ(this->values(levels), before);
}

TYPED_TEST(CoarseSteps, ThatAreTooLongSayByHowMuch) {
  auto levels = this->start();
  auto const before = this->values(levels);
  double const dt = 3 * this->longest_step(levels);
  double const crossed = static_cast<double>(levels.levels()[0].rate) * dt;
  levels.keep_start();
  typename TestFixture::Step step(this->flux, levels, Scheme::hancock);
  auto const outcome = step.advance(0, 0, dt);
  ASSERT_NE(outcome.too_long(), nullptr);
  EXPECT_EQ(outcome.impossible(), nullptr);
  EXPECT_FALSE(outcome.is_ok());
  // Level 0 or a finer one: none may be more than three times too fast.
  EXPECT_GE(outcome.too_long()->excess, std::max(1.1, crossed > 1 ? crossed / 0.8 : 0) * (1 - 1e-6));
  EXPECT_LE(outcome.too_long()->excess, 3 * (1 + 1e-6));
  levels.return_to_start();
  EXPECT_EQ(this->values(levels), before);
}

TYPED_TEST(CoarseSteps, ThatGiveImpossibleStatesNameACell) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto levels = this->start();
  auto& finest = levels.levels()[2];
  auto const cells = reference::cells_of(finest.sets.leaves);
  Cell<Dim> const broken = *std::next(cells.begin(), static_cast<long>(cells.size() / 2));
  sparse::Subset<Dim> const target(reference::set_of<Dim>({broken}), finest.sets.storage);
  assign<T, Dim>(target, finest.current(), State<T, Dim>::filled(std::numeric_limits<T>::quiet_NaN()));
  levels.keep_start();
  typename TestFixture::Step step(this->flux, levels, Scheme::godunov);
  auto const outcome = step.advance(0, 1.5, 1e-6);
  ASSERT_NE(outcome.impossible(), nullptr);
  EXPECT_EQ(outcome.too_long(), nullptr);
  EXPECT_EQ(outcome.impossible()->level, 2);
  EXPECT_GT(outcome.impossible()->time, 1.5);
  for (int axis = 0; axis < Dim; ++axis) EXPECT_LE(std::abs(outcome.impossible()->cell[axis] - broken[axis]), 1);
  levels.return_to_start();
  EXPECT_EQ(sparse::amr::find_impossible(levels.problem(), levels.levels(), 0)->cell, broken);
}
