#pragma once
/// VTK image data as input: values on a regular grid; thresholds turn them into sets.

#include <filesystem>
#include <string>

#include <sparse/io/sets/cell_image.hpp>

namespace sparse::io {

/// Reads one array of one component from image data, XML (.vti) or legacy (.vtk, STRUCTURED_POINTS). The contents
/// decide the format, not the name.
///
/// Cell data are taken as they are. From point data, a cell gets the mean of its corners.
/// Only one thread at a time may call this: VTK has one global place for messages.
/// @param array  its name in the cell data, or else in the point data; if empty, the first array of one component, cell
///               data before point data
/// @throws std::runtime_error  with the path and the reason: unreadable, no image data, truncated or corrupt, no such
///                             array (with the names of the arrays), several components, turned axes, a spacing that is
///                             not positive
CellImage read_vtk_image(std::filesystem::path const& path, std::string const& array = "");

}  // namespace sparse::io
