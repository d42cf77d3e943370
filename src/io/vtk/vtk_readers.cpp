#include <sparse/io/vtk/vtk_readers.hpp>

#include <sparse/io/vtk/stl.hpp>
#include <sparse/io/vtk/vtk_image.hpp>

namespace sparse::io {

FileReaders vtk_readers() { return {read_stl, read_vtk_image}; }

}  // namespace sparse::io
