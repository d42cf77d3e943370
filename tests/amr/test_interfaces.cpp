/// Corrections where levels meet, against loops over leaves and their neighbours.

#include <sparse/amr/hierarchy/level_plans.hpp>
#include <support/amr_levels.hpp>
#include <support/fields.hpp>

using namespace reference;

namespace {

/// Two numbers that are carried at the speeds that they are.
template <int D>
struct Pair : sparse::amr::LawDefaults<Pair<D>, double, D, 2> {
  using State = sparse::Vec<double, 2>;
  KOKKOS_FUNCTION double max_speed(State const& w, int axis) const {
    return w[axis % 2] < 0 ? -w[axis % 2] : w[axis % 2];
  }
};

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
      sparse::amr::Interfaces<Dim> const interfaces(domain, sets[l], sets[l + 1], l);
      auto state = random_field<double>(sets[l].storage, engine, N);
      auto const leaves = cells_of(sets[l].leaves), covered = cells_of(sets[l].covered);
      std::map<Cell<Dim>, double, StorageOrder> expected[N], coarse_flux[Dim][N], fine_flux[Dim][N];
      std::vector<sparse::Field<double, Dim>> registers;
      sparse::Vec<sparse::FieldView<double const>, Dim> coarse, fine;
      for (int axis = 0; axis < Dim; ++axis) {
        registers.push_back(random_field<double>(sets[l].coarse_interface[axis], engine, N));
        coarse[axis] = registers.back().view();
        for (int c = 0; c < N; ++c) coarse_flux[axis][c] = value_map(registers.back(), c);
        registers.push_back(random_field<double>(sets[l + 1].fine_interface[axis], engine, N));
        fine[axis] = registers.back().view();
        for (int c = 0; c < N; ++c) fine_flux[axis][c] = value_map(registers.back(), c);
      }
      for (int c = 0; c < N; ++c) expected[c] = value_map(state, c);

      double greatest = 0;
      Index leaf_count = 0;
      for (auto const& leaf : leaves) {
        bool is_corrected = false;
        for (int axis = 0; axis < Dim; ++axis)
          for (int side = 0; side < 2; ++side) {
            auto const beyond = leaf + Cell<Dim>::along(axis, side == 0 ? -1 : 1);
            auto const parent = random.wrapped(beyond, l);
            if (covered.count(parent) == 0) continue;
            is_corrected = true;
            ++corrected;
            across_sides += beyond == parent ? 0 : 1;
            for (int c = 0; c < N; ++c) {
              double sum = 0;
              for (auto child : reference::box<Dim>(2 * parent, 2 * parent + Cell<Dim>::filled(2)))
                if (child[axis] == 2 * parent[axis] + (side == 0 ? 1 : 0))
                  sum += fine_flux[axis][c].at(child + Cell<Dim>::along(axis, side == 0 ? 1 : 0));
              double const change =
                  sum / (1 << (Dim - 1)) - coarse_flux[axis][c].at(leaf + Cell<Dim>::along(axis, side));
              expected[c].at(leaf) += (side == 0 ? 0.5 : -0.5) * change;
            }
          }
        double rate = 0;
        for (int axis = 0; axis < Dim; ++axis) rate += 0.5 * std::abs(expected[axis % 2].at(leaf));
        if (!is_corrected) continue;
        greatest = std::max(greatest, rate);
        ++leaf_count;
      }
      double const rate = sparse::amr::reflux(state.view(), Pair<Dim>{}, interfaces, coarse, fine,
                                              sparse::Vec<double, Dim>::filled(0.5));
      ASSERT_EQ(rate, greatest) << "seed " << seed << " level " << l;
      ASSERT_EQ(interfaces.leaves.cell_count(), leaf_count);
      for (int c = 0; c < N; ++c) ASSERT_EQ(value_map(state, c), expected[c]) << "seed " << seed << " level " << l;
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
    }
  }
}
