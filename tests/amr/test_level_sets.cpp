/// The sets that make up levels, against the same rules written with loops over cells.

#include <map>
#include <memory>

#include <sparse/shapes/shapes.hpp>
#include <support/plain_levels.hpp>

using namespace reference;

namespace {

template <int Dim>
bool are_equal(LevelSets<Dim> const& a, LevelSets<Dim> const& b) {
  bool equal = a.cells == b.cells && a.covered == b.covered && a.leaves == b.leaves && a.update == b.update &&
               a.storage == b.storage && a.coarse_ghosts == b.coarse_ghosts && a.curved_ghosts == b.curved_ghosts &&
               a.face_ghosts == b.face_ghosts && a.valid == b.valid && a.read == b.read && a.restricted == b.restricted;
  for (int axis = 0; axis < Dim; ++axis) {
    equal = equal && a.outside[axis] == b.outside[axis] && a.fine_interface[axis] == b.fine_interface[axis] &&
            a.coarse_interface[axis] == b.coarse_interface[axis];
    for (int side = 0; side < 2; ++side)
      equal = equal && a.wall_faces[axis][side] == b.wall_faces[axis][side] &&
              a.sticking_faces[axis][side] == b.sticking_faces[axis][side];
  }
  return equal;
}

/// Each level consists of whole families, whose parents lie in the level below with some cells to spare.
template <int Dim>
void expect_nested(RandomLevels<Dim> const& random, std::vector<PlainLevel<Dim>> const& levels) {
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
}

template <class Dimension>
class LevelSetsOfRandomTags : public testing::Test {
public:
  static constexpr int dimension = Dimension::value;

  static void TearDownTestSuite() { samples.clear(); }
  /// Calls `check(random, domain, sets, plain sets)` for all seeds.
  template <class Check>
  void for_each_seed(Check const& check) {
    for (unsigned seed = 1; seed <= seed_count; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      auto& sample = samples[seed];
      if (sample == nullptr) sample = std::make_unique<LevelSample<dimension>>(seed);
      check(sample->random, sample->domain, sample->sets, sample->levels);
      if (seed > 200) sample.reset();
      if (this->HasFailure()) return;
    }
  }

private:
  /// Those of the first seeds are made once for all tests. All of a night would fill the memory.
  static inline std::map<unsigned, std::unique_ptr<LevelSample<dimension>>> samples;
};
TYPED_TEST_SUITE(LevelSetsOfRandomTags, Dimensions);

}  // namespace

