/// Interval sets as values: how they come from the host and go back, what they answer, what they refuse.

#include <climits>
#include <sstream>
#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

template <int Dim>
Box<Dim> bounds_of(Cells<Dim> const& cells) {
  if (cells.empty()) return {};
  Box<Dim> box{*cells.begin(), *cells.begin()};
  for (auto const& cell : cells)
    for (int axis = 0; axis < Dim; ++axis) {
      box.begin[axis] = std::min(box.begin[axis], cell[axis]);
      box.end[axis] = std::max(box.end[axis], cell[axis] + 1);
    }
  return box;
}

/// The same cells in bad order: rows shuffled and repeated, intervals cut, doubled and overlapping. Empty intervals and
/// empty rows lie in between.
template <int Dim>
HostSet<Dim> told_badly(HostSet<Dim> const& set, std::mt19937& engine) {
  std::vector<std::pair<RowKey, Interval>> pieces;
  set.for_each_interval([&](RowKey key, Interval interval, Index) {
    for (Coord begin = interval.begin; begin < interval.end;) {
      Coord const end = random_int(engine, begin + 1, interval.end);
      pieces.push_back({key, {begin, end}});
      if (random_int(engine, 0, 2) == 0) pieces.push_back({key, {random_int(engine, interval.begin, begin), end}});
      if (random_int(engine, 0, 4) == 0) pieces.push_back({key, {end, end}});
      begin = end;
    }
    if (random_int(engine, 0, 3) == 0) pieces.push_back({key + 1, {0, 0}});
  });
  std::shuffle(pieces.begin(), pieces.end(), engine);
  HostSet<Dim> result;
  for (auto const& [key, interval] : pieces) {
    if (result.row_keys.empty() || result.row_keys.back() != key || random_int(engine, 0, 1) == 0) {
      result.row_keys.push_back(key);
      result.row_ptr.push_back(static_cast<Index>(result.intervals.size()));
    }
    result.intervals.push_back(interval);
  }
  result.row_ptr.push_back(static_cast<Index>(result.intervals.size()));
  return result;
}

/// Where `set` numbers each of `cells`, asked in a kernel; -1 for those it lacks.
template <int Dim>
std::vector<Index> find_all(IntervalSet<Dim> const& set, std::vector<Cell<Dim>> const& cells) {
  sparse::Context const context = set.context();
  auto const probes = to_device(context, cells);
  sparse::Buffer<Index> found(context, probes.size());
  sparse::SetView const view = set.view();
  Cell<Dim> const* const probe = probes.data();
  Index* const out = found.data();
  sparse::parallel_for(
      context, "sparse::test::find", probes.size(), KOKKOS_LAMBDA(Index i) { out[i] = view.find(probe[i]); });
  return to_host(context, out, probes.size());
}

/// A set with these arrays, right or wrong.
template <int Dim>
IntervalSet<Dim> unchecked(HostSet<Dim> const& arrays, Index cell_count) {
  sparse::Context const context;
  auto body = std::make_shared<sparse::detail::SetBody>();
  body->context = context;
  body->row_keys = to_device(context, arrays.row_keys);
  body->row_ptr = to_device(context, arrays.row_ptr);
  body->intervals = to_device(context, arrays.intervals);
  body->cell_offsets = to_device(context, arrays.cell_offsets);
  body->cell_count = cell_count;
  return IntervalSet<Dim>(std::move(body));
}

/// What `validate` says about these arrays; nothing if it finds no fault.
template <int Dim>
std::string fault_of(HostSet<Dim> const& arrays, Index cell_count) {
  try {
    validate(unchecked(arrays, cell_count));
  } catch (std::logic_error const& error) {
    return error.what();
  }
  return "";
}

template <class Dimension>
class Sets : public testing::Test {};
TYPED_TEST_SUITE(Sets, Dimensions);

}  // namespace

TYPED_TEST(Sets, KeepTheirCells) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const cells = random_cells<Dim>(seed);
    auto const arrays = host_set_of(cells);
    auto const set = from_host(arrays);
    ASSERT_TRUE(matches(set, cells));
    ASSERT_EQ(cells_of(set), cells);
    ASSERT_EQ(set.cell_count(), static_cast<Index>(cells.size()));
    ASSERT_EQ(set.to_host().cell_count(), set.cell_count());
    ASSERT_EQ(set.interval_count(), static_cast<Index>(arrays.intervals.size()));
    ASSERT_EQ(set.row_count(), static_cast<Index>(arrays.row_keys.size()));
    ASSERT_EQ(set.is_empty(), cells.empty());
    ASSERT_EQ(set.byte_count() > 0, !cells.empty());
    ASSERT_NO_THROW(validate(set));
    ASSERT_EQ(set.bounds(), bounds_of(cells));
  }
}

