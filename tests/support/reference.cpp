#include <cstdlib>
#include <support/reference.hpp>

namespace reference {

unsigned seeds_from_environment() {
  char const* const text = std::getenv("SPARSE_SEEDS");
  return text == nullptr ? 200 : static_cast<unsigned>(std::stoul(text));
}
namespace {

template <int Dim>
constexpr Cell<Dim> window() {
  if constexpr (Dim == 2)
    return {14, 9};
  else
    return {9, 6, 5};
}

enum class Kind {
  empty,
  single_cell,
  sparse_bitmap,
  even_bitmap,
  dense_bitmap,
  full_box,
  boxes,
  touching_intervals,  // pieces that touch or leave gaps of one cell
  comb,                // every other cell of a row
  rows_left_out,
  long_rows,  // wider than the window, with few gaps
  far_clusters,
  count
};

/// A corner for the window: somewhere ordinary, or so that the window ends at the limit.
template <int Dim>
Cell<Dim> random_origin(std::mt19937& engine, Coord limit) {
  Cell<Dim> origin;
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const size = window<Dim>()[axis];
    Coord const choices[] = {random_int(engine, -size, 0),
                             random_int(engine, -100, 100),
                             -1000003,
                             limit / 2 + random_int(engine, -9, 9),
                             -limit + 1,
                             limit - size};
    origin[axis] = choices[random_int(engine, 0, 5)];
  }
  return origin;
}

template <int Dim>
Cells<Dim> bitmap(std::mt19937& engine, Cell<Dim> const& origin, double density) {
  Cells<Dim> cells;
  std::bernoulli_distribution is_set(density);
  for (auto const& cell : reference::box<Dim>(origin, origin + window<Dim>()))
    if (is_set(engine)) cells.insert(cell);
  return cells;
}

template <int Dim>
Cells<Dim> random_box(std::mt19937& engine, Cell<Dim> const& origin) {
  Cell<Dim> begin = origin, end = origin;
  for (int axis = 0; axis < Dim; ++axis) {
    int const a = random_int(engine, 0, window<Dim>()[axis]), b = random_int(engine, 0, window<Dim>()[axis]);
    begin[axis] += std::min(a, b);
    end[axis] += std::max(a, b);
  }
  return reference::box<Dim>(begin, end);
}

template <int Dim, class Predicate>
Cells<Dim> only(Cells<Dim> cells, Predicate const& holds) {
  for (auto cell = cells.begin(); cell != cells.end();) cell = holds(*cell) ? std::next(cell) : cells.erase(cell);
  return cells;
}

}  // namespace

template <int Dim>
Cells<Dim> random_cells(unsigned seed, unsigned variant, Coord limit) {
  std::mt19937 places(seed * 7919u + 1);
  Cell<Dim> const origin = random_origin<Dim>(places, limit), far = random_origin<Dim>(places, limit);
  std::mt19937 engine(seed * 104729u + variant * 1299709u + 3);
  Cells<Dim> const full = reference::box<Dim>(origin, origin + window<Dim>());
  switch (static_cast<Kind>(random_int(engine, 0, static_cast<int>(Kind::count) - 1))) {
  case Kind::single_cell: {
    return {*std::next(full.begin(), random_int(engine, 0, static_cast<int>(full.size()) - 1))};
  }
  case Kind::sparse_bitmap:
    return bitmap<Dim>(engine, origin, 0.1);
  case Kind::even_bitmap:
    return bitmap<Dim>(engine, origin, 0.5);
  case Kind::dense_bitmap:
    return bitmap<Dim>(engine, origin, 0.95);
  case Kind::full_box:
    return full;
  case Kind::boxes: {
    Cells<Dim> cells;
    for (int i = random_int(engine, 1, 4); i > 0; --i) cells = either(cells, random_box<Dim>(engine, origin));
    return cells;
  }
  case Kind::touching_intervals: {
    int const period = random_int(engine, 2, 5), skew = random_int(engine, 0, 3);
    return only(full, [&](auto const& cell) { return (cell[0] - origin[0] + skew * (cell[1] - origin[1])) % period; });
  }
  case Kind::comb: {
    int const start = random_int(engine, 0, 1);
    return only(full, [&](auto const& cell) {
      return (cell[0] - origin[0]) % 2 == start && cell[1] - origin[1] == window<Dim>()[1] / 2;
    });
  }
  case Kind::rows_left_out: {
    int const period = random_int(engine, 2, 3), start = random_int(engine, 0, 1);
    return only(bitmap<Dim>(engine, origin, 0.8), [&](auto const& cell) {
      return (cell[1] - origin[1] + (Dim == 3 ? cell[Dim - 1] - origin[Dim - 1] : 0)) % period == start;
    });
  }
  case Kind::long_rows: {
    Cells<Dim> cells;
    Coord const towards = origin[0] > 0 ? -1 : 1;
    for (Cell<Dim> cell : full)
      if (cell[0] == (towards > 0 ? origin[0] : origin[0] + window<Dim>()[0] - 1) && random_int(engine, 0, 3) == 0)
        for (int i = 0; i < 200; ++i, cell[0] += towards)
          if (random_int(engine, 0, 30) != 0) cells.insert(cell);
    return cells;
  }
  case Kind::far_clusters:
    return either(bitmap<Dim>(engine, origin, 0.4), bitmap<Dim>(engine, far, 0.4));
  default:
    return {};
  }
}

