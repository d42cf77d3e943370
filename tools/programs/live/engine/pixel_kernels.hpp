#pragma once
/// Kernels over pixels that flows share.

#include <cstring>
#include <limits>

#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>

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

/// A number that depends on every bit of a value and on its place. Sums of these do not depend on the order.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t mixed_bits(double value, std::uint64_t place) {
  std::uint64_t x = 0;
  memcpy(&x, &value, sizeof x);
  x ^= place * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

struct HashCell {
  double const* values;
  std::uint64_t salt;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p, std::uint64_t& sum) const {
    sum += mixed_bits(values[p.cell], static_cast<std::uint64_t>(p.cell) + salt);
  }
};

/// The hash of a component of a field on some cells.
inline std::uint64_t hash_of(Subset<2> const& cells, double const* values, std::uint64_t salt) {
  return reduce<Kokkos::Sum, std::uint64_t>("sparse::live::hash", cells, HashCell{values, salt << 40});
}

}  // namespace sparse::live
