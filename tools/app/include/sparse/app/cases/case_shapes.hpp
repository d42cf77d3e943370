#pragma once
/// The box, the sides and the shapes of a case as sets.

#include <sparse/base/grid.hpp>
#include <sparse/sets/interval_set.hpp>

#include <sparse/app/cases/case.hpp>

namespace sparse::app {

/// The first two or all three of three numbers.
template <int Dim>
sparse::Vec<double, Dim> vec_of(Triple const& numbers) {
  sparse::Vec<double, Dim> v;
  for (int axis = 0; axis < Dim; ++axis) v[axis] = numbers[static_cast<std::size_t>(axis)];
  return v;
}

/// Dim numbers of a shape, from index `first` on.
template <int Dim>
sparse::Vec<double, Dim> numbers_from(CaseShape const& shape, std::size_t first) {
  sparse::Vec<double, Dim> v;
  for (std::size_t axis = 0; axis < Dim; ++axis) v[static_cast<int>(axis)] = shape.numbers[first + axis];
  return v;
}

/// The grid of the finest cells.
template <int Dim>
sparse::Grid<Dim> grid_of(CaseBox const& c) {
  sparse::Grid<Dim> grid;
  for (std::size_t axis = 0; axis < Dim; ++axis) grid.spacing[static_cast<int>(axis)] = c.size[axis] / c.cells[axis];
  return grid;
}

/// The box of the finest cells.
template <int Dim>
sparse::Box<Dim> box_of(CaseBox const& c) {
  sparse::Box<Dim> box{};
  for (std::size_t axis = 0; axis < Dim; ++axis) box.end[static_cast<int>(axis)] = c.cells[axis];
  return box;
}

/// The cells of a shape, also those outside of the box.
/// @throws std::runtime_error     for a shape of another dimension, and with the path, for a file that cannot be read
/// @throws std::invalid_argument  for numbers or an expression that make no shape
template <int Dim>
sparse::IntervalSet<Dim> cells_of(CaseBox const& c, CaseShape const& shape);

/// The range of a side, or of a part of it, along another axis [length].
std::array<double, 2> range_along(CaseBox const& c, CaseSide const& side, int axis);

/// The faces of a side. For a part of a side, only the faces whose centres lie in it. Face i lies between cells i - 1
/// and i.
template <int Dim>
sparse::Box<Dim> faces_of(CaseBox const& c, CaseSide const& side);

}  // namespace sparse::app
