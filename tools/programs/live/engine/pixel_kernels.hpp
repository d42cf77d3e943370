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

/// Most levels of a flow.
constexpr int most_levels = 16;

KOKKOS_FORCEINLINE_FUNCTION float no_value() { return std::numeric_limits<float>::quiet_NaN(); }

}  // namespace sparse::live
