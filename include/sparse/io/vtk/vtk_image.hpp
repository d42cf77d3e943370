#pragma once
/// VTK image data as input: values on a regular grid, of which thresholds make sets.

#include <filesystem>
#include <string>

#include <sparse/io/sets/cell_image.hpp>

namespace sparse::io {

/// Reads one array of one component from image data, XML (.vti) or legacy (.vtk, STRUCTURED_POINTS); the contents
/// decide which, not the name.
///
/// Cell data are taken as they are. Point data are given at the corners of cells; a cell gets the mean of its corners.
/// Not for several threads at once, as VTK has one place for messages.
/// @param array  its name, of cell data or else of point data; if empty, the first one of one component, cell data
/// first
/// @throws std::runtime_error  with the path and the reason: unreadable, no image data, truncated or corrupt, no such
///                             array (naming those that are there), several components, axes that are turned, a spacing
///                             that is not positive
CellImage read_vtk_image(std::filesystem::path const& path, std::string const& array = "");

}  // namespace sparse::io
