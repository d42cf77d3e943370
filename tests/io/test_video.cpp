/// Films: what an Ogg Theora reader must find in them.

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <sparse/io/pictures/video.hpp>
#include <support/refused.hpp>

namespace {

namespace fs = std::filesystem;
using sparse::io::Image;
using sparse::io::VideoWriter;

std::string contents_of(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::uint32_t number(std::string const& bytes, std::size_t at, int count, bool is_big_endian) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    auto const byte = static_cast<std::uint8_t>(bytes.at(at + static_cast<std::size_t>(i)));
    value |= std::uint32_t{byte} << 8 * (is_big_endian ? count - 1 - i : i);
  }
  return value;
}

/// The checksum of an Ogg page (RFC 3533, section 6), bit by bit.
std::uint32_t checksum(std::string const& page) {
  std::uint32_t sum = 0;
  for (char const c : page) {
    sum ^= std::uint32_t{static_cast<std::uint8_t>(c)} << 24;
    for (int bit = 0; bit < 8; ++bit) sum = (sum << 1) ^ ((sum >> 31) != 0 ? 0x04c11db7u : 0u);
  }
  return sum;
}

/// The packets of the only stream of an Ogg file. Fails if a page is broken, missing, or of another stream.
std::vector<std::string> packets_of(std::string const& file) {
  std::vector<std::string> packets;
  std::string packet;
  std::uint32_t page_count = 0, stream = 0;
  bool has_ended = false;
  for (std::size_t at = 0; at < file.size(); ++page_count) {
    EXPECT_EQ(file.substr(at, 5), std::string("OggS\0", 5)) << "page " << page_count;
    auto const flags = number(file, at + 5, 1, false);
    EXPECT_EQ((flags & 2) != 0, page_count == 0);
    EXPECT_FALSE(has_ended);
    has_ended = (flags & 4) != 0;
    if (page_count == 0) stream = number(file, at + 14, 4, false);
    EXPECT_EQ(number(file, at + 14, 4, false), stream);
    EXPECT_EQ(number(file, at + 18, 4, false), page_count);
    std::size_t const segment_count = number(file, at + 26, 1, false);
    std::size_t body = at + 27 + segment_count;
    for (std::size_t s = 0; s < segment_count; ++s) {
      auto const size = number(file, at + 27 + s, 1, false);
      packet += file.substr(body, size);
      body += size;
      if (size == 255) continue;
      packets.push_back(packet);
      packet.clear();
    }
    std::string page = file.substr(at, body - at);
    auto const written = number(page, 22, 4, false);
    page.replace(22, 4, 4, '\0');
    EXPECT_EQ(checksum(page), written) << "page " << page_count;
    at = body;
  }
  EXPECT_TRUE(has_ended && packet.empty());
  return packets;
}

Image picture(int width, int height, int k) {
  Image image(width, height, {255, 255, 255});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.at(x, y) = {static_cast<std::uint8_t>(x + 3 * k), static_cast<std::uint8_t>(2 * y), 80};
  return image;
}

}  // namespace

TEST(Video, IsAStreamOfTheoraFrames) {
  struct Film {
    int width, height, rate, frames;
  };
  for (auto const& [width, height, rate, frames] : {Film{64, 48, 25, 12}, Film{321, 201, 30, 3}, Film{17, 90, 1, 1}}) {
    fs::path const path = "film.ogv";
    fs::remove(path);
    VideoWriter film(path, rate);
    for (int k = 0; k < frames; ++k) film.add(picture(width, height, k));
    EXPECT_FALSE(fs::exists(path));
    film.finish();
    auto const packets = packets_of(contents_of(path));
    // Theora I specification, section 6.2: identification, comments, set-up; then frames.
    ASSERT_EQ(packets.size(), static_cast<std::size_t>(3 + frames));
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(packets[i].substr(0, 7), std::string(1, static_cast<char>(0x80 + i)) + "theora");
    auto const& header = packets[0];
    EXPECT_EQ(number(header, 7, 2, true), 0x0302u);
    EXPECT_EQ(number(header, 14, 3, true), static_cast<std::uint32_t>(width + width % 2));
    EXPECT_EQ(number(header, 17, 3, true), static_cast<std::uint32_t>(height + height % 2));
    EXPECT_EQ(number(header, 22, 4, true), static_cast<std::uint32_t>(rate) * number(header, 26, 4, true));
    EXPECT_EQ(static_cast<std::uint8_t>(packets[3][0]) & 0xc0, 0);  // the first frame needs no other
    for (std::size_t i = 3; i < packets.size(); ++i)
      EXPECT_TRUE(packets[i].empty() || (static_cast<std::uint8_t>(packets[i][0]) & 0x80) == 0);
    fs::remove(path);
  }
}

TEST(Video, LeavesNothingUnlessItIsFinished) {
  fs::create_directory("films");
  {
    VideoWriter film("films/film.ogv", 25);
    film.add(picture(32, 32, 0));
    EXPECT_FALSE(fs::is_empty("films"));
  }
  EXPECT_TRUE(fs::is_empty("films"));
  {
    VideoWriter film("films/film.ogv", 25);
    film.add(picture(32, 32, 0));
    VideoWriter moved(std::move(film));
    moved.finish();
  }
  EXPECT_TRUE(fs::exists("films/film.ogv"));
  fs::remove_all("films");
}

TEST(Video, RefusesWhatIsNoFilm) {
  using reference::is_refused;
  EXPECT_TRUE(is_refused([] { VideoWriter("film.ogv", 0); }, "pictures per second"));
  EXPECT_TRUE(is_refused([] { VideoWriter("film.ogv", 25, 3); }, "quality"));
  EXPECT_TRUE(is_refused([] { VideoWriter("film.ogv", 25).finish(); }, "needs pictures"));
  VideoWriter film("film.ogv", 25);
  EXPECT_TRUE(is_refused([&] { film.add(Image()); }, "needs pixels"));
  film.add(picture(32, 32, 0));
  EXPECT_TRUE(is_refused([&] { film.add(picture(32, 34, 0)); }, "32 x 34"));
  VideoWriter nowhere("no/such/folder/film.ogv", 25);
  EXPECT_THROW(nowhere.add(picture(32, 32, 0)), std::runtime_error);
}
