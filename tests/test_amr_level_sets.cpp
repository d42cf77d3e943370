/// The sets that make up levels, against the same rules written with loops over cells.

#include <array>
#include <stdexcept>

#include <sparse/amr/level_sets.hpp>
#include <sparse/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::amr::Domain;
using sparse::amr::DomainOptions;
using sparse::amr::level_sets;
using sparse::amr::LevelSets;
using sparse::amr::nested_cells;
using sparse::amr::Side;

namespace {

// What the hierarchy promises (see nested_cells and level_sets).
constexpr Coord nesting_width = 2, body_width = 3;

/// A box with random bodies and sides, random tags on every level, and the levels for them.
template <int Dim>
struct RandomLevels {
  DomainOptions<Dim> options;
  Cells<Dim> solid;              // of the finest level, also outside the box
  std::vector<Cells<Dim>> tags;  // [level]
  Coord buffer;

  explicit RandomLevels(unsigned seed) {
    auto engine = random_engine(seed);
    auto const draw = [&](int least, int greatest) { return random_int(engine, least, greatest); };
    options.level_count = draw(1, Dim == 2 ? 4 : 3);
    for (int axis = 0; axis < Dim; ++axis) {
      bool const is_periodic = draw(0, 1) == 1;
      options.cells[axis] = draw(is_periodic ? 4 : 1, Dim == 2 ? 9 : 5);
      Side const others[] = {Side::wall, Side::open, Side::inflow};
      for (int side = 0; side < 2; ++side)
        options.sides[axis][side] = is_periodic ? Side::periodic : others[draw(0, 2)];
    }
    Cell<Dim> const end = (1 << (options.level_count - 1)) * options.cells;
    for (int body = draw(0, 3); body > 0; --body) {
      Cell<Dim> from, to;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = draw(-3, end[axis] + 1);
        to[axis] = from[axis] + draw(1, std::max(1, end[axis] / 3));
      }
      solid = either(solid, reference::box<Dim>(from, to));
    }
    solid.erase(Cell<Dim>{});  // so that some fluid is left
    options.solid = set_of(solid);

    Domain<Dim> const domain(options);
    for (int l = 0; l + 1 < options.level_count; ++l) {
      tags.emplace_back();
      int const one_in = draw(0, 2) == 0 ? 1000000 : draw(20, 200);
      for (auto const& cell : cells_of(domain.fluid(l)))
        if (draw(1, one_in) == 1) tags.back().insert(cell);
    }
    buffer = draw(0, 2);
  }

  std::vector<IntervalSet<Dim>> tag_sets() const {
    std::vector<IntervalSet<Dim>> sets;
    for (auto const& cells : tags) sets.push_back(set_of(cells));
    return sets;
  }
  bool is_periodic(int axis) const { return options.sides[axis][0] == Side::periodic; }
  Coord size(int axis, int level) const { return options.cells[axis] << level; }
  bool is_inside(Cell<Dim> const& cell, int level) const {
    for (int axis = 0; axis < Dim; ++axis)
      if (cell[axis] < 0 || cell[axis] >= size(axis, level)) return false;
    return true;
  }
  /// The cell of which this one is an image, if any; otherwise the cell itself.
  Cell<Dim> wrapped(Cell<Dim> cell, int level) const {
    for (int axis = 0; axis < Dim; ++axis)
      if (is_periodic(axis)) cell[axis] = (cell[axis] % size(axis, level) + size(axis, level)) % size(axis, level);
    return cell;
  }
  Cells<Dim> wrapped(Cells<Dim> const& cells, int level) const {
    Cells<Dim> result;
    for (auto const& cell : cells) result.insert(wrapped(cell, level));
    return result;
  }
  /// Cells and their images at most two cells outside the box.
  Cells<Dim> with_images(Cells<Dim> const& cells, int level) const {
    Cells<Dim> result;
    for (auto const& cell : cells)
      for_each_offset<Dim>(Cell<Dim>::filled(1), [&](Cell<Dim> const& period) {
        Cell<Dim> image = cell;
        bool is_near = true;
        for (int axis = 0; axis < Dim; ++axis) {
          image[axis] += period[axis] * size(axis, level);
          if (period[axis] != 0 && !is_periodic(axis)) is_near = false;
          if (image[axis] < -2 || image[axis] >= size(axis, level) + 2) is_near = false;
        }
        if (is_near) result.insert(image);
      });
    return result;
  }