template <int Dim>
std::map<Cell<Dim>, Index, StorageOrder> positions(Cells<Dim> const& cells) {
  std::map<Cell<Dim>, Index, StorageOrder> result;
  for (auto const& cell : cells) result.emplace(cell, static_cast<Index>(result.size()));
  return result;
}

template <int Dim>
HostSet<Dim> host_set_of(Cells<Dim> const& cells) {
  HostSet<Dim> set;
  Index index = 0;
  for (auto const& cell : cells) {
    RowKey key = cell[1];
    if (Dim == 3) key += RowKey{cell[Dim - 1]} * 4294967296;
    bool const is_new_row = set.row_keys.empty() || set.row_keys.back() != key;
    if (is_new_row) {
      set.row_keys.push_back(key);
      set.row_ptr.push_back(static_cast<Index>(set.intervals.size()));
    }
    if (is_new_row || set.intervals.back().end != cell[0]) {
      set.intervals.push_back({cell[0], cell[0]});
      set.cell_offsets.push_back(index);
    }
    ++set.intervals.back().end;
    ++index;
  }
  set.row_ptr.push_back(static_cast<Index>(set.intervals.size()));
  return set;
}

template <int Dim>
IntervalSet<Dim> set_of(Cells<Dim> const& cells) {
  return from_host(host_set_of(cells));
}

template <int Dim>
Cells<Dim> cells_of(IntervalSet<Dim> const& set) {
  Cells<Dim> cells;
  set.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) { cells.insert(cells.end(), cell); });
  return cells;
}

template <int Dim>
testing::AssertionResult matches(IntervalSet<Dim> const& set, Cells<Dim> const& expected) {
  HostSet<Dim> const actual = set.to_host(), wanted = host_set_of(expected);
  if (actual.row_keys == wanted.row_keys && actual.row_ptr == wanted.row_ptr && actual.intervals == wanted.intervals &&
      actual.cell_offsets == wanted.cell_offsets && set.cell_count() == static_cast<Index>(expected.size()))
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "got " << set << "instead of " << set_of(expected);
}

template <int Dim>
Cells<Dim> either(Cells<Dim> const& a, Cells<Dim> const& b) {
  Cells<Dim> result = a;
  result.insert(b.begin(), b.end());
  return result;
}
template <int Dim>
Cells<Dim> both(Cells<Dim> const& a, Cells<Dim> const& b) {
  return only(a, [&](auto const& cell) { return b.count(cell) != 0; });
}
template <int Dim>
Cells<Dim> difference(Cells<Dim> const& a, Cells<Dim> const& b) {
  return only(a, [&](auto const& cell) { return b.count(cell) == 0; });
}
template <int Dim>
Cells<Dim> exactly_one(Cells<Dim> const& a, Cells<Dim> const& b) {
  return either(difference(a, b), difference(b, a));
}

