/// The arena, and that loops allocate nothing once they are warm.

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <sparse/base/arena.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>
#include <support/tools.hpp>
#include <support/tour.hpp>

using sparse::Arena;

namespace {

template <class Dimension>
class Allocations : public testing::Test {};
TYPED_TEST_SUITE(Allocations, reference::Dimensions);

std::uintptr_t address(void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

TYPED_TEST(Allocations, StopOnceALoopIsWarm) {
  constexpr int Dim = TypeParam::value;
  sparse::Context const context;
  for (int step = 0; step < 35; ++step) tour_the_core<Dim>(step);
  auto const in_use = context.arena()->bytes_in_use();
  KokkosWatch const watch;
  for (int step = 0; step < 70; ++step) tour_the_core<Dim>(step);
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_EQ(context.arena()->bytes_in_use(), in_use) << "something is kept";
}

TEST(KokkosWatch, CountsAllocations) {
  KokkosWatch const watch;
  { Kokkos::View<double*, sparse::MemorySpace> const view(Kokkos::view_alloc(Kokkos::WithoutInitializing, "v"), 7); }
  EXPECT_EQ(watch.allocation_count(), 1);
  EXPECT_NE(watch.allocation_labels().find("v ("), std::string::npos);
}

TYPED_TEST(Allocations, ReturnToTheArenaWithTheLastCopy) {
  constexpr int Dim = TypeParam::value;
  auto const arena = std::make_shared<Arena>(1 << 20);
  sparse::Context const context(sparse::ExecutionSpace(), arena);
  {
    auto const a = sparse::box<Dim>({}, sparse::Vec<sparse::Coord, Dim>::filled(5), context);
    auto const b = sparse::ball<Dim>({}, 3, context);
    auto const c = a | b;  // takes the context of its operands
    auto const copy = c;
    EXPECT_EQ(c.context().arena(), arena);
    EXPECT_GE(arena->bytes_in_use(), static_cast<std::size_t>(a.byte_count() + b.byte_count() + c.byte_count()));
    EXPECT_GE(arena->peak_bytes(), arena->bytes_in_use());
  }
  EXPECT_EQ(arena->bytes_in_use(), 0u);
}

TEST(ArenaPieces, AreAlignedAndApart) {
  Arena arena(1 << 16);
  auto engine = reference::random_engine(1);
  std::vector<std::pair<std::uintptr_t, std::size_t>> pieces;
  for (int i = 0; i < 300; ++i) {
    auto const bytes = static_cast<std::size_t>(reference::random_int(engine, 1, 5000));
    pieces.emplace_back(address(arena.allocate(bytes)), bytes);
  }
  std::sort(pieces.begin(), pieces.end());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].first % Arena::alignment, 0u);
    if (i > 0) {
      EXPECT_LE(pieces[i - 1].first + pieces[i - 1].second, pieces[i].first);
    }
  }
  for (auto const& [place, bytes] : pieces) arena.release(reinterpret_cast<void*>(place), bytes);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}

TEST(ArenaPieces, OfNoBytesAreNull) {
  Arena arena;
  EXPECT_EQ(arena.allocate(0), nullptr);
  arena.release(nullptr, 0);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  EXPECT_EQ(arena.peak_bytes(), 0u);
}

TEST(ArenaPieces, AreUsedAgain) {
  Arena arena(1 << 16);
  void* const first = arena.allocate(1000);
  void* const second = arena.allocate(1000);
  arena.release(first, 1000);
  EXPECT_EQ(arena.allocate(1000), first);
  arena.release(first, 1000);
  arena.release(second, 1000);
}

TEST(ArenaPieces, TakeTheSmallestGapThatFits) {
  Arena arena(1 << 22);
  void* const wide = arena.allocate(400 << 10);
  void* const wall = arena.allocate(1);
  void* const narrow = arena.allocate(100 << 10);
  void* const end = arena.allocate(1);
  arena.release(wide, 400 << 10);
  arena.release(narrow, 100 << 10);
  EXPECT_EQ(arena.allocate(100 << 10), narrow);
  EXPECT_EQ(arena.allocate(150 << 10), wide);
  arena.release(narrow, 100 << 10);
  arena.release(wide, 150 << 10);
  arena.release(wall, 1);
  arena.release(end, 1);
}

