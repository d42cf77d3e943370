#include <array>
#include <functional>

#include <sparse/amr/hierarchy/criteria.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/bodies.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/fields.hpp"

using namespace sparse;
using namespace sparse::amr;
using compressible::Euler;
using reference::Cell;
using reference::Cells;

namespace {

/// A level with random cells and states, as fields and as maps.
template <class T, int Dim>
struct RandomLevel {
  using Law = Euler<T, Dim>;
  using Primitive = std::array<double, Dim + 2>;
  Cells<Dim> storage, cells, covered;
  std::map<Cell<Dim>, Primitive, reference::StorageOrder> states;
  Field<T, Dim> field;

  explicit RandomLevel(unsigned seed) {
    auto engine = reference::random_engine(seed);
    storage = reference::random_cells<Dim>(seed, 0);
    cells =
        reference::both(storage, reference::either(reference::random_cells<Dim>(seed, 1), thinned(storage, engine)));
    covered = thinned(cells, engine);
    std::uniform_real_distribution<double> number(0, 1);
    field = Field<T, Dim>("state", reference::set_of(storage), Dim + 2);
    std::array<std::vector<T>, Dim + 2> components;
    double const contrast = seed % 2 == 0 ? 0.05 : 1;
    for (auto const& cell : storage) {
      Vec<T, Dim> velocity;
      for (int axis = 0; axis < Dim; ++axis) velocity[axis] = static_cast<T>(number(engine) - 0.5);
      auto const u = Law{}.conserved(static_cast<T>(1 + contrast * number(engine)), velocity,
                                     static_cast<T>(1 + contrast * number(engine)));
      Primitive w{};
      w[0] = w[Dim + 1] = u[0];
      double energy = u[Dim + 1];
      for (int axis = 0; axis < Dim; ++axis) {
        w[1 + axis] = static_cast<double>(u[1 + axis]) / w[0];
        energy -= 0.5 * w[0] * w[1 + axis] * w[1 + axis];
      }
      w[Dim + 1] = energy * (static_cast<double>(Law{}.gamma) - 1);
      states.emplace(cell, w);
      for (int c = 0; c < Dim + 2; ++c) components[c].push_back(u[c]);
    }
    for (int c = 0; c < Dim + 2; ++c) reference::set_values(field, components[c], c);
  }

  LevelView<Law> view(int level = 1) const {
    auto const stored = field.domain();
    Vec<double, Dim> spacing;
    for (int axis = 0; axis < Dim; ++axis) spacing[axis] = 0.25 * (1 + axis);
    return {level,
            {},
            reference::set_of(cells),
            stored,
            reference::set_of(covered),
            field.view(),
            Vec<double, Dim>::filled(-0.7),
            spacing,
            3.5};
  }
  Primitive at(Cell<Dim> const& cell, int axis = 0, Coord offset = 0) const {
    auto const found = states.find(cell + Cell<Dim>::along(axis, offset));
    return found == states.end() ? states.at(cell) : found->second;
  }
  bool has(Cell<Dim> const& cell, int axis, Coord offset) const {
    return storage.contains(cell + Cell<Dim>::along(axis, offset));
  }

private:
  static Cells<Dim> thinned(Cells<Dim> const& all, std::mt19937& engine) {
    Cells<Dim> some;
    for (auto const& cell : all)
      if (engine() % 3 != 0) some.insert(cell);
    return some;
  }
};

/// Expects the cells whose value is above the bound, which is `kept` for covered cells. Values within rounding of the
/// bound may be in or out.
template <class T, int Dim>
void expect_marks(RandomLevel<T, Dim> const& level, IntervalSet<Dim> const& tags,
                  std::function<double(Cell<Dim> const&)> const& value, double refined, double kept) {
  auto const found = reference::cells_of(tags);
  double const rounding = std::is_same_v<T, float> ? 1e-4 : 1e-11;
  for (auto const& cell : level.cells) {
    double const bound = level.covered.contains(cell) ? kept : refined, at = value(cell);
    if (std::abs(at - bound) > rounding * (1 + bound)) {
      ASSERT_EQ(found.contains(cell), at > bound) << cell << " has " << at << ", the bound is " << bound;
    }
  }
  EXPECT_TRUE(reference::difference(found, level.cells).empty());
}

template <class TheCase>
class Tagging : public testing::Test {};
TYPED_TEST_SUITE(Tagging, reference::RealCases);

template <int Dim>
struct InBall {
  BallDistance<Dim> ball;
  KOKKOS_FUNCTION bool operator()(Vec<double, Dim> const& x) const { return ball(x) < 0; }
};

/// Grows along x and with time.
template <class Law>
struct Front {
  KOKKOS_FUNCTION typename Law::Scalar operator()(IndicatorPoint<Law> const& p) const {
    return static_cast<typename Law::Scalar>((p.x()[0] + p.time) / p.spacing[0]);
  }
};

/// A whole box of cells at rest with density `density(cell)`.
template <class T, int Dim, class Density>
Field<T, Dim> box_of(Coord size, Density const& density) {
  auto const cells = reference::box<Dim>({}, Cell<Dim>::filled(size));
  Field<T, Dim> field("state", reference::set_of(cells), Dim + 2);
  std::array<std::vector<T>, Dim + 2> components;
  for (auto const& cell : cells) {
    auto const u = Euler<T, Dim>{}.conserved(static_cast<T>(density(cell)), {}, T(1));
    for (int c = 0; c < Dim + 2; ++c) components[c].push_back(u[c]);
  }
  for (int c = 0; c < Dim + 2; ++c) reference::set_values(field, components[c], c);
  return field;
}
template <class T, int Dim>
LevelView<Euler<T, Dim>> view_of(Field<T, Dim> const& field, int level = 0) {
  return {level, {}, field.domain(), field.domain(), {}, field.view(), {}, Vec<double, Dim>::filled(0.5)};
}

}  // namespace

