#include <sparse/io/pictures/video.hpp>

#include <algorithm>
#include <system_error>

#include <unistd.h>

#include <fmt/format.h>

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>

#include <sparse/base/error.hpp>

#include "io/files/failure.hpp"
#include "io/vtk/vtk_errors.hpp"

namespace sparse::io {

struct VideoWriter::Film {
  std::filesystem::path path, temporary;
  int width = 0, height = 0;  // of the first picture; 0 before it
  bool is_finished = false;
  vtkNew<vtkImageData> data;
  vtkNew<vtkOggTheoraWriter> writer;
  VtkErrors errors{*writer};

  void expect_well() const {
    if (writer->GetError() != 0 || !errors.text().empty())
      file_failure(path, "the film could not be written: " + errors.text());
  }
};

VideoWriter::VideoWriter(std::filesystem::path path, int frame_rate, int quality) : film_(std::make_unique<Film>()) {
  expects(frame_rate >= 1 && frame_rate <= 5000, "a film has 1 to 5000 pictures per second");
  expects(quality >= 0 && quality <= 2, "the quality of a film is 0, 1 or 2");
  film_->path = path;
  film_->temporary = path.parent_path() / fmt::format(".{}.{}", path.filename().string(), ::getpid());
  film_->writer->SetFileName(film_->temporary.c_str());
  film_->writer->SetRate(frame_rate);
  film_->writer->SetQuality(quality);
}

VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;

VideoWriter::~VideoWriter() {
  if (!film_ || film_->is_finished || film_->width == 0) return;
  film_->writer->End();
  std::error_code ignored;
  std::filesystem::remove(film_->temporary, ignored);
}

void VideoWriter::add(Image const& image) {
  Film& film = *film_;
  expects(!film.is_finished, "the film is finished");
  expects(image.width > 0 && image.height > 0, "an image to film needs pixels");
  bool const is_first = film.width == 0;
  if (!is_first && (image.width != film.width || image.height != film.height))
    fail(fmt::format("a film of {} x {} pixels cannot take a picture of {} x {}", film.width, film.height, image.width,
                     image.height));
  // Theora's colours are shared by pairs of pixels.
  int const width = image.width + image.width % 2, height = image.height + image.height % 2;
  film.data->SetDimensions(width, height, 1);
  if (is_first) film.data->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  for (int y = 0; y < height; ++y) {  // VTK's row 0 is at the bottom
    auto* const to = static_cast<unsigned char*>(film.data->GetScalarPointer(0, y, 0));
    Colour const* const from = &image.at(0, std::max(image.height - 1 - y, 0));
    std::copy_n(from->data(), 3 * image.width, to);
    if (width > image.width) std::copy_n(from[image.width - 1].data(), 3, to + 3 * image.width);
  }
  film.data->Modified();
  film.writer->SetInputData(film.data);
  if (is_first) {
    film.writer->Start();
    film.width = image.width;
    film.height = image.height;
  }
  film.expect_well();
  film.writer->Write();
  film.expect_well();
}

void VideoWriter::finish() {
  Film& film = *film_;
  expects(film.width > 0 && !film.is_finished, "a film to finish needs pictures");
  film.writer->End();
  film.expect_well();
  std::error_code error;
  std::filesystem::rename(film.temporary, film.path, error);
  if (error) file_failure(film.path, "the film could not be written: " + error.message());
  film.is_finished = true;
}

}  // namespace sparse::io
