#pragma once
/// Sets of cells the slow way: every operation of the library is compared with these few loops over `std::set`.

#include <algorithm>
#include <iterator>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// Lets test messages name cells.
template <class T, int N>
std::ostream& operator<<(std::ostream& out, Vec<T, N> const& v) {
  for (int i = 0; i < N; ++i) out << (i == 0 ? "(" : ", ") << v[i];
  return out << ")";
}

}  // namespace sparse

namespace reference {

using sparse::Box;
using sparse::Coord;
using sparse::HostSet;
using sparse::Index;
using sparse::Interval;
using sparse::IntervalSet;
using sparse::RowKey;
using sparse::Vec;

/// `TYPED_TEST_SUITE(Suite, reference::Dimensions)`; in a test, `constexpr int Dim = TypeParam::value`.
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;

/// How many random inputs each property is tried on: 200, or what the environment variable SPARSE_SEEDS says.
unsigned seeds_from_environment();
inline unsigned const seed_count = seeds_from_environment();

template <int Dim>
using Cell = Vec<Coord, Dim>;

/// z, then y, then x: the order in which sets number their cells.
struct StorageOrder {
  template <int Dim>
  bool operator()(Vec<Coord, Dim> const& a, Vec<Coord, Dim> const& b) const {
    for (int axis = Dim - 1; axis > 0; --axis)
      if (a[axis] != b[axis]) return a[axis] < b[axis];
    return a[0] < b[0];
  }
};

template <int Dim>
using Cells = std::set<Cell<Dim>, StorageOrder>;

// ---- random input

/// Up to some hundred cells of a kind drawn from `seed` and `variant`: none, one, bitmaps, boxes, touching and nearly
/// touching intervals, combs, rows left out, clusters far apart. They lie near the origin, far out, or directly at the
/// limit, always between -limit and limit. Variants of one seed lie in the same places, so that they overlap.
template <int Dim>
Cells<Dim> random_cells(unsigned seed, unsigned variant = 0, Coord limit = sparse::coord_limit);

/// A generator for everything else that a test draws.
inline std::mt19937 random_engine(unsigned seed) { return std::mt19937(seed * 2654435761u + 17); }
inline int random_int(std::mt19937& engine, int least, int greatest) {
  return std::uniform_int_distribution<int>(least, greatest)(engine);
}

/// The position of each cell in the numbering of a set that has exactly these cells.
template <int Dim>
std::map<Cell<Dim>, Index, StorageOrder> positions(Cells<Dim> const& cells);

// ---- between cells and sets

/// The arrays that a set of these cells must have.
template <int Dim>
HostSet<Dim> host_set_of(Cells<Dim> const& cells);
template <int Dim>
IntervalSet<Dim> set_of(Cells<Dim> const& cells);
template <int Dim>
Cells<Dim> cells_of(IntervalSet<Dim> const& set);
template <int Dim>
IntervalSet<Dim> random_set(unsigned seed, unsigned variant = 0, Coord limit = sparse::coord_limit) {
  return set_of(random_cells<Dim>(seed, variant, limit));
}

/// True when the set has exactly these cells and its arrays are the only ones that such a set may have.
template <int Dim>
testing::AssertionResult matches(IntervalSet<Dim> const& set, Cells<Dim> const& expected);

// ---- operations

template <int Dim>
Cells<Dim> either(Cells<Dim> const& a, Cells<Dim> const& b);
template <int Dim>
Cells<Dim> both(Cells<Dim> const& a, Cells<Dim> const& b);
template <int Dim>
Cells<Dim> difference(Cells<Dim> const& a, Cells<Dim> const& b);
template <int Dim>
Cells<Dim> exactly_one(Cells<Dim> const& a, Cells<Dim> const& b);
template <int Dim>
Cells<Dim> moved(Cells<Dim> const& cells, Cell<Dim> const& offset);
/// All cells within `reach[axis]` along each axis of one of these.
template <int Dim>
Cells<Dim> expanded(Cells<Dim> const& cells, Cell<Dim> const& reach);
/// The cells all of whose neighbours within `reach` along each axis are present.
template <int Dim>
Cells<Dim> shrunk(Cells<Dim> const& cells, Cell<Dim> const& reach);
template <int Dim>
Cells<Dim> coarsened(Cells<Dim> const& cells);
template <int Dim>
Cells<Dim> refined(Cells<Dim> const& cells);
template <int Dim>
Cells<Dim> box(Cell<Dim> const& begin, Cell<Dim> const& end);

/// Calls `body(offset)` for every offset between -reach and reach.
template <int Dim, class Body>
void for_each_offset(Cell<Dim> const& reach, Body&& body) {
  for (Coord z = Dim == 3 ? -reach[Dim - 1] : 0; z <= (Dim == 3 ? reach[Dim - 1] : 0); ++z)
    for (Coord y = -reach[1]; y <= reach[1]; ++y)
      for (Coord x = -reach[0]; x <= reach[0]; ++x) {
        Cell<Dim> offset{x, y};
        if (Dim == 3) offset[Dim - 1] = z;
        body(offset);
      }
}

}  // namespace reference
