/// Set algebra into memory of a given size, against the same cells in plain sets.

#include <stdexcept>

#include <sparse/sets/pending_set.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::fuse_within;
using sparse::PendingSet;
using sparse::SetCapacity;

namespace {

template <class Dimension>
class PendingSets : public testing::Test {};
TYPED_TEST_SUITE(PendingSets, Dimensions);

auto const either_of = [](bool a, bool b) { return a || b; };
auto const first_only = [](bool a, bool b) { return a && !b; };

template <int Dim>
SetCapacity capacity_for(std::initializer_list<IntervalSet<Dim>> sets) {
  SetCapacity capacity;
  for (auto const& set : sets) {
    capacity.rows += set.row_count();
    capacity.intervals += set.interval_count();
  }
  return {std::max<Index>(capacity.rows, 1), std::max<Index>(capacity.intervals, 1)};
}

}  // namespace

TYPED_TEST(PendingSets, AreThoseOfThePlainOperations) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const a = random_cells<Dim>(seed, 0), b = random_cells<Dim>(seed, 1), c = random_cells<Dim>(seed, 2);
    auto const x = set_of(a), y = set_of(b), z = set_of(c);
    auto const capacity = capacity_for<Dim>({x, y, z});

    auto const joined = fuse_within<Dim>(capacity, either_of, x, y);
    auto const cut = fuse_within<Dim>(capacity, first_only, joined, z);  // of one that nobody waited for
    auto const odd = fuse_within<Dim>(
        capacity, [](bool p, bool q, bool r) { return (p != q) != r; }, x, cut, z);
    ASSERT_TRUE(matches(cut.get(), difference(either(a, b), c)));
    ASSERT_TRUE(cut.get() == cut.get());
    ASSERT_TRUE(matches(joined.get(), either(a, b)));
    ASSERT_TRUE(odd.get() == (x ^ ((x | y) - z) ^ z));
    ASSERT_TRUE(fuse_within<Dim>(capacity, first_only, joined, z).get() == cut.get());  // of one that is there by now
    sparse::validate(odd.get());
  }
}

TYPED_TEST(PendingSets, ExactRoomIsEnoughAndLessIsRefused) {
  constexpr int Dim = TypeParam::value;
  int tried = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const x = random_set<Dim>(seed, 0), y = random_set<Dim>(seed, 1);
    auto const expected = x | y;
    if (expected.row_count() < 2 || expected.interval_count() < 2) continue;
    ++tried;
    SetCapacity const exact{expected.row_count(), expected.interval_count()};
    ASSERT_TRUE(fuse_within<Dim>(exact, either_of, x, y).get() == expected);
    for (SetCapacity const less : {SetCapacity{exact.rows - 1, exact.intervals}, {exact.rows, exact.intervals - 1}}) {
      auto const lost = fuse_within<Dim>(less, either_of, x, y);
      ASSERT_THROW(lost.get(), std::length_error);
      // What is made of it is lost, too, however much room it has.
      auto const after = fuse_within<Dim>(capacity_for<Dim>({x, y}), first_only, y, lost);
      ASSERT_THROW(after.get(), std::length_error);
      ASSERT_THROW(lost.get(), std::length_error);
    }
  }
  EXPECT_GT(2 * tried, static_cast<int>(seed_count));
}

TYPED_TEST(PendingSets, CanBeEmpty) {
  constexpr int Dim = TypeParam::value;
  auto const x = set_of(reference::box<Dim>({}, Cell<Dim>::filled(3)));
  SetCapacity const capacity{9, 9};
  auto const nothing = fuse_within<Dim>(capacity, first_only, x, x);
  ASSERT_TRUE(fuse_within<Dim>(capacity, either_of, nothing, x).get() == x);
  ASSERT_TRUE(nothing.get().is_empty());
  ASSERT_TRUE(fuse_within<Dim>(capacity, either_of, nothing, x).get() == x);
  ASSERT_TRUE(fuse_within<Dim>(capacity, either_of, nothing, IntervalSet<Dim>()).get().is_empty());
  ASSERT_TRUE(fuse_within<Dim>(capacity, either_of, IntervalSet<Dim>(), IntervalSet<Dim>()).get().is_empty());
  ASSERT_TRUE(PendingSet<Dim>(x).get() == x);
}

TYPED_TEST(PendingSets, RefuseWhatMakesNoSense) {
  constexpr int Dim = TypeParam::value;
  auto const x = set_of(reference::box<Dim>({}, Cell<Dim>::filled(3)));
  for (SetCapacity const capacity : {SetCapacity{0, 9}, {9, 0}, {-1, 9}})
    EXPECT_THROW(fuse_within<Dim>(capacity, either_of, x, x), std::invalid_argument);
  auto const neither = [](bool a, bool b) { return !a && !b; };
  EXPECT_THROW(fuse_within<Dim>({9, 9}, neither, x, x), std::invalid_argument);
}
