#include <sparse/amr/interface.hpp>

#include <sparse/set_algebra.hpp>

namespace sparse::amr {
namespace {

template <int Dim, int K>
struct InterfaceOperands {
  Operand operands[K];
  InterfaceOperands(SetView const& coarse, SetView const& fine, int axis, int side) {
    constexpr int face_count = InterfacePoint<Dim>::face_count;
    operands[0] = operand<Dim>(coarse);
    operands[1] = operand<Dim>(coarse, Vec<Coord, Dim>::along(axis, side == 0 ? -1 : 1));
    for (int face = 0; face < face_count; ++face) {
      Vec<Coord, Dim> offset{};  // of the fine face, from twice the leaf's coordinates
      for (int other = 0, bit = 0; other < Dim; ++other)
        if (other != axis) offset[other] = (face >> bit++) & 1;
      offset[axis] = side == 0 ? -1 : 2;
      operands[2 + face] = operand<Dim>(fine, offset, 2);
      offset[axis] = side == 0 ? 0 : 1;
      operands[2 + face_count + face] = operand<Dim>(fine, offset, 2);
    }
  }
};

}  // namespace

template <int Dim>
Interface<Dim>::Interface(LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine, int axis, int side)
    : Plan<Dim, Point::operand_count>(
          coarse.leaves & shift(coarse.covered_extended, axis, side == 0 ? 1 : -1),
          InterfaceOperands<Dim, Point::operand_count>(coarse.storage.view(), fine.storage.view(), axis, side)
              .operands) {}

template class Interface<2>;
template class Interface<3>;

}  // namespace sparse::amr
