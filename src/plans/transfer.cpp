#include <sparse/plans/transfer.hpp>

#include <sparse/plans/stencil.hpp>

namespace sparse {
namespace {

template <int Dim>
Operand child_operand(SetView const& children, int child) {
  Vec<Coord, Dim> offset;
  for (int axis = 0; axis < Dim; ++axis) offset[axis] = (child >> axis) & 1;
  return operand<Dim>(children, offset, 2);
}

template <int Dim, int K>
struct RestrictOperands {
  Operand operands[K];
  RestrictOperands(SetView const& coarse, SetView const& children) {
    operands[0] = operand<Dim>(coarse);
    for (int child = 0; child < 1 << Dim; ++child) operands[1 + child] = child_operand<Dim>(children, child);
  }
};

template <int Dim, int K>
struct ProlongOperands {
  Operand operands[K];
  ProlongOperands(SetView const& coarse, SetView const& children) {
    detail::StencilOperands<Dim, 1 + 2 * Dim> const stencil(coarse);
    for (int k = 0; k < 1 + 2 * Dim; ++k) operands[k] = stencil.operands[k];
    for (int child = 0; child < 1 << Dim; ++child) operands[1 + 2 * Dim + child] = child_operand<Dim>(children, child);
  }
};

}  // namespace

template <int Dim>
ProlongPlan<Dim>::ProlongPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& coarse_storage,
                              IntervalSet<Dim> const& children, IntervalSet<Dim> const& fine_storage)
    : Plan<Dim, Point::operand_count>(cells, ProlongOperands<Dim, Point::operand_count>(
                                                 coarse_storage.view(), Embedding<Dim>(children, fine_storage).view())
                                                 .operands) {}

template <int Dim>
RestrictPlan<Dim>::RestrictPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& coarse_storage,
                                IntervalSet<Dim> const& children, IntervalSet<Dim> const& fine_storage)
    : Plan<Dim, Point::operand_count>(cells, RestrictOperands<Dim, Point::operand_count>(
                                                 coarse_storage.view(), Embedding<Dim>(children, fine_storage).view())
                                                 .operands) {}

template class ProlongPlan<2>;
template class ProlongPlan<3>;
template class RestrictPlan<2>;
template class RestrictPlan<3>;

}  // namespace sparse
