#pragma once
/// Sources of ink that can be moved.

#include <sparse/app/cases/flow_case.hpp>

#include "live_flow.hpp"

namespace sparse::live {

struct Emitter {
  app::CaseInk ink;
  bool is_on = true;
};

/// Shapes of files and expressions stay where they are.
bool can_move(app::CaseShape const& shape);
/// The middle of a shape, for marks; that of its box for polygons. Of shapes that cannot move: of the box of their
/// cells.
Point middle_of(app::CaseBox const& box, app::CaseShape const& shape);
/// Half the extent of a shape along x.
double radius_of(app::CaseBox const& box, app::CaseShape const& shape);
/// The shape, moved so that its middle is there.
app::CaseShape moved_to(app::CaseBox const& box, app::CaseShape shape, Point const& middle);

EmitterInfo info_of(app::CaseBox const& box, Emitter const& emitter);
/// What a flow needs to know.
/// @param background  of pictures of ink: fields hold the difference to it
InkSource source_of(app::CaseBox const& box, Emitter const& emitter, io::Colour const& background);

}  // namespace sparse::live