TYPED_TEST(Sets, NumberTheirCellsInStorageOrder) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    auto const index = positions(cells);
    std::vector<Cell<Dim>> probes;
    for (auto const& cell : expanded(cells, Cell<Dim>::filled(1))) probes.push_back(cell);
    auto const found = find_all(set_of(cells), probes);
    for (std::size_t i = 0; i < probes.size(); ++i) {
      auto const wanted = index.find(probes[i]);
      ASSERT_EQ(found[i], wanted == index.end() ? -1 : wanted->second) << probes[i] << " seed " << seed;
    }
  }
}

TYPED_TEST(Sets, ContainTheirCellsAndNoOthers) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    auto const set = set_of(cells);
    std::vector<Cell<Dim>> const listed(cells.begin(), cells.end());
    for (int probe = 0; probe < 5 && !listed.empty(); ++probe) {
      Cell<Dim> cell = listed[static_cast<std::size_t>(random_int(engine, 0, static_cast<int>(listed.size()) - 1))];
      ASSERT_TRUE(set.contains(cell)) << cell;
      for (int axis = 0; axis < Dim; ++axis) cell[axis] += random_int(engine, -2, 2);
      ASSERT_EQ(set.contains(cell), cells.count(cell) != 0) << cell;
    }
    for (Coord const far : {INT_MIN, INT_MIN + 1, -coord_limit, coord_limit, INT_MAX})
      for (int axis = 0; axis < Dim; ++axis) ASSERT_FALSE(set.contains(Cell<Dim>::along(axis, far))) << far;
  }
}

TYPED_TEST(Sets, FromHostTakesRowsInAnyOrder) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    ASSERT_TRUE(matches(from_host(told_badly(host_set_of(cells), engine)), cells)) << "seed " << seed;
  }
}

TYPED_TEST(Sets, FromHostOfNothingIsEmpty) {
  constexpr int Dim = TypeParam::value;
  EXPECT_TRUE(from_host(HostSet<Dim>{}).is_empty());
  EXPECT_TRUE(from_host(HostSet<Dim>{{}, {0}, {}, {}}).is_empty());
  EXPECT_TRUE(from_host(HostSet<Dim>{{5}, {0, 0}, {}, {}}).is_empty());
  EXPECT_TRUE(from_host(HostSet<Dim>{{5, 6}, {0, 1, 2}, {{3, 3}, {7, 7}}, {}}).is_empty());
}

TYPED_TEST(Sets, FromHostRefusesArraysThatDoNotFit) {
  constexpr int Dim = TypeParam::value;
  auto const refuses = [](std::vector<RowKey> keys, std::vector<Index> row_ptr, std::vector<Interval> intervals) {
    EXPECT_THROW(from_host(HostSet<Dim>{keys, row_ptr, intervals, {}}), std::invalid_argument);
  };
  refuses({0}, {}, {{0, 1}});
  refuses({0}, {0}, {{0, 1}});
  refuses({}, {0}, {{0, 1}});
  refuses({}, {}, {{0, 1}});
  refuses({}, {0, 1}, {{0, 1}});
  refuses({0}, {0, 1, 1}, {{0, 1}});
  refuses({0}, {1, 1}, {{0, 1}});
  refuses({0}, {0, 2}, {{0, 1}});
  refuses({0}, {0, 0}, {{0, 1}});
  refuses({0, 1}, {0, 2, 1}, {{0, 1}});
  refuses({0, 1, 2}, {0, -1, 2, 1}, {{0, 1}});
  refuses({0}, {0, 1}, {{1, 0}});
  refuses({0}, {0, 1}, {{INT_MAX, INT_MIN}});
}

