#include <sparse/fields/transfer.hpp>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse {
namespace {

template <int Dim>
Operand child_operand(SetView const& children, int child) {
  Vec<Coord, Dim> offset;
  for (int axis = 0; axis < Dim; ++axis) offset[axis] = (child >> axis) & 1;
  return operand<Dim>(children, offset, 2);
}

template <int Dim, int K>
struct FamilyOperands {
  Operand operands[K];
  FamilyOperands(SetView const& coarse, SetView const& children) {
    operands[0] = operand<Dim>(coarse);
    for (int child = 0; child < 1 << Dim; ++child) operands[1 + child] = child_operand<Dim>(children, child);
  }
};

template <int Dim, int K>
struct TransferOperands {
  Operand operands[K];
  TransferOperands(SetView const& coarse, SetView const& children) {
    detail::StencilOperands<Dim, 1 + 2 * Dim> const stencil(coarse);
    for (int k = 0; k < 1 + 2 * Dim; ++k) operands[k] = stencil.operands[k];
    for (int child = 0; child < 1 << Dim; ++child) operands[1 + 2 * Dim + child] = child_operand<Dim>(children, child);
  }
};

}  // namespace

template <int Dim>
Transfer<Dim>::Transfer(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& coarse_storage,
                        IntervalSet<Dim> const& children, IntervalSet<Dim> const& fine_storage)
    : Plan<Dim, Point::operand_count>(cells, TransferOperands<Dim, Point::operand_count>(
                                                 coarse_storage.view(), Embedding<Dim>(children, fine_storage).view())
                                                 .operands) {}

template <int Dim>
Families<Dim>::Families(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& coarse_storage,
                        IntervalSet<Dim> const& children, IntervalSet<Dim> const& fine_storage)
    : Plan<Dim, Point::operand_count>(cells, FamilyOperands<Dim, Point::operand_count>(
                                                 coarse_storage.view(), Embedding<Dim>(children, fine_storage).view())
                                                 .operands) {}

template <class T, int Dim>
Field<T, Dim> restrict_to(IntervalSet<Dim> const& coarse, Field<T, Dim> const& fine, std::type_identity_t<T> value) {
  Field<T, Dim> result(fine.name(), coarse, fine.component_count());
  fill(result, value);
  Families<Dim> const families(coarse, coarse, fine.domain(), fine.domain());
  restrict_to<T, Dim>(families, fine.view(), result.view(), fine.component_count());
  return result;
}

template <class T, int Dim>
Field<T, Dim> prolong(IntervalSet<Dim> const& fine, Field<T, Dim> const& coarse, Prolongation kind,
                      std::type_identity_t<T> value) {
  Field<T, Dim> result(coarse.name(), fine, coarse.component_count());
  fill(result, value);
  Transfer<Dim> const transfer(coarse.domain(), coarse.domain(), fine, fine);
  prolong<T, Dim>(transfer, coarse.view(), result.view(), kind, coarse.component_count());
  return result;
}

template <class T, int Dim>
Field<T, Dim> remap(Field<T, Dim> const& source, IntervalSet<Dim> const& domain, std::type_identity_t<T> value) {
  Field<T, Dim> result(source.name(), domain, source.component_count());
  fill(result, value);
  CopyPlan<Dim> const plan(domain & source.domain(), domain, source.domain());
  copy<T, Dim>(plan, source.view(), result.view(), source.component_count());
  return result;
}

#define SPARSE_INSTANTIATE_FIELD(T, Dim)                                                                               \
  template Field<T, Dim> restrict_to(IntervalSet<Dim> const&, Field<T, Dim> const&, T);                                \
  template Field<T, Dim> prolong(IntervalSet<Dim> const&, Field<T, Dim> const&, Prolongation, T);                      \
  template Field<T, Dim> remap(Field<T, Dim> const&, IntervalSet<Dim> const&, T);
#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template class Transfer<Dim>;                                                                                        \
  template class Families<Dim>;                                                                                        \
  SPARSE_INSTANTIATE_FIELD(double, Dim)                                                                                \
  SPARSE_INSTANTIATE_FIELD(float, Dim)
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
