#pragma once
/// The range of coordinates.

#include <string>

#include <sparse/base/error.hpp>
#include <sparse/base/vec.hpp>

namespace sparse::detail {

/// Throws unless a box of cells lies in the range of coordinates. Takes 64-bit numbers, so that callers can add without
/// overflow.
template <int Dim>
void expect_in_range(Vec<std::int64_t, Dim> const& begin, Vec<std::int64_t, Dim> const& end, char const* operation) {
  for (int axis = 0; axis < Dim; ++axis)
    if (begin[axis] <= -coord_limit || end[axis] > coord_limit)
      fail(std::string(operation) + ": cells from " + std::to_string(begin[axis]) + " to " +
           std::to_string(end[axis] - 1) + " on axis " + std::to_string(axis) +
           " leave the range of coordinates, -2^30 < x < 2^30");
}

}  // namespace sparse::detail