TYPED_TEST(Sets, FromHostRefusesCoordinatesOutOfRange) {
  constexpr int Dim = TypeParam::value;
  RowKey const last = coord_limit - 1;
  auto const row = [](RowKey key, Coord begin, Coord end) { return HostSet<Dim>{{key}, {0, 1}, {{begin, end}}, {}}; };
  EXPECT_NO_THROW(from_host(row(last, -coord_limit + 1, coord_limit)));
  EXPECT_NO_THROW(from_host(row(-last, -coord_limit + 1, coord_limit)));
  EXPECT_THROW(from_host(row(0, -coord_limit, 0)), std::invalid_argument);
  EXPECT_THROW(from_host(row(0, 0, coord_limit + 1)), std::invalid_argument);
  EXPECT_THROW(from_host(row(0, INT_MIN, INT_MAX)), std::invalid_argument);
  EXPECT_THROW(from_host(row(last + 1, 0, 1)), std::invalid_argument);
  EXPECT_THROW(from_host(row(-last - 1, 0, 1)), std::invalid_argument);
  for (RowKey const key :
       {RowKey{INT64_MAX}, RowKey{INT64_MIN}, RowKey{INT64_MIN} + 1, (RowKey{INT64_MAX} >> 32) << 32})
    EXPECT_THROW(from_host(row(key, 0, 1)), std::invalid_argument) << key;
  if (Dim == 2) {
    EXPECT_THROW(from_host(row(RowKey{1} << 32, 0, 1)), std::invalid_argument);
    EXPECT_THROW(from_host(row(-(RowKey{1} << 40) + 3, 0, 1)), std::invalid_argument);
  } else {
    RowKey const plane = RowKey{1} << 32;
    EXPECT_NO_THROW(from_host(row(last * plane - last, 0, 1)));
    EXPECT_NO_THROW(from_host(row(-last * plane + last, 0, 1)));
    EXPECT_THROW(from_host(row((last + 1) * plane - last, 0, 1)), std::invalid_argument);
    EXPECT_THROW(from_host(row((-last - 1) * plane + last, 0, 1)), std::invalid_argument);
  }
}

TYPED_TEST(Sets, EqualExactlyWhenTheirCellsAre) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1);
    auto const set = set_of(cells);
    ASSERT_TRUE(set == set_of(cells));
    if (cells.empty()) continue;
    ASSERT_FALSE(set == IntervalSet<Dim>());
    auto changed = cells;
    auto const cell = *std::next(cells.begin(), random_int(engine, 0, static_cast<int>(cells.size()) - 1));
    changed.erase(cell);
    ASSERT_FALSE(set == set_of(changed));
    for (int axis = 0; axis < Dim; ++axis) ASSERT_FALSE(set == set_of(moved(cells, Cell<Dim>::along(axis, 1))));
    changed.insert(cell + Cell<Dim>::along(Dim - 1, 1));  // often the same number of cells
    ASSERT_EQ(set == set_of(changed), cells == changed);
  }
}

TYPED_TEST(Sets, ShareTheirArraysWithCopies) {
  constexpr int Dim = TypeParam::value;
  auto const set = set_of(reference::box<Dim>(Cell<Dim>::filled(-2), Cell<Dim>::filled(3)));
  auto const copy = set;
  EXPECT_EQ(copy.identity(), set.identity());
  EXPECT_NE(set_of(cells_of(set)).identity(), set.identity());
  EXPECT_EQ(IntervalSet<Dim>().identity(), nullptr);
}

TYPED_TEST(Sets, EmptySetIsGoodForEverything) {
  constexpr int Dim = TypeParam::value;
  IntervalSet<Dim> const none;
  auto const some = set_of(reference::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(2)));
  EXPECT_TRUE(none.is_empty());
  EXPECT_EQ(none.cell_count(), 0);
  EXPECT_EQ(none.interval_count(), 0);
  EXPECT_EQ(none.row_count(), 0);
  EXPECT_EQ(none.byte_count(), 0);
  EXPECT_TRUE(none.bounds().is_empty());
  EXPECT_FALSE(none.contains({}));
  EXPECT_EQ(find_all(none, {Cell<Dim>{}}), std::vector<Index>{-1});
  EXPECT_TRUE(matches(none, {}));
  EXPECT_NO_THROW(validate(none));
  EXPECT_TRUE(none == IntervalSet<Dim>());
  EXPECT_TRUE(none == some - some);
  EXPECT_TRUE(from_host(none.to_host()) == none);
  for (auto const& result : {none | none, none & none, none - none, none ^ none, none & some, some & none, none - some,
                             shift(none, 0, coord_limit), expand(none, 7), expand(none, Dim - 1, 7), shrink(none, 7),
                             faces(none, Dim - 1), coarsen(none), refine(none)})
    EXPECT_TRUE(matches(result, {}));
  for (auto const& result : {none | some, some | none, some - none, none ^ some, some ^ none})
    EXPECT_TRUE(result == some);
}

