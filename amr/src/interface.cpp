#include <sparse/amr/interface.hpp>

#include <sparse/set_algebra.hpp>

namespace sparse::amr {
namespace {

template <int Dim, int K>
struct InterfaceOperands {
  Operand operands[K];
  InterfaceOperands(SetView const& storage, SetView const& coarse, SetView const& fine, int axis, int side,
                    Coord fine_shift) {
    operands[0] = operand<Dim>(storage);
    operands[1] = operand<Dim>(coarse, Vec<Coord, Dim>::along(axis, side));
    for (int face = 0; face < InterfacePoint<Dim>::face_count; ++face) {
      Vec<Coord, Dim> offset{};  // from twice the leaf's coordinates
      for (int other = 0, bit = 0; other < Dim; ++other)
        if (other != axis) offset[other] = (face >> bit++) & 1;
      offset[axis] = 2 * side + fine_shift;
      operands[2 + face] = operand<Dim>(fine, offset, 2);
    }
  }
};

}  // namespace

template <int Dim>
Interface<Dim>::Interface(IntervalSet<Dim> const& leaves, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine,
                          int axis, int side, Coord fine_shift)
    : Plan<Dim, Point::operand_count>(
          leaves,
          InterfaceOperands<Dim, Point::operand_count>(coarse.storage.view(), coarse.coarse_interface[axis].view(),
                                                       fine.fine_interface[axis].view(), axis, side, fine_shift)
              .operands,
          (1u << Point::operand_count) - 1) {}

template <int Dim>
Interfaces<Dim> interfaces(Domain<Dim> const& domain, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine,
                           int coarse_level) {
  Interfaces<Dim> result;
  IntervalSet<Dim> const covered = coarse.update - coarse.leaves;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      Coord const size = domain.box(coarse_level).end[axis], away = side == 0 ? 1 : -1;
      auto const add = [&](Coord distance, Coord fine_shift) {
        IntervalSet<Dim> const leaves = coarse.leaves & shift(covered, axis, distance);
        if (!leaves.is_empty()) result[axis][side].emplace_back(leaves, coarse, fine, axis, side, fine_shift);
      };
      add(away, 0);
      // Across the side, what is beside a leaf has coordinates that differ by a period.
      if (domain.is_periodic(axis)) add(away * (1 - size), 2 * away * size);
    }
  return result;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class Interface<Dim>;                                                                                       \
  template Interfaces<Dim> interfaces(Domain<Dim> const&, LevelSets<Dim> const&, LevelSets<Dim> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
