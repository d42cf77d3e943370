#include "png_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkZLibDataCompressor.h>

#include "failure.hpp"
#include "vtk_errors.hpp"

// VTK has a reader for PNG files, too. It is not used because version 9.1 crashes when the data of one are corrupt.

namespace sparse::io {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The checksum of PNG chunks (ISO 3309).
std::uint32_t crc(std::string_view bytes) {
  static auto const table = [] {
    std::array<std::uint32_t, 256> entries;
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t c = n;
      for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      entries[n] = c;
    }
    return entries;
  }();
  std::uint32_t c = 0xffffffffu;
  for (char byte : bytes) c = table[(c ^ static_cast<unsigned char>(byte)) & 0xff] ^ (c >> 8);
  return ~c;
}

enum ColourType { grey = 0, rgb = 2, palette = 3, grey_alpha = 4, rgb_alpha = 6 };

/// What the chunks of a file hold.
struct Chunks {
  int width = 0, height = 0, depth = 0, colour = 0;
  std::string_view colours;  ///< three bytes per entry of the palette
  std::string data;          ///< deflated rows

  int channels() const { return colour == rgb ? 3 : colour == rgb_alpha ? 4 : colour == grey_alpha ? 2 : 1; }
  std::size_t row_bytes() const {
    return (static_cast<std::size_t>(width) * static_cast<std::size_t>(channels() * depth) + 7) / 8;
  }
};

void read_header(std::filesystem::path const& path, Chunks& chunks, std::string_view header, std::int64_t pixel_limit) {
  std::int64_t const width = big_endian(header), height = big_endian(header.substr(4));
  if (width < 1 || height < 1 || width > pixel_limit / height)
    file_failure(path, fmt::format("{} x {} pixels are none or too many", width, height));
  chunks.width = static_cast<int>(width);
  chunks.height = static_cast<int>(height);
  chunks.depth = header[8];
  chunks.colour = header[9];
  bool const known = chunks.colour == grey      ? std::string_view("\1\2\4\x8\x10").find(header[8]) != std::string::npos
                     : chunks.colour == palette ? std::string_view("\1\2\4\x8").find(header[8]) != std::string::npos
                     : chunks.colour == rgb || chunks.colour == grey_alpha || chunks.colour == rgb_alpha
                         ? chunks.depth == 8 || chunks.depth == 16
                         : false;
  if (!known || header[10] != 0 || header[11] != 0)
    file_failure(path, fmt::format("corrupt PNG file: colour type {} with {} bits", chunks.colour, chunks.depth));
  if (header[12] != 0) file_failure(path, "interlaced PNG files cannot be read; save it without interlacing");
}

Chunks read_chunks(std::filesystem::path const& path, std::string_view bytes, std::int64_t pixel_limit) {
  Chunks chunks;
  std::string_view type;
  for (std::size_t at = signature.size(); type != "IEND";) {
    bool const first = at == signature.size();
    std::size_t const left = bytes.size() - at;
    std::size_t const length = left < 12 ? 0 : big_endian(bytes.substr(at));
    if (left < 12 || length > left - 12) file_failure(path, "truncated PNG file");
    type = bytes.substr(at + 4, 4);
    auto const data = bytes.substr(at + 8, length);
    if (big_endian(bytes.substr(at + 8 + length)) != crc(bytes.substr(at + 4, 4 + length)))
      file_failure(path, "corrupt PNG file: a checksum is wrong");
    if (first != (type == "IHDR") || (type == "IHDR" && length != 13) || (type == "IEND" && chunks.data.empty()))
      file_failure(path, "corrupt PNG file: its parts are out of order");
    if (type == "IHDR") read_header(path, chunks, data, pixel_limit);
    if (type == "PLTE") chunks.colours = data;
    if (type == "IDAT") chunks.data += data;
    at += 12 + length;
  }
  return chunks;
}

