#pragma once
/// The ranges of colours in pictures of a flow.

#include <array>
#include <cmath>

#include <sparse/base/parallel.hpp>
#include <sparse/fields/field.hpp>

#include <sparse/app/run/folder.hpp>
#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// The greatest length of a vector.
template <int Dim>
double greatest_size(Field<double, Dim> const& vectors) {
  auto const values = vectors.view();
  return parallel_reduce<Kokkos::Max, double>(
      vectors.context(), "sparse::flow_case::greatest_size", vectors.cell_count(),
      KOKKOS_LAMBDA(Index cell, double& greatest) {
        double square = 0;
        for (int axis = 0; axis < Dim; ++axis) square += values(axis, cell) * values(axis, cell);
        double const size = std::sqrt(square);
        greatest = size > greatest ? size : greatest;
      });
}

/// Lets the range of a picture grow to a bound: from the greatest value on, a colour means the same in a whole film.
/// @param is_signed  whether values have both signs
inline void widen(Picture& picture, double bound, bool is_signed) {
  if (picture.options.range) bound = std::fmax(bound, (*picture.options.range)[1]);
  if (bound > 0) picture.options.range = {is_signed ? -bound : 0, bound};
}

/// Keeps the ranges of pictures for a checkpoint, or takes them from it.
inline void keep_ranges(Keeper& keeper, std::vector<Picture>& pictures) {
  for (Picture& picture : pictures) {
    std::vector<double> range;
    if (picture.options.range) range.assign(picture.options.range->begin(), picture.options.range->end());
    keeper("range_" + picture.array, range);
    if (range.size() == 2) picture.options.range = {range[0], range[1]};
  }
}

}  // namespace sparse::app
