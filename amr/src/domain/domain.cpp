#include <sparse/amr/domain/domain.hpp>

#include <cmath>

#include <sparse/base/error.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::amr {
namespace {

template <int Dim>
IntervalSet<Dim> to_set(Box<Dim> const& cells, Context const& context) {
  return box<Dim>(cells.begin, cells.end, context);
}

/// The part of a row inside a box, or outside of it.
template <int Dim>
struct ClippedRow {
  SetView set;
  Box<Dim> box;
  bool wants_inside;

  Index capacity() const { return 2 * set.interval_count; }
  KOKKOS_FUNCTION Index bound(Index r) const { return 2 * (set.row_ptr[r + 1] - set.row_ptr[r]); }
  KOKKOS_FUNCTION Interval* operator()(Index r, Interval* out) const {
    Vec<Coord, Dim> const row = cell_at<Dim>(set.key(r), 0);
    bool is_beside = false;
    for (int axis = 1; axis < Dim; ++axis)
      is_beside = is_beside || row[axis] < box.begin[axis] || row[axis] >= box.end[axis];
    // A row beside the box has an empty part inside.
    Coord const begin = box.begin[0], end = is_beside || box.end[0] < begin ? begin : box.end[0];
    for (Index i = set.row_ptr[r]; i < set.row_ptr[r + 1]; ++i) {
      Interval const whole = set.intervals[i];
      Coord const from = whole.begin > begin ? whole.begin : begin, to = whole.end < end ? whole.end : end;
      if (wants_inside) {
        if (from < to) *out++ = {from, to};
      } else if (from >= to) {
        *out++ = whole;
      } else {
        if (whole.begin < from) *out++ = {whole.begin, from};
        if (to < whole.end) *out++ = {to, whole.end};
      }
    }
    return out;
  }
};

template <int Dim>
IntervalSet<Dim> clip(IntervalSet<Dim> const& set, Box<Dim> const& box, bool wants_inside) {
  if (set.is_empty()) return set;
  SetView const view = set.rows();
  return assemble<Dim>(set.context(), "sparse::amr::clip", view.row_keys, view.row_count,
                       ClippedRow<Dim>{view, box, wants_inside});
}

}  // namespace

template <int Dim>
IntervalSet<Dim> inside(IntervalSet<Dim> const& set, Box<Dim> const& box) {
  return clip(set, box, true);
}

template <int Dim>
IntervalSet<Dim> outside(IntervalSet<Dim> const& set, Box<Dim> const& box) {
  return clip(set, box, false);
}

namespace {

template <int Dim>
void expect_valid(DomainOptions<Dim> const& options) {
  expects(options.level_count >= 1 && options.level_count <= 16, "domain: there must be 1 to 16 levels");
  expects(options.body_level >= -1 && options.body_level < options.level_count,
          "domain: body_level must be one of the levels, or -1");
  for (int axis = 0; axis < Dim; ++axis) {
    expects(options.cells[axis] > 0, "domain: the number of cells must be positive on each axis");
    expects(options.cells[axis] < coord_limit >> (options.level_count - 1),
            "domain: too many cells at the finest level");
    expects(std::isfinite(options.grid.spacing[axis]) && options.grid.spacing[axis] > 0,
            "domain: the spacing must be positive");
    expects(std::isfinite(options.grid.origin[axis]), "domain: the origin must be finite");
    bool const lower = options.sides[axis][0] == BoundaryKind::periodic,
               upper = options.sides[axis][1] == BoundaryKind::periodic;
    expects(lower == upper, "domain: both sides of an axis must be periodic, or none");
    expects(!lower || options.cells[axis] >= Domain<Dim>::image_width,
            "domain: a periodic axis needs at least 4 cells");
  }
  for (auto const& part : options.parts) {
    int const side = static_cast<int>(part.side);
    expects(part.axis >= 0 && part.axis < Dim && (side == 0 || side == 1), "domain: a part of no side");
    expects(part.kind != BoundaryKind::periodic && options.sides[part.axis][side] != BoundaryKind::periodic,
            "domain: only whole sides can be periodic");
    if (part.faces.is_empty()) continue;
    Box<Dim> on_side{{}, options.cells};
    on_side.begin[part.axis] = part.side == FaceSide::lower ? 0 : options.cells[part.axis];
    on_side.end[part.axis] = on_side.begin[part.axis] + 1;
    expects(outside(part.faces, on_side).is_empty(), "domain: faces of a part do not lie on its side");
  }
  for (auto const& body : options.bodies) {
    expects(bool(body.cells), "domain: a body does not say what its cells are");
    expects(!body.distance || body.surface, "domain: a body with a distance does not say where its surface is");
    expects(body.wall == BoundaryKind::wall || body.wall == BoundaryKind::no_slip,
            "domain: a body must be a wall, with or without friction");
  }
}

}  // namespace

