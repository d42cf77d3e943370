#pragma once
/// Random domains and levels, and the rules for them written with loops over cells.

#include <array>

#include <sparse/amr/hierarchy/adapted_cells.hpp>
#include <support/reference.hpp>

namespace reference {

using sparse::body_from_cells;
using sparse::body_from_distance;
using sparse::BoundaryKind;
using sparse::BoxDistance;
using sparse::amr::Domain;
using sparse::amr::DomainOptions;
using sparse::amr::level_sets;
using sparse::amr::LevelSets;
using sparse::amr::nested_cells;

// What the hierarchy promises (see nested_cells and level_sets).
constexpr Coord nesting_width = 2, body_width = 4;

template <int Dim>
Cell<Dim> parent_of(Cell<Dim> cell) {
  for (int axis = 0; axis < Dim; ++axis) cell[axis] >>= 1;
  return cell;
}

/// A box with random sides and bodies of both kinds, random tags on every level, and the levels for them.
template <int Dim>
struct RandomLevels {
  DomainOptions<Dim> options;
  int body_level;
  std::vector<Cells<Dim>> bodies;                         // of the body level, also outside the box
  Cells<Dim> solid, solid_with_faces, solid_that_sticks;  // the last: no-slip ones of those with faces
  std::vector<Cells<Dim>> tags;                           // [level]
  std::vector<Coord> buffers;

  explicit RandomLevels(unsigned seed) {
    auto engine = random_engine(seed);
    auto const draw = [&](int least, int greatest) { return random_int(engine, least, greatest); };
    options.level_count = draw(1, Dim == 2 ? 4 : 3);
    int const most = (Dim == 2 ? 72 : 20) >> (options.level_count - 1);
    for (int axis = 0; axis < Dim; ++axis) {
      bool const is_periodic = draw(0, 1) == 1;
      options.cells[axis] = draw(is_periodic ? 4 : draw(0, 3) == 0 ? 1 : 3, most);
      BoundaryKind const others[] = {BoundaryKind::wall, BoundaryKind::no_slip, BoundaryKind::outflow,
                                     BoundaryKind::inflow, BoundaryKind::given};
      for (int side = 0; side < 2; ++side)
        options.sides[axis][side] = is_periodic ? BoundaryKind::periodic : others[draw(0, 4)];
    }
    options.body_level = draw(-1, options.level_count - 1);
    body_level = options.body_level < 0 ? options.level_count - 1 : options.body_level;
    for (int count = draw(0, 3); count > 0; --count) add_body(draw);
    for (auto const& body : bodies) solid = either(solid, body);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (options.bodies[i].distance) continue;
      solid_with_faces = either(solid_with_faces, bodies[i]);
      if (options.bodies[i].wall == BoundaryKind::no_slip) solid_that_sticks = either(solid_that_sticks, bodies[i]);
    }
    if (difference(box(body_level), solid).empty()) {
      options.bodies.clear();
      bodies.clear();
      solid = solid_with_faces = solid_that_sticks = {};
    }
    for (int l = 0; l + 1 < options.level_count; ++l) {
      tags.emplace_back();
      int const one_in = draw(0, 2) == 0 ? 1000000 : draw(20, 500);
      for (auto const& cell : fluid(l))
        if (draw(1, one_in) == 1) tags.back().insert(cell);
    }
    for (int count = draw(1, 3); count > 0; --count) buffers.push_back(draw(0, 2));
    for (int count = draw(-2, 3); count > 0; --count) add_side_part(draw);
  }

  /// Up to three boxes of faces of a side, if it is not periodic.
  template <class Draw>
  void add_side_part(Draw const& draw) {
    BoundaryKind const kinds[] = {BoundaryKind::wall, BoundaryKind::no_slip, BoundaryKind::outflow,
                                  BoundaryKind::inflow, BoundaryKind::given};
    int const axis = draw(0, Dim - 1), side = draw(0, 1);
    BoundaryKind const kind = kinds[draw(0, 4)];
    Cells<Dim> faces;
    for (int boxes = draw(0, 3); boxes > 0; --boxes) {
      Cell<Dim> from, to;
      for (int a = 0; a < Dim; ++a) {
        from[a] = draw(0, options.cells[a] - 1);
        to[a] = draw(from[a] + 1, options.cells[a]);
      }
      from[axis] = side == 0 ? 0 : options.cells[axis];
      to[axis] = from[axis] + 1;
      faces = either(faces, reference::box<Dim>(from, to));
    }
    if (!is_periodic(axis)) options.parts.push_back({axis, static_cast<sparse::FaceSide>(side), set_of(faces), kind});
  }

  template <class Draw>
  void add_body(Draw const& draw) {
    Cell<Dim> const end = (1 << body_level) * options.cells;
    Vec<double, Dim> lower, upper;
    Cell<Dim> from, to;
    for (int axis = 0; axis < Dim; ++axis) {
      from[axis] = draw(-3, end[axis] + 1);
      to[axis] = from[axis] + draw(1, std::max(1, end[axis] / 4));
      lower[axis] = from[axis] / static_cast<double>(1 << body_level);
      upper[axis] = to[axis] / static_cast<double>(1 << body_level);
    }
    auto const cells = reference::box<Dim>(from, to);
    bodies.push_back(cells);
    auto const wall = draw(0, 1) == 0 ? BoundaryKind::wall : BoundaryKind::no_slip;
    if (draw(0, 1) == 0)
      options.bodies.push_back(body_from_cells<Dim>("cells", set_of(cells), wall));
    else
      options.bodies.push_back(body_from_distance<Dim>("box", BoxDistance<Dim>{lower, upper}, wall));
  }

