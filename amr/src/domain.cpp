#include <sparse/amr/domain.hpp>

#include <cmath>

#include <sparse/error.hpp>
#include <sparse/morphology.hpp>
#include <sparse/scaling.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>

namespace sparse::amr {
namespace {

template <int Dim>
IntervalSet<Dim> to_set(Box<Dim> const& cells, Context const& context) {
  return box<Dim>(cells.begin, cells.end, context);
}

}  // namespace

template <int Dim>
Domain<Dim>::Domain(DomainOptions<Dim> const& options, Context const& context) : options_(options), context_(context) {
  expects(options.level_count >= 1 && options.level_count <= 16, "domain: there must be 1 to 16 levels");
  int const finest = options.level_count - 1;
  for (int axis = 0; axis < Dim; ++axis) {
    expects(options.cells[axis] > 0, "domain: the number of cells must be positive on each axis");
    expects(options.cells[axis] < coord_limit >> finest, "domain: too many cells at the finest level");
    expects(std::isfinite(options.spacing[axis]) && options.spacing[axis] > 0, "domain: the spacing must be positive");
    bool const lower = options.sides[axis][0] == Side::periodic, upper = options.sides[axis][1] == Side::periodic;
    expects(lower == upper, "domain: both sides of an axis must be periodic, or none");
    expects(!lower || options.cells[axis] >= 2 * image_width, "domain: a periodic axis needs at least 4 cells");
  }
  levels_.resize(static_cast<std::size_t>(options.level_count));
  for (int l = 0; l < options.level_count; ++l)
    for (int axis = 0; axis < Dim; ++axis) levels_[l].box.end[axis] = options.cells[axis] << l;
  Level& last = levels_[finest];
  IntervalSet<Dim> const all = to_set(last.box, context);
  last.touched = last.solid = options.solid & all;
  last.fluid = all - last.solid;
  if (last.fluid.is_empty()) fail("domain: the bodies leave no fluid");
  for (int l = finest - 1; l >= 0; --l) {
    levels_[l].fluid = coarsen(levels_[l + 1].fluid);
    levels_[l].touched = coarsen(levels_[l + 1].touched);
    levels_[l].solid = to_set(levels_[l].box, context) - levels_[l].fluid;
  }
}

template <int Dim>
double Domain<Dim>::cell_volume(int level) const {
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= spacing(level)[axis];
  return volume;
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::layer(int level, int axis, int side, Coord width) const {
  Box<Dim> cells = levels_[level].box;
  for (int other = 0; other < Dim; ++other)
    if (other != axis && is_periodic(other)) {
      cells.begin[other] -= image_width;
      cells.end[other] += image_width;
    }
  if (side == 0)
    cells.end[axis] = std::min(cells.end[axis], cells.begin[axis] + width);
  else
    cells.begin[axis] = std::max(cells.begin[axis], cells.end[axis] - width);
  return to_set(cells, context_);
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::with_images(IntervalSet<Dim> set, int level) const {
  for (int axis = 0; axis < Dim; ++axis) {
    if (!is_periodic(axis)) continue;
    Coord const period = levels_[level].box.end[axis];
    IntervalSet<Dim> const below = shift(set & layer(level, axis, 1, image_width), axis, -period);
    IntervalSet<Dim> const above = shift(set & layer(level, axis, 0, image_width), axis, period);
    set = set | below | above;
  }
  return set;
}

template <int Dim>
IntervalSet<Dim> Domain<Dim>::wrapped(IntervalSet<Dim> set, int level) const {
  for (int axis = 0; axis < Dim; ++axis) {
    if (!is_periodic(axis)) continue;
    Coord const period = levels_[level].box.end[axis];
    Box<Dim> below = set.bounds(), inside = below, above = below;
    below.begin[axis] = -period;
    below.end[axis] = inside.begin[axis] = 0;
    inside.end[axis] = above.begin[axis] = period;
    above.end[axis] = 2 * period;
    set = (set & to_set(inside, context_)) | shift(set & to_set(below, context_), axis, period) |
          shift(set & to_set(above, context_), axis, -period);
  }
  return set;
}

template class Domain<2>;
template class Domain<3>;

}  // namespace sparse::amr
