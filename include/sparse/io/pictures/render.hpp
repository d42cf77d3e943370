#pragma once
/// A picture of one array on all levels.

#include <optional>
#include <string>

#include <sparse/io/levels/cells.hpp>
#include <sparse/io/pictures/image.hpp>

namespace sparse::io {

/// How values become colours.
struct RenderOptions {
  int size = 1600;  ///< longer side of the plot without its frame [pixels], 16 to 16384
  /// The colours, from the least to the greatest value.
  ColourMap colours = ColourMap::viridis;
  std::optional<std::array<double, 2>> range = {};  ///< values of the first and last colour; else the plot's range
  bool outlines = true;                             ///< thin lines where leaves of different levels meet
  bool mesh = false;                                ///< thin lines between all leaves at least 3 pixels wide
  bool colour_bar = true;                           ///< at the right, with numbers
  std::string label = {};                           ///< of the colour bar, with a unit; empty for the array's name
  bool axes = true;                                 ///< coordinates at the left and below
  std::string length_unit = {};                     ///< unit of coordinates, added to the names of axes
  std::string title = {};                           ///< above the plot; empty for none
  double slice = 0.5;                               ///< 3D: height of the plane of constant z, 0 (bottom) to 1 (top)
  /// [axis][lower, upper] coordinates of the part to draw, cut to the box of all leaves; else that box.
  std::optional<std::array<std::array<double, 2>, 2>> window = {};
};

/// Draws the leaves of all levels, by an array or, for "level", by their level. A pixel has the colour of the cell
/// under its centre, and is grey where no cell is.
///
/// The plot spans the bounding box of all leaves, x to the right and y up, with equal scales on both axes. Several
/// components are drawn by their magnitude. Values that are not finite are magenta.
/// Cost: a pass over the leaves' intervals and one over the pixels, about 20 ms for 1600 x 640.
/// @throws std::invalid_argument  if the levels do not fit together (see `check_levels`), hold no leaf, or have no
///                                array of that name, an option is out of its range, or the window lies outside of
///                                the box
template <int Dim>
Image render(Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels, std::string const& array,
             RenderOptions const& options = {});

}  // namespace sparse::io
