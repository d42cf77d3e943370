#include "png_reader.hpp"

#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "io/files/failure.hpp"

namespace sparse::io {
namespace {

/// Wraps libpng, reading from memory. It reports errors by longjmp, which must not skip destructors.
struct Decoder {
  std::filesystem::path const& path;
  std::string_view rest;
  std::array<char, 256> complaint{};  ///< the first message: warnings before an error say more than the error
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, stop, note);
  png_infop info = png_create_info_struct(png);

  Decoder(std::filesystem::path const& from, std::string_view bytes) : path(from), rest(bytes) {}
  Decoder(Decoder const&) = delete;
  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }

  static void note(png_structp png, png_const_charp text) {
    auto& complaint = static_cast<Decoder*>(png_get_error_ptr(png))->complaint;
    if (!complaint[0]) std::snprintf(complaint.data(), complaint.size(), "%s", text);
  }
  [[noreturn]] static void stop(png_structp png, png_const_charp text) {
    note(png, text);
    png_longjmp(png, 1);
  }
  static void read(png_structp png, png_bytep out, std::size_t count) {
    auto& rest = static_cast<Decoder*>(png_get_io_ptr(png))->rest;
    if (count > rest.size()) png_error(png, "it is truncated");
    std::memcpy(out, rest.data(), count);
    rest.remove_prefix(count);
  }

  /// Calls `step()`, which must own nothing, and throws the errors of libpng.
  template <class Step>
  void run(Step const& step) {
    if (!info) file_failure(path, "libpng does not start");
    if (setjmp(png_jmpbuf(png))) file_failure(path, fmt::format("corrupt PNG file: {}", complaint.data()));
    step();
  }

  /// Reads up to the pixels. Everything that libpng could forgive is an error. For chunks that do not matter, only
  /// checksums are tested, because common programs write faulty colour profiles.
  void read_header() {
    run([this] {
      png_set_read_fn(png, this, read);
      png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      png_set_benign_errors(png, 0);
      png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_read_info(png, info);
    });
  }

  /// Reads the pixels, the bottom row first: grey values, or indices into the palette.
  void read_pixels(std::uint8_t* pixels) {
    run([this, pixels] {
      png_color_16 const white{0, 255, 255, 255, 255};
      if (has_palette()) {
        png_set_packing(png);
      } else {
        png_set_expand(png);  // for pixels of few bits and transparent colours
        png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
        png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1);
        png_set_scale_16(png);
      }
      int const passes = png_set_interlace_handling(png);
      png_read_update_info(png, info);
      std::size_t const width = png_get_image_width(png, info), height = png_get_image_height(png, info);
      if (png_get_rowbytes(png, info) != width) png_error(png, "not one byte per pixel");
      for (int pass = 0; pass < passes; ++pass)
        for (auto y = height; y-- > 0;) png_read_row(png, pixels + y * width, nullptr);
      png_read_end(png, nullptr);
    });
  }

  bool has_palette() const { return png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE; }

  /// Done here, because libpng takes colours that are missing in the palette for black.
  void apply_palette(std::vector<std::uint8_t>& pixels) const {
    png_colorp colours = nullptr;
    png_bytep alphas = nullptr;
    int colour_count = 0, alpha_count = 0;
    png_get_PLTE(png, info, &colours, &colour_count);
    png_get_tRNS(png, info, &alphas, &alpha_count, nullptr);
    std::array<std::uint8_t, 256> grey{};
    for (int i = 0; i < colour_count; ++i) {
      double const luminance = 0.299 * colours[i].red + 0.587 * colours[i].green + 0.114 * colours[i].blue;
      grey[i] =
          static_cast<std::uint8_t>(std::lround(255 + (i < alpha_count ? alphas[i] / 255.0 : 1) * (luminance - 255)));
    }
    for (auto& pixel : pixels) {
      if (pixel >= colour_count) file_failure(path, "corrupt PNG file: a colour is missing in the palette");
      pixel = grey[pixel];
    }
  }
};

}  // namespace

bool is_png(std::string const& bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

Bitmap read_png(std::filesystem::path const& path, std::string const& bytes, std::int64_t pixel_limit) {
  Decoder decoder(path, bytes);
  decoder.read_header();
  std::int64_t const width = png_get_image_width(decoder.png, decoder.info);
  std::int64_t const height = png_get_image_height(decoder.png, decoder.info);
  if (width > pixel_limit / height) file_failure(path, fmt::format("{} x {} pixels are too many", width, height));
  // Checks that the bytes can hold the pixels before taking memory for them.
  constexpr std::int64_t greatest_expansion = 1032;  // greatest ratio of deflate
  auto const row_bytes = static_cast<std::int64_t>(png_get_rowbytes(decoder.png, decoder.info));
  if (row_bytes * height / greatest_expansion > static_cast<std::int64_t>(bytes.size()))
    file_failure(path, fmt::format("truncated: {} x {} pixels cannot be in {} bytes", width, height, bytes.size()));
  Bitmap bitmap{static_cast<int>(width), static_cast<int>(height), {}};
  bitmap.pixels.resize(static_cast<std::size_t>(width * height));
  decoder.read_pixels(bitmap.pixels.data());
  if (decoder.has_palette()) decoder.apply_palette(bitmap.pixels);
  return bitmap;
}

}  // namespace sparse::io
