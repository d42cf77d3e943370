#include <sparse/amr/ghosts.hpp>

#include <sparse/scaling.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse::amr {

template <int Dim>
Ghosts<Dim>::Ghosts(Domain<Dim> const& domain, LevelSets<Dim> const& sets, LevelSets<Dim> const* coarser, int level) {
  if (coarser != nullptr)
    from_coarser_ = Transfer<Dim>(coarsen(sets.coarse_ghosts), coarser->storage, sets.coarse_ghosts, sets.storage);

  // Axis by axis: images along y may be of cells that are images along x.
  IntervalSet<Dim> filled = sets.cells;
  for (int axis = 0; axis < Dim; ++axis) {
    if (!domain.is_periodic(axis)) continue;
    Coord const period = domain.box(level).end[axis];
    IntervalSet<Dim> const before = filled;
    for (int side = 0; side < 2; ++side) {
      Coord const distance = side == 0 ? -period : period;
      IntervalSet<Dim> const images =
          shift(before & domain.layer(level, axis, 1 - side, Domain<Dim>::image_width), axis, distance);
      copies_.emplace_back(images, sets.storage, sets.storage, Vec<Coord, Dim>::along(axis, -distance));
      filled |= images;
    }
  }
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      IntervalSet<Dim> const& outside = sets.outside[axis][side];
      if (outside.is_empty()) continue;
      if (domain.options().sides[axis][side] == Side::open)
        copies_.emplace_back(outside, sets.storage, sets.storage, Vec<Coord, Dim>::along(axis, side == 0 ? 1 : -1));
      else
        inflow_.emplace_back(outside, sets.storage);
    }
}

template class Ghosts<2>;
template class Ghosts<3>;

}  // namespace sparse::amr
