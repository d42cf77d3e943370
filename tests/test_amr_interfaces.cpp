/// Corrections where levels meet, against loops over leaves and their neighbours.

#include <sparse/amr/level.hpp>
#include <support/amr_levels.hpp>
#include <support/fields.hpp>

using namespace reference;

namespace {

template <class Dimension>
class InterfacesOfRandomLevels : public testing::Test {};
TYPED_TEST_SUITE(InterfacesOfRandomLevels, Dimensions);

}  // namespace

TYPED_TEST(InterfacesOfRandomLevels, GiveLeavesTheFluxesOfTheFinerSide) {
  constexpr int Dim = TypeParam::value, N = 2;
  Index corrected = 0, across_sides = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomLevels<Dim> const random(seed);
    Domain<Dim> const domain(random.options);
    auto const sets = level_sets(domain, nested_cells(domain, random.tag_sets(), random.buffers));
    auto engine = random_engine(seed);
    for (int l = 0; l + 1 < static_cast<int>(sets.size()); ++l) {
      auto const interfaces = sparse::amr::interfaces(domain, sets[l], sets[l + 1], l);
      auto state = random_field<double>(sets[l].storage, engine, N);
      auto const leaves = cells_of(sets[l].leaves), covered = cells_of(sets[l].covered);
      for (int axis = 0; axis < Dim; ++axis) {
        auto const coarse = random_field<double>(sets[l].coarse_interface[axis], engine, N);
        auto const fine = random_field<double>(sets[l + 1].fine_interface[axis], engine, N);
        std::map<Cell<Dim>, double, StorageOrder> expected[N], coarse_flux[N], fine_flux[N];
        for (int c = 0; c < N; ++c) {
          expected[c] = value_map(state, c);
          coarse_flux[c] = value_map(coarse, c);
          fine_flux[c] = value_map(fine, c);
        }
        for (auto const& leaf : leaves)
          for (int side = 0; side < 2; ++side) {
            auto const beyond = leaf + Cell<Dim>::along(axis, side == 0 ? -1 : 1);
            auto const parent = random.wrapped(beyond, l);
            if (covered.count(parent) == 0) continue;
            ++corrected;
            across_sides += beyond == parent ? 0 : 1;
            for (int c = 0; c < N; ++c) {
              double sum = 0;
              for (auto child : reference::box<Dim>(2 * parent, 2 * parent + Cell<Dim>::filled(2)))
                if (child[axis] == 2 * parent[axis] + (side == 0 ? 1 : 0))
                  sum += fine_flux[c].at(child + Cell<Dim>::along(axis, side == 0 ? 1 : 0));
              double const change = sum / (1 << (Dim - 1)) - coarse_flux[c].at(leaf + Cell<Dim>::along(axis, side));
              expected[c].at(leaf) += (side == 0 ? 0.5 : -0.5) * change;
            }
          }
        for (int side = 0; side < 2; ++side)
          for (auto const& faces : interfaces[axis][side])
            sparse::amr::reflux<double, Dim, N>(faces, side, coarse.view(), fine.view(), state.view(), 0.5);
        for (int c = 0; c < N; ++c) ASSERT_EQ(value_map(state, c), expected[c]) << "seed " << seed << " level " << l;
      }
    }
  }
  EXPECT_GT(corrected, 0);
  EXPECT_GT(across_sides, 0);
}

TYPED_TEST(InterfacesOfRandomLevels, AreAmongThePlansOfALevel) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomLevels<Dim> const random(seed);
    Domain<Dim> const domain(random.options);
    auto const sets = level_sets(domain, nested_cells(domain, random.tag_sets(), random.buffers));
    for (int l = 0; l < static_cast<int>(sets.size()); ++l) {
      auto const plans = sparse::amr::level_plans(domain, sets, l);
      ASSERT_EQ(plans.update.cell_count(), sets[l].update.cell_count());
      ASSERT_EQ(plans.leaves.cell_count(), sets[l].leaves.cell_count());
      ASSERT_EQ(plans.restrict_needed.cell_count(), sets[l].restricted.cell_count());
      ASSERT_EQ(plans.restrict_all.cell_count(), sets[l].covered.cell_count());
      for (int axis = 0; axis < Dim; ++axis) {
        Index faces = 0;
        for (int side = 0; side < 2; ++side)
          for (auto const& interface : plans.interfaces[axis][side]) faces += interface.cell_count();
        ASSERT_EQ(faces, sets[l].coarse_interface[axis].cell_count()) << "seed " << seed;
      }
    }
  }
}