/// The filtered rows, each after the byte that tells its filter.
Bytes inflate(std::filesystem::path const& path, Chunks const& chunks) {
  Bytes rows((chunks.row_bytes() + 1) * static_cast<std::size_t>(chunks.height));
  vtkNew<vtkZLibDataCompressor> zlib;
  VtkErrors const errors(*zlib);
  auto const size = zlib->Uncompress(reinterpret_cast<unsigned char const*>(chunks.data.data()), chunks.data.size(),
                                     rows.data(), rows.size());
  if (size != rows.size() || !errors.text().empty())
    file_failure(path, "corrupt PNG file: its pixels cannot be unpacked");
  return rows;
}

/// Undoes the filter of one row (PNG specification, chapter 9).
void unfilter(std::filesystem::path const& path, int filter, std::uint8_t* row, std::uint8_t const* above,
              std::size_t size, std::size_t pixel) {
  for (std::size_t i = 0; i < size; ++i) {
    int const a = i >= pixel ? row[i - pixel] : 0, b = above ? above[i] : 0;
    int const c = above && i >= pixel ? above[i - pixel] : 0;
    int predicted = 0;
    switch (filter) {
    case 0:
      break;
    case 1:
      predicted = a;
      break;
    case 2:
      predicted = b;
      break;
    case 3:
      predicted = (a + b) / 2;
      break;
    case 4: {  // Paeth
      int const to_a = std::abs(b - c), to_b = std::abs(a - c), to_c = std::abs(a + b - 2 * c);
      predicted = to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c;
      break;
    }
    default:
      file_failure(path, "corrupt PNG file: an unknown filter");
    }
    row[i] = static_cast<std::uint8_t>(row[i] + predicted);
  }
}

double luminance(double r, double g, double b) { return 0.299 * r + 0.587 * g + 0.114 * b; }

}  // namespace

bool is_png(std::string const& bytes) { return bytes.starts_with(signature); }

Bitmap read_png(std::filesystem::path const& path, std::string const& bytes, std::int64_t pixel_limit) {
  Chunks const file = read_chunks(path, bytes, pixel_limit);
  Bytes rows = inflate(path, file);
  auto const row_bytes = file.row_bytes();
  auto const pixel_bytes = static_cast<std::size_t>(std::max(1, file.channels() * file.depth / 8));
  double const white = (1 << file.depth) - 1;

  Bitmap bitmap{file.width, file.height,
                Bytes(static_cast<std::size_t>(file.width) * static_cast<std::size_t>(file.height))};
  std::uint8_t const* above = nullptr;
  for (int y = 0; y < file.height; ++y) {
    auto* const row = rows.data() + static_cast<std::size_t>(y) * (row_bytes + 1) + 1;
    unfilter(path, row[-1], row, above, row_bytes, pixel_bytes);
    above = row;

    auto const sample = [&](int x, int channel) -> int {
      auto const i =
          static_cast<std::size_t>(x) * static_cast<std::size_t>(file.channels()) + static_cast<std::size_t>(channel);
      if (file.depth == 16) return row[2 * i] * 256 + row[2 * i + 1];
      if (file.depth == 8) return row[i];
      auto const bit = i * static_cast<std::size_t>(file.depth);
      return row[bit / 8] >> (8 - file.depth - static_cast<int>(bit % 8)) & ((1 << file.depth) - 1);
    };
    auto* const out =
        bitmap.pixels.data() + static_cast<std::size_t>(file.height - 1 - y) * static_cast<std::size_t>(file.width);
    for (int x = 0; x < file.width; ++x) {
      double value;
      if (file.colour == palette) {
        auto const entry = 3 * static_cast<std::size_t>(sample(x, 0));
        if (entry + 3 > file.colours.size()) file_failure(path, "corrupt PNG file: a colour is missing in the palette");
        auto const part = [&](std::size_t c) { return static_cast<unsigned char>(file.colours[entry + c]) / 255.0; };
        value = luminance(part(0), part(1), part(2));
      } else {
        auto const part = [&](int c) { return sample(x, c) / white; };
        value = file.channels() >= 3 ? luminance(part(0), part(1), part(2)) : part(0);
        if (file.channels() % 2 == 0) value = 1 + part(file.channels() - 1) * (value - 1);  // over white
      }
      out[x] = static_cast<std::uint8_t>(std::lround(255 * value));
    }
  }
  return bitmap;
}

}  // namespace sparse::io
