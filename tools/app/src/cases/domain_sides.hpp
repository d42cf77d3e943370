#pragma once
/// What domains of levels have in common, whatever flows in them.

#include <stdexcept>

#include <fmt/format.h>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/shapes/shapes.hpp>

#include <sparse/app/cases/case_shapes.hpp>

namespace sparse::app {

/// The box in cells of the finest of several levels.
inline CaseBox finest_box(CaseBox box, int level_count) {
  for (int& cells : box.cells) cells <<= level_count - 1;
  return box;
}

/// Adds the sides of a case as a whole, and parts of them.
/// @param kind_of  the kind of a boundary
/// @throws std::runtime_error  if a part has no faces
template <int Dim, class SomeCase, class KindOf>
void add_sides(SomeCase const& c, KindOf const& kind_of, amr::DomainOptions<Dim>& domain) {
  for (int axis = 0; axis < Dim; ++axis) domain.sides[axis] = {c.walls, c.walls};
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    auto const& b = c.boundaries[i];
    int const side = b.side == FaceSide::lower ? 0 : 1;
    BoundaryKind const kind = kind_of(b);
    if (kind == BoundaryKind::periodic) {
      domain.sides[b.axis] = {kind, kind};
    } else if (b.range.empty()) {
      domain.sides[b.axis][side] = kind;
      std::erase_if(domain.parts, [&](auto const& part) { return part.axis == b.axis && part.side == b.side; });
    } else {
      auto const faces = faces_of<Dim>(c, b);
      auto const set = box<Dim>(faces.begin, faces.end);
      if (set.is_empty()) throw std::runtime_error(fmt::format("boundary {} has no faces of level 0", i + 1));
      domain.parts.push_back({b.axis, b.side, set, kind});
    }
  }
}

}  // namespace sparse::app
