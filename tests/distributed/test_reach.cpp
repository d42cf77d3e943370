/// A rank that knows the sets of levels near its own cells alone finds the same part of the levels.

#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/amr/hierarchy/reach.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/wide_levels.hpp>

using namespace reference;
using sparse::amr::OwnSets;
using sparse::amr::PartOfLevels;
using sparse::amr::Reach;
using sparse::distributed::Curve;
using sparse::distributed::Partition;

namespace {

template <int Dim>
void expect_same(LevelSets<Dim> const& found, LevelSets<Dim> const& expected) {
  using Sets = LevelSets<Dim>;
  IntervalSet<Dim> Sets::*const members[] = {
      &Sets::cells,         &Sets::covered,     &Sets::leaves, &Sets::update, &Sets::storage,   &Sets::coarse_ghosts,
      &Sets::curved_ghosts, &Sets::face_ghosts, &Sets::valid,  &Sets::read,   &Sets::restricted};
  for (auto const member : members) ASSERT_EQ(found.*member, expected.*member) << (found.*member ^ expected.*member);
  for (int axis = 0; axis < Dim; ++axis) {
    ASSERT_EQ(found.outside[axis], expected.outside[axis]);
    ASSERT_EQ(found.fine_interface[axis], expected.fine_interface[axis]);
    ASSERT_EQ(found.coarse_interface[axis], expected.coarse_interface[axis]);
    for (int side = 0; side < 2; ++side) {
      ASSERT_EQ(found.wall_faces[axis][side], expected.wall_faces[axis][side]);
      ASSERT_EQ(found.sticking_faces[axis][side], expected.sticking_faces[axis][side]);
    }
  }
}

template <int Dim>
void expect_same(PartOfLevels<Dim> const& found, PartOfLevels<Dim> const& expected, bool has_rims) {
  for (std::size_t l = expected.sets.size(); l-- > 0;) {
    SCOPED_TRACE("level " + std::to_string(l) + (has_rims ? ", with rims" : ""));
    ASSERT_NO_FATAL_FAILURE(expect_same(found.sets[l], expected.sets[l]));
    ASSERT_EQ(found.received[l], expected.received[l]);
    ASSERT_EQ(found.beside[l], expected.beside[l]);
    if (has_rims) {
      ASSERT_EQ(found.read_by_finer[l] & found.sets[l].storage, found.read_by_finer[l]);
    } else {
      ASSERT_EQ(found.read_by_finer[l], expected.read_by_finer[l]);
    }
    for (int axis = 0; axis < Dim; ++axis) ASSERT_EQ(found.fine_faces[l][axis], expected.fine_faces[l][axis]);
  }
}

template <class Dimension>
class Reaches : public testing::Test {};
TYPED_TEST_SUITE(Reaches, Dimensions);

}  // namespace

TYPED_TEST(Reaches, HaveThePartOfARankFromSetsNearIt) {
  constexpr int Dim = TypeParam::value;
  Index whole = 0, near = 0, deep = 0;
  for (unsigned seed = 1; seed <= seed_count / (Dim == 2 ? 4 : 16); ++seed) {
    WideLevels<Dim> const wide(seed);
    Domain<Dim> const domain(wide.options);
    auto const cells = nested_cells(domain, wide.tags, {1, 2});
    auto const sets = level_sets(domain, cells);
    std::vector<IntervalSet<Dim>> work;
    for (auto const& level : sets) work.push_back(level.update);
    work.resize(static_cast<std::size_t>(domain.level_count()));
    auto engine = random_engine(seed);
    int const ranks = random_int(engine, 1, 40);
    Partition<Dim> const partition(ranks, domain.box(0), work,
                                   {seed % 5 == 0 ? Curve::scattered : Curve::hilbert, 0.05, 20});
    for (int rank = seed % 3; rank < ranks; rank += 3) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", rank " + std::to_string(rank));
      // As `cut_anew`, but for the messages.
      Reach<Dim> const reach(domain, partition, rank, 0);
      auto around = sets;
      for (std::size_t l = 0; l < cells.size(); ++l) {
        around[l].cells = reach.around(static_cast<int>(l), sets[l].cells);
        around[l].covered = reach.around(static_cast<int>(l), sets[l].covered);
      }
      auto const known = completed(domain, around);
      std::vector<OwnSets<Dim>> own, of_near;
      std::vector<IntervalSet<Dim>> refined;
      for (std::size_t l = 0; l < cells.size(); ++l) {
        int const level = static_cast<int>(l);
        own.emplace_back(sets[l], [&](auto const& set) { return partition.part(level, set, rank); });
        of_near.emplace_back(known[l], [&](auto const& set) { return reach.own(level, set); });
        ASSERT_EQ(of_near[l].cells, own[l].cells);
        // What a rank may come to read, as `make_part` holds it.
        refined.push_back(reach.part(level, sets[l].coarse_ghosts));
        ASSERT_EQ(reach.part(level, known[l].coarse_ghosts), refined[l]);
        whole += sets[l].cells.cell_count();
        near += known[l].cells.cell_count();
      }
      auto const expected = part_of_levels(domain, sets, own, refined);
      for (bool const has_rims : {false, true}) {
        auto const found = has_rims ? part_of_levels(domain, known, of_near, refined, {}, 0, reach.rims())
                                    : part_of_levels(domain, known, of_near, refined);
        for (auto const& rim : reach.rims()) deep += rim.deep.cell_count();
        ASSERT_NO_FATAL_FAILURE(expect_same(found, expected, has_rims));
      }
    }
  }
  EXPECT_GT(deep, 0);
  EXPECT_LT(near, whole * (Dim == 2 ? 8 : 19) / (Dim == 2 ? 10 : 20));  // scattered units are near everywhere
}