// Small ones go to the next that wants just as much, whatever gaps there are, and are missed by none when memory is
// short.
TEST(ArenaPieces, OfASizeAreKeptForTheNextOfIt) {
  Arena arena(1 << 16);
  void* const wide = arena.allocate(3000);
  void* const first = arena.allocate(2000);
  void* const second = arena.allocate(2000);
  arena.release(wide, 3000);
  arena.release(second, 2000);
  arena.release(first, 2000);
  EXPECT_EQ(arena.allocate(2000), first);
  EXPECT_EQ(arena.allocate(1990), second);
  EXPECT_EQ(arena.allocate(3000), wide);
  arena.release(first, 2000);
  arena.release(second, 1990);
  arena.release(wide, 3000);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  KokkosWatch const watch;
  void* const all = arena.allocate((1 << 16) - 1000);
  EXPECT_EQ(all, wide);
  EXPECT_EQ(watch.allocation_count(), 0);
  arena.release(all, (1 << 16) - 1000);
}

TEST(ArenaPieces, JoinTheirFreeNeighboursInAnyOrder) {
  for (unsigned seed = 1; seed <= reference::seed_count; ++seed) {
    Arena arena(1 << 16);
    auto engine = reference::random_engine(seed);
    std::vector<std::pair<void*, std::size_t>> pieces;
    for (int i = 0; i < 20; ++i) {
      auto const bytes = static_cast<std::size_t>(reference::random_int(engine, 1, 2000));
      pieces.emplace_back(arena.allocate(bytes), bytes);
    }
    std::shuffle(pieces.begin(), pieces.end(), engine);
    for (auto const& [piece, bytes] : pieces) arena.release(piece, bytes);
    ASSERT_EQ(arena.bytes_in_use(), 0u) << "seed " << seed;
    // One gap again: nearly all of the slab fits, without another one.
    KokkosWatch const watch;
    arena.release(arena.allocate((1 << 16) - 1000), (1 << 16) - 1000);
    ASSERT_EQ(watch.allocation_count(), 0) << "seed " << seed;
  }
}

TEST(ArenaCounts, FollowUseAndPeak) {
  Arena arena(1 << 16);
  void* const a = arena.allocate(1000);
  auto const one = arena.bytes_in_use();
  EXPECT_GE(one, 1000u);
  void* const b = arena.allocate(1000);
  EXPECT_EQ(arena.bytes_in_use(), 2 * one);
  arena.release(a, 1000);
  EXPECT_EQ(arena.bytes_in_use(), one);
  EXPECT_EQ(arena.peak_bytes(), 2 * one);
  arena.release(b, 1000);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  EXPECT_EQ(arena.peak_bytes(), 2 * one);
}

TEST(ArenaSlabs, AreFewAndGrow) {
  KokkosWatch const watch;
  Arena arena(1 << 12);
  std::vector<void*> pieces;
  for (int i = 0; i < 4096; ++i) pieces.push_back(arena.allocate(256));  // 1 MiB in all, 2 MiB with guards
  EXPECT_LE(watch.allocation_count(), 12);
  for (void* const piece : pieces) arena.release(piece, 256);
}

TEST(ArenaSlabs, HoldPiecesLargerThanPlanned) {
  Arena arena(1 << 12);
  for (std::size_t const bytes : {(1 << 12) - 1, 1 << 12, (1 << 12) + 1, 1 << 20, 3 << 20})
    arena.release(arena.allocate(bytes), bytes);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}

