#pragma once
/// Pictures as JPEG.

#include <stdexcept>
#include <string>

#include <turbojpeg.h>

#include <sparse/app/server/picture_server.hpp>

namespace sparse::app {

/// Keeps its memory from picture to picture.
class JpegEncoder {
public:
  static constexpr int quality = 85;

  JpegEncoder() : handle_(tjInitCompress()) {
    if (handle_ == nullptr) throw std::runtime_error("there is no JPEG encoder");
  }
  ~JpegEncoder() {
    tjFree(bytes_);
    tjDestroy(handle_);
  }
  JpegEncoder(JpegEncoder const&) = delete;
  JpegEncoder& operator=(JpegEncoder const&) = delete;

  std::string encode(ServedPicture const& picture) {
    auto const* const pixels = reinterpret_cast<unsigned char const*>(picture.pixels.data());
    if (tjCompress2(handle_, pixels, picture.width, 0, picture.height, TJPF_RGBA, &bytes_, &size_, TJSAMP_422, quality,
                    TJFLAG_BOTTOMUP | TJFLAG_FASTDCT) != 0)
      throw std::runtime_error(tjGetErrorStr2(handle_));
    return {reinterpret_cast<char const*>(bytes_), size_};
  }

private:
  tjhandle handle_;
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace sparse::app