TYPED_TEST(Tagging, MeasuresRelativeGradients) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count / 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomLevel<T, Dim> const level(seed);
    int const component = seed % 3 == 0 ? Dim + 1 : 0;
    double const threshold = seed % 2 == 0 ? 0.01 : 0.2, release = 0.25 * (seed % 5);
    auto const tags = relative_gradient<Euler<T, Dim>>(component, threshold, release)(level.view());
    expect_marks<T, Dim>(
        level, tags,
        [&](Cell<Dim> const& cell) {
          double square = 0;
          for (int axis = 0; axis < Dim; ++axis) {
            double const d = level.at(cell, axis, 1)[component] - level.at(cell, axis, -1)[component];
            square += d * d;
          }
          return std::sqrt(square) / 2 / level.at(cell)[component];
        },
        threshold, release * threshold);
  }
}

TYPED_TEST(Tagging, MeasuresVorticity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count / 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomLevel<T, Dim> const level(seed);
    auto const tags = vorticity<Euler<T, Dim>>(0.4)(level.view());
    expect_marks<T, Dim>(
        level, tags,
        [&](Cell<Dim> const& cell) {
          auto const slope = [&](int component, int axis) {  // times two widths along x
            return (level.at(cell, axis, 1)[1 + component] - level.at(cell, axis, -1)[1 + component]) / (1 + axis);
          };
          double const z = slope(1, 0) - slope(0, 1);
          double const x = Dim == 3 ? slope(Dim - 1, 1) - slope(1, Dim - 1) : 0;
          double const y = Dim == 3 ? slope(0, Dim - 1) - slope(Dim - 1, 0) : 0;
          return std::sqrt(x * x + y * y + z * z) / 2 * Dim;
        },
        0.4, 0.2);
  }
}

TYPED_TEST(Tagging, AsksIndicatorsOfTheUser) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomLevel<T, Dim> const level(seed);
    if (level.cells.empty()) continue;
    double const middle = std::next(level.cells.begin(), static_cast<long>(level.cells.size() / 2))->data[0] + 0.25;
    auto const value = [&](Cell<Dim> const& cell) { return (-0.7 + 0.25 * (cell[0] + 0.5) + 3.5) / 0.25; };
    double const bound = (-0.7 + 0.25 * (middle + 0.5) + 3.5) / 0.25;
    auto const tags = indicator<Euler<T, Dim>>(Front<Euler<T, Dim>>{}, bound, bound - 1)(level.view());
    if (std::abs(bound) < 1e4) {  // further out single precision does not tell cells apart
      expect_marks<T, Dim>(level, tags, value, bound, bound - 1);
    }
  }
}

