#include <sparse/io/pictures/bitmap.hpp>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/files/failure.hpp"
#include "io/files/file_contents.hpp"
#include "png_reader.hpp"

namespace sparse::io {
namespace {

constexpr std::int64_t pixel_limit = std::int64_t{1} << 28;

/// Reads the text parts of a PBM or PGM file: numbers between white space and comments.
class NetpbmReader {
public:
  NetpbmReader(std::filesystem::path const& path, std::string const& bytes) : path_(path), bytes_(bytes) {}

  Bitmap read() {
    int const kind = bytes_[1] - '0';
    bool const bits = kind == 1 || kind == 4, text = kind < 4;
    at_ = 2;
    std::int64_t const width = number("width", 1, pixel_limit), height = number("height", 1, pixel_limit);
    if (width > pixel_limit / height) failed(fmt::format("{} x {} pixels are too many", width, height));
    auto const white = bits ? 1 : static_cast<int>(number("largest value", 1, 65535));

    // Checks that the pixels exist before taking memory for them. A number takes at least a digit and a space.
    std::int64_t const sample_bytes = white > 255 ? 2 : 1;
    std::int64_t const row_bytes = kind == 4 ? (width + 7) / 8 : kind == 5 ? width * sample_bytes : 0;
    if (!text) {
      if (at_ >= bytes_.size() || !std::isspace(static_cast<unsigned char>(bytes_[at_])))
        failed("the header does not end with white space");
      ++at_;
    }
    std::int64_t const needed = kind == 1 ? width * height : kind == 2 ? 2 * width * height : row_bytes * height;
    std::int64_t const left = static_cast<std::int64_t>(bytes_.size() - at_);
    if (left < needed)
      failed(fmt::format("truncated: {} x {} pixels need {} bytes, {} are there", width, height, needed, left));

    Bitmap bitmap{static_cast<int>(width), static_cast<int>(height), {}};
    bitmap.pixels.resize(static_cast<std::size_t>(width * height));
    for (std::int64_t y = height - 1; y >= 0; --y) {  // the file starts with the top row
      auto* const row = bitmap.pixels.data() + y * width;
      auto const* const raw = reinterpret_cast<unsigned char const*>(bytes_.data()) + at_;
      for (std::int64_t x = 0; x < width; ++x) {
        int value;
        switch (kind) {
        case 1:
          value = 1 - digit();
          break;
        case 2:
          value = static_cast<int>(number("pixel", 0, white));
          break;
        case 4:
          value = 1 - (raw[x / 8] >> (7 - x % 8) & 1);
          break;
        default:
          value = sample_bytes == 1 ? raw[x] : raw[2 * x] * 256 + raw[2 * x + 1];
        }
        if (value > white) failed(fmt::format("the pixel value {} exceeds the largest value {}", value, white));
        row[x] = static_cast<std::uint8_t>((value * 255 + white / 2) / white);
      }
      at_ += static_cast<std::size_t>(row_bytes);
    }
    return bitmap;
  }

private:
  [[noreturn]] void failed(std::string const& reason) const { file_failure(path_, reason); }

  void skip_space() {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '#') {
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      } else if (std::isspace(static_cast<unsigned char>(bytes_[at_]))) {
        ++at_;
      } else {
        break;
      }
    }
  }

  std::int64_t number(char const* what, std::int64_t low, std::int64_t high) {
    std::size_t const before = at_;
    skip_space();
    if (at_ == bytes_.size()) failed(fmt::format("truncated: the {} is missing", what));
    if (at_ == before) failed(fmt::format("the {} is not separated by white space", what));
    std::int64_t value = 0;
    std::size_t const begin = at_;
    for (; at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; ++at_)
      value = std::min<std::int64_t>(value * 10 + (bytes_[at_] - '0'), std::int64_t{1} << 40);
    if (at_ == begin) failed(fmt::format("the {} is not a number", what));
    if (value < low || value > high) failed(fmt::format("the {} {} is not in [{}, {}]", what, value, low, high));
    return value;
  }

  /// A pixel of P1; no space is needed around it.
  int digit() {
    skip_space();
    if (at_ == bytes_.size()) failed("truncated: pixels are missing");
    char const c = bytes_[at_++];
    if (c != '0' && c != '1') failed("a pixel is neither 0 nor 1");
    return c - '0';
  }

  std::filesystem::path const& path_;
  std::string const& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

Bitmap decode_bitmap(std::string const& bytes, std::filesystem::path const& path) {
  if (is_png(bytes)) return read_png(path, bytes, pixel_limit);
  if (bytes.size() >= 2 && bytes[0] == 'P' && std::string_view("1245").find(bytes[1]) != std::string_view::npos)
    return NetpbmReader(path, bytes).read();
  file_failure(path, bytes.empty() ? "the file is empty" : "neither a PBM, PGM nor PNG file");
}

Bitmap read_bitmap(std::filesystem::path const& path) {
  std::string bytes;
  try {
    bytes = contents_of_file(path);
  } catch (std::runtime_error const& error) {
    file_failure(path, error.what());
  }
  return decode_bitmap(bytes, path);
}

std::vector<std::uint8_t> dark_pixels(Bitmap const& bitmap, int threshold) {
  std::vector<std::uint8_t> dark(bitmap.pixels.size());
  std::transform(bitmap.pixels.begin(), bitmap.pixels.end(), dark.begin(),
                 [&](std::uint8_t grey) { return static_cast<std::uint8_t>(grey < threshold); });
  return dark;
}

}  // namespace sparse::io
