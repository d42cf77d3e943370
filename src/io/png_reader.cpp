#include "png_reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkPointData.h>

#include "failure.hpp"
#include "vtk_errors.hpp"

namespace sparse::io {
namespace {

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

/// Walks over the chunks, as the decoder would read a broken file without a word.
void check_chunks(std::filesystem::path const& path, std::string_view bytes, std::int64_t pixel_limit) {
  std::size_t at = signature.size();
  std::string_view type;
  for (bool has_data = false; type != "IEND"; has_data = has_data || type == "IDAT") {
    if (bytes.size() - at < 12) file_failure(path, "truncated PNG file");
    std::size_t const length = big_endian(bytes.substr(at));
    if (length > bytes.size() - at - 12) file_failure(path, "truncated PNG file");
    type = bytes.substr(at + 4, 4);
    if (big_endian(bytes.substr(at + 8 + length)) != crc(bytes.substr(at + 4, 4 + length)))
      file_failure(path, "corrupt PNG file: a checksum is wrong");
    if ((at == signature.size()) != (type == "IHDR") || (type == "IHDR" && length != 13) ||
        (type == "IEND" && !has_data))
      file_failure(path, "corrupt PNG file: its parts are out of order");
    if (type == "IHDR") {
      std::int64_t const width = big_endian(bytes.substr(at + 8)), height = big_endian(bytes.substr(at + 12));
      if (width < 1 || height < 1 || width > pixel_limit / height)
        file_failure(path, fmt::format("{} x {} pixels are none or too many", width, height));
    }
    at += 12 + length;
  }
}

}  // namespace

bool is_png(std::string const& bytes) { return bytes.starts_with(signature); }

Bitmap read_png(std::filesystem::path const& path, std::string const& bytes, std::int64_t pixel_limit) {
  check_chunks(path, bytes, pixel_limit);

  vtkNew<vtkPNGReader> reader;
  VtkErrors const errors(*reader);
  reader->SetMemoryBuffer(bytes.data());
  reader->SetMemoryBufferLength(static_cast<vtkIdType>(bytes.size()));
  reader->Update();
  auto* const image = reader->GetOutput();
  auto* const scalars = image->GetPointData()->GetScalars();
  auto const* const size = image->GetDimensions();
  auto const pixels = static_cast<vtkIdType>(size[0]) * size[1];
  if (!errors.text().empty() || reader->GetErrorCode() != 0 || !scalars || pixels == 0 ||
      scalars->GetNumberOfTuples() != pixels)
    file_failure(path, "corrupt PNG file: " + (errors.text().empty() ? "it cannot be decoded" : errors.text()));

  int const components = scalars->GetNumberOfComponents();
  bool const coloured = components >= 3, transparent = components == 2 || components == 4;
  double const white = scalars->GetDataType() == VTK_UNSIGNED_SHORT ? 65535 : 255;
  Bitmap bitmap{size[0], size[1], {}};
  bitmap.pixels.resize(static_cast<std::size_t>(pixels));
  for (vtkIdType i = 0; i < pixels; ++i) {
    auto const channel = [&](int c) { return scalars->GetComponent(i, c) / white; };
    double grey = coloured ? 0.299 * channel(0) + 0.587 * channel(1) + 0.114 * channel(2) : channel(0);
    if (transparent) grey = 1 + channel(components - 1) * (grey - 1);
    bitmap.pixels[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::lround(255 * grey));
  }
  return bitmap;
}

}  // namespace sparse::io
