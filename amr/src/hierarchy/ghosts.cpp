#include <sparse/amr/hierarchy/ghosts.hpp>

#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

template <int Dim, int K>
struct ParentOperands {
  Operand operands[K];
  ParentOperands(SetView const& storage, SetView const& valid, SetView const& children) {
    operands[0] = operand<Dim>(storage);
    for (int arm = 0; arm < 2 * Dim; ++arm) operands[1 + arm] = operand<Dim>(valid, face_arms<Dim>().offset[arm]);
    for (int child = 0; child < 1 << Dim; ++child) {
      Vec<Coord, Dim> offset;
      for (int axis = 0; axis < Dim; ++axis) offset[axis] = (child >> axis) & 1;
      operands[1 + 2 * Dim + child] = operand<Dim>(children, offset, 2);
    }
  }
};

}  // namespace

template <int Dim>
Parents<Dim>::Parents(IntervalSet<Dim> const& children, LevelSets<Dim> const& coarse, LevelSets<Dim> const& fine)
    : Plan<Dim, Point::operand_count>(coarsen(children),
                                      ParentOperands<Dim, Point::operand_count>(
                                          coarse.storage.view(), Embedding<Dim>(coarse.valid, coarse.storage).view(),
                                          Embedding<Dim>(children, fine.storage).view())
                                          .operands) {}

template <int Dim>
Ghosts<Dim>::Ghosts(Domain<Dim> const& domain, LevelSets<Dim> const& sets, LevelSets<Dim> const* coarser, int level)
    : sides(domain, sets, level), walls(domain, sets, level) {
  if (coarser != nullptr && !sets.coarse_ghosts.is_empty()) parents = Parents<Dim>(sets.coarse_ghosts, *coarser, sets);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class Parents<Dim>;                                                                                         \
  template struct Ghosts<Dim>;
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::amr
