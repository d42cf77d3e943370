#pragma once
/// What is drawn over the picture of a flow.

#include <sparse/io/pictures/image.hpp>

#include "snapshot.hpp"

namespace sparse::live {

/// Draws emitters (dashed where they are off), probes and streamlines into the picture.
void draw_marks(Snapshot& snapshot);

/// The picture of a snapshot for files.
io::Image image_of(Snapshot const& snapshot);

}  // namespace sparse::live
