#pragma once
/// A small fixed-width font for the labels of pictures.

#include <array>
#include <cstdint>

namespace sparse::io {

inline constexpr int glyph_width = 5, glyph_height = 9;

/// Rows from top to bottom, the last two for what hangs below the baseline; the leftmost pixel of a row is its highest
/// bit of five.
using Glyph = std::array<std::uint8_t, glyph_height>;

/// The glyph of a printable ASCII character; a box for any other byte.
Glyph const& glyph_of(char c);

}  // namespace sparse::io
