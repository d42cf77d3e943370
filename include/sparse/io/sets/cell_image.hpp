#pragma once
/// Values on a regular grid; thresholds turn them into sets.

#include <string>
#include <vector>

#include <sparse/base/grid.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// One value per cell of a box, with the grid that says where the cells are.
struct CellImage {
  Box<3> cells;                ///< the extent in the file; an axis with one layer of points has one layer of cells
  Grid<3> grid;                ///< origin and spacing in the file [m]: cell c covers origin + [c, c + 1) * spacing
  std::string array;           ///< name of the array that the values come from
  std::vector<double> values;  ///< x fastest, then y, then z
};

/// The cells whose value is greater than `bound`. A NaN is not above, and not below, anything.
/// @throws std::invalid_argument  if Dim is 2 and the image has several layers along z, if there is not one value per
///                                cell, or if a coordinate is out of range
template <int Dim>
IntervalSet<Dim> cells_above(CellImage const& image, double bound, Context const& context = Context());
/// The cells whose value is smaller than `bound`.
/// @throws std::invalid_argument  as `cells_above`
template <int Dim>
IntervalSet<Dim> cells_below(CellImage const& image, double bound, Context const& context = Context());

}  // namespace sparse::io
