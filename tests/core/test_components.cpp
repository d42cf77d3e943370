/// Connected components against breadth-first search over cells, holes against flood fill.

#include <stdexcept>

#include <sparse/fields/component_field.hpp>
#include <sparse/fields/hysteresis.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/tools.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::Neighbours;

namespace {

template <class Dimension>
class Topology : public testing::Test {};
TYPED_TEST_SUITE(Topology, Dimensions);

constexpr Neighbours all_neighbours[] = {Neighbours::faces, Neighbours::edges, Neighbours::corners};

/// The offsets to the neighbours of a cell: those that differ in at most 1, 2 or 3 coordinates, by 1.
template <int Dim>
std::vector<Cell<Dim>> offsets_of(Neighbours neighbours) {
  std::vector<Cell<Dim>> offsets;
  for_each_offset<Dim>(Cell<Dim>::filled(1), [&](Cell<Dim> const& offset) {
    int steps = 0;
    for (int axis = 0; axis < Dim; ++axis) steps += offset[axis] != 0;
    int const most = neighbours == Neighbours::faces ? 1 : neighbours == Neighbours::edges ? 2 : 3;
    if (steps > 0 && steps <= most) offsets.push_back(offset);
  });
  return offsets;
}

/// The component of each cell, numbered in storage order of first cells.
template <int Dim>
std::map<Cell<Dim>, int, StorageOrder> labels_of(Cells<Dim> const& cells, Neighbours neighbours) {
  auto const offsets = offsets_of<Dim>(neighbours);
  std::map<Cell<Dim>, int, StorageOrder> labels;
  int count = 0;
  for (auto const& start : cells) {
    if (!labels.emplace(start, count).second) continue;
    std::vector<Cell<Dim>> front{start};
    while (!front.empty()) {
      auto const cell = front.back();
      front.pop_back();
      for (auto const& offset : offsets)
        if (cells.count(cell + offset) != 0 && labels.emplace(cell + offset, count).second)
          front.push_back(cell + offset);
    }
    ++count;
  }
  return labels;
}

template <int Dim, class Predicate>
Cells<Dim> chosen(std::map<Cell<Dim>, int, StorageOrder> const& labels, Predicate const& is_chosen) {
  Cells<Dim> cells;
  for (auto const& [cell, label] : labels)
    if (is_chosen(label)) cells.insert(cell);
  return cells;
}

/// One axis with every stretch of unused coordinates, however long, replaced by one coordinate, and one at each end.
struct CompressedAxis {
  std::vector<Coord> values;       // by compressed coordinate; meaningless for unused ones
  std::map<Coord, Coord> indices;  // back

  explicit CompressedAxis(std::set<Coord> const& used) {
    Coord previous = 0;
    values.push_back(0);
    for (Coord const c : used) {
      if (!indices.empty() && c != previous + 1) values.push_back(0);
      indices[c] = static_cast<Coord>(values.size());
      values.push_back(c);
      previous = c;
    }
    values.push_back(0);
  }
};

/// The cells and what a flood from outside does not reach. Empty layers do not change what is connected, however thick.
template <int Dim>
Cells<Dim> filled(Cells<Dim> const& cells, Neighbours neighbours) {
  std::vector<CompressedAxis> axes;
  Cell<Dim> size;
  for (int axis = 0; axis < Dim; ++axis) {
    std::set<Coord> used;
    for (auto const& cell : cells) used.insert(cell[axis]);
    axes.emplace_back(used);
    size[axis] = static_cast<Coord>(axes.back().values.size());
  }
  auto const position = [&](Cell<Dim> const& cell) {
    std::size_t index = 0;
    for (int axis = Dim - 1; axis >= 0; --axis)
      index = index * static_cast<std::size_t>(size[axis]) + static_cast<std::size_t>(cell[axis]);
    return index;
  };
  Cells<Dim> const everything = reference::box<Dim>({}, size);
  std::vector<char> is_closed(everything.size(), 0);
  for (auto const& cell : cells) {
    Cell<Dim> image;
    for (int axis = 0; axis < Dim; ++axis) image[axis] = axes[static_cast<std::size_t>(axis)].indices.at(cell[axis]);
    is_closed[position(image)] = 1;
  }
  auto const offsets = offsets_of<Dim>(neighbours);
  std::vector<Cell<Dim>> front{Cell<Dim>{}};
  is_closed[0] = 1;
  auto is_outside = std::vector<char>(is_closed.size(), 0);
  is_outside[0] = 1;
  while (!front.empty()) {
    auto const cell = front.back();
    front.pop_back();
    for (auto const& offset : offsets) {
      Cell<Dim> const next = cell + offset;
      bool is_in = true;
      for (int axis = 0; axis < Dim; ++axis) is_in = is_in && next[axis] >= 0 && next[axis] < size[axis];
      if (!is_in || is_closed[position(next)]) continue;
      is_closed[position(next)] = is_outside[position(next)] = 1;
      front.push_back(next);
    }
  }
  Cells<Dim> result;
  for (auto const& cell : everything) {
    if (is_outside[position(cell)]) continue;
    Cell<Dim> image;
    for (int axis = 0; axis < Dim; ++axis)
      image[axis] = axes[static_cast<std::size_t>(axis)].values[static_cast<std::size_t>(cell[axis])];
    result.insert(image);
  }
  return result;
}

}  // namespace

