/// Films, as libwebp's own reader finds them.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <webp/demux.h>

#include <sparse/io/pictures/video.hpp>
#include <support/refused.hpp>

namespace {

namespace fs = std::filesystem;
using sparse::io::Image;
using sparse::io::VideoWriter;

/// A film, decoded.
struct Film {
  int width = 0, height = 0, loop_count = -1;
  std::vector<int> ends;  // of frames [ms]
  std::vector<Image> frames;
};

Film read_film(fs::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  std::string const bytes = text.str();
  WebPData const data{reinterpret_cast<std::uint8_t const*>(bytes.data()), bytes.size()};
  Film film;
  WebPAnimDecoder* const decoder = WebPAnimDecoderNew(&data, nullptr);
  WebPAnimInfo info;
  if (decoder == nullptr || !WebPAnimDecoderGetInfo(decoder, &info)) {
    ADD_FAILURE() << path << " is no film";
    return film;
  }
  film.width = static_cast<int>(info.canvas_width);
  film.height = static_cast<int>(info.canvas_height);
  film.loop_count = static_cast<int>(info.loop_count);
  while (WebPAnimDecoderHasMoreFrames(decoder)) {
    std::uint8_t* pixels = nullptr;
    int end = 0;
    if (!WebPAnimDecoderGetNext(decoder, &pixels, &end)) {
      ADD_FAILURE() << "frame " << film.frames.size() << " is broken";
      break;
    }
    film.ends.push_back(end);
    Image image(film.width, film.height, {});
    for (std::size_t i = 0; i < image.pixels.size(); ++i)
      image.pixels[i] = {pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]};
    film.frames.push_back(std::move(image));
  }
  EXPECT_EQ(film.frames.size(), info.frame_count);
  WebPAnimDecoderDelete(decoder);
  return film;
}

Image picture(int width, int height, int k) {
  Image image(width, height, {255, 255, 255});
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      image.at(x, y) = {static_cast<std::uint8_t>((x + 9 * k) / 2), static_cast<std::uint8_t>(y), 80};
  return image;
}

double mean_difference(Image const& a, Image const& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) sum += std::abs(a.pixels[i][c] - b.pixels[i][c]);
  return sum / static_cast<double>(3 * a.pixels.size());
}

}  // namespace

TEST(Video, ComesBackFrameByFrame) {
  struct Case {
    int width, height, rate, frames;
  };
  for (auto const& [width, height, rate, frames] :
       {Case{64, 48, 25, 12}, Case{321, 201, 30, 3}, Case{17, 90, 1, 1}, Case{40, 30, 60, 7}}) {
    SCOPED_TRACE(rate);
    fs::path const path = "film.webp";
    fs::remove(path);
    VideoWriter writer(path, rate);
    for (int k = 0; k < frames; ++k) writer.add(picture(width, height, k));
    EXPECT_FALSE(fs::exists(path));
    writer.finish();
    auto const film = read_film(path);
    EXPECT_EQ(film.width, width);
    EXPECT_EQ(film.height, height);
    ASSERT_EQ(film.frames.size(), static_cast<std::size_t>(frames));
    for (int k = 0; k < frames; ++k) {
      auto const i = static_cast<std::size_t>(k);
      // One frame makes a still picture, which has no end.
      EXPECT_EQ(film.ends[i], frames > 1 ? std::lround(1000.0 * (k + 1) / rate) : 0);
      EXPECT_LT(mean_difference(film.frames[i], picture(width, height, k)), 4) << "frame " << k;
    }
    fs::remove(path);
  }
}

TEST(Video, BeginsAnewAndShowsEqualFramesForLonger) {
  VideoWriter writer("film.webp", 10);
  for (int const k : {0, 3, 3, 3, 5}) writer.add(picture(40, 40, k));
  writer.finish();
  auto const film = read_film("film.webp");
  EXPECT_EQ(film.loop_count, 0);  // for ever
  ASSERT_FALSE(film.ends.empty());
  EXPECT_EQ(film.ends.back(), 500);
  EXPECT_LT(mean_difference(film.frames.back(), picture(40, 40, 5)), 4);
  fs::remove("film.webp");
}

TEST(Video, IsTheSameForTheSamePictures) {
  std::string films[2];
  for (auto& bytes : films) {
    VideoWriter writer("film.webp", 10);
    for (int k = 0; k < 3; ++k) writer.add(picture(40, 40, k));
    writer.finish();
    std::ifstream file("film.webp", std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  EXPECT_EQ(films[0], films[1]);
  fs::remove("film.webp");
}

TEST(Video, LeavesNothingUnlessItIsFinished) {
  fs::create_directory("films");
  {
    VideoWriter film("films/film.webp", 25);
    film.add(picture(32, 32, 0));
  }
  EXPECT_TRUE(fs::is_empty("films"));
  {
    VideoWriter film("films/film.webp", 25);
    film.add(picture(32, 32, 0));
    VideoWriter moved(std::move(film));
    moved.finish();
  }
  EXPECT_TRUE(fs::exists("films/film.webp"));
  EXPECT_EQ(std::distance(fs::directory_iterator("films"), fs::directory_iterator()), 1);
  fs::remove_all("films");
}

TEST(Video, RefusesWhatIsNoFilm) {
  using reference::is_refused;
  EXPECT_TRUE(is_refused([] { VideoWriter("film.webp", 0); }, "frames per second"));
  EXPECT_TRUE(is_refused([] { VideoWriter("film.webp", 61); }, "frames per second"));
  EXPECT_TRUE(is_refused([] { VideoWriter("film.webp", 25).finish(); }, "needs pictures"));
  EXPECT_TRUE(is_refused([] { VideoWriter("film.webp", 25).add(Image(16384, 1, {})); }, "16383"));
  VideoWriter film("film.webp", 25);
  EXPECT_TRUE(is_refused([&] { film.add(Image()); }, "needs pixels"));
  film.add(picture(32, 32, 0));
  EXPECT_TRUE(is_refused([&] { film.add(picture(32, 34, 0)); }, "32 x 34"));
  film.finish();
  EXPECT_TRUE(is_refused([&] { film.add(picture(32, 32, 0)); }, "is finished"));
  EXPECT_TRUE(is_refused([&] { film.finish(); }, "finish"));
  fs::remove("film.webp");
  VideoWriter nowhere("no/such/folder/film.webp", 25);
  nowhere.add(picture(32, 32, 0));
  EXPECT_THROW(nowhere.finish(), std::runtime_error);
}
