#include <cstring>
#include <functional>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/io/files/file.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/sets/algebra.hpp>
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

template <class T, int Dim>
void expect_same(Field<T, Dim> const& found, Field<T, Dim> const& wanted) {
  EXPECT_TRUE(found.domain() == wanted.domain());
  ASSERT_EQ(found.component_count(), wanted.component_count());
  for (int c = 0; c < found.component_count(); ++c) {
    auto const a = to_host(found, c), b = to_host(wanted, c);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0) << "component " << c;
  }
}

template <class T, int Dim>
void expect_same(SavedState<T, Dim> const& found, SavedState<T, Dim> const& wanted) {
  EXPECT_EQ(found.time, wanted.time);
  EXPECT_EQ(found.step_count, wanted.step_count);
  EXPECT_EQ(found.repeated_step_count, wanted.repeated_step_count);
  EXPECT_EQ(found.update_count, wanted.update_count);
  EXPECT_EQ(found.rate, wanted.rate);
  EXPECT_EQ(found.numbers, wanted.numbers);
  EXPECT_EQ(found.lists, wanted.lists);
  ASSERT_EQ(found.cells.size(), wanted.cells.size());
  ASSERT_EQ(found.states.size(), wanted.states.size());
  for (std::size_t l = 0; l < found.cells.size(); ++l) {
    EXPECT_TRUE(found.cells[l] == wanted.cells[l]);
    expect_same(found.states[l], wanted.states[l]);
  }
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
    expect_same(read, saved);
    for (std::size_t l = 0; l < read.cells.size(); ++l)
      EXPECT_EQ(read.states[l].domain().identity(), read.cells[l].identity());
    // As one piece, beside the other files or in place of them.
    auto const team = distributed::alone();
    write_checkpoint(this->path(), saved, "", 1, team.get());
    expect_same(read_checkpoint<T, Dim>(this->path(), ""), saved);
    // Some of the cells.
    auto const opened = amr::open_checkpoint<T, Dim>(this->path(), "");
    auto wanted = saved.cells;
    for (auto& cells : wanted) cells &= reference::random_set<Dim>(seed, 7);
    auto const some = opened.read(wanted);
    for (std::size_t l = 0; l < wanted.size(); ++l) expect_same(some[l], remap(saved.states[l], wanted[l]));
  }
}

TYPED_TEST(Checkpoints, InPiecesKeepThoseThatTheyName) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  using Names = std::vector<std::string>;
  auto const team = distributed::alone();
  auto saved = small_state<T, Dim>();
  auto const write = [&](distributed::Team* ranks) { write_checkpoint(this->path(), saved, "", 1, ranks); };
  write(team.get());
  EXPECT_EQ(this->folder.names(), (Names{"checkpoint.h5", "checkpoint_a_0.h5"}));
  write(team.get());
  EXPECT_EQ(this->folder.names(), (Names{"checkpoint.h5", "checkpoint_b_0.h5"}));
  write(nullptr);
  EXPECT_EQ(this->folder.names(), Names{"checkpoint.h5"});
  write(team.get());
  // A checkpoint that is not finished leaves the one before.
  std::filesystem::create_directory(this->folder / "checkpoint_b_0.h5");
  auto const before = contents(this->path());
  EXPECT_THROW(write(team.get()), std::runtime_error);
  EXPECT_EQ(contents(this->path()), before);
  expect_same(read_checkpoint<T, Dim>(this->path(), ""), saved);
  std::filesystem::remove(this->folder / "checkpoint_b_0.h5");
  // Pieces of another checkpoint, none, and one that is cut short.
  auto const expect_no_piece = [&](std::string const& reason) {
    try {
      read_checkpoint<T, Dim>(this->path(), "");
      ADD_FAILURE() << "accepted, expected: " << reason;
    } catch (std::runtime_error const& error) {
      EXPECT_NE(std::string(error.what()).find("checkpoint_a_0.h5: " + reason), std::string::npos) << error.what();
    }
  };
  auto const piece = this->folder / "checkpoint_a_0.h5";
  auto const whole = contents(piece);
  saved.step_count += 1;
  write_checkpoint(this->folder / "other.h5", saved, "", 1, team.get());
  std::filesystem::rename(this->folder / "other_a_0.h5", piece);
  expect_no_piece("it is no piece of this checkpoint");
  io::write_text(piece, whole.substr(0, whole.size() / 2));
  expect_no_piece("truncated");
  std::filesystem::remove(piece);
  expect_no_piece("");
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
