#include <sparse/amr/hierarchy/interface.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::amr {
namespace {

template <int Dim>
struct InterfaceOperands {
  using Point = InterfacePoint<Dim>;
  Operand operands[Point::operand_count];
  InterfaceOperands(LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine, Vec<Coord, Dim> const& shift) {
    operands[0] = operand<Dim>(coarse.storage.view());
    for (int axis = 0; axis < Dim; ++axis)
      for (int side = 0; side < 2; ++side) {
        Operand* const of_side = operands + Point::operand_of(axis, side);
        of_side[0] = operand<Dim>(coarse.coarse_interface[axis].view(), Vec<Coord, Dim>::along(axis, side));
        for (int face = 0; face < Point::face_count; ++face) {
          Vec<Coord, Dim> offset = shift;  // from twice the coordinates of the leaf
          for (int other = 0, bit = 0; other < Dim; ++other)
            if (other != axis) offset[other] += (face >> bit++) & 1;
          offset[axis] += 2 * side;
          of_side[1 + face] = operand<Dim>(fine.fine_interface[axis].view(), offset, 2);
        }
      }
  }
};

}  // namespace

template <int Dim>
Interface<Dim>::Interface(IntervalSet<Dim> const& leaves, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine,
                          Vec<Coord, Dim> const& shift)
    : Plan<Dim, Point::operand_count>(leaves, InterfaceOperands<Dim>(coarse, fine, shift).operands) {}

template <int Dim>
Interfaces<Dim>::Interfaces(Domain<Dim> const& domain, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine,
                            int coarse_level) {
  IntervalSet<Dim> const beside = expand(domain.with_images(coarse.covered, coarse_level, 1), 1, Element::diamond);
  leaves = Interface<Dim>(coarse.leaves & beside, coarse, fine, {});
  for (int axis = 0; axis < Dim; ++axis) {
    if (!domain.is_periodic(axis)) continue;
    Coord const size = domain.box(coarse_level).end[axis];
    for (Coord const away : {1, -1}) {  // direction from the side to the leaf
      IntervalSet<Dim> const at_side = coarse.leaves & shift(coarse.covered, axis, away * (1 - size));
      if (!at_side.is_empty())
        across_sides.emplace_back(at_side, coarse, fine, Vec<Coord, Dim>::along(axis, 2 * away * size));
    }
  }
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class Interface<Dim>;                                                                                       \
  template struct Interfaces<Dim>;
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
