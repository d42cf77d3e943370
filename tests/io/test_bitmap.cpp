#include <stdexcept>

#include <gtest/gtest.h>
#include <png.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/pictures/bitmap.hpp>
#include <sparse/io/pictures/image.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;

class Bitmaps : public testing::Test {
protected:
  io::Bitmap read(std::string const& bytes) {
    io::write_text(folder / "picture", bytes);
    return io::read_bitmap(folder / "picture");
  }
  void expect_refused(std::string const& bytes, std::string const& reason) {
    try {
      auto const bitmap = read(bytes);
      ADD_FAILURE() << bitmap.width << " x " << bitmap.height << " were read, expected: " << reason;
    } catch (std::runtime_error const& error) {
      std::string const what = error.what();
      EXPECT_EQ(what.find((folder / "picture").string() + ": "), 0u) << what;
      EXPECT_NE(what.find(reason), std::string::npos) << what;
    }
  }
  Folder folder;
};

using Pixels = std::vector<std::uint8_t>;

TEST_F(Bitmaps, AllNetpbmKindsReadWithTheBottomRowFirst) {
  for (std::string const& file :
       {std::string("P1\n# drawn by hand\n3 2\n1 1 0\n0 1 0\n"), std::string("P1 3 2 110010"),
        std::string("P4\n3 2\n") + '\xc0' + '\x40', std::string("P2 3 2 9\n0 0 9\n9 0 9"),
        std::string("P5 #c\n3 2 1\n") + std::string("\0\0\1\1\0\1", 6),
        std::string("P5 3 2 65535 ") + std::string("\0\0\0\0\xff\xff\xff\xff\0\0\xff\xff", 12)}) {
    auto const bitmap = read(file);
    ASSERT_EQ(bitmap.width, 3) << file;
    ASSERT_EQ(bitmap.height, 2);
    EXPECT_EQ(bitmap.pixels, (Pixels{255, 0, 255, 0, 0, 255})) << file;
    EXPECT_EQ(bitmap.at(0, 1), 0);
    EXPECT_EQ(io::dark_pixels(bitmap), (Pixels{0, 1, 0, 1, 1, 0}));
  }
  EXPECT_EQ(read("P2 2 1 100 50 25").pixels, (Pixels{128, 64}));
}

TEST_F(Bitmaps, EveryTruncationIsReported) {
  std::string const p5 = "P5\n12 9\n255\n" + std::string(108, 'x'), p4 = "P4\n12 9\n" + std::string(18, 'x');
  std::string const p1 = "P1\n4 3\n1 0 1 0  0 1 1 0  0 0 0 1", p2 = "P2\n2 2\n9\n1 2 3 4";
  for (auto const& whole : {p5, p4, p1, p2}) {
    EXPECT_NO_THROW(read(whole));
    for (std::size_t length = 0; length < whole.size(); ++length) expect_refused(whole.substr(0, length), "");
  }
  expect_refused(p5.substr(0, 100), "truncated: 12 x 9 pixels need 108 bytes, 88 are there");
  expect_refused("", "empty");
  expect_refused("P", "neither");
}

TEST_F(Bitmaps, BrokenHeadersAndPixelsAreReported) {
  expect_refused("P6 1 1 255 xxx", "neither a PBM, PGM nor PNG file");
  expect_refused("GIF89a", "neither");
  expect_refused("P5 0 4 255 ", "width 0 is not in");
  expect_refused("P5 -3 4 255 ", "width is not a number");
  expect_refused("P5 3 x 255 ", "height is not a number");
  expect_refused("P5 3 3 0 xxxxxxxxx", "largest value 0");
  expect_refused("P5 3 3 70000 xxxxxxxxx", "largest value 70000");
  expect_refused("P53 3 255 xxxxxxxxx", "not separated");
  expect_refused("P5 99999999 99999999 255 x", "too many");
  expect_refused("P5 99999999999999999999999999 1 255 x", "width");
  expect_refused("P5 16384 16384 255 x", "truncated");
  expect_refused("P5 1 1 9 x", "exceeds the largest value 9");
  expect_refused("P2 1 1 9 10", "pixel 10 is not in");
  expect_refused("P2 2 1 9 1 -1", "pixel is not a number");
  expect_refused("P1 2 1 1 2", "neither 0 nor 1");
  EXPECT_THROW(io::read_bitmap(folder / "missing"), std::runtime_error);
  EXPECT_THROW(io::read_bitmap(folder / ""), std::runtime_error);
}