template <int Dim>
Domain<Dim>::Domain(DomainOptions<Dim> const& options, Context const& context) : options_(options), context_(context) {
  expect_valid(options);
  levels_.resize(static_cast<std::size_t>(options.level_count));
  for (int l = 0; l < options.level_count; ++l)
    for (int axis = 0; axis < Dim; ++axis) levels_[l].box.end[axis] = options.cells[axis] << l;
  std::vector<SidePartView<Dim>> views;
  for (auto const& part : options_.parts) views.push_back({part.axis, part.side, part.kind, part.faces.view()});
  parts_ = to_device(context, views);
  make_bodies(context);
  make_surroundings();
}

template <int Dim>
bool Domain<Dim>::has(BoundaryKind kind, int axis, FaceSide side) const {
  bool has = this->side(axis, side) == kind;
  for (auto const& part : options_.parts) has = has || (part.axis == axis && part.side == side && part.kind == kind);
  return has;
}

template <int Dim>
bool Domain<Dim>::has_parts(int axis, FaceSide side) const {
  for (auto const& part : options_.parts)
    if (part.axis == axis && part.side == side) return true;
  return false;
}

template <int Dim>
bool Domain<Dim>::has(BoundaryKind kind) const {
  bool found = false;
  for (int axis = 0; axis < Dim; ++axis)
    found = found || has(kind, axis, FaceSide::lower) || has(kind, axis, FaceSide::upper);
  return found;
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::faces_of(BoundaryKind kind, int axis, FaceSide side, IntervalSet<Dim> const& faces,
                                       int level) const {
  IntervalSet<Dim> result = this->side(axis, side) == kind ? faces : IntervalSet<Dim>();
  if (!has_parts(axis, side)) return result;
  // Parts are refined only where there are faces.
  std::vector<IntervalSet<Dim>> at_level(static_cast<std::size_t>(level) + 1, faces);
  for (int l = level; l > 0; --l)
    at_level[static_cast<std::size_t>(l) - 1] = coarsen(at_level[static_cast<std::size_t>(l)]);
  for (auto const& part : options_.parts) {
    if (part.axis != axis || part.side != side) continue;
    IntervalSet<Dim> of_part = part.faces & at_level[0];
    for (int l = 1; l <= level; ++l) of_part = refine(of_part) & at_level[static_cast<std::size_t>(l)];
    result = part.kind == kind ? result | of_part : result - of_part;
  }
  return result;
}

template <int Dim>
void Domain<Dim>::make_bodies(Context const& context) {
  int const own = body_level();
  Level& level = levels_[own];
  for (auto const& body : options_.bodies) {
    level.bodies.push_back(inside(body.cells(grid(own), level.box, context), level.box));
    if (!body.distance) level.solid_with_faces |= level.bodies.back();
  }
  level.touched = level.solid = unite(level.bodies);

  for (int l = own - 1; l >= 0; --l) {
    levels_[l].touched = coarsen(levels_[l + 1].touched);
    levels_[l].solid = coarsen(levels_[l + 1].solid, Children::all);
    levels_[l].solid_with_faces = coarsen(levels_[l + 1].solid_with_faces) & levels_[l].solid;
    for (auto const& body : levels_[l + 1].bodies) levels_[l].bodies.push_back(coarsen(body) & levels_[l].solid);
  }
  for (int l = own + 1; l < level_count(); ++l) {
    if (level.solid.is_empty()) {
      levels_[l].bodies.resize(level.bodies.size());
      continue;
    }
    levels_[l].touched = levels_[l].solid = refine(levels_[l - 1].solid);
    levels_[l].solid_with_faces = refine(levels_[l - 1].solid_with_faces);
    for (auto const& body : levels_[l - 1].bodies) levels_[l].bodies.push_back(refine(body));
  }
  fluid_ = to_set(levels_[0].box, context) - levels_[0].solid;
  if (fluid_.is_empty()) fail("domain: the bodies leave no fluid");
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::fluid(int level) const {
  return level == 0 ? fluid_ : to_set(levels_[level].box, context_) - levels_[level].solid;
}

/// Up to the body level, these are the cells within a small distance of solid cells. These sets are nested, because a
/// distance in cells shrinks from level to level. On finer levels they reach further. So the cells that finer levels
/// need around them stay away from bodies, too.
template <int Dim>
void Domain<Dim>::make_surroundings() {
  for (int l = 0; l < level_count(); ++l) {
    if (levels_[l].touched.is_empty()) continue;
    IntervalSet<Dim> const around = l <= body_level() ? expand(levels_[l].touched, body_width)
                                                      : expand(refine(levels_[l - 1].around_bodies), nesting_width);
    levels_[l].around_bodies = wrapped(around, l) - levels_[l].solid;
  }
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::sticking(int level) const {
  IntervalSet<Dim> result;
  for (int i = 0; i < body_count(); ++i) {
    Body<Dim> const& body = options_.bodies[static_cast<std::size_t>(i)];
    if (!body.distance && body.wall == BoundaryKind::no_slip) result |= this->body(level, i);
  }
  return result;
}

template <int Dim>
double Domain<Dim>::cell_volume(int level) const {
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= spacing(level)[axis];
  return volume;
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::with_images(IntervalSet<Dim> set, int level, Coord width) const {
  constexpr Coord everything = coord_limit;
  for (int axis = 0; axis < Dim; ++axis) {
    if (!is_periodic(axis)) continue;
    Coord const period = levels_[level].box.end[axis];
    Box<Dim> lower{Vec<Coord, Dim>::filled(-everything), Vec<Coord, Dim>::filled(everything)}, upper = lower;
    lower.end[axis] = std::min(width, period);
    upper.begin[axis] = std::max(period - width, 0);
    IntervalSet<Dim> const below = shift(inside(set, upper), axis, -period);
    IntervalSet<Dim> const above = shift(inside(set, lower), axis, period);
    if (below.is_empty() && above.is_empty()) continue;
    set = fuse([](bool a, bool b, bool c) { return a || b || c; }, set, below, above);
  }
  return set;
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::wrapped(IntervalSet<Dim> set, int level) const {
  constexpr Coord everything = coord_limit;
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const period = levels_[level].box.end[axis];
    Box<Dim> within{Vec<Coord, Dim>::filled(-everything), Vec<Coord, Dim>::filled(everything)};
    Box<Dim> below = within, above = within;
    below.begin[axis] = -period;
    below.end[axis] = within.begin[axis] = 0;
    above.begin[axis] = within.end[axis] = period;
    above.end[axis] = 2 * period;
    IntervalSet<Dim> const out = outside(set, within);
    if (out.is_empty()) continue;
    set = inside(set, within);
    if (is_periodic(axis))
      set = fuse([](bool a, bool b, bool c) { return a || b || c; }, set, shift(inside(out, below), axis, period),
                 shift(inside(out, above), axis, -period));
  }
  return set;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> inside(IntervalSet<Dim> const&, Box<Dim> const&);                                          \
  template IntervalSet<Dim> outside(IntervalSet<Dim> const&, Box<Dim> const&);                                         \
  template class Domain<Dim>;
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