TYPED_TEST(Tagging, SeesBothSidesOfAJump) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Law = Euler<T, Dim>;
  auto const jump = box_of<T, Dim>(10, [](Cell<Dim> const& cell) { return cell[1] < 5 ? 1 : 3; });
  Cell<Dim> end = Cell<Dim>::filled(10);
  end[1] = 6;
  auto const both_sides = box<Dim>(Cell<Dim>::along(1, 4), end);
  EXPECT_TRUE(relative_gradient<Law>(0, 0.3)(view_of<T, Dim>(jump)) == both_sides);
  EXPECT_TRUE(relative_gradient<Law>(Dim + 1, 0.01)(view_of<T, Dim>(jump)).is_empty());
  EXPECT_TRUE(vorticity<Law>(1e-3)(view_of<T, Dim>(jump)).is_empty());
}

TYPED_TEST(Tagging, IgnoresWhatIsNotANumber) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Law = Euler<T, Dim>;
  T const nan = std::numeric_limits<T>::quiet_NaN();
  auto const field = box_of<T, Dim>(6, [&](Cell<Dim> const&) { return nan; });
  EXPECT_TRUE(relative_gradient<Law>(0, 0.1)(view_of<T, Dim>(field)).is_empty());
}

TYPED_TEST(Tagging, KnowsRegions) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Law = Euler<T, Dim>;
  auto const field = box_of<T, Dim>(16, [](Cell<Dim> const&) { return 1; });
  auto const all = reference::cells_of(field.domain());
  BallDistance<Dim> const shape{Vec<double, Dim>::filled(3.1), 2.2};
  for (int level = 0; level < 3; ++level) {
    auto const view = view_of<T, Dim>(field, level);
    auto const inside = region<Law>(InBall<Dim>{shape}, 2)(view);
    auto const near = near_surface<Law>(shape, 0.3, 2)(view);
    if (level == 2) {
      EXPECT_TRUE(inside.is_empty() && near.is_empty());
      continue;
    }
    for (auto const& cell : all) {
      Vec<double, Dim> center;
      for (int axis = 0; axis < Dim; ++axis) center[axis] = 0.5 * (cell[axis] + 0.5);
      EXPECT_EQ(inside.contains(cell), shape(center) < 0) << cell;
      if (near.contains(cell)) {
        EXPECT_LE(std::abs(shape(center)), 0.3 + 0.25 * std::sqrt(double(Dim)) + 1e-6) << cell;
      }
    }
    auto engine = reference::random_engine(7);
    std::uniform_real_distribution<double> number(0, 8);
    for (int i = 0; i < 3000; ++i) {
      Vec<double, Dim> x;
      Cell<Dim> home;
      for (int axis = 0; axis < Dim; ++axis) home[axis] = static_cast<Coord>(2 * (x[axis] = number(engine)));
      if (std::abs(shape(x)) < 0.3) {
        EXPECT_TRUE(near.contains(home)) << x;
      }
    }
    auto const block = box<Dim>(Cell<Dim>::filled(5), Cell<Dim>::filled(9));  // of level 1
    auto const expected = level == 1 ? block : box<Dim>(Cell<Dim>::filled(2), Cell<Dim>::filled(5));
    EXPECT_TRUE(region<Law>(block, 1, 2)(view) == expected);
    EXPECT_TRUE(region<Law>(block, 1, 1)(view) == (level == 0 ? expected : IntervalSet<Dim>()));
  }
  auto const coarse = box<Dim>(Cell<Dim>::filled(1), Cell<Dim>::filled(3));
  EXPECT_TRUE(region<Law>(coarse, 0, 3)(view_of<T, Dim>(field, 2)) ==
              box<Dim>(Cell<Dim>::filled(4), Cell<Dim>::filled(12)));
}

