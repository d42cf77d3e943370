#pragma once
/// The language's readers that use VTK.

#include <sparse/io/language/file_readers.hpp>

namespace sparse::io {

/// `read_stl` and `read_vtk_image`:
///
///     evaluate<3>("stl('wing.stl', scale = 100)", {.readers = vtk_readers()});
FileReaders vtk_readers();

}  // namespace sparse::io