  Cells<Dim> box(int level) const { return reference::box<Dim>({}, (1 << level) * options.cells); }
  Cells<Dim> fluid(int level) const {
    Cells<Dim> cells = difference(box(options.level_count - 1), solid);
    for (int l = options.level_count - 1; l > level; --l) cells = coarsened(cells);
    return cells;
  }
  Cells<Dim> touched(int level) const {
    Cells<Dim> cells = both(box(options.level_count - 1), solid);
    for (int l = options.level_count - 1; l > level; --l) cells = coarsened(cells);
    return cells;
  }
  std::vector<Cells<Dim>> cells() const {
    int const finest = options.level_count - 1;
    std::vector<Cells<Dim>> refined(static_cast<std::size_t>(finest));
    auto const around = [&](Cells<Dim> const& cells, Coord width, int level) {
      return wrapped(expanded(cells, Cell<Dim>::filled(width)), level);
    };
    for (int l = finest - 1; l >= 0; --l) {
      refined[l] = either(around(tags[l], buffer, l), around(touched(l), body_width, l));
      if (l + 1 < finest) refined[l] = either(refined[l], coarsened(around(refined[l + 1], nesting_width, l + 1)));
      refined[l] = both(refined[l], fluid(l));
    }
    std::vector<Cells<Dim>> result{fluid(0)};
    for (int l = 0; l < finest && !refined[l].empty(); ++l)
      result.push_back(both(reference::refined(refined[l]), fluid(l + 1)));
    return result;
  }
};

template <int Dim, class Body>
void for_each_neighbour(Cell<Dim> const& cell, Body const& body) {
  for (int arm = 0; arm < 2 * Dim; ++arm) body(cell + Cell<Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
}

template <int Dim>
Cell<Dim> parent_of(Cell<Dim> cell) {
  for (int axis = 0; axis < Dim; ++axis) cell[axis] >>= 1;
  return cell;
}

/// One level as plain sets of cells.
template <int Dim>
struct PlainLevel {
  Cells<Dim> cells, extended, leaves, covered, covered_extended, restricted, coarse_ghosts, storage, fluid;
};

template <int Dim>
std::vector<PlainLevel<Dim>> plain(Domain<Dim> const& domain, std::vector<LevelSets<Dim>> const& levels) {
  std::vector<PlainLevel<Dim>> result;
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    auto const& sets = levels[l];
    result.push_back({cells_of(sets.cells), cells_of(sets.extended), cells_of(sets.leaves), cells_of(sets.covered),
                      cells_of(sets.covered_extended), cells_of(sets.restricted), cells_of(sets.coarse_ghosts),
                      cells_of(sets.storage), cells_of(domain.fluid(l))});
  }
  return result;
}

template <class Dimension>
class LevelSetsOfRandomTags : public testing::Test {
public:
  static constexpr int dimension = Dimension::value;

  /// Calls `check(random, domain, sets, plain sets)` for all seeds.
  template <class Check>
  void for_each_seed(Check const& check) {
    for (unsigned seed = 1; seed <= seed_count; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      RandomLevels<dimension> const random(seed);
      Domain<dimension> const domain(random.options);
      auto const sets = level_sets(domain, nested_cells(domain, random.tag_sets(), random.buffer));
      check(random, domain, sets, plain(domain, sets));
      if (this->HasFatalFailure()) return;
    }
  }
};
TYPED_TEST_SUITE(LevelSetsOfRandomTags, Dimensions);

}  // namespace

TYPED_TEST(LevelSetsOfRandomTags, AreThoseOfTheRules) {
  this->for_each_seed([](auto const& random, auto const& domain, auto const& sets, auto const&) {
    for (int l = 0; l < domain.level_count(); ++l) {
      ASSERT_TRUE(matches(domain.fluid(l), random.fluid(l)));
      ASSERT_TRUE(matches(domain.touched_by_solid(l), random.touched(l)));
      ASSERT_TRUE(matches(domain.solid(l), difference(random.box(l), random.fluid(l))));
    }
    auto const expected = random.cells();
    ASSERT_EQ(sets.size(), expected.size());
    for (std::size_t l = 0; l < expected.size(); ++l) {
      ASSERT_TRUE(matches(sets[l].cells, expected[l])) << "level " << l;
      ASSERT_TRUE(matches(sets[l].extended, random.with_images(expected[l], static_cast<int>(l)))) << "level " << l;
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, PartitionTheFluid) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const&, auto const& domain, auto const&, auto const& levels) {
    for (auto const& fine : cells_of(domain.fluid(domain.level_count() - 1))) {
      int owner_count = 0;
      Cell<Dim> cell = fine;
      for (int l = domain.level_count() - 1; l >= 0; --l, cell = parent_of(cell))
        if (l < static_cast<int>(levels.size())) owner_count += static_cast<int>(levels[l].leaves.count(cell));
      ASSERT_EQ(owner_count, 1) << "the cell " << fine << " of the finest level";
    }
    for (auto const& level : levels) ASSERT_TRUE(both(level.leaves, level.fluid) == level.leaves);
  });
}