TEST(ManyRows, HaveTheBoundsOfAll) {
  auto const set = sparse::box<3>({-7, -50, -40}, {20, 60, 50}) | sparse::box<3>({-90, 3, 4}, {-80, 5, 6}) |
                   sparse::box<3>({30, -1, 2}, {33, 70, 9});
  for (int again = 0; again < 2; ++again) EXPECT_EQ(set.bounds(), (Box<3>{{-90, -50, -40}, {33, 70, 50}}));
  EXPECT_EQ(sparse::shift(set, 1, 5).bounds(), (Box<3>{{-90, -45, -40}, {33, 75, 50}}));
}

TYPED_TEST(Sets, CountMoreCellsThan32BitsHold) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> begin = Cell<Dim>::filled(-1), end = Cell<Dim>::filled(2);
  begin[0] = -coord_limit + 1;
  end[0] = coord_limit;
  Index const width = 2 * Index{coord_limit} - 1, row_count = Dim == 2 ? 3 : 9;
  auto const slab = sparse::box<Dim>(begin, end);
  EXPECT_EQ(slab.cell_count(), row_count * width);
  EXPECT_EQ(slab.interval_count(), row_count);
  EXPECT_EQ(slab.bounds(), (Box<Dim>{begin, end}));
  EXPECT_EQ(slab.to_host().cell_count(), slab.cell_count());
  EXPECT_NO_THROW(validate(slab));

  auto const hole = sparse::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(1));
  auto const holed = slab - hole;
  EXPECT_EQ(holed.cell_count(), slab.cell_count() - 1);
  EXPECT_EQ((holed ^ slab).cell_count(), 1);
  EXPECT_EQ((holed | hole), slab);
  EXPECT_EQ((slab & hole), hole);
  EXPECT_EQ(expand(slab, 1, 1).cell_count(), row_count / 3 * 5 * width);
  EXPECT_EQ(shrink(slab, 1).cell_count(), width - 2);
  EXPECT_EQ(shift(slab, 1, 7).cell_count(), slab.cell_count());
  EXPECT_EQ(coarsen(slab).cell_count(), (Dim == 2 ? 2 : 4) * Index{coord_limit});

  Cell<Dim> last = Cell<Dim>::filled(1);
  last[0] = coord_limit - 1;
  EXPECT_EQ(find_all(slab, {begin, Cell<Dim>::filled(0), last, end}),
            (std::vector<Index>{0, row_count / 2 * width + coord_limit - 1, row_count * width - 1, -1}));

  Cell<Dim> half_begin{}, half_end = Cell<Dim>::filled(1);
  half_begin[0] = -coord_limit / 2 + 1;
  half_end[0] = coord_limit / 2;
  EXPECT_EQ(refine(sparse::box<Dim>(half_begin, half_end)).cell_count(), (1 << Dim) * (Index{coord_limit} - 1));
}

TEST(SetText, DrawsTwoDimensionsWithYUpwards) {
  Cells<2> const cells{{-1, 4}, {0, 4}, {3, 4}, {0, 5}, {-1, 7}};
  EXPECT_EQ(to_text(set_of(cells)), "5 cells in 4 intervals and 3 rows, [-1, 4) x [4, 8)\n"
                                    "#....\n"
                                    ".....\n"
                                    ".#...\n"
                                    "##..#\n");
}

TEST(SetText, DrawsThreeDimensionsInSlices) {
  Cells<3> const cells{{0, 0, -1}, {1, 1, -1}, {0, 1, 1}};
  std::ostringstream text;
  text << set_of(cells);
  EXPECT_EQ(text.str(), "3 cells in 3 intervals and 3 rows, [0, 2) x [0, 2) x [-1, 2)\n"
                        "z = -1\n.#\n#.\n"
                        "z = 0\n..\n..\n"
                        "z = 1\n#.\n..\n");
}

