#pragma once
/// The dense oracle: a flag per cell of a box, and what an operation must give, said cell by cell.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>

#include "reference.hpp"

namespace bitmap {

using sparse::Box;
using sparse::Coord;
using sparse::Index;
using sparse::IntervalSet;
using sparse::Vec;

/// Calls `body(cell)` for the cells of a box.
template <int Dim, class Body>
void for_each_cell(Box<Dim> const& box, Body&& body) {
  Vec<Coord, Dim> cell = box.begin;
  if (box.is_empty()) return;
  for (;;) {
    body(cell);
    int axis = 0;
    while (axis < Dim && ++cell[axis] == box.end[axis]) {
      cell[axis] = box.begin[axis];
      ++axis;
    }
    if (axis == Dim) return;
  }
}

/// The cells of a set inside a box; everything outside of it is false.
template <int Dim>
class Bitmap {
public:
  Bitmap(IntervalSet<Dim> const& set, Box<Dim> const& box)
      : box_(box), flags_(static_cast<std::size_t>(box.cell_count())) {
    set.to_host().for_each_cell([&](Vec<Coord, Dim> const& cell, Index) {
      if (contains_box(cell)) flags_[place(cell)] = 1;
    });
  }
  bool operator()(Vec<Coord, Dim> const& cell) const { return contains_box(cell) && flags_[place(cell)] != 0; }

private:
  bool contains_box(Vec<Coord, Dim> const& cell) const {
    for (int axis = 0; axis < Dim; ++axis)
      if (cell[axis] < box_.begin[axis] || cell[axis] >= box_.end[axis]) return false;
    return true;
  }
  std::size_t place(Vec<Coord, Dim> const& cell) const {
    Index position = 0;
    for (int axis = Dim - 1; axis >= 0; --axis)
      position = position * (Index{box_.end[axis]} - box_.begin[axis]) + (cell[axis] - box_.begin[axis]);
    return static_cast<std::size_t>(position);
  }
  Box<Dim> box_;
  std::vector<char> flags_;
};

/// True when a valid set has exactly the cells of `box` for which `expected(cell)` holds.
template <int Dim, class Expected>
testing::AssertionResult holds_where(IntervalSet<Dim> const& set, Box<Dim> const& box, Expected const& expected) {
  validate(set);
  Bitmap<Dim> const actual(set, box);
  Index count = 0;
  std::string fault;
  for_each_cell(box, [&](Vec<Coord, Dim> const& cell) {
    bool const wanted = expected(cell);
    count += wanted;
    if (!fault.empty() || actual(cell) == wanted) return;
    std::ostringstream text;
    text << "cell " << cell << (wanted ? " is missing" : " should not be there");
    fault = text.str();
  });
  if (!fault.empty()) return testing::AssertionFailure() << fault;
  if (set.cell_count() != count) return testing::AssertionFailure() << "there are cells outside of the box";
  return testing::AssertionSuccess();
}

/// Where the sets of `varied_set` lie.
template <int Dim>
Box<Dim> domain() {
  if constexpr (Dim == 2)
    return {{-70, -11}, {330, 13}};
  else
    return {{-40, -5, -4}, {110, 6, 5}};
}

/// A box around `box` with a margin of cells.
template <int Dim>
Box<Dim> grown(Box<Dim> box, Coord margin) {
  for (int axis = 0; axis < Dim; ++axis) {
    box.begin[axis] -= margin;
    box.end[axis] += margin;
  }
  return box;
}

/// Sets of all kinds in `domain`: noise of any density, rows of many or of few intervals, boxes, balls, boards. In some
/// of them rows are left out.
template <int Dim>
IntervalSet<Dim> varied_set(unsigned seed, unsigned variant = 0) {
  auto engine = reference::random_engine(17 * seed + variant);
  auto const uniform = [&](double least, double greatest) {
    return std::uniform_real_distribution<double>(least, greatest)(engine);
  };
  Box<Dim> const box = domain<Dim>();
  IntervalSet<Dim> set;
  switch (reference::random_int(engine, 0, 6)) {
  case 0:
    set = sparse::random_cells(box, uniform(0, 1), seed + variant);
    break;
  case 1:
    set = sparse::random_intervals(box, uniform(1, 4), uniform(1, 4), seed + variant);
    break;
  case 2:
    set = sparse::random_intervals(box, uniform(5, 60), uniform(5, 60), seed + variant);
    break;
  case 3:
    set = sparse::random_intervals(box, uniform(50, 300), uniform(1, 50), seed + variant);
    break;
  case 4:
    set = sparse::checkerboard(box, reference::random_int(engine, 1, 9));
    break;
  case 5:
    set = sparse::ball(Vec<double, Dim>::filled(uniform(-3, 3)), uniform(0, 6)) & sparse::box(box.begin, box.end);
    break;
  default:
    set = sparse::box(box.begin, box.end);
    break;
  }
  if (reference::random_int(engine, 0, 2) == 0) {
    Box<Dim> stripe = box;
    stripe.begin[1] = reference::random_int(engine, box.begin[1], box.end[1] - 1);
    stripe.end[1] = stripe.begin[1] + 1;
    set = set - sparse::box(stripe.begin, stripe.end);
  }
  return set;
}

}  // namespace bitmap
