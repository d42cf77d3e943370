#include <sparse/io/pictures/video.hpp>

#include <cmath>

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <sparse/base/error.hpp>
#include <sparse/io/files/file.hpp>

#include "io/files/failure.hpp"

namespace sparse::io {
namespace {

/// A picture in the format of libwebp.
class Frame {
public:
  Frame(std::filesystem::path const& path, Image const& image) {
    if (!WebPPictureInit(&picture_)) file_failure(path, "libwebp has another version than its headers");
    picture_.width = image.width;
    picture_.height = image.height;
    picture_.use_argb = 1;
    if (!WebPPictureImportRGB(&picture_, image.pixels.front().data(), 3 * image.width))
      file_failure(path, "there is not enough memory for a frame");
  }
  ~Frame() { WebPPictureFree(&picture_); }
  Frame(Frame const&) = delete;
  Frame& operator=(Frame const&) = delete;

  WebPPicture* get() { return &picture_; }

private:
  WebPPicture picture_;
};

WebPConfig compression() {
  WebPConfig config;
  WebPConfigPreset(&config, WEBP_PRESET_DRAWING, 85);
  config.method = 1;  // between 0 (quick) and 6 (small)
  config.use_sharp_yuv = 0;
  return config;
}

}  // namespace

struct VideoWriter::Film {
  std::filesystem::path path;
  int frame_rate;
  int width = 0, height = 0;  // size of the first frame; 0 before it
  int frame_count = 0;
  bool is_finished = false;
  std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder{nullptr, WebPAnimEncoderDelete};
  WebPConfig config = compression();

  /// The time at which the next frame begins [ms].
  int time() const { return static_cast<int>(std::lround(1000.0 * frame_count / frame_rate)); }

  void expect_well(int result) const {
    if (result == 0)
      file_failure(path, fmt::format("the film could not be made: {}", WebPAnimEncoderGetError(encoder.get())));
  }
};

VideoWriter::VideoWriter(std::filesystem::path path, int frame_rate) {
  expects(frame_rate >= 1 && frame_rate <= 60, "a film has 1 to 60 frames per second");
  film_ = std::make_unique<Film>(Film{std::move(path), frame_rate});
}

VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter::~VideoWriter() = default;

void VideoWriter::add(Image const& image) {
  Film& film = *film_;
  expects(!film.is_finished, "the film is finished");
  expects(image.width > 0 && image.height > 0, "an image to film needs pixels");
  if (!film.encoder) {
    expects(std::max(image.width, image.height) <= WEBP_MAX_DIMENSION, "a frame has at most 16383 pixels per side");
    film.width = image.width;
    film.height = image.height;
    film.encoder.reset(WebPAnimEncoderNew(image.width, image.height, nullptr));
    if (!film.encoder) file_failure(film.path, "the film could not be begun");
  }
  if (image.width != film.width || image.height != film.height)
    fail(fmt::format("a film of {} x {} pixels cannot take a picture of {} x {}", film.width, film.height, image.width,
                     image.height));
  Frame frame(film.path, image);
  film.expect_well(WebPAnimEncoderAdd(film.encoder.get(), frame.get(), film.time(), &film.config));
  ++film.frame_count;
}

void VideoWriter::finish() {
  Film& film = *film_;
  expects(film.frame_count > 0 && !film.is_finished, "a film to finish needs pictures");
  film.expect_well(WebPAnimEncoderAdd(film.encoder.get(), nullptr, film.time(), nullptr));
  WebPData data;
  WebPDataInit(&data);
  std::unique_ptr<WebPData, decltype(&WebPDataClear)> const clear(&data, WebPDataClear);
  film.expect_well(WebPAnimEncoderAssemble(film.encoder.get(), &data));
  write_text(film.path, {reinterpret_cast<char const*>(data.bytes), data.size});
  film.is_finished = true;
}

}  // namespace sparse::io
