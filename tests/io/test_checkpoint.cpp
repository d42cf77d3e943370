#include <cstring>
#include <functional>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/io/files/file.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/fields.hpp"
#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using namespace sparse;
using amr::read_checkpoint;
using amr::SavedState;
using amr::write_checkpoint;

/// Random cells with random bits, NaNs and denormal numbers among them.
template <class T, int Dim>
SavedState<T, Dim> random_state(unsigned seed) {
  auto engine = reference::random_engine(seed);
  auto const number = [&] { return std::ldexp(0.1 + engine(), reference::random_int(engine, -1060, 900)); };
  SavedState<T, Dim> saved;
  saved.time = number();
  saved.step_count = (Index{1} << 60) + reference::random_int(engine, 0, 1000);
  saved.repeated_step_count = reference::random_int(engine, 0, 1000);
  saved.update_count = (Index{1} << 61) + reference::random_int(engine, 0, 1000);
  saved.rate = static_cast<T>(0.1 * reference::random_int(engine, 0, 1000));
  saved.numbers = {{"next picture", number()}, {"mass", -number()}, {"none", 0.1 + 0.2}};
  saved.lists = {{"one", {number()}}, {"three", {-number(), 0.1 + 0.2, number()}}};
  int const component_count = reference::random_int(engine, 1, 5), level_count = reference::random_int(engine, 1, 4);
  for (int l = 0; l < level_count; ++l) {
    saved.cells.push_back(reference::random_set<Dim>(seed, static_cast<unsigned>(l)));
    saved.states.emplace_back("state", saved.cells[l], component_count);
    for (int c = 0; c < component_count; ++c) {
      std::vector<T> values(static_cast<std::size_t>(saved.cells[l].cell_count()));
      for (T& value : values) {
        std::uint64_t const bits = std::uint64_t{engine()} << 32 | engine();
        std::memcpy(&value, &bits, sizeof value);
      }
      reference::set_values(saved.states[l], values, c);
    }
  }
  return saved;
}

template <class T, int Dim>
SavedState<T, Dim> small_state() {
  auto engine = reference::random_engine(1);
  SavedState<T, Dim> saved;
  saved.cells.push_back(ball<Dim>(Vec<double, Dim>::filled(4), 3));
  saved.states.push_back(reference::random_field<T>(saved.cells[0], engine, 2));
  return saved;
}

template <class TheCase>
class Checkpoints : public testing::Test {
protected:
  std::filesystem::path path() const { return folder / "checkpoint.h5"; }
  /// Expects an error with the path and `reason`.
  template <class U, int D>
  void expect_refused(std::string const& fingerprint, std::string const& reason) const {
    try {
      read_checkpoint<U, D>(path(), fingerprint);
      ADD_FAILURE() << "accepted, expected: " << reason;
    } catch (std::runtime_error const& error) {
      std::string const what = error.what();
      EXPECT_EQ(what.find(path().string() + ": "), 0u) << what;
      EXPECT_NE(what.find(reason), std::string::npos) << what;
    }
  }
  Folder folder;
};
TYPED_TEST_SUITE(Checkpoints, reference::RealCases);

}  // namespace

TYPED_TEST(Checkpoints, GiveBackEveryBit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count / 4; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const saved = random_state<T, Dim>(seed);
    write_checkpoint(this->path(), saved, "law Euler\ncells 8 8\n", static_cast<int>(seed % 10));
    auto const read = read_checkpoint<T, Dim>(this->path(), "law Euler\ncells 8 8\n");
    EXPECT_EQ(read.time, saved.time);
    EXPECT_EQ(read.step_count, saved.step_count);
    EXPECT_EQ(read.repeated_step_count, saved.repeated_step_count);
    EXPECT_EQ(read.update_count, saved.update_count);
    EXPECT_EQ(read.rate, saved.rate);
    EXPECT_EQ(read.numbers, saved.numbers);
    EXPECT_EQ(read.lists, saved.lists);
    ASSERT_EQ(read.cells.size(), saved.cells.size());
    for (std::size_t l = 0; l < read.cells.size(); ++l) {
      EXPECT_TRUE(read.cells[l] == saved.cells[l]);
      EXPECT_EQ(read.states[l].domain().identity(), read.cells[l].identity());
      ASSERT_EQ(read.states[l].component_count(), saved.states[l].component_count());
      for (int c = 0; c < read.states[l].component_count(); ++c) {
        auto const a = to_host(read.states[l], c), b = to_host(saved.states[l], c);
        ASSERT_EQ(a.size(), b.size());
        EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) << "level " << l;
      }
    }
  }
}

