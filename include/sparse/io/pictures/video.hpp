#pragma once
/// Pictures as films.

#include <filesystem>
#include <memory>

#include <sparse/io/pictures/image.hpp>

namespace sparse::io {

/// An Ogg Theora film (.ogv) that grows by one picture per call, which browsers, VLC and ffmpeg play.
///
///     VideoWriter film("flow.ogv", 25);
///     for (...) film.add(picture);
///     film.finish();
///
/// The file gets its name when the film is finished; without that, nothing is left of it. Cost: about 30 ns per pixel.
class VideoWriter {
public:
  /// @param frame_rate  pictures per second, 1 to 5000
  /// @param quality     0 (small files) to 2 (good pictures)
  /// @throws std::invalid_argument  if one of these is out of its range
  VideoWriter(std::filesystem::path path, int frame_rate, int quality = 2);
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) = delete;

  /// Appends a picture. The first one decides the size of all; one pixel more is added where a side is odd.
  /// @throws std::invalid_argument  if the film is finished, the image is empty, or it has another size than the first
  /// @throws std::runtime_error     with the path and the reason if the file cannot be written
  void add(Image const& image);

  /// Ends the film. @throws std::invalid_argument  if it has no picture; std::runtime_error  as `add`
  void finish();

private:
  struct Film;
  std::unique_ptr<Film> film_;
};

}  // namespace sparse::io
