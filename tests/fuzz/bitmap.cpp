// Any bytes are a picture, or refused with a reason.

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <sparse/io/pictures/bitmap.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  try {
    auto const bitmap = sparse::io::decode_bitmap(std::string(reinterpret_cast<char const*>(data), size), "picture");
    auto const pixels = static_cast<std::size_t>(bitmap.width) * static_cast<std::size_t>(bitmap.height);
    if (bitmap.width < 1 || bitmap.height < 1 || bitmap.pixels.size() != pixels) std::abort();
    if (pixels > 2000 * size) std::abort();  // no file is that small
  } catch (std::runtime_error const& error) {
    if (std::string(error.what()).find("picture: ") != 0) std::abort();
  }
  return 0;
}