TYPED_TEST(LevelSetsOfRandomTags, AreWholeFamiliesNestedInTheLevelBelow) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const&, auto const& levels) {
    for (int l = 0; l + 1 < static_cast<int>(levels.size()); ++l) {
      ASSERT_FALSE(levels[l + 1].cells.empty());
      ASSERT_EQ(levels[l].covered, coarsened(levels[l + 1].cells));
      ASSERT_EQ(both(refined(levels[l].covered), levels[l + 1].fluid), levels[l + 1].cells);
      for (auto const& parent : levels[l].covered)
        for_each_offset<Dim>(Cell<Dim>::filled(nesting_width), [&](auto const& offset) {
          auto const near = random.wrapped(parent + offset, l);
          if (levels[l].fluid.count(near) != 0 && levels[l].cells.count(near) == 0)
            FAIL() << "level " << l << ": " << near << " is near the parent " << parent << " but not of the level";
        });
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, RefineTagsAndSurroundingsOfBodies) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const& domain, auto const&, auto const& levels) {
    for (int l = 0; l + 1 < domain.level_count(); ++l) {
      auto const fluid = cells_of(domain.fluid(l));
      auto const expect_refined = [&](Cells<Dim> const& cells, Coord width) {
        for (auto const& cell : random.wrapped(expanded(cells, Cell<Dim>::filled(width)), l))
          if (fluid.count(cell) != 0) {
            ASSERT_TRUE(l < static_cast<int>(levels.size()) && levels[l].covered.count(cell) != 0)
                << "level " << l << " cell " << cell;
          }
      };
      expect_refined(random.tags[l], random.buffer);
      expect_refined(random.touched(l), body_width);
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, StoreExactlyTheCellsTheirStencilsNeed) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const& sets, auto const& levels) {
    for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
      auto const& level = levels[l];
      auto const fluid = random.with_images(level.fluid, l);
      Cells<Dim> ghosts, outside[Dim][2];
      for (auto const& cell : level.extended) {
        for_each_neighbour<Dim>(cell, [&](Cell<Dim> const& neighbour) {
          if (fluid.count(neighbour) != 0 && level.extended.count(neighbour) == 0) ghosts.insert(neighbour);
        });
        for (int axis = 0; axis < Dim; ++axis)
          for (int side = 0; side < 2; ++side) {
            Side const kind = random.options.sides[axis][side];
            bool const is_last = cell[axis] == (side == 0 ? 0 : random.size(axis, l) - 1);
            if (is_last && (kind == Side::open || kind == Side::inflow))
              outside[axis][side].insert(cell + Cell<Dim>::along(axis, side == 0 ? -1 : 1));
          }
      }
      ASSERT_EQ(level.coarse_ghosts, ghosts) << "level " << l;
      Cells<Dim> storage = either(level.extended, ghosts);
      for (int axis = 0; axis < Dim; ++axis)
        for (int side = 0; side < 2; ++side) {
          ASSERT_TRUE(matches(sets[l].outside[axis][side], outside[axis][side])) << "level " << l;
          storage = either(storage, outside[axis][side]);
        }
      ASSERT_EQ(level.storage, storage) << "level " << l;
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, HaveValuesWhereverAStepLooks) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const&, auto const& levels) {
    for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
      auto const& level = levels[l];
      // A cell has a value in a step when it is a leaf, a restricted cell, the image of such, or a ghost.
      auto const has_value = [&](Cell<Dim> const& cell) {
        auto const inner = random.wrapped(cell, l);
        bool const is_known = level.leaves.count(inner) != 0 || level.restricted.count(inner) != 0;
        return level.storage.count(cell) != 0 && (is_known || level.coarse_ghosts.count(cell) != 0);
      };
      auto const expect_neighbours = [&](Cell<Dim> const& cell) {
        for_each_neighbour<Dim>(cell, [&](Cell<Dim> const& neighbour) {
          if (level.fluid.count(random.wrapped(neighbour, l)) != 0) {
            ASSERT_TRUE(has_value(neighbour)) << "level " << l << ": " << neighbour << " beside " << cell;
          }
        });
      };
      for (auto const& leaf : level.leaves) expect_neighbours(leaf);
      ASSERT_EQ(both(level.restricted, level.covered), level.restricted);
      if (l + 1 == static_cast<int>(levels.size())) break;
      for (auto const& ghost : levels[l + 1].coarse_ghosts) {
        auto const parent = parent_of(ghost);
        ASSERT_TRUE(levels[l].leaves.count(random.wrapped(parent, l)) != 0) << "level " << l << " parent " << parent;
        ASSERT_TRUE(has_value(parent)) << "level " << l << " parent " << parent;
        expect_neighbours(parent);  // for its slopes
      }
      for (auto const& cell : level.restricted)
        for (auto const& child : reference::box<Dim>(2 * cell, 2 * cell + Cell<Dim>::filled(2)))
          if (levels[l + 1].fluid.count(child) != 0) {
            ASSERT_TRUE(levels[l + 1].leaves.count(child) != 0 || levels[l + 1].restricted.count(child) != 0)
                << "level " << l << ": a child of the restricted cell " << cell;
          }
    }
  });
}