TYPED_TEST(Topology, ComponentsAreThoseOfASearch) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed);
    auto const set = set_of(cells);
    for (auto const neighbours : all_neighbours) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", neighbours " + std::to_string(static_cast<int>(neighbours)));
      auto const labels = labels_of(cells, neighbours);
      std::vector<Index> sizes;
      for (auto const& [cell, label] : labels) {
        if (label == static_cast<int>(sizes.size())) sizes.push_back(0);
        ++sizes[static_cast<std::size_t>(label)];
      }
      auto const components = connected_components(set, neighbours);
      ASSERT_EQ(components.count(), static_cast<Index>(sizes.size()));
      ASSERT_EQ(component_count(set, neighbours), components.count());
      ASSERT_EQ(component_sizes(components), sizes);
      ASSERT_EQ(components.set(), set);
      auto const field = component_field(components);
      ASSERT_EQ(field.domain(), set);
      auto const found = value_map(field);
      ASSERT_EQ(found.size(), labels.size());
      for (auto const& [cell, label] : labels) ASSERT_EQ(found.at(cell), label) << cell;
    }
  }
}

TYPED_TEST(Topology, ComponentsCanBeTakenOut) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const neighbours = all_neighbours[random_int(engine, 0, 2)];
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const cells = random_cells<Dim>(seed), seeds = random_cells<Dim>(seed, 1);
    auto const labels = labels_of(cells, neighbours);
    auto const components = connected_components(set_of(cells), neighbours);
    auto const sizes = component_sizes(components);
    for (Index k : {Index{0}, components.count() / 2, components.count() - 1})
      if (k >= 0 && k < components.count()) {
        ASSERT_TRUE(matches(component(components, k), chosen<Dim>(labels, [&](int label) { return label == k; })));
      }
    Index const least = random_int(engine, 0, 12);
    ASSERT_TRUE(matches(components_of_size(components, least), chosen<Dim>(labels, [&](int label) {
                          return sizes[static_cast<std::size_t>(label)] >= least;
                        })));
    std::set<int> touched;
    for (auto const& cell : both(cells, seeds)) touched.insert(labels.at(cell));
    ASSERT_TRUE(matches(components_touching(components, set_of(seeds)),
                        chosen<Dim>(labels, [&](int label) { return touched.count(label) != 0; })));
  }
}

TYPED_TEST(Topology, ComponentsOfLargeSetsDoNotDependOnThreads) {
  constexpr int Dim = TypeParam::value;
  // Enough rows for many tasks to link the same trees at once, near the density at which large clusters appear.
  Cell<Dim> const size = [] {
    if constexpr (Dim == 2)
      return Cell<Dim>{300, 300};
    else
      return Cell<Dim>{40, 40, 40};
  }();
  for (unsigned seed = 1; seed <= 4; ++seed) {
    auto engine = random_engine(seed);
    std::bernoulli_distribution is_set(Dim == 2 ? 0.6 : 0.33);
    Cells<Dim> cells;
    for (auto const& cell : reference::box<Dim>({}, size))
      if (is_set(engine)) cells.insert(cells.end(), cell);
    auto const labels = labels_of(cells, Neighbours::faces);
    std::vector<std::int32_t> expected;
    for (auto const& [cell, label] : labels) expected.push_back(label);
    for (int repeat = 0; repeat < 10; ++repeat)
      ASSERT_EQ(to_host(component_field(connected_components(set_of(cells)))), expected) << "seed " << seed;
    ASSERT_TRUE(matches(fill_holes(set_of(cells)), filled(cells, Neighbours::faces))) << "seed " << seed;
  }
}

TYPED_TEST(Topology, HolesAreWhatAFloodDoesNotReach) {
  constexpr int Dim = TypeParam::value;
  Index hole_cells = 0;
  for (unsigned seed = 1; seed <= 2 * seed_count; ++seed) {
    auto cells = random_cells<Dim>(seed);
    if (seed % 2 == 0)  // thin walls: the skins of random sets have holes more often than these
      for (auto const& cell : shrunk(cells, Cell<Dim>::filled(1))) cells.erase(cell);
    for (auto const neighbours : all_neighbours) {
      auto const expected = filled(cells, neighbours);
      ASSERT_TRUE(matches(fill_holes(set_of(cells), neighbours), expected))
          << "seed " << seed << ", neighbours " << static_cast<int>(neighbours);
      hole_cells += static_cast<Index>(expected.size() - cells.size());
    }
  }
  EXPECT_GT(hole_cells, 5 * Index{seed_count});  // else the above says little
}

