// Any bytes are a mesh whose triangles have their vertices, or refused. Replayed only: the reader needs Kokkos.

#include <sparse/io/vtk/stl.hpp>

#include "foreign_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  read_as_file(data, size, [](std::filesystem::path const& path) {
    auto const mesh = sparse::io::read_stl(path);
    if (mesh.triangles.empty()) std::abort();
    for (auto const& triangle : mesh.triangles)
      for (int corner = 0; corner < 3; ++corner)
        if (triangle[corner] < 0 || triangle[corner] >= static_cast<int>(mesh.vertices.size())) std::abort();
  });
  return 0;
}