TYPED_TEST(Checkpoints, OfAnotherKindAreRefused) {
  using T = typename TypeParam::T;
  using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
  constexpr int Dim = TypeParam::value;
  write_checkpoint(this->path(), small_state<T, Dim>(), "law Euler\ngamma 1.4\ncells 8 8\n");
  this->template expect_refused<T, 5 - Dim>("law Euler\ngamma 1.4\ncells 8 8\n", "dimensions, not");
  this->template expect_refused<Other, Dim>("law Euler\ngamma 1.4\ncells 8 8\n", "values, not");
  this->template expect_refused<T, Dim>("law Euler\ngamma 1.67\ncells 8 8\n",
                                        "another set-up:\n  in the file: gamma 1.4\n  wanted: gamma 1.67");
  this->template expect_refused<T, Dim>("law Euler\ngamma 1.4\n", "set-up:\n  in the file: cells 8 8");
  this->template expect_refused<T, Dim>("law Euler\ngamma 1.4\ncells 8 8\nflux HLL\n", "set-up:\n  wanted: flux HLL");
  this->template expect_refused<T, Dim>("gamma 1.4\nlaw Euler\ncells 8 8\n", "another order");
  this->template expect_refused<T, Dim>("", "in the file: law Euler");
  io::write_hdf5(this->path(), small_state<T, Dim>().cells[0]);
  this->template expect_refused<T, Dim>("", "it is no checkpoint: there is no fingerprint in it");
}

TYPED_TEST(Checkpoints, CutShortOrWithAWrongByteAreRefused) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  write_checkpoint(this->path(), small_state<T, Dim>(), "");
  EXPECT_EQ((read_checkpoint<T, Dim>(this->path(), "").cells.size()), 1u);
  auto const whole = contents(this->path());
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    io::write_text(this->path(), whole.substr(0, length));
    this->template expect_refused<T, Dim>("", length == 0 ? "empty" : "truncated");
  }
  for (std::size_t i = 512; i < whole.size(); i += 31) {
    auto broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ (1 << i % 8));
    io::write_text(this->path(), broken);
    this->template expect_refused<T, Dim>("", "damaged: the checksum is wrong");
  }
}

TYPED_TEST(Checkpoints, ThatCannotBeWrittenLeaveTheOldOne) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  write_checkpoint(this->path(), small_state<T, Dim>(), "");
  auto const whole = contents(this->path());
  auto const good = small_state<T, Dim>();
  SavedState<T, Dim> odd = small_state<T, Dim>();
  odd.cells.push_back(odd.cells[0]);
  EXPECT_THROW(write_checkpoint(this->path(), odd, ""), std::invalid_argument);
  odd.states.emplace_back("state", odd.cells[0], 3);
  EXPECT_THROW(write_checkpoint(this->path(), odd, ""), std::invalid_argument);
  odd.states.back() = Field<T, Dim>("state", refine(odd.cells[0]), 2);
  EXPECT_THROW(write_checkpoint(this->path(), odd, ""), std::invalid_argument);
  EXPECT_THROW(write_checkpoint(this->folder / "no folder" / "a.h5", good, ""), std::runtime_error);
  EXPECT_EQ(contents(this->path()), whole);
  EXPECT_EQ(this->folder.names(), std::vector<std::string>{"checkpoint.h5"});
}
