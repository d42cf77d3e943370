#pragma once
/// Kernels over pixels that flows share.

#include <limits>

#include <sparse/base/parallel.hpp>

#include "live_flow.hpp"

namespace sparse::live {

/// Calls `body(pixel, cell)` for each pixel.
template <class Body>
struct ForPixel {
  io::PixelCell const* cells;
  Body body;
  KOKKOS_FUNCTION void operator()(Index i) const { body(i, cells[i]); }
};
template <class Body>
void for_pixels(char const* label, io::PixelCells const& pixels, Body const& body) {
  parallel_for(pixels.context(), label, pixels.raster().pixel_count(), ForPixel<Body>{pixels.data(), body});
}

/// Makes a buffer as large as the raster, unless it is.
template <class T>
void fit(Buffer<T>& buffer, io::PixelCells const& pixels) {
  if (buffer.size() != pixels.raster().pixel_count())
    buffer = Buffer<T>(pixels.context(), pixels.raster().pixel_count());
}

KOKKOS_FORCEINLINE_FUNCTION float no_value() { return std::numeric_limits<float>::quiet_NaN(); }

/// A value for each pixel from one component of a field on the cells of level 0.
struct TakeValue {
  double const* from;
  float* to;
  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const {
    to[i] = cell.position < 0 ? no_value() : static_cast<float>(from[cell.position]);
  }
};

}  // namespace sparse::live