TYPED_TEST(LevelSetsOfRandomTags, AreThoseOfTheRules) {
  this->for_each_seed([](auto const& random, auto const& domain, auto const& sets, auto const&) {
    for (int l = 0; l < domain.level_count(); ++l) {
      ASSERT_TRUE(matches(domain.fluid(l), random.fluid(l)));
      ASSERT_TRUE(matches(domain.touched_by_solid(l), random.touched(l)));
      auto const solid = random.solid_at(l);
      ASSERT_TRUE(matches(domain.solid(l), solid));
      ASSERT_TRUE(matches(domain.around_bodies(l), random.around_bodies(l)));
      ASSERT_TRUE(matches(domain.solid_with_faces(l), both(random.at_level(random.solid_with_faces, l), solid)));
      for (int i = 0; i < domain.body_count(); ++i)
        ASSERT_TRUE(matches(domain.body(l, i), both(random.at_level(random.bodies[i], l), solid)));
    }
    auto const expected = random.cells();
    ASSERT_EQ(sets.size(), expected.size());
    for (std::size_t l = 0; l < expected.size(); ++l) ASSERT_TRUE(matches(sets[l].cells, expected[l])) << "level " << l;
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
  this->for_each_seed(
      [](auto const& random, auto const&, auto const&, auto const& levels) { expect_nested(random, levels); });
}

TYPED_TEST(LevelSetsOfRandomTags, HaveTheBodyLevelAroundBodiesAndRefineTagsElsewhere) {
  this->for_each_seed([](auto const& random, auto const& domain, auto const&, auto const& levels) {
    for (int l = 0; l + 1 < domain.level_count(); ++l) {
      auto const is_refined = [&](auto const& cell) {
        return l < static_cast<int>(levels.size()) && levels[l].covered.count(cell) != 0;
      };
      auto const fluid = random.fluid(l), kept = random.around_bodies(l);
      bool const is_below = l < random.body_level;
      for (auto const& cell : random.around(random.tags[l], random.buffer(l), l))
        if (fluid.count(cell) != 0 && (is_below || kept.count(cell) == 0)) {
          ASSERT_TRUE(is_refined(cell)) << "level " << l << " cell " << cell;
        }
      for (auto const& cell : random.around(random.touched(l), body_width, l))
        if (fluid.count(cell) != 0) {
          ASSERT_EQ(is_refined(cell), is_below) << "level " << l << " cell " << cell;
        }
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, UpdateLeavesAndTheCoveredCellsBesideThem) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const&, auto const& levels) {
    for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
      auto expected = levels[l].leaves;
      for (auto const& leaf : levels[l].leaves)
        for_each_neighbour<Dim>(leaf, [&](Cell<Dim> const& neighbour) {
          auto const inner = random.wrapped(neighbour, l);
          if (levels[l].covered.count(inner) != 0) expected.insert(inner);
        });
      ASSERT_EQ(levels[l].update, expected) << "level " << l;
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, StoreExactlyWhatStencilsOfRadiusTwoNeed) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const& sets, auto const& levels) {
    for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
      auto const& level = levels[l];
      // Whatever is near a cell or its image at most one period away.
      Cells<Dim> near;
      for (auto const& cell : level.update)
        for_each_offset_in_diamond<Dim>(2, [&](Cell<Dim> const& offset) {
          for_each_offset<Dim>(Cell<Dim>::filled(1), [&](Cell<Dim> const& period) {
            Cell<Dim> place = cell + offset;
            for (int axis = 0; axis < Dim; ++axis) {
              if (period[axis] != 0 && !random.is_periodic(axis)) return;
              place[axis] += period[axis] * random.size(axis, l);
              if (place[axis] < -2 || place[axis] >= random.size(axis, l) + 2) return;
            }
            near.insert(place);
          });
        });
      ASSERT_EQ(level.storage, either(level.cells, near)) << "level " << l;

      auto const faces = both(random.at_level(random.solid_with_faces, l), level.solid);
      Cells<Dim> ghosts, curved, face, outside[Dim];
      for (auto const& cell : level.storage) {
        int out_count = 0;
        for (int axis = 0; axis < Dim; ++axis) out_count += cell[axis] < 0 || cell[axis] >= random.size(axis, l);
        if (out_count > 0)
          outside[out_count - 1].insert(cell);
        else if (level.solid.count(cell) != 0)
          (faces.count(cell) != 0 ? face : curved).insert(cell);
        else if (level.cells.count(cell) == 0)
          ghosts.insert(cell);
      }
      ASSERT_EQ(level.coarse_ghosts, ghosts) << "level " << l;
      ASSERT_EQ(level.curved_ghosts, curved) << "level " << l;
      ASSERT_EQ(level.face_ghosts, face) << "level " << l;
      for (int i = 0; i < Dim; ++i) ASSERT_TRUE(matches(sets[l].outside[i], outside[i])) << "level " << l;
      ASSERT_EQ(level.valid, difference(level.storage, either(ghosts, either(curved, face)))) << "level " << l;
    }
  });
}

