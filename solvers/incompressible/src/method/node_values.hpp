#pragma once
/// The memory of the collocated scheme: columns of values in one of two layouts, and what is given on sets of nodes.

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/method/collocated.hpp>
#include <sparse/plans/transfer.hpp>

#include "collocated_kernels.hpp"

namespace sparse::incompressible::detail {

/// Values of a record of the source: 22 numbers and three flags.
inline constexpr int record_length = 23;

/// Columns of values, one value per node each; 0 in the beginning.
template <class T>
class NodeValues {
public:
  /// @param column_count  at most `record_length`
  NodeValues(IntervalSet<2> const& nodes, NodeLayout layout, int column_count);

  template <int stride>
  NodeColumn<T, stride> column(int which) const {
    return {values_.data() + which * apart_};
  }
  /// What `function.template operator()<stride>()` returns, with the stride of the layout.
  template <class Function>
  decltype(auto) in_layout(Function const& function) const {
    return layout_ == NodeLayout::cells ? function.template operator()<record_length>()
                                        : function.template operator()<1>();
  }

  Field<T, 2> field_of(int which, char const* name) const;

private:
  IntervalSet<2> nodes_;
  NodeLayout layout_;
  Index apart_;  // between the columns of a node
  Buffer<T> values_;
};

/// The nodes on which a component is given, and their values.
template <class T>
class GivenValues {
public:
  IntervalSet<2> const& nodes() const { return nodes_; }

  /// Gives the nodes of a field its values. Others keep theirs.
  /// @return  the greatest size of the new values
  /// @throws std::invalid_argument  if a value is not finite, there is none, or a node is not in `all`
  double give(Field<T, 2> const& values, IntervalSet<2> const& all, char const* name);
  /// Writes all given values to a column.
  template <int stride>
  void write(NodeColumn<T, stride> const& column) const;

private:
  IntervalSet<2> nodes_;
  Field<T, 2> values_;  // on all nodes of the flow; only given ones count
  CopyPlan<2> plan_;
};

/// The pressure with values for boundary nodes where it is not given: the mean of what their inside neighbours see.
/// Where there are none, as in corners, it is the mean of those values beside that are known by then.
template <class T>
Field<T, 2> with_boundary(Field<T, 2> const& pressure, IntervalSet<2> const& inside, IntervalSet<2> const& given);

/// to = from on the cells of a plan. Operand 0 is the target.
template <class T, int from_stride, int to_stride>
void copy(Plan<2, 2> const& plan, NodeColumn<T, from_stride> const& from, NodeColumn<T, to_stride> const& to) {
  using Point = RunPoint<2, 2>;
  for_each(
      "sparse::collocated::copy", plan,
      KOKKOS_LAMBDA(Point const& p) SPARSE_INLINE_LAMBDA { to(p.operand(0)) = from(p.operand(1)); });
}

template <class T>
template <int stride>
void GivenValues<T>::write(NodeColumn<T, stride> const& column) const {
  if (nodes_.is_empty()) return;
  copy(plan_, NodeColumn<T, 1>{const_cast<T*>(values_.component(0))}, column);
}

}  // namespace sparse::incompressible::detail