/// A PNG file of 8 or 16 bits; `value(x, y, component)` with y up.
template <class Value>
std::string png(int width, int height, int components, int bits, Value&& value) {
  constexpr int kinds[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                           PNG_COLOR_TYPE_RGB_ALPHA};
  std::string file;
  png_structp writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(writer);
  png_set_write_fn(
      writer, &file,
      [](png_structp to, png_bytep bytes, std::size_t count) {
        static_cast<std::string*>(png_get_io_ptr(to))->append(reinterpret_cast<char const*>(bytes), count);
      },
      nullptr);
  png_set_IHDR(writer, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits,
               kinds[components - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(writer, info);
  for (int y = height - 1; y >= 0; --y) {
    std::vector<png_byte> row;
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < components; ++c) {
        int const number = value(x, y, c);
        if (bits == 16) row.push_back(static_cast<png_byte>(number >> 8));
        row.push_back(static_cast<png_byte>(number));
      }
    png_write_row(writer, row.data());
  }
  png_write_end(writer, info);
  png_destroy_write_struct(&writer, &info);
  return file;
}

TEST_F(Bitmaps, PngOfEveryKindBecomesGrey) {
  auto const grey = [](int x, int y, int) { return 10 * x + 3 * y; };
  for (int components : {1, 2, 3, 4}) {
    auto const bitmap = read(png(7, 5, components, 8, [&](int x, int y, int c) {
      return c == components - 1 && components % 2 == 0 ? 255 : grey(x, y, c);
    }));
    ASSERT_EQ(bitmap.width, 7);
    ASSERT_EQ(bitmap.height, 5);
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x) EXPECT_EQ(bitmap.at(x, y), grey(x, y, 0)) << components << " components";
  }
  auto const deep = read(png(7, 5, 1, 16, [&](int x, int y, int c) { return 257 * grey(x, y, c); }));
  EXPECT_EQ(deep.at(6, 4), 72);
  auto const clear = read(png(2, 2, 4, 8, [&](int, int y, int c) { return c == 3 && y == 1 ? 255 : 0; }));
  EXPECT_EQ(clear.pixels, (Pixels{255, 255, 0, 0}));

  io::Image image(150, 90, {});
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 150; ++x) {
      auto const shade = static_cast<std::uint8_t>(x + y / 2 + (x % 7 == 0 ? 40 : 0) + (x * y) % 5);
      image.at(x, y) = {shade, shade, shade};
    }
  io::write_png(folder / "grey.png", image);
  auto const bitmap = io::read_bitmap(folder / "grey.png");
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 150; ++x) ASSERT_EQ(bitmap.at(x, 89 - y), image.at(x, y)[0]);
  io::write_png(folder / "red.png", io::Image(2, 1, {255, 0, 0}));
  EXPECT_EQ(io::read_bitmap(folder / "red.png").pixels, (Pixels{76, 76}));
}

TEST_F(Bitmaps, EveryTruncationAndEveryWrongByteOfAPngIsReported) {
  auto const whole = png(9, 6, 3, 8, [](int x, int y, int c) { return 20 * x + y + c; });
  EXPECT_NO_THROW(read(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) expect_refused(whole.substr(0, length), "");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    auto broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ 0x20);
    expect_refused(broken, "");
  }
}

std::string chunk(std::string const& type, std::string const& data) {
  auto const number = [](std::uint32_t n) {
    return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                       static_cast<char>(n)};
  };
  std::uint32_t crc = ~0u;
  for (char byte : type + data) {
    crc ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return number(static_cast<std::uint32_t>(data.size())) + type + data + number(~crc);
}

/// Deflated without compression: one stored block and its Adler-32 checksum.
std::string stored(std::string const& raw) {
  std::uint32_t a = 1, b = 0;
  for (char c : raw) a = (a + static_cast<unsigned char>(c)) % 65521, b = (b + a) % 65521;
  auto const size = static_cast<unsigned>(raw.size());
  return std::string{'\x78',
                     1,
                     1,
                     static_cast<char>(size),
                     static_cast<char>(size >> 8),
                     static_cast<char>(~size),
                     static_cast<char>(~size >> 8)} +
         raw +
         std::string{static_cast<char>(b >> 8), static_cast<char>(b), static_cast<char>(a >> 8), static_cast<char>(a)};
}