TYPED_TEST(LevelSetsOfRandomTags, HaveValuesWhereverAStepLooks) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const&, auto const& levels) {
    for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
      auto const& level = levels[l];
      for (auto const& cell : level.update)
        for_each_offset_in_diamond<Dim>(2, [&](Cell<Dim> const& offset) {
          auto const near = random.wrapped(cell + offset, l);
          bool const is_known = level.covered.count(near) == 0 || level.restricted.count(near) != 0;
          ASSERT_TRUE(is_known) << "level " << l << ": " << near << " near " << cell;
        });
      ASSERT_EQ(both(level.restricted, level.covered), level.restricted);
      if (l + 1 == static_cast<int>(levels.size())) break;
      for (auto const& ghost : levels[l + 1].coarse_ghosts) {
        auto const parent = parent_of(ghost);
        ASSERT_TRUE(level.leaves.count(parent) != 0) << "level " << l << " parent " << parent;
        for_each_neighbour<Dim>(parent, [&](Cell<Dim> const& neighbour) {  // for its slopes
          ASSERT_TRUE(level.valid.count(neighbour) != 0) << "level " << l << ": " << neighbour << " beside " << parent;
          auto const inner = random.wrapped(neighbour, l);
          ASSERT_TRUE(!random.is_inside(inner, l) || level.update.count(inner) != 0) << "level " << l << ": " << inner;
        });
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

TYPED_TEST(LevelSetsOfRandomTags, HaveFacesTowardsOtherLevelsAndWalls) {
  constexpr int Dim = TypeParam::value;
  this->for_each_seed([](auto const& random, auto const&, auto const& sets, auto const& levels) {
    for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
      auto const& level = levels[l];
      for (int axis = 0; axis < Dim; ++axis) {
        // Where a cell has its faces: at its own coordinate the lower one, one further the upper one.
        auto const faces = [&](Cells<Dim> const& from, Cells<Dim> const& to, int side) {
          Cells<Dim> result;
          for (auto const& cell : from)
            if (to.count(random.wrapped(cell + Cell<Dim>::along(axis, side == 0 ? -1 : 1), l)) != 0)
              result.insert(cell + Cell<Dim>::along(axis, side));
          return result;
        };
        auto const both_sides = [&](Cells<Dim> const& from, Cells<Dim> const& to) {
          return either(faces(from, to, 0), faces(from, to, 1));
        };
        ASSERT_TRUE(
            matches(sets[l].fine_interface[axis], both_sides(level.cells, difference(level.fluid, level.cells))));
        ASSERT_TRUE(matches(sets[l].coarse_interface[axis], both_sides(level.leaves, level.covered)));
        auto const sticking = both(level.face_ghosts, random.at_level(random.solid_that_sticks, l));
        for (int side = 0; side < 2; ++side) {
          ASSERT_TRUE(matches(sets[l].wall_faces[axis][side], faces(level.update, level.face_ghosts, side)));
          ASSERT_TRUE(matches(sets[l].sticking_faces[axis][side], faces(level.update, sticking, side)));
        }
        ASSERT_TRUE(both_sides(level.covered, level.solid).empty() || l < random.body_level);
        if (l == 0) continue;
        auto const coarse = cells_of(sets[l - 1].coarse_interface[axis]);
        ASSERT_EQ(sets[l].fine_interface[axis].cell_count(), static_cast<Index>(coarse.size()) << (Dim - 1));
      }
    }
  });
}

namespace {

/// Takes out of the cells to refine what does not fit into a level that stays; finer ones that stay fit.
template <int Dim>
bool fit_into(Cells<Dim> const& base_cells, int base, RandomLevels<Dim> const& random,
              std::vector<Cells<Dim>>& refined_cells, std::vector<bool> const& will_do) {
  auto const has_near = [&](Cell<Dim> const& cell, int l, auto const& is_bad) {
    bool has = false;
    for_each_offset<Dim>(Cell<Dim>::filled(nesting_width),
                         [&](auto const& offset) { has = has || is_bad(random.wrapped(cell + offset, l)); });
    return has;
  };
  bool is_changed = false;
  auto const fluid = random.fluid(base);
  Cells<Dim> too_much;
  for (int l = base; l < static_cast<int>(refined_cells.size()) && !will_do[l]; ++l) {
    Cells<Dim> rest;
    for (auto const& cell : refined_cells[l]) {
      bool const is_bad = has_near(cell, l, [&](Cell<Dim> const& near) {
        return l == base ? fluid.count(near) != 0 && base_cells.count(near) == 0 : too_much.count(parent_of(near)) != 0;
      });
      if (is_bad || (l == base && base_cells.count(cell) == 0)) continue;
      rest.insert(cell);
    }
    too_much = difference(refined_cells[l], rest);
    is_changed = is_changed || !too_much.empty();
    refined_cells[l] = rest;
  }
  return is_changed;
}

}  // namespace

/// Tags come and go, and all levels follow, or only those finer than some level. Levels that still fit stay. What is
/// taken over from older levels equals what would be made anew.
TYPED_TEST(LevelSetsOfRandomTags, StayWhereTheyWillDo) {
  constexpr int Dim = TypeParam::value;
  int kept_count = 0, changed_count = 0, fitted_count = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomLevels<Dim> random(seed);
    Domain<Dim> const domain(random.options);
    auto engine = random_engine(seed);
    sparse::amr::RegridMargins margins{random.buffers, random.buffers, 0.01 * random_int(engine, 0, 60)};
    for (Coord& buffer : margins.given) buffer += random_int(engine, 0, 2);
    auto levels = level_sets(domain, nested_cells(domain, random.tag_sets(), margins.given));
    for (int round = 0; round < 3; ++round) {
      for (int l = 0; l + 1 < domain.level_count(); ++l)
        if (random_int(engine, 0, 3) == 0) {
          Cells<Dim> const fluid = random.fluid(l);
          for (auto const& cell : fluid)
            if (int const chance = random_int(engine, 1, 400); chance <= 2)
              random.tags[l].insert(cell);
            else if (chance < 100)
              random.tags[l].erase(cell);
        }
      int const base = random_int(engine, 0, 1) * random_int(engine, 0, static_cast<int>(levels.size()) - 1);
      // Some cells stay if they are there already.
      std::vector<Cells<Dim>> kept(domain.level_count() - 1);
      std::vector<IntervalSet<Dim>> kept_sets;
      for (int l = 0; l + 1 < domain.level_count() && seed % 2 == 0; ++l)
        for (auto const& cell : random.fluid(l))
          if (random_int(engine, 0, 9) == 0) kept[l].insert(cell);
      for (auto const& of_level : kept) kept_sets.push_back(set_of(of_level));
      auto const cells = adapted_cells(domain, random.tag_sets(), margins, levels, base, kept_sets);
      auto const next = level_sets(domain, cells, levels), anew = level_sets(domain, cells);

      std::vector<Cells<Dim>> refined_cells(domain.level_count() - 1);
      std::vector<bool> will_do(domain.level_count() - 1, true);
      for (int l = 0; l < base; ++l) refined_cells[l] = cells_of(levels[l].covered);
      Cells<Dim> refined;
      for (int l = domain.level_count() - 2; l >= base; --l) {
        auto const present = l < static_cast<int>(levels.size()) ? cells_of(levels[l].covered) : Cells<Dim>();
        Coord const spare = margins.given[std::min<std::size_t>(l, margins.given.size() - 1)] - random.buffer(l);
        auto const stay = both(kept[l], present);
        auto const least = random.refined(random.tags[l], random.buffer(l), refined, l, 0, stay);
        auto const given = random.refined(random.tags[l], random.buffer(l), refined, l, spare, stay);
        will_do[l] = difference(least, present).empty() &&
                     static_cast<double>(present.size()) <= (1 + margins.excess) * static_cast<double>(given.size());
        refined = refined_cells[l] = will_do[l] ? present : given;
      }
      if (base > 0) fitted_count += fit_into(cells_of(levels[base].cells), base, random, refined_cells, will_do);
      for (std::size_t l = 0; l < refined_cells.size() && l < levels.size(); ++l)
        will_do[l] = will_do[l] || refined_cells[l] == cells_of(levels[l].covered);  // what fits may be what there is
      for (int l = 0; l + 1 < domain.level_count(); ++l) {
        ASSERT_EQ(l < static_cast<int>(next.size()) ? cells_of(next[l].covered) : Cells<Dim>(), refined_cells[l])
            << "round " << round << ", base level " << base << ", level " << l;
        if (refined_cells[l].empty()) continue;
        bool const is_kept =
            l + 1 < static_cast<int>(levels.size()) && next[l + 1].cells.identity() == levels[l + 1].cells.identity();
        ASSERT_EQ(is_kept, will_do[l]);
        ++(will_do[l] ? kept_count : changed_count);
      }
      expect_nested(random, plain(domain, next));
      // What has been recorded on the faces of its rim stays with the level that stays.
      for (int axis = 0; axis < Dim; ++axis)
        ASSERT_TRUE(next[base].fine_interface[axis] == levels[base].fine_interface[axis]);
      ASSERT_EQ(next.size(), anew.size());
      for (std::size_t l = 0; l < next.size(); ++l) ASSERT_TRUE(are_equal(next[l], anew[l])) << "level " << l;
      levels = next;
    }
  }
  EXPECT_GT(kept_count, 20);
  EXPECT_GT(changed_count, 20);
  if (Dim == 2) {  // in space boxes are so small that the base level is all of them, or nearly: see the next test
    EXPECT_GT(fitted_count, 5);
  }
}