// Two fields in turns, each a little longer than the last, and sets that are made between and stay. Were these in the
// gaps of fields, no gap would fit the next one.
TEST(ArenaSlabs, OfLargePiecesStayClearOfSmallOnes) {
  constexpr std::size_t first = 1 << 20, large = Arena::large_bytes;
  Arena arena(first);
  std::vector<std::pair<void*, std::size_t>> small;
  std::pair<void*, std::size_t> old{arena.allocate(large), large};
  KokkosWatch const watch;
  std::uintptr_t lowest = address(old.first), highest = lowest + large;
  for (std::size_t i = 1; i <= 40; ++i) {
    std::size_t const bytes = large + 4096 * i;
    auto* const piece = arena.allocate(bytes);
    lowest = std::min(lowest, address(piece)), highest = std::max(highest, address(piece) + bytes);
    arena.release(old.first, old.second);
    old = {piece, bytes};
    for (std::size_t const size : {3000, 8000}) small.emplace_back(arena.allocate(size), size);
  }
  EXPECT_LE(highest - lowest, 4 * large);
  EXPECT_LE(watch.allocation_count(), 1);  // of small pieces
  arena.release(old.first, old.second);
  for (auto const& [piece, bytes] : small) arena.release(piece, bytes);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)  // the sanitizer's malloc ends the program
TEST(ArenaSlabs, OfTheOtherKindHelpWhenMemoryIsShort) {
  if (!sparse::is_host_backend) GTEST_SKIP() << "limits the host's memory";
  constexpr std::size_t first = std::size_t{64} << 20;  // more than malloc takes from what the program gave back
  Arena arena(first);
  void* const large = arena.allocate(first);
  std::vector<void*> small;
  while (small.size() * (400 << 10) < first - (400 << 10)) small.push_back(arena.allocate(400 << 10));
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit const no_more{1 << 20, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &no_more), 0);
  void *another = nullptr, *growing = nullptr;
  EXPECT_NO_THROW(another = arena.allocate(400 << 10));
  EXPECT_NO_THROW(growing = arena.allocate_growable(1 << 20));
  EXPECT_ANY_THROW(arena.allocate(4 * first));
  setrlimit(RLIMIT_AS, &before);
  arena.release(another, 400 << 10);
  arena.release(growing, 1 << 20);
  for (void* const piece : small) arena.release(piece, 400 << 10);
  arena.release(large, first);
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}
#endif

TEST(ArenaSlabs, ThatCannotBeHadThrowAndLeaveTheRestUsable) {
  Arena arena(1 << 12);
  std::vector<std::size_t> sizes{SIZE_MAX - 1000, SIZE_MAX, SIZE_MAX / 2 + 1};
#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer's malloc ends the program
  sizes.push_back(std::size_t{1} << 60);
#endif
  for (auto const bytes : sizes) EXPECT_ANY_THROW(arena.allocate(bytes)) << bytes;
  EXPECT_EQ(arena.bytes_in_use(), 0u);
  void* const piece = arena.allocate(100);
  EXPECT_NE(piece, nullptr);
  arena.release(piece, 100);
}

TEST(Arenas, ServeSeveralThreads) {
  Arena arena(1 << 12);
  std::vector<std::thread> threads;
  std::vector<int> mistakes(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto engine = reference::random_engine(static_cast<unsigned>(t));
      std::vector<std::pair<void*, std::size_t>> mine;
      for (int i = 0; i < 3000; ++i) {
        if (mine.size() < 20 || reference::random_int(engine, 0, 1) == 0) {
          auto const bytes = static_cast<std::size_t>(reference::random_int(engine, 4, 3000));
          mine.emplace_back(arena.allocate(bytes), bytes);
          if (sparse::is_host_backend) *static_cast<int*>(mine.back().first) = t;
        } else {
          auto const [piece, bytes] = mine.back();
          if (sparse::is_host_backend && *static_cast<int*>(piece) != t) ++mistakes[static_cast<std::size_t>(t)];
          arena.release(piece, bytes);
          mine.pop_back();
        }
      }
      for (auto const& [piece, bytes] : mine) arena.release(piece, bytes);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(mistakes, std::vector<int>(4));
  EXPECT_EQ(arena.bytes_in_use(), 0u);
}
