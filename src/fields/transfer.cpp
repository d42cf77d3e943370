#include <sparse/fields/transfer.hpp>

#include <sparse/fields/algebra.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse {

template <class T, int Dim>
Field<T, Dim> restrict_to(IntervalSet<Dim> const& coarse, Field<T, Dim> const& fine, std::type_identity_t<T> value) {
  Field<T, Dim> result(fine.name(), coarse, fine.component_count());
  fill(result, value);
  RestrictPlan<Dim> const plan(coarse, coarse, fine.domain(), fine.domain());
  restrict_to<T, Dim>(result.view(), plan, fine.view(), fine.component_count());
  return result;
}

template <class T, int Dim>
Field<T, Dim> prolong(IntervalSet<Dim> const& fine, Field<T, Dim> const& coarse, Prolongation kind,
                      std::type_identity_t<T> value) {
  Field<T, Dim> result(coarse.name(), fine, coarse.component_count());
  fill(result, value);
  ProlongPlan<Dim> const plan(coarse.domain(), coarse.domain(), fine, fine);
  prolong<T, Dim>(result.view(), plan, coarse.view(), kind, coarse.component_count());
  return result;
}

template <class T, int Dim>
Field<T, Dim> remap(Field<T, Dim> const& source, IntervalSet<Dim> const& domain, std::type_identity_t<T> value) {
  Field<T, Dim> result(source.name(), domain, source.component_count());
  fill(result, value);
  CopyPlan<Dim> const plan(domain & source.domain(), domain, source.domain());
  copy<T, Dim>(result.view(), plan, source.view(), source.component_count());
  return result;
}

#define SPARSE_INSTANTIATE_FIELD(T, Dim)                                                                               \
  template Field<T, Dim> restrict_to(IntervalSet<Dim> const&, Field<T, Dim> const&, T);                                \
  template Field<T, Dim> prolong(IntervalSet<Dim> const&, Field<T, Dim> const&, Prolongation, T);                      \
  template Field<T, Dim> remap(Field<T, Dim> const&, IntervalSet<Dim> const&, T);
SPARSE_INSTANTIATE_FIELD(double, 2)
SPARSE_INSTANTIATE_FIELD(double, 3)
SPARSE_INSTANTIATE_FIELD(float, 2)
SPARSE_INSTANTIATE_FIELD(float, 3)

}  // namespace sparse