TYPED_TEST(LevelSetsOfRandomTags, AreCutOffWhereTheBaseLevelEnds) {
  constexpr int Dim = TypeParam::value;
  for (bool const is_periodic : {false, true}) {
    DomainOptions<Dim> options;
    options.cells = Cell<Dim>::filled(10);
    options.level_count = 4;
    if (is_periodic) options.sides[0] = {BoundaryKind::periodic, BoundaryKind::periodic};
    Domain<Dim> const domain(options);
    // Level 1 reaches from the lower sides to the middle.
    auto const base = sparse::box<Dim>({}, Cell<Dim>::filled(5));
    auto const levels = level_sets(domain, nested_cells(domain, {base}, {0}));
    ASSERT_EQ(levels.size(), 2u);
    sparse::amr::RegridMargins const margins{{0, 0, 0}, {0, 0, 0}};
    auto const cells =
        adapted_cells(domain, {{}, levels[1].cells, sparse::refine(levels[1].cells)}, margins, levels, 1);
    ASSERT_EQ(cells.size(), 4u);
    auto const box_at = [&](int level, Coord inset) {
      auto begin = Cell<Dim>::filled(0), end = Cell<Dim>::filled((5 << level) - inset);
      if (is_periodic) begin[0] = inset;
      return sparse::refine(sparse::box<Dim>(begin, end));
    };
    EXPECT_EQ(cells[1].identity(), levels[1].cells.identity());
    EXPECT_TRUE(cells[2] == box_at(1, nesting_width));
    EXPECT_TRUE(cells[3] == box_at(2, 3 * nesting_width));
  }
}
