#pragma once
/// The kernels of the collocated scheme. Each is written once, for arrays and for cells, in both precisions.

#include <sparse/plans/stencil.hpp>

#include "step/greatest_size.hpp"

namespace sparse::incompressible::detail {

/// One value of all nodes. In arrays the stride is 1; in cells a record lies between neighbours.
template <class T, int stride>
struct NodeColumn {
  T* first;
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(Index node) const { return first[node * stride]; }
};

/// Inside nodes with those neighbours that are in a set. All are numbered as the set `nodes` does.
class NodeStencil : public Plan<2, 5> {
public:
  using Point = StencilPoint<2>;
  NodeStencil() = default;
  NodeStencil(IntervalSet<2> const& visited, IntervalSet<2> const& neighbours, IntervalSet<2> const& nodes)
      : NodeStencil(visited, Embedding<2>(neighbours, nodes), nodes) {}

private:
  NodeStencil(IntervalSet<2> const& visited, Embedding<2> const& neighbours, IntervalSet<2> const& nodes)
      : Plan<2, 5>(visited, {operand<2>(nodes.view()), operand<2>(neighbours.view(), {-1, 0}),
                             operand<2>(neighbours.view(), {1, 0}), operand<2>(neighbours.view(), {0, -1}),
                             operand<2>(neighbours.view(), {0, 1})}) {}
};

/// next = velocity + time step (viscosity laplacian - convection)
template <class T, int stride>
struct TakeTentativeStep {
  using Column = NodeColumn<T, stride>;
  Column velocity[2], next[2];
  T diffusion[2], slope[2], time_step;  // viscosity / h^2 and 1 / (2 h) along each axis

  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<2> const& p) const {
    T const carrier[2] = {velocity[0](p.cell), velocity[1](p.cell)};
    SPARSE_UNROLL
    for (int c = 0; c < 2; ++c) {
      T rate = 0;
      SPARSE_UNROLL
      for (int axis = 0; axis < 2; ++axis) {
        T const lower = velocity[c](p.neighbour(2 * axis)), upper = velocity[c](p.neighbour(2 * axis + 1));
        rate += diffusion[axis] * ((lower + upper) - (carrier[c] + carrier[c]));
        rate -= carrier[axis] * (slope[axis] * (upper - lower));
      }
      next[c](p.cell) = carrier[c] + time_step * rate;
    }
  }
};

/// source = sum over the axes of factor (difference of a velocity)
template <class T, int stride>
struct FindSource {
  using Column = NodeColumn<T, stride>;
  Column velocity[2], source;
  T factor[2];

  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<2> const& p) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < 2; ++axis)
      sum += factor[axis] * (velocity[axis](p.neighbour(2 * axis + 1)) - velocity[axis](p.neighbour(2 * axis)));
    source(p.cell) = sum;
  }
};

/// The pressure of a node after a sweep. Each sum has one product. So compilers that fuse the two have no choice which,
/// and all loops give the same bits.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T swept_pressure(T const (&weight)[2], T left, T right, T below, T above, T source) {
  T const along = weight[0] * (left + right) - source;
  return weight[1] * (below + above) + along;
}

/// A sweep of Jacobi's method.
template <class T, int stride>
struct SweepPressure {
  using Column = NodeColumn<T, stride>;
  Column from, to, source;
  T weight[2];

  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<2> const& p) const {
    to(p.cell) = swept_pressure(weight, from(p.neighbour(0)), from(p.neighbour(1)), from(p.neighbour(2)),
                                from(p.neighbour(3)), source(p.cell));
  }
};

/// velocity -= factor (difference of the pressure). Also finds the bits of the greatest result, for what is not finite.
template <class T, int stride>
struct CorrectVelocity {
  using Column = NodeColumn<T, stride>;
  Column velocity[2], pressure;
  T factor[2];

  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<2> const& p, Bits<T>& greatest) const {
    Bits<T> bits = bits_of_magnitude(pressure(p.cell));
    greatest = bits > greatest ? bits : greatest;
    SPARSE_UNROLL
    for (int axis = 0; axis < 2; ++axis) {
      T const difference = pressure(p.neighbour(2 * axis + 1)) - pressure(p.neighbour(2 * axis));
      T const corrected = velocity[axis](p.cell) - factor[axis] * difference;
      velocity[axis](p.cell) = corrected;
      bits = bits_of_magnitude(corrected);
      greatest = bits > greatest ? bits : greatest;
    }
  }
};

}  // namespace sparse::incompressible::detail