TYPED_TEST(Tagging, UnitesCriteriaThatShareAPlan) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Law = Euler<T, Dim>;
  RandomLevel<T, Dim> const level(5);
  auto const gradient = relative_gradient<Law>(0, 0.2), whirls = vorticity<Law>(0.4);
  auto const view = level.view();
  auto const both = any<Law>({gradient, whirls})(view);
  EXPECT_TRUE(both == (gradient(level.view()) | whirls(level.view())));
  auto const* const plan = view.plan.get();
  EXPECT_NE(plan, nullptr);
  EXPECT_TRUE(any<Law>({gradient, whirls})(view) == both);
  EXPECT_EQ(view.plan.get(), plan);
  EXPECT_TRUE(any<Law>({})(view).is_empty());
}

TYPED_TEST(Tagging, IntersectsCriteriaAndEndsThemAtALevel) {
  using T = typename TypeParam::T;
  using Law = Euler<T, TypeParam::value>;
  auto const gradient = relative_gradient<Law>(0, 0.2), whirls = vorticity<Law>(0.4);
  bool was_proper_part = false;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomLevel<T, TypeParam::value> const level(seed);
    auto view = level.view();
    auto const steep = gradient(view), both = all<Law>({gradient, whirls})(view);
    EXPECT_TRUE(both == (steep & whirls(view)));
    was_proper_part |= !both.is_empty() && both != steep;
    EXPECT_TRUE(all<Law>({gradient})(view) == steep);
    EXPECT_TRUE(all<Law>({})(view).is_empty());
    for (int finest : {0, 1, 2})
      for (view.level = 0; view.level < 3; ++view.level) {
        auto const tags = up_to<Law>(finest, gradient)(view);
        EXPECT_TRUE(view.level < finest ? tags == steep : tags.is_empty());
      }
  }
  EXPECT_TRUE(was_proper_part);
}

TYPED_TEST(Tagging, RefusesBoundsThatMakeNoSense) {
  using T = typename TypeParam::T;
  using Law = Euler<T, TypeParam::value>;
  double const nan = std::numeric_limits<double>::quiet_NaN();
  for (double threshold : {0.0, -1.0, nan}) {
    EXPECT_THROW(relative_gradient<Law>(0, threshold), std::invalid_argument);
    EXPECT_THROW(vorticity<Law>(threshold), std::invalid_argument);
  }
  for (double release : {-0.1, 1.1, nan}) EXPECT_THROW(vorticity<Law>(1, release), std::invalid_argument);
  for (int component : {-1, Law::component_count})
    EXPECT_THROW(relative_gradient<Law>(component, 0.1), std::invalid_argument);
}

// ---- minimum width

template <class Dimension>
class MinimumWidth : public testing::Test {};
TYPED_TEST_SUITE(MinimumWidth, reference::Dimensions);

TYPED_TEST(MinimumWidth, HoldsEverywhereAndAddsNoMoreThanItMust) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count / 2; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const tags = reference::random_cells<Dim>(seed, 0, coord_limit - 10);
    Coord const width = 1 + static_cast<Coord>(seed % 4);
    auto const found = reference::cells_of(with_minimum_width(reference::set_of(tags), width));
    EXPECT_TRUE(reference::difference(tags, found).empty());

    // The cells of whole boxes, found by trying every box.
    auto const in_boxes = [&](Cells<Dim> const& cells) {
      Cells<Dim> result;
      for (auto const& first : cells) {
        auto const boxed = reference::box<Dim>(first, first + Cell<Dim>::filled(width));
        if (reference::difference(boxed, cells).empty()) result = reference::either(result, boxed);
      }
      return result;
    };
    EXPECT_EQ(in_boxes(found), found);
    auto const thin = reference::difference(tags, in_boxes(tags));
    auto const near_thin = reference::expanded(thin, Cell<Dim>::filled(width - 1));
    EXPECT_TRUE(reference::difference(found, reference::either(tags, near_thin)).empty());
    if (thin.empty()) {
      EXPECT_EQ(found, tags);
    }
  }
}

TYPED_TEST(MinimumWidth, IsPositive) {
  constexpr int Dim = TypeParam::value;
  for (Coord width : {0, -1}) EXPECT_THROW(with_minimum_width(IntervalSet<Dim>(), width), std::invalid_argument);
}
