#include <sparse/io/pictures/raster.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>

namespace sparse::io {
namespace {

struct ClearPixel {
  PixelCell* out;
  KOKKOS_FUNCTION void operator()(Index i) const { out[i] = PixelCell(); }
};

/// Writes the cells under one row of pixels.
struct AddRow {
  Raster raster;
  SetView cells, storage;
  int level;
  PixelCell* out;

  /// The coordinate of the cell under the centre of a pixel. All pixels are decided by this function alone.
  KOKKOS_FUNCTION Coord cell_under(int pixel, int axis) const {
    double const x = raster.begin[axis] + (pixel + 0.5) * raster.step[axis];
    return static_cast<Coord>(std::floor(x * static_cast<double>(Index{1} << level)));
  }
  /// The first pixel of a row whose cell is not before `x`.
  KOKKOS_FUNCTION int first_pixel(Coord x) const {
    int low = 0, count = raster.width;
    while (count > 0) {
      int const half = count / 2;
      bool const is_before = cell_under(low + half, 0) < x;
      low += is_before ? half + 1 : 0;
      count = is_before ? count - half - 1 : half;
    }
    return low;
  }
  KOKKOS_FUNCTION void operator()(Index row) const {
    RowKey const key = row_key(Vec<Coord, 2>{0, cell_under(static_cast<int>(row), 1)});
    Index const r = cells.find_row(key);
    if (r < 0) return;
    Index const stored = storage.find_row(key);
    PixelCell* const pixels = out + row * raster.width;
    for (Index i = cells.row_ptr[r]; i < cells.row_ptr[r + 1]; ++i) {
      Interval const interval = cells.intervals[i];
      Index const first = storage.find_in_row(stored, interval.begin);
      int const end = first_pixel(interval.end);
      for (int x = first_pixel(interval.begin); x < end; ++x)
        pixels[x] = {first + (cell_under(x, 0) - interval.begin), level};
    }
  }
};

}  // namespace

Raster raster_of(Box<2> const& box, int longest, int finest) {
  expects(!box.is_empty() && longest >= 1 && finest >= 0, "raster_of: there must be cells and pixels");
  Vec<double, 2> size;
  for (int axis = 0; axis < 2; ++axis) size[axis] = static_cast<double>(box.end[axis] - box.begin[axis]);
  double const most = std::max(size[0], size[1]);
  double pixels = static_cast<double>(Index{1} << finest);  // of a cell of level 0, along an axis
  while (pixels > 1 && pixels * most > longest) pixels /= 2;
  if (pixels * most <= longest) pixels *= std::floor(longest / (pixels * most));
  Raster raster;
  raster.width = static_cast<int>(size[0] * pixels);
  raster.height = static_cast<int>(size[1] * pixels);
  for (int axis = 0; axis < 2; ++axis) {
    raster.begin[axis] = box.begin[axis];
    raster.step[axis] = 1 / pixels;
  }
  return raster;
}

PixelCells::PixelCells(Raster const& raster, Context const& context)
    : raster_(raster), context_(context), cells_(context, raster.pixel_count()) {
  expects(raster.width >= 1 && raster.height >= 1 && raster.width <= 65536 && raster.height <= 65536,
          "a raster has 1 to 65536 pixels per side");
  expects(raster.step[0] > 0 && raster.step[1] > 0, "the pixels of a raster must not be empty");
  parallel_for(context_, "sparse::pictures::clear_raster", cells_.size(), ClearPixel{cells_.data()});
}

void PixelCells::add(IntervalSet<2> const& cells, IntervalSet<2> const& storage, int level) {
  parallel_for(context_, "sparse::pictures::raster", raster_.height,
               AddRow{raster_, cells.view(), storage.view(), level, cells_.data()});
}

}  // namespace sparse::io
