#include "node_values.hpp"

#include <limits>
#include <string>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::incompressible::detail {
namespace {

/// The greatest size of the values of a field, which must be finite.
template <class T>
double greatest_of(Field<T, 2> const& values) {
  T const* const data = values.component(0);
  Bits<T> const bits = reduce<Kokkos::Max, Bits<T>>(
      "sparse::collocated::greatest", Subset<2>(values.domain(), values.domain()),
      KOKKOS_LAMBDA(SubsetPoint<2> const& p, Bits<T>& partial) SPARSE_INLINE_LAMBDA {
        Bits<T> const size = bits_of_magnitude(data[p.cell]);
        partial = size > partial ? size : partial;
      });
  expects(bits < bits_of_magnitude(std::numeric_limits<T>::infinity()), "collocated: a given value is not finite");
  return size_of_bits<T>(bits);
}

/// pressure = mean of the known pressures beside, at nodes where there are any
template <class T>
struct ExtendPressure {
  T* pressure;
  KOKKOS_FUNCTION void operator()(StencilPoint<2> const& p) const {
    T sum = 0;
    int count = 0;
    for (int arm = 0; arm < 4; ++arm) {
      if (!p.has_neighbour(arm)) continue;
      sum += pressure[p.neighbour(arm)];
      ++count;
    }
    pressure[p.cell] = sum / static_cast<T>(count);
  }
};

}  // namespace

template <class T>
Field<T, 2> with_boundary(Field<T, 2> const& pressure, IntervalSet<2> const& inside, IntervalSet<2> const& given) {
  auto const& nodes = pressure.domain();
  auto result = clone(pressure);
  T* const values = result.component(0);
  auto known = inside, rest = nodes - inside - given;
  while (true) {  // layer by layer, for corners see nothing but other boundary nodes
    auto const layer = rest & expand(known, 1, Element::diamond);
    if (layer.is_empty()) break;
    for_each("sparse::collocated::extend", NodeStencil(layer, known, nodes), ExtendPressure<T>{values});
    rest = rest - layer;
    known = nodes - rest;
  }
  nodes.context().fence();  // callers may read on the host
  return result;
}

template <class T>
NodeValues<T>::NodeValues(IntervalSet<2> const& nodes, NodeLayout layout, int column_count)
    : nodes_(nodes), layout_(layout) {
  // Columns begin on cache lines; the extra line keeps them from sharing cache sets.
  constexpr Index line = 64 / static_cast<Index>(sizeof(T));
  Index const padded = ((nodes.cell_count() + line - 1) / line + 1) * line;
  bool const is_cells = layout == NodeLayout::cells;
  apart_ = is_cells ? 1 : padded;
  values_ = Buffer<T>(nodes.context(), is_cells ? record_length * nodes.cell_count() : column_count * padded);
  sparse::detail::fill_values(nodes.context(), FieldView<T>{values_.data(), 0}, values_.size(), 1, T(0));
}

template <class T>
Field<T, 2> NodeValues<T>::field_of(int which, char const* name) const {
  Field<T, 2> field(name, nodes_);
  CopyPlan<2> const plan(nodes_, nodes_, nodes_);
  NodeColumn<T, 1> const to{field.component(0)};
  in_layout([&]<int stride>() { copy(plan, this->template column<stride>(which), to); });
  nodes_.context().fence();  // callers may read on the host
  return field;
}

template <class T>
double GivenValues<T>::give(Field<T, 2> const& values, IntervalSet<2> const& all, char const* name) {
  IntervalSet<2> const& where = values.domain();
  if (where.is_empty()) fail(std::string("collocated: ") + name + ": the set of nodes is empty");
  Index const lost = (where - all).cell_count();
  if (lost > 0)
    fail(std::string("collocated: ") + name + ": " + std::to_string(lost) + " of " +
         std::to_string(where.cell_count()) + " nodes are not nodes of the flow");
  double const greatest = greatest_of(values);
  if (nodes_.is_empty()) values_ = Field<T, 2>(name, all);
  copy(CopyPlan<2>(where, all, where), NodeColumn<T, 1>{const_cast<T*>(values.component(0))},
       NodeColumn<T, 1>{values_.component(0)});
  nodes_ = nodes_ | where;
  plan_ = CopyPlan<2>(nodes_, all, all);
  all.context().fence();  // callers may free the values now
  return greatest;
}

#define SPARSE_DEFINE(T)                                                                                               \
  template class NodeValues<T>;                                                                                        \
  template class GivenValues<T>;                                                                                       \
  template Field<T, 2> with_boundary(Field<T, 2> const&, IntervalSet<2> const&, IntervalSet<2> const&);
SPARSE_DEFINE(float)
SPARSE_DEFINE(double)

}  // namespace sparse::incompressible::detail
