#include <cstdint>

#include <png.h>

#include <sparse/io/pictures/image.hpp>

#include "io/files/failure.hpp"

namespace sparse::io {

Image read_png(std::filesystem::path const& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0) file_failure(path, png.message);
  png.format = PNG_FORMAT_RGB;
  if (png.width > 65536 || png.height > 65536) {
    png_image_free(&png);
    file_failure(path, "a picture has at most 65536 pixels per side");
  }
  Image image(static_cast<int>(png.width), static_cast<int>(png.height), {});
  if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) == 0) file_failure(path, png.message);
  return image;
}

}  // namespace sparse::io
