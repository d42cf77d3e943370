#pragma once
/// The places of units along a curve through the box.

#include <cstdint>

#include <sparse/base/vec.hpp>

namespace sparse::distributed {

/// A place along a curve.
using Key = std::uint64_t;

/// The place of a point on the Hilbert curve through a cube of 2^bits points per axis. Points that follow each other
/// are neighbours.
/// @param bits  at least 1; Dim times bits is at most 63
/// Source: Skilling (2004), Programming the Hilbert curve, AIP Conf. Proc. 707, 381.
template <int Dim>
Key hilbert_key(Vec<Coord, Dim> const& point, int bits) {
  Vec<std::uint32_t, Dim> x;
  for (int axis = 0; axis < Dim; ++axis) x[axis] = static_cast<std::uint32_t>(point[axis]);
  // Undoes the turns and mirrors of the sub-cubes, from the largest to the smallest.
  for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit > 1; bit >>= 1) {
    std::uint32_t const below = bit - 1;
    for (int axis = 0; axis < Dim; ++axis) {
      std::uint32_t const swapped = (x[axis] & bit) != 0 ? 0 : (x[0] ^ x[axis]) & below;
      x[0] ^= (x[axis] & bit) != 0 ? below : swapped;
      x[axis] ^= swapped;
    }
  }
  // From Gray codes to numbers.
  for (int axis = 1; axis < Dim; ++axis) x[axis] ^= x[axis - 1];
  std::uint32_t flips = 0;
  for (std::uint32_t bit = std::uint32_t{1} << (bits - 1); bit > 1; bit >>= 1)
    if ((x[Dim - 1] & bit) != 0) flips ^= bit - 1;
  Key key = 0;
  for (int b = bits - 1; b >= 0; --b)
    for (int axis = 0; axis < Dim; ++axis) key = key << 1 | (((x[axis] ^ flips) >> b) & 1u);
  return key;
}

/// The place of a point in the order of rows.
template <int Dim>
Key row_major_key(Vec<Coord, Dim> const& point, Vec<Coord, Dim> const& size) {
  Key key = 0;
  for (int axis = Dim - 1; axis >= 0; --axis) key = key * static_cast<Key>(size[axis]) + static_cast<Key>(point[axis]);
  return key;
}

/// A number without visible order, the same for the same key; one for each key (a bijection of 64 bits).
/// Source: the finaliser of MurmurHash3, Appleby (2011).
inline Key scattered(Key key) {
  key = (key ^ (key >> 33)) * 0xff51afd7ed558ccdULL;
  key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return key ^ (key >> 33);
}

}  // namespace sparse::distributed