std::string const signature = "\x89PNG\r\n\x1a\n";

std::string header(char width, char height, char depth, char colour, char interlace = 0) {
  return signature + chunk("IHDR", {0, 0, 0, width, 0, 0, 0, height, depth, colour, 0, 0, interlace});
}

/// A PNG file of 3 x 2 pixels.
std::string small_png(char depth, char colour, std::string const& rows, std::string const& more = "") {
  return header(3, 2, depth, colour) + more + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

TEST_F(Bitmaps, PngsWithRightChecksumsAndWrongContentsAreReported) {
  auto const end = chunk("IEND", "");
  auto const sized = [](std::string const& size) {
    return signature + chunk("IHDR", size + std::string("\x08\0\0\0\0", 5));
  };
  auto const grey = header(4, 4, 8, 0);
  std::string const rows(20, '\0');
  EXPECT_EQ(read(grey + chunk("IDAT", stored(rows)) + end).pixels, Pixels(16, 0));
  expect_refused(sized("\x7f\xff\xff\xff\x7f\xff\xff\xff") + chunk("IDAT", "x") + end, "too many");
  expect_refused(sized(std::string("\0\1\0\0\0\1\0\0", 8)) + chunk("IDAT", "x") + end, "too many");
  expect_refused(sized(std::string(8, '\0')) + chunk("IDAT", "x") + end, "width is zero");
  expect_refused(signature + chunk("IDAT", "x") + grey.substr(signature.size()) + end, "Missing IHDR before IDAT");
  expect_refused(grey + end, "IEND: out of place");
  expect_refused(grey + chunk("IDAT", "not zlib at all") + end, "corrupt PNG file");
  expect_refused(grey + chunk("IDAT", "") + end, "corrupt PNG file");
  expect_refused(grey + chunk("IDAT", stored(rows + '\0')) + end, "corrupt PNG file");
  expect_refused(grey + chunk("IDAT", stored(rows) + "more") + end, "corrupt PNG file");
  expect_refused(grey + chunk("IDAT", stored(rows)), "truncated");
  expect_refused(grey + chunk("NEED", "what?") + chunk("IDAT", stored(rows)) + end, "NEED");
  expect_refused(header(4, 4, 7, 9) + chunk("IDAT", "x") + end, "corrupt PNG file");
}

TEST_F(Bitmaps, WhatDoesNotMatterInAPngIsSkippedYetItsChecksumCounts) {
  std::string const rows("\0\0\x20\x40\0\x60\x80\xff", 8), profile = chunk("iCCP", "not a profile");
  Pixels const expected = {0x60, 0x80, 0xff, 0, 0x20, 0x40};
  EXPECT_EQ(read(small_png(8, 0, rows, profile)).pixels, expected);
  EXPECT_EQ(read(small_png(8, 0, rows, chunk("gAMA", std::string(4, '\1')))).pixels, expected);
  EXPECT_EQ(read(small_png(8, 0, rows) + "more").pixels, expected);
  auto broken = profile;
  broken[10] ^= 1;
  expect_refused(small_png(8, 0, rows, broken), "CRC error");
}

TEST_F(Bitmaps, PngsWithFewBitsOrAPaletteAreUnpacked) {
  Pixels const expected = {255, 0, 0, 0, 0, 255};
  EXPECT_EQ(read(small_png(1, 0, std::string("\0\x20\0\x80", 4))).pixels, expected);
  EXPECT_EQ(read(small_png(2, 0, std::string("\0\x0c\0\xc0", 4))).pixels, expected);
  EXPECT_EQ(read(small_png(4, 0, std::string("\0\0\xf0\0\xf0\0", 6))).pixels, expected);
  EXPECT_EQ(read(small_png(2, 0, std::string("\0\x18\0\xe4", 4))).pixels, (Pixels{255, 170, 85, 0, 85, 170}));
  auto const colours = chunk("PLTE", std::string("\0\0\0\xff\xff\xff", 6));
  std::string const indices("\0\0\0\1\0\1\0\0", 8);
  EXPECT_EQ(read(small_png(8, 3, indices, colours)).pixels, expected);
  EXPECT_EQ(read(small_png(1, 3, std::string("\0\x20\0\x80", 4), colours)).pixels, expected);
  EXPECT_EQ(read(small_png(8, 0, std::string("\1\0\0\xff\1\xff\1\0", 8))).pixels, expected);  // filtered
  expect_refused(small_png(8, 3, std::string("\0\0\0\2\0\1\0\0", 8), colours), "missing in the palette");
  expect_refused(small_png(1, 3, std::string("\0\x20\0\x80", 4), chunk("PLTE", std::string(3, '\0'))),
                 "missing in the palette");
  expect_refused(small_png(8, 3, indices), "PLTE");
  expect_refused(small_png(8, 0, std::string("\5\0\0\0\0\0\0\0", 8)), "filter");
  expect_refused(small_png(8, 0, std::string("\0\0\0\0\0\0\0", 7)), "Not enough image data");
  expect_refused(small_png(7, 0, std::string("\0\0\0\0\0\0\0\0", 8)), "bit depth");
  expect_refused(small_png(16, 3, std::string("\0\0\0\0\0\0\0\0", 8)), "color type/bit depth");
}

TEST_F(Bitmaps, TransparentPartsOfAPngLieOverWhite) {
  auto const colours = chunk("PLTE", std::string("\0\0\0\0\0\0\xff\0\0", 9));
  std::string const indices("\0\0\1\2\0\2\1\0", 8);
  auto const shades = [&](std::string const& alphas) {
    return read(small_png(8, 3, indices, colours + chunk("tRNS", alphas))).pixels;
  };
  EXPECT_EQ(shades(std::string("\0", 1)), (Pixels{76, 0, 255, 255, 0, 76}));
  EXPECT_EQ(shades("\xff\x33"), (Pixels{76, 204, 0, 0, 204, 76}));
  auto const clear = chunk("tRNS", std::string("\0\x20", 2));
  EXPECT_EQ(read(small_png(8, 0, std::string("\0\0\x20\x40\0\x20\x80\xff", 8), clear)).pixels,
            (Pixels{255, 128, 255, 0, 255, 64}));
  std::string const deep("\0\0\0\x80\0\0\0\xff\xff\xff\xff\0\0", 13);  // 16 bits for grey and alpha
  EXPECT_EQ(read(small_png(16, 4, deep + std::string(13, '\0'))).pixels, (Pixels{255, 255, 255, 127, 0, 255}));
  std::string const tinted("\0\xff\0\0\xff\xff\0\0\x80\0\0\0\xff", 13);  // 8 bits for red, green, blue and alpha
  EXPECT_EQ(read(small_png(8, 6, tinted + std::string(13, '\0'))).pixels, (Pixels{255, 255, 255, 76, 165, 0}));
}

TEST_F(Bitmaps, InterlacedPngsEqualPlainOnes) {
  struct Pass {
    int x, y, dx, dy;
  };
  constexpr Pass plain[] = {{0, 0, 1, 1}};
  constexpr Pass adam7[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                            {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  for (auto const& [width, height] : {std::pair{1, 1}, {3, 2}, {5, 9}, {8, 8}, {21, 13}})
    for (int channels : {1, 3, 4}) {
      auto const file = [&](auto const& passes) {
        std::string rows;
        for (auto const& pass : passes)
          for (int y = pass.y; y < height && pass.x < width; y += pass.dy) {
            rows += '\0';
            for (int x = pass.x; x < width; x += pass.dx)
              for (int c = 0; c < channels; ++c) rows += static_cast<char>(7 * x + 5 * y + 60 * c);
          }
        auto const colour = static_cast<char>(channels == 1 ? 0 : channels == 3 ? 2 : 6);
        return header(static_cast<char>(width), static_cast<char>(height), 8, colour, std::size(passes) == 7) +
               chunk("IDAT", stored(rows)) + chunk("IEND", "");
      };
      auto const bitmap = read(file(adam7));
      EXPECT_EQ(bitmap.width, width);
      EXPECT_EQ(bitmap.pixels, read(file(plain)).pixels) << width << " x " << height << ", " << channels << " channels";
      if (channels > 1) continue;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) ASSERT_EQ(bitmap.at(x, height - 1 - y), 7 * x + 5 * y);
    }
}

}  // namespace