  std::vector<IntervalSet<Dim>> tag_sets() const {
    std::vector<IntervalSet<Dim>> sets;
    for (auto const& cells : tags) sets.push_back(set_of(cells));
    return sets;
  }
  bool is_periodic(int axis) const { return options.sides[axis][0] == BoundaryKind::periodic; }
  Coord size(int axis, int level) const { return options.cells[axis] << level; }
  bool is_inside(Cell<Dim> const& cell, int level) const {
    for (int axis = 0; axis < Dim; ++axis)
      if (cell[axis] < 0 || cell[axis] >= size(axis, level)) return false;
    return true;
  }
  /// The cell of which this one is an image, if any; otherwise the cell itself.
  Cell<Dim> wrapped(Cell<Dim> cell, int level) const {
    for (int axis = 0; axis < Dim; ++axis)
      if (is_periodic(axis)) cell[axis] = (cell[axis] % size(axis, level) + size(axis, level)) % size(axis, level);
    return cell;
  }
  Cells<Dim> wrapped(Cells<Dim> const& cells, int level) const {
    Cells<Dim> result;
    for (auto const& cell : cells)
      if (auto const inner = wrapped(cell, level); is_inside(inner, level)) result.insert(inner);
    return result;
  }

  /// The kind of the side beyond which a cell lies. The face before the cell decides, or the last face there, if the
  /// cell lies beyond other sides, too.
  BoundaryKind kind_at(Cell<Dim> const& cell, int axis, int level) const {
    int const side = cell[axis] < 0 ? 0 : 1;
    Cell<Dim> face = wrapped(cell, level);
    for (int a = 0; a < Dim; ++a) face[a] = std::clamp(face[a], 0, size(a, level) - 1) / (1 << level);
    face[axis] = side == 0 ? 0 : options.cells[axis];
    BoundaryKind kind = options.sides[axis][side];
    for (auto const& part : options.parts)
      if (part.axis == axis && static_cast<int>(part.side) == side && cells_of(part.faces).count(face) != 0)
        kind = part.kind;
    return kind;
  }

  Cells<Dim> box(int level) const { return reference::box<Dim>({}, (1 << level) * options.cells); }
  /// What becomes of cells of the body level in the box at another one.
  Cells<Dim> at_level(Cells<Dim> cells, int level) const {
    cells = both(box(body_level), cells);
    for (int l = body_level; l > level; --l) cells = coarsened(cells);
    for (int l = body_level; l < level; ++l) cells = reference::refined(cells);
    return cells;
  }
  Cells<Dim> fluid(int level) const { return at_level(difference(box(body_level), this->solid), level); }
  Cells<Dim> touched(int level) const { return at_level(this->solid, level); }
  Cells<Dim> solid_at(int level) const { return difference(box(level), fluid(level)); }
  Cells<Dim> around(Cells<Dim> const& cells, Coord width, int level) const {
    return wrapped(expanded(cells, Cell<Dim>::filled(width)), level);
  }
  Cells<Dim> around_bodies(int level) const {
    auto const zone = level <= body_level ? around(touched(level), body_width, level)
                                          : around(reference::refined(around_bodies(level - 1)), nesting_width, level);
    return both(zone, fluid(level));
  }
  /// The cells of a level to refine for these tags where `finer` ones of the next level are refined; all reach
  /// `spare` cells further than they must.
  /// @param kept  are refined, too
  Cells<Dim> refined(Cells<Dim> const& tagged, Coord buffer, Cells<Dim> const& finer, int l, Coord spare = 0,
                     Cells<Dim> const& kept = {}) const {
    Cells<Dim> const needed = coarsened(around(finer, nesting_width, l + 1));
    Cells<Dim> cells = either(either(around(tagged, buffer + spare, l), around(needed, spare, l)), kept);
    cells = l < body_level ? either(cells, around_bodies(l)) : difference(cells, around_bodies(l));
    return both(cells, fluid(l));
  }
  Coord buffer(int l) const { return buffers[std::min(static_cast<std::size_t>(l), buffers.size() - 1)]; }
  std::vector<Cells<Dim>> cells() const {
    int const finest = options.level_count - 1;
    std::vector<Cells<Dim>> refined_cells(static_cast<std::size_t>(finest) + 1);
    for (int l = finest - 1; l >= 0; --l) refined_cells[l] = refined(tags[l], buffer(l), refined_cells[l + 1], l);
    std::vector<Cells<Dim>> result{fluid(0)};
    for (int l = 0; l < finest && !refined_cells[l].empty(); ++l)
      result.push_back(both(reference::refined(refined_cells[l]), fluid(l + 1)));
    return result;
  }
};

template <int Dim, class Visit>
void for_each_neighbour(Cell<Dim> const& cell, Visit const& visit) {
  for (int arm = 0; arm < 2 * Dim; ++arm) visit(cell + Cell<Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
}

/// Calls `visit(offset)` for all that are at most `radius` steps across faces long.
template <int Dim, class Visit>
void for_each_offset_in_diamond(Coord radius, Visit const& visit) {
  for_each_offset<Dim>(Cell<Dim>::filled(radius), [&](Cell<Dim> const& offset) {
    Coord steps = 0;
    for (int axis = 0; axis < Dim; ++axis) steps += std::abs(offset[axis]);
    if (steps <= radius) visit(offset);
  });
}

}  // namespace reference
