#pragma once
/// Pictures as objects of Python.

#include <sparse/io/levels/cells.hpp>
#include <sparse/io/pictures/image.hpp>
#include <sparse/io/pictures/render.hpp>

#include "arguments.hpp"

namespace sparse::python {

/// A `sparsecells.Picture` with these pixels.
nb::object picture_of(io::Image const& image);

/// What `plot` takes by name: size, colours, range, mesh, outlines, title, label, window.
io::RenderOptions render_options(nb::handle keywords);

}  // namespace sparse::python