TYPED_TEST(Sets, AreDescribedInOneLineWhenTheyAreEmptyOrLarge) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(to_text(IntervalSet<Dim>()), "0 cells in 0 intervals and 0 rows\n");
  for (int axis = 0; axis < Dim; ++axis) {
    Cells<Dim> cells{Cell<Dim>{}, Cell<Dim>::along(axis, 200)};
    std::string const text = to_text(set_of(cells));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
    cells.insert(Cell<Dim>::along(axis, coord_limit - 1));
    cells.insert(Cell<Dim>::along(axis, -coord_limit + 1));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << to_text(set_of(cells));
  }
}

TYPED_TEST(Sets, ValidateNamesEachBrokenInvariant) {
  constexpr int Dim = TypeParam::value;
  HostSet<Dim> const good{{-3, 4}, {0, 2, 3}, {{-9, -7}, {0, 5}, {-2, 1}}, {0, 2, 7}};
  ASSERT_EQ(fault_of(good, 10), "");
  auto const fault = [&](auto const& spoil, Index cell_count = 10) {
    HostSet<Dim> arrays = good;
    spoil(arrays);
    return fault_of(arrays, cell_count);
  };
  using Arrays = HostSet<Dim>;
  EXPECT_EQ(fault([](Arrays& a) { a.row_keys = {4, 4}; }), "interval set, row 1: row keys do not increase");
  EXPECT_EQ(fault([](Arrays& a) { a.row_keys = {4, -3}; }), "interval set, row 1: row keys do not increase");
  EXPECT_EQ(fault([](Arrays& a) {
              a.row_ptr = {0, 3, 3}, a.intervals[2] = {7, 10};
            }),
            "interval set, row 1: a row is empty");
  EXPECT_EQ(fault([](Arrays& a) { a.row_ptr = {0, 0, 3}; }), "interval set, row 0: a row is empty");
  EXPECT_EQ(fault([](Arrays& a) { a.intervals[1].end = 0; }), "interval set, row 0: an interval is empty");
  EXPECT_EQ(fault([](Arrays& a) { a.intervals[2] = {1, -2}; }), "interval set, row 1: an interval is empty");
  char const* const order = "interval set, row 0: intervals overlap, touch or are out of order";
  EXPECT_EQ(fault([](Arrays& a) { a.intervals[1].begin = -7; }), order);
  EXPECT_EQ(fault([](Arrays& a) { a.intervals[1].begin = -8; }), order);
  EXPECT_EQ(fault([](Arrays& a) { std::swap(a.intervals[0], a.intervals[1]); }), order);
  EXPECT_EQ(fault([](Arrays& a) { a.cell_offsets[0] = 1; }),
            "interval set, row 0: cell offsets are not the sums of the lengths");
  EXPECT_EQ(fault([](Arrays& a) { a.cell_offsets[2] = 6; }),
            "interval set, row 1: cell offsets are not the sums of the lengths");
  char const* const range = "interval set, row 1: a coordinate is out of range";
  EXPECT_EQ(fault([](Arrays& a) { a.row_keys[1] = coord_limit; }), range);
  EXPECT_EQ(fault([](Arrays& a) { a.row_keys[1] = INT64_MAX; }), range);
  EXPECT_EQ(fault([](Arrays& a) { a.intervals[2] = {coord_limit - 1, coord_limit + 2}; }), range);
  EXPECT_EQ(fault([](Arrays& a) { a.intervals[2] = {-coord_limit, -coord_limit + 3}; }), range);
  if (Dim == 2) {
    EXPECT_EQ(fault([](Arrays& a) { a.row_keys[1] = RowKey{1} << 32; }), range);
  }

  char const* const span = "interval set, row 0: row pointers do not span the intervals";
  EXPECT_EQ(fault([](Arrays& a) { a.row_ptr = {1, 2, 3}; }), span);
  EXPECT_EQ(fault([](Arrays& a) { a.row_ptr = {-1, 2, 3}; }), span);
  EXPECT_EQ(fault([](Arrays& a) { a.row_ptr = {0, 1000000000, 3}; }), span);
  EXPECT_EQ(fault(
                [](Arrays& a) {
                  a.row_ptr = {0, 1, 2};
                },
                7),
            "interval set, row 1: row pointers do not span the intervals");
  for (Index const count : {0, 9, 11})
    EXPECT_EQ(fault([](Arrays&) {}, count), "interval set, row 1: the number of cells is not the sum of the lengths");
}
