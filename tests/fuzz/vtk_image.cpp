// Any bytes are an image with a value for each of its cells, or refused. Replayed only: the reader needs VTK and
// Kokkos.

#include <sparse/io/vtk/vtk_image.hpp>

#include "foreign_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  read_as_file(data, size, [](std::filesystem::path const& path) {
    auto const image = sparse::io::read_vtk_image(path);
    if (static_cast<sparse::Index>(image.values.size()) != image.cells.cell_count()) std::abort();
  });
  return 0;
}
