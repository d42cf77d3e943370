#pragma once
/// Pictures as films.

#include <filesystem>
#include <memory>

#include <sparse/io/pictures/image.hpp>

namespace sparse::io {

/// An animated WebP picture (.webp) that grows by one frame per call. Browsers play it wherever they show pictures.
///
///     VideoWriter film("flow.webp", 25);
///     for (...) film.add(picture);
///     film.finish();
///
/// Compressed frames stay in memory until `finish`; nothing is written before. The film plays in a loop. Cost: about 50
/// ns per pixel that has changed.
class VideoWriter {
public:
  /// @param frame_rate  frames per second, 1 to 60. A frame lasts whole milliseconds, but the total time is right
  /// @throws std::invalid_argument  for another rate
  VideoWriter(std::filesystem::path path, int frame_rate);
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) = delete;

  /// Appends a frame. A frame equal to the last one only extends the last one. The first frame decides the size of all.
  /// @throws std::invalid_argument  if the film is finished, or if the image is empty, larger than 16383 pixels, or of
  ///                                another size than the first
  /// @throws std::runtime_error     with the path and the reason if the frame cannot be compressed
  void add(Image const& image);

  /// Writes the film; the file is complete or not there.
  /// @throws std::invalid_argument  if it has no frame, or is finished already
  /// @throws std::runtime_error     with the path and the reason if the file cannot be written
  void finish();

private:
  struct Film;
  std::unique_ptr<Film> film_;
};

}  // namespace sparse::io
