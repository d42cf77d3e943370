#pragma once
/// Which cells lie under the pixels of a picture: for drawing into memory, without files.

#include <sparse/base/buffer.hpp>
#include <sparse/sets/interval_set.hpp>

namespace sparse::io {

/// A picture of a rectangle of cells. Row 0 is the *bottom*; pixel i of a row has its centre at begin + (i + 1/2) step.
struct Raster {
  /// [pixels]
  int width = 0, height = 0;
  Vec<double, 2> begin = {};  ///< lower left corner, in cells of level 0
  Vec<double, 2> step = {};   ///< size of a pixel, in cells of level 0

  /// width * height.
  Index pixel_count() const { return Index{width} * height; }
};

/// A raster with whole pixels per cell of a box or whole cells per pixel, near a wanted size.
/// @param longest  most pixels along the longer side, unless a cell has one pixel and there are more cells; >= 1
/// @param finest   level whose cells are the smallest that pixels should show; >= 0
/// @throws std::invalid_argument  for an empty box, or a number that is too small
Raster raster_of(Box<2> const& box, int longest, int finest = 0);

/// The cell under a pixel.
struct PixelCell {
  Index position = -1;  ///< in the storage of its level; -1: there is none
  /// The level of the cell, 0 being the coarsest.
  int level = 0;
};

/// Pixels of a raster, in device memory: [height * width], x fastest.
///
///     PixelCells pixels(raster);
///     for (int l = 0; l < level_count; ++l) pixels.add(leaves(l), storage(l), l);
class PixelCells {
public:
  /// No pixel has a cell.
  /// @throws std::invalid_argument  if the raster is empty, or its steps are not positive
  explicit PixelCells(Raster const& raster, Context const& context = Context());

  /// Notes the cells under the centres of pixels. If sets overlap, the last one counts.
  /// @param cells    of a level
  /// @param storage  contains them; positions are those in this set
  /// Cost: a pass over the pixels of the rows in `cells`. Does not wait.
  void add(IntervalSet<2> const& cells, IntervalSet<2> const& storage, int level = 0);

  /// The raster that was given, where its memory lives, and a cell for each pixel: [height * width].
  Raster const& raster() const { return raster_; }
  Context const& context() const { return context_; }
  PixelCell const* data() const { return cells_.data(); }

private:
  Raster raster_;
  Context context_;
  Buffer<PixelCell> cells_;
};

}  // namespace sparse::io
