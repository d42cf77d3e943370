/// Ranks that know levels near their own cells alone change them as one process does.

#include <sparse/amr/hierarchy/share.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/wide_levels.hpp>

#include "team_of_test.hpp"

using namespace reference;
using sparse::Index;
using sparse::amr::OwnersAgree;
using sparse::amr::RegridMargins;
using sparse::amr::Share;
using sparse::distributed::Curve;

namespace {

template <class Dimension>
class LevelsOverRanks : public testing::Test {};
TYPED_TEST_SUITE(LevelsOverRanks, Dimensions);

/// Whether a rank knows these levels, as far as it should.
template <int Dim>
testing::AssertionResult knows(Share<Dim> const& share, std::vector<LevelSets<Dim>> const& sets) {
  auto const different = [](auto const& what, std::size_t l) {
    return testing::AssertionFailure() << what << " of level " << l;
  };
  if (share.near.size() != sets.size()) return different("number", sets.size());
  for (std::size_t l = 0; l < sets.size(); ++l) {
    int const level = static_cast<int>(l);
    if (share.near[l].cells != share.reach.around(level, sets[l].cells)) return different("cells", l);
    if (share.near[l].covered != share.reach.around(level, sets[l].covered)) return different("covered cells", l);
    if (share.reach.own(level, share.near[l].update) !=
        share.partition.part(level, sets[l].update, team_of_test().rank()))
      return different("updated cells", l);
    if (share.leaf_counts[l] != sets[l].leaves.cell_count()) return different("number of leaves", l);
  }
  return testing::AssertionSuccess();
}

}  // namespace

TYPED_TEST(LevelsOverRanks, ChangeAsThoseOfOneProcess) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  Index whole = 0, near = 0;
  int kept = 0, changed = 0;
  for (unsigned seed = 1; seed <= seed_count / (Dim == 2 ? 12 : 50); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    WideLevels<Dim> const wide(seed);
    Domain<Dim> const domain(wide.options);
    auto engine = random_engine(seed);
    auto const draw = [&](int low, int high) { return random_int(engine, low, high); };
    RegridMargins margins{{draw(0, 2), draw(0, 3)}, {}, 0.01 * draw(0, 60)};
    for (Coord const least : margins.least) margins.given.push_back(least + draw(0, 2));
    auto tags = wide.tags;
    auto cells = nested_cells(domain, tags, margins.given);
    auto sets = level_sets(domain, cells);
    Share<Dim> share = cut_anew(domain, cells, team, {seed % 5 == 0 ? Curve::scattered : Curve::hilbert, 0.02, 20},
                                *std::max_element(margins.given.begin(), margins.given.end()), 0);
    ASSERT_TRUE(knows(share, sets));
    for (int round = 0; round < 4; ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      for (auto& level : tags)
        if (draw(0, 2) > 0) {
          Coord const by = draw(-2, 2);
          level = sparse::amr::inside(shift(level, draw(0, Dim - 1), by),
                                      domain.box(static_cast<int>(&level - tags.data())));
        }
      int const base = draw(0, 1) * draw(0, static_cast<int>(sets.size()) - 1);
      auto const expected = adapted_cells(domain, tags, margins, sets, base);
      OwnersAgree<Dim> const owners(share, team);
      std::vector<IntervalSet<Dim>> known;
      for (std::size_t l = 0; l < tags.size(); ++l) {
        int const level = static_cast<int>(l);
        known.push_back(owners.known(level, share.reach.own(level, tags[l])));
        whole += tags[l].cell_count();
        near += known[l].cell_count();
      }
      auto const found = adapted_levels<Dim>(domain, known, margins, share.near, base, &owners);
      ASSERT_EQ(found.cells.size(), expected.size());
      for (std::size_t l = 0; l < expected.size(); ++l) {
        bool const stays = l < sets.size() && expected[l].identity() == sets[l].cells.identity();
        ASSERT_EQ(found.stays[l], stays) << "level " << l;
        ++(stays ? kept : changed);
      }
      auto next = level_sets(domain, expected, sets);
      Share<Dim> const after = with_cells(domain, share, found, team, 1);
      ASSERT_TRUE(knows(after, next));
      for (std::size_t l = 0; l < next.size() && l < sets.size(); ++l) {
        int const level = static_cast<int>(l);
        ASSERT_EQ(has_same_cells(share, after, level), has_same_cells(sets[l], next[l])) << "level " << l;
        ASSERT_EQ(restricts_as_before(share, after, level),
                  has_same_cells(sets[l], next[l]) && next[l].restricted.identity() == sets[l].restricted.identity())
            << "level " << l;
      }
      share = after;
      sets = std::move(next);
    }
  }
  if (Dim == 2 && team.size() == 7) {
    EXPECT_LT(near, whole * 19 / 20);  // a rank does not know everything
  }
  EXPECT_GT(kept, 10);
  EXPECT_GT(changed, 10);
}