namespace {

template <int Dim>
std::string refusal(DomainOptions<Dim> const& options) {
  try {
    Domain<Dim> const domain(options);
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

template <class Dimension>
class Domains : public testing::Test {
public:
  static constexpr int dimension = Dimension::value;
  static DomainOptions<dimension> valid() {
    DomainOptions<dimension> options;
    options.cells = Cell<dimension>::filled(8);
    options.level_count = 2;
    return options;
  }
};
TYPED_TEST_SUITE(Domains, Dimensions);

}  // namespace

TYPED_TEST(Domains, RefuseWhatMakesNoSense) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(refusal(this->valid()), "");
  auto const expect_refusal = [&](auto const& change, char const* reason) {
    DomainOptions<Dim> options = this->valid();
    change(options);
    EXPECT_NE(refusal(options).find(reason), std::string::npos) << "got '" << refusal(options) << "'";
  };
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (int count : {-1, 0, 17}) expect_refusal([&](auto& o) { o.level_count = count; }, "levels");
  for (int axis = 0; axis < Dim; ++axis) {
    for (Coord cells : {-5, 0}) expect_refusal([&](auto& o) { o.cells[axis] = cells; }, "positive");
    expect_refusal([&](auto& o) { o.cells[axis] = sparse::coord_limit / 2; }, "too many cells");
    for (double spacing : {0.0, -1.0, nan, infinity})
      expect_refusal([&](auto& o) { o.spacing[axis] = spacing; }, "spacing");
    for (int side = 0; side < 2; ++side)
      expect_refusal([&](auto& o) { o.sides[axis][side] = Side::periodic; }, "periodic");
    expect_refusal(
        [&](auto& o) {
          o.cells[axis] = 3;
          o.sides[axis] = {Side::periodic, Side::periodic};
        },
        "at least 4 cells");
  }
  expect_refusal([](auto& o) { o.solid = sparse::box<Dim>(Cell<Dim>::filled(-9), Cell<Dim>::filled(99)); }, "no fluid");
}

TYPED_TEST(Domains, HaveHalfTheSpacingOnEachLevel) {
  constexpr int Dim = TypeParam::value;
  DomainOptions<Dim> options = this->valid();
  options.level_count = 5;
  for (int axis = 0; axis < Dim; ++axis) options.spacing[axis] = 0.5 + axis;
  Domain<Dim> const domain(options);
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= 0.5 + axis;
  for (int l = 0; l < 5; ++l, volume /= 1 << Dim) {
    for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(domain.spacing(l)[axis], (0.5 + axis) / (1 << l));
    EXPECT_DOUBLE_EQ(domain.cell_volume(l), volume);
    EXPECT_EQ(domain.fluid(l).cell_count(), Index{1} << (Dim * (l + 3)));
  }
}