TYPED_TEST(Topology, HolesOfAnySizeAreFilled) {
  constexpr int Dim = TypeParam::value;
  auto const shell = sparse::ball<Dim>({}, 30) - sparse::ball<Dim>({}, 28), whole = sparse::ball<Dim>({}, 30);
  EXPECT_EQ(fill_holes(shell), whole);
  EXPECT_EQ(fill_holes(shell, Neighbours::corners), whole);
  auto const inner = sparse::ball<Dim>({}, 10) - sparse::ball<Dim>({}, 7);
  EXPECT_EQ(fill_holes(shell | inner), whole);
  EXPECT_EQ(fill_holes(inner | (sparse::ball<Dim>({}, 5) - sparse::ball<Dim>({}, 3))), sparse::ball<Dim>({}, 10));
  EXPECT_EQ(component_count(shell | inner), 2);
  // A drilled hole lets the flood in.
  auto begin = Cell<Dim>::filled(0), end = Cell<Dim>::filled(1);
  end[0] = 40;
  auto const drilled = shell - sparse::box<Dim>(begin, end);
  EXPECT_EQ(fill_holes(drilled), drilled);
}

TYPED_TEST(Topology, OfNothingIsNothing) {
  constexpr int Dim = TypeParam::value;
  IntervalSet<Dim> const none;
  auto const some = set_of(Cells<Dim>{{}});
  auto const components = connected_components(none);
  EXPECT_EQ(components.count(), 0);
  EXPECT_TRUE(component_sizes(components).empty());
  EXPECT_EQ(component_field(components).cell_count(), 0);
  EXPECT_TRUE(components_of_size(components, 0).is_empty());
  EXPECT_TRUE(components_touching(components, some).is_empty());
  EXPECT_TRUE(components_touching(connected_components(some), none).is_empty());
  EXPECT_TRUE(fill_holes(none).is_empty());
  EXPECT_THROW(component(components, 0), std::invalid_argument);
  EXPECT_THROW(component(connected_components(some), 1), std::invalid_argument);
  EXPECT_THROW(component(connected_components(some), -1), std::invalid_argument);
  EXPECT_EQ(component(connected_components(some), 0), some);
}

TYPED_TEST(Topology, HysteresisFollowsStrongCellsThroughWeakOnes) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const field = random_field<double>(random_set<Dim>(seed), engine, 2);
    int const c = random_int(engine, 0, 1), low = random_int(engine, 0, 5), high = random_int(engine, low, 9);
    auto const neighbours = all_neighbours[random_int(engine, 0, 2)];
    Cells<Dim> weak;
    std::set<int> strong;
    auto const values = value_map(field, c);
    for (auto const& [cell, value] : values)
      if (std::abs(value) > low) weak.insert(cell);
    auto const labels = labels_of(weak, neighbours);
    for (auto const& [cell, label] : labels)
      if (std::abs(values.at(cell)) > high) strong.insert(label);
    ASSERT_TRUE(matches(threshold_connected(field, low, high, neighbours, c),
                        chosen<Dim>(labels, [&](int label) { return strong.count(label) != 0; })))
        << "seed " << seed;
  }
  sparse::Field<double, Dim> const field("f", set_of(Cells<Dim>{{}}));
  EXPECT_THROW(threshold_connected(field, 2, 1), std::invalid_argument);
  EXPECT_THROW(threshold_connected(field, -1, 1), std::invalid_argument);
  EXPECT_THROW(threshold_connected(field, 0, 1, Neighbours::faces, 1), std::invalid_argument);
}

TYPED_TEST(Topology, AllocatesNothingOnceWarmAndLabelsItsKernels) {
  constexpr int Dim = TypeParam::value;
  auto const set = random_set<Dim>(11) | random_set<Dim>(12) | sparse::ball<Dim>({}, 9);
  auto const work = [&] {
    auto const components = connected_components(set, Neighbours::edges);
    component_sizes(components);
    component_field(components);
    components_touching(components, components_of_size(components, 3));
    component(components, 0);
    fill_holes(set);
  };
  work();
  KokkosWatch const watch;
  for (int i = 0; i < 5; ++i) work();
  EXPECT_EQ(watch.allocation_count(), 0) << watch.allocation_labels();
  EXPECT_TRUE(follow_the_label_rule(watch.kernel_labels()));
}
