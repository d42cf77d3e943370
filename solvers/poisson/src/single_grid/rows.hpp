#pragma once
/// Rows of nodes of one level, wherever in memory they lie, and loops over them.

#include <string>

#include <sparse/base/parallel.hpp>
#include <sparse/base/vec.hpp>

namespace sparse::poisson::single_grid {

/// The nodes of a level in an array: node x is at `data[sum of x * strides]`.
template <class T, int Dim>
struct Nodes {
  T* data;
  Vec<Index, Dim> strides;

  KOKKOS_FORCEINLINE_FUNCTION T* row(Vec<Index, Dim - 1> const& y) const {
    T* at = data;
    SPARSE_UNROLL
    for (int k = 0; k < Dim - 1; ++k) at += y[k] * strides[k + 1];
    return at;
  }
};

/// `count` nodes per axis, of which every `step`-th is meant.
template <class T, int Dim>
Nodes<T, Dim> nodes_of(T* data, Index count, Index step = 1) {
  Nodes<T, Dim> nodes{data, {}};
  for (int axis = 0; axis < Dim; ++axis, step *= count) nodes.strides[axis] = step;
  return nodes;
}

template <int Dim>
constexpr int row_count_around = Dim == 2 ? 3 : 9;  ///< the row of a node and its neighbours

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<Index, Dim - 1> row_position(Index row, Index count) {
  Vec<Index, Dim - 1> y{};
  SPARSE_UNROLL
  for (int k = 0; k < Dim - 1; ++k, row /= count) y[k] = row % count;
  return y;
}

KOKKOS_FORCEINLINE_FUNCTION Index mirrored(Index y, Index last) { return y < 0 ? -y : y > last ? 2 * last - y : y; }

/// How far neighbouring row `o` is along axis k + 1: -1, 0 or 1.
KOKKOS_FORCEINLINE_FUNCTION constexpr int row_offset(int o, int k) { return (k == 0 ? o % 3 : o / 3) - 1; }

/// The rows around row `y`, mirrored at the ends.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<T*, row_count_around<Dim>> rows_around(Nodes<T, Dim> const& nodes,
                                                                       Vec<Index, Dim - 1> const& y, Index last) {
  Vec<T*, row_count_around<Dim>> rows{};
  SPARSE_UNROLL
  for (int o = 0; o < row_count_around<Dim>; ++o) {
    Vec<Index, Dim - 1> at{};
    SPARSE_UNROLL
    for (int k = 0; k < Dim - 1; ++k) at[k] = mirrored(y[k] + row_offset(o, k), last);
    rows[o] = nodes.row(at);
  }
  return rows;
}

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION bool is_on_side(Vec<Index, Dim> const& y, int first_axis, Index last, unsigned sides) {
  bool is = false;
  SPARSE_UNROLL
  for (int k = 0; k < Dim; ++k) {
    unsigned const pair = sides >> 2 * (first_axis + k);
    if (((pair & 1) != 0 && y[k] == 0) || ((pair & 2) != 0 && y[k] == last)) is = true;
  }
  return is;
}

/// A host thread takes a row, a device thread a node.
template <class Body>
struct VisitRow {
  Body body;
  Index width;
  KOKKOS_FUNCTION void operator()(Index row) const { body(row, 0, width); }
};
template <class Body>
struct VisitNode {
  Body body;
  Index width;
  KOKKOS_FUNCTION void operator()(Index i) const { body(i / width, i % width, i % width + 1); }
};
template <class Body>
struct SumOverRow {
  Body body;
  Index width;
  KOKKOS_FUNCTION void operator()(Index row, double& sum) const { body(row, 0, width, sum); }
};
template <class Body>
struct SumOverNode {
  Body body;
  Index width;
  KOKKOS_FUNCTION void operator()(Index i, double& sum) const { body(i / width, i % width, i % width + 1, sum); }
};

template <int Dim>
Index row_count(Index nodes_per_axis) {
  return Dim == 2 ? nodes_per_axis : nodes_per_axis * nodes_per_axis;
}

/// Calls `body(row, begin, end)` for parts of rows of `width` steps.
template <class Body>
void for_rows(Context const& context, std::string const& label, Index rows, Index width, Body const& body) {
  if constexpr (is_host_backend)
    parallel_for(context, label, rows, VisitRow<Body>{body, width});
  else
    parallel_for(context, label, rows * width, VisitNode<Body>{body, width});
}

/// The sum that `body(row, begin, end, partial)` adds up.
template <class Body>
double sum_rows(Context const& context, std::string const& label, Index rows, Index width, Body const& body) {
  if constexpr (is_host_backend)
    return parallel_reduce<Kokkos::Sum, double>(context, label, rows, SumOverRow<Body>{body, width});
  else
    return parallel_reduce<Kokkos::Sum, double>(context, label, rows * width, SumOverNode<Body>{body, width});
}

/// Along a row: `step(i, i - 1, i + 1)`, with neighbours mirrored at the ends, or `fix(i)` at Dirichlet nodes.
template <int Dim, class Steps>
KOKKOS_FORCEINLINE_FUNCTION void along_row(Steps const& steps, Vec<Index, Dim - 1> const& y, Index last,
                                           unsigned dirichlet, Index begin, Index end) {
  if (is_on_side(y, 1, last, dirichlet)) {
    for (Index i = begin; i < end; ++i) steps.fix(i);
    return;
  }
  if (begin == 0) {
    if ((dirichlet & 1) != 0)
      steps.fix(0);
    else
      steps.step(0, 1, 1);
  }
  Index const first = begin == 0 ? 1 : begin, behind = end > last ? last : end;
  SPARSE_INDEPENDENT_ITERATIONS
  for (Index i = first; i < behind; ++i) steps.step(i, i - 1, i + 1);
  if (end > last) {
    if ((dirichlet & 2) != 0)
      steps.fix(last);
    else
      steps.step(last, last - 1, last - 1);
  }
}

}  // namespace sparse::poisson::single_grid