template <int Dim>
Cells<Dim> moved(Cells<Dim> const& cells, Cell<Dim> const& offset) {
  Cells<Dim> result;
  for (auto const& cell : cells) result.insert(cell + offset);
  return result;
}

template <int Dim>
Cells<Dim> expanded(Cells<Dim> const& cells, Cell<Dim> const& reach) {
  Cells<Dim> result = cells;
  for (int axis = 0; axis < Dim; ++axis) {
    Cells<Dim> const before = result;
    for (auto const& cell : before)
      for (Coord step = -reach[axis]; step <= reach[axis]; ++step) result.insert(cell + Cell<Dim>::along(axis, step));
  }
  return result;
}

template <int Dim>
Cells<Dim> shrunk(Cells<Dim> const& cells, Cell<Dim> const& reach) {
  return only(cells, [&](auto const& cell) {
    bool has_all = true;
    for_each_offset<Dim>(reach, [&](auto const& offset) {
      if (has_all && cells.count(cell + offset) == 0) has_all = false;
    });
    return has_all;
  });
}

template <int Dim>
Cells<Dim> coarsened(Cells<Dim> const& cells) {
  Cells<Dim> result;
  for (Cell<Dim> cell : cells) {
    for (int axis = 0; axis < Dim; ++axis) cell[axis] = (cell[axis] - (cell[axis] % 2 != 0 && cell[axis] < 0)) / 2;
    result.insert(cell);
  }
  return result;
}

template <int Dim>
Cells<Dim> refined(Cells<Dim> const& cells) {
  Cells<Dim> result;
  for (auto const& cell : cells)
    for (auto const& child : reference::box<Dim>(2 * cell, 2 * cell + Cell<Dim>::filled(2))) result.insert(child);
  return result;
}

template <int Dim>
Cells<Dim> box(Cell<Dim> const& begin, Cell<Dim> const& end) {
  Cells<Dim> cells;
  for (Coord z = Dim == 3 ? begin[Dim - 1] : 0; z < (Dim == 3 ? end[Dim - 1] : 1); ++z)
    for (Coord y = begin[1]; y < end[1]; ++y)
      for (Coord x = begin[0]; x < end[0]; ++x) {
        Cell<Dim> cell{x, y};
        if (Dim == 3) cell[Dim - 1] = z;
        cells.insert(cells.end(), cell);
      }
  return cells;
}

#define INSTANTIATE(Dim)                                                                                               \
  template Cells<Dim> random_cells<Dim>(unsigned, unsigned, Coord);                                                    \
  template std::map<Cell<Dim>, Index, StorageOrder> positions<Dim>(Cells<Dim> const&);                                 \
  template HostSet<Dim> host_set_of<Dim>(Cells<Dim> const&);                                                           \
  template IntervalSet<Dim> set_of<Dim>(Cells<Dim> const&);                                                            \
  template Cells<Dim> cells_of<Dim>(IntervalSet<Dim> const&);                                                          \
  template testing::AssertionResult matches<Dim>(IntervalSet<Dim> const&, Cells<Dim> const&);                          \
  template Cells<Dim> either<Dim>(Cells<Dim> const&, Cells<Dim> const&);                                               \
  template Cells<Dim> both<Dim>(Cells<Dim> const&, Cells<Dim> const&);                                                 \
  template Cells<Dim> difference<Dim>(Cells<Dim> const&, Cells<Dim> const&);                                           \
  template Cells<Dim> exactly_one<Dim>(Cells<Dim> const&, Cells<Dim> const&);                                          \
  template Cells<Dim> moved<Dim>(Cells<Dim> const&, Cell<Dim> const&);                                                 \
  template Cells<Dim> expanded<Dim>(Cells<Dim> const&, Cell<Dim> const&);                                              \
  template Cells<Dim> shrunk<Dim>(Cells<Dim> const&, Cell<Dim> const&);                                                \
  template Cells<Dim> coarsened<Dim>(Cells<Dim> const&);                                                               \
  template Cells<Dim> refined<Dim>(Cells<Dim> const&);                                                                 \
  template Cells<Dim> box<Dim>(Cell<Dim> const&, Cell<Dim> const&);
INSTANTIATE(2)
INSTANTIATE(3)

}  // namespace reference
