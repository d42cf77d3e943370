#pragma once
/// Pictures of sets.

#include <optional>

#include <sparse/io/pictures/image.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// The set in black on white, y up, cut to its bounds; one white pixel for the empty set.
///
/// Either a cell is a square of pixels, or a pixel is the mean of a square of cells. So the longer side has 500 to 1000
/// pixels (fewer for less than 16 cells). From a picture without grey, `read_bitmap` and `from_bitmap` restore the
/// cells.
/// Cost: a pass over the intervals on the host, and one over the pixels.
Image draw(IntervalSet<2> const& set);

/// A 3D set seen along an axis. A pixel is darker the more cells lie behind each other. The first of the other two axes
/// points to the right, the second up.
/// @throws std::invalid_argument  if there is no such axis
Image draw(IntervalSet<3> const& set, int axis);

}  // namespace sparse::io
